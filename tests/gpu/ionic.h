/* SPDX-License-Identifier: BSD-2-Clause */
/* ionic as a device of lanes.h: it reads each entry's color, and completes by message number, or by
 * entry what has failed. */
#ifndef SEGUE_TESTS_GPU_IONIC_H
#define SEGUE_TESTS_GPU_IONIC_H

#include "tests/gpu/slots.h"

#define device_clean slots_clean

#define FLUSHED	     SEGUE_STATUS_WQE_FLUSHED_ERR
#define FAILURE	     SEGUE_STATUS_REMOTE_ACC_ERR

static inline void complete_one(struct lanes *m, uint64_t index, uint64_t entry, uint8_t status)
{
	struct segue_send_npg_cqe cqe;
	uint32_t words[8];

	memset(&cqe, 0, sizeof(cqe));
	cqe.wqe_idx = (uint16_t)(index % BLOCKS);
	cqe.qid = QPN;
	cqe.type = SEGUE_CQE_TYPE_SEND_NPG;
	cqe.error = 1;
	cqe.status_length = status;
	cqe.color = entry_lap(entry);
	segue_send_npg_cqe_pack(words, &cqe);
	store_entry(m, entry, words);
}

static inline void complete(struct lanes *m, uint64_t index, uint64_t *next, uint8_t status)
{
	const uint64_t taken = __atomic_load_n(&m->entry_reg, __ATOMIC_ACQUIRE);
	const uint64_t entry = (*next)++;
	struct segue_seg_doorbell bell;
	struct segue_send_msn_cqe cqe;
	uint32_t words[8];

	(void)segue_seg_doorbell_unpack(&bell, &taken);
	if (taken && bell.qid != QPN + 1)
		wrong("doorbell", "it is of another queue", index);
	check_room(entry, bell.prod);
	if (status && index % 2) {
		complete_one(m, index, entry, status);
		return;
	}
	memset(&cqe, 0, sizeof(cqe));
	cqe.msg_msn = (uint32_t)(index + 1);
	cqe.qid = QPN;
	cqe.type = SEGUE_CQE_TYPE_SEND_MSN;
	cqe.error = status != 0;
	cqe.status_length = status;
	cqe.color = entry_lap(entry);
	segue_send_msn_cqe_pack(words, &cqe);
	store_entry(m, entry, words);
}

/* Nothing is held back. */
static inline void device_idle(struct lanes *m, uint64_t *entry)
{
	(void)m;
	(void)entry;
}

/* Checks the request and returns its entries. */
static inline uint32_t read_request(struct lanes *m, uint64_t index, bool *signaled)
{
	const uint8_t *at = m->ring + index % BLOCKS * m->queue.block_size;
	struct segue_seg_wqe wqe;
	struct segue_seg_sge sge;

	(void)segue_seg_wqe_unpack(&wqe, at);
	(void)segue_seg_sge_unpack(&sge, at + SEGUE_SEG_WQE_SIZE);
	if (wqe.op != SEGUE_OP_RDMA_WRITE || wqe.wqe_idx != index % BLOCKS)
		wrong("unwritten", "another request, or none, stands in the entry", index);
	if (wqe.color != !(index & BLOCKS))
		wrong("color", "the entry is of another lap", index);
	if (wqe.remote_va != mark(index, 1) || sge.va != mark(index, 2))
		wrong("torn", "a part of the request is another's", index);
	*signaled = wqe.sig;
	return 1;
}

static inline uint64_t read_doorbell(struct lanes *m, uint64_t at, uint64_t now)
{
	struct segue_seg_doorbell bell;

	(void)m;
	if (!segue_seg_doorbell_unpack(&bell, &now) || bell.qid != QPN || bell.arm)
		wrong("doorbell", "it is of another queue", at);
	return behind_of(at, bell.prod, BLOCKS);
}

SEGUE_FUNCTION uint32_t write_request(struct lanes *m, uint64_t at, uint32_t blocks, bool signaled,
				      struct segue_unit *units)
{
	const struct segue_seg_sge sge = {mark(at, 2), 64, 9};
	struct segue_seg_wqe wqe;

	(void)blocks;
	memset(&wqe, 0, sizeof(wqe));
	wqe.wqe_idx = at & (BLOCKS - 1);
	wqe.op = SEGUE_OP_RDMA_WRITE;
	wqe.num_sge_key = 1;
	wqe.color = segue_gpu_lap(&m->queue, at);
	wqe.sig = signaled || at % 4 != 1;
	wqe.remote_va = mark(at, 1);
	wqe.length = 64;
	segue_seg_wqe_pack(units[0].bytes, &wqe);
	segue_seg_sge_pack(units[2].bytes, &sge);
	return 3;
}

static inline void device_open(struct lanes *m)
{
	struct segue_seg_doorbell bell;

	m->queue.entry_reg = &m->entry_reg;
	slots_open(m, SEGUE_WQE_BLOCK_SIZE, SEGUE_SEND_MSN_CQE_SIZE);
	memset(&bell, 0, sizeof(bell));
	bell.qid = QPN;
	segue_seg_doorbell_pack(&m->queue.bell, &bell);
	bell.qid = QPN + 1;
	segue_seg_doorbell_pack(&m->queue.entry_bell, &bell);
}

#endif
