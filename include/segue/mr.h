/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory: regions, the pieces of them that requests name, memory windows and indirect keys.
 *
 * A local key and a remote key are different C types. On mlx5 their values are often equal, so a
 * swap would work until the day it does not. With these types it does not compile.
 *
 * Owner: regions, windows and keys are children of their protection domain. The memory stays
 *   the caller's and outlives them.
 * Threads: any, but only one may close it.
 * Errors: negative errno with segue_errmsg(). Nothing is made then, and outputs are untouched.
 * Source: ibv_reg_mr(3), ibv_alloc_mw(3), mlx5dv_create_mkey(3).
 */
#ifndef SEGUE_MR_H
#define SEGUE_MR_H

#include <stddef.h>
#include <stdint.h>

#include "segue/detail/compiler.h"
#include "segue/detail/declaration.h"
#include "segue/gen/enums.h"
#include "segue/pd.h"

#include "segue/detail/begin.h"

struct ibv_mr;
struct segue_mr;
struct segue_mw;

/** Key by which this side's own requests name its memory. */
struct segue_local_key {
	uint32_t lkey;
};

/** Key by which a peer's requests name this memory. */
struct segue_remote_key {
	uint32_t rkey;
};

/** A piece of local memory, as an SGE takes it. */
struct segue_local_buf {
	uint64_t addr;
	uint32_t length; /* bytes */
	struct segue_local_key key;
};

/** A piece of a peer's memory, as RDMA requests take it. */
struct segue_remote_buf {
	uint64_t addr;
	uint64_t length; /* bytes */
	struct segue_remote_key key;
};

