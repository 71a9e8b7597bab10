// SPDX-License-Identifier: BSD-2-Clause
/* A row: both measurements of an operation with a size, by all pairs at once, and the check of the
 * data. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "tools/segue/perf/perf.h"

#define LONG	   65536u /* bytes: longer messages are fewer */
#define FEW	   16u
#define CHECKED	   2u /* messages of a measurement that are compared whole, and the last one */
#define ROW_MAX_MS 86400000u
#define LINGER_MS  20

/* Message of each rank to all others about a row: counts, and its times. */
enum { COUNT_MESSAGES, COUNT_NS, COUNT_LOST, COUNT_ATOMICS, COUNTS };
#define TOLD (COUNTS * 8 + TIMES_WIRE_SIZE)

uint64_t perf_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void report(const struct perf_side *side, uint64_t done, uint64_t now)
{
	const bool terminal = isatty(STDERR_FILENO);
	const uint64_t seconds = (now - side->begun_ns) / 1000000000u;
	const uint64_t percent = side->plan.seconds
					 ? seconds * 100 / side->plan.seconds
					 : done * 100 / (side->planned ? side->planned : 1);

	fprintf(stderr, "%ssegue: %s, %u bytes, %s: %llu s, %llu messages, %llu %%%s",
		terminal ? "\r" : "", perf_op_name(side->row.op), side->row.bytes, side->measure,
		(unsigned long long)seconds, (unsigned long long)done,
		(unsigned long long)(percent > 100 ? 100 : percent), terminal ? "\033[K" : "\n");
}

bool perf_goes_on(struct perf_side *side, uint64_t done, uint64_t now)
{
	if (side->choice.progress_s && side->rank == side->lead && now >= side->report_ns) {
		report(side, done, now);
		side->report_ns = now + side->choice.progress_s * 1000000000ull;
	}
	if (side->plan.seconds)
		return now - side->begun_ns < side->plan.seconds * 1000000000ull;
	return done < side->planned;
}

static void prepare(struct perf_side *side, enum perf_op op, uint32_t bytes)
{
	const uint64_t fewer = (uint64_t)side->plan.count * LONG / bytes;

	memset(&side->row, 0, sizeof(side->row));
	side->row.op = op;
	side->row.bytes = bytes;
	side->rows++;
	side->planned = bytes <= LONG ? side->plan.count : fewer > FEW ? fewer : FEW;
	if (side->planned > side->plan.count)
		side->planned = side->plan.count;
	perf_fill(side->out, bytes, perf_seed(side, true));
	if (side->plan.corrupt && side->rows == 1)
		side->out[bytes / 2] ^= 0x10;
	memset(side->in, 0, bytes);
	*side->word = 0;
	*side->original = UINT64_MAX;
	side->atomics = 0;
}

/*
 * Datagrams may be lost, the answer to the last one among them. The side that has answered it stays
 * until its partner reports, over the world, that it needs no more.
 */
static int linger(struct perf_side *side)
{
	struct segue_world_value value = {.data = NULL};
	uint64_t answered = side->seen.messages;
	char key[32];
	int ret;

	snprintf(key, sizeof(key), "done.%u.%u", side->rows, side->tag);
	if (side->active)
		return segue_world_put(side->world, key, "", 0);
	do {
		struct perf_wait wait = {0};

		ret = perf_turn(side, &wait);
		if (!ret && side->seen.messages != answered) {
			answered = side->seen.messages;
			ret = perf_post_ack(side, perf_imm(side, 0) | PERF_END);
		}
		if (!ret)
			ret = segue_world_get(side->world, side->partner, key,
					      segue_deadline_in_ms(LINGER_MS), &value);
	} while (ret == -ETIMEDOUT);
	return ret;
}

static int measure(struct perf_side *side, const char *name, int (*run)(struct perf_side *side))
{
	const uint64_t retired = side->seen.retired;
	int ret;

	side->measure = name;
	side->tag = side->tag % (PERF_TAGS - 1) + 1;
	side->to_check = CHECKED;
	memset(&side->seen, 0, sizeof(side->seen));
	side->seen.retired = retired;
	ret = segue_world_fence(side->world, segue_deadline_in_ms(ROW_MAX_MS));
	if (ret)
		return ret;
	side->begun_ns = perf_now();
	side->report_ns = side->begun_ns + side->choice.progress_s * 1000000000ull;
	ret = run(side);
	if (!ret && side->plan.over == SEGUE_TRANSPORT_UD)
		ret = linger(side);
	return ret;
}

