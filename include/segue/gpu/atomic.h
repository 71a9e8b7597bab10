/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters that lanes of a GPU, or threads of a host, share.
 *
 * On a GPU loads and exchanges are relaxed. A fence after one makes an acquire pattern, and a fence
 * before one a release pattern. On the host each operation has the memory order of its fence.
 *
 * Owner: memory is the caller's. Threads: any. Errors: cannot fail.
 * Source: PTX ISA, "Memory Consistency Model"; LLVM's AMDGPU usage, "Memory Model".
 */
#ifndef SEGUE_GPU_ATOMIC_H
#define SEGUE_GPU_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/detail/compiler.h"
#include "segue/detail/mmio.h"

/** Lanes that use a queue. Each call gets the same constant. */
enum segue_gpu_share {
	SEGUE_GPU_ONE,	 /* one lane, without atomics */
	SEGUE_GPU_BLOCK, /* lanes of one block (workgroup) */
	SEGUE_GPU_ALL,	 /* lanes of all blocks, or threads of a host */
};

#if defined(__CUDA_ARCH__)
/* An instruction with a global address, %1. Shared memory would need other instructions. */
#define SEGUEI_GPU_PTX(instruction, operands, ...)                                             \
	__asm__ volatile("{.reg .u64 at; cvta.to.global.u64 at, %1; " instruction " " operands \
			 ";}" __VA_ARGS__                                                      \
			 : "memory")
#define SEGUEI_GPU_LD(how, to, from) \
	SEGUEI_GPU_PTX("ld." how ".global.u64", "%0, [at]", : "=l"(to) : "l"(from))
#define SEGUEI_GPU_ST(how, to, value) \
	SEGUEI_GPU_PTX("st." how ".global.u64", "[at], %0", ::"l"(value), "l"(to))
#define SEGUEI_GPU_ATOM(how, operands, ...) \
	SEGUEI_GPU_PTX("atom.relaxed." how, "%0, [at], " operands, : "=l"(before) : __VA_ARGS__)
#elif defined(__AMDGCN__)
#define SEGUEI_GPU_ATOMIC(op, host, ...) __hip_atomic_##op(__VA_ARGS__, __HIP_MEMORY_SCOPE_AGENT)
#else
#define SEGUEI_GPU_ATOMIC(op, host, ...) __atomic_##host(__VA_ARGS__)
#endif

/* The value of a counter. With `acquire`, all that precedes its store is visible after this. */
SEGUEI_HOT_FUNCTION uint64_t seguei_gpu_load(const uint64_t *from, bool acquire)
{
#if defined(__CUDA_ARCH__)
	uint64_t value;

	if (acquire)
		SEGUEI_GPU_LD("acquire.gpu", value, from);
	else
		SEGUEI_GPU_LD("relaxed.gpu", value, from);
	return value;
#else
	return SEGUEI_GPU_ATOMIC(load, load_n, from,
				 acquire || !SEGUEI_GPU ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED);
#endif
}

/*
 * A word that the device writes. All that the device wrote before the word is visible after this.
 */
SEGUEI_HOT_FUNCTION uint32_t seguei_gpu_load_device(const uint32_t *from)
{
#if SEGUEI_GPU
	const volatile uint32_t *const here = from;
	const uint32_t word = *here;

	seguei_order_memory_loads();
	return word;
#else
	return __atomic_load_n(from, __ATOMIC_ACQUIRE);
#endif
}

/* Orders earlier loads and stores of the lane before later ones. */
SEGUEI_HOT_FUNCTION void seguei_gpu_fence(enum segue_gpu_share share)
{
#if defined(__CUDA_ARCH__)
	if (share == SEGUE_GPU_ALL)
		__asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
	else
		__asm__ volatile("fence.acq_rel.cta;" ::: "memory");
#elif defined(__AMDGCN__)
	__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent");
#endif
	(void)share;
}

/* Orders earlier stores of the lane before later ones, for the host as well. */
SEGUEI_HOT_FUNCTION void seguei_gpu_fence_for_host(void)
{
#if defined(__CUDA_ARCH__)
	__asm__ volatile("fence.acq_rel.sys;" ::: "memory");
#elif defined(__AMDGCN__)
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
#else
	seguei_order_memory_stores();
#endif
}

