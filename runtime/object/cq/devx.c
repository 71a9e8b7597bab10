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

/* Marks entries as not written. */
static void mark(const struct segue_cq_init_options *attr)
{
	uint8_t *entry = attr->buf;
	uint32_t i;

	for (i = 0; i < attr->cqe_cnt; i++, entry += attr->cqe_size)
		entry[attr->cqe_size - 1] = (uint8_t)((uint32_t)SEGUE_CQE_OPCODE_INVALID << 4);
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
	uint8_t in[SEGUE_SEG_CREATE_CQ_IN_SIZE];
	int ret = seguei_devx_open(&cq->devx, device->context, options->memory);

	if (ret)
		return ret;
	command.dbr_umem_id = command.cq_umem_id = cq->devx.umem->umem_id;
	command.dbr_addr = cq->devx.bytes - RECORD_BYTES;
	command.uar_page = cq->devx.uar->page_id;
	if (mlx5dv_devx_query_eqn(device->context, options->vector, &command.c_eqn))
		return errno ? -errno : -EOPNOTSUPP;
	segue_seg_create_cq_in_pack(in, &command);
	return seguei_devx_make(&cq->devx, device->context, in, sizeof(in), &attr->cqn);
}

int seguei_cq_devx_create(struct seguei_cq_object *cq, struct segue_device *device,
			  const struct segue_cq_options *options,
			  struct segue_cq_init_options *attr)
{
	int ret = seguei_devx_take(&cq->devx, cq->rings, "Completion queue",
				   size_ring(device, options, attr), options->memory);

	if (ret)
		return ret;
	attr->enhanced = options->compress_enhanced;
	attr->buf = cq->devx.memory;
	mark(attr);
	ret = make(cq, device, options, attr);
	if (!ret) {
		attr->dbrec = (uint32_t *)(cq->devx.memory + cq->devx.bytes - RECORD_BYTES);
		attr->uar = cq->devx.uar->base_addr;
		return 0;
	}
	(void)seguei_devx_close(&cq->devx);
	return seguei_fail(-ret, "No completion queue of %u entries with %s on %s: %s%s.",
			   options->entries, seguei_cq_command_option(options),
			   segue_device_name(device), strerror(-ret), seguei_memlock_hint(-ret));
}
