/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Big- and little-endian loads and stores at any alignment.
 *
 * Each is one byte swap and one memcpy. gcc and clang turn that into a single bswap (or movbe) and
 * a single move, but not a store written byte by byte. The compiler knows the byte order of the
 * host, so no system header and no feature macro is needed. This is the only file that may swap
 * bytes. Generated packers depend on it and on segue/detail/declaration.h alone. Compilers of CUDA
 * have no such builtins in device code, or none that is cheap, and make ten instructions of shifts.
 * There, a swap is the GPU's permutation of bytes (PRMT).
 *
 * Owner: memory is the caller's. Nothing is kept.
 * Threads: any.
 * Errors: cannot fail.
 * Source: the byte order of all that the device reads, mlx5dv.h (__be16, __be32, __be64).
 */
#ifndef SEGUE_DETAIL_BYTES_H
#define SEGUE_DETAIL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/declaration.h"

#if !defined(__BYTE_ORDER__)
#error "the compiler does not say its byte order"
#elif __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SEGUEI_LITTLE_ENDIAN 1
#elif __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define SEGUEI_LITTLE_ENDIAN 0
#else
#error "unknown byte order"
#endif

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/*
 * A word made of the bytes of two words. Each hexadecimal digit of `order` names one: 0 to 3 are
 * the bytes of `low`, from its lowest, 4 to 7 those of `high`. Compilers do not evaluate it for
 * constants, so clang swaps these by its builtin. A test defines it for a host.
 */
#if defined(__CUDA_ARCH__) && SEGUEI_NVCC
#define SEGUEI_PERMUTE(low, high, order) __byte_perm(low, high, order)
#elif defined(__CUDA_ARCH__)
#define SEGUEI_PERMUTE(low, high, order) ((uint32_t)__nvvm_prmt(low, high, order))
#define SEGUEI_SWAP32(v) \
	(__builtin_constant_p(v) ? __builtin_bswap32(v) : SEGUEI_PERMUTE(v, 0, 0x0123))
#endif

#ifdef SEGUEI_PERMUTE
#ifndef SEGUEI_SWAP32
#define SEGUEI_SWAP32(v) SEGUEI_PERMUTE(v, 0, 0x0123)
#endif
#define SEGUEI_SWAP16(v) ((uint16_t)SEGUEI_PERMUTE((uint32_t)(v), 0, 0x4401))
#define SEGUEI_SWAP64(v) \
	((uint64_t)SEGUEI_SWAP32((uint32_t)(v)) << 32 | SEGUEI_SWAP32((uint32_t)((v) >> 32)))
#else
#define SEGUEI_SWAP16(v) __builtin_bswap16(v)
#define SEGUEI_SWAP32(v) __builtin_bswap32(v)
#define SEGUEI_SWAP64(v) __builtin_bswap64(v)
#endif

/**
 * segue_be16() converts a value of 16 bits between the host's byte order and big-endian. Cannot
 * fail.
 */
SEGUE_FUNCTION uint16_t segue_be16(uint16_t value)
{
	return SEGUEI_LITTLE_ENDIAN ? SEGUEI_SWAP16(value) : value;
}

/** segue_be32() is the same for 32 bits. */
SEGUE_FUNCTION uint32_t segue_be32(uint32_t value)
{
	return SEGUEI_LITTLE_ENDIAN ? SEGUEI_SWAP32(value) : value;
}

/** segue_be64() is the same for 64 bits. */
SEGUE_FUNCTION uint64_t segue_be64(uint64_t value)
{
	return SEGUEI_LITTLE_ENDIAN ? SEGUEI_SWAP64(value) : value;
}

/** segue_put_be16() stores a value of 16 bits big-endian, at any alignment. */
SEGUE_FUNCTION void segue_put_be16(void *dst, uint16_t value)
{
	const uint16_t be = segue_be16(value);

	memcpy(dst, &be, sizeof(be));
}

/** segue_put_be32() stores a value of 32 bits big-endian, at any alignment. */
SEGUE_FUNCTION void segue_put_be32(void *dst, uint32_t value)
{
	const uint32_t be = segue_be32(value);

	memcpy(dst, &be, sizeof(be));
}

/*
 * Stores two big-endian words, of 8, 16 and 8 bits and of 24 and 8 bits. On a GPU one register gets
 * the 16 bits, which need no mask at its top, and the lowest bytes of both words. Each word is then
 * one permutation of that register and the rest.
 */
SEGUE_FUNCTION void seguei_put_be32_pair(void *dst, uint32_t high8, uint32_t middle16,
					 uint32_t low8, uint32_t high24, uint32_t next_low8)
{
#ifdef SEGUEI_PERMUTE
	const uint32_t shared = middle16 << 16 | next_low8 << 8 | low8;
	const uint32_t first = SEGUEI_PERMUTE(shared, high8, 0x0234);
	const uint32_t second = SEGUEI_PERMUTE(high24, shared, 0x5012);

	memcpy(dst, &first, sizeof(first));
	memcpy((uint8_t *)dst + sizeof(first), &second, sizeof(second));
#else
	segue_put_be32(dst, high8 << 24 | middle16 << 8 | low8);
	segue_put_be32((uint8_t *)dst + sizeof(uint32_t), high24 << 8 | next_low8);
#endif
}

/*
 * Stores a big-endian word of three parts, each at its place in it: 8, 16 and 8 bits. Swapped by
 * arithmetic it costs a GPU no more than by a permutation, and nothing where the parts are
 * constants, as nvcc's ptxas evaluates no permutation.
 */
