/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/ring/half.h"

void seguei_sq_catch_up(struct segue_sq *sq)
{
	if (!sq->polled)
		return;
	sq->ci = seguei_sq_retired(sq);
	if (sq->room)
		sq->limit = sq->ci + sq->room;
}

void seguei_sq_widen(struct segue_sq *sq)
{
	if (sq->polled == sq)
		sq->pi = sq->ci + sq->most;
}

void seguei_recv_catch_up(struct seguei_recv_ring *ring)
{
	if (!ring->polled)
		return;
	ring->ci = seguei_recv_retired(ring);
	if (ring->room != UINT32_MAX)
		ring->limit = ring->ci + ring->room;
}

void seguei_recv_widen(struct seguei_recv_ring *ring)
{
	if (ring->polled == ring)
		ring->pi = ring->ci - 1;
}
