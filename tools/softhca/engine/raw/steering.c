/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steering: choice of the raw packet queue pairs that receive a frame, and of their receive queues.
 *
 * Rules are kept in the order of their application: by kind, then by priority, then by age. The
 * first rule that matches takes the frame, together with all others that match on the same fields
 * (the device then has one entry with several destinations). Sniffers get a copy of every frame.
 */
#include "tools/softhca/engine/packet/eth.h"
#include "raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct softhca_steer {
	struct softhca_steer *next;
	struct softhca_dev *dev;
	struct softhca_steer_attr attr; /* `act` has all actions */
};

static bool before(const struct softhca_steer_attr *a, const struct softhca_steer_attr *b)
{
	return a->kind != b->kind ? a->kind < b->kind : a->priority < b->priority;
}

/* Converts the queue pair, the tag and dropping to actions. */
static int complete_act(struct softhca_steer_attr *attr)
{
	const bool egress = attr->kind == SOFTHCA_STEER_EGRESS;
	struct softhca_flow_act *const act = &attr->act;

	if (attr->qp ? attr->drop || act->ndests || act->default_miss
	    : egress ? false
		     : !attr->drop && !act->ndests && !act->default_miss)
		return softhca_fail(-EINVAL, "a rule leads to one place, or drops");
	if (attr->qp && attr->qp->type != SOFTHCA_QP_RAW)
		return softhca_fail(-EINVAL, "0x%x is no raw packet queue pair", attr->qp->qpn);
	act->drop = attr->drop;
	act->tag = attr->tag;
	if (attr->qp)
		act->dest[act->ndests++].tir = attr->qp;
	return softhca_flow_check(act, egress);
}

int softhca_steer_create(struct softhca_dev *dev, const struct softhca_steer_attr *attr,
			 struct softhca_steer **out)
{
	struct softhca_steer *rule, **p;
	int err;

	if (dev->fatal)
		return softhca_fail(-EIO, "%s is in fatal state", dev->cfg.name);
	if (!attr->port || attr->port > dev->cfg.nports)
		return softhca_fail(-EINVAL, "port %u; %s has %u", attr->port, dev->cfg.name,
				    dev->cfg.nports);
	if (dev->port[attr->port].link != SOFTHCA_LINK_ROCE)
		return softhca_fail(-EOPNOTSUPP, "port %u is no Ethernet", attr->port);
	rule = calloc(1, sizeof(*rule));
	if (!rule)
		return softhca_fail(-ENOMEM, "out of memory");
	rule->dev = dev;
	rule->attr = *attr;
	err = complete_act(&rule->attr);
	if (err) {
		free(rule);
		return err;
	}
	for (unsigned i = 0; i < SOFTHCA_ETH_KEY; i++)
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
		if (r->attr.port == port->num && r->attr.kind != SOFTHCA_STEER_EGRESS)
			return true;
	return false;
}

/* ---- delivery ---- */

static bool own_frame(const struct softhca_qp *qp, const struct softhca_frame *frame)
{
	const struct softhca_qp *const from =
		frame->src_qpn ? softhca_qp_find(qp->dev, frame->src_qpn) : NULL;

	if (!from ||
	    (from != qp && (!from->create.domain || from->create.domain != qp->create.domain)))
		return false;
	return frame->bytes[0] & 1 ? !qp->create.self_lb_mc : !qp->create.self_lb_uc;
}

static bool same_match(const struct softhca_steer_attr *a, const struct softhca_steer_attr *b)
{
	return a->kind == b->kind && a->priority == b->priority &&
	       !memcmp(a->mask, b->mask, sizeof(a->mask)) &&
	       !memcmp(a->value, b->value, sizeof(a->value));
}

/* Receivers of the present frame. The array grows as needed and stays. */
struct target {
	struct softhca_qp *rq;
	const struct softhca_version *v;
	struct softhca_eth_info info;
};

static struct {
	struct target *list;
	size_t count, room;
} the_raw;

static struct softhca_frame frame_of(const struct target *t)
{
	return (struct softhca_frame){.bytes = t->v->bytes, .len = t->v->len};
}

static void add_target(void *arg, struct softhca_qp *qp, const struct softhca_version *v,
		       uint32_t tag)
{
	struct target t = {.v = v, .info = {.hdr = &v->eth, .tag = tag}};

	if (own_frame(qp, arg))
		return;
	t.rq = softhca_eth_queue(qp, &t.info);
	if (!t.rq)
		return;
	if (the_raw.count == the_raw.room) {
		const size_t room = the_raw.room ? the_raw.room * 2 : 16;
		struct target *const list = realloc(the_raw.list, room * sizeof(*list));

		if (!list)
			return;
		the_raw.list = list;
		the_raw.room = room;
	}
	the_raw.list[the_raw.count++] = t;
}

