/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stores that the device sees, and the order in which it sees them.
 *
 * The device reads three things: WQEs and doorbell records in ordinary memory, by DMA, and doorbell
 * registers in a page of its own, which the CPU maps write-combining. The name of a barrier is the
 * order that it makes, not the way in which a CPU makes it. Barriers order the stores of one
 * thread. Queues belong to one thread at a time.
 *
 * Owner: none.
 * Threads: any.
 * Errors: none.
 * Source: rdma-core util/udma_barrier.h for the places of barriers and for dsb before a register.
 * UCX src/ucs/arch/aarch64/cpu.h for dmb, which is enough between accesses to memory (rdma-core has
 * it since version 55, and dsb before). GPUs: see the comment at SEGUEI_GPU_RELEASE.
 */
#ifndef SEGUE_DETAIL_MMIO_H
#define SEGUE_DETAIL_MMIO_H

#include <stdint.h>
#include <string.h>

#include "segue/detail/compiler.h"

#include "segue/detail/begin.h"

/*
 * The fences of a GPU's thread. One orders the WQE before its record, one the record before the
 * doorbell. None stands after the doorbell.
 *
 * Order: PTX ISA, "Memory Consistency Model": a fence.acq_rel between two stores, the second of
 * them relaxed or stronger ("st.volatile" is relaxed at the scope of the system), is a release
 * pattern, so that an observer of the second one also observes the first. LLVM's AMDGPU usage,
 * "Memory Model": a release fence writes back the caches of its scope and waits until all earlier
 * stores have arrived. WQE, record and doorbell need nothing more of each other. No store after the
 * doorbell must be kept apart from it: the register is not write-combined by the thread, volatile
 * stores of one thread to one address keep their order, and the two fences of the next post stand
 * between this doorbell and the next one. A fence there would wait for the device to take the
 * store. NVSHMEM (IBGDA), DeepEP and DOCA GPUNetIO have none, either.
 *
 * Scope: neither model mentions a network card. The scope of the system covers the other processors
 * on the bus, and so ring, record and payload in the host's memory. If all of these lie in the
 * GPU's own memory, the card reads them through the GPU's last cache, where the GPU's own scope
 * ends. NVSHMEM, DeepEP and DOCA use that scope there. Payload counts that a thread of the GPU
 * writes before it posts: with the narrow scope, the card may read memory of the host or of another
 * GPU before the payload is there. The program knows where they lie, and it is the same for all
 * queues of a kernel: SEGUE_RINGS_ON_GPU is 1 for the GPU's own memory. Define it before any header
 * of Segue. Its default is 0. The register is on the other side of the bus in both cases.
 */
#ifndef SEGUE_RINGS_ON_GPU
#define SEGUE_RINGS_ON_GPU 0
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700 && SEGUE_RINGS_ON_GPU
#define SEGUEI_GPU_RELEASE() __asm__ volatile("fence.acq_rel.gpu;" ::: "memory")
#define SEGUEI_GPU_ACQUIRE() SEGUEI_GPU_RELEASE()
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define SEGUEI_GPU_RELEASE() __asm__ volatile("fence.acq_rel.sys;" ::: "memory")
#define SEGUEI_GPU_ACQUIRE() SEGUEI_GPU_RELEASE()
#elif defined(__CUDA_ARCH__) && SEGUE_RINGS_ON_GPU
#define SEGUEI_GPU_RELEASE() __asm__ volatile("membar.gl;" ::: "memory")
#define SEGUEI_GPU_ACQUIRE() SEGUEI_GPU_RELEASE()
#elif defined(__CUDA_ARCH__) /* older than fences with a scope */
#define SEGUEI_GPU_RELEASE() __asm__ volatile("membar.sys;" ::: "memory")
#define SEGUEI_GPU_ACQUIRE() SEGUEI_GPU_RELEASE()
#elif defined(__AMDGCN__) && SEGUE_RINGS_ON_GPU
#define SEGUEI_GPU_RELEASE() __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent")
#define SEGUEI_GPU_ACQUIRE() __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent")
#elif defined(__AMDGCN__)
#define SEGUEI_GPU_RELEASE() __builtin_amdgcn_fence(__ATOMIC_RELEASE, "")
#define SEGUEI_GPU_ACQUIRE() __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "")
#endif

