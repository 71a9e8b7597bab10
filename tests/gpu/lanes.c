/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads as lanes fill one queue, and a thread as the device reads it: a strict one, which looks
 * at the record only when the doorbell has changed, and checks each request that it reads.
 *
 *	lanes ring|collapsed FIRST REQUESTS [FAIL]
 *
 * Counters start at FIRST. Each lane posts REQUESTS requests of one or two blocks. With FAIL the
 * device answers the request at FIRST + FAIL with an error and flushes all later ones. Then the
 * queue is cleared, and everything is done once more. The last line says what was wrong.
 */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lane_pause(void);

#define SEGUE_GPU_PAUSE() lane_pause()
#include "segue/gpu/queue.h"

#define LANES	   8
#define BLOCKS	   32u
#define QPN	   0x1234u
#define IDLE_TURNS 200000u /* of a lane that waits while the device does nothing */
#define FLUSHED	   SEGUE_CQE_SYNDROME_WR_FLUSH_ERR
#define FAILURE	   SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR
#define VENDOR	   0x88

/* A cache line each: what the device reads, and what it writes. */
static uint8_t ring[BLOCKS * SEGUE_WQE_BLOCK_SIZE] __attribute__((aligned(64)));
static uint8_t entries[BLOCKS * SEGUE_CQE64_SIZE] __attribute__((aligned(64)));
static uint32_t record, entry_record;
static uint64_t reg;
static uint64_t executed; /* requests */
static bool stop, collapsed;
static uint64_t fail_at = UINT64_MAX; /* index of the request that fails */
static uint32_t requests;

static struct segue_gpu_queue queue;

__attribute__((noreturn)) static void wrong(const char *kind, const char *text, uint64_t index)
{
	printf("%s: %s (index %" PRIu64 ")\n", kind, text, index);
	fflush(stdout);
	_Exit(1);
}

static void lane_pause(void)
{
	static __thread uint64_t seen, turns;
	const uint64_t now = __atomic_load_n(&executed, __ATOMIC_RELAXED);

	turns = now == seen ? turns + 1 : 0;
	seen = now;
	if (turns == IDLE_TURNS)
		wrong("hang", "a lane waits, and the device has nothing to do", now);
	sched_yield();
}

/* What a request of that index has in its second unit, and in all behind it. */
static uint64_t mark(uint64_t index, uint32_t unit)
{
	return (index + 1) * UINT64_C(0x9e3779b97f4a7c15) + unit;
}

/* ---- the device ---- */

static void complete(uint64_t index, uint64_t entry, uint8_t syndrome)
{
	uint8_t *at = entries + (collapsed ? 0 : entry % BLOCKS) * SEGUE_CQE64_SIZE;
	uint32_t words[SEGUE_CQE64_SIZE / 4];
	struct segue_err_cqe cqe;
	uint32_t i;

	if (!collapsed) {
		const uint32_t free = segue_be32(__atomic_load_n(&entry_record, __ATOMIC_ACQUIRE));

		if (((entry - free) & 0xffffff) >= BLOCKS)
			wrong("overrun", "the completion queue is full", index);
	}
	memset(&cqe, 0, sizeof(cqe));
	cqe.qpn = QPN;
	cqe.syndrome = syndrome;
	cqe.vendor_err_synd = syndrome ? VENDOR : 0;
	cqe.opcode = syndrome ? SEGUE_CQE_OPCODE_REQ_ERR : SEGUE_CQE_OPCODE_REQ;
	cqe.wqe_counter = (uint16_t)index;
	cqe.owner = !!(entry & BLOCKS);
	segue_err_cqe_pack(words, &cqe);
	for (i = 0; i + 1 < SEGUE_CQE64_SIZE / 4; i++)
		__atomic_store_n((uint32_t *)(void *)at + i, words[i], __ATOMIC_RELAXED);
	__atomic_store_n((uint32_t *)(void *)at + i, words[i], __ATOMIC_RELEASE);
}

