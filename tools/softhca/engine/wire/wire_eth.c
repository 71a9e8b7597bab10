/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Flow control of Ethernet frames, like pause frames on a link (IEEE 802.3 annex 31B). A receiver
 * without room makes the sender wait. It uses the credits of wire_rx.c. A frame to all ports waits
 * for the slowest of those that took frames before. The receivers of the first ones are not known,
 * so until there is an answer they are sent as if to one.
 */
#include "wire_priv.h"

#include "tools/softhca/engine/scheduler.h"

/* The owner of an address may be late by this time, because it may wait for a processor. */
#define PATIENCE_NS 3000000000u
/* After this time the address is checked for an owner. */
#define ASK_NS	    20000000u

static struct flood_member *find_member(struct softhca_wire *w, uint32_t ip)
{
	for (int i = 0; i < FLOOD_MEMBERS; i++)
		if (w->flood.member[i].ip == ip)
			return &w->flood.member[i];
	return NULL;
}

void softhca_wire_flooded(struct softhca_wire *w, uint32_t cost)
{
	bool any = false;

	for (int i = 0; i < FLOOD_MEMBERS; i++) {
		if (!w->flood.member[i].ip)
			continue;
		w->flood.member[i].under_way += cost;
		any = true;
	}
	if (!any)
		w->flood.blind += cost;
}

void softhca_wire_flood_credit(struct softhca_wire *w, uint32_t ip, uint32_t bytes)
{
	struct flood_member *m = find_member(w, ip);

	if (!m) {
		m = find_member(w, 0);
		if (!m)
			return;
		*m = (struct flood_member){.ip = ip, .under_way = w->flood.blind};
		w->flood.blind = 0;
	}
	m->under_way -= bytes < m->under_way ? bytes : m->under_way;
	m->waiting_ns = 0;
}

/*
 * Returns whether further waiting is useless, because the receiver is gone or was silent for too
 * long. The silence counts from the first packet that needs an answer.
 */
static bool given_up(struct softhca_wire *w, uint64_t *waiting_ns, bool group, uint32_t ip)
{
	const uint64_t now = softhca_now_ns();

	if (!*waiting_ns)
		*waiting_ns = w->asked_ns = now;
	if (now - *waiting_ns >= PATIENCE_NS)
		return true;
	if (now - w->asked_ns < ASK_NS)
		return false;
	w->asked_ns = now;
	return group ? !softhca_wire_group_others(ip) : !softhca_wire_claimed(ip);
}

static bool flood_ready(struct softhca_wire *w, uint32_t group)
{
	for (int i = 0; i < FLOOD_MEMBERS; i++) {
		struct flood_member *const m = &w->flood.member[i];

		if (!m->ip || m->under_way < w->credit)
			continue;
		if (!given_up(w, &m->waiting_ns, false, m->ip) && softhca_wire_group_others(group))
			return false;
		*m = (struct flood_member){0};
	}
	if (w->flood.blind < w->credit)
		return true;
	if (!given_up(w, &w->flood.waiting_ns, true, group))
		return false;
	w->flood.blind = 0;
	w->flood.waiting_ns = 0;
	return true;
}

bool softhca_wire_eth_ready(struct softhca_wire *w, uint32_t dst_ip)
{
	return dst_ip == softhca_flood_ip() ? flood_ready(w, dst_ip)
					    : softhca_wire_ready(w, dst_ip, PATIENCE_NS);
}

uint32_t softhca_wire_defer(struct softhca_wire *w)
{
	w->deferred = true;
	w->waiting += w->current;
	return w->current;
}

void softhca_wire_taken(struct softhca_wire *w, uint32_t src_ip, uint32_t dst_ip, uint32_t len)
{
	w->waiting -= len < w->waiting ? len : w->waiting;
	if (!softhca_wire_find(src_ip))
		softhca_wire_note_taken(w, src_ip, dst_ip, len);
}
