/* SPDX-License-Identifier: BSD-2-Clause */
/* A request as libmlx5 is asked for it, through ibv_wr_*() and mlx5dv_wr_*(). */
#ifndef SEGUE_TESTS_LIBMLX5_WR_H
#define SEGUE_TESTS_LIBMLX5_WR_H

#include <endian.h>

#include "tests/runtime/libmlx5.h"

enum class Op { SEND, SEND_IMM, SEND_INV, WRITE, WRITE_IMM, READ, CS, FA, LOCAL_INV, BIND_MW };

struct Wr {
	Op op;
	bool signaled, solicited, fence, use_inline;
	uint32_t imm, rkey, n_sge, remote_qpn, remote_qkey, srqn, stream;
	uint64_t remote_addr, compare, swap, dc_key;
	ibv_sge sge[kMaxSge]; /* inlined: addresses of ours */
	ibv_ah *ah;
	ibv_mw *mw;
	ibv_mw_bind_info bind;
};

/* What libmlx5 posts on a queue pair of that type. */
inline uint64_t OpsOf(ibv_qp_type type)
{
	const uint64_t sends = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM;
	const uint64_t writes = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
				IBV_QP_EX_WITH_SEND_WITH_INV;
	const uint64_t reads = IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
			       IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD;

	switch (type) {
	case IBV_QPT_RC:
		return sends | writes | reads | IBV_QP_EX_WITH_LOCAL_INV | IBV_QP_EX_WITH_BIND_MW;
	case IBV_QPT_UC:
		return sends | writes | IBV_QP_EX_WITH_LOCAL_INV | IBV_QP_EX_WITH_BIND_MW;
	case IBV_QPT_XRC_SEND:
		return sends | writes | reads | IBV_QP_EX_WITH_LOCAL_INV;
	case IBV_QPT_DRIVER: /* a DCI */
		return sends | writes | reads;
	case IBV_QPT_RAW_PACKET:
		return IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_TSO;
	default:
		return sends;
	}
}

/* Posts on a queue pair that was created with these. */
class Poster
{
      public:
	void Open(ibv_qp *qp, ibv_qp_type type)
	{
		type_ = type;
		qpx = ibv_qp_to_qp_ex(qp);
		mqpx = mlx5dv_qp_ex_from_ibv_qp_ex(qpx);
	}

	/* Between ibv_wr_start() and ibv_wr_complete(). */
	void Post(const Wr &r, uint64_t wr_id)
	{
		qpx->wr_id = wr_id;
		qpx->wr_flags = (r.signaled ? IBV_SEND_SIGNALED : 0) |
				(r.solicited ? IBV_SEND_SOLICITED : 0) |
				(r.fence ? IBV_SEND_FENCE : 0) |
				(r.use_inline ? IBV_SEND_INLINE : 0);
		Begin(r);
		if (r.op == Op::LOCAL_INV || r.op == Op::BIND_MW)
			return;
		if (type_ == IBV_QPT_UD)
			ibv_wr_set_ud_addr(qpx, r.ah, r.remote_qpn, r.remote_qkey);
		if (type_ == IBV_QPT_XRC_SEND)
			ibv_wr_set_xrc_srqn(qpx, r.srqn);
		if (type_ == IBV_QPT_DRIVER && r.stream)
			mlx5dv_wr_set_dc_addr_stream(mqpx, r.ah, r.remote_qpn, r.dc_key,
						     uint16_t(r.stream));
		else if (type_ == IBV_QPT_DRIVER)
			mlx5dv_wr_set_dc_addr(mqpx, r.ah, r.remote_qpn, r.dc_key);
		Data(r.use_inline, r.n_sge, r.sge);
	}

	void Data(bool use_inline, uint32_t n, const ibv_sge *sge)
	{
		if (use_inline && n == 1) {
			ibv_wr_set_inline_data(qpx,
					       reinterpret_cast<void *>(uintptr_t(sge[0].addr)),
					       sge[0].length);
		} else if (use_inline) {
			ibv_data_buf list[kMaxSge];

			for (uint32_t i = 0; i < n; i++)
				list[i] = {reinterpret_cast<void *>(uintptr_t(sge[i].addr)),
					   sge[i].length};
			ibv_wr_set_inline_data_list(qpx, n, list);
		} else if (n == 1) {
			ibv_wr_set_sge(qpx, sge[0].lkey, sge[0].addr, sge[0].length);
		} else {
			ibv_wr_set_sge_list(qpx, n, sge);
		}
	}

	ibv_qp_ex *qpx = nullptr;
	mlx5dv_qp_ex *mqpx = nullptr;

      private:
	void Begin(const Wr &r)
	{
		switch (r.op) {
		case Op::SEND:
			return ibv_wr_send(qpx);
		case Op::SEND_IMM:
			return ibv_wr_send_imm(qpx, htobe32(r.imm));
		case Op::SEND_INV:
			return ibv_wr_send_inv(qpx, r.imm);
		case Op::WRITE:
			return ibv_wr_rdma_write(qpx, r.rkey, r.remote_addr);
		case Op::WRITE_IMM:
			return ibv_wr_rdma_write_imm(qpx, r.rkey, r.remote_addr, htobe32(r.imm));
		case Op::READ:
			return ibv_wr_rdma_read(qpx, r.rkey, r.remote_addr);
		case Op::CS:
			return ibv_wr_atomic_cmp_swp(qpx, r.rkey, r.remote_addr, r.compare, r.swap);
		case Op::FA:
			return ibv_wr_atomic_fetch_add(qpx, r.rkey, r.remote_addr, r.swap);
		case Op::LOCAL_INV:
			return ibv_wr_local_inv(qpx, r.imm);
		case Op::BIND_MW:
			return ibv_wr_bind_mw(qpx, r.mw, r.rkey, &r.bind);
		}
	}

	ibv_qp_type type_ = IBV_QPT_RC;
};

#endif
