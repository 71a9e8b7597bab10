/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports of a peer's refused requests, and of missing receives. No completion explains them. */
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"

#include <stdio.h>

#define PATIENCE_MS 5000u
/* The longest RNR timer is 655 ms. After a longer silence one of the two was stopped. */
#define GAP_NS	    UINT64_C(1500000000)

/* "QP 0x12 of 127.77.0.1", valid in its block. */
#define NAME(peer)  name((char[40]){""}, peer)
static const char *name(char text[40], const struct softhca_peer *peer)
{
	snprintf(text, 40, "QP 0x%x of %u.%u.%u.%u", peer->qpn, peer->ip >> 24,
		 peer->ip >> 16 & 255, peer->ip >> 8 & 255, peer->ip & 255);
	return text;
}

static unsigned patience_ms(const struct softhca_dev *dev)
{
	return dev->cfg.patience_ms ? dev->cfg.patience_ms : PATIENCE_MS;
}

bool softhca_patience_ends(const struct softhca_dev *dev, struct softhca_patience *p,
			   uint64_t now_ns)
{
	if (!p->since || now_ns - p->last > GAP_NS)
		p->since = now_ns;
	p->last = now_ns;
	return now_ns - p->since > patience_ms(dev) * UINT64_C(1000000);
}

void softhca_tell_no_receive(struct softhca_qp *qp, const struct softhca_peer *peer,
			     uint32_t xrc_srqn)
{
	const struct softhca_srq *srq = xrc_srqn ? softhca_srq_find(qp->dev, xrc_srqn) : qp->srq;
	char where[40] = "is posted";

	/* A fault plan refuses, too. */
	if (softhca_rq_avail(qp, xrc_srqn))
		return;
	if (srq)
		snprintf(where, sizeof(where), "is posted to its SRQ 0x%x", srq->srqn);
	softhca_referee(qp, SOFTHCA_RULE_NO_RECEIVE,
			"no receive %s, and %s has been sending a message for %u ms: post a "
			"receive before the peer sends",
			where, NAME(peer), patience_ms(qp->dev));
}

void softhca_tell_repeats(struct softhca_qp *qp, const struct softhca_peer *peer, uint16_t index)
{
	softhca_referee_send(
		qp, index, SOFTHCA_RULE_NO_RECEIVE,
		"%s has answered for %u ms that no receive is posted there, and rnr_retry 7 "
		"repeats the request for ever: post a receive there",
		NAME(peer), patience_ms(qp->dev));
}

void softhca_tell_dc_key(struct softhca_qp *qp, const struct softhca_peer *peer, uint64_t key)
{
	softhca_referee(qp, SOFTHCA_RULE_DC_KEY,
			"a request of %s has the DC access key 0x%llx, expected 0x%llx, with which "
			"this DCT was created: the sender's address vector must have the same",
			NAME(peer), (unsigned long long)key,
			(unsigned long long)qp->create.dc_access_key);
}

void softhca_tell_qkey(struct softhca_qp *qp, const struct softhca_peer *peer, uint32_t qkey)
{
	softhca_referee(qp, SOFTHCA_RULE_QKEY,
			"a datagram of %s has the Q_Key 0x%x, expected 0x%x, and is dropped: the "
			"sender must name the Q_Key that this queue pair got on its way to INIT",
			NAME(peer), qkey, qp->attr.qkey);
}

void softhca_tell_net(struct softhca_qp *qp, const struct softhca_peer *peer, uint8_t net,
		      uint8_t own)
{
	static const char *const kind[] = {"RoCE v2 over IPv4", "RoCE v2 over IPv6", "RoCE v1"};
	/* The field has one value more than there are kinds. */
	if (net >= sizeof(kind) / sizeof(kind[0])) {
		softhca_referee(qp, SOFTHCA_RULE_GID_TYPE,
				"a packet of %s is dropped: its type of RoCE is %u, which no "
				"device of softhca sends, so it is forged or damaged",
				NAME(peer), net);
		return;
	}
	softhca_referee(
		qp, SOFTHCA_RULE_GID_TYPE,
		"a packet of %s is %s and is dropped, as sgid_index %u makes this connection %s: "
		"both ends must use GIDs of one type, and both IPv4 or both IPv6",
		NAME(peer), kind[net], qp->av.sgid_index, kind[own]);
}

void softhca_tell_pkey(struct softhca_qp *qp, const struct softhca_peer *peer, uint16_t pkey,
		       uint16_t own)
{
	softhca_referee(
		qp, SOFTHCA_RULE_PKEY,
		"a packet of %s is of partition 0x%x and is dropped, as pkey_index %u is partition "
		"0x%x: both must be members of one, and one of them (0x8000) a full member",
		NAME(peer), pkey, qp->attr.pkey_index, own);
}

static const char *flag_name(enum ibv_access_flags flag)
{
	switch (flag) {
	case IBV_ACCESS_REMOTE_READ:
		return "IBV_ACCESS_REMOTE_READ";
	case IBV_ACCESS_REMOTE_WRITE:
		return "IBV_ACCESS_REMOTE_WRITE";
	default:
		return "IBV_ACCESS_REMOTE_ATOMIC";
	}
}

void softhca_tell_forbidden(struct softhca_qp *qp, const struct softhca_peer *peer,
			    enum ibv_access_flags flag)
{
	softhca_referee(qp, SOFTHCA_RULE_FORBIDDEN,
			"a request of %s needs %s among qp_access_flags, which are 0x%x: set them "
			"when the queue pair goes to INIT or RTR",
			NAME(peer), flag_name(flag), qp->attr.qp_access_flags);
}

void softhca_tell_depth(struct softhca_qp *qp, const struct softhca_peer *peer)
{
	softhca_referee(qp, SOFTHCA_RULE_RD_ATOMIC,
			"%s has more READs and atomics under way than max_dest_rd_atomic %u "
			"allows: its max_rd_atomic must not be larger",
			NAME(peer), qp->attr.max_dest_rd_atomic);
}

void softhca_tell_too_long(struct softhca_qp *qp, const struct softhca_peer *peer,
			   const struct softhca_rwqe *rwqe, uint64_t bytes)
{
	qp->about = rwqe->tm.matched ? SOFTHCA_ABOUT_NOTHING : SOFTHCA_ABOUT_RECV;
	qp->about_index = rwqe->counter;
	qp->about_srq = rwqe->srq;
	softhca_referee(qp, SOFTHCA_RULE_BOUNDS,
			"a message of %s has %llu bytes or more, and the receive takes %llu: post "
			"larger ones",
			NAME(peer), (unsigned long long)bytes, (unsigned long long)rwqe->length);
	qp->about = SOFTHCA_ABOUT_NOTHING;
}
