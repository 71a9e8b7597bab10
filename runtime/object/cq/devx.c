/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion queues that are created by raw commands, because the kernel's command cannot ask for
 * the layout of compressed blocks, for a collapsed queue, nor for memory of a GPU.
 *
 * Such queues take RC queue pairs only, which are created by raw commands too, because the kernel's
 * queue pairs cannot complete on a queue that the kernel does not know. UCX does the same.
 *
 * Source: Linux drivers/infiniband/hw/mlx5/cq.c (create_cq_user()); UCX
 * src/uct/ib/mlx5/dv/ib_mlx5_dv.c (uct_ib_mlx5_devx_create_cq_common()); DPDK
 * drivers/common/mlx5/mlx5_devx_cmds.c (mlx5_devx_cmd_create_cq()).
 */
#include <errno.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/ring_domain.h"
#include "segue/base.h"
#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

#define RECORD_BYTES SEGUE_CQE_SIZE /* a cache line of its own */

/* Sizes of the ring. Returns its bytes and those of the doorbell record after it. */
static size_t size_ring(const struct segue_device *device, const struct segue_cq_options *options,
			struct segue_cq_init_options *attr)
{
	attr->cqe_cnt = seguei_cq_ring_for(seguei_cq_ample(device, options->entries));
	attr->cqe_size = options->cqe_size ? options->cqe_size : SEGUE_CQE_SIZE;
	return (size_t)attr->cqe_cnt * attr->cqe_size + RECORD_BYTES;
}

size_t segue_cq_ring_bytes(const struct segue_device *device,
			   const struct segue_cq_options *options)
{
	struct segue_cq_init_options attr;

	return size_ring(device, options, &attr);
}

/* Takes entries that are marked as not written, with the doorbell record after them. */
static uint8_t *take_memory(struct seguei_cq_object *cq, const struct segue_cq_options *options,
			    uint32_t cqe_size)
{
	const size_t ring = cq->ring_bytes - RECORD_BYTES;
	uint8_t *memory = seguei_devx_take(&cq->devx, cq->rings, "Completion queue", cq->ring_bytes,
					   options->memory);
	size_t at;

	cq->ring = memory;
	for (at = cqe_size; memory && at <= ring; at += cqe_size)
		memory[at - 1] = (uint8_t)((uint32_t)SEGUE_CQE_OPCODE_INVALID << 4);
	return memory;
}

static int make(struct seguei_cq_object *cq, struct segue_device *device,
		const struct segue_cq_options *options, struct segue_cq_init_options *attr)
{
	struct segue_seg_create_cq_in command = {
		.opcode = SEGUE_COMMAND_CREATE_CQ,
		.cqe_sz = attr->cqe_size == SEGUE_CQE_SIZE_128 ? SEGUE_CQC_CQE_SZ_SIZE_128
							       : SEGUE_CQC_CQE_SZ_SIZE_64,
		.oi = cq->budget.overcommits || cq->overrun_ignored,
		.cc = cq->collapsed,
		.cqe_comp_en = options->compress,
		.mini_cqe_res_format = (uint8_t)attr->minis,
		.cqe_compression_layout = options->compress_enhanced
						  ? SEGUE_CQE_COMPRESSION_LAYOUT_ENHANCED
						  : SEGUE_CQE_COMPRESSION_LAYOUT_BASIC,
		.log_cq_size = (uint8_t)__builtin_ctz(attr->cqe_cnt),
	};
	int ret = seguei_devx_open(&cq->devx, device->context, cq->ring, cq->ring_bytes,
				   options->memory);

	if (ret)
		return ret;
	command.dbr_umem_id = command.cq_umem_id = cq->devx.umem->umem_id;
	command.dbr_addr = cq->ring_bytes - RECORD_BYTES;
	command.uar_page = cq->devx.uar->page_id;
	if (mlx5dv_devx_query_eqn(device->context, options->vector, &command.c_eqn))
		return errno ? -errno : -EOPNOTSUPP;
	return seguei_devx_make_cq(&cq->devx, device->context, &command, &attr->cqn);
}

int seguei_cq_devx_create(struct seguei_cq_object *cq, struct segue_device *device,
			  const struct segue_cq_options *options,
			  struct segue_cq_init_options *attr)
{
	int ret;

	cq->ring_bytes = size_ring(device, options, attr);
	attr->enhanced = options->compress_enhanced;
	attr->buf = take_memory(cq, options, attr->cqe_size);
	if (!attr->buf)
		return -errno;
	ret = make(cq, device, options, attr);
	if (!ret) {
		attr->dbrec = (uint32_t *)((uint8_t *)cq->ring + cq->ring_bytes - RECORD_BYTES);
		attr->uar = cq->devx.uar->base_addr;
		return 0;
	}
	(void)seguei_devx_close(&cq->devx);
	return seguei_fail(-ret, "No completion queue of %u entries with %s on %s: %s%s.",
			   options->entries, seguei_cq_command_option(options),
			   segue_device_name(device), strerror(-ret), seguei_memlock_hint(-ret));
}
