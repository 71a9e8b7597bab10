/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Round trip time, and its consequences: when a flow without an answer sends again, and how much it
 * has in flight. Within a machine both are constant, because there the scheduler delays answers. To
 * another host the round trip is measured as in TCP (RFC 6298), and the window grows slowly after a
 * loss (RFC 5681), because everything in flight after a lost packet is sent again.
 */
#include "transport.h"

/* In bytes, plus an allowance per packet for the cost of small datagrams in a socket. */
#define WINDOW_MAX     (256u * 1024)
#define WINDOW_MIN     (16u * 1024)
/* Window to another host, before the way is known. */
#define WINDOW_FAR     (96u * 1024)
#define PROBE_FIRST_NS UINT64_C(1000000)
#define PROBE_FAR_NS   UINT64_C(100000000)
/* Number of packets that the window grows by in a round trip after a loss. */
#define GROWTH	       5u

uint64_t softhca_flow_round_trip(const struct softhca_flow *f)
{
	return f->srtt_ns + 4 * f->rttvar_ns;
}

static uint64_t probe_after(const struct softhca_flow *f)
{
	const uint64_t least = f->srtt_ns || !f->far ? PROBE_FIRST_NS : PROBE_FAR_NS;
	const uint64_t expected = f->far ? softhca_flow_round_trip(f) : 0;

	return expected > least ? expected : least;
}

void softhca_flow_settle(struct softhca_flow *f)
{
	f->srtt_ns = f->rttvar_ns = f->timed_at = f->back_until = 0;
	f->acked = 0;
	f->far = false;
	f->window = f->threshold = WINDOW_MAX;
	f->probe_ns = PROBE_FIRST_NS;
}

void softhca_flow_find_way(struct softhca_flow *f)
{
	struct softhca_wire *const wire = softhca_tp_wire(f->qp, f->qp->attr.port_num);
	const bool far = wire && softhca_wire_far(wire, f->peer_ip);

	if (far == f->far)
		return;
	softhca_flow_settle(f);
	f->far = far;
	f->probe_ns = probe_after(f);
	f->window = far ? WINDOW_FAR : WINDOW_MAX;
}

void softhca_flow_time(struct softhca_flow *f, uint32_t psn)
{
	if (f->timed_at)
		return;
	f->timed_at = softhca_tp_now();
	f->timed_psn = psn;
}

void softhca_flow_untime(struct softhca_flow *f)
{
	f->timed_at = 0;
}

void softhca_flow_timed(struct softhca_flow *f)
{
	uint64_t took, off;

	if (!f->timed_at || softhca_psn_cmp(f->una, f->timed_psn) <= 0) {
		/* Between processes the scheduler delays an answer, not the wire. */
		if (!f->far)
			f->probe_ns = PROBE_FIRST_NS;
		return;
	}
	took = softhca_tp_now() - f->timed_at + 1;
	off = took > f->srtt_ns ? took - f->srtt_ns : f->srtt_ns - took;
	f->rttvar_ns = f->srtt_ns ? (3 * f->rttvar_ns + off) / 4 : took / 2;
	f->srtt_ns = f->srtt_ns ? (7 * f->srtt_ns + took) / 8 : took;
	f->timed_at = 0;
	f->probe_ns = probe_after(f);
}

void softhca_flow_open_window(struct softhca_flow *f)
{
	const uint32_t packet = 256 + softhca_tp_mtu(f->qp);
	uint32_t by = f->acked;

	if (!f->far)
		by = f->window / 8;
	else if (f->window >= f->threshold)
		by = (uint32_t)((uint64_t)f->acked * packet * GROWTH / f->window);
	f->acked = 0;
	f->window = f->window + by < WINDOW_MAX ? f->window + by : WINDOW_MAX;
}

void softhca_flow_halve_window(struct softhca_flow *f)
{
	f->window = f->window / 2 > WINDOW_MIN ? f->window / 2 : WINDOW_MIN;
	f->threshold = f->window;
}
