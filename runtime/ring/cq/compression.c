/* SPDX-License-Identifier: BSD-2-Clause */
/* Expansion of compressed completions, in the classic and the enhanced layout. */
#include "runtime/ring/cq/compression.h"

#include "runtime/ring/cq/geometry.h"

#define MINIS (SEGUE_CQE64_SIZE / SEGUE_CQE_MINI_SIZE) /* in an array of the classic layout */

void seguei_cq_block_title(struct segue_cq *cq, const uint8_t *entry)
{
	struct seguei_cq_block *block = &cq->block;
	struct segue_cqe64 title;

	if (seguei_cq_format(entry) == SEGUE_CQE_FORMAT_COMPRESSED)
		return; /* blocks may follow each other under one title */
	(void)segue_cqe64_unpack(&title, entry);
	memcpy(block->title, entry, sizeof(block->title));
	block->wqe_counter = (uint16_t)(title.wqe_counter + 1);
}

static void begin_enhanced(struct segue_cq *cq, uint32_t counter)
{
	struct segue_mini_cqe_array_trailer array;

	(void)segue_mini_cqe_array_trailer_unpack(&array, seguei_cq_ring_entry(&cq->ring, counter));
	memcpy(cq->block.minis, array.mini, sizeof(array.mini));
	cq->block.left = array.num_minus_one + 1u;
}

static void begin_classic(struct segue_cq *cq, uint32_t counter)
{
	const uint8_t *entry = seguei_cq_ring_entry(&cq->ring, counter);
	struct seguei_cq_block *block = &cq->block;
	struct segue_cqe64 title;

	(void)segue_cqe64_unpack(&title, entry);
	memcpy(block->title, entry, sizeof(block->title));
	block->wqe_counter = title.wqe_counter;
	block->left = title.byte_cnt;
	memcpy(block->minis, seguei_cq_ring_entry(&cq->ring, counter + 1), sizeof(block->minis));
}

bool seguei_cq_block_begin(struct segue_cq *cq, uint32_t counter)
{
	if (cq->ring.enhanced)
		begin_enhanced(cq, counter);
	else
		begin_classic(cq, counter);
	cq->block.entries = cq->block.left;
	return cq->block.left && cq->block.left <= cq->ring.cqe_cnt;
}

/* Fields that each receive has of its own. */
static void take_mini(struct segue_cq *cq, const uint8_t *mini, struct segue_cqe64 *cqe)
{
	struct segue_mini_cqe_csum sum;
	struct segue_mini_cqe hash;

	cqe->wqe_counter = cq->block.wqe_counter;
	if (cq->ring.minis == SEGUE_MINI_CQE_FORMAT_HASH) {
		(void)segue_mini_cqe_unpack(&hash, mini);
		cqe->rss_hash_result = hash.rx_hash_result;
		cqe->check_sum = 0; /* of another packet */
		return;
	}
	(void)segue_mini_cqe_csum_unpack(&sum, mini);
	cqe->rss_hash_type = 0; /* the hash is another packet's */
	cqe->check_sum = sum.checksum;
	if (cq->ring.minis == SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX && cq->strides)
		cqe->wqe_counter = sum.stridx;
}

void seguei_cq_block_make(struct segue_cq *cq)
{
	struct seguei_cq_block *block = &cq->block;
	const uint8_t *mini = block->minis + block->given % MINIS * SEGUE_CQE_MINI_SIZE;
	struct segue_mini_cqe_req req;
	struct segue_cqe64 cqe;

	(void)segue_cqe64_unpack(&cqe, block->title);
	(void)segue_mini_cqe_req_unpack(&req, mini);
	cqe.format = SEGUE_CQE_FORMAT_NO_INLINE;
	cqe.byte_cnt = req.byte_cnt; /* at the same place in all forms */
	if (cqe.opcode == SEGUE_CQE_OPCODE_REQ) {
		cqe.wqe_counter = req.wqe_counter;
		cqe.s_wqe_opcode = req.s_wqe_opcode;
	} else {
		take_mini(cq, mini, &cqe);
	}
	segue_cqe64_pack(cq->made, &cqe);
}

void seguei_cq_block_advance(struct segue_cq *cq, uint32_t counter)
{
	struct seguei_cq_block *block = &cq->block;

	block->wqe_counter++;
	block->given++;
	block->left--;
	if (!block->left)
		block->given = 0;
	else if (!cq->ring.enhanced && block->given % MINIS == 0)
		memcpy(block->minis, seguei_cq_ring_entry(&cq->ring, counter + block->given),
		       sizeof(block->minis));
}