/*
 * Stores a counter after all earlier loads and stores of the lane. For one lane alone there is no
 * order.
 */
SEGUEI_HOT_FUNCTION void seguei_gpu_store(uint64_t *to, uint64_t value, enum segue_gpu_share share)
{
#if defined(__CUDA_ARCH__)
	if (share == SEGUE_GPU_ONE)
		SEGUEI_GPU_ST("relaxed.gpu", to, value);
	else if (share == SEGUE_GPU_ALL)
		SEGUEI_GPU_ST("release.gpu", to, value);
	else
		SEGUEI_GPU_ST("release.cta", to, value);
#else
	SEGUEI_GPU_ATOMIC(store, store_n, to, value,
			  share == SEGUE_GPU_ONE ? __ATOMIC_RELAXED : __ATOMIC_RELEASE);
#endif
}

/* Adds without an order, and returns the value before. */
SEGUEI_HOT_FUNCTION uint64_t seguei_gpu_add(uint64_t *to, uint64_t more, enum segue_gpu_share share)
{
	uint64_t before;

	if (share == SEGUE_GPU_ONE) {
		*to += more;
		return *to - more;
	}
#if defined(__CUDA_ARCH__)
	if (share == SEGUE_GPU_ALL)
		SEGUEI_GPU_ATOM("gpu.global.add.u64", "%2", "l"(to), "l"(more));
	else
		SEGUEI_GPU_ATOM("cta.global.add.u64", "%2", "l"(to), "l"(more));
#else
	before = SEGUEI_GPU_ATOMIC(fetch_add, fetch_add, to, more, __ATOMIC_RELAXED);
#endif
	return before;
}

/* Stores `next` if the value is `now`. Returns true if it was. */
SEGUEI_HOT_FUNCTION bool seguei_gpu_swap(uint64_t *at, uint64_t now, uint64_t next,
					 enum segue_gpu_share share)
{
#if defined(__CUDA_ARCH__)
	uint64_t before;

	if (share == SEGUE_GPU_ALL)
		SEGUEI_GPU_ATOM("gpu.global.cas.b64", "%2, %3", "l"(at), "l"(now), "l"(next));
	else
		SEGUEI_GPU_ATOM("cta.global.cas.b64", "%2, %3", "l"(at), "l"(now), "l"(next));
	return before == now;
#elif defined(__AMDGCN__)
	(void)share;
	return __hip_atomic_compare_exchange_strong(at, &now, next, __ATOMIC_RELAXED,
						    __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
	(void)share;
	return __atomic_compare_exchange_n(at, &now, next, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
#endif
}

/* A word that the device reads, stored after all earlier stores. */
SEGUEI_HOT_FUNCTION void seguei_gpu_record(volatile uint32_t *to, uint32_t big_endian)
{
#ifdef SEGUEI_THREADS_SANITIZED /* ThreadSanitizer does not know barriers */
	__atomic_store_n(to, big_endian, __ATOMIC_RELEASE);
#else
	seguei_order_memory_stores();
	seguei_store32(to, big_endian);
#endif
}

/* The doorbell, stored after the doorbell record. In CUDA with the scope of mmio.h's fences. */
SEGUEI_HOT_FUNCTION void seguei_gpu_doorbell(volatile uint64_t *to, uint64_t big_endian)
{
#ifdef SEGUEI_THREADS_SANITIZED
	__atomic_store_n(to, big_endian, __ATOMIC_RELEASE);
#elif defined(__CUDA_ARCH__)
	if (SEGUE_RINGS_ON_GPU)
		SEGUEI_GPU_ST("release.gpu", to, big_endian);
	else
		SEGUEI_GPU_ST("release.sys", to, big_endian);
#else
	seguei_order_memory_before_register();
	seguei_store64(to, big_endian);
	seguei_flush_register_stores();
#endif
}

/* A doorbell of 4 bytes, likewise. */
SEGUEI_HOT_FUNCTION void seguei_gpu_doorbell32(volatile uint32_t *to, uint32_t raw)
{
#ifdef SEGUEI_THREADS_SANITIZED
	__atomic_store_n(to, raw, __ATOMIC_RELEASE);
#else
	seguei_order_memory_before_register();
	seguei_store32(to, raw);
	seguei_flush_register_stores();
#endif
}
#endif
