// SPDX-License-Identifier: BSD-2-Clause
/*
 * Latency. WRITE and SEND go to the partner and back, and half of that is counted: a WRITE is
 * seen by its last byte, which is different in each round, a SEND by its completion. READ and
 * atomics are counted until their completion.
 */
#include <errno.h>
#include <string.h>

#include "tools/segue/perf/perf.h"

#define STAMPS 254u /* the last bytes of WRITEs: 1 to 254, in turn */

static uint8_t stamp_of(uint64_t round)
{
	return (uint8_t)(1 + round % STAMPS);
}

/* The last value of the partner's WRITE. */
static uint8_t look_at(const struct perf_side *side)
{
	return __atomic_load_n(&side->in[side->row.bytes - 1], __ATOMIC_ACQUIRE);
}

static int write_and_drain(struct perf_side *side, uint8_t stamp)
{
	int ret;

	side->out[side->row.bytes - 1] = stamp;
	ret = perf_post_now(side, PERF_WRITE, 0);
	return ret ? ret : perf_drain(side);
}

static int write_round(struct perf_side *side, uint8_t stamp)
{
	struct perf_wait wait = {0};
	uint64_t begin, end;
	int ret;

	side->out[side->row.bytes - 1] = stamp;
	begin = perf_now();
	ret = perf_post_now(side, PERF_WRITE, 0);
	while (!ret && look_at(side) != stamp)
		ret = perf_turn(side, &wait);
	end = perf_now();
	if (ret)
		return ret;
	times_add(&side->row.latency, (end - begin) / 2);
	/* Until its own completion has come, too, the message must stay as it is. */
	return perf_drain(side);
}

static int write_begin(struct perf_side *side)
{
	uint64_t round = 0;
	int ret = 0;

	while (!ret && perf_goes_on(side, round, perf_now()))
		ret = write_round(side, stamp_of(round++));
	return ret ? ret : write_and_drain(side, PERF_LAST_STAMP);
}

static int write_answer(struct perf_side *side)
{
	struct perf_wait wait = {0};
	uint64_t round = 0;
	uint8_t stamp;
	int ret = 0;

	while (!ret) {
		stamp = look_at(side);
		if (stamp == PERF_LAST_STAMP)
			return 0;
		if (stamp != stamp_of(round)) {
			ret = perf_turn(side, &wait);
			continue;
		}
		ret = write_and_drain(side, stamp);
		memset(&wait, 0, sizeof(wait));
		round++;
	}
	return ret;
}

/* Sends, until it is answered. */
static int send_round(struct perf_side *side, uint32_t imm, bool timed)
{
	struct perf_wait wait = {0};
	uint64_t begin, end;
	int ret;

	do {
		memset(&wait, 0, sizeof(wait));
		begin = perf_now();
		ret = perf_post_now(side, PERF_SEND, imm);
		while (!ret && side->seen.imm != imm)
			ret = perf_turn(side, &wait);
		end = perf_now();
		side->row.lost += ret == -EAGAIN;
	} while (ret == -EAGAIN);
	if (!ret && timed)
		times_add(&side->row.latency, (end - begin) / 2);
	return ret ? ret : perf_drain(side);
}

static int send_begin(struct perf_side *side)
{
	uint64_t round = 0;
	int ret = 0;

	while (!ret && perf_goes_on(side, round, perf_now()))
		ret = send_round(side, perf_imm(side, ++round), true);
	return ret ? ret : send_round(side, perf_imm(side, 0) | PERF_END, false);
}

static int send_answer(struct perf_side *side)
{
	struct perf_wait wait = {0};
	uint64_t answered = 0;
	int ret = 0;

	while (!side->seen.end && (!ret || ret == -EAGAIN)) {
		if (side->seen.messages == answered) {
			ret = perf_turn(side, &wait);
			continue;
		}
		answered = side->seen.messages;
		if (side->seen.end)
			break;
		ret = perf_post_now(side, PERF_SEND, side->seen.imm);
		if (!ret)
			ret = perf_drain(side);
	}
	if (ret && ret != -EAGAIN)
		return ret;
	ret = perf_post_now(side, PERF_SEND, perf_imm(side, 0) | PERF_END);
	return ret ? ret : perf_drain(side);
}

/* READ and atomics: the partner's processor has no part in them. */
static int one_sided(struct perf_side *side)
{
	const bool atomic = side->row.op != PERF_READ;
	uint64_t round = 0, begin, end;
	int ret = 0;

	while (!ret && perf_goes_on(side, round, perf_now())) {
		begin = perf_now();
		ret = perf_post_now(side, side->row.op, 0);
		if (!ret)
			ret = perf_drain(side);
		end = perf_now();
		if (ret)
			break;
		times_add(&side->row.latency, end - begin);
		if (atomic && *side->original != round)
			side->row.wrong += PERF_WORD;
		side->row.checked += atomic ? PERF_WORD : 0;
		round++;
	}
	return ret;
}

int perf_latency(struct perf_side *side)
{
	if (side->row.op == PERF_WRITE)
		return side->active ? write_begin(side) : write_answer(side);
	if (side->row.op == PERF_SEND)
		return side->active ? send_begin(side) : send_answer(side);
	return side->active ? one_sided(side) : 0;
}
