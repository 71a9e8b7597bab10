/* SPDX-License-Identifier: BSD-2-Clause */
/* EFA as a device of lanes.h: it takes few entries for one doorbell, and completes in another
 * order. */
#ifndef SEGUE_TESTS_GPU_EFA_H
#define SEGUE_TESTS_GPU_EFA_H

#include "segue/gpu/atomic.h"

/* A device sees each doorbell, a thread only the last one: the test looks where it is written. */
static void rung(volatile uint32_t *to, uint32_t raw);
#define seguei_gpu_doorbell32(to, raw) rung(to, raw)
#include "tests/gpu/slots.h"

#define FLUSHED SEGUE_COMP_STATUS_FLUSHED
#define FAILURE SEGUE_COMP_STATUS_REMOTE_BAD_ADDRESS
#define BATCH	5u

static uint16_t last_rung; /* lanes ring in turn */

static void rung(volatile uint32_t *to, uint32_t raw)
{
	if ((uint16_t)(raw - last_rung) > BATCH)
		wrong("batch", "too many entries for one doorbell", raw);
	last_rung = (uint16_t)raw;
	(seguei_gpu_doorbell32)(to, raw);
}

static inline void device_clean(struct lanes *m)
{
	slots_clean(m);
	last_rung = (uint16_t)m->queue.told;
}

static inline void complete_now(struct lanes *m, uint64_t index, uint64_t *next, uint8_t status)
{
	const uint64_t entry = (*next)++;
	struct segue_tx_cdesc cqe;
	uint32_t words[4];

	memset(&cqe, 0, sizeof(cqe));
	cqe.req_id = (uint16_t)index;
	cqe.status = status;
	cqe.phase = entry_lap(entry);
	cqe.q_type = SEGUE_QUEUE_TYPE_SEND;
	segue_tx_cdesc_pack(words, &cqe);
	store_entry(m, entry, words);
}

/* Completes what was held back: nothing else is to be done. */
static inline void device_idle(struct lanes *m, uint64_t *entry)
{
	if (m->held != NOWHERE)
		complete_now(m, m->held, entry, 0);
	m->held = NOWHERE;
}

/*
 * Every third completion comes behind the next one. Before a failure, the request behind it
 * completes.
 */
static inline void complete(struct lanes *m, uint64_t index, uint64_t *next, uint8_t status)
{
	if (!status && index % 3 == 0 && m->held == NOWHERE) {
		m->held = index;
		return;
	}
	if (status == FAILURE)
		complete_now(m, index + 1, next, 0);
	complete_now(m, index, next, status);
	device_idle(m, next);
}

/* Checks the request and returns its entries. */
static inline uint32_t read_request(struct lanes *m, uint64_t index, bool *signaled)
{
	const uint8_t *at = m->ring + index % BLOCKS * m->queue.block_size;
	struct segue_seg_remote_mem remote;
	struct segue_seg_tx_meta meta;
	struct segue_seg_tx_buf buffer;

	(void)segue_seg_tx_meta_unpack(&meta, at);
	(void)segue_seg_remote_mem_unpack(&remote, at + SEGUE_SEG_TX_META_SIZE);
	(void)segue_seg_tx_buf_unpack(&buffer, at + SEGUE_SEG_TX_META_SIZE + SEGUE_UNIT_SIZE);
	if (meta.op_type != SEGUE_OP_TYPE_RDMA_WRITE || meta.req_id != (uint16_t)index)
		wrong("unwritten", "another request, or none, stands in the entry", index);
	if (meta.phase != !!(index & BLOCKS))
		wrong("phase", "the entry is of another lap", index);
	if (remote.addr != mark(index, 1) || buffer.addr != mark(index, 2))
		wrong("torn", "a part of the request is another's", index);
	*signaled = meta.comp_req;
	return 1;
}

static inline uint64_t read_doorbell(struct lanes *m, uint64_t at, uint64_t now)
{
	struct segue_seg_doorbell bell;

	if (!segue_seg_doorbell_unpack(&bell, &now) || now >> 32)
		wrong("doorbell", "more than 4 bytes were written", at);
	(void)m;
	return behind_of(at, bell.pc, 1u << 16);
}

SEGUE_FUNCTION uint32_t write_request(struct lanes *m, uint64_t at, uint32_t blocks, bool signaled,
				      struct segue_unit *units)
{
	const struct segue_seg_remote_mem remote = {64, 7, mark(at, 1)};
	const struct segue_seg_tx_buf buffer = {64, 9, mark(at, 2)};
	uint8_t whole[SEGUE_SEG_TX_META_SIZE];
	struct segue_seg_tx_meta meta;

	(void)blocks;
	(void)signaled; /* all are */
	memset(&meta, 0, sizeof(meta));
	meta.req_id = (uint16_t)at;
	meta.op_type = SEGUE_OP_TYPE_RDMA_WRITE;
	meta.phase = segue_gpu_lap(&m->queue, at);
	meta.comp_req = 1;
	meta.dest_qp_num = 3;
	meta.length = 1;
	segue_seg_tx_meta_pack(whole, &meta);
	memcpy(units, whole, sizeof(whole));
	segue_seg_remote_mem_pack(units[2].bytes, &remote);
	segue_seg_tx_buf_pack(units[3].bytes, &buffer);
	return 4;
}

static inline void device_open(struct lanes *m)
{
	m->queue.batch = BATCH;
	last_rung = (uint16_t)m->queue.first;
	slots_open(m, SEGUE_WQE_BLOCK_SIZE, SEGUE_TX_CDESC_SIZE);
}

#endif
