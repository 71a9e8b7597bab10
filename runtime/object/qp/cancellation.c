/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cancellation of requests that the device has not started, on a queue pair in SQD.
 *
 * A cancelled request becomes a NOP in its place, and completes. Only the device knows its progress
 * (QUERY_QP), because unsignaled requests may be done. libmlx5 cancels only requests that a
 * completion can name.
 */
#include <errno.h>
#include <string.h>

#include "runtime/object/device/command.h"
#include "runtime/object/qp/cross_channel.h"
#include "segue/base.h"
#include "segue/gen/segments.h"

/* Index of the first request that the device has not started. */
static int first_waiting(struct segue_qp *qp, uint32_t *index)
{
	struct segue_seg_query_qp_out answer;
	const struct segue_sq *sq = &qp->sq.any;
	int ret = seguei_command_qp(qp->qp, &answer);

	if (ret == -EOPNOTSUPP)
		return seguei_fail(ENOTSUP,
				   "Queue pair 0x%x: the progress of its sends cannot be read, "
				   "because kernel or driver have no DEVX for this program.",
				   qp->object.number);
	if (ret)
		return seguei_fail(-ret,
				   "Queue pair 0x%x: the progress of its sends cannot be read: %s.",
				   qp->object.number, strerror(-ret));
	if (answer.state != SEGUE_QPC_STATE_SQ_DRAINED)
		return seguei_fail(EINVAL,
				   "Queue pair 0x%x is not at rest in SQD, so the device may carry "
				   "out its sends; call segue_qp_pause() first.",
				   qp->object.number);
	*index = sq->pi - (uint16_t)(sq->pi - answer.hw_sq_wqebb_counter);
	if (sq->pi - *index > sq->pi - seguei_sq_ci(sq))
		return seguei_fail(EIO,
				   "Queue pair 0x%x: the device says that block 0x%x is the next, "
				   "which is not in flight.",
				   qp->object.number, answer.hw_sq_wqebb_counter);
	return 0;
}

/* Turns a request into a NOP, which keeps its completion flags. False if it is a NOP already. */
static bool make_nop(struct segue_sq *sq, uint32_t index)
{
	uint8_t *wqe = seguei_sq_wqe_at(sq, index);
	struct segue_seg_ctrl ctrl;

	(void)segue_seg_ctrl_unpack(&ctrl, wqe);
	if (ctrl.opcode == SEGUE_OPCODE_NOP)
		return false;
	ctrl.opcode = SEGUE_OPCODE_NOP;
	ctrl.opmod = 0;
	segue_seg_ctrl_pack(wqe, &ctrl);
	sq->pattern = NULL;
	return true;
}

int segue_qp_cancel_posted(struct segue_qp *qp, uint64_t wr_id, uint32_t *count)
{
	struct segue_sq *sq;
	uint32_t at = 0, next;
	int ret = seguei_qp_enter(qp, "segue_qp_cancel_posted()");

	if (ret)
		return ret;
	if (!qp->has_sq || qp->type == SEGUE_QP_RAW_PACKET)
		return seguei_fail(EINVAL,
				   "segue_qp_cancel_posted(): queue pair 0x%x is of type %s, whose "
				   "sends cannot wait in SQD.",
				   qp->object.number, seguei_qp_info(qp->type)->name);
	sq = &qp->sq.any;
	ret = seguei_qp_need_kernel(qp, "SQD");
	if (!ret)
		ret = first_waiting(qp, &at);
	if (ret)
		return ret;
	*count = 0;
	for (; at != sq->pi; at = next) {
		next = seguei_sq_behind(sq, seguei_sq_slot_at(sq, at));
		if (seguei_sq_slot_at(sq, at)->wr_id == wr_id && !seguei_sq_is_marker(sq, at) &&
		    make_nop(sq, at))
			++*count;
	}
	seguei_order_memory_stores(); /* before the device goes on */
	return 0;
}
