/* SPDX-License-Identifier: BSD-2-Clause */
/* bnxt_re as a device of lanes.h, in static mode, or with VARIES in variable mode, in which it
 * counts requests by itself: it reads the table of packet numbers beside the ring, and checks each
 * doorbell's epoch. */
#ifndef SEGUE_TESTS_GPU_BNXT_RE_H
#define SEGUE_TESTS_GPU_BNXT_RE_H

#ifndef VARIES
#define VARIES 0
#endif
#include "tests/gpu/slots.h"

#define device_clean slots_clean

#define FLUSHED	     SEGUE_REQ_STATUS_WR_FLUSH
#define FAILURE	     SEGUE_REQ_STATUS_REM_ACC
#define MTU	     1024u
#define UNITS_MAX    5u
#define SOME	     (VARIES ? 8 : 4) /* indices, of which one asks for no completion */

/* Length of the message: of no packet, one, and several. */
SEGUE_FUNCTION uint32_t length_of(uint64_t at)
{
	static const uint32_t lengths[] = {0, 1, MTU, MTU + 1, 5 * MTU - 3};

	return lengths[at % 5];
}

/* Reads a doorbell: of that queue, with the epoch of that lap. Returns its index. */
static inline uint32_t read_bell(uint64_t now, uint8_t type, uint64_t lap)
{
	struct segue_seg_doorbell bell;

	if (!segue_seg_doorbell_unpack(&bell, &now) || !bell.valid || bell.type != type ||
	    bell.qid != QPN)
		wrong("doorbell", "it is of another queue", bell.indx);
	if (bell.epoch != (lap & 1))
		wrong("epoch", "the doorbell's lap is another", bell.indx);
	return bell.indx;
}

/* Requests before the one that is carried out. */
static inline uint64_t number_of(const struct lanes *m)
{
	return m->counted + m->executed;
}

static inline void complete(struct lanes *m, uint64_t index, uint64_t *next, uint8_t status)
{
	const uint64_t taken = __atomic_load_n(&m->entry_reg, __ATOMIC_ACQUIRE);
	const uint64_t entry = (*next)++;
	struct segue_req_cqe cqe;
	struct segue_seg_doorbell bell;
	uint32_t words[8];

	if (taken) {
		(void)segue_seg_doorbell_unpack(&bell, &taken);
		if (bell.type != SEGUE_DB_TYPE_CQ || bell.qid != QPN + 1)
			wrong("doorbell", "it is of another queue", index);
	}
	check_room(entry, taken ? bell.indx : 0);
	memset(&cqe, 0, sizeof(cqe));
	cqe.con_indx = (uint16_t)(VARIES ? number_of(m) + 1 : (index + 1) % BLOCKS);
	cqe.phase = entry_lap(entry);
	cqe.cqe_type = SEGUE_CQE_TYPE_SEND;
	cqe.status = status;
	segue_req_cqe_pack(words, &cqe);
	store_entry(m, entry, words);
}

/* Nothing is held back. */
static inline void device_idle(struct lanes *m, uint64_t *entry)
{
	(void)m;
	(void)entry;
}

/* The packets of each message follow those of the one before. */
static inline void check_packets(struct lanes *m, uint64_t index)
{
	const uint32_t packets = (length_of(index) + MTU - 1) / MTU;
	const uint64_t place = VARIES ? number_of(m) % (BLOCKS / 2) : index % BLOCKS;
	struct segue_seg_msn_search search;

	(void)segue_seg_msn_search_unpack(&search, m->messages + place * sizeof(uint64_t));
	if (search.start_psn != m->psn || search.start_idx != index % BLOCKS)
		wrong("psn", "the message begins with another packet", index);
	m->psn = (m->psn + (packets ? packets : 1)) & 0xffffff;
	if (search.next_psn != m->psn)
		wrong("psn", "the message has another number of packets", index);
}

