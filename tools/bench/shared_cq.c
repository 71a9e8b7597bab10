/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cost of a completion on a completion queue of many queue pairs, with completions in random order.
 *
 * shared_cq QUEUE_PAIRS AT_A_TIME [QUEUE_PAIRS AT_A_TIME]... prints how many completions it has
 * polled of each within measured(), for an instrument that counts there up to counted(). Rings are
 * plain memory and entries are written by hand, so it runs without any device.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/gen/builders.h"

#define ENTRIES	 4096u
#define ROUNDS	 2048u
#define POLLED	 16u /* completions per round, limited by one queue pair's room */
#define BLOCKS	 32u
#define FIRST                                                                              \
	0x1234u /* number of the first queue pair; the others follow, as devices give them \
		 */
#define MOST	 65536u
#define MULTIPLE 6364136223846793005u /* of a linear congruential generator, Knuth's */

struct peer {
	struct segue_rc_sq sq;
	struct segue_sq_slot slots[BLOCKS];
	uint32_t dbrec;
};

static struct {
	_Alignas(64) uint8_t cqes[ENTRIES * SEGUE_CQE_SIZE];
	_Alignas(64) uint8_t ring[BLOCKS * 64]; /* all queues build there, because it is never
						   read */
	uint64_t uar[8];
	uint32_t dbrec[2];
	struct segue_cq cq;
	uint32_t pi; /* entries written */
} memory;

static uint64_t total; /* so that nothing is optimised away */

__attribute__((noreturn)) static void die(const char *what)
{
	fprintf(stderr, "shared_cq: %s: %s\n", what, segue_errmsg());
	exit(1);
}

static uint64_t state;

static uint32_t dice(uint32_t below)
{
	state = state * MULTIPLE + 1;
	return (uint32_t)((state >> 32) * below >> 32);
}

static void open_cq(void)
{
	const struct segue_cq_init_options attr = {.buf = memory.cqes,
						   .cqe_cnt = ENTRIES,
						   .cqe_size = SEGUE_CQE_SIZE,
						   .dbrec = memory.dbrec};

	memset(&memory, 0, sizeof(memory));
	state = 1;
	memset(memory.cqes, SEGUE_CQE_OPCODE_INVALID << 4, sizeof(memory.cqes));
	if (segue_cq_init(&memory.cq, &attr))
		die("completion queue");
}

static void open_peer(struct peer *peer, uint32_t number)
{
	const struct segue_sq_init_options attr = {.buf = memory.ring,
						   .wqe_cnt = BLOCKS,
						   .max_wqe_units = 8,
						   .dbrec = &peer->dbrec,
						   .bf_reg = memory.uar,
						   .qpn = number,
						   .slots = peer->slots};
	const struct segue_cq_queue queue = {.number = number, .sq = &peer->sq.sq};

	if (segue_sq_init(&peer->sq.sq, &attr) || segue_cq_attach(&memory.cq, &queue))
		die("queue pair");
}

/* Completes a new request of a queue pair. */
static void post_and_complete(struct peer *peer)
{
	const struct segue_cqe64 cqe = {.opcode = SEGUE_CQE_OPCODE_REQ,
					.qpn = peer->sq.sq.qpn,
					.wqe_counter = (uint16_t)peer->sq.sq.pi,
					.owner = (uint8_t)(memory.pi / ENTRIES & 1)};

	if (segue_post(segue_nop(&peer->sq, 1, SEGUE_SIGNALED)))
		die("post");
	segue_cqe64_pack(memory.cqes + memory.pi++ % ENTRIES * SEGUE_CQE_SIZE, &cqe);
}

static void sum(const struct segue_wc *wc, void *arg)
{
	*(uint64_t *)arg += wc->wr_id + wc->syndrome;
}

static int poll_once(int at_a_time)
{
	return segue_cq_poll_each(&memory.cq, at_a_time, sum, &total);
}

/* The place that an instrument counts in. */
__attribute__((noinline)) static void measured(int at_a_time)
{
	for (uint32_t i = 0; i < POLLED; i += (uint32_t)at_a_time)
		if (poll_once(at_a_time) != at_a_time)
			die("another number of completions than were written");
}

/* The instrument records the counts since the last call here. */
__attribute__((noinline)) static void counted(void)
{
	__asm__ volatile("");
}

static void one_round(struct peer *peers, uint32_t count, int at_a_time)
{
	for (uint32_t i = 0; i < POLLED; i++)
		post_and_complete(&peers[dice(count)]);
	measured(at_a_time);
}

static void measure(uint32_t count, int at_a_time)
{
	struct peer *peers = calloc(count, sizeof(*peers));

	open_cq();
	if (!peers)
		die("memory");
	for (uint32_t i = 0; i < count; i++)
		open_peer(&peers[i], FIRST + i);
	for (uint32_t i = 0; i < ROUNDS; i++)
		one_round(peers, count, at_a_time);
	counted();
	printf("%" PRIu32 " %d %" PRIu32 "\n", count, at_a_time, ROUNDS * POLLED);
	segue_cq_fini(&memory.cq);
	free(peers);
}

static bool is_usable(const char *queue_pairs, const char *at_a_time)
{
	const unsigned long count = strtoul(queue_pairs, NULL, 10),
			    each = strtoul(at_a_time, NULL, 10);

	return count >= 1 && count <= MOST && each >= 1 && POLLED % each == 0;
}

int main(int argc, char **argv)
{
	bool usable = argc >= 3 && argc % 2;

	for (int i = 1; usable && i < argc; i += 2)
		usable = is_usable(argv[i], argv[i + 1]);
	if (!usable) {
		fprintf(stderr,
			"usage: shared_cq QUEUE_PAIRS AT_A_TIME (1 to %u; a divisor of %u) [...]\n",
			MOST, POLLED);
		return 2;
	}
	for (int i = 1; i < argc; i += 2)
		measure((uint32_t)strtoul(argv[i], NULL, 10), atoi(argv[i + 1]));
	return 0;
}
