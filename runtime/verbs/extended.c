/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibv_start_poll() and its kind: the entry in hand is an ibv_wc of the second queue, or libmlx5's.
 *
 * Source: rdma-core providers/mlx5/cq.c (mlx5_start_poll(), mlx5_next_poll(), mlx5_end_poll()).
 */
#define _GNU_SOURCE
#include <errno.h>

#include "runtime/verbs/layer.h"

/* Takes the next entry of the second queue. Returns 0, ENOENT, or libmlx5's number of an error. */
static int take(struct seguei_layer_cq *c, struct ibv_cq_ex *x)
{
	const int got = seguei_layer_poll_second(c, 1, &c->entry);

	if (got <= 0)
		return got ? -got : ENOENT;
	x->wr_id = c->entry.wr_id;
	x->status = c->entry.status;
	if (!(c->entry.opcode & IBV_WC_RECV)) /* libmlx5 has no flags here for sends */
		c->entry.wc_flags = 0;
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

/* Readers of members of an ibv_wc, after which they are named. */
#define MEMBERS(each)                                                                         \
	each(opcode) each(vendor_err) each(byte_len) each(imm_data) each(qp_num) each(src_qp) \
		each(wc_flags) each(slid) each(sl) each(dlid_path_bits)
#define RESULT(member) __typeof__(((struct ibv_cq_ex *)NULL)->read_##member(NULL))
#define READ(member)                                                                \
	static RESULT(member) read_##member(struct ibv_cq_ex *x)                    \
	{                                                                           \
		struct seguei_layer_cq *c = seguei_layer_find(x);                   \
                                                                                    \
		return c->in_mlx5 ? c->extended.read_##member(x) : c->entry.member; \
	}
MEMBERS(READ)

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
#define SET(member) SEGUEI_LAYER_SET(x, read_##member, read_##member);
	MEMBERS(SET)
}
