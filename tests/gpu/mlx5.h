/* SPDX-License-Identifier: BSD-2-Clause */
/* mlx5 as a device of lanes.h: it looks at the record when the doorbell has changed. */
#ifndef SEGUE_TESTS_GPU_MLX5_H
#define SEGUE_TESTS_GPU_MLX5_H

#include "segue/gpu/queue.h"

#define FLUSHED		SEGUE_CQE_SYNDROME_WR_FLUSH_ERR
#define FAILURE		SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR
#define VENDOR		0x88
/* A lane publishes a request. */
#define BLOCKS_MAX	2u
#define BLOCKS_OF(left) (left)

#include "tests/gpu/memory.h"

static inline void complete(struct lanes *m, uint64_t index, uint64_t *next, uint8_t syndrome)
{
	const uint64_t entry = (*next)++;
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

/* Another life of the device. */
static inline void device_clean(struct lanes *m)
{
	memset(m->entries, 0xff, sizeof(m->entries));
	m->entry_record = 0;
}

/* Nothing is held back. */
static inline void device_idle(struct lanes *m, uint64_t *entry)
{
	(void)m;
	(void)entry;
}

/* Checks the request and returns its blocks. */
static inline uint32_t read_request(struct lanes *m, uint64_t index, bool *signaled)
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

		memcpy(&word, m->ring + at % (BLOCKS * SEGUE_WQE_BLOCK_SIZE), sizeof(word));
		if (word != mark(index, unit))
			wrong("torn", "a part of the request is another's", index);
	}
	*signaled = ctrl.ce == SEGUE_COMPLETION_MODE_ALWAYS;
	return (ctrl.ds + 3u) / 4;
}

/* Reads how far the ring is filled, behind `at`, out of a doorbell. */
static inline uint64_t read_doorbell(struct lanes *m, uint64_t at, uint64_t now)
{
	const uint16_t behind = (uint16_t)segue_be32(__atomic_load_n(&m->record, __ATOMIC_ACQUIRE));
	uint8_t image[SEGUE_SEG_CTRL_SIZE] = {0};
	struct segue_seg_ctrl bell;

	memcpy(image, &now, sizeof(now));
	(void)segue_seg_ctrl_unpack(&bell, image);
	if (bell.qpn != QPN || (uint16_t)(behind - bell.wqe_index) > BLOCKS)
		wrong("record", "the doorbell came before the record", at);
	if ((uint16_t)(behind - (uint16_t)at) > BLOCKS)
		wrong("record", "the record went back, or further than the ring", at);
	return at + (uint16_t)(behind - (uint16_t)at);
}

/* Fills in the units of a request, and returns their number. */
SEGUE_FUNCTION uint32_t write_request(struct lanes *m, uint64_t at, uint32_t blocks, bool signaled,
				      struct segue_unit *units)
{
	const uint32_t count = blocks == 1 ? 3 : 7;
	struct segue_seg_ctrl ctrl;
	uint32_t i;

	(void)m;
	memset(&ctrl, 0, sizeof(ctrl));
	ctrl.opcode = SEGUE_OPCODE_RDMA_WRITE;
	ctrl.wqe_index = (uint16_t)at;
	ctrl.qpn = QPN;
	ctrl.ds = (uint8_t)count;
	/* every fourth block at least: a ring never fills up with unsignaled requests */
	ctrl.ce = signaled || blocks > 1 || at % 4 != 1 ? SEGUE_COMPLETION_MODE_ALWAYS : 0;
	segue_seg_ctrl_pack(units[0].bytes, &ctrl);
	for (i = 1; i < count; i++) {
		const uint64_t word = mark(at, i);

		memcpy(units[i].bytes, &word, sizeof(word));
	}
	return count;
}

/* What the queue has of its device. */
static inline void device_open(struct lanes *m)
{
	device_clean(m);
	m->queue.record = &m->record;
	m->queue.entry_count = m->collapsed ? 0 : BLOCKS;
	m->queue.entry_size = SEGUE_CQE64_SIZE;
	m->queue.entry_record = m->collapsed ? NULL : &m->entry_record;
}

#endif
