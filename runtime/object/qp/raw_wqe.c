/* SPDX-License-Identifier: BSD-2-Clause */
/* Posting of a WQE that the program supplies as bytes, after the validator has accepted it. */
#include "segue/qp.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "runtime/object/qp/qp.h"
#include "runtime/text/walk.h"
#include "segue/base.h"
#include "segue/decode.h"
#include "segue/detail/bytes.h"
#include "segue/detail/commit.h"
#include "segue/gen/segments.h"

#define MOST ((size_t)SEGUE_WQE_MAX_UNITS * SEGUE_WQE_UNIT_SIZE)

/* Reserved bits are tolerated, because libmlx5 leaves some set. */
static int check(const struct segue_qp *qp, const struct segue_machine *machine, const uint8_t *wqe,
		 size_t length)
{
	struct segue_offence offence = {0};
	char why[512];

	if (!segue_wqe_validate(machine, wqe, length, &offence) ||
	    offence.kind == SEGUE_OFFENCE_RESERVED)
		return 0;
	(void)segue_offence_print(&offence, why, sizeof(why));
	return seguei_fail(EINVAL,
			   "segue_qp_post_raw_wqe(): queue pair 0x%x takes no such request: %s.",
			   qp->object.number, why);
}

static int check_tso(const struct segue_sq *sq, const struct segue_machine *machine,
		     const uint8_t *wqe, size_t length)
{
	const uint64_t payload = seguei_tso_beyond(machine, wqe, length, sq->max_tso);

	if (!payload)
		return 0;
	return seguei_fail(
		EMSGSIZE,
		"segue_qp_post_raw_wqe(): queue pair 0x%x takes no such request: it has %" PRIu64
		" bytes cut into frames, and the device takes %u at "
		"most (max_tso); post several.",
		sq->qpn, payload, sq->max_tso);
}

/* Copies the rest of the WQE after the control segment, around the end of the ring if needed. */
static void copy(struct seguei_build *b, const uint8_t *rest, size_t length)
{
	const size_t to_end = (size_t)(b->sq->end - b->at);
	const size_t first = length < to_end ? length : to_end;

	memcpy(b->at, rest, first);
	memcpy(b->sq->buf, rest + first, length - first);
	b->units += (uint32_t)(length / SEGUE_WQE_UNIT_SIZE);
}

int segue_qp_post_raw_wqe(struct segue_qp *qp, uint64_t wr_id, const void *wqe, size_t length)
{
	const struct segue_machine *machine;
	struct segue_sq *sq;
	uint8_t bytes[MOST];
	struct segue_seg_ctrl ctrl;
	struct seguei_build b;
	int ret;

	ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind,
				  "segue_qp_post_raw_wqe()");
	if (ret)
		return ret;
	sq = &qp->sq.any;
	machine = qp->has_sq ? seguei_qp_machine(qp) : NULL;
	if (!wqe)
		return seguei_fail(
			EINVAL,
			"segue_qp_post_raw_wqe(): wqe is NULL, expected the bytes of a request.");
	if (!machine)
		return seguei_fail(EINVAL,
				   "segue_qp_post_raw_wqe(): queue pair 0x%x does not send.",
				   qp->object.number);
	if (!length || length % SEGUE_WQE_UNIT_SIZE)
		return seguei_fail(EINVAL,
				   "segue_qp_post_raw_wqe(): the request has %zu bytes, expected a "
				   "multiple of %u.",
				   length, (unsigned int)SEGUE_WQE_UNIT_SIZE);
	if (length > (size_t)sq->max_units * SEGUE_WQE_UNIT_SIZE)
		return seguei_sq_refuse(sq, 0, 0, true);
	memcpy(bytes, wqe, length);
	(void)segue_seg_ctrl_unpack(&ctrl, bytes);
	ctrl.qpn = sq->qpn;
	ctrl.wqe_index = (uint16_t)sq->pi;
	ctrl.ds = (uint8_t)(length / SEGUE_WQE_UNIT_SIZE);
	segue_seg_ctrl_pack(bytes, &ctrl);
	ret = check(qp, machine, bytes, length);
	if (!ret)
		ret = check_tso(sq, machine, bytes, length);
	if (ret)
		return ret;
	b = seguei_begin(sq);
	seguei_request(&b, wr_id, ctrl.opcode, ctrl.opmod,
		       segue_get_be32(bytes + SEGUEI_CONTROL_FLAGS_AT),
		       segue_get_be32(bytes + SEGUEI_CONTROL_FLAGS_AT + sizeof(uint32_t)));
	if (segue_sq_room(sq) * SEGUEI_BLOCK < length)
		return seguei_sq_refuse(sq, ctrl.ds, 0, false);
	copy(&b, bytes + SEGUEI_CONTROL_SIZE, length - SEGUEI_CONTROL_SIZE);
	return seguei_post(&b, machine);
}
