/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queue pairs for cross-channel operations, which libmlx5 does not create: libibverbs refuses the
 * flags, though the kernel takes them.
 *
 * The kernel is called directly instead, as libmlx5 calls it, and for the rest of the queue pair's
 * life, because libmlx5 would look for its own state. Addresses, states and everything else stay
 * with the kernel. The four calls below work for any queue pair. Each returns 0 or an error number,
 * as the verbs that they replace.
 *
 * Source: Linux drivers/infiniband/core/uverbs_cmd.c (create_qp(), modify_qp()),
 * drivers/infiniband/hw/mlx5/qp.c (process_create_flags(), _create_user_qp()); rdma-core
 * libibverbs/cmd_qp.c (CREATE_QP_EX_SUP_CREATE_FLAGS), providers/mlx5/verbs.c
 * (mlx5_set_singleton_nc_uar()).
 */
#ifndef SEGUE_RUNTIME_OBJECT_QP_CROSS_CHANNEL_H
#define SEGUE_RUNTIME_OBJECT_QP_CROSS_CHANNEL_H

#include <infiniband/mlx5dv.h>
#include <stdbool.h>

#include "runtime/object/device/devx.h"
#include "runtime/object/qp/qp.h"

/*
 * A cross-channel queue pair, or one that is created by a raw command (devx.c) and never becomes an
 * object of verbs: in memory of the program's, or on completion queues of raw commands, which the
 * kernel does not know.
 */
struct seguei_cross {
	struct ibv_qp verbs; /* the part that libibverbs reads: handle, number, and its events */
	bool may_enable;     /* opened with cross_channel: it may enable others */
	bool managed;	     /* it advances only as far as others enable it */
	bool lanes_only;     /* the device's rings are not these, which stay empty */
	uint32_t sq_blocks, rq_entries, rq_stride;
	/*
	 * A managed queue is not rung, so its doorbell goes to this word, which is never read.
	 * Source: DPDK drivers/crypto/mlx5/mlx5_crypto_gcm.c, which rings none.
	 */
	uint64_t nobodys_bell;
	uint32_t nobodys_record;
	/*
	 * its memory (receive ring, send ring, doorbell record) and page, and the object that a
	 * raw command created (obj)
	 */
	struct seguei_devx devx;
	uint32_t access; /* enum ibv_access_flags, given for INIT */
	uint8_t port;	 /* given for INIT */
};

/* For calls that need the kernel's queue pair: 0, or -ENOTSUP with a sentence about `what`. */
int seguei_qp_need_kernel(const struct segue_qp *qp, const char *what);

/* Offset of its doorbell record in its memory. */
size_t seguei_cross_record_at(const struct seguei_cross *cross);

/* For queue pairs created by a raw command (devx.c): 0 or an error number, as below. */
int seguei_qp_devx_create(struct segue_qp *qp, struct segue_pd *pd,
			  const struct segue_qp_options *options, uint32_t *number);
int seguei_qp_devx_modify(struct segue_qp *qp, const struct ibv_qp_attr *attr, int mask);
int seguei_qp_devx_ask_state(struct seguei_cross *cross, struct ibv_qp_attr *attr);

/* True if a queue pair with these options needs a raw command or a kernel command. */
bool seguei_command_wanted(const struct segue_qp_options *options);
bool seguei_cross_wanted(const struct segue_qp_options *options);

/*
 * Allocates qp->cross and its memory, which is qp->rings' if there are any. 0, or a negative errno
 * with a sentence.
 */
int seguei_cross_prepare(struct segue_qp *qp, const struct segue_qp_options *options);

/*
 * Creates it in that memory. Returns its verbs object, or NULL with errno after freeing the memory.
 */
struct ibv_qp *seguei_cross_create(struct segue_qp *qp, struct segue_pd *pd,
				   const struct segue_qp_options *options);

/* Places of its rings. */
void seguei_cross_rings(const struct seguei_cross *cross, struct mlx5dv_qp *dv);

/* frees our memory even if the device is gone (EIO) */
int seguei_qp_destroy(struct segue_qp *qp);
int seguei_qp_command(struct segue_qp *qp, struct ibv_qp_attr *attr, int mask);
/* qp_state and sq_draining */
int seguei_qp_ask_state(const struct segue_qp *qp, struct ibv_qp_attr *attr);

#endif