/* Checks what has arrived here by WRITE, READ and atomics. `expected`: atomics of the partner. */
static void check(struct perf_side *side, uint64_t expected)
{
	struct perf_row *row = &side->row;
	const bool stamped = row->op == PERF_WRITE && side->plan.latency;
	const bool written = row->op == PERF_WRITE && (!side->active || side->plan.latency);

	if (written || (row->op == PERF_READ && side->active)) {
		row->checked += row->bytes - stamped;
		row->wrong += perf_wrong(side->in, row->bytes - stamped, perf_seed(side, false));
	}
	if (stamped && !side->active) {
		row->checked++;
		row->wrong += side->in[row->bytes - 1] != PERF_LAST_STAMP;
	}
	if ((row->op == PERF_FETCH_ADD || row->op == PERF_CMP_SWAP) && !side->active) {
		row->checked += PERF_WORD;
		row->wrong += *side->word == expected ? 0 : PERF_WORD;
	}
}

/* Adds the message of one rank. */
static void add(struct perf_row *all, const uint8_t *told, bool active)
{
	static struct perf_times times; /* 18 KiB */
	const uint64_t messages = segue_get_be64(told + COUNT_MESSAGES * 8);
	const uint64_t ns = segue_get_be64(told + COUNT_NS * 8);

	times_read(&times, told + COUNTS * 8);
	times_merge(&all->latency, &times);
	all->lost += segue_get_be64(told + COUNT_LOST * 8);
	if (!active)
		return;
	all->messages += messages;
	all->per_second += ns ? (double)messages * 1e9 / (double)ns : 0;
	all->ns = all->ns > ns ? all->ns : ns;
}

static bool is_active(const struct perf_side *side, uint32_t rank)
{
	return (rank < side->size / 2) == (side->lead < side->size / 2);
}

static int tell(struct perf_side *side, uint8_t *mine, uint8_t *all)
{
	struct perf_row *row = &side->row;
	uint64_t sent = 0, arrived = 0;
	uint32_t rank;
	int ret;

	segue_put_be64(mine + COUNT_MESSAGES * 8, row->messages);
	segue_put_be64(mine + COUNT_NS * 8, row->ns);
	segue_put_be64(mine + COUNT_LOST * 8, row->lost);
	segue_put_be64(mine + COUNT_ATOMICS * 8, side->atomics);
	times_write(&row->latency, mine + COUNTS * 8);
	ret = segue_world_allgather(side->world, mine, TOLD, segue_deadline_in_ms(ROW_MAX_MS), all);
	if (ret)
		return ret;
	check(side, segue_get_be64(all + (size_t)side->partner * TOLD + COUNT_ATOMICS * 8));
	memset(&row->latency, 0, sizeof(row->latency));
	row->messages = row->ns = row->lost = 0;
	for (rank = 0; rank < side->size; rank++) {
		const uint8_t *told = all + (size_t)rank * TOLD;
		const bool active = is_active(side, rank);

		add(row, told, active);
		*(active ? &sent : &arrived) += segue_get_be64(told + COUNT_MESSAGES * 8);
	}
	if (row->op == PERF_SEND && sent > arrived)
		row->lost += sent - arrived;
	return 0;
}

static int sum_up(struct perf_side *side, uint8_t *all)
{
	uint8_t mine[16];
	uint32_t rank;
	int ret;

	segue_put_be64(mine, side->row.checked);
	segue_put_be64(mine + 8, side->row.wrong);
	ret = segue_world_allgather(side->world, mine, sizeof(mine), perf_deadline(side), all);
	side->row.checked = side->row.wrong = 0;
	for (rank = 0; rank < side->size && !ret; rank++) {
		side->row.checked += segue_get_be64(all + rank * sizeof(mine));
		side->row.wrong += segue_get_be64(all + rank * sizeof(mine) + 8);
	}
	return ret;
}

int perf_run_row(struct perf_side *side, enum perf_op op, uint32_t bytes)
{
	uint8_t *all = malloc((size_t)(side->size + 1) * TOLD);
	int ret = all ? 0 : -ENOMEM;

	prepare(side, op, bytes);
	if (!ret && side->plan.latency)
		ret = measure(side, "latency", perf_latency);
	if (!ret && side->plan.rate)
		ret = measure(side, "rate", perf_rate);
	if (!ret)
		ret = tell(side, all + (size_t)side->size * TOLD, all);
	if (!ret)
		ret = sum_up(side, all);
	free(all);
	if (side->choice.progress_s && side->rank == side->lead && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	return ret;
}
