/* SPDX-License-Identifier: BSD-2-Clause */
/* What reaches a BlueFlame register that is ordinary memory: whole requests, or 8 bytes of them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/device/uar.h"
#include "runtime/ring/uar.h"
#include "segue/base.h"
#include "segue/gen/builders.h"

#define BLOCKS 16
#define HALF   256
#define EMPTY  0xee

struct queue {
	struct segue_rc_sq rc;
	struct segue_sq_slot slots[BLOCKS];
	uint32_t dbrec;
	_Alignas(64) uint8_t ring[BLOCKS * 64];
};

static _Alignas(512) uint8_t reg[2 * HALF];

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static void init(struct queue *queue, uint32_t qpn, struct seguei_uar *uar)
{
	struct segue_sq_init_options attr;

	memset(queue, 0, sizeof(*queue));
	memset(&attr, 0, sizeof(attr));
	attr.buf = queue->ring;
	attr.wqe_cnt = BLOCKS;
	attr.dbrec = &queue->dbrec;
	attr.bf_reg = reg;
	attr.bf_size = HALF;
	attr.uar = uar;
	attr.qpn = qpn;
	attr.slots = queue->slots;
	EXPECT(!segue_sq_init(&queue->rc.sq, &attr));
}

static void retire_all(struct queue *queue)
{
	uint64_t wr_id;

	while (segue_sq_oldest(&queue->rc.sq, &wr_id))
		segue_sq_drop_oldest(&queue->rc.sq);
}

static void post(struct queue *queue)
{
	EXPECT(!segue_post_blueflame(
		segue_sge(segue_raddr(segue_rdma_write(&queue->rc, 1, SEGUE_SIGNALED), 0x1000, 7),
			  0x2000, 8, 9)));
}

static void clear(void)
{
	memset(reg, EMPTY, sizeof(reg));
}

/* Bytes that were written to a half, from its start. */
static size_t written(unsigned int half)
{
	size_t n = HALF;

	while (n && reg[half * HALF + n - 1] == EMPTY)
		n--;
	return n;
}

/* Nothing behind the first 8 bytes, which another thread may be writing. */
static bool only_doorbells(unsigned int half)
{
	size_t n;

	for (n = 8; n < HALF && reg[half * HALF + n] == EMPTY; n++)
		;
	return n == HALF;
}

static uint32_t rung(const struct queue *queue)
{
	return segue_be32(queue->dbrec);
}

static void alone(void)
{
	struct queue queue;

	init(&queue, 1, NULL);
	clear();
	post(&queue);
	EXPECT(written(0) == 64 && written(1) == 0 && !memcmp(reg, queue.ring, 64));
	post(&queue);
	EXPECT(written(1) == 64 && !memcmp(reg + HALF, queue.ring + 64, 64));
	EXPECT(rung(&queue) == 2);
}

/* A copy stands for the next request of the queue; those before it would be passed over. */
static void behind_what_is_not_rung(void)
{
	struct queue queue;
	int i;

	init(&queue, 1, NULL);
	for (i = 0; i < 40; i++) {
		clear();
		EXPECT(!segue_commit(segue_nop(&queue.rc, 1, 0)));
		post(&queue);
		EXPECT(written(0) + written(1) == 8);
		EXPECT(rung(&queue) == (uint32_t)(4 * i + 2));
		clear();
		EXPECT(!segue_commit(segue_nop(&queue.rc, 1, 0)));
		segue_ring_doorbell(&queue.rc);
		clear();
		post(&queue);
		EXPECT(written(0) + written(1) == 64);
		retire_all(&queue);
	}
}

/* All queues of a thread domain copy, and take turns with the halves. */
static void of_one_thread(void)
{
	struct seguei_uar *uar = seguei_uar_join(reg, true);
	struct queue queues[2];
	unsigned int i;

	EXPECT(seguei_uar_join(reg, true) == uar);
	for (i = 0; i < 2; i++)
		init(&queues[i], i + 1, uar);
	for (i = 0; i < 6; i++) {
		clear();
		post(&queues[i / 2 % 2]);
		EXPECT(written(i % 2) == 64 && written(1 - i % 2) == 0);
	}
	seguei_uar_leave(uar);
	seguei_uar_leave(uar);
}

struct poster {
	struct queue queue;
	atomic_bool ended;
	atomic_uint posts;
};

static void *keep_posting(void *arg)
{
	struct poster *poster = arg;

	while (!atomic_load(&poster->ended)) {
		post(&poster->queue);
		retire_all(&poster->queue);
		atomic_fetch_add(&poster->posts, 1);
	}
	return NULL;
}

/* While one queue copies, another joins: from then on there are 8 bytes only, until it has left
 * again. */
static void of_two_threads(void)
{
	struct seguei_uar *uar = seguei_uar_join(reg, false);
	struct poster poster;
	pthread_t thread;
	unsigned int round;

	memset(&poster, 0, sizeof(poster));
	init(&poster.queue, 1, uar);
	clear();
	post(&poster.queue);
	EXPECT(written(0) == 64);
	retire_all(&poster.queue);
	EXPECT(!pthread_create(&thread, NULL, keep_posting, &poster));
	for (round = 0; round < 200; round++) {
		unsigned int posts;

		EXPECT(seguei_uar_join(reg, false) == uar);
		memset(reg + 8, EMPTY, HALF - 8);
		memset(reg + HALF + 8, EMPTY, HALF - 8);
		posts = atomic_load(&poster.posts);
		while (atomic_load(&poster.posts) - posts < 3)
			;
		EXPECT(only_doorbells(0) && only_doorbells(1));
		seguei_uar_leave(uar);
	}
	atomic_store(&poster.ended, true);
	EXPECT(!pthread_join(thread, NULL));
	clear();
	post(&poster.queue);
	EXPECT(written(0) + written(1) == 64);
	seguei_uar_leave(uar);
}

int main(void)
{
	alone();
	behind_what_is_not_rung();
	of_one_thread();
	of_two_threads();
	return 0;
}
