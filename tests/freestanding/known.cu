/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of which it is known what a reader of compiled code has to find: see cubin.py. */
#include "tests/freestanding/device_code.h"

#include <stdint.h>

#define SEGUE_FUNCTION static inline __device__

#include "segue/detail/unit.h"

extern "C" __global__ void one_of_1(uint8_t *to, uint32_t value)
{
	*to = (uint8_t)value;
}

extern "C" __global__ void one_of_2(uint16_t *to, uint32_t value)
{
	*to = (uint16_t)value;
}

extern "C" __global__ void one_of_4(uint32_t *to, uint32_t value)
{
	*to = value;
}

extern "C" __global__ void one_of_8(uint64_t *to, uint64_t value)
{
	*to = value;
}

extern "C" __global__ void one_of_16(void *to, uint32_t value)
{
	struct segue_unit unit;

	memset(unit.bytes, (int)value, sizeof(unit.bytes));
	segue_put_unit(to, &unit);
}

extern "C" __global__ void one_fence(uint32_t *to, uint32_t value)
{
	*(volatile uint32_t *)to = value;
#ifdef __AMDGCN__
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
#else
	__asm__ volatile("fence.acq_rel.sys;" ::: "memory");
#endif
	*(volatile uint32_t *)(to + 1) = value;
}