static bool applies(const struct softhca_steer *r, const struct softhca_port *port,
		    const struct softhca_eth *eth)
{
	return r->attr.port == port->num && r->attr.kind != SOFTHCA_STEER_EGRESS &&
	       (r->attr.kind == SOFTHCA_STEER_SNIFFER ||
		softhca_flow_matches(r->attr.mask, r->attr.value, eth));
}

static void find_targets(const struct softhca_port *port, struct softhca_flow_walk *w,
			 const struct softhca_version *first)
{
	const struct softhca_steer *winner = NULL;
	bool missed = false;

	the_raw.count = 0;
	for (const struct softhca_steer *r = port->dev->steer; r; r = r->next) {
		const struct softhca_version *v = first;
		enum softhca_flow_end end;

		if (!applies(r, port, &first->eth))
			continue;
		if (r->attr.kind != SOFTHCA_STEER_SNIFFER &&
		    ((winner && !same_match(&r->attr, &winner->attr)) ||
		     (missed && r->attr.kind != SOFTHCA_STEER_LEFTOVERS)))
			continue;
		end = softhca_flow_run(w, &r->attr.act, &v, 0);
		if (r->attr.kind == SOFTHCA_STEER_SNIFFER || r->attr.dont_trap)
			continue;
		/* A default miss passes the frame on to the rules for leftovers. */
		missed |= end == SOFTHCA_FLOW_MISSED;
		winner = missed ? winner : r;
	}
}

/* Returns whether all receivers have room. A queue that never will is set to drop. */
static bool all_have_room(bool last)
{
	for (size_t i = 0; i < the_raw.count; i++) {
		const struct target *const t = &the_raw.list[i];
		const struct softhca_frame f = frame_of(t);

		if (t->rq->rq.drops || softhca_eth_rq_room(t->rq, &f, &t->info))
			continue;
		if (!last)
			return false;
		t->rq->rq.drops = true;
	}
	return true;
}

/* Frame as it came. It never changes, only copies of it do. */
static struct softhca_version first_version(const uint8_t *bytes, size_t len)
{
	struct softhca_version v = {.bytes = (uint8_t *)(uintptr_t)bytes, .len = len};

	softhca_eth_parse(&v.eth, bytes, len);
	return v;
}

bool softhca_steer_frame(struct softhca_port *port, const struct softhca_frame *frame,
			 enum softhca_frame_turn turn)
{
	const struct softhca_version first = first_version(frame->bytes, frame->len);
	struct softhca_frame arg = *frame;
	struct softhca_flow_walk w = {
		.counting = turn == SOFTHCA_FRAME_NEW, .deliver = add_target, .arg = &arg};
	bool done;

	find_targets(port, &w, &first);
	done = all_have_room(turn == SOFTHCA_FRAME_LAST);
	/* Delivery changes queues, but never rules. */
	for (size_t i = 0; done && i < the_raw.count; i++) {
		const struct softhca_frame f = frame_of(&the_raw.list[i]);

		softhca_eth_deliver(the_raw.list[i].rq, &f, &the_raw.list[i].info);
	}
	softhca_flow_walk_end(&w);
	return done;
}

/* ---- frames on their way out ---- */

static bool leaves(const struct softhca_port *port, struct softhca_flow_walk *w,
		   const struct softhca_version **v)
{
	for (const struct softhca_steer *r = port->dev->steer; r; r = r->next)
		if (r->attr.kind == SOFTHCA_STEER_EGRESS && r->attr.port == port->num &&
		    softhca_flow_matches(r->attr.mask, r->attr.value, &(*v)->eth))
			return softhca_flow_run(w, &r->attr.act, v, 0) != SOFTHCA_FLOW_DONE;
	return true;
}

void softhca_steer_out(struct softhca_qp *qp, const uint8_t *frame, size_t len)
{
	const struct softhca_version first = first_version(frame, len), *v = &first;
	struct softhca_flow_walk w = {.counting = true};

	if (leaves(&qp->dev->port[qp->attr.port_num], &w, &v))
		softhca_eth_to_wire(qp, v->bytes, v->len);
	softhca_flow_walk_end(&w);
}
