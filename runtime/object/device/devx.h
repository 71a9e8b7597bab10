/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Objects that the device makes for us by raw commands, in memory that we give it (DEVX).
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

/* Memory of rings, as the device knows it, and the page of their doorbells, the context's own. */
struct seguei_devx {
	struct mlx5dv_devx_umem *umem;
	const struct mlx5dv_devx_uar *uar; /* not given back */
	struct mlx5dv_devx_obj *obj;
};

/* Shows the device the memory: 0 or a negative errno, without a sentence. */
int seguei_devx_open(struct seguei_devx *devx, struct ibv_context *context, void *memory,
		     size_t bytes);

/* These make the object: 0 and its number, or a negative errno, without a sentence. */
int seguei_devx_make_cq(struct seguei_devx *devx, struct ibv_context *context,
			const struct segue_seg_create_cq_in *command, uint32_t *number);
int seguei_devx_make_qp(struct seguei_devx *devx, struct ibv_context *context,
			const struct segue_seg_qp_context_in *command, uint32_t *number);

/* A step of a queue pair, with a context or without: `opcode` of enum segue_command. */
int seguei_devx_step(struct seguei_devx *devx, const struct segue_seg_qp_context_in *command);
int seguei_devx_step_bare(struct seguei_devx *devx, uint16_t opcode, uint32_t qpn);
int seguei_devx_query_qp(struct seguei_devx *devx, uint32_t qpn,
			 struct segue_seg_query_qp_out *answer);

/*
 * Destroys the object, if there is one, and takes the memory back: 0 or a negative errno. -EIO says
 * that the device is gone, and everything was given back all the same.
 */
int seguei_devx_close(struct seguei_devx *devx);

#endif
