/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory: regions, the pieces of them that requests name, memory windows and indirect keys.
 *
 * A local key and a remote key are different C types. On mlx5 their values are often equal, so a
 * swap would work until the day it does not; here it does not compile.
 *
 * Owner: regions, windows and keys are children of their protection domain; the memory stays
 *   the caller's and outlives them.
 * Threads: any; only one may close it.
 * Errors: negative errno with segue_errmsg(); nothing is made then, outputs are untouched.
 * Source: ibv_reg_mr(3), ibv_alloc_mw(3), mlx5dv_create_mkey(3).
 */
#ifndef SEGUE_MR_H
#define SEGUE_MR_H

#include <stddef.h>
#include <stdint.h>

#include "segue/access.h"
#include "segue/detail/compiler.h"
#include "segue/detail/function.h"
#include "segue/pd.h"

#include "segue/detail/begin.h"

struct ibv_mr;
struct segue_mr;
struct segue_mw;
struct segue_mkey;

/** Key with which this side's own requests name its memory. */
struct segue_local_key {
	uint32_t lkey;
};

/** Key with which a peer's requests name this memory. */
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
	 * bytes, 1 or more. With ON_DEMAND and addr NULL, UINT64_MAX: all memory, offsets are then
	 * addresses
	 */
	uint64_t length;
	uint32_t access; /* of enum segue_access; without REMOTE ones no peer reaches the memory */
	int dmabuf_fd;   /* of GPU or device memory, if use_dmabuf. Not kept */
	uint64_t dmabuf_offset;
	bool use_dmabuf;
	/*
	 * requests of both sides address the first byte as `iova` instead of `addr`, with the same
	 * offset in a page. Not with ZERO_BASED or use_dmabuf, where addr has that meaning
	 */
	bool use_iova;
	uint64_t iova;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_mr_open() - register memory.
 * @pd: its owner
 * @options: not kept; the memory stays the caller's and outlives the region
 * @out: set on success
 *
 * The rights are those of options->access. Without REMOTE_READ, _WRITE, _ATOMIC and MW_BIND the
 * region is local: no peer can reach it, and segue_mr_remote_buf() refuses it. LOCAL_WRITE is added
 * to REMOTE_WRITE, REMOTE_ATOMIC and MW_BIND, which need it. Returns 0; -EINVAL, -ENOTSUP
 * (on-demand paging that the device does not have) or -ENOMEM with a hint (RLIMIT_MEMLOCK). Source:
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
 * it: call segue_qp_drain() or segue_qp_flush() first, or close the queue pair. Returns 0; -EBUSY
 * while windows are bound to it, if known.
 */
int segue_mr_close(struct segue_mr *mr);

/**
 * segue_mr_rereg() - give a region other memory or other rights, in less time than a new one takes.
 * @mr: not of a dma-buf, and without use_iova and ZERO_BASED
 * @attr: the new memory and rights; not kept
 *
 * Drain its requests and invalidate its windows first, as for segue_mr_close(); ask for its keys
 * and pieces again afterwards. Returns 0; what opening returns, or -EBUSY while windows are bound,
 * and the region is as it was; -EIO if the device has lost it: then it can be closed and nothing
 * else. Source: ibv_rereg_mr(3).
 */
SEGUEI_MUST_CHECK int segue_mr_rereg(struct segue_mr *mr, const struct segue_mr_options *attr);

/**
 * segue_mr_prefetch() - map pages of an on-demand region before requests need them.
 * @mr: opened with ON_DEMAND
 * @offset: bytes from the start of the region
 * @length: bytes, 1 or more
 *
 * Pages that the region may write are made writable. Waits until they are there; without it each
 * page's first use waits, which a peer sees as RNR. Returns 0; -ERANGE if the piece is not within
 * the region; -EINVAL for a region without ON_DEMAND; -EFAULT if no memory is there; -ENOTSUP, or
 * what the kernel says else. Source: ibv_advise_mr(3).
 */
SEGUEI_MUST_CHECK int segue_mr_prefetch(struct segue_mr *mr, uint64_t offset, uint64_t length);

/** segue_mr_lkey() is the key for SGEs. */
struct segue_local_key segue_mr_lkey(const struct segue_mr *mr);

/** segue_mr_ibv() is the verbs object below. It stays the region's. */
struct ibv_mr *segue_mr_ibv(struct segue_mr *mr);

/**
 * segue_mr_local_buf() - name a piece of a region, for an SGE.
 * @offset: bytes from the start of the region
 * @length: bytes, 1 to 2^31 - 1
 *
 * Returns 0, or -ERANGE if the piece is not within the region.
 */
SEGUEI_MUST_CHECK int segue_mr_local_buf(const struct segue_mr *mr, uint64_t offset,
					 uint64_t length, struct segue_local_buf *out);

/**
 * segue_mr_remote_buf() - name a piece of a region that peers may reach.
 * @offset: bytes from the start of the region
 * @length: bytes, 1 or more
 *
 * Returns 0, -ERANGE if the piece is not within the region, -EACCES if the region is local.
 */
