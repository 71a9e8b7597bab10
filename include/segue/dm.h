/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Device memory: a little memory on the card itself, registered like a region. Requests reach it
 * without crossing the bus. It suits counters and locks for atomics of many peers, and headers that
 * are sent again and again.
 *
 * Owner: a child of its protection domain. The caller that opened it must close it. Closing the
 *   domain closes it, too.
 * Threads: any. Copies to and from it are stores and loads of the calling thread. Only completions
 *   order them with requests.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: ibv_alloc_dm(3), ibv_reg_dm_mr(3), rdma-core providers/mlx5/verbs.c (mlx5_alloc_dm()).
 */
#ifndef SEGUE_DM_H
#define SEGUE_DM_H

#include <stddef.h>
#include <stdint.h>

#include "segue/detail/function.h"
#include "segue/mr.h"

#include "segue/detail/begin.h"

struct segue_dm;

/** Options of a piece of device memory. */
struct segue_dm_options {
	uint64_t length;    /* bytes, a multiple of 4, up to segue_caps.max_device_memory */
	uint32_t log_align; /* its start is a multiple of 2^log_align bytes */
	/* rights of enum segue_access. With a REMOTE right, peers may reach it */
	uint32_t access;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_dm_open() - take a piece of device memory, and register it.
 * @pd: its owner
 * @options: not kept
 * @out: set on success
 *
 * Its first content is not defined. Requests address it from 0. Returns 0, -EINVAL naming the
 * option, -ENOTSUP if the device has none, -ENOMEM if none is left, or another negative errno from
 * the kernel.
 */
SEGUEI_MUST_CHECK int segue_dm_open(struct segue_pd *pd, const struct segue_dm_options *options,
				    struct segue_dm **out);

/**
 * segue_dm_close() gives it back. NULL is allowed. Requests that still name it fail. Returns 0 or a
 * negative errno from the kernel.
 */
int segue_dm_close(struct segue_dm *dm);

/**
 * segue_dm_local_buf() - describe a part of it as an SGE.
 * @offset: bytes from its start
 * @length: bytes, 1 to 2^31 - 1
 *
 * Not for receives and READs of a queue pair with scatter_to_cqe. Returns 0, or -ERANGE if the
 * piece is not within it.
 */
SEGUEI_MUST_CHECK int segue_dm_local_buf(const struct segue_dm *dm, uint64_t offset,
					 uint64_t length, struct segue_local_buf *out);

/**
 * segue_dm_remote_buf() - describe a part of it for a peer.
 * @offset: bytes from its start
 * @length: bytes, 1 or more
 *
 * Returns 0, -ERANGE if the part is not within it, or -EACCES if it has no REMOTE right.
 */
SEGUEI_MUST_CHECK int segue_dm_remote_buf(const struct segue_dm *dm, uint64_t offset,
					  uint64_t length, struct segue_remote_buf *out);

/**
 * segue_dm_copy_to() - copy to device memory by the processor.
 * @offset: bytes from its start, a multiple of 4
 * @from: memory of the program
 * @length: bytes, a multiple of 4
 *
 * Returns 0, -ERANGE or -EINVAL. Source: ibv_memcpy_to_dm in ibv_alloc_dm(3).
 */
SEGUEI_MUST_CHECK int segue_dm_copy_to(struct segue_dm *dm, uint64_t offset, const void *from,
				       size_t length);

/**
 * segue_dm_copy_from() - copy from device memory by the processor.
 * @offset: bytes from its start, a multiple of 4
 * @to: memory of the program
 * @length: bytes
 *
 * It is slow, because each load waits for the bus. Returns as segue_dm_copy_to().
 */
SEGUEI_MUST_CHECK int segue_dm_copy_from(struct segue_dm *dm, uint64_t offset, void *to,
					 size_t length);

#include "segue/detail/end.h"

#endif
