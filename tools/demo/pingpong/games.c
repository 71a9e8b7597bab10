/* SPDX-License-Identifier: BSD-2-Clause */
/* The games of the ping-pong demo: round trips, and a stream of messages. */
#define _GNU_SOURCE
#include "games.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "pattern.h"
#include "segue/base.h"
#include "segue/gen/builders.h"

#define BATCH	   16u	      /* WRITEs of a stream per doorbell */
#define STAMP_SIZE 4u	      /* bytes at both ends of a timed message: its round */
#define BUDGET	   4096u      /* bytes. Larger messages get fewer rounds */
#define ROUNDS_MIN 16u	      /* but at least so many */
#define PATIENCE   1024u      /* empty polls between two reads of the clock */
#define POLITE	   64u	      /* empty polls before the processor is yielded */
#define CALLER	   (1u << 31) /* in a seed: the speaker */

/* Completions that have come in. */
struct arrivals {
	uint32_t messages;
	uint32_t sent; /* own signaled requests that completed */
	uint32_t imm;
	uint32_t length;
	uint8_t *buffer;
	struct segue_wc failed;
	bool has_failed;
};

/* Inlined into the loop of segue_cq_poll_each(), so there is no call. */
static void on_completion(const struct segue_wc *wc, void *arg)
{
	struct arrivals *in = arg;

	if (wc->syndrome) {
		if (!in->has_failed)
			in->failed = *wc; /* later ones are flushed */
		in->has_failed = true;
	} else if (wc->opcode == SEGUE_CQE_OPCODE_REQ) {
		in->sent++;
	} else {
		in->messages++;
		in->imm = wc->imm;
		in->length = wc->byte_len;
		in->buffer = (uint8_t *)(uintptr_t)wc->wr_id;
	}
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Polls until a counter of `in` has reached its target. */
static int wait_for(struct side *side, struct arrivals *in, const uint32_t *counter,
		    uint32_t target)
{
	const segue_deadline deadline = side_deadline(side);
	uint32_t idle = 0;
	int ret;

	while ((int32_t)(*counter - target) < 0) {
		ret = segue_cq_poll_each(side->cq, BATCH, on_completion, in);
		if (ret < 0)
			return ret;
		if (in->has_failed) {
			segue_qp_explain(side->qp, &in->failed, side->why, sizeof(side->why));
			return -EIO;
		}
		if (!ret && ++idle % POLITE == 0)
			sched_yield();
		if (ret || idle % PATIENCE || segue_deadline_left_ms(deadline))
			continue;
		snprintf(side->why, sizeof(side->why),
			 "nothing came from the peer within %u ms; is it alive?",
			 side->choice.timeout_ms);
		return -ETIMEDOUT;
	}
	return 0;
}

/* Posts one message of the outbox. */
static int post(struct side *side, const struct set *set, uint32_t imm)
{
	const struct segue_local_buf *from = &side->outbox;
	const struct segue_remote_buf *to = &side->target;
	struct segue_rc_sq *sq = side->sq;

	if (set->kind == KIND_SEND)
		return segue_post(segue_inline_data(segue_send(sq, 0, 0), side->memory, set->size));
	return segue_post(
		segue_sge(segue_raddr(segue_rdma_write_imm(sq, 0, 0, imm), to->addr, to->key.rkey),
			  from->addr, set->size, from->key.lkey));
}

/* No two messages of a game have the same content. */
static uint64_t seed(const struct set *set, uint32_t round, bool caller)
{
	return ((uint64_t)set->kind << 56) ^ ((uint64_t)set->size << 32) ^ round ^
	       (caller ? CALLER : 0);
}

static bool proven(const struct set *set, uint32_t round)
{
	return round < PROOFS || round >= PROOFS + set->count || set->kind == KIND_STREAM;
}

static void write_message(struct side *side, const struct set *set, uint32_t round, bool caller)
{
	uint8_t *out = side->memory;

	if (proven(set, round)) {
		pattern_fill(out, set->size, seed(set, round, caller));
		if (side->choice.corrupt && caller && round == 0)
			out[set->size / 2] ^= 0x10;
		return;
	}
	segue_put_be32(out, round);
	segue_put_be32(out + set->size - STAMP_SIZE, round);
}

/* Offset of the first wrong byte, or -1. */
static int64_t check_bytes(const struct set *set, uint32_t round, bool caller, const uint8_t *bytes)
{
	const uint32_t last = set->size - STAMP_SIZE;

	if (proven(set, round))
		return pattern_check(bytes, set->size, seed(set, round, caller));
	if (segue_get_be32(bytes) != round)
		return 0;
	return segue_get_be32(bytes + last) == round ? -1 : (int64_t)last;
}

/* Checks a message that came from the caller, or from the other side. */
static void check_message(struct side *side, const struct set *set, uint32_t round, bool caller,
			  const struct arrivals *in)
{
	const bool send = set->kind == KIND_SEND;
	const int64_t at = check_bytes(set, round, caller, send ? in->buffer : side->inbox);

	side->checked++;
	if (at < 0 && in->length == set->size && (send || in->imm == round))
		return;
	if (side->wrong++ == 0)
		fprintf(stderr,
			"pingpong: message %u of %u bytes is wrong: byte %" PRId64 ", length %u, "
			"immediate %u\n",
			round, set->size, at, in->length, in->imm);
}

/* Waits for a message, checks it, and gives its receive back. */
static int take_message(struct side *side, const struct set *set, uint32_t round, bool caller,
			uint64_t *when)
{
	struct arrivals in = {0};
	int ret;

	ret = wait_for(side, &in, &in.messages, 1);
	if (ret)
		return ret;
	if (when)
		*when = now_ns();
	check_message(side, set, round, caller, &in);
	segue_pool_push(side->receives, in.buffer);
	segue_pool_post_rq(side->receives, side->rq, UINT32_MAX);
	return 0;
}

static int round_trip(struct side *side, const struct set *set, uint32_t round, uint64_t *time)
{
	uint64_t begin, end;
	int ret;

	write_message(side, set, round, true);
	begin = now_ns();
	ret = post(side, set, round);
	if (!ret)
		ret = take_message(side, set, round, false, &end);
	if (!ret && time)
		*time = end - begin;
	return ret;
}

/* Batches of WRITEs with one doorbell and one completion each, two batches ahead of the device. */
static int stream(struct side *side, const struct set *set, uint64_t *time)
{
	const struct segue_local_buf *from = &side->outbox;
	const struct segue_remote_buf *to = &side->target;
	const uint64_t begin = now_ns();
	struct arrivals in = {0};
	uint32_t i;
	int ret = 0;

	for (i = 1; i <= set->count && !ret; i++) {
		const bool last = i % BATCH == 0 || i == set->count;

		ret = segue_commit(segue_sge(
			segue_raddr(segue_rdma_write(side->sq, 0, last ? SEGUE_SIGNALED : 0),
				    to->addr, to->key.rkey),
			from->addr, set->size, from->key.lkey));
		if (ret || !last)
			continue;
		segue_ring_doorbell(side->sq);
		if (i > BATCH)
			ret = wait_for(side, &in, &in.sent, (i - 1) / BATCH);
	}
	if (!ret)
		ret = wait_for(side, &in, &in.sent, (set->count + BATCH - 1) / BATCH);
	*time = now_ns() - begin;
	return ret;
}

uint32_t play_count(const struct side *side, uint32_t size)
{
	const uint64_t count = size > BUDGET ? (uint64_t)side->rounds * BUDGET / size
					     : side->rounds;

	if (count >= ROUNDS_MIN)
		return (uint32_t)count;
	return side->rounds < ROUNDS_MIN ? side->rounds : ROUNDS_MIN;
}

int play_call(struct side *side, const struct set *set, uint64_t *times)
{
	const uint32_t rounds = set->kind == KIND_STREAM ? 1 : set->count + 2 * PROOFS;
	uint32_t i;
	int ret = 0;

	if (set->kind == KIND_STREAM) {
		write_message(side, set, 0, true);
		ret = stream(side, set, times);
	}
	for (i = 0; i < rounds && !ret; i++)
		ret = round_trip(side, set, i, proven(set, i) ? NULL : &times[i - PROOFS]);
	return ret;
}

int play_answer(struct side *side, const struct set *set)
{
	const uint32_t rounds = set->kind == KIND_STREAM ? 1 : set->count + 2 * PROOFS;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < rounds && !ret; i++) {
		/*
		 * The outbox is free, because this message means that the answer before has
		 * arrived.
		 */
		ret = take_message(side, set, i, true, NULL);
		if (ret)
			break;
		write_message(side, set, i, false);
		ret = post(side, set, i);
	}
	return ret;
}

int play_mistake(struct side *side, char *sentence, size_t size)
{
	const uint32_t never_given_out = side->target.key.rkey ^ 0x55;
	struct arrivals in = {0};
	int ret;

	ret = segue_post(segue_sge(segue_raddr(segue_rdma_write(side->sq, 1, SEGUE_SIGNALED),
					       side->target.addr, never_given_out),
				   side->outbox.addr, PATTERN_MIN, side->outbox.key.lkey));
	if (!ret)
		ret = wait_for(side, &in, &in.sent, 1);
	if (ret && !in.has_failed)
		return ret;
	if (in.failed.syndrome != SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR) {
		snprintf(side->why, sizeof(side->why),
			 "the write with a wrong rkey ended with syndrome 0x%02x, not as it must",
			 in.failed.syndrome);
		return -EPROTO;
	}
	snprintf(sentence, size, "%s", side->why);
	return 0;
}