/** Options of a memory region. */
struct segue_mr_options {
	/* first byte, or with dmabuf_fd the address that requests will use. NULL: see length */
	void *addr;
	/*
	 * bytes, 1 or more. With ON_DEMAND and addr NULL, UINT64_MAX means all memory, and offsets
	 * are addresses
	 */
	uint64_t length;
	/* rights of enum segue_access. Without a REMOTE right no peer reaches the memory */
	uint32_t access;
	int dmabuf_fd;   /* descriptor of GPU or device memory, if use_dmabuf. Not kept */
	uint64_t dmabuf_offset;
	bool use_dmabuf;
	/*
	 * requests of both sides address the first byte as `iova`, not as `addr`. Both must have
	 * the same offset in a page. Not with ZERO_BASED or use_dmabuf, where addr has that meaning
	 */
	bool use_iova;
	uint64_t iova;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_mr_open() - register memory.
 * @pd: its owner
 * @options: not kept. The memory stays the caller's and outlives the region
 * @out: set on success
 *
 * options->access has the rights. Without REMOTE_READ, _WRITE, _ATOMIC and MW_BIND the region is
 * local: no peer can reach it, and segue_mr_remote_buf() refuses it. LOCAL_WRITE is added to
 * REMOTE_WRITE, REMOTE_ATOMIC and MW_BIND, which need it. Returns 0, -EINVAL, -ENOTSUP if the
 * device lacks the on-demand paging, or -ENOMEM with a hint (RLIMIT_MEMLOCK). Source:
 * ibv_reg_mr(3).
 */
SEGUEI_MUST_CHECK int segue_mr_open(struct segue_pd *pd, const struct segue_mr_options *options,
				    struct segue_mr **out);

/**
 * segue_mr_close() - end a registration.
 * @mr: or NULL
 *
 * Requests of this side or of peers that still name it fail from now on: those that are posted
 * already complete with LOCAL_PROT_ERR, or REMOTE_ACCESS_ERR at a peer, and take their queue pair
 * to ERR. Segue does not count the requests that name a region, because every post would pay for
 * it: call segue_qp_drain() or segue_qp_flush() first, or close the queue pair. Returns 0, or
 * -EBUSY while windows are bound to it, if the library knows of them.
 */
int segue_mr_close(struct segue_mr *mr);

/**
 * segue_mr_rereg() - give a region other memory or rights, faster than by making a new one.
 * @mr: not of a dma-buf, and without use_iova and ZERO_BASED
 * @attr: the new memory and rights, not kept
 *
 * Drain its requests and invalidate its windows first, as for segue_mr_close(). Afterwards query
 * its keys and pieces again. Returns 0, an error as of segue_mr_open(), or -EBUSY while windows are
 * bound, and the region is unchanged. After -EIO the device has lost it, and it can only be closed.
 * Source: ibv_rereg_mr(3).
 */
SEGUEI_MUST_CHECK int segue_mr_rereg(struct segue_mr *mr, const struct segue_mr_options *attr);

/**
 * segue_mr_prefetch() - map pages of an on-demand region before requests need them.
 * @mr: opened with ON_DEMAND
 * @offset: bytes from the start of the region
 * @length: bytes, 1 or more
 *
 * Pages that the region may write become writable. Waits until they are mapped. Without this call
 * the first use of each page waits, and a peer gets RNR NAKs. Returns 0, -ERANGE if the piece is
 * not within the region, -EINVAL for a region without ON_DEMAND, -EFAULT if there is no memory,
 * -ENOTSUP, or another negative errno from the kernel. Source: ibv_advise_mr(3).
 */
SEGUEI_MUST_CHECK int segue_mr_prefetch(struct segue_mr *mr, uint64_t offset, uint64_t length);

/** segue_mr_lkey() is the key for SGEs. */
struct segue_local_key segue_mr_lkey(const struct segue_mr *mr);

/** segue_mr_ibv() is the verbs object below. It stays the region's. */
struct ibv_mr *segue_mr_ibv(struct segue_mr *mr);

/**
 * segue_mr_local_buf() - describe a piece of a region as an SGE.
 * @offset: bytes from the start of the region
 * @length: bytes, 1 to 2^31 - 1
 *
 * Returns 0, or -ERANGE if the piece is not within the region.
 */
SEGUEI_MUST_CHECK int segue_mr_local_buf(const struct segue_mr *mr, uint64_t offset,
					 uint64_t length, struct segue_local_buf *out);

/**
 * segue_mr_remote_buf() - describe a piece of a region for peers.
 * @offset: bytes from the start of the region
 * @length: bytes, 1 or more
 *
 * Returns 0, -ERANGE if the piece is not within the region, or -EACCES if the region is local.
 */
SEGUEI_MUST_CHECK int segue_mr_remote_buf(const struct segue_mr *mr, uint64_t offset,
					  uint64_t length, struct segue_remote_buf *out);

/**
 * segue_local_buf_part() and segue_remote_buf_part() describe a part of a piece, by bytes from its
 * start. They return 0, or -ERANGE if the part is not within the piece.
 */
SEGUEI_MUST_CHECK int segue_local_buf_part(const struct segue_local_buf *whole, uint64_t offset,
					   uint64_t length, struct segue_local_buf *out);
SEGUEI_MUST_CHECK int segue_remote_buf_part(const struct segue_remote_buf *whole, uint64_t offset,
					    uint64_t length, struct segue_remote_buf *out);

/**
 * segue_sge_buf() - segue_sge() of a struct segue_local_buf.
 * segue_raddr_buf() - segue_raddr() of a struct segue_remote_buf.
 * @builder: result of the step before
 * @buf: by value, evaluated once. Neither macro takes the other's type
 *
 * Both need segue/gen/builders.h.
 */
#define segue_sge_buf(builder, buf) \
	SEGUEI_SGE_BUF(SEGUEI_JOIN(seguei_buf_, __COUNTER__), builder, buf)
#define segue_raddr_buf(builder, buf) \
	SEGUEI_RADDR_BUF(SEGUEI_JOIN(seguei_buf_, __COUNTER__), builder, buf)

/* Makes the compiler name the types if a buffer has the other one. */
SEGUE_FUNCTION struct segue_local_buf seguei_bind_sge_buf(struct segue_local_buf buf)
{
	return buf;
}

SEGUE_FUNCTION struct segue_remote_buf seguei_bind_raddr_buf(struct segue_remote_buf buf)
{
	return buf;
}

#define SEGUEI_SGE_BUF(copy, builder, buf)                                       \
	__extension__({                                                          \
		const struct segue_local_buf copy = seguei_bind_sge_buf(buf);    \
		segue_sge(builder, (copy).addr, (copy).length, (copy).key.lkey); \
	})
#define SEGUEI_RADDR_BUF(copy, builder, buf)                                     \
	__extension__({                                                          \
		const struct segue_remote_buf copy = seguei_bind_raddr_buf(buf); \
		segue_raddr(builder, (copy).addr, (copy).key.rkey);              \
	})

/** Bytes of a remote piece in its wire form. */
#define SEGUE_REMOTE_BUF_WIRE_SIZE 24

/** segue_remote_buf_pack() stores a piece in network byte order: version, key, address, length. */
void segue_remote_buf_pack(const struct segue_remote_buf *remote,
			   uint8_t wire[SEGUE_REMOTE_BUF_WIRE_SIZE]);

/**
 * segue_remote_buf_unpack() - load a piece that a peer's segue_remote_buf_pack() has stored.
 * @wire: received bytes
 * @size: their number
 * @out: filled on success
 *
 * Returns 0, or -EPROTO with segue_errmsg() naming the field: another version or size, a length of
 * 0, or an end beyond 2^64.
 */
SEGUEI_MUST_CHECK int segue_remote_buf_unpack(const void *wire, size_t size,
					      struct segue_remote_buf *out);

/** Types of memory windows, see ibv_alloc_mw(3). */
enum segue_mw_type {
	SEGUE_MW_TYPE_1 = 1, /* the kernel's driver picks the key of each bind */
	SEGUE_MW_TYPE_2 = 2, /* the program picks it, by segue_mw_next_rkey() */
};

/**
 * segue_mw_open() - make a memory window. A bind request (segue_bind_mw) gives it its range.
 * @pd: its owner
 *
 * Returns 0, -EINVAL for another type, or -ENOTSUP if the device has none. Source: ibv_alloc_mw(3).
 */
SEGUEI_MUST_CHECK int segue_mw_open(struct segue_pd *pd, enum segue_mw_type type,
				    struct segue_mw **out);

/**
 * segue_mw_close() frees a window. NULL is allowed. Returns 0 or a negative errno from the kernel.
 */
int segue_mw_close(struct segue_mw *mw);

/** segue_mw_rkey() is the window's present remote key. */
struct segue_remote_key segue_mw_rkey(const struct segue_mw *mw);

/**
 * segue_mw_next_rkey() - take the key for the next bind of a type 2 window. Its lowest byte is one
 * more than before.
 *
 * The window remembers it. When the bind is done, keys given out before become invalid.
 */
struct segue_remote_key segue_mw_next_rkey(struct segue_mw *mw);



/*
 * Access rights of memory, and of peers through a queue pair.
 *
 * Verbs' own flags (IBV_ACCESS_…, enum segue_access_flags) and the rights in a key context (enum
 * segue_mkey_access) are bits of one byte with different meanings: the bit that lets peers write in
 * one makes addresses count from zero in the other. The rights here are verbs' flags, moved out of
 * that byte. Segue refuses verbs' flags, with a sentence, where it expects these rights. These
 * rights do not fit into a key context, and compilers warn of that by default.
 *
 * Source: ibv_reg_mr(3), ibv_modify_qp(3).
 */

/* A right is verbs' flag, shifted left by this number of bits. */
#define SEGUEI_ACCESS_SHIFT 8

/**
 * Access rights of a memory region, or of a peer through a queue pair. enum segue_access_flags
 * describes each right.
 */
enum segue_access {
	SEGUE_ACCESS_LOCAL_WRITE = SEGUE_ACCESS_FLAGS_LOCAL_WRITE << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_REMOTE_WRITE = SEGUE_ACCESS_FLAGS_REMOTE_WRITE << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_REMOTE_READ = SEGUE_ACCESS_FLAGS_REMOTE_READ << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_REMOTE_ATOMIC = SEGUE_ACCESS_FLAGS_REMOTE_ATOMIC << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_MW_BIND = SEGUE_ACCESS_FLAGS_MW_BIND << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_ZERO_BASED = SEGUE_ACCESS_FLAGS_ZERO_BASED << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_ON_DEMAND = SEGUE_ACCESS_FLAGS_ON_DEMAND << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_HUGETLB = SEGUE_ACCESS_FLAGS_HUGETLB << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_RELAXED_ORDERING = SEGUE_ACCESS_FLAGS_RELAXED_ORDERING << SEGUEI_ACCESS_SHIFT,
};

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
