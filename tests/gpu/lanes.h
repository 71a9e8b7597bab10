/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lanes that fill one queue, and the device that reads it: a strict one, which looks when the
 * doorbell has changed, and checks each request that it reads (LANES_DEVICE, mlx5.h or another).
 * Lanes are threads, or those of a GPU (on_gpu.cu), where all of this lies in memory that both
 * reach.
 */
#ifndef SEGUE_TESTS_GPU_LANES_H
#define SEGUE_TESTS_GPU_LANES_H

#include <sched.h>

#ifndef LANES_DEVICE
#define LANES_DEVICE "tests/gpu/mlx5.h"
#endif
#include LANES_DEVICE

#ifndef LANES_DEVICE_PAUSE
#define LANES_DEVICE_PAUSE() ((void)sched_yield())
#endif
#ifndef BLOCKS_MIN
#define BLOCKS_MIN 1u /* of a group */
#endif
#ifndef LANES_HOLD
#define LANES_HOLD() ((void)0) /* between a reservation and its publication */
#endif

/* ---- the device ---- */

/* Carries out the request and returns its blocks. */
static inline uint32_t execute(struct lanes *m, uint64_t index, bool *failed, uint64_t *entry)
{
	bool signaled;
	const uint32_t blocks = read_request(m, index, &signaled);

	if (!*failed && index >= m->fail_at) {
		*failed = true;
		m->fail_at = index;
		complete(m, index, entry, FAILURE);
	} else if (*failed) {
		complete(m, index, entry, FLUSHED);
	}
	if (!*failed && signaled)
		complete(m, index, entry, 0);
	__atomic_add_fetch(&m->executed, 1, __ATOMIC_RELAXED);
	return blocks;
}

static inline void *device(void *arg)
{
	struct lanes *m = (struct lanes *)arg;
	uint64_t at = m->queue.done, entry = 0, rung = 0, behind;
	bool failed = false;

	while (!__atomic_load_n(&m->stop, __ATOMIC_RELAXED)) {
		const uint64_t now = __atomic_load_n(&m->reg, __ATOMIC_ACQUIRE);

		if (now == rung) {
			device_idle(m, &entry);
			LANES_DEVICE_PAUSE();
			continue;
		}
		rung = now;
		behind = read_doorbell(m, at, now);
		while (at != behind)
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
	struct segue_unit units[8];
	uint32_t count, length, i;

	if (segue_gpu_reserve(&m->queue, blocks, SEGUE_GPU_ALL, at))
		return -EIO;
	LANES_HOLD();
	for (i = 0; i < blocks; i += length) {
		length = BLOCKS_OF(blocks - i);
		memset(units, 0, sizeof(units));
		count = write_request(m, *at + i, length, signaled, units);
		segue_gpu_put(&m->queue, *at + i, units, count);
		(void)seguei_gpu_add(&m->posted, 1, SEGUE_GPU_ALL);
	}
	segue_gpu_publish(&m->queue, *at, blocks, rings, SEGUE_GPU_ALL);
	return 0;
}

/* As many requests, or groups of them. 0, -EIO if one has failed, or -EPROTO. */
SEGUE_FUNCTION int lane_run(struct lanes *m, uint64_t seed)
{
	uint64_t at;
	uint32_t i;
	int ret;

	for (i = 0; i < m->requests; i++) {
		const bool waits = !draw(&seed, 8);
		bool done;

		if (post(m, BLOCKS_MIN + draw(&seed, BLOCKS_MAX + 1 - BLOCKS_MIN), waits,
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
	return post(m, BLOCKS_MAX, true, SEGUE_GPU_SILENT, &at) ||
			       segue_gpu_quiet(&m->queue, SEGUE_GPU_ALL)
		       ? -EIO
		       : 0;
}

/* A queue of this memory, whose counters start at `first`. */
static inline int lanes_open(struct lanes *m, uint64_t first, bool collapsed)
{
	memset(m, 0, sizeof(*m));
	m->collapsed = collapsed;
	m->fail_at = m->held = NOWHERE;
	m->queue.ring = m->ring;
	m->queue.blocks = BLOCKS;
	m->queue.qpn = QPN;
	m->queue.reg = &m->reg;
	m->queue.entries = m->entries;
	m->queue.first = first;
	device_open(m);
	return segue_gpu_init(&m->queue);
}

#endif
