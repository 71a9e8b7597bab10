/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The request shapes that are counted. Each is written twice: with the generated builders
 * (generated.c) and by hand (by_hand.c). Both check for room and for a sane length, keep the wr_id,
 * and never let the queue fill with unsignaled requests.
 */
#ifndef SEGUE_TESTS_SHAPES_H
#define SEGUE_TESTS_SHAPES_H

#include <stdint.h>

#include "segue/gen/builders.h"

/* What a caller has in registers. */
#define SHAPE_PARAMETERS                                                                     \
	uint64_t wr_id, uint64_t addr, uint32_t length, uint32_t lkey, uint64_t remote_addr, \
		uint32_t rkey

/* Queue handles are passed as the plain queue, so that both kinds have the same signature. */
#define SHAPES(X)            \
	X(write_1)           \
	X(write_1_commit)    \
	X(write_1_silent)    \
	X(write_blueflame)   \
	X(write_2)           \
	X(write_4)           \
	X(write_args)        \
	X(write_imm_1)       \
	X(write_inline_28)   \
	X(write_inline_any)  \
	X(read_1)            \
	X(send_1)            \
	X(send_inline_12)    \
	X(atomic_cs)         \
	X(atomic_fa)         \
	X(masked_fa64)       \
	X(nop)               \
	X(uc_write_1)        \
	X(ud_send_1)         \
	X(xrc_send_1)        \
	X(dci_write_1)       \
	X(write_16)          \
	X(write_16_batch)

#define DECLARE_SHAPE(name)                                          \
	int generated_##name(struct segue_sq *sq, SHAPE_PARAMETERS); \
	int by_hand_##name(struct segue_sq *sq, SHAPE_PARAMETERS);

SHAPES(DECLARE_SHAPE)
#undef DECLARE_SHAPE

int generated_recv_1(struct segue_rq *rq, SHAPE_PARAMETERS);
int by_hand_recv_1(struct segue_rq *rq, SHAPE_PARAMETERS);

/* One access key for the whole job, as UCX has it. */
#define SHAPE_DC_KEY 0x1ee7a330u

/* A prepared address, shared by the UD and DC shapes. */
extern struct segue_address_vector shape_ah;

/* Of one-call posts: what the compiler does not know. */
extern uint32_t shape_flags, shape_count;

#endif