/* ThreadSanitizer does not know the device, through which threads are ordered, too. */
#if defined(__SANITIZE_THREAD__)
#define SEGUEI_THREADS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SEGUEI_THREADS_SANITIZED 1
#endif
#endif

#ifdef SEGUEI_THREADS_SANITIZED
void __tsan_acquire(void *);
void __tsan_release(void *);
#endif

/*
 * Loads and stores of an index that one thread moves after it has read the data there. Another
 * thread reads the index before it writes there. x86-64 does no store before an earlier load (Intel
 * SDM 8.2.2), so only the compiler must be held. The macros name the place or the value that was
 * read. On GPUs a queue has one side.
 */
#if SEGUEI_GPU || SEGUEI_NVCC
#define SEGUEI_WAS_READ(place)		       ((void)0)
#define SEGUEI_SHOW(index, value)	       ((void)(*(index) = (value)))
#define SEGUEI_SHOW_NEXT(queue, index, loaded) ((void)(loaded), (void)++(queue)->index)
#define SEGUEI_SEEN(index)		       (*(index))
#elif defined(__x86_64__) && !defined(SEGUEI_THREADS_SANITIZED)
#define SEGUEI_WAS_READ(place)	  __asm__ volatile("" : "+m"(*(uint64_t *)(uintptr_t)(place)))
#define SEGUEI_SHOW(index, value) seguei_store32(index, value)
#define SEGUEI_SHOW_NEXT(queue, index, loaded)           \
	do {                                             \
		__asm__("" : "+r"(queue) : "r"(loaded)); \
		(queue)->index++;                        \
	} while (0)
#define SEGUEI_SEEN(index) __atomic_load_n(index, __ATOMIC_ACQUIRE)
#else
#define SEGUEI_WAS_READ(place)	  ((void)0)
#define SEGUEI_SHOW(index, value) __atomic_store_n(index, value, __ATOMIC_RELEASE)
#define SEGUEI_SHOW_NEXT(queue, index, loaded) \
	((void)(loaded), SEGUEI_SHOW(&(queue)->index, (queue)->index + 1))
#define SEGUEI_SEEN(index) __atomic_load_n(index, __ATOMIC_ACQUIRE)
#endif

/*
 * Shows ThreadSanitizer an order through the device: stores before a request's doorbell are visible
 * to the thread that reads its completion. @queue: identifies the queue
 */
SEGUEI_HOT_FUNCTION void seguei_device_is_told(void *queue)
{
	(void)queue;
#ifdef SEGUEI_THREADS_SANITIZED
	__tsan_release(queue);
#endif
}

SEGUEI_HOT_FUNCTION void seguei_device_said(void *queue)
{
	(void)queue;
#ifdef SEGUEI_THREADS_SANITIZED
	__tsan_acquire(queue);
#endif
}

/*
 * Makes the device see earlier stores to memory before later stores to memory. It stands between a
 * WQE and its doorbell record: a record that arrives first makes the device read a WQE that is not
 * there yet. x86-64 keeps stores in order by itself, so only the compiler must be held back. arm64
 * does not.
 */
SEGUEI_HOT_FUNCTION void seguei_order_memory_stores(void)
{
#if SEGUEI_GPU
	SEGUEI_GPU_RELEASE();
#elif defined(__x86_64__)
	__asm__ volatile("" ::: "memory");
#elif defined(__aarch64__)
	__asm__ volatile("dmb oshst" ::: "memory");
#else
#error "segue/detail/mmio.h does not know how this architecture orders stores for a device"
#endif
}

/**
 * segue_order_stores() - make the device see earlier stores to memory before later ones
 *
 * For memory that the device reads by itself. For example, a request that waits for data
 * (segue_wait_on_data()) starts when a word has been stored: store the payload first, then call
 * this, then store the word. Posting and ringing order their own stores. Only stores of the calling
 * thread are ordered. A fence of C11 is not enough on arm64, because it orders stores for CPUs, not
 * for devices. Source: udma_to_device_barrier() of rdma-core's util/udma_barrier.h.
 */