SEGUEI_MUST_CHECK int segue_mr_remote_buf(const struct segue_mr *mr, uint64_t offset,
					  uint64_t length, struct segue_remote_buf *out);

/**
 * segue_local_buf_part() and segue_remote_buf_part() name a piece of a piece, by bytes from its
 * start: 0, or -ERANGE if it sticks out.
 */
SEGUEI_MUST_CHECK int segue_local_buf_part(const struct segue_local_buf *whole, uint64_t offset,
					   uint64_t length, struct segue_local_buf *out);
SEGUEI_MUST_CHECK int segue_remote_buf_part(const struct segue_remote_buf *whole, uint64_t offset,
					    uint64_t length, struct segue_remote_buf *out);

/**
 * segue_sge_buf() - segue_sge() of a struct segue_local_buf.
 * segue_raddr_buf() - segue_raddr() of a struct segue_remote_buf.
 * @builder: what the step before returned
 * @buf: by value, evaluated once; neither macro takes the other's
 *
 * Both need segue/gen/builders.h.
 */
#define segue_sge_buf(builder, buf) \
	SEGUEI_SGE_BUF(SEGUEI_JOIN(seguei_buf_, __COUNTER__), builder, buf)
#define segue_raddr_buf(builder, buf) \
	SEGUEI_RADDR_BUF(SEGUEI_JOIN(seguei_buf_, __COUNTER__), builder, buf)

/* For the compiler's words about a buffer of the other type. */
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

/** Bytes of a remote piece on its way to the peer. */
#define SEGUE_REMOTE_BUF_WIRE_SIZE 24

/** segue_remote_buf_pack() stores a piece in network byte order: version, key, address, length. */
void segue_remote_buf_pack(const struct segue_remote_buf *remote,
			   uint8_t wire[SEGUE_REMOTE_BUF_WIRE_SIZE]);

/**
 * segue_remote_buf_unpack() - load what a peer's segue_remote_buf_pack() stored.
 * @wire: bytes
 * @size: how many there are
 * @out: filled on success
 *
 * Returns 0, or -EPROTO with segue_errmsg() naming the field: another version or size, a length of
 * 0, an end beyond 2^64.
 */
SEGUEI_MUST_CHECK int segue_remote_buf_unpack(const void *wire, size_t size,
					      struct segue_remote_buf *out);

/** Types of memory windows, see ibv_alloc_mw(3). */
enum segue_mw_type {
	SEGUE_MW_TYPE_1 = 1, /* the kernel's driver picks the key of each bind */
	SEGUE_MW_TYPE_2 = 2, /* the program does, by segue_mw_next_rkey() */
};

/**
 * segue_mw_open() - make a memory window; a bind request (segue_bind_mw) gives it its range.
 * @pd: its owner
 *
 * Returns 0, -EINVAL for another type, -ENOTSUP if the device has none. Source: ibv_alloc_mw(3).
 */
SEGUEI_MUST_CHECK int segue_mw_open(struct segue_pd *pd, enum segue_mw_type type,
				    struct segue_mw **out);

/** segue_mw_close() frees a window; NULL is fine. Returns 0 or what the kernel says. */
int segue_mw_close(struct segue_mw *mw);

/** segue_mw_rkey() is the window's remote key as it is now. */
struct segue_remote_key segue_mw_rkey(const struct segue_mw *mw);

/**
 * segue_mw_next_rkey() - take the key for the next bind of a type 2 window: its lowest byte counts
 * on.
 *
 * The window remembers it; keys given out before become invalid when the bind is done.
 */
struct segue_remote_key segue_mw_next_rkey(struct segue_mw *mw);

/** Settings for which an indirect key has room (segue/protect.h). */
enum segue_mkey_flags {
	SEGUE_MKEY_SIGNATURE = 1, /* block signatures */
	SEGUE_MKEY_CRYPTO = 2,    /* encryption; unusable before it has crypto settings */
};

/** Options of an indirect key. */
struct segue_mkey_options {
	uint16_t max_entries; /* pieces, at most; 1 or more */
	uint32_t flags;       /* of enum segue_mkey_flags, or 0 */
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_mkey_open() - make an indirect key; a UMR request gives it its list of pieces.
 * @pd: its owner
 * @options: not kept
 *
 * Returns 0, -EINVAL naming the option, -EOPNOTSUPP if the device has no such settings, or another
 * negative errno from the driver. Source: mlx5dv_create_mkey(3).
 */
SEGUEI_MUST_CHECK int segue_mkey_open(struct segue_pd *pd, const struct segue_mkey_options *options,
				      struct segue_mkey **out);

/** segue_mkey_close() destroys it; NULL is fine. Returns 0 or what the driver says. */
int segue_mkey_close(struct segue_mkey *mkey);

/** segue_mkey_lkey() and segue_mkey_rkey() are its keys. */
struct segue_local_key segue_mkey_lkey(const struct segue_mkey *mkey);
struct segue_remote_key segue_mkey_rkey(const struct segue_mkey *mkey);

#include "segue/detail/end.h"

#endif
