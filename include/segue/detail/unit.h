/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Units of 16 bytes, in which a WQE is made in registers and stored whole.
 *
 * Packers write to any address, so a compiler that does not know the address must store byte by
 * byte on a GPU. Packed into units the bytes stay in registers, and leave in one store each:
 *
 *	struct segue_unit units[3];
 *
 *	segue_seg_ctrl_pack(units[0].bytes, &ctrl);
 *	segue_seg_raddr_pack(units[1].bytes, &raddr);
 *	segue_seg_data_pack(units[2].bytes, &data);
 *	segue_put_units(wqe, units, 3);
 *
 * Owner: memory is the caller's. Nothing is kept.
 * Threads: any.
 * Errors: cannot fail.
 * Source: Segue's own, PTX ISA, "st" (.v4.b32), and LLVM's AMDGPU usage (dwordx4).
 */
#ifndef SEGUE_DETAIL_UNIT_H
#define SEGUE_DETAIL_UNIT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/declaration.h"

#include "segue/detail/begin.h"

#define SEGUE_UNIT_SIZE 16

/** 16 bytes of a WQE, aligned as a place in the ring is. */
struct segue_unit {
	uint8_t bytes[SEGUE_UNIT_SIZE] __attribute__((aligned(SEGUE_UNIT_SIZE)));
};

/* The type that one instruction stores. */
#if SEGUEI_NVCC
typedef uint4 seguei_vector;
#else
typedef uint32_t seguei_vector __attribute__((vector_size(SEGUE_UNIT_SIZE), may_alias));
#endif

/**
 * segue_put_unit() - store 16 bytes at once.
 * @dst: destination, aligned to 16 bytes
 * @unit: bytes to store
 *
 * The compiler may keep the unit in registers. Cannot fail.
 */
SEGUEI_HOT_FUNCTION void segue_put_unit(void *dst, const struct segue_unit *unit)
{
	seguei_vector whole;

	memcpy(&whole, unit->bytes, sizeof(whole));
	*(seguei_vector *)dst = whole;
}

/**
 * segue_put_units() - store a WQE, or a part of one.
 * @dst: destination, aligned to 16 bytes, which does not pass the end of the ring
 * @units: bytes to store
 * @count: number of units. If the compiler knows it, all stay in registers
 */
SEGUEI_HOT_FUNCTION void segue_put_units(void *dst, const struct segue_unit *units, size_t count)
{
	struct segue_unit *const to = (struct segue_unit *)dst;
	size_t i;

	for (i = 0; i < count; i++)
		segue_put_unit(&to[i], &units[i]);
}

/*
 * Packs a segment of one unit at an aligned place. A GPU packs it in registers, and stores it by
 * one instruction.
 */
#if SEGUEI_GPU
#define SEGUEI_PACK_UNIT(pack, place, value)     \
	do {                                     \
		struct segue_unit packed_;       \
		pack(packed_.bytes, value);      \
		segue_put_unit(place, &packed_); \
	} while (0)
#else
#define SEGUEI_PACK_UNIT(pack, place, value) pack(place, value)
#endif

#include "segue/detail/end.h"

#endif