/* Reads the request and returns its blocks. */
static uint32_t execute(uint64_t index, bool *failed, uint64_t *entry)
{
	const uint8_t *first = ring + index % BLOCKS * SEGUE_WQE_BLOCK_SIZE;
	struct segue_seg_ctrl ctrl;
	uint32_t unit;

	if (!segue_seg_ctrl_unpack(&ctrl, first) || ctrl.opcode != SEGUE_OPCODE_RDMA_WRITE)
		wrong("unwritten", "no request stands in the block", index);
	if (ctrl.wqe_index != (uint16_t)index || ctrl.qpn != QPN)
		wrong("index", "the block holds another request", index);
	for (unit = 1; unit < ctrl.ds; unit++) {
		const uint64_t at = index * SEGUE_WQE_BLOCK_SIZE + unit * SEGUE_UNIT_SIZE;
		uint64_t word;

		memcpy(&word, ring + at % sizeof(ring), sizeof(word));
		if (word != mark(index, unit))
			wrong("torn", "a part of the request is another's", index);
	}
	if (!*failed && index >= fail_at) {
		*failed = true;
		fail_at = index;
		complete(index, (*entry)++, FAILURE);
	} else if (*failed) {
		complete(index, (*entry)++, FLUSHED);
	}
	if (!*failed && ctrl.ce == SEGUE_COMPLETION_MODE_ALWAYS)
		complete(index, (*entry)++, 0);
	__atomic_add_fetch(&executed, 1, __ATOMIC_RELAXED);
	return (ctrl.ds + 3u) / 4;
}

static void *device(void *arg)
{
	uint64_t at = *(uint64_t *)arg, entry = 0, rung = 0;
	bool failed = false;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		const uint64_t now = __atomic_load_n(&reg, __ATOMIC_ACQUIRE);
		struct segue_seg_ctrl bell;
		uint8_t image[SEGUE_SEG_CTRL_SIZE] = {0};
		uint16_t behind;

		if (now == rung) {
			sched_yield();
			continue;
		}
		rung = now;
		behind = (uint16_t)segue_be32(__atomic_load_n(&record, __ATOMIC_ACQUIRE));
		memcpy(image, &now, sizeof(now));
		(void)segue_seg_ctrl_unpack(&bell, image);
		if (bell.qpn != QPN || (uint16_t)(behind - bell.wqe_index) > BLOCKS)
			wrong("record", "the doorbell came before the record", at);
		if ((uint16_t)(behind - (uint16_t)at) > BLOCKS)
			wrong("record", "the record went back, or further than the ring", at);
		while ((uint16_t)at != behind)
			at += execute(at, &failed, &entry);
	}
	return NULL;
}

/* ---- lanes ---- */

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % below;
}

static int post(uint32_t blocks, bool signaled, enum segue_gpu_ring rings, uint64_t *at)
{
	const uint32_t count = blocks == 1 ? 3 : 7;
	struct segue_unit units[8];
	struct segue_seg_ctrl ctrl;
	uint32_t i;

	if (segue_gpu_reserve(&queue, blocks, SEGUE_GPU_ALL, at))
		return -EIO;
	memset(units, 0, sizeof(units));
	memset(&ctrl, 0, sizeof(ctrl));
	ctrl.opcode = SEGUE_OPCODE_RDMA_WRITE;
	ctrl.wqe_index = (uint16_t)*at;
	ctrl.qpn = QPN;
	ctrl.ds = (uint8_t)count;
	/* every fourth block at least: a ring never fills up with unsignaled requests */
	ctrl.ce = signaled || blocks > 1 || *at % 4 != 1 ? SEGUE_COMPLETION_MODE_ALWAYS : 0;
	segue_seg_ctrl_pack(units[0].bytes, &ctrl);
	for (i = 1; i < count; i++) {
		const uint64_t word = mark(*at, i);

		memcpy(units[i].bytes, &word, sizeof(word));
	}
	segue_gpu_put(&queue, *at, units, count);
	segue_gpu_publish(&queue, *at, blocks, rings, SEGUE_GPU_ALL);
	return 0;
}

/* As many requests; a failure is what the device was told to answer. */
static int lane_run(uint64_t seed)
{
	uint64_t at;
	uint32_t i;
	int ret;

	for (i = 0; i < requests; i++) {
		const bool waits = !draw(&seed, 8);
		bool done;

		if (post(1 + draw(&seed, 2), waits,
			 draw(&seed, 3) ? SEGUE_GPU_RING : SEGUE_GPU_SILENT, &at))
			return -EIO;
		if (!waits)
			continue;
		while (!(ret = segue_gpu_done(&queue, at, SEGUE_GPU_ALL, &done)) && !done &&
		       draw(&seed, 4))
			lane_pause();
		if (ret < 0 || segue_gpu_wait(&queue, at, SEGUE_GPU_ALL))
			return -EIO;
		if (__atomic_load_n(&executed, __ATOMIC_RELAXED) == 0)
			wrong("early", "a request is done that the device has not read", at);
	}
	return post(2, true, SEGUE_GPU_SILENT, &at) || segue_gpu_quiet(&queue, SEGUE_GPU_ALL) ? -EIO
											      : 0;
}

