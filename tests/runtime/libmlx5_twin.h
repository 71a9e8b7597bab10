/* SPDX-License-Identifier: BSD-2-Clause */
/* A queue pair of verbs and a plain ring of ours that is to hold the same bytes. */
#ifndef SEGUE_TESTS_LIBMLX5_TWIN_H
#define SEGUE_TESTS_LIBMLX5_TWIN_H

#include <gtest/gtest.h>

#include <vector>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "tests/runtime/libmlx5.h"
#include "tests/seed/dice.h"

constexpr uint32_t kMaxInline = 400;
constexpr uint32_t kMaxHeader = 90;

class TwinQp
{
      public:
	explicit TwinQp(ibv_qp_type type) : type_(type), dice_(Seed() * 43 + type) {}

	~TwinQp()
	{
		if (qp_)
			ibv_destroy_qp(qp_);
		free(ring_);
	}

	/* False if the device cannot have such a queue pair. */
	bool Open(uint64_t mlx5_ops)
	{
		mlx5dv_obj object = {};
		segue_sq_init_options attr = {};

		CreateQp(mlx5_ops);
		if (!qp_)
			return false;
		qpx_ = ibv_qp_to_qp_ex(qp_);
		mqpx_ = mlx5dv_qp_ex_from_ibv_qp_ex(qpx_);
		ToRts(qp_, type_);
		object.qp.in = qp_;
		object.qp.out = &theirs_;
		theirs_.comp_mask = MLX5DV_QP_MASK_RAW_QP_HANDLES;
		EXPECT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_QP));
		ring_ = static_cast<uint8_t *>(aligned_alloc(64, theirs_.sq.wqe_cnt * 64));
		slots_.resize(theirs_.sq.wqe_cnt);
		attr.buf = ring_;
		attr.wqe_cnt = theirs_.sq.wqe_cnt;
		attr.max_wqe_units = 40;
		attr.dbrec = &dbrec_;
		attr.bf_reg = uar_;
		attr.qpn = type_ == IBV_QPT_RAW_PACKET && theirs_.sqn ? theirs_.sqn : qp_->qp_num;
		attr.slots = slots_.data();
		EXPECT_EQ(0, segue_sq_init(&sq_, &attr)) << segue_errmsg();
		return true;
	}

      protected:
	uint32_t Below(uint32_t n) { return uint32_t(dice_() % n); }
	bool OneIn(uint32_t n) { return Below(n) == 0; }

	void CreateQp(uint64_t mlx5_ops)
	{
		Device &d = Device::Get();
		ibv_qp_init_attr_ex init = {};
		mlx5dv_qp_init_attr dv = {};

		init.qp_type = type_;
		init.send_cq = d.cq;
		init.recv_cq = d.cq;
		init.pd = d.pd;
		init.cap.max_send_wr = 128;
		init.cap.max_recv_wr = 4;
		init.cap.max_send_sge = kMaxSge;
		init.cap.max_recv_sge = 1;
		init.cap.max_inline_data = kMaxInline;
		init.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		init.send_ops_flags = IBV_QP_EX_WITH_SEND;
		if (type_ == IBV_QPT_RAW_PACKET) {
			init.comp_mask |= IBV_QP_INIT_ATTR_MAX_TSO_HEADER;
			init.max_tso_header = kMaxHeader;
			init.send_ops_flags |= IBV_QP_EX_WITH_TSO;
		}
		if (mlx5_ops) {
			dv.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS;
			dv.send_ops_flags = mlx5_ops;
		}
		qp_ = mlx5dv_create_qp(d.context, &init, dv.comp_mask ? &dv : nullptr);
	}

	/* From the producer index on: what libmlx5 leaves of older requests is not compared. */
	void Clear(uint32_t blocks)
	{
		for (uint32_t i = 0; i < blocks && i < theirs_.sq.wqe_cnt; i++) {
			const size_t at = size_t(sq_.pi + i) % theirs_.sq.wqe_cnt * 64;

			memset(static_cast<uint8_t *>(theirs_.sq.buf) + at, 0, 64);
			memset(ring_ + at, 0, 64);
		}
	}

	static uint16_t Octowords(uint32_t entries) { return uint16_t((entries + 3) / 4 * 4); }

	/* Both rings from one block to another, as bytes. */
	void Take(uint32_t from, uint32_t to, std::vector<uint8_t> *theirs,
		  std::vector<uint8_t> *ours) const
	{
		const uint8_t *buf = static_cast<const uint8_t *>(theirs_.sq.buf);

		for (uint32_t at = from; at != to; at++) {
			const size_t offset = size_t(at % theirs_.sq.wqe_cnt) * 64;

			theirs->insert(theirs->end(), buf + offset, buf + offset + 64);
			ours->insert(ours->end(), ring_ + offset, ring_ + offset + 64);
		}
	}

	/* Waits for the last request of a batch, which begins at block `last`. */
	void Drain(uint32_t last)
	{
		uint64_t wr_id;

		ASSERT_NO_FATAL_FAILURE(Device::Get().WaitFor(wr_id_ - 1));
		ASSERT_LE(0, segue_sq_retire(&sq_, uint16_t(last), &wr_id)) << segue_errmsg();
	}

	const ibv_qp_type type_;
	SplitMix64 dice_;
	ibv_qp *qp_ = nullptr;
	ibv_qp_ex *qpx_ = nullptr;
	mlx5dv_qp_ex *mqpx_ = nullptr;
	mlx5dv_qp theirs_ = {};
	uint8_t *ring_ = nullptr;
	std::vector<segue_sq_slot> slots_;
	segue_sq sq_;
	uint32_t dbrec_ = 0;
	alignas(512) uint8_t uar_[512] = {};
	uint64_t wr_id_ = 1;
};

#endif
