/* SPDX-License-Identifier: BSD-2-Clause */
/* From the bytes of a send WQE to a softhca_msg. */
#ifndef SOFTHCA_WQE_H
#define SOFTHCA_WQE_H

#include "tools/softhca/engine/qp.h"

#define SOFTHCA_WQE_MAX 1024u /* 63 units of 16 bytes, in whole 64-byte blocks */

/* The control segment, in host order. */
struct softhca_ctrl {
	uint8_t opcode, opmod, ds;
	uint8_t fm_ce_se; /* the byte as a whole, for messages */
	uint8_t fence, ce, se;
	uint16_t index;
	uint32_t qpn;
	uint16_t stream;
	uint32_t imm; /* raw, network order */
};

/* softhca_sq_fetch: reads `blocks` blocks of the ring, from counter `index`; 0 or -EFAULT. */
int softhca_sq_fetch(const struct softhca_sq *sq, uint16_t index, unsigned blocks, uint8_t *raw);
void softhca_ctrl_parse(struct softhca_ctrl *ctrl, const uint8_t *raw);
/* softhca_wqe_blocks: how many 64-byte blocks the WQE occupies; at least 1. */
unsigned softhca_wqe_blocks(const struct softhca_ctrl *ctrl);
const char *softhca_opcode_name(uint8_t opcode);
/*
 * softhca_wqe_parse: `raw` holds ctrl->ds * 16 bytes. Fills in everything of `msg` that comes from
 * the WQE. Returns SOFTHCA_OK or the syndrome the WQE fails with; the referee has been told why.
 */
int softhca_wqe_parse(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw,
		      struct softhca_msg *msg);
/*
 * softhca_judge: tells the referee what the documentation does not allow, and says where the
 * segments are; NULL: the device cannot execute it (judge.c).
 */
struct softhca_plan;
const struct softhca_plan *softhca_judge(struct softhca_qp *qp, const struct softhca_ctrl *ctrl,
					 const uint8_t *raw);
/* softhca_local_exec: does UMR, NOP, memory copy and so on (msg->kind LOCAL); the syndrome. */
int softhca_local_exec(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw);
/* softhca_wait_holds: the next WQE is a WAIT, and what it waits for has not come. False: on with
 * it; qp->wait.syndrome is what a WAIT ends with (cross.c). */
bool softhca_wait_holds(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw);
/* softhca_send_enable: SEND_EN (cross.c); the syndrome. */
int softhca_send_enable(struct softhca_qp *qp, const uint8_t *raw);
/* softhca_tm_command: a change of a tag list (tm.c); the syndrome. */
int softhca_tm_command(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw);
/* softhca_copy_memory: MMO (copy.c); the syndrome. */
int softhca_copy_memory(struct softhca_qp *qp, const uint8_t *raw);
/* softhca_transpose: LOCAL_MMO (transpose.c); the syndrome. */
int softhca_transpose(struct softhca_qp *qp, const uint8_t *raw);

#endif
