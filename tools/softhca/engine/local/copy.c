/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory copies by the device (MMO, DMA). */
#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/memory/mem.h"
#include "tools/softhca/engine/queue/wqe.h"

#include "segue/gen/segments.h"

#define CHUNK 4096u
/*
 * Size and alignment of the memory that the metadata segment names, where the device keeps its
 * state. Source: rdma-core providers/mlx5/verbs.c, reg_opaque_mr(); UCX
 * src/uct/ib/mlx5/gga/gga_mlx5.c, UCT_GGA_MLX5_OPAQUE_BUF_LEN.
 */
#define STATE 64u

struct copy {
	struct segue_seg_mmo_metadata meta;
	struct segue_seg_mmo_data from, to;
};

/* A card with dma_mmo_qp copies only for queue pairs that asked for it in INIT. Source: rdma-core
 * providers/mlx5/verbs.c, qp_enable_mmo(). */
static bool may_copy(struct softhca_qp *qp)
{
	if (!qp->dev->cfg.mmo)
		return false;
	if (!qp->dev->cfg.mmo_asked || qp->mmo_allowed)
		return true;
	softhca_referee(
		qp, SOFTHCA_RULE_SEGMENT,
		"a copy by a queue pair that was not made to copy (MLX5DV_QP_EX_WITH_MEMCPY)");
	return false;
}

/* Finds the place in the program's memory. False if there are several places, or none. */
static bool place_of(const struct softhca_qp *qp, const struct segue_seg_mmo_data *part,
		     uint64_t *at)
{
	const struct softhca_mkey *const k = softhca_mkey_find(qp->dev, part->lkey);

	if (!k || k->kind != SOFTHCA_KEY_MR)
		return false;
	*at = k->base + (part->addr - k->start);
	return true;
}

static bool overlap(const struct softhca_qp *qp, const struct copy *c)
{
	uint64_t from = c->from.addr, to = c->to.addr;

	if (!(place_of(qp, &c->from, &from) && place_of(qp, &c->to, &to)) &&
	    c->from.lkey != c->to.lkey)
		return false;
	return from < to ? to - from < c->from.byte_count : from - to < c->to.byte_count;
}

/* Reports mistakes that a card may execute nevertheless. */
static void judge(struct softhca_qp *qp, const struct copy *c)
{
	if (c->meta.local_address % STATE)
		softhca_referee(
			qp, SOFTHCA_RULE_VALUE,
			"the memory for the device's state is at 0x%llx, expected a multiple of %u",
			(unsigned long long)c->meta.local_address, STATE);
	if (overlap(qp, c))
		softhca_referee(qp, SOFTHCA_RULE_VALUE,
				"source and destination of a copy of %u bytes overlap: nothing is "
				"said of the order in which it is made",
				c->from.byte_count);
}

static int check(struct softhca_qp *qp, const struct copy *c)
{
	const struct softhca_access rd = {qp->dev, qp->pd, qp, SOFTHCA_LOCAL_READ};
	const struct softhca_access wr = {qp->dev, qp->pd, qp, SOFTHCA_LOCAL_WRITE};
	int err;

	if (c->from.byte_count != c->to.byte_count) {
		softhca_referee(qp, SOFTHCA_RULE_SEGMENT, "a copy of %u bytes to %u bytes",
				c->from.byte_count, c->to.byte_count);
		return SOFTHCA_LOCAL_LENGTH;
	}
	if (c->from.byte_count > qp->dev->cfg.max_memcpy) {
		softhca_referee(qp, SOFTHCA_RULE_VALUE, "a copy of %u bytes, expected at most %u",
				c->from.byte_count, qp->dev->cfg.max_memcpy);
		return SOFTHCA_LOCAL_LENGTH;
	}
	err = softhca_contrary(SOFTHCA_CONTRARY_COPY)
		      ? SOFTHCA_OK
		      : softhca_mem_check(&wr, c->meta.local_key, c->meta.local_address, STATE);
	err = err ? err : softhca_mem_whole(&rd, c->from.lkey, c->from.addr, c->from.byte_count);
	return err ? err : softhca_mem_whole(&wr, c->to.lkey, c->to.addr, c->to.byte_count);
}

int softhca_copy_memory(struct softhca_qp *qp, const uint8_t *raw)
{
	const struct softhca_access rd = {qp->dev, qp->pd, qp, SOFTHCA_LOCAL_READ};
	const struct softhca_access wr = {qp->dev, qp->pd, qp, SOFTHCA_LOCAL_WRITE};
	uint8_t buf[CHUNK];
	struct copy c;
	int err;

	if (!may_copy(qp))
		return SOFTHCA_LOCAL_QP_OP;
	segue_seg_mmo_metadata_unpack(&c.meta, raw + 16);
	segue_seg_mmo_data_unpack(&c.from, raw + 32);
	segue_seg_mmo_data_unpack(&c.to, raw + 48);
	err = check(qp, &c);
	if (!err)
		judge(qp, &c);
	for (uint32_t at = 0; at < c.from.byte_count && !err; at += CHUNK) {
		const size_t n = c.from.byte_count - at < CHUNK ? c.from.byte_count - at : CHUNK;

		err = softhca_mem_read(&rd, c.from.lkey, c.from.addr + at, buf, n);
		if (!err)
			err = softhca_mem_write(&wr, c.to.lkey, c.to.addr + at, buf, n);
	}
	return err;
}
