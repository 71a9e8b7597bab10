/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibv_start_poll() and its kind: the entry in hand is an ibv_wc of the second queue, or libmlx5's.
 *
 * Source: rdma-core providers/mlx5/cq.c (mlx5_start_poll(), mlx5_next_poll(), mlx5_end_poll()).
 */
#define _GNU_SOURCE
#include <errno.h>

#include "runtime/verbs/layer.h"
#include "segue/verbs.h"

/* Takes the next entry of the second queue. Returns 0, ENOENT, or libmlx5's number of an error. */
static int take(struct seguei_layer_cq *c, struct ibv_cq_ex *x)
{
	int got = 0;

	if (c->taken)
		got = segue_verbs_poll_cq(c->taken, 1, &c->entry);
	else if (c->own)
		got = c->context->ops.poll_cq(c->own, 1, &c->entry);
	c->polls++;
	if (got <= 0)
		return got ? -got : ENOENT;
	c->completions++;
	x->wr_id = c->entry.wr_id;
	x->status = c->entry.status;
	return 0;
}

/* Takes an entry of the second queue, or else the first one of libmlx5's. */
static int take_any(struct seguei_layer_cq *c, struct ibv_cq_ex *x)
{
	struct ibv_poll_cq_attr plain = {0};
	int ret = take(c, x);

	if (ret != ENOENT || (c->own && !c->others))
		return ret;
	ret = c->extended.start_poll(x, &plain);
	c->in_mlx5 = !ret;
	return ret == ENOENT ? take(c, x) : ret; /* the device may have had a turn */
}

/* The lock is held until ibv_end_poll(), as in libmlx5. */
static int start_poll(struct ibv_cq_ex *x, struct ibv_poll_cq_attr *attr)
{
	struct seguei_layer_cq *c = seguei_layer_find(x);
	int ret;

	if (attr->comp_mask)
		return EINVAL;
	seguei_layer_lock(c->locks, &c->lock);
	ret = take_any(c, x);
	if (ret)
		seguei_layer_unlock(c->locks, &c->lock);
	return ret;
}

static int next_poll(struct ibv_cq_ex *x)
{
	struct seguei_layer_cq *c = seguei_layer_find(x);

	return c->in_mlx5 ? c->extended.next_poll(x) : take_any(c, x);
}

static void end_poll(struct ibv_cq_ex *x)
{
	struct seguei_layer_cq *c = seguei_layer_find(x);

	if (c->in_mlx5)
		c->extended.end_poll(x);
	c->in_mlx5 = false;
	seguei_layer_unlock(c->locks, &c->lock);
}

#define READ(type, name, value)                                    \
	static type name(struct ibv_cq_ex *x)                      \
	{                                                          \
		struct seguei_layer_cq *c = seguei_layer_find(x);  \
		const struct ibv_wc *wc = &c->entry;               \
                                                                   \
		return c->in_mlx5 ? c->extended.name(x) : (value); \
	}

READ(enum ibv_wc_opcode, read_opcode, wc->opcode)
READ(uint32_t, read_vendor_err, wc->vendor_err)
READ(uint32_t, read_byte_len, wc->byte_len)
READ(__be32, read_imm_data, wc->imm_data)
READ(uint32_t, read_qp_num, wc->qp_num)
READ(uint32_t, read_src_qp, wc->src_qp)
/* libmlx5 has none here for sends */
READ(unsigned int, read_wc_flags, wc->opcode &IBV_WC_RECV ? wc->wc_flags : 0)
READ(uint32_t, read_slid, wc->slid)
READ(uint8_t, read_sl, wc->sl)
READ(uint8_t, read_dlid_path_bits, wc->dlid_path_bits)

bool seguei_layer_knows_cq(const struct ibv_cq_init_attr_ex *attr)
{
	return !(attr->wc_flags & ~(uint64_t)IBV_WC_STANDARD_FLAGS) &&
	       !(attr->comp_mask & ~(uint32_t)IBV_CQ_INIT_ATTR_MASK_FLAGS);
}

void seguei_layer_set_cq(struct seguei_layer_cq *c, bool alone)
{
	struct ibv_cq_ex *x = (struct ibv_cq_ex *)c->cq;

	c->locks = c->locks && !alone;
	c->extended = *x;
	SEGUEI_LAYER_SET(x, start_poll, start_poll);
	SEGUEI_LAYER_SET(x, next_poll, next_poll);
	SEGUEI_LAYER_SET(x, end_poll, end_poll);
	SEGUEI_LAYER_SET(x, read_opcode, read_opcode);
	SEGUEI_LAYER_SET(x, read_vendor_err, read_vendor_err);
	SEGUEI_LAYER_SET(x, read_byte_len, read_byte_len);
	SEGUEI_LAYER_SET(x, read_imm_data, read_imm_data);
	SEGUEI_LAYER_SET(x, read_qp_num, read_qp_num);
	SEGUEI_LAYER_SET(x, read_src_qp, read_src_qp);
	SEGUEI_LAYER_SET(x, read_wc_flags, read_wc_flags);
	SEGUEI_LAYER_SET(x, read_slid, read_slid);
	SEGUEI_LAYER_SET(x, read_sl, read_sl);
	SEGUEI_LAYER_SET(x, read_dlid_path_bits, read_dlid_path_bits);
}
