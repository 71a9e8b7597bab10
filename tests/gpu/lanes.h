/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lanes that fill one queue, and the device that reads it: a strict one, which looks at the record
 * only when the doorbell has changed, and checks each request that it reads. Lanes are threads, or
 * those of a GPU (on_gpu.cu), where all of this lies in memory that both reach.
 */
#ifndef SEGUE_TESTS_GPU_LANES_H
#define SEGUE_TESTS_GPU_LANES_H

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/gpu/flag.h"
#include "segue/gpu/queue.h"

#ifndef LANES_DEVICE_PAUSE
#define LANES_DEVICE_PAUSE() ((void)sched_yield())
#endif

#define BLOCKS	32u
#define QPN	0x1234u
#define FLUSHED SEGUE_CQE_SYNDROME_WR_FLUSH_ERR
#define FAILURE SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR
#define VENDOR	0x88
#define NOWHERE UINT64_MAX

/* Cache lines each: what the device reads, and what it writes. */
struct lanes {
	uint8_t ring[BLOCKS * SEGUE_WQE_BLOCK_SIZE] __attribute__((aligned(64)));
	uint8_t entries[BLOCKS * SEGUE_CQE64_SIZE] __attribute__((aligned(64)));
	uint32_t record, entry_record;
	uint64_t reg;
	uint64_t executed; /* requests */
	bool stop, collapsed;
	uint64_t fail_at;  /* index of the request that fails, or NOWHERE */
	uint32_t requests; /* of a lane */
	struct segue_gpu_queue queue;
};

__attribute__((noreturn)) static void wrong(const char *kind, const char *text, uint64_t index)
{
	printf("%s: %s (index %" PRIu64 ")\n", kind, text, index);
	fflush(stdout);
	_Exit(1);
}

/* What a request of that index has in its second unit, and in all behind it. */
SEGUE_FUNCTION uint64_t mark(uint64_t index, uint32_t unit)
{
	return (index + 1) * UINT64_C(0x9e3779b97f4a7c15) + unit;
}

/* ---- the device ---- */

