/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queue pairs for cross-channel operations, which libmlx5 does not make: libibverbs refuses the
 * flags, though the kernel takes them.
 *
 * So the kernel is asked directly, as libmlx5 asks it, and by the same calls for the rest of the
 * queue pair's life: libmlx5 would look for what it keeps of its own queue pairs. Everything else,
 * addresses and states among it, stays the kernel's business. These are the four calls, for any
 * queue pair; each returns 0 or an error number, as those of verbs that they stand for.
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
 * Or those whose completion queues have compressed blocks of the enhanced layout, which the kernel
 * does not know: both are made by raw commands (devx.c), and never become objects of verbs.
 */
struct seguei_cross {
	struct ibv_qp verbs; /* as far as libibverbs looks at it: handle, number, and its events */
	bool may_enable;     /* others: it was opened with cross_channel */
	bool managed;        /* it goes on as far as others let it */
	const struct mlx5dv_devx_uar *uar;
	uint8_t *memory; /* receive ring, send ring, doorbell record */
	size_t bytes;
	uint32_t sq_blocks, rq_entries, rq_stride;
	/*
	 * A managed queue is not rung, so its doorbell rings where nobody listens. Source: DPDK
	 * drivers/crypto/mlx5/mlx5_crypto_gcm.c, which rings none.
	 */
	uint64_t nobodys_bell;
	uint32_t nobodys_record;
	struct seguei_devx devx; /* obj: it was made by a raw command, with */
	uint32_t access;	 /* enum ibv_access_flags, as they were given for INIT, */
	uint8_t port;		 /* and the port */
};

static inline bool seguei_qp_by_command(const struct segue_qp *qp)
{
	return qp->cross && qp->cross->devx.obj;
}

/* For calls that need the kernel's queue pair: 0, or -ENOTSUP with `what` is not to be had. */
int seguei_qp_need_kernel(const struct segue_qp *qp, const char *what);

/* Where its doorbell record is in its memory. */
size_t seguei_cross_record_at(const struct seguei_cross *cross);

/* Those made by a raw command (devx.c): 0 or an error number, as below. */
int seguei_qp_devx_create(struct segue_qp *qp, struct segue_pd *pd,
			  const struct segue_qp_options *options, uint32_t *number);
int seguei_qp_devx_modify(struct segue_qp *qp, const struct ibv_qp_attr *attr, int mask);
int seguei_qp_devx_ask_state(struct seguei_cross *cross, struct ibv_qp_attr *attr);

/* Whether a queue pair has to be made by a raw command, and whether it is one of this file. */
bool seguei_command_wanted(const struct segue_qp_options *options);
bool seguei_cross_wanted(const struct segue_qp_options *options);

/*
 * Memory for it, as qp->cross; that of qp->rings if there are any. 0, or a negative errno with a
 * sentence.
 */
int seguei_cross_prepare(struct segue_qp *qp, const struct segue_qp_options *options);

/* Makes it, in that memory: its verbs object, or NULL with errno, and the memory is given back. */
struct ibv_qp *seguei_cross_create(struct segue_qp *qp, struct segue_pd *pd,
				   const struct segue_qp_options *options);

/* Where its rings are. */
void seguei_cross_rings(const struct seguei_cross *cross, struct mlx5dv_qp *dv);

/* frees what is ours also if the device is gone (EIO) */
int seguei_qp_destroy(struct segue_qp *qp);
int seguei_qp_command(struct segue_qp *qp, struct ibv_qp_attr *attr, int mask);
/* qp_state and sq_draining */
int seguei_qp_ask_state(const struct segue_qp *qp, struct ibv_qp_attr *attr);

#endif
