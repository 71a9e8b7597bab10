/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw device commands for test programs: positions are the first bit from the start, and the width.
 */
#ifndef SOFTHCA_TESTS_PRM_LIB_H
#define SOFTHCA_TESTS_PRM_LIB_H

#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/softhca/clients/check.h"

struct command {
	uint8_t in[1024], out[1024];
	size_t in_len, out_len;
};

static inline void set(struct command *c, unsigned int at, unsigned int width, uint64_t value)
{
	for (unsigned int i = 0; i < width; i++) {
		unsigned int bit = at + width - 1 - i;
		uint8_t mask = (uint8_t)(0x80 >> bit % 8);

		if (value >> i & 1)
			c->in[bit / 8] |= mask;
		else
			c->in[bit / 8] &= (uint8_t)~mask;
	}
}

static inline uint64_t get(const uint8_t *bytes, unsigned int at, unsigned int width)
{
	uint64_t value = 0;

	for (unsigned int i = at; i < at + width; i++)
		value = value << 1 | (bytes[i / 8] >> (7 - i % 8) & 1);
	return value;
}

static inline struct command command(uint16_t opcode, size_t in_bits, size_t out_bits)
{
	struct command c = {.in_len = in_bits / 8, .out_len = out_bits / 8};

	set(&c, 0, 16, opcode);
	return c;
}

static inline uint32_t number_in(const struct command *c)
{
	return (uint32_t)get(c->out, 0x48, 24);
}

static inline struct mlx5dv_devx_obj *create(struct ibv_context *ctx, struct command *c)
{
	memset(c->out, 0, sizeof(c->out));
	errno = 0;
	return mlx5dv_devx_obj_create(ctx, c->in, c->in_len, c->out, c->out_len);
}

/* The device itself refuses, with this status. */
static inline void refused(struct ibv_context *ctx, struct command *c, uint8_t status)
{
	CHECK_NULL(create(ctx, c), EREMOTEIO);
	if (c->out[0] != status) {
		fprintf(stderr, "status 0x%x, expected 0x%x\n", c->out[0], status);
		failures++;
	}
}

#endif
