/* SPDX-License-Identifier: BSD-2-Clause */
/* Last steps of a frame: choosing the receive queue, checking for room, and storing it there. */
#include "raw.h"
#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/packet/eth.h"
#include "tools/softhca/engine/packet/packet.h"

#include <errno.h>
#include <string.h>

/* Returns whether the frame goes from the larger address to the smaller one. */
static bool backwards(const struct softhca_eth *hdr)
{
	return memcmp(hdr->key + SOFTHCA_KEY_SRC, hdr->key + SOFTHCA_KEY_DST, 16) > 0;
}

/* Receive queue of a queue pair for a frame: its own, or one of its table's. */
static struct softhca_qp *pick_queue(struct softhca_qp *qp, struct softhca_eth_info *info)
{
	const struct softhca_rwq_table *t = qp->rss.table;
	struct softhca_hash hash;

	if (!t)
		return qp;
	if (!qp->rss.fields)
		return t->wq[0];
	hash.fields = qp->rss.fields;
	memcpy(hash.key, qp->rss.key, sizeof(hash.key));
	if (!softhca_eth_hash(info->hdr, &hash, &info->hash, &info->hash_type))
		return t->wq[0];
	if (softhca_contrary(SOFTHCA_CONTRARY_HASH) && backwards(info->hdr))
		info->hash = ~info->hash;
	return t->wq[softhca_contrary(SOFTHCA_CONTRARY_SPREAD)
			     ? info->hash >> 31
			     : info->hash & ((1u << t->log_size) - 1)];
}

struct softhca_qp *softhca_eth_queue(struct softhca_qp *qp, struct softhca_eth_info *info)
{
	struct softhca_qp *rq;

	if (!qp->rss.table && !softhca_qp_can_recv(qp))
		return NULL;
	rq = pick_queue(qp, info);
	return softhca_qp_can_recv(rq) ? rq : NULL;
}

static bool strips(const struct softhca_qp *rq, const struct softhca_eth_info *info)
{
	return rq->create.cvlan_strip && info->hdr->vlan;
}

bool softhca_eth_rq_room(struct softhca_qp *rq, const struct softhca_frame *frame,
			 const struct softhca_eth_info *info)
{
	const size_t len = frame->len - (strips(rq, info) ? SOFTHCA_VLAN_SIZE : 0) +
			   (rq->create.scatter_fcs ? 4 : 0);

	return rq->create.mprq.log_strides ? softhca_mprq_room(rq, len) : softhca_rq_avail(rq, 0);
}

static int put(struct softhca_qp *rq, const struct softhca_frame *frame,
	       struct softhca_eth_info *info)
{
	struct softhca_recv_info recv = {
		.kind = SOFTHCA_RECV_SEND, .bytes = frame->len, .eth = info};
	struct softhca_rwqe rwqe;
	int err;

	if (rq->create.mprq.log_strides)
		return softhca_mprq_receive(rq, frame, info);
	err = softhca_rq_take(rq, 0, &rwqe);
	if (err)
		return -EAGAIN;
	err = softhca_rq_scatter(&rwqe, 0, frame->bytes, frame->len);
	if (err) {
		softhca_cq_push_recv_err(rq, &rwqe, (uint8_t)err, 0);
		return err;
	}
	softhca_cq_push_recv(rq, &rwqe, &recv);
	return 0;
}

void softhca_eth_deliver(struct softhca_qp *rq, const struct softhca_frame *frame,
			 struct softhca_eth_info *info)
{
	uint8_t copy[SOFTHCA_FRAME_MAX + 4];
	struct softhca_frame f = *frame;
	int err;

	if (!softhca_qp_can_recv(rq))
		return;
	memcpy(copy, f.bytes, f.len);
	f.bytes = copy;
	if (strips(rq, info)) {
		memmove(copy + 12, copy + 12 + SOFTHCA_VLAN_SIZE, f.len - 12 - SOFTHCA_VLAN_SIZE);
		f.len -= SOFTHCA_VLAN_SIZE;
		info->stripped = true;
	}
	if (rq->create.scatter_fcs) {
		/* The check sequence covers the frame on the wire. */
		uint32_t fcs = ~softhca_crc32(UINT32_MAX, frame->bytes, frame->len);

		memcpy(copy + f.len, &fcs, sizeof(fcs));
		f.len += sizeof(fcs);
	}
	err = put(rq, &f, info);
	if (!err)
		rq->rq.drops = false;
	else if (err != -EAGAIN)
		softhca_qp_fatal(rq, rq->type == SOFTHCA_QP_RWQ ? IBV_EVENT_WQ_FATAL
								: IBV_EVENT_QP_FATAL);
}
