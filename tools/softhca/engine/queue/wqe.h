/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversion from the bytes of a send WQE to a softhca_msg. */
#ifndef SOFTHCA_WQE_H
#define SOFTHCA_WQE_H

#include "tools/softhca/engine/qp.h"

#define SOFTHCA_WQE_MAX 1024u /* 63 units of 16 bytes, in whole 64-byte blocks */

/* Control segment in host order. */
struct softhca_ctrl {
	uint8_t opcode, opmod, ds;
	uint8_t fm_ce_se; /* the whole byte, for error messages */
	uint8_t fence, ce, se;
	uint16_t index;
	uint32_t qpn;
	uint16_t stream;
	uint32_t imm; /* raw, network order */
};

/* softhca_sq_fetch: reads `blocks` blocks of the ring, from counter `index`. 0 or -EFAULT. */
int softhca_sq_fetch(const struct softhca_sq *sq, uint16_t index, unsigned blocks, uint8_t *raw);
void softhca_ctrl_parse(struct softhca_ctrl *ctrl, const uint8_t *raw);
/* softhca_wqe_blocks: number of 64-byte blocks that the WQE occupies, at least 1. */
unsigned softhca_wqe_blocks(const struct softhca_ctrl *ctrl);
const char *softhca_opcode_name(uint8_t opcode);
/*
 * softhca_wqe_parse: `raw` holds ctrl->ds * 16 bytes. Fills in all fields of `msg` that come from
 * the WQE. Returns SOFTHCA_OK, or the WQE's syndrome after a report to the referee.
 */
int softhca_wqe_parse(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw,
		      struct softhca_msg *msg);
/*
 * softhca_judge: reports to the referee what the documentation does not allow, and returns the
 * places of the segments. NULL if the device cannot execute the WQE (judge.c).
 */
struct softhca_plan;
const struct softhca_plan *softhca_judge(struct softhca_qp *qp, const struct softhca_ctrl *ctrl,
					 const uint8_t *raw);
/* softhca_local_exec: executes UMR, NOP, copies ... (msg->kind LOCAL). Returns the syndrome. */
int softhca_local_exec(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw);
/* softhca_wait_holds: true if the next WQE is a WAIT and its condition does not hold yet. Otherwise
 * the queue goes on, and qp->wait.syndrome is the result of a WAIT (cross_channel.c). */
bool softhca_wait_holds(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw);
/* softhca_send_enable: executes SEND_EN (cross_channel.c) and returns the syndrome. */
int softhca_send_enable(struct softhca_qp *qp, const uint8_t *raw);
/* softhca_tm_command: executes a change of a tag list (tm.c) and returns the syndrome. */
int softhca_tm_command(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw);
/* softhca_copy_memory: executes MMO (copy.c) and returns the syndrome. */
int softhca_copy_memory(struct softhca_qp *qp, const uint8_t *raw);
/* softhca_transpose: executes LOCAL_MMO (transpose.c) and returns the syndrome. */
int softhca_transpose(struct softhca_qp *qp, const uint8_t *raw);

#endif
