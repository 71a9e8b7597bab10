/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * posts.h as device code. With nvcc this is a library for alone.c that posts on a GPU; clang, which
 * has no headers of CUDA or HIP here, compiles the kernel alone.
 */
#include "tests/alone/elsewhere.h"

#ifndef __CUDACC_VER_MAJOR__
#include <string.h>
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
/* The headers of CUDA and HIP declare these. */
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

#define SEGUE_FUNCTION static inline __device__
#define SEGUE_ALONE __device__

#include "tests/alone/posts.h"
/* behind what it goes with */
#include "segue/alone.h"

__global__ void posts_kernel(struct posts *posts)
{
	posts_run(posts);
}

#ifdef __CUDACC_VER_MAJOR__
void *posts_memory(size_t bytes)
{
	void *memory = nullptr;

	if (cudaHostAlloc(&memory, bytes, cudaHostAllocMapped) != cudaSuccess)
		return nullptr;
	memset(memory, 0, bytes);
	return memory;
}

int posts_elsewhere(struct posts *posts)
{
	posts_kernel<<<1, 1>>>(posts);
	const cudaError_t launched = cudaGetLastError(), ran = cudaDeviceSynchronize();

	return launched ? (int)launched : (int)ran;
}
#endif