SEGUE_FUNCTION void segue_order_stores(void)
{
	seguei_order_memory_stores();
}

/*
 * Makes the device see earlier stores to memory before later stores to its registers. It stands
 * between the doorbell record and the doorbell. x86-64: ordinary stores keep their order among
 * themselves, but write-combining stores do not (Intel SDM volume 3, "Buffering of Write Combining
 * Memory Locations"), so rdma-core (mmio_wc_start()) and UCX (ucs_memory_bus_store_fence()) have an
 * sfence here, too. A doorbell that overtakes its record is a doorbell lost.
 */
SEGUEI_HOT_FUNCTION void seguei_order_memory_before_register(void)
{
#if SEGUEI_GPU
	SEGUEI_GPU_RELEASE();
#elif defined(__x86_64__)
	__asm__ volatile("sfence" ::: "memory");
#elif defined(__aarch64__)
	__asm__ volatile("dsb st" ::: "memory");
#endif
}

/*
 * Makes earlier stores to registers leave the CPU now, not merged with later ones. It stands after
 * a doorbell: a write-combining buffer may hold the store back for any time, and a second doorbell
 * to the same place would replace it. GPUs need nothing here: see SEGUEI_GPU_RELEASE.
 */
SEGUEI_HOT_FUNCTION void seguei_flush_register_stores(void)
{
#if !SEGUEI_GPU
	seguei_order_memory_before_register();
#endif
}

/*
 * Makes later loads see everything that the device wrote before the value of the earlier load. It
 * stands between a CQE's owner bit and the rest of the CQE and its data. x86-64 does not reorder
 * loads of ordinary memory (Intel SDM 8.2.2), so only the compiler must be held. libmlx5 issues an
 * lfence here, UCX and DPDK do not.
 */
SEGUEI_HOT_FUNCTION void seguei_order_memory_loads(void)
{
#if SEGUEI_GPU
	SEGUEI_GPU_ACQUIRE();
#elif defined(__x86_64__)
	__asm__ volatile("" ::: "memory");
#elif defined(__aarch64__)
	__asm__ volatile("dmb oshld" ::: "memory");
#endif
}

/* Stores a 32-bit word, already in big-endian order, for the device: once, and whole. */
SEGUEI_HOT_FUNCTION void seguei_store32(volatile void *to, uint32_t big_endian)
{
#ifdef __AMDGCN__ /* a wave waits behind each volatile store, until it has arrived */
	__hip_atomic_store((volatile uint32_t *)to, big_endian, __ATOMIC_RELAXED,
			   __HIP_MEMORY_SCOPE_SYSTEM);
#else
	*(volatile uint32_t *)to = big_endian;
#endif
}

/*
 * Stores a 64-bit word, already in big-endian order, to a doorbell register: one transaction, also
 * beside other threads' to the same register.
 */
SEGUEI_HOT_FUNCTION void seguei_store64(volatile void *to, uint64_t big_endian)
{
#ifdef SEGUEI_THREADS_SANITIZED /* threads share registers */
	__atomic_store_n((volatile uint64_t *)to, big_endian, __ATOMIC_RELAXED);
#elif defined(__AMDGCN__)
	__hip_atomic_store((volatile uint64_t *)to, big_endian, __ATOMIC_RELAXED,
			   __HIP_MEMORY_SCOPE_SYSTEM);
#else
	*(volatile uint64_t *)to = big_endian;
#endif
}

/*
 * Copies 64 bytes to a BlueFlame register in address order, in stores that the device may see
 * combined.
 */
SEGUEI_HOT_FUNCTION void seguei_store_block(volatile void *to, const void *from)
{
	const uint8_t *src = (const uint8_t *)from;
	volatile uint64_t *dst = (volatile uint64_t *)to;

#if !SEGUEI_NVCC
#pragma GCC unroll 8 /* avoids both a string instruction and a loop */
#endif
	for (int i = 0; i < 8; i++) {
		uint64_t word;

		memcpy(&word, src + 8 * i, sizeof(word));
		dst[i] = word;
	}
}

#include "segue/detail/end.h"

#endif
