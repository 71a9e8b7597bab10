/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec/next.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/* Writing one segment of a receive WQE; see put.h. */
#ifndef SEGUE_GEN_RECV_PUT_H
#define SEGUE_GEN_RECV_PUT_H

#include "segue/gen/segments.h"
#include "segue/recv.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#ifdef __cplusplus
extern "C" {
#endif

SEGUE_INLINE void seguei_recv_put_data(struct seguei_recv *b, const struct segue_seg_data *v)
{
	seguei_recv_refuse_outside(b, v->byte_count, 0x1u, 0x80000000u);
	segue_seg_data_pack(seguei_recv_here(b, SEGUE_SEG_DATA_SIZE), v);
}

SEGUE_INLINE void seguei_recv_put_data_array(struct seguei_recv *b,
					     const struct segue_seg_data *list, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		seguei_recv_put_data(b, &list[i]);
	}
}

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
