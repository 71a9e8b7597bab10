/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Objects that the device creates by raw commands (DEVX), in memory of ours.
 *
 * Source: rdma-core providers/mlx5/man/mlx5dv_devx_obj_create.3.md, mlx5dv_devx_umem_reg.3.md; UCX
 * src/uct/ib/mlx5/dv/ib_mlx5_dv.c.
 */
#ifndef SEGUE_RUNTIME_DEVX_H
#define SEGUE_RUNTIME_DEVX_H

#include <infiniband/mlx5dv.h>
#include <stddef.h>
#include <stdint.h>

struct segue_seg_qp_context_in;
struct segue_seg_create_cq_in;
struct segue_seg_query_qp_out;

/* Memory of rings as registered with the device, and the context's doorbell page. */
struct seguei_devx {
	struct mlx5dv_devx_umem *umem;
	const struct mlx5dv_devx_uar *uar; /* owned by the context, never freed */
	struct mlx5dv_devx_obj *obj;
};

/* Registers the memory with the device: 0 or a negative errno, without a sentence. */
int seguei_devx_open(struct seguei_devx *devx, struct ibv_context *context, void *memory,
		     size_t bytes);

/* Create the object: 0 and its number, or a negative errno, without a sentence. */
int seguei_devx_make_cq(struct seguei_devx *devx, struct ibv_context *context,
			const struct segue_seg_create_cq_in *command, uint32_t *number);
int seguei_devx_make_qp(struct seguei_devx *devx, struct ibv_context *context,
			const struct segue_seg_qp_context_in *command, uint32_t *number);

/*
 * Moves a queue pair to another state, with or without a context. `opcode` is of enum
 * segue_command.
 */
int seguei_devx_step(struct seguei_devx *devx, const struct segue_seg_qp_context_in *command);
int seguei_devx_step_bare(struct seguei_devx *devx, uint16_t opcode, uint32_t qpn);
int seguei_devx_query_qp(struct seguei_devx *devx, uint32_t qpn,
			 struct segue_seg_query_qp_out *answer);

/*
 * Destroys the object, if there is one, and unregisters the memory: 0 or a negative errno. -EIO
 * means that the device is gone. All resources are freed in that case, too.
 */
int seguei_devx_close(struct seguei_devx *devx);

#endif
