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

static bool own_frame(const struct softhca_qp *qp, const struct softhca_frame *frame)
{
	if (!frame->src_qpn || frame->src_qpn != qp->qpn)
		return false;
	return frame->bytes[0] & 1 ? !qp->create.self_lb_mc : !qp->create.self_lb_uc;
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

/* Who receives the frame that is under way; grows as needed and stays. */
struct target {
	struct softhca_qp *rq;
	struct softhca_eth_info info;
};

static struct {
	struct target *list;
	size_t count, room;
} targets;

static void add_target(struct softhca_qp *qp, const struct softhca_frame *frame,
		       const struct softhca_eth_info *info)
{
	struct target t = {.info = *info};

	if (own_frame(qp, frame))
		return;
	t.rq = softhca_eth_queue(qp, &t.info);
	if (!t.rq)
		return;
	if (targets.count == targets.room) {
		const size_t room = targets.room ? targets.room * 2 : 16;
		struct target *const list = realloc(targets.list, room * sizeof(*list));

		if (!list)
			return;
		targets.list = list;
		targets.room = room;
	}
	targets.list[targets.count++] = t;
}

static void find_targets(const struct softhca_port *port, const struct softhca_frame *frame,
			 const struct softhca_eth *eth)
{
	const struct softhca_steer *winner = NULL;
	struct softhca_eth_info info = {.hdr = eth};

	targets.count = 0;
	for (const struct softhca_steer *r = port->dev->steer; r; r = r->next) {
		if (r->attr.port != port->num)
			continue;
		if (r->attr.kind != SOFTHCA_STEER_SNIFFER) {
			if (winner && !same_match(&r->attr, &winner->attr))
				continue;
			if (!matches(r, eth))
				continue;
			if (!r->attr.dont_trap)
				winner = r;
		}
		info.tag = r->attr.tag;
		if (r->attr.qp)
			add_target(r->attr.qp, frame, &info);
	}
}

/* Has everybody room? Those who never will are told to drop. */
static bool all_have_room(const struct softhca_frame *frame, bool last)
{
	for (size_t i = 0; i < targets.count; i++) {
		const struct target *const t = &targets.list[i];

		if (t->rq->rq.drops || softhca_eth_rq_room(t->rq, frame, &t->info))
			continue;
		if (!last)
			return false;
		t->rq->rq.drops = true;
	}
	return true;
}

bool softhca_steer_frame(struct softhca_port *port, const struct softhca_frame *frame,
			 enum softhca_frame_turn turn)
{
	struct softhca_eth eth;

	softhca_eth_parse(&eth, frame->bytes, frame->len);
	find_targets(port, frame, &eth);
	if (!all_have_room(frame, turn == SOFTHCA_FRAME_LAST))
		return false;
	/* Delivering changes queues, never rules. */
	for (size_t i = 0; i < targets.count; i++)
		softhca_eth_deliver(targets.list[i].rq, frame, &targets.list[i].info);
	return true;
}
