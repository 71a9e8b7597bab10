/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests as device code, one kernel each, whose instructions cost_test.py counts: by the packers,
 * in registers, and by the builders.
 */
#include "tests/freestanding/device_code.h"

#define SEGUE_FUNCTION static inline __device__
#define SEGUE_FREESTANDING __device__

#include "segue/gen/builders.h"
/* behind what it goes with */
#include "segue/detail/unit.h"
#include "segue/freestanding.h"
#include "segue/gpu/queue.h"

#define WHERE uint64_t raddr, uint32_t rkey, uint64_t laddr, uint32_t lkey, uint32_t bytes

static __device__ inline void pack_ctrl(struct segue_unit *unit, uint8_t opcode, uint16_t index,
					uint32_t qpn, uint8_t ds, uint32_t imm)
{
	struct segue_seg_ctrl ctrl;

	memset(&ctrl, 0, sizeof(ctrl));
	ctrl.opcode = opcode;
	ctrl.wqe_index = index;
	ctrl.qpn = qpn;
	ctrl.ds = ds;
	ctrl.ce = SEGUE_COMPLETION_MODE_ALWAYS;
	ctrl.imm = imm;
	segue_seg_ctrl_pack(unit->bytes, &ctrl);
}

static __device__ inline void pack_raddr(struct segue_unit *unit, uint64_t address, uint32_t rkey)
{
	struct segue_seg_raddr raddr;

	raddr.remote_addr = address;
	raddr.rkey = rkey;
	segue_seg_raddr_pack(unit->bytes, &raddr);
}

static __device__ inline void pack_data(struct segue_unit *unit, uint64_t address, uint32_t lkey,
					uint32_t bytes)
{
	struct segue_seg_data data;

	data.byte_count = bytes;
	data.lkey = lkey;
	data.addr = address;
	segue_seg_data_pack(unit->bytes, &data);
}

extern "C" __global__ void pack_write(void *wqe, uint32_t qpn, uint16_t index, WHERE)
{
	struct segue_unit units[3];

	pack_ctrl(&units[0], SEGUE_OPCODE_RDMA_WRITE, index, qpn, 3, 0);
	pack_raddr(&units[1], raddr, rkey);
	pack_data(&units[2], laddr, lkey, bytes);
	segue_put_units(wqe, units, 3);
}

extern "C" __global__ void pack_write_imm(void *wqe, uint32_t qpn, uint16_t index, WHERE,
					  uint32_t imm)
{
	struct segue_unit units[3];

	pack_ctrl(&units[0], SEGUE_OPCODE_RDMA_WRITE_IMM, index, qpn, 3, imm);
	pack_raddr(&units[1], raddr, rkey);
	pack_data(&units[2], laddr, lkey, bytes);
	segue_put_units(wqe, units, 3);
}

extern "C" __global__ void pack_atomic(void *wqe, uint32_t qpn, uint16_t index, WHERE, uint64_t add)
{
	struct segue_seg_atomic_add atomic;
	struct segue_unit units[4];

	atomic.swap_add = add;
	pack_ctrl(&units[0], SEGUE_OPCODE_ATOMIC_FA, index, qpn, 4, 0);
	pack_raddr(&units[1], raddr, rkey);
	segue_seg_atomic_add_pack(units[2].bytes, &atomic);
	pack_data(&units[3], laddr, lkey, bytes);
	segue_put_units(wqe, units, 4);
}

extern "C" __global__ void pack_dc_write(void *wqe, uint32_t qpn, uint16_t index,
					 const struct segue_address_vector *ah, uint32_t dctn,
					 uint64_t key, WHERE)
{
	struct segue_unit units[6];

	pack_ctrl(&units[0], SEGUE_OPCODE_RDMA_WRITE, index, qpn, 6, 0);
	segue_seg_av_dc_pack_prepared(units[1].bytes, ah, dctn, key);
	pack_raddr(&units[4], raddr, rkey);
	pack_data(&units[5], laddr, lkey, bytes);
	segue_put_units(wqe, units, 6);
}

extern "C" __global__ void post_write(struct segue_rc_sq *sq, WHERE, int *result)
{
	*result = segue_post(
		segue_sge(segue_raddr(segue_rdma_write(sq, 1, SEGUE_SIGNALED), raddr, rkey), laddr,
			  bytes, lkey));
}

extern "C" __global__ void post_write_imm(struct segue_rc_sq *sq, WHERE, uint32_t imm, int *result)
{
	*result = segue_post(segue_sge(
		segue_raddr(segue_rdma_write_imm(sq, 1, SEGUE_SIGNALED, imm), raddr, rkey), laddr,
		bytes, lkey));
}

extern "C" __global__ void post_atomic(struct segue_rc_sq *sq, WHERE, uint64_t add, int *result)
{
	*result = segue_post(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(sq, 1, SEGUE_SIGNALED), raddr, rkey),
				 add),
		laddr, bytes, lkey));
}

extern "C" __global__ void post_dc_write(struct segue_dci_sq *sq,
					 const struct segue_address_vector *ah, uint32_t dctn,
					 uint64_t key, WHERE, int *result)
{
	*result = segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_write(sq, 1, SEGUE_SIGNALED), ah, dctn, key), raddr,
			    rkey),
		laddr, bytes, lkey));
}

extern "C" __global__ void post_inline(struct segue_rc_sq *sq, uint64_t raddr, uint32_t rkey,
				       uint32_t value, int *result)
{
	*result = segue_post(segue_inline_data(
		segue_raddr(segue_rdma_write(sq, 1, SEGUE_SIGNALED), raddr, rkey), &value,
		sizeof(value)));
}

extern "C" __global__ void post_inline_bytes(struct segue_rc_sq *sq, uint64_t raddr, uint32_t rkey,
					     const void *data, uint32_t length, int *result)
{
	*result = segue_post(segue_inline_data(
		segue_raddr(segue_rdma_write(sq, 1, SEGUE_SIGNALED), raddr, rkey), data, length));
}

extern "C" __global__ void ring(struct segue_sq *sq, uint32_t index, uint64_t doorbell)
{
	seguei_sq_ring(sq, index, doorbell);
}

extern "C" __global__ void publish_one(struct segue_gpu_queue *q, uint64_t at, uint32_t n)
{
	segue_gpu_publish(q, at, n, SEGUE_GPU_RING, SEGUE_GPU_ONE);
}

extern "C" __global__ void publish_block(struct segue_gpu_queue *q, uint64_t at, uint32_t n)
{
	segue_gpu_publish(q, at, n, SEGUE_GPU_RING, SEGUE_GPU_BLOCK);
}

extern "C" __global__ void publish_all(struct segue_gpu_queue *q, uint64_t at, uint32_t n)
{
	segue_gpu_publish(q, at, n, SEGUE_GPU_RING, SEGUE_GPU_ALL);
}

extern "C" __global__ void publish_silent(struct segue_gpu_queue *q, uint64_t at, uint32_t n)
{
	segue_gpu_publish(q, at, n, SEGUE_GPU_SILENT, SEGUE_GPU_ALL);
}

extern "C" __global__ void wait_all(struct segue_gpu_queue *q, uint32_t n, uint64_t *at,
				    int *result)
{
	*result = segue_gpu_reserve(q, n, SEGUE_GPU_ALL, at);
	*result |= segue_gpu_wait(q, *at, SEGUE_GPU_ALL);
	*result |= segue_gpu_quiet(q, SEGUE_GPU_ALL);
}
