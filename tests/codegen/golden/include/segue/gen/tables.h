/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec/next.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#ifndef SEGUE_GEN_TABLES_H
#define SEGUE_GEN_TABLES_H

#include "segue/tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Enums. */
extern const struct segue_enum_desc segue_completion_mode_desc;
extern const struct segue_enum_desc segue_holder_desc;
extern const struct segue_enum_desc segue_opcode_desc;
extern const struct segue_enum_desc segue_post_flag_desc;
extern const struct segue_enum_desc segue_qp_attr_desc;
extern const struct segue_enum_desc segue_qp_state_desc;
extern const struct segue_enum_desc segue_wqe_desc;

/* Segments. */
extern const struct segue_segment_desc segue_seg_av_desc;
extern const struct segue_segment_desc segue_seg_ctrl_desc;
extern const struct segue_segment_desc segue_seg_data_desc;
extern const struct segue_segment_desc segue_seg_data_end_desc;
extern const struct segue_segment_desc segue_seg_entry_desc;
extern const struct segue_segment_desc segue_seg_inline_data_desc;
extern const struct segue_segment_desc segue_seg_next_desc;
extern const struct segue_segment_desc segue_seg_raddr_desc;
extern const struct segue_segment_desc segue_seg_table_ctrl_desc;

/* CQE formats. */
extern const struct segue_segment_desc segue_cqe_ok_desc;

/** Indices into segue_enums[]. */
enum segue_enum_id {
	SEGUE_ENUM_COMPLETION_MODE_ID,
	SEGUE_ENUM_HOLDER_ID,
	SEGUE_ENUM_OPCODE_ID,
	SEGUE_ENUM_POST_FLAG_ID,
	SEGUE_ENUM_QP_ATTR_ID,
	SEGUE_ENUM_QP_STATE_ID,
	SEGUE_ENUM_WQE_ID,
	SEGUE_ENUM_COUNT,
};

/** Indices into segue_segments[]. */
enum segue_segment_id {
	SEGUE_SEG_AV_ID,
	SEGUE_SEG_CTRL_ID,
	SEGUE_SEG_DATA_ID,
	SEGUE_SEG_DATA_END_ID,
	SEGUE_SEG_ENTRY_ID,
	SEGUE_SEG_INLINE_DATA_ID,
	SEGUE_SEG_NEXT_ID,
	SEGUE_SEG_RADDR_ID,
	SEGUE_SEG_TABLE_CTRL_ID,
	SEGUE_SEGMENT_COUNT,
};

/** Indices into segue_cqes[]. */
enum segue_cqe_id {
	SEGUE_CQE_OK_ID,
	SEGUE_CQE_COUNT,
};

/* All of them, sorted by name, and a NULL. */
extern const struct segue_enum_desc *const segue_enums[];
extern const struct segue_segment_desc *const segue_segments[];
extern const struct segue_segment_desc *const segue_cqes[];

#ifdef __cplusplus
}
#endif

#endif /* SEGUE_GEN_TABLES_H */
