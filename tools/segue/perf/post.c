// SPDX-License-Identifier: BSD-2-Clause
/* Requests to the partner, and the results of their completions. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "segue/base.h"
#include "segue/explain.h"
#include "segue/gen/peers.h"
#include "tools/segue/perf/perf.h"

#define PATIENCE \
	4096u /* empty polls, some ten microseconds, before others may have the processor */
#define POLITE	    64u	       /* and so often from then on */
#define LOOK_AROUND 65536u     /* empty polls before clock and world are looked at */
#define AGAIN_NS    200000000u /* a datagram that is not answered by then is lost */

/* A message: its number, its length, and of the first ones each byte. */
static void take_message(struct perf_side *side, const struct segue_wc *wc)
{
	const uint32_t tag = wc->imm >> 24 & PERF_TAGS;
	uint32_t length;

	if (tag != side->tag) /* a datagram of an earlier measurement that was sent twice */
		return;
	side->seen.messages++;
	side->seen.imm = wc->imm;
	side->seen.end |= (wc->imm & PERF_END) != 0;
	length = segue_multi_channel_payload_size(side->multi, wc);
	if (!length) /* an acknowledgement */
		return;
	if (length != side->row.bytes) {
		side->row.wrong += side->row.bytes;
	} else if (side->to_check || wc->imm & PERF_END) {
		side->to_check -= side->to_check != 0;
		side->row.checked += length;
		side->row.wrong += perf_wrong(segue_multi_channel_payload(side->multi, wc), length,
					      perf_seed(side, false));
	}
}

static void on_completion(const struct segue_wc *wc, void *arg)
{
	struct perf_side *side = arg;

	if (wc->syndrome) {
		if (!side->seen.failed)
			(void)segue_wc_explain(wc, NULL, side->why, sizeof(side->why));
		side->seen.failed = true;
		return;
	}
	if (!segue_wc_is_receive(wc)) {
		side->seen.retired = wc->wr_id;
		return;
	}
	take_message(side, wc);
	segue_multi_channel_give_back(side->multi, wc);
}

/* The clock, the partner's life, and over UD whether something was lost. Seldom. */
static int look_around(struct perf_side *side, struct perf_wait *wait)
{
	const uint64_t now = perf_now();
	bool gone = false;
	int ret;

	if (!wait->deadline) {
		wait->deadline = perf_deadline(side);
		wait->again_ns = now + AGAIN_NS;
	}
	if (!segue_deadline_left_ms(wait->deadline)) {
		snprintf(side->why, sizeof(side->why),
			 "rank %u has not answered within %u s; --timeout SECONDS waits longer",
			 side->partner, side->plan.timeout_ms / 1000);
		return -ETIMEDOUT;
	}
	ret = segue_world_query_gone(side->world, side->partner, &gone, NULL);
	if (ret || gone)
		return ret ? ret : -ENOTCONN;
	return side->plan.over == SEGUE_TRANSPORT_UD && now >= wait->again_ns ? -EAGAIN : 0;
}

int perf_turn(struct perf_side *side, struct perf_wait *wait)
{
	const int ret = segue_multi_channel_poll_each(side->multi, 64, on_completion, side);

	if (ret < 0 || side->seen.failed)
		return ret < 0 ? ret : -EIO;
	if (ret) {
		memset(wait, 0, sizeof(*wait));
		return 0;
	}
	wait->spins++;
	if (wait->spins >= PATIENCE && wait->spins % POLITE == 0)
		sched_yield();
	return wait->spins % LOOK_AROUND ? 0 : look_around(side, wait);
}

static struct segue_seg_data data_at(const struct perf_side *side, const uint8_t *at,
				     uint32_t bytes)
{
	return (struct segue_seg_data){
		.byte_count = bytes, .lkey = segue_mr_lkey(side->mr).lkey, .addr = (uintptr_t)at};
}

static int post_send(struct perf_side *side, uint32_t imm, uint32_t flags, uint32_t bytes)
{
	const struct segue_seg_data data = data_at(side, side->out, bytes);
	const struct segue_peer_send_imm_args args = {
		.wr_id = side->posted + 1,
		.flags = flags,
		.imm = imm,
		.sges = &data,
		.sge_count = bytes != 0,
	};

	return segue_peer_send_imm(side->multi, side->partner, &args);
}

