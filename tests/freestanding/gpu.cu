/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * posts.h as device code. With nvcc this is a library for freestanding.c that posts on a GPU; clang
 * compiles the kernel alone.
 */
#include "tests/freestanding/device_code.h"
#include "tests/freestanding/elsewhere.h"

#define SEGUE_FUNCTION static inline __device__
#define SEGUE_FREESTANDING __device__

#include "tests/freestanding/polls.h"
/* behind what it goes with */
#include "segue/freestanding.h"

__global__ void posts_kernel(struct posts *posts)
{
	posts_run(posts);
}

__global__ void polls_kernel(struct polls *polls)
{
	polls_run(polls);
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

void posts_memory_free(void *memory)
{
	(void)cudaFreeHost(memory);
}

int posts_elsewhere(struct posts *posts)
{
	posts_kernel<<<1, 1>>>(posts);
	const cudaError_t launched = cudaGetLastError(), ran = cudaDeviceSynchronize();

	return launched ? (int)launched : (int)ran;
}

int polls_elsewhere(struct polls *polls)
{
	int reaches = 0;

	/* the map of the completion queue is not registered */
	if (cudaDeviceGetAttribute(&reaches, cudaDevAttrPageableMemoryAccess, 0) || !reaches)
		return -1;
	polls_kernel<<<1, 1>>>(polls);
	const cudaError_t launched = cudaGetLastError(), ran = cudaDeviceSynchronize();

	return launched ? (int)launched : (int)ran;
}
#endif
