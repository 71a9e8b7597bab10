/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * State of a send queue that lanes fill: of segue/gpu/queue.h (mlx5), or segue/gpu/slots.h (devices
 * with `rings`). What they do with it is in turns.h.
 *
 * Owner: all memory is the host's. Threads: any, as turns.h orders them. Errors: none.
 * Source: none; the device's file names its own.
 */
#ifndef SEGUE_GPU_STATE_H
#define SEGUE_GPU_STATE_H

#include <errno.h>
#include <string.h>

#include "segue/detail/bytes.h"
#include "segue/detail/unit.h"
#include "segue/gpu/atomic.h"

#ifndef SEGUE_GPU_PAUSE
#if SEGUEI_GPU || SEGUEI_NVCC || defined(__HIP__)
#define SEGUE_GPU_PAUSE() ((void)0)
#else
#include <sched.h>
#define SEGUE_GPU_PAUSE() ((void)sched_yield())
#endif
#endif

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/* Flag in `ready`: a lane has the turn. Flag in `error`: a request has failed. */
#define SEGUEI_GPU_TOP (UINT64_C(1) << 63)

/**
 * Largest ring. Completions count modulo 65536. Half of that range distinguishes old completions
 * from new ones.
 */
#define SEGUE_GPU_BLOCKS_MAX 32768u

/** A queue, in memory that lanes and host reach. Addresses are those of the lanes. */
struct segue_gpu_queue {
	/* set by the program before segue_gpu_init() */
	uint8_t *ring;		   /* aligned to 64 bytes */
	volatile uint32_t *record; /* send half of the doorbell record */
	volatile uint64_t *reg;	   /* doorbell register */
	/* entries of the completion queue; those of mlx5 are invalid as libmlx5 marks them */
	uint8_t *entries;
	/* consumer half of its doorbell record. NULL: it may overrun */
	volatile uint32_t *entry_record;
	uint64_t blocks;      /* blocks of the ring, a power of two */
	uint64_t entry_count; /* a power of two, at least `blocks`. 0: collapsed, one entry */
	uint64_t entry_size;  /* 64 or 128 bytes */
	uint64_t first;	      /* index of the first block to reserve */
	uint64_t consumed;    /* entries consumed so far */
	uint32_t qpn;	      /* queue pair number */

	/* also set by the program, for rings of segue/gpu/slots.h */
	uint64_t block_size;	      /* bytes from one entry to the next, or 16 for its slots */
	uint64_t bell, entry_bell;    /* constant part of the doorbells, as in memory */
	volatile uint64_t *entry_reg; /* doorbell of the completion queue; NULL: it needs none */
	uint64_t batch;		      /* most entries for one doorbell, EFA's max_batch; 0: any */
	uint64_t *finished;	      /* a bit for each block, in words of 64 */
	uint8_t *messages; /* packet numbers, 8 bytes for each entry or two slots; NULL: none */
	uint32_t psn, mtu; /* the next packet's number, and bytes of a packet */
	uint64_t numbered, passed; /* with slots: requests posted and completed so far */

	/*
	 * Members of the queue itself: counts of blocks. Those that lanes write have cache lines of
	 * their own.
	 */
	uint64_t reserved __attribute__((aligned(64)));
	uint64_t ready __attribute__((aligned(64))); /* published */
	uint64_t told;				     /* rung: the device was notified of them */
	uint64_t done __attribute__((aligned(64)));  /* completed */
	uint64_t error, error_index;		     /* of the first failed request */
	uint64_t polling __attribute__((aligned(64)));
};

/** The first request that failed. In a collapsed queue, a flushed request may overwrite it. */
struct segue_gpu_error {
	uint64_t index; /* index of its first block */
	uint32_t qpn;
	uint8_t syndrome;	 /* enum segue_cqe_syndrome */
	uint8_t vendor_syndrome; /* as ibv_wc.vendor_err */
};

/* What completed before the failure is in `done` after this. */
SEGUEI_HOT_FUNCTION bool seguei_gpu_has_failed(const struct segue_gpu_queue *q)
{
	return (int32_t)(seguei_gpu_load(&q->error, true) >> 32) < 0;
}

/*
 * Keeps the first failure: the request at `index`, and its syndromes as `error` has them. All
 * requests before `done` have completed.
 */
SEGUEI_HOT_FUNCTION void seguei_gpu_fail(struct segue_gpu_queue *q, uint64_t done, uint64_t index,
					 uint32_t syndromes)
{
	/* a wait for an earlier request ends */
	seguei_gpu_store(&q->done, done, SEGUE_GPU_ALL);
	seguei_gpu_store(&q->error_index, index, SEGUE_GPU_ONE);
	seguei_gpu_fence_for_host(); /* it may read at any time, wherever rings are */
	seguei_gpu_store(&q->error, SEGUEI_GPU_TOP | syndromes, SEGUE_GPU_ALL);
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