static void *lane(void *arg)
{
	return (void *)(intptr_t)lane_run((uint64_t)(uintptr_t)arg);
}

static void check_error(bool expected)
{
	struct segue_gpu_error error;
	const bool failed = segue_gpu_query_error(&queue, &error);

	if (failed != expected)
		wrong("error", "a failure was expected and not seen, or the reverse", executed);
	/* what is flushed overwrites the entry of a collapsed queue */
	if (failed && collapsed && error.syndrome == FLUSHED && error.index > fail_at)
		return;
	if (failed && (error.index != fail_at || error.qpn != QPN || error.syndrome != FAILURE ||
		       error.vendor_syndrome != VENDOR))
		wrong("error", "another request is named, or another syndrome", error.index);
}

/* All lanes from one state of the counters. Returns how many of them saw a failure. */
static uint32_t turn(uint64_t seed)
{
	pthread_t lanes[LANES], hardware;
	uint64_t first = queue.done;
	uint32_t failed = 0, i;
	void *ret;

	executed = reg = record = 0;
	stop = false;
	pthread_create(&hardware, NULL, device, &first);
	for (i = 0; i < LANES; i++)
		pthread_create(&lanes[i], NULL, lane, (void *)(uintptr_t)(seed + i));
	for (i = 0; i < LANES; i++) {
		pthread_join(lanes[i], &ret);
		failed += ret != NULL;
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(hardware, NULL);
	return failed;
}

static void clean(void)
{
	memset(entries, 0xff, sizeof(entries));
	entry_record = 0;
}

int main(int argc, char **argv)
{
	const char *seed_text = getenv("SEGUE_TEST_SEED");
	const uint64_t seed = seed_text ? strtoull(seed_text, NULL, 0) : 1;
	struct segue_gpu_error error;
	uint64_t first, at;
	uint32_t failed;

	if (argc < 4)
		return 2;
	printf("seed %" PRIu64 "\n", seed);
	collapsed = !strcmp(argv[1], "collapsed");
	first = strtoull(argv[2], NULL, 0);
	requests = (uint32_t)strtoul(argv[3], NULL, 0);
	queue.ring = ring;
	queue.blocks = BLOCKS;
	queue.qpn = QPN;
	queue.record = &record;
	queue.reg = &reg;
	queue.entries = entries;
	queue.entry_count = collapsed ? 0 : BLOCKS;
	queue.entry_size = SEGUE_CQE64_SIZE;
	queue.entry_record = collapsed ? NULL : &entry_record;
	queue.first = first;
	if (segue_gpu_init(&queue))
		wrong("init", "the queue was refused", 0);
	if (segue_gpu_reserve(&queue, BLOCKS + 1, SEGUE_GPU_ALL, &at) != -EMSGSIZE ||
	    segue_gpu_reserve(&queue, 0, SEGUE_GPU_ALL, &at) != -EMSGSIZE)
		wrong("init", "a reservation larger than the ring was not refused", 0);
	clean();
	if (segue_gpu_poll(&queue, SEGUE_GPU_ALL) || segue_gpu_query_error(&queue, &error))
		wrong("early", "an entry that was never written counts", first);
	if (argc > 4) {
		fail_at = first + strtoull(argv[4], NULL, 0);
		failed = turn(seed);
		if (failed != LANES)
			wrong("error", "lanes ended without a failure", failed);
		check_error(true);
		segue_gpu_clear(&queue);
		clean();
		fail_at = UINT64_MAX;
	}
	failed = turn(seed + LANES);
	if (failed)
		wrong("error", "lanes ended with a failure", failed);
	check_error(false);
	if (executed != (uint64_t)LANES * (requests + 1) || queue.done != queue.reserved)
		wrong("lost", "requests were not carried out", executed);
	printf("right: %" PRIu64 " requests, up to index %" PRIu64 "\n", executed, queue.done);
	return 0;
}
