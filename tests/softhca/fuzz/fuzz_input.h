/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the fuzz targets share: taking values out of an input that ends at any byte. What is not
 * there reads as 0, so that every prefix of an input is an input.
 */
#ifndef SOFTHCA_TESTS_FUZZ_INPUT_H
#define SOFTHCA_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct fuzz_input {
	const uint8_t *data;
	size_t left;
};

/* The next `bytes` bytes as one big-endian number. */
static inline uint64_t fuzz_take(struct fuzz_input *in, size_t bytes)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bytes; i++) {
		value = value << 8 | (in->left ? *in->data : 0u);
		if (in->left) {
			in->data++;
			in->left--;
		}
	}
	return value;
}

static inline uint8_t fuzz_u8(struct fuzz_input *in)
{
	return (uint8_t)fuzz_take(in, 1);
}

static inline uint16_t fuzz_u16(struct fuzz_input *in)
{
	return (uint16_t)fuzz_take(in, 2);
}

static inline uint32_t fuzz_u32(struct fuzz_input *in)
{
	return (uint32_t)fuzz_take(in, 4);
}

static inline uint64_t fuzz_u64(struct fuzz_input *in)
{
	return fuzz_take(in, 8);
}

/* Fills all of `buf`: with what is left of the input, then zeros. */
static inline void fuzz_bytes(struct fuzz_input *in, void *buf, size_t len)
{
	size_t n = in->left < len ? in->left : len;

	memset(buf, 0, len);
	if (!n)
		return;
	memcpy(buf, in->data, n);
	in->data += n;
	in->left -= n;
}

#endif
