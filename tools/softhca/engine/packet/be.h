/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers in packets: big-endian, at any alignment. These are the short names of
 * <segue/detail/bytes.h>,
 * and 24-bit fields in addition. */
#ifndef SOFTHCA_ENGINE_BE_H
#define SOFTHCA_ENGINE_BE_H

#include <segue/detail/bytes.h>

static inline void put16(uint8_t *p, uint32_t v)
{
	segue_put_be16(p, (uint16_t)v);
}

static inline void put24(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 16);
	put16(p + 1, v);
}

static inline void put32(uint8_t *p, uint32_t v)
{
	segue_put_be32(p, v);
}

static inline void put64(uint8_t *p, uint64_t v)
{
	segue_put_be64(p, v);
}

static inline uint32_t get16(const uint8_t *p)
{
	return segue_get_be16(p);
}

static inline uint32_t get24(const uint8_t *p)
{
	return (uint32_t)p[0] << 16 | get16(p + 1);
}

static inline uint32_t get32(const uint8_t *p)
{
	return segue_get_be32(p);
}

static inline uint64_t get64(const uint8_t *p)
{
	return segue_get_be64(p);
}

#endif /* SOFTHCA_ENGINE_BE_H */