SEGUE_FUNCTION void seguei_put_be32_parts(void *dst, uint32_t high8, uint32_t middle16,
					  uint32_t low8)
{
#ifdef SEGUEI_PERMUTE
	const uint32_t be = low8 << 24 | ((middle16 >> 8) * 0x10001 & 0x00ffff00) | high8 >> 24;

	memcpy(dst, &be, sizeof(be));
#else
	segue_put_be32(dst, high8 | middle16 | low8);
#endif
}

/** segue_put_be64() stores a value of 64 bits big-endian, at any alignment. */
SEGUE_FUNCTION void segue_put_be64(void *dst, uint64_t value)
{
	const uint64_t be = segue_be64(value);

	memcpy(dst, &be, sizeof(be));
}

/** segue_get_be16() loads a big-endian value of 16 bits, from any alignment. */
SEGUE_FUNCTION uint16_t segue_get_be16(const void *src)
{
	uint16_t be;

	memcpy(&be, src, sizeof(be));
	return segue_be16(be);
}

/** segue_get_be32() loads a big-endian value of 32 bits, from any alignment. */
SEGUE_FUNCTION uint32_t segue_get_be32(const void *src)
{
	uint32_t be;

	memcpy(&be, src, sizeof(be));
	return segue_be32(be);
}

/** segue_get_be64() loads a big-endian value of 64 bits, from any alignment. */
SEGUE_FUNCTION uint64_t segue_get_be64(const void *src)
{
	uint64_t be;

	memcpy(&be, src, sizeof(be));
	return segue_be64(be);
}

/** segue_or_be32() writes a prepared word with a value merged into bits that are zero in it. */
SEGUE_FUNCTION void segue_or_be32(void *dst, const void *prepared, uint32_t value)
{
	uint32_t be;

	memcpy(&be, prepared, sizeof(be));
	be |= segue_be32(value);
	memcpy(dst, &be, sizeof(be));
}

/** segue_or_be64() is the same for 64 bits. */
SEGUE_FUNCTION void segue_or_be64(void *dst, const void *prepared, uint64_t value)
{
	uint64_t be;

	memcpy(&be, prepared, sizeof(be));
	be |= segue_be64(value);
	memcpy(dst, &be, sizeof(be));
}

/**
 * segue_le16() converts a value of 16 bits between the host's byte order and little-endian. Cannot
 * fail.
 */
SEGUE_FUNCTION uint16_t segue_le16(uint16_t value)
{
	return SEGUEI_LITTLE_ENDIAN ? value : SEGUEI_SWAP16(value);
}

/** segue_le32() is the same for 32 bits. */
SEGUE_FUNCTION uint32_t segue_le32(uint32_t value)
{
	return SEGUEI_LITTLE_ENDIAN ? value : SEGUEI_SWAP32(value);
}

/** segue_le64() is the same for 64 bits. */
SEGUE_FUNCTION uint64_t segue_le64(uint64_t value)
{
	return SEGUEI_LITTLE_ENDIAN ? value : SEGUEI_SWAP64(value);
}

/** segue_put_le16() stores a value of 16 bits little-endian, at any alignment. */
SEGUE_FUNCTION void segue_put_le16(void *dst, uint16_t value)
{
	const uint16_t le = segue_le16(value);

	memcpy(dst, &le, sizeof(le));
}

/** segue_put_le32() stores a value of 32 bits little-endian, at any alignment. */
SEGUE_FUNCTION void segue_put_le32(void *dst, uint32_t value)
{
	const uint32_t le = segue_le32(value);

	memcpy(dst, &le, sizeof(le));
}

/** segue_put_le64() stores a value of 64 bits little-endian, at any alignment. */
SEGUE_FUNCTION void segue_put_le64(void *dst, uint64_t value)
{
	const uint64_t le = segue_le64(value);

	memcpy(dst, &le, sizeof(le));
}

/** segue_get_le16() loads a little-endian value of 16 bits, from any alignment. */
SEGUE_FUNCTION uint16_t segue_get_le16(const void *src)
{
	uint16_t le;

	memcpy(&le, src, sizeof(le));
	return segue_le16(le);
}

/** segue_get_le32() loads a little-endian value of 32 bits, from any alignment. */
SEGUE_FUNCTION uint32_t segue_get_le32(const void *src)
{
	uint32_t le;

	memcpy(&le, src, sizeof(le));
	return segue_le32(le);
}

/** segue_get_le64() loads a little-endian value of 64 bits, from any alignment. */
SEGUE_FUNCTION uint64_t segue_get_le64(const void *src)
{
	uint64_t le;

	memcpy(&le, src, sizeof(le));
	return segue_le64(le);
}

/**
 * segue_or_le32() stores a prepared little-endian value of 32 bits with the bits of `value` set.
 */
SEGUE_FUNCTION void segue_or_le32(void *dst, const void *prepared, uint32_t value)
{
	segue_put_le32(dst, segue_get_le32(prepared) | value);
}

/** segue_or_le64() is the same for 64 bits. */
SEGUE_FUNCTION void segue_or_le64(void *dst, const void *prepared, uint64_t value)
{
	segue_put_le64(dst, segue_get_le64(prepared) | value);
}

/** segue_is_zero() tests whether all of `len` bytes are zero. */
SEGUE_FUNCTION bool segue_is_zero(const void *src, size_t len)
{
	const uint8_t *const p = (const uint8_t *)src;
	uint8_t seen = 0;
	size_t i;

	for (i = 0; i < len; i++)
		seen = (uint8_t)(seen | p[i]);
	return seen == 0;
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
