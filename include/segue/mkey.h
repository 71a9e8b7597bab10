/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory keys: lists and patterns of memory behind one key, which UMR requests lay out, and
 * their protection by signatures and encryption.
 *
 * Owner: a key is a child of its protection domain.
 * Threads: any, one key by one thread at a time.
 * Errors: negative errno with segue_errmsg().
 * Source: mlx5dv_create_mkey(3).
 */
#ifndef SEGUE_MKEY_H
#define SEGUE_MKEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/detail/declaration.h"
#include "segue/mr.h"

#include "segue/detail/begin.h"

struct segue_mkey;

/** Settings for which an indirect key has room (segue/mkey.h). */
enum segue_mkey_flags {
	SEGUE_MKEY_SIGNATURE = 1, /* block signatures */
	SEGUE_MKEY_CRYPTO = 2,    /* encryption. Unusable before it has crypto settings */
};

/** Options of an indirect key. */
struct segue_mkey_options {
	uint16_t max_entries; /* most pieces, 1 or more */
	uint32_t flags;       /* settings of enum segue_mkey_flags, or 0 */
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_mkey_open() - make an indirect key. A UMR request gives it its list of pieces.
 * @pd: its owner
 * @options: not kept
 *
 * Returns 0, -EINVAL naming the option, -EOPNOTSUPP if the device has no such settings, or another
 * negative errno from the driver. Source: mlx5dv_create_mkey(3).
 */
SEGUEI_MUST_CHECK int segue_mkey_open(struct segue_pd *pd, const struct segue_mkey_options *options,
				      struct segue_mkey **out);

/**
 * segue_mkey_close() destroys it. NULL is allowed. Returns 0 or a negative errno from the driver.
 */
int segue_mkey_close(struct segue_mkey *mkey);

/** segue_mkey_lkey() and segue_mkey_rkey() are its keys. */
struct segue_local_key segue_mkey_lkey(const struct segue_mkey *mkey);
struct segue_remote_key segue_mkey_rkey(const struct segue_mkey *mkey);

/*
 * Indirect keys made by one call: a list of pieces, or pieces that are walked in turn with a
 * stride.
 *
 * The builders (segue_umr_list(), segue_umr_interleaved()) give every field. The two calls here
 * fill masks, sizes and padding and know the limits. The key can be used when the request has
 * completed, or by requests after it on the same queue that carry SEGUE_INITIATOR_SMALL_FENCE.
 *
 * Owner: only the device keeps the list. The memory stays registered while the key is used.
 * Threads: that of the send queue.
 * Errors: negative errno with segue_errmsg(), and nothing is posted.
 * Source: mlx5dv_wr_post(3) (mlx5dv_wr_mr_list(), mlx5dv_wr_mr_interleaved()), rdma-core
 *   providers/mlx5/qp.c (mlx5_send_wr_mr, umr_sg_list_create, umr_strided_seg_create).
 */

struct segue_rc_sq;

/** The key to change, and its rights. */
struct segue_mkey_layout {
	uint64_t wr_id;
	uint32_t flags;          /* posting flags of enum segue_post_flag, or 0 */
	struct segue_mkey *mkey; /* key in the queue pair's domain */
	/*
	 * of enum segue_access: LOCAL_WRITE, REMOTE_… and RELAXED_ORDERING. It replaces the key's
	 * rights of before. RELAXED_ORDERING: the device may move the key's data over PCIe in any
	 * order (writes and reads, or those that it can), and memory is valid only after the
	 * completion. libmlx5 takes it for regions only. Source: ibv_reg_mr(3), Linux
	 * drivers/infiniband/hw/mlx5/umr.c (get_umr_update_access_mask).
	 */
	uint32_t access;
};

/** Equal blocks at equal distances, for example the column of a matrix. */
struct segue_strided_buf {
	struct segue_local_buf block; /* the first one, 1 to 65,535 bytes */
	/* bytes between the end of one and the start of the next. With the block at most 65,535 */
	uint32_t skip;
};

/**
 * segue_mkey_post_list() - make a key of pieces of memory, one after the other.
 * @sq: of an RC queue pair with enough max_wqe_units for the list, see segue_mkey_list_max()
 * @umr: not kept
 * @pieces: in the order of the key's addresses, which begin at 0
 * @count: number of pieces, 1 or more
 *
 * Rings the doorbell. Returns 0, -ENOSPC if the queue is full, or -EINVAL naming the argument, for
 * example if the key or the queue takes fewer pieces. Returns -ENOTSUP if RELAXED_ORDERING is set
 * and the device cannot change it (segue_caps.umr_relaxed_writes, umr_relaxed_reads). Source:
 * mlx5dv_wr_post(3).
 */
SEGUEI_MUST_CHECK int segue_mkey_post_list(struct segue_rc_sq *sq,
					   const struct segue_mkey_layout *umr,
					   const struct segue_local_buf *pieces, uint32_t count);

/**
 * segue_mkey_post_interleaved() - make a key that takes a block of each piece in turn, again and
 * again.
 * @sq: as segue_mkey_post_list(), see segue_mkey_interleaved_max()
 * @umr: not kept
 * @repeat: number of blocks taken of each piece, 1 or more
 * @pieces: sources of the key's bytes: a block of the first, one of the second, …
 * @count: number of pieces, 1 or more
 *
 * A column of a matrix is one piece with the row's length less the element's as skip, and as many
 * repetitions as rows. The key's addresses begin at 0. Returns as segue_mkey_post_list().
 */
SEGUEI_MUST_CHECK int segue_mkey_post_interleaved(struct segue_rc_sq *sq,
						  const struct segue_mkey_layout *umr,
						  uint32_t repeat,
						  const struct segue_strided_buf *pieces,
						  uint32_t count);

/**
 * segue_mkey_list_max() is the number of pieces that segue_mkey_post_list() takes, by the room of
 * the key and of the queue's largest request. 0 if none.
 */
uint32_t segue_mkey_list_max(const struct segue_rc_sq *sq, const struct segue_mkey *mkey);

/**
 * segue_mkey_interleaved_max() is the same for segue_mkey_post_interleaved(): one less, for the
 * head of the list.
 */
uint32_t segue_mkey_interleaved_max(const struct segue_rc_sq *sq, const struct segue_mkey *mkey);

/*
 * Keys that protect data on their way, with signatures per block or with encryption.
 *
 * Such a key is an indirect one with room for settings (segue_mkey_options.flags). A UMR gives it
 * its pieces and the settings: segue_umr_list_sig(), segue_umr_list_crypto(),
 * segue_umr_list_sig_crypto() and the interleaved ones. Signature settings name protection
 * signature values (PSVs), one for each domain with signatures. A segue_set_psv() after the UMR
 * sets the start of each. Crypto settings name a data encryption key. docs/protected-keys.md shows
 * it.
 *
 * Owner: keys and values are children of their protection domain. The caller that opened them must
 * close them. Closing the domain closes them, too.
 * Threads: opening and closing as for all objects of a device.
 * Errors: a negative errno with segue_errmsg().
 * Source: mlx5dv_create_mkey(3), mlx5dv_dek_create(3).
 */

struct segue_sigval;
struct segue_dek;

/**
 * segue_sigval_open() - make a protection signature value.
 * @pd: its owner
 *
 * Returns 0, -EOPNOTSUPP if the device has no signatures or the driver no DEVX, or another negative
 * errno from the driver.
 * Source: providers/mlx5/mlx5.c, mlx5_create_psv.
 */
SEGUEI_MUST_CHECK int segue_sigval_open(struct segue_pd *pd, struct segue_sigval **out);

/**
 * segue_sigval_close() destroys it. NULL is allowed. Returns 0 or a negative errno from the driver.
 */
int segue_sigval_close(struct segue_sigval *psv);

/** segue_sigval_number() is its number in settings (w_psv, m_psv) and segue_set_psv(). */
uint32_t segue_sigval_number(const struct segue_sigval *psv);

/**
 * struct segue_dek_options - a data encryption key for AES-XTS.
 * @bits: 128 or 256, of each half
 * @has_keytag: the last 8 bytes of the key are a tag, which settings must repeat
 * @opaque: a value by which the user identifies the key
 * @key: both halves, then the tag. On a device that takes wrapped keys it is wrapped as a whole,
 *   with 8 bytes more
 * @key_length: its length in bytes, at most 128
 */
struct segue_dek_options {
	unsigned int bits;
	bool has_keytag;
	uint8_t opaque[8];
	const void *key;
	size_t key_length;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_dek_open() - load a data encryption key into the device.
 * @pd: its owner
 * @options: the key, which is copied
 *
 * Devices that take wrapped keys need a login first (mlx5dv_crypto_login(3)). Returns 0, -EINVAL
 * for options that contradict each other, -EOPNOTSUPP if the driver has no DEVX, or another
 * negative errno from the driver.
 * Source: mlx5dv_dek_create(3).
 */
SEGUEI_MUST_CHECK int segue_dek_open(struct segue_pd *pd, const struct segue_dek_options *options,
				     struct segue_dek **out);

/**
 * segue_dek_close() destroys it. NULL is allowed. Returns 0 or a negative errno from the driver.
 */
int segue_dek_close(struct segue_dek *dek);

/** segue_dek_number() is its number in crypto settings (dek_ptr). */
uint32_t segue_dek_number(const struct segue_dek *dek);

#include "segue/detail/end.h"

#endif
