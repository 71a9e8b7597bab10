/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One of two sides that get the same calls of libibverbs: a queue pair that the device does not
 * look at, and a completion queue whose entries the test writes.
 */
#ifndef SEGUE_TESTS_VERBS_SIDE_H
#define SEGUE_TESTS_VERBS_SIDE_H

#include <gtest/gtest.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include <cstring>
#include <string>
#include <vector>

#include "segue/gen/cqes.h"
#include "tests/runtime/libmlx5_wr.h"
#include "tools/bench/theirs/unseen_reset.h"

constexpr uint32_t kEntries = 256; /* of the completion queue */
constexpr uint32_t kBlock = 64;
constexpr uint16_t kTsoHeader = 98; /* longest one of a raw packet queue pair */

/* Whether such a queue pair has receives of its own. */
inline bool Receives(ibv_qp_type type)
{
	return type != IBV_QPT_XRC_SEND && type != IBV_QPT_DRIVER;
}

struct Shape {
	ibv_qp_type type;
	uint32_t sends, receives, send_sges, recv_sges, inlined;
	bool signal_all;
};

class Side
{
      public:
	virtual ~Side()
	{
		CloseAll();
	}

	virtual void Open(ibv_device *device)
	{
		context = ibv_open_device(device);
		ASSERT_NE(nullptr, context);
		ASSERT_NO_FATAL_FAILURE(Opened());
		pd = ibv_alloc_pd(context);
		cq = ibv_create_cq(context, kEntries - 1, nullptr, nullptr, 0);
		mr = ibv_reg_mr(pd, memory, sizeof(memory),
				IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
		mw = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
		ASSERT_TRUE(pd && cq && mr && mw);
		MakeAh();
		Describe();
	}

	/* A queue pair in RTS for libmlx5, and in RESET for the device. */
	virtual void Make(const Shape &shape)
	{
		const bool receives = Receives(shape.type);
		ibv_qp_init_attr_ex init = {};
		mlx5dv_qp_init_attr mlx5 = {};
		mlx5dv_obj object = {};

		type_ = shape.type;
		init.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		init.pd = pd;
		init.send_ops_flags = OpsOf(shape.type);
		init.qp_type = shape.type;
		init.send_cq = cq;
		init.recv_cq = shape.type == IBV_QPT_XRC_SEND ? nullptr : cq;
		init.sq_sig_all = shape.signal_all;
		init.cap = {shape.sends, receives ? shape.receives : 0, shape.send_sges,
			    shape.recv_sges, shape.inlined};
		if (shape.type == IBV_QPT_RAW_PACKET) {
			init.comp_mask |= IBV_QP_INIT_ATTR_MAX_TSO_HEADER;
			init.max_tso_header = kTsoHeader;
		}
		mlx5.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC;
		mlx5.dc_init_attr.dc_type = MLX5DV_DCTYPE_DCI;
		qp = shape.type == IBV_QPT_DRIVER ? mlx5dv_create_qp(context, &init, &mlx5)
						  : ibv_create_qp_ex(context, &init);
		ASSERT_NE(nullptr, qp) << strerror(errno);
		cap = init.cap;
		object.qp.in = qp;
		object.qp.out = &ring;
		ring = {};
		ASSERT_EQ(0, Mlx5Describe(&object));
	}

	virtual void Destroy()
	{
		if (qp) {
			EXPECT_EQ(0, ibv_destroy_qp(qp));
		}
		qp = nullptr;
	}

	/* As at first. */
	virtual void Reset()
	{
		const bool ud = type_ == IBV_QPT_UD, raw = type_ == IBV_QPT_RAW_PACKET;
		const bool dc = type_ == IBV_QPT_DRIVER;
		const bool reliable = type_ == IBV_QPT_RC || type_ == IBV_QPT_XRC_SEND;
		ibv_qp_attr attr = {};

		attr.qp_state = IBV_QPS_RESET;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr, IBV_QP_STATE));
		ASSERT_NO_FATAL_FAILURE(Arrived());
		attr.qp_state = IBV_QPS_INIT;
		attr.port_num = 1;
		ASSERT_EQ(0,
			  ibv_modify_qp(qp, &attr,
					IBV_QP_STATE | IBV_QP_PORT |
						(raw  ? 0
						 : dc ? IBV_QP_PKEY_INDEX
						 : ud ? IBV_QP_PKEY_INDEX | IBV_QP_QKEY
						      : IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS)));
		attr.qp_state = IBV_QPS_RTR;
		attr.path_mtu = IBV_MTU_1024;
		attr.ah_attr = address_;
		attr.dest_qp_num = qp->qp_num;
		attr.max_dest_rd_atomic = attr.max_rd_atomic = 1;
		attr.min_rnr_timer = 1;
		ASSERT_EQ(0,
			  ibv_modify_qp(qp, &attr,
					IBV_QP_STATE |
						(ud || raw ? 0
						 : dc	   ? IBV_QP_AV | IBV_QP_PATH_MTU
							   : IBV_QP_AV | IBV_QP_PATH_MTU |
								 IBV_QP_DEST_QPN | IBV_QP_RQ_PSN) |
						(reliable ? IBV_QP_MAX_DEST_RD_ATOMIC |
								    IBV_QP_MIN_RNR_TIMER
							  : 0)));
		attr.qp_state = IBV_QPS_RTS;
		attr.timeout = 8;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr,
					   IBV_QP_STATE | (raw ? 0 : IBV_QP_SQ_PSN) |
						   (reliable || dc
							    ? IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
								      IBV_QP_RNR_RETRY |
								      IBV_QP_MAX_QP_RD_ATOMIC
							    : 0)));
		ASSERT_NO_FATAL_FAILURE(Arrived());
		ASSERT_EQ(0, bench_unseen_reset(qp)) << strerror(errno);
	}

	/* The three calls in question. */
	virtual int PostSend(ibv_send_wr *wr, ibv_send_wr **bad)
	{
		return ibv_post_send(qp, wr, bad);
	}
	/* The same through ibv_wr_*(), of opcodes that the queue pair was made for. */
	int PostWr(const ibv_send_wr *wr)
	{
		ibv_qp_ex *x = ibv_qp_to_qp_ex(qp);

		ibv_wr_start(x);
		for (; wr; wr = wr->next) {
			x->wr_id = wr->wr_id;
			x->wr_flags = wr->send_flags & ~unsigned(IBV_SEND_INLINE);
			BeginWr(x, *wr);
			if (wr->opcode == IBV_WR_BIND_MW || wr->opcode == IBV_WR_LOCAL_INV)
				continue;
			if (wr->wr_id % 2)
				SetAddress(x, *wr);
			SetPieces(x, *wr);
			if (wr->wr_id % 2 == 0)
				SetAddress(x, *wr);
		}
		return ibv_wr_complete(x);
	}
	virtual int PostRecv(ibv_recv_wr *wr, ibv_recv_wr **bad)
	{
		return ibv_post_recv(qp, wr, bad);
	}
	virtual int Poll(int most, ibv_wc *wc)
	{
		return ibv_poll_cq(cq, most, wc);
	}

	/* Where the completion queue's entries go; another one's, if calls are diverted. */
	uint8_t *Entry(uint32_t at) const
	{
		return static_cast<uint8_t *>(entries_.buf) + at % entries_.cqe_cnt * kBlock;
	}
	uint32_t Entries() const
	{
		return entries_.cqe_cnt;
	}

	uint8_t *SendBlock(uint32_t at) const
	{
		return static_cast<uint8_t *>(ring.sq.buf) + at % ring.sq.wqe_cnt * kBlock;
	}
	uint8_t *Receive(uint32_t at) const
	{
		return static_cast<uint8_t *>(ring.rq.buf) + at % ring.rq.wqe_cnt * ring.rq.stride;
	}

	ibv_context *context = nullptr;
	ibv_pd *pd = nullptr;
	ibv_cq *cq = nullptr;
	ibv_mr *mr = nullptr;
	ibv_mw *mw = nullptr;
	ibv_ah *ah = nullptr;
	ibv_qp *qp = nullptr;
	ibv_qp_cap cap = {};
	mlx5dv_qp ring = {};

      protected:
	/* Before anything is made. */
	virtual void Opened()
	{
	}

	/* In RTS, before the device stops looking. */
	virtual void Arrived()
	{
	}

	virtual int Mlx5Describe(mlx5dv_obj *object)
	{
		return mlx5dv_init_obj(object, MLX5DV_OBJ_QP);
	}

	/* Which completion queue is polled. */
	virtual void Describe()
	{
		DescribeCq(cq);
	}

	void DescribeCq(ibv_cq *which)
	{
		mlx5dv_obj object = {};

		object.cq.in = which;
		object.cq.out = &entries_;
		ASSERT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_CQ));
		ASSERT_EQ(kBlock, entries_.cqe_size);
	}

	void CloseAll()
	{
		if (qp)
			ibv_destroy_qp(qp);
		if (ah)
			ibv_destroy_ah(ah);
		if (mw)
			ibv_dealloc_mw(mw);
		if (mr)
			ibv_dereg_mr(mr);
		if (cq)
			ibv_destroy_cq(cq);
		if (pd)
			ibv_dealloc_pd(pd);
		if (context)
			ibv_close_device(context);
		qp = nullptr;
		context = nullptr;
		ah = nullptr;
		mw = nullptr;
		mr = nullptr;
		cq = nullptr;
		pd = nullptr;
	}

      private:
	void SetAddress(ibv_qp_ex *x, const ibv_send_wr &wr) const
	{
		const uint32_t number = wr.imm_data & 0xffffff;

		if (type_ == IBV_QPT_UD)
			ibv_wr_set_ud_addr(x, ah, wr.wr.ud.remote_qpn, wr.wr.ud.remote_qkey);
		else if (type_ == IBV_QPT_XRC_SEND)
			ibv_wr_set_xrc_srqn(x, wr.qp_type.xrc.remote_srqn);
		else if (type_ == IBV_QPT_DRIVER && number % 2)
			mlx5dv_wr_set_dc_addr(mlx5dv_qp_ex_from_ibv_qp_ex(x), ah, number, wr.wr_id);
		else if (type_ == IBV_QPT_DRIVER)
			mlx5dv_wr_set_dc_addr_stream(mlx5dv_qp_ex_from_ibv_qp_ex(x), ah, number,
						     wr.wr_id, uint16_t(number));
	}

	static void SetPieces(ibv_qp_ex *x, const ibv_send_wr &wr)
	{
		ibv_data_buf bufs[16];

		if (!(wr.send_flags & IBV_SEND_INLINE) && wr.num_sge == 1)
			return ibv_wr_set_sge(x, wr.sg_list->lkey, wr.sg_list->addr,
					      wr.sg_list->length);
		if (!(wr.send_flags & IBV_SEND_INLINE))
			return ibv_wr_set_sge_list(x, size_t(wr.num_sge), wr.sg_list);
		for (int i = 0; i < wr.num_sge; i++)
			bufs[i] = {reinterpret_cast<void *>(uintptr_t(wr.sg_list[i].addr)),
				   wr.sg_list[i].length};
		if (wr.num_sge == 1)
			return ibv_wr_set_inline_data(x, bufs[0].addr, bufs[0].length);
		ibv_wr_set_inline_data_list(x, size_t(wr.num_sge), bufs);
	}

	static void BeginWr(ibv_qp_ex *x, const ibv_send_wr &wr)
	{
		switch (wr.opcode) {
		case IBV_WR_RDMA_WRITE:
			return ibv_wr_rdma_write(x, wr.wr.rdma.rkey, wr.wr.rdma.remote_addr);
		case IBV_WR_RDMA_WRITE_WITH_IMM:
			return ibv_wr_rdma_write_imm(x, wr.wr.rdma.rkey, wr.wr.rdma.remote_addr,
						     wr.imm_data);
		case IBV_WR_RDMA_READ:
			return ibv_wr_rdma_read(x, wr.wr.rdma.rkey, wr.wr.rdma.remote_addr);
		case IBV_WR_SEND_WITH_IMM:
			return ibv_wr_send_imm(x, wr.imm_data);
		case IBV_WR_SEND_WITH_INV:
			return ibv_wr_send_inv(x, wr.invalidate_rkey);
		case IBV_WR_ATOMIC_CMP_AND_SWP:
			return ibv_wr_atomic_cmp_swp(x, wr.wr.atomic.rkey, wr.wr.atomic.remote_addr,
						     wr.wr.atomic.compare_add, wr.wr.atomic.swap);
		case IBV_WR_ATOMIC_FETCH_AND_ADD:
			return ibv_wr_atomic_fetch_add(x, wr.wr.atomic.rkey,
						       wr.wr.atomic.remote_addr,
						       wr.wr.atomic.compare_add);
		case IBV_WR_BIND_MW:
			return ibv_wr_bind_mw(x, wr.bind_mw.mw, wr.bind_mw.rkey,
					      &wr.bind_mw.bind_info);
		case IBV_WR_LOCAL_INV:
			return ibv_wr_local_inv(x, wr.invalidate_rkey);
		case IBV_WR_TSO:
			return ibv_wr_send_tso(x, wr.tso.hdr, wr.tso.hdr_sz, wr.tso.mss);
		default:
			return ibv_wr_send(x);
		}
	}

	void MakeAh()
	{
		ibv_port_attr port;
		const int index = 0;

		ASSERT_EQ(0, ibv_query_port(context, 1, &port));
		address_.port_num = 1;
		address_.dlid = port.lid;
		address_.is_global = 1;
		address_.grh.hop_limit = 1;
		ASSERT_EQ(0, ibv_query_gid(context, 1, index, &address_.grh.dgid));
		ah = ibv_create_ah(pd, &address_);
		ASSERT_NE(nullptr, ah) << strerror(errno);
	}

	ibv_qp_type type_ = IBV_QPT_RC;
	ibv_ah_attr address_ = {};
	mlx5dv_cq entries_ = {};
	char memory[4096];
};

#endif
