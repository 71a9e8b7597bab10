/* SPDX-License-Identifier: BSD-2-Clause */
/* Queries that only the device can answer, through DEVX. */
#ifndef SEGUE_RUNTIME_COMMAND_H
#define SEGUE_RUNTIME_COMMAND_H

#include <infiniband/verbs.h>
#include <stdint.h>

/* Bytes of the answer to QUERY_QP: 24, a context of 232 and 16 up to the pages. */
#define SEGUEI_QP_ANSWER (24 + 232 + 16)

struct segue_seg_query_hca_cap_atomic_out;
struct segue_seg_query_hca_cap_out;
struct segue_seg_query_qp_out;

/*
 * Converts the result of a libmlx5 call, which is an errno of either sign, or -1 with errno.
 * Returns 0 or a negative errno.
 */
int seguei_command_errno(int ret);

/* The same for an answer that begins with the device's status: -EIO if the status is not 0. */
int seguei_command_result(int ret, const uint8_t *out);

/* Packs a command without a context. `opcode` is of enum segue_command. */
void seguei_command_pack(uint8_t *in, uint16_t opcode, uint16_t op_mod, uint32_t number);

/*
 * These return 0 or a negative errno without a sentence. -EOPNOTSUPP means that kernel or driver
 * lack DEVX, which a caller can tolerate.
 */
int seguei_command_general_caps(struct ibv_context *context,
				struct segue_seg_query_hca_cap_out *caps);
int seguei_command_atomic_caps(struct ibv_context *context,
			       struct segue_seg_query_hca_cap_atomic_out *caps);
int seguei_command_dct_index(struct ibv_qp *dct, uint32_t *user_index); /* of a DCT in RTR */
/* Queries any queue pair that is not a raw packet queue pair. */
int seguei_command_qp(struct ibv_qp *qp, struct segue_seg_query_qp_out *answer);
/* Queries a raw packet queue pair that sends. */
int seguei_command_sq_index(struct ibv_qp *qp, uint32_t *user_index);
int seguei_command_xrc_srq_index(struct ibv_srq *srq, uint32_t srqn, uint32_t *user_index);

#endif
