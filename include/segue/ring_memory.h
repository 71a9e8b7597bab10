/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory of the program's for the rings and doorbell records of a queue pair or a completion queue:
 * pinned memory, or a GPU's. segue_qp_lend() (segue/gpu/lend.h) describes such rings to lanes.
 *
 * Queues in it are made by raw commands (DEVX), with the limits of compress_enhanced
 * (segue/cq.h).
 *
 * Owner: the program, which keeps the memory until the queue is closed. Threads: any.
 * Errors: those of the call that opens the queue.
 * Source: mlx5dv_devx_umem_reg_ex(3); Linux drivers/infiniband/hw/mlx5/devx.c (devx_umem_get()).
 */
#ifndef SEGUE_RING_MEMORY_H
#define SEGUE_RING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/detail/begin.h"

struct segue_cq_options;
struct segue_device;
struct segue_qp_options;

/** Bytes of the doorbell record, which comes last in the memory. */
#define SEGUE_RING_RECORD_BYTES 64

/** Memory of a queue. Not kept, but the memory that it names is. */
struct segue_ring_memory {
	/* start of a page of 4096 bytes. An address of this process, or with lanes_only of lanes */
	void *start;
	size_t bytes; /* at least segue_qp_ring_bytes() or segue_cq_ring_bytes() */
	/*
	 * this process does not reach the memory and never touches it. The queue pair then has no
	 * receives, the completion queue is collapsed, and both are for segue_qp_lend() alone.
	 * Before the queue is opened, the program zeroes the memory of a queue pair. In that of a
	 * completion queue it sets all bytes to 0xff, and the record to 0. It does so again after
	 * each segue_qp_reset(), before it connects the queue pair
	 */
	bool lanes_only;
	/*
	 * the device reaches the memory through this descriptor, dmabuf_offset bytes from its
	 * beginning, at a page. Otherwise it does at `start`, which for a GPU's memory needs a
	 * driver of its vendor (nvidia-peermem)
	 */
	bool use_dmabuf;
	int dmabuf_fd; /* not kept */
	uint64_t dmabuf_offset;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_qp_ring_bytes() is the number of bytes that the rings and the record of a queue pair with
 * these options take, and segue_cq_ring_bytes() that of a completion queue.
 */
size_t segue_qp_ring_bytes(const struct segue_qp_options *options);
size_t segue_cq_ring_bytes(const struct segue_device *device,
			   const struct segue_cq_options *options);

#include "segue/detail/end.h"

#endif
