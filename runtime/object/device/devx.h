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
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/object/device/ring_domain.h"
#include "segue/cq.h"

struct segue_seg_qp_context_in;
struct segue_seg_create_cq_in;
struct segue_seg_query_qp_out;

/* Memory of rings as registered with the device, and the context's doorbell page. */
struct seguei_devx {
	struct mlx5dv_devx_umem *umem;
	const struct mlx5dv_devx_uar *uar; /* owned by the context, never freed */
	struct mlx5dv_devx_obj *obj;
	bool borrowed; /* its rings are in memory of the program's */
	/*
	 * distance from rings that this process writes to those of the device, if only lanes reach
	 * the latter
	 */
	ptrdiff_t lanes;
};

/*
 * Takes zeroed memory for rings, which this process reaches: the program's, if it is given (@given)
 * and reached, or else ours. NULL with errno after a sentence.
 */
void *seguei_devx_take(struct seguei_devx *devx, struct seguei_ring_domain *rings,
		       const char *whose, size_t bytes, const struct segue_ring_memory *given);
void seguei_devx_give_back(const struct seguei_devx *devx, const struct seguei_ring_domain *rings,
			   void *memory, size_t bytes);

/*
 * Registers that memory with the device, or what the program gives: 0 or a negative errno, without
 * a sentence.
 */
int seguei_devx_open(struct seguei_devx *devx, struct ibv_context *context, void *memory,
		     size_t bytes, const struct segue_ring_memory *given);

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
