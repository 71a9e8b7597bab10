/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steering: which raw packet queue pairs receive a frame, and through which receive queue.
 *
 * Rules are kept in the order in which they are asked: by kind, then by priority, then by age. The
 * first that matches takes the frame, together with all others that match on exactly the same (the
 * device then has one entry with several destinations). Sniffers get a copy of everything.
 */
#include "eth.h"
#include "tools/softhca/engine/internal.h"
#include "tools/softhca/engine/transport/packet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct softhca_steer {
	struct softhca_steer *next;
	struct softhca_dev *dev;
	struct softhca_steer_attr attr;
};

_Static_assert(SOFTHCA_STEER_KEY == SOFTHCA_ETH_KEY, "one key");

static bool before(const struct softhca_steer_attr *a, const struct softhca_steer_attr *b)
{
	return a->kind != b->kind ? a->kind < b->kind : a->priority < b->priority;
}

int softhca_steer_create(struct softhca_dev *dev, const struct softhca_steer_attr *attr,
			 struct softhca_steer **out)
{
	struct softhca_steer *rule, **p;

	if (dev->fatal)
		return softhca_fail(-EIO, "%s is in fatal state", dev->cfg.name);
	if (!attr->port || attr->port > dev->cfg.nports)
		return softhca_fail(-EINVAL, "port %u; %s has %u", attr->port, dev->cfg.name,
				    dev->cfg.nports);
	if (attr->drop ? attr->qp != NULL : !attr->qp || attr->qp->type != SOFTHCA_QP_RAW)
		return softhca_fail(-EINVAL, "a rule leads to a raw packet queue pair or drops");
	if (dev->port[attr->port].link != SOFTHCA_LINK_ROCE)
		return softhca_fail(-EOPNOTSUPP, "port %u is no Ethernet", attr->port);
	rule = calloc(1, sizeof(*rule));
	if (!rule)
		return softhca_fail(-ENOMEM, "out of memory");
	rule->dev = dev;
	rule->attr = *attr;
	for (unsigned i = 0; i < SOFTHCA_STEER_KEY; i++)
		rule->attr.value[i] &= attr->mask[i];
	for (p = &dev->steer; *p && !before(attr, &(*p)->attr); p = &(*p)->next)
		;
	rule->next = *p;
	*p = rule;
	if (attr->qp)
		attr->qp->wq_refs++;
	*out = rule;
	return 0;
}

void softhca_steer_destroy(struct softhca_steer *rule)
{
	if (!rule)
		return;
	for (struct softhca_steer **p = &rule->dev->steer; *p; p = &(*p)->next)
		if (*p == rule) {
			*p = rule->next;
			break;
		}
	if (rule->attr.qp)
		rule->attr.qp->wq_refs--;
	free(rule);
}

void softhca_steer_drop_all(struct softhca_dev *dev)
{
	while (dev->steer)
		softhca_steer_destroy(dev->steer);
}

bool softhca_steer_wanted(const struct softhca_port *port)
{
	for (const struct softhca_steer *r = port->dev->steer; r; r = r->next)
		if (r->attr.port == port->num)
			return true;
	return false;
}

/* ---- delivery ---- */

/* The queue a queue pair receives a frame in: its own, or one of its table's. */
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
	return t->wq[info->hash & ((1u << t->log_size) - 1)];
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

static bool own_frame(const struct softhca_qp *qp, const struct softhca_frame *frame)
{
	if (!frame->src_qpn || frame->src_qpn != qp->qpn)
		return false;
	return frame->bytes[0] & 1 ? !qp->create.self_lb_mc : !qp->create.self_lb_uc;
}

static void deliver(struct softhca_qp *qp, const struct softhca_frame *frame,
		    const struct softhca_eth_info *seen)
{
	uint8_t copy[SOFTHCA_FRAME_MAX + 4];
	struct softhca_eth_info info = *seen;
	struct softhca_frame f = *frame;
	struct softhca_qp *rq;
	int err;

	if ((!qp->rss.table && !softhca_qp_can_recv(qp)) || own_frame(qp, frame))
		return;
	rq = pick_queue(qp, &info);
	if (!softhca_qp_can_recv(rq))
		return;
	memcpy(copy, f.bytes, f.len);
	f.bytes = copy;
	if (rq->create.cvlan_strip && info.hdr->vlan) {
		memmove(copy + 12, copy + 12 + SOFTHCA_VLAN_SIZE, f.len - 12 - SOFTHCA_VLAN_SIZE);
		f.len -= SOFTHCA_VLAN_SIZE;
		info.stripped = true;
	}
	if (rq->create.scatter_fcs) {
		/* The check sequence is that of the frame on the wire. */
		uint32_t fcs = ~softhca_crc32(UINT32_MAX, frame->bytes, frame->len);

		memcpy(copy + f.len, &fcs, sizeof(fcs));
		f.len += sizeof(fcs);
	}
	/* As on any Ethernet: nobody waits for a receiver without a buffer. */
	err = put(rq, &f, &info);
	if (err && err != -EAGAIN)
		softhca_qp_fatal(rq, rq->type == SOFTHCA_QP_RWQ ? IBV_EVENT_WQ_FATAL
								: IBV_EVENT_QP_FATAL);
}

static bool matches(const struct softhca_steer *r, const struct softhca_eth *eth)
{
	for (unsigned i = 0; i < SOFTHCA_STEER_KEY; i++)
		if ((eth->key[i] & r->attr.mask[i]) != r->attr.value[i])
			return false;
	return true;
}

static bool same_match(const struct softhca_steer_attr *a, const struct softhca_steer_attr *b)
{
	return a->kind == b->kind && a->priority == b->priority &&
	       !memcmp(a->mask, b->mask, sizeof(a->mask)) &&
	       !memcmp(a->value, b->value, sizeof(a->value));
}

void softhca_steer_frame(struct softhca_port *port, const struct softhca_frame *frame)
{
	const struct softhca_steer *winner = NULL;
	struct softhca_eth_info info = {0};
	struct softhca_eth eth;

	softhca_eth_parse(&eth, frame->bytes, frame->len);
	info.hdr = &eth;
	/* Delivering changes queues, never rules. */
	for (struct softhca_steer *r = port->dev->steer; r; r = r->next) {
		if (r->attr.port != port->num)
			continue;
		if (r->attr.kind != SOFTHCA_STEER_SNIFFER) {
			if (winner && !same_match(&r->attr, &winner->attr))
				continue;
			if (!matches(r, &eth))
				continue;
			if (!r->attr.dont_trap)
				winner = r;
		}
		info.tag = r->attr.tag;
		if (r->attr.qp)
			deliver(r->attr.qp, frame, &info);
	}
}