static inline void complete(struct lanes *m, uint64_t index, uint64_t entry, uint8_t syndrome)
{
	uint8_t *at = m->entries + (m->collapsed ? 0 : entry % BLOCKS) * SEGUE_CQE64_SIZE;
	uint32_t words[SEGUE_CQE64_SIZE / 4];
	struct segue_err_cqe cqe;
	uint32_t i;

	if (!m->collapsed) {
		const uint32_t free = segue_be32(
			__atomic_load_n(&m->entry_record, __ATOMIC_ACQUIRE));

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
static inline uint32_t execute(struct lanes *m, uint64_t index, bool *failed, uint64_t *entry)
{
	const uint8_t *first = m->ring + index % BLOCKS * SEGUE_WQE_BLOCK_SIZE;
	struct segue_seg_ctrl ctrl;
	uint32_t unit;

	if (!segue_seg_ctrl_unpack(&ctrl, first) || ctrl.opcode != SEGUE_OPCODE_RDMA_WRITE)
		wrong("unwritten", "no request stands in the block", index);
	if (ctrl.wqe_index != (uint16_t)index || ctrl.qpn != QPN)
		wrong("index", "the block holds another request", index);
	for (unit = 1; unit < ctrl.ds; unit++) {
		const uint64_t at = index * SEGUE_WQE_BLOCK_SIZE + unit * SEGUE_UNIT_SIZE;
		uint64_t word;

		memcpy(&word, m->ring + at % sizeof(m->ring), sizeof(word));
		if (word != mark(index, unit))
			wrong("torn", "a part of the request is another's", index);
	}
	if (!*failed && index >= m->fail_at) {
		*failed = true;
		m->fail_at = index;
		complete(m, index, (*entry)++, FAILURE);
	} else if (*failed) {
		complete(m, index, (*entry)++, FLUSHED);
	}
	if (!*failed && ctrl.ce == SEGUE_COMPLETION_MODE_ALWAYS)
		complete(m, index, (*entry)++, 0);
	__atomic_add_fetch(&m->executed, 1, __ATOMIC_RELAXED);
	return (ctrl.ds + 3u) / 4;
}

static inline void *device(void *arg)
{
	struct lanes *m = (struct lanes *)arg;
	uint64_t at = m->queue.done, entry = 0, rung = 0;
	bool failed = false;

	while (!__atomic_load_n(&m->stop, __ATOMIC_RELAXED)) {
		const uint64_t now = __atomic_load_n(&m->reg, __ATOMIC_ACQUIRE);
		struct segue_seg_ctrl bell;
		uint8_t image[SEGUE_SEG_CTRL_SIZE] = {0};
		uint16_t behind;

		if (now == rung) {
			LANES_DEVICE_PAUSE();
			continue;
		}
		rung = now;
		behind = (uint16_t)segue_be32(__atomic_load_n(&m->record, __ATOMIC_ACQUIRE));
		memcpy(image, &now, sizeof(now));
		(void)segue_seg_ctrl_unpack(&bell, image);
		if (bell.qpn != QPN || (uint16_t)(behind - bell.wqe_index) > BLOCKS)
			wrong("record", "the doorbell came before the record", at);
		if ((uint16_t)(behind - (uint16_t)at) > BLOCKS)
			wrong("record", "the record went back, or further than the ring", at);
		while ((uint16_t)at != behind)
			at += execute(m, at, &failed, &entry);
	}
	return NULL;
}

/* ---- lanes ---- */

SEGUE_FUNCTION uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % below;
}

SEGUE_FUNCTION int post(struct lanes *m, uint32_t blocks, bool signaled, enum segue_gpu_ring rings,
			uint64_t *at)
{
	const uint32_t count = blocks == 1 ? 3 : 7;
	struct segue_unit units[8];
	struct segue_seg_ctrl ctrl;
	uint32_t i;

	if (segue_gpu_reserve(&m->queue, blocks, SEGUE_GPU_ALL, at))
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
	segue_gpu_put(&m->queue, *at, units, count);
	segue_gpu_publish(&m->queue, *at, blocks, rings, SEGUE_GPU_ALL);
	return 0;
}

/* As many requests. 0, -EIO if one has failed, or -EPROTO. */
SEGUE_FUNCTION int lane_run(struct lanes *m, uint64_t seed)
{
	uint64_t at;
	uint32_t i;
	int ret;

	for (i = 0; i < m->requests; i++) {
		const bool waits = !draw(&seed, 8);
		bool done;

		if (post(m, 1 + draw(&seed, 2), waits,
			 draw(&seed, 3) ? SEGUE_GPU_RING : SEGUE_GPU_SILENT, &at))
			return -EIO;
		if (!waits)
			continue;
		while (!(ret = segue_gpu_done(&m->queue, at, SEGUE_GPU_ALL, &done)) && !done &&
		       draw(&seed, 4))
			SEGUE_GPU_PAUSE();
		if (ret < 0 || segue_gpu_wait(&m->queue, at, SEGUE_GPU_ALL))
			return -EIO;
		if (segue_gpu_flag(&m->executed) == 0)
			return -EPROTO; /* done before the device has read anything */
	}
	return post(m, 2, true, SEGUE_GPU_SILENT, &at) || segue_gpu_quiet(&m->queue, SEGUE_GPU_ALL)
		       ? -EIO
		       : 0;
}

/* A queue of this memory, whose counters start at `first`. */
static inline int lanes_open(struct lanes *m, uint64_t first, bool collapsed)
{
	memset(m, 0, sizeof(*m));
	memset(m->entries, 0xff, sizeof(m->entries));
	m->collapsed = collapsed;
	m->fail_at = NOWHERE;
	m->queue.ring = m->ring;
	m->queue.blocks = BLOCKS;
	m->queue.qpn = QPN;
	m->queue.record = &m->record;
	m->queue.reg = &m->reg;
	m->queue.entries = m->entries;
	m->queue.entry_count = collapsed ? 0 : BLOCKS;
	m->queue.entry_size = SEGUE_CQE64_SIZE;
	m->queue.entry_record = collapsed ? NULL : &m->entry_record;
	m->queue.first = first;
	return segue_gpu_init(&m->queue);
}

#endif
