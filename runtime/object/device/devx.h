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

/* Memory of rings, as registered with the device, and the context's doorbell page. */
struct seguei_devx {
	uint8_t *memory; /* NULL if none */
	size_t bytes;
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
 * and reached, or else ours. 0, or a negative errno after a sentence.
 */
int seguei_devx_take(struct seguei_devx *devx, struct seguei_ring_domain *rings, const char *whose,
		     size_t bytes, const struct segue_ring_memory *given);
void seguei_devx_give_back(struct seguei_devx *devx, const struct seguei_ring_domain *rings);

/*
 * Registers that memory with the device, or what the program gives: 0 or a negative errno, without
 * a sentence.
 */
int seguei_devx_open(struct seguei_devx *devx, struct ibv_context *context,
		     const struct segue_ring_memory *given);

/* Creates the object by a command: 0 and its number, or a negative errno, without a sentence. */
int seguei_devx_make(struct seguei_devx *devx, struct ibv_context *context, const void *in,
		     size_t size, uint32_t *number);

/*
 * Destroys the object, if there is one, and unregisters the memory: 0 or a negative errno. -EIO
 * means that the device is gone. All resources are freed in that case, too.
 */
int seguei_devx_close(struct seguei_devx *devx);

#endif