static int post_write(struct perf_side *side, uint32_t flags)
{
	const struct segue_seg_data data = data_at(side, side->out, side->row.bytes);
	const struct segue_peer_rdma_write_args args = {
		.wr_id = side->posted + 1,
		.flags = flags,
		.remote_addr = side->target.addr + side->block,
		.rkey = side->target.key.rkey,
		.sges = &data,
		.sge_count = 1,
	};

	return segue_peer_rdma_write(side->multi, side->partner, &args);
}

static int post_read(struct perf_side *side, uint32_t flags)
{
	const struct segue_seg_data data = data_at(side, side->in, side->row.bytes);
	const struct segue_peer_rdma_read_args args = {
		.wr_id = side->posted + 1,
		.flags = flags,
		.remote_addr = side->target.addr,
		.rkey = side->target.key.rkey,
		.sges = &data,
		.sge_count = 1,
	};

	return segue_peer_rdma_read(side->multi, side->partner, &args);
}

static int post_fetch_add(struct perf_side *side, uint32_t flags)
{
	const struct segue_peer_atomic_fa_args args = {
		.wr_id = side->posted + 1,
		.flags = flags,
		.remote_addr = side->target.addr + 2ull * side->block,
		.rkey = side->target.key.rkey,
		.swap_add = 1,
		.addr = (uintptr_t)side->original,
		.byte_count = PERF_WORD,
		.lkey = segue_mr_lkey(side->mr).lkey,
	};

	return segue_peer_atomic_fa(side->multi, side->partner, &args);
}

/* Each one finds what the one before has left. */
static int post_cmp_swap(struct perf_side *side, uint32_t flags)
{
	const struct segue_peer_atomic_cs_args args = {
		.wr_id = side->posted + 1,
		.flags = flags,
		.remote_addr = side->target.addr + 2ull * side->block,
		.rkey = side->target.key.rkey,
		.swap_add = side->atomics + 1,
		.compare = side->atomics,
		.addr = (uintptr_t)side->original,
		.byte_count = PERF_WORD,
		.lkey = segue_mr_lkey(side->mr).lkey,
	};

	return segue_peer_atomic_cs(side->multi, side->partner, &args);
}

static int post(struct perf_side *side, enum perf_op op, uint32_t imm, uint32_t flags,
		uint32_t bytes)
{
	switch (op) {
	case PERF_WRITE:
		return post_write(side, flags);
	case PERF_READ:
		return post_read(side, flags);
	case PERF_FETCH_ADD:
		return post_fetch_add(side, flags);
	case PERF_CMP_SWAP:
		return post_cmp_swap(side, flags);
	default:
		return post_send(side, imm, flags, bytes);
	}
}

/* Counts what was posted. A full queue, or a DC initiator that other channels have, is -EAGAIN. */
static int post_counted(struct perf_side *side, enum perf_op op, uint32_t imm, uint32_t flags,
			uint32_t bytes)
{
	const int ret = post(side, op, imm, flags, bytes);

	side->posted += ret == 0;
	side->atomics += ret == 0 && (op == PERF_FETCH_ADD || op == PERF_CMP_SWAP);
	return ret == -ENOSPC ? -EAGAIN : ret;
}

int perf_post(struct perf_side *side, enum perf_op op, uint32_t imm, bool signalled)
{
	return post_counted(side, op, imm, signalled ? SEGUE_SIGNALED : 0, side->row.bytes);
}

static int post_now(struct perf_side *side, enum perf_op op, uint32_t imm, uint32_t bytes)
{
	struct perf_wait wait = {0};
	int ret;

	while ((ret = post_counted(side, op, imm, SEGUE_SIGNALED, bytes)) == -EAGAIN) {
		ret = perf_turn(side, &wait);
		if (ret && ret != -EAGAIN)
			break;
	}
	return ret;
}

int perf_post_now(struct perf_side *side, enum perf_op op, uint32_t imm)
{
	return post_now(side, op, imm, side->row.bytes);
}

int perf_post_ack(struct perf_side *side, uint32_t imm)
{
	return post_now(side, PERF_SEND, imm, 0);
}

int perf_drain(struct perf_side *side)
{
	struct perf_wait wait = {0};
	int ret = 0;

	while (side->seen.retired != side->posted && (!ret || ret == -EAGAIN))
		ret = perf_turn(side, &wait);
	return ret == -EAGAIN ? 0 : ret;
}
