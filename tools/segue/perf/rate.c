// SPDX-License-Identifier: BSD-2-Clause
/*
 * Rate: requests one behind the other, each with a doorbell of its own, `depth` at most under way.
 * A receiver of SENDs acknowledges them now and then, so that its buffers are never used up: no
 * connection has to try again, and no datagram is dropped for want of a buffer.
 */
#include <errno.h>
#include <string.h>

#include "tools/segue/perf/perf.h"

#define SIGNAL_EACH 16u /* requests, or a quarter of the depth */
#define CLOCK_EACH  64u /* requests between two looks at the clock */

/* True at the end by the count, or by the clock, which is read now and then. */
static bool more(struct perf_side *side, uint64_t done)
{
	return done % CLOCK_EACH || perf_goes_on(side, done + 1, perf_now());
}

static bool signalled(const struct perf_side *side, uint64_t done)
{
	const uint32_t each = side->plan.depth / 4 < SIGNAL_EACH ? side->plan.depth / 4
								 : SIGNAL_EACH;

	return each < 2 || done % each == each - 1;
}

static bool last_one(const struct perf_side *side, uint64_t done)
{
	return !side->plan.seconds && done + 1 >= side->planned;
}

/* Posts one more if there is room, else polls. */
static int one_more(struct perf_side *side, struct perf_wait *wait, uint32_t imm, uint64_t *done)
{
	int ret = -EAGAIN;

	if (side->posted - side->seen.retired < side->plan.depth)
		ret = perf_post(side, side->row.op, imm, signalled(side, *done));
	if (ret == -EAGAIN)
		return perf_turn(side, wait);
	*done += ret == 0;
	return ret;
}

static int one_sided(struct perf_side *side, uint64_t *done)
{
	struct perf_wait wait = {0};
	int ret = 0;

	while (!ret && more(side, *done) && !last_one(side, *done))
		ret = one_more(side, &wait, 0, done);
	if (!ret)
		ret = perf_post_now(side, side->row.op, 0);
	*done += 1;
	return ret ? ret : perf_drain(side);
}

/* The last message goes until it is acknowledged. */
static int send_last(struct perf_side *side)
{
	struct perf_wait wait;
	int ret;

	do {
		memset(&wait, 0, sizeof(wait));
		ret = perf_post_now(side, PERF_SEND, perf_imm(side, 0) | PERF_END);
		while (!ret && !side->seen.end)
			ret = perf_turn(side, &wait);
	} while (ret == -EAGAIN);
	return ret ? ret : perf_drain(side);
}

static int send_many(struct perf_side *side, uint64_t *done)
{
	const uint32_t window = side->receives / 2;
	struct perf_wait wait = {0};
	uint32_t acknowledged = 0, seen = 0;
	int ret = 0;

	while (!ret && more(side, *done) && !last_one(side, *done)) {
		if (side->seen.imm != seen) {
			seen = side->seen.imm;
			acknowledged = seen & PERF_SEQ;
		}
		if ((((uint32_t)*done - acknowledged) & PERF_SEQ) < window) {
			ret = one_more(side, &wait, perf_imm(side, *done + 1), done);
		} else {
			ret = perf_turn(side, &wait);
			/* An acknowledgement, or all that it would be for, is lost. */
			if (ret == -EAGAIN)
				acknowledged = (uint32_t)*done & PERF_SEQ;
		}
		if (ret == -EAGAIN)
			ret = 0;
	}
	*done += 1;
	return ret ? ret : send_last(side);
}

static int receive_many(struct perf_side *side)
{
	const uint32_t each = side->receives / 8;
	struct perf_wait wait = {0};
	uint32_t acknowledged = 0;
	int ret = 0;

	while (!side->seen.end && (!ret || ret == -EAGAIN)) {
		const uint32_t number = side->seen.imm & PERF_SEQ;

		if (side->seen.messages && ((number - acknowledged) & PERF_SEQ) >= each) {
			ret = perf_post_ack(side, perf_imm(side, number));
			acknowledged = number;
		} else {
			ret = perf_turn(side, &wait);
		}
	}
	if (ret && ret != -EAGAIN)
		return ret;
	side->row.messages = side->seen.messages;
	ret = perf_post_ack(side, perf_imm(side, 0) | PERF_END);
	return ret ? ret : perf_drain(side);
}

int perf_rate(struct perf_side *side)
{
	uint64_t done = 0, begin;
	int ret;

	if (!side->active)
		return side->row.op == PERF_SEND ? receive_many(side) : 0;
	begin = perf_now();
	ret = side->row.op == PERF_SEND ? send_many(side, &done) : one_sided(side, &done);
	side->row.ns = perf_now() - begin;
	side->row.messages = done;
	return ret;
}