/* A unit of a request, which may go on at the ring's beginning. */
static inline const uint8_t *unit_of(const struct lanes *m, uint64_t index, uint32_t unit)
{
	const uint64_t slots = m->queue.block_size / SEGUE_UNIT_SIZE;

	return m->ring + (index * slots + unit) % (BLOCKS * slots) * SEGUE_UNIT_SIZE;
}

/* Checks the request and returns its entries. */
static inline uint32_t read_request(struct lanes *m, uint64_t index, bool *signaled)
{
	struct segue_seg_raddr raddr;
	struct segue_seg_sqe sqe;
	struct segue_seg_sge sge;
	uint32_t i;

	(void)segue_seg_sqe_unpack(&sqe, unit_of(m, index, 0));
	(void)segue_seg_raddr_unpack(&raddr, unit_of(m, index, 1));
	if (sqe.wr_type != SEGUE_WR_OPCODE_RDMA_WRITE || raddr.rva != mark(index, 1) ||
	    sqe.wqe_size < 2 || sqe.wqe_size > UNITS_MAX)
		wrong("unwritten", "another request, or none, stands in the entry", index);
	for (i = 2; i < sqe.wqe_size; i++) {
		(void)segue_seg_sge_unpack(&sge, unit_of(m, index, i));
		if (sge.addr != mark(index, i) || sqe.length != length_of(index))
			wrong("torn", "a part of the request is another's", index);
	}
	check_packets(m, index);
	*signaled = sqe.signaled;
	return VARIES ? sqe.wqe_size : 1;
}

static inline uint64_t read_doorbell(struct lanes *m, uint64_t at, uint64_t now)
{
	struct segue_seg_doorbell bell;
	uint64_t behind;

	(void)m;
	(void)segue_seg_doorbell_unpack(&bell, &now);
	behind = behind_of(at, bell.indx, BLOCKS);
	(void)read_bell(now, SEGUE_DB_TYPE_SQ, behind / BLOCKS);
	return behind;
}

SEGUE_FUNCTION uint32_t write_request(struct lanes *m, uint64_t at, uint32_t blocks, bool signaled,
				      struct segue_unit *units)
{
	const struct segue_seg_raddr raddr = {mark(at, 1), 7};
	const uint32_t count = VARIES ? blocks : 3;
	struct segue_seg_sqe sqe;
	uint32_t i;

	(void)m;
	memset(&sqe, 0, sizeof(sqe));
	sqe.wr_type = SEGUE_WR_OPCODE_RDMA_WRITE;
	sqe.signaled = signaled || at % SOME != 1;
	sqe.wqe_size = (uint8_t)count;
	sqe.length = length_of(at);
	segue_seg_sqe_pack(units[0].bytes, &sqe);
	segue_seg_raddr_pack(units[1].bytes, &raddr);
	for (i = 2; i < count; i++) {
		const struct segue_seg_sge sge = {mark(at, i), 9, length_of(at)};

		segue_seg_sge_pack(units[i].bytes, &sge);
	}
	return count;
}

static inline void device_open(struct lanes *m)
{
	struct segue_seg_doorbell bell;

	m->queue.psn = 0xfffff0;
	m->queue.mtu = MTU;
	m->queue.messages = m->messages;
	m->queue.entry_reg = &m->entry_reg;
	m->queue.numbered = m->queue.passed = VARIES ? 65000 : 0; /* just before 2^16 */
	slots_open(m, (VARIES ? 1 : SEGUE_WQE_STATIC_SLOTS) * SEGUE_WQE_SLOT_SIZE,
		   SEGUE_REQ_CQE_SIZE);
	memset(&bell, 0, sizeof(bell));
	bell.qid = QPN;
	segue_seg_doorbell_pack(&m->queue.bell, &bell);
	bell.qid = QPN + 1;
	bell.type = SEGUE_DB_TYPE_CQ;
	segue_seg_doorbell_pack(&m->queue.entry_bell, &bell);
}

#endif
