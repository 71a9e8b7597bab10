/* SPDX-License-Identifier: BSD-2-Clause */
/* What the headers of CUDA and HIP declare, for clang, which has none of them here. */
#ifndef SEGUE_TESTS_ALONE_DEVICE_CODE_H
#define SEGUE_TESTS_ALONE_DEVICE_CODE_H

#ifndef __CUDACC_VER_MAJOR__
#include <string.h>

#define __device__ __attribute__((device))
#define __host__   __attribute__((host))
#define __global__ __attribute__((global))

extern "C" {
static inline __device__ void *memcpy(void *to, const void *from, size_t bytes)
{
	return __builtin_memcpy(to, from, bytes);
}
static inline __device__ void *memset(void *to, int byte, size_t bytes)
{
	return __builtin_memset(to, byte, bytes);
}
}
#endif

#endif
