/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The same requests, drawn from a seed, wherever this is compiled: with the library, without it, on
 * a GPU. What a queue then holds must be the same.
 */
#ifndef SEGUE_TESTS_ALONE_POSTS_H
#define SEGUE_TESTS_ALONE_POSTS_H

#include "segue/gen/builders.h"

#define POSTS        20000
#define POSTS_INLINE 256
#define POSTS_NONE   1000 /* no completion came */

struct posts {
	struct segue_rc_sq sq;
	uint64_t seed;
	uint8_t payload[POSTS_INLINE];
	int32_t result[POSTS];  /* of each post */
	int32_t retired[POSTS]; /* and of the completion behind it, or POSTS_NONE */
	uint64_t wr_id[POSTS];
	uint32_t at[POSTS];     /* where it begins */
};

SEGUE_FUNCTION uint32_t posts_draw(struct posts *p, uint32_t below)
{
	/* splitmix64, as in tests/seed/dice.h, which is no C */
	uint64_t z = p->seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ z >> 31) % below);
}

/* Three pieces; of the last one the length may be too large for its field. */
SEGUE_FUNCTION int posts_pieces(struct posts *p, uint64_t wr_id, uint32_t flags)
{
	const uint32_t length = posts_draw(p, 20) ? posts_draw(p, 1u << 31) : UINT32_MAX;

	return segue_post(segue_sge(
		segue_sge(segue_sge(segue_raddr(segue_rdma_write(&p->sq, wr_id, flags), 0x1000, 5),
				    0x2000, 64, 9),
			  0x3000, posts_draw(p, 100), 8),
		0x4000, length, 7));
}

/* The next request waits for it. */
SEGUE_FUNCTION int posts_local_inv(struct posts *p, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_local_inv_args args;

	memset(&args, 0, sizeof(args));
	args.wr_id = wr_id;
	args.flags = flags;
	args.invalidate_rkey = posts_draw(p, 1u << 20);
	return segue_post_local_inv(&p->sq, &args);
}

SEGUE_FUNCTION int posts_one(struct posts *p, uint64_t wr_id)
{
	const uint32_t flags = posts_draw(p, 4) ? 0 : SEGUE_SIGNALED;
	const uint32_t length = posts_draw(p, POSTS_INLINE + 1);

	switch (posts_draw(p, 8)) {
	case 0:
		return posts_pieces(p, wr_id, flags);
	case 1:
		return segue_post(segue_inline_data(
			segue_raddr(segue_rdma_write(&p->sq, wr_id, flags), 0x1000, 5), p->payload,
			length));
	case 2:
		return segue_commit(segue_sge(
			segue_raddr(segue_rdma_read(&p->sq, wr_id, flags), wr_id, 5), 0x2000,
			length, 9));
	case 3:
		return segue_post(segue_inline_data(
			segue_send_imm(&p->sq, wr_id, flags, (uint32_t)wr_id), p->payload, 28));
	case 4:
		return segue_post(segue_sge(
			segue_atomic_add(segue_raddr(segue_atomic_fa(&p->sq, wr_id, flags), 0x1000,
						     5),
					 wr_id),
			0x2000, 8, 9));
	case 5:
		return posts_local_inv(p, wr_id, flags);
	case 6:
		return segue_post_blueflame(segue_sge(segue_send(&p->sq, wr_id, flags), 0x2000,
						      length, 9));
	default: /* flags that it does not take, now and then */
		return segue_post(segue_sge(
			segue_send(&p->sq, wr_id, posts_draw(p, 50) ? flags : 1u << 30), 0x2000,
			length, 9));
	}
}

/* A completion of one that is in flight, and at times of one that is not. */
SEGUE_FUNCTION int posts_complete(struct posts *p, uint32_t *first, uint32_t behind)
{
	if (!posts_draw(p, 100))
		return segue_sq_retire(&p->sq.sq, (uint16_t)posts_draw(p, 1u << 16),
				       &p->wr_id[behind - 1]);
	while (*first < behind && p->result[*first])
		++*first;
	if (*first == behind || posts_draw(p, 60))
		return POSTS_NONE;
	*first += posts_draw(p, behind - *first);
	while (p->result[*first]) /* the first one was posted */
		--*first;
	return segue_sq_retire(&p->sq.sq, (uint16_t)p->at[*first], &p->wr_id[behind - 1]);
}

SEGUE_FUNCTION void posts_run(struct posts *p)
{
	uint32_t first = 0, i;

	for (i = 0; i < POSTS; i++) {
		p->at[i] = p->sq.sq.pi;
		p->result[i] = posts_one(p, i);
		p->retired[i] = posts_complete(p, &first, i + 1);
		if (p->retired[i] == 0 || p->retired[i] == 1)
			first++;
		if (!posts_draw(p, 30))
			segue_ring_doorbell(&p->sq);
	}
}

#endif
