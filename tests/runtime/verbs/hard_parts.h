/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program of libibverbs' calls that writes down all that it sees. It runs twice on the emulated
 * device, once on a context that is libmlx5's and once on one that the layer has adopted.
 */
#ifndef SEGUE_TESTS_VERBS_HARD_PARTS_H
#define SEGUE_TESTS_VERBS_HARD_PARTS_H

#include <gtest/gtest.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "segue/base.h"
#include "segue/verbs.h"
#include "tests/runtime/verbs/second_queue.h"

constexpr uint32_t kMemory = 1 << 16;
constexpr uint32_t kRemote = kMemory / 2; /* where WRITEs go */
constexpr int kIdle = 300;		  /* empty polls after which nothing more is expected */

/* After which a test gives up. */
class Minute
{
      public:
	bool IsOver() const
	{
		return std::chrono::steady_clock::now() > end_;
	}

      private:
	const std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() +
							   std::chrono::minutes(1);
};

inline ibv_device *FirstDevice()
{
	static const int forks = ibv_fork_init(); /* before memory is registered */
	static ibv_device **list = forks ? nullptr : ibv_get_device_list(nullptr);

	return list ? list[0] : nullptr;
}

class World
{
      public:
	explicit World(bool adopts, bool watched = true) : adopts(adopts)
	{
		context = ibv_open_device(FirstDevice());
		if (!context || (adopts && segue_verbs_adopt(context)))
			ADD_FAILURE() << segue_errmsg();
		if (adopts && !watched)
			segue_test_unwatch(context);
		pd = ibv_alloc_pd(context);
		mr = ibv_reg_mr(pd, memory, kMemory, kAccess);
		EXPECT_EQ(0, ibv_query_port(context, 1, &port));
	}
	World(const World &) = delete;
	World &operator=(const World &) = delete;
	~World()
	{
		for (ibv_qp *qp : qps)
			EXPECT_EQ(0, ibv_destroy_qp(qp));
		for (ibv_cq *cq : cqs)
			EXPECT_EQ(0, ibv_destroy_cq(cq));
		EXPECT_EQ(0, ibv_dereg_mr(mr));
		EXPECT_EQ(0, ibv_dealloc_pd(pd));
		EXPECT_EQ(0, ibv_close_device(context));
	}

	ibv_cq *Cq(int entries, void *cq_context = nullptr, ibv_comp_channel *channel = nullptr)
	{
		ibv_cq *cq = ibv_create_cq(context, entries, cq_context, channel, 0);

		EXPECT_NE(nullptr, cq) << strerror(errno);
		cqs.push_back(cq);
		return cq;
	}

	ibv_qp *Keep(ibv_qp *qp)
	{
		EXPECT_NE(nullptr, qp) << strerror(errno);
		qps.push_back(qp);
		return qp;
	}
	void Destroy(ibv_qp *qp)
	{
		out << "destroy " << ibv_destroy_qp(qp) << "\n";
		qps.erase(std::find(qps.begin(), qps.end(), qp));
	}

	static ibv_qp_init_attr Attr(ibv_cq *cq, uint32_t sends, uint32_t receives)
	{
		ibv_qp_init_attr attr = {};

		attr.qp_type = IBV_QPT_RC;
		attr.send_cq = attr.recv_cq = cq;
		attr.cap = {sends, receives, 4, 4, 64};
		return attr;
	}
	ibv_qp *Qp(ibv_qp_init_attr attr)
	{
		ibv_qp *qp = Keep(ibv_create_qp(pd, &attr));

		if (adopts) {
			EXPECT_TRUE(segue_test_is_taken(qp)) << "it was left to libmlx5";
		}
		return qp;
	}
	ibv_qp *Qp(ibv_cq *cq, uint32_t sends = 16, uint32_t receives = 16)
	{
		return Qp(Attr(cq, sends, receives));
	}
	/* A queue pair with functions for ibv_wr_*(). */
	ibv_qp *QpEx(ibv_cq *cq, uint32_t max_inline = 64)
	{
		const ibv_qp_init_attr plain = Attr(cq, 16, 16);
		ibv_qp_init_attr_ex attr = {};

		memcpy(static_cast<void *>(&attr), &plain, sizeof(plain));
		attr.cap.max_inline_data = max_inline;
		attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		attr.pd = pd;
		attr.send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_RDMA_WRITE |
				      IBV_QP_EX_WITH_BIND_MW | IBV_QP_EX_WITH_LOCAL_INV;
		return Keep(ibv_create_qp_ex(context, &attr));
	}
	/* One that the layer leaves to libmlx5, for an option. */
	ibv_qp *Stranger(ibv_cq *cq, ibv_srq *srq = nullptr)
	{
		const ibv_qp_init_attr plain = Attr(cq, 16, 16);
		ibv_qp_init_attr_ex attr = {};
		mlx5dv_qp_init_attr mlx5 = {};

		memcpy(static_cast<void *>(&attr), &plain, sizeof(plain));
		attr.srq = srq;
		attr.comp_mask = IBV_QP_INIT_ATTR_PD;
		attr.pd = pd;
		mlx5.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS;
		mlx5.create_flags = MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE;
		return Keep(mlx5dv_create_qp(context, &attr, &mlx5));
	}

	int To(ibv_qp *qp, ibv_qp_state state, uint32_t peer = 0)
	{
		const bool ud = qp->qp_type == IBV_QPT_UD, raw = qp->qp_type == IBV_QPT_RAW_PACKET;
		const bool dc = qp->qp_type == IBV_QPT_DRIVER; /* a DCI; a DCT with an srq */
		ibv_qp_attr attr = {};
		int mask = IBV_QP_STATE;

		attr.qp_state = state;
		attr.port_num = 1;
		attr.qp_access_flags = kAccess & ~IBV_ACCESS_MW_BIND;
		attr.path_mtu = IBV_MTU_1024;
		attr.dest_qp_num = peer;
		attr.max_dest_rd_atomic = attr.max_rd_atomic = 4;
		attr.min_rnr_timer = 1;
		attr.ah_attr.port_num = 1;
		attr.ah_attr.dlid = port.lid;
		attr.timeout = 10;
		attr.retry_cnt = 1;
		attr.qkey = kQkey;
		if (raw)
			mask |= state == IBV_QPS_INIT ? IBV_QP_PORT : 0;
		else if (state == IBV_QPS_INIT)
			mask |= IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				(ud		  ? IBV_QP_QKEY
				 : dc && !qp->srq ? 0
						  : IBV_QP_ACCESS_FLAGS);
		else if (state == IBV_QPS_RTR && dc)
			mask |= IBV_QP_AV | IBV_QP_PATH_MTU | (qp->srq ? IBV_QP_MIN_RNR_TIMER : 0);
		else if (state == IBV_QPS_RTR && !ud)
			mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
		else if (state == IBV_QPS_RTS)
			mask |= IBV_QP_SQ_PSN |
				(ud ? 0
				    : IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
						 IBV_QP_MAX_QP_RD_ATOMIC);
		return ibv_modify_qp(qp, &attr, mask);
	}
	void Connect(ibv_qp *a, ibv_qp *b)
	{
		for (ibv_qp_state state : {IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS}) {
			EXPECT_EQ(0, To(a, state, b->qp_num));
			if (b != a) {
				EXPECT_EQ(0, To(b, state, a->qp_num));
			}
		}
	}
	void Again(ibv_qp *a, ibv_qp *b)
	{
		EXPECT_EQ(0, To(a, IBV_QPS_RESET));
		EXPECT_EQ(0, To(b, IBV_QPS_RESET));
		Connect(a, b);
	}

	/* A request of `pieces` pieces. Notes its result, and whether it is the one refused. */
	int Post(ibv_qp *qp, ibv_wr_opcode opcode, uint64_t id, unsigned int flags,
		 uint32_t length = 8, int pieces = 1, uint32_t rkey = 0)
	{
		std::vector<ibv_sge> sges(40);
		ibv_send_wr wr = {}, *bad = nullptr;

		for (size_t i = 0; i < sges.size(); i++)
			sges[i] = {At(uint32_t(i) * 64), length, mr->lkey};
		wr.wr_id = id;
		wr.sg_list = sges.data();
		wr.num_sge = pieces;
		wr.opcode = opcode;
		wr.send_flags = flags;
		wr.imm_data = htobe32(0x01020304);
		wr.wr.rdma.remote_addr = At(kRemote);
		wr.wr.rdma.rkey = rkey ? rkey : mr->rkey;
		const int ret = ibv_post_send(qp, &wr, &bad);
		if (ret) {
			EXPECT_EQ(&wr, bad);
		}
		return ret;
	}
	int Write(ibv_qp *qp, uint64_t id, uint32_t length = 8)
	{
		return Post(qp, IBV_WR_RDMA_WRITE, id, IBV_SEND_SIGNALED, length);
	}
	ibv_recv_wr RecvWr(uint64_t id, uint32_t length, int pieces)
	{
		ibv_recv_wr wr = {};

		receives_.assign(40, {At(kMemory / 4 * 3), length, mr->lkey});
		wr.wr_id = id;
		wr.sg_list = receives_.data();
		wr.num_sge = pieces;
		return wr;
	}
	int Recv(ibv_qp *qp, uint64_t id, uint32_t length = 64, int pieces = 1)
	{
		ibv_recv_wr wr = RecvWr(id, length, pieces), *bad = nullptr;
		const int ret = ibv_post_recv(qp, &wr, &bad);

		if (ret) {
			EXPECT_EQ(&wr, bad);
		}
		return ret;
	}
	int Recv(ibv_srq *srq, uint64_t id, uint32_t length = 64)
	{
		ibv_recv_wr wr = RecvWr(id, length, 1), *bad = nullptr;

		return ibv_post_srq_recv(srq, &wr, &bad);
	}

	/* The next `count` completions in words. */
	std::vector<std::string> Poll(ibv_cq *cq, size_t count)
	{
		std::vector<std::string> found;
		const Minute minute;

		while (found.size() < count && !minute.IsOver()) {
			ibv_wc wc = {};
			const int got = ibv_poll_cq(cq, 1, &wc);

			if (got > 0)
				found.push_back(Words(wc));
			else if (got < 0)
				break;
			else
				sched_yield();
		}
		EXPECT_EQ(count, found.size());
		return found;
	}
	void Note(ibv_cq *cq, size_t count, bool sorted = true)
	{
		std::vector<std::string> found = Poll(cq, count);

		if (sorted)
			std::sort(found.begin(), found.end());
		for (const std::string &line : found)
			out << "  " << line << "\n";
	}
	/* Notes them, and any that should not be there. */
	void Drain(ibv_cq *cq, size_t count, bool sorted = false)
	{
		ibv_wc wc;

		Note(cq, count, sorted);
		for (int i = 0; i < kIdle; i++, sched_yield())
			if (ibv_poll_cq(cq, 1, &wc) > 0)
				out << "  one more: " << Words(wc) << "\n";
	}

	std::string Words(const ibv_wc &wc) const
	{
		std::ostringstream line;

		line << "id " << wc.wr_id << " status " << wc.status << " vendor " << wc.vendor_err;
		for (size_t i = 0; i < qps.size(); i++)
			if (qps[i]->qp_num == wc.qp_num)
				line << " qp " << i;
		if (wc.status)
			return line.str();
		line << " opcode " << wc.opcode << " flags " << wc.wc_flags;
		if (wc.opcode & IBV_WC_RECV || wc.opcode == IBV_WC_RDMA_READ)
			line << " length " << wc.byte_len;
		if (wc.wc_flags & IBV_WC_WITH_IMM && wc.opcode & IBV_WC_RECV)
			line << " imm " << be32toh(wc.imm_data);
		return line.str();
	}

	uint64_t At(uint32_t offset) const
	{
		return reinterpret_cast<uintptr_t>(memory) + offset;
	}

	static constexpr int kAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
				       IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC |
				       IBV_ACCESS_MW_BIND;
	static constexpr uint32_t kQkey = 0x1234;

	const bool adopts;
	ibv_context *context = nullptr;
	ibv_pd *pd = nullptr;
	ibv_mr *mr = nullptr;
	ibv_port_attr port = {};
	/* Whole pages, as a child inherits no page of registered memory (ibv_fork_init(3)) */
	struct alignas(kMemory) Memory {
		char bytes[kMemory] = {};
	};
	const std::unique_ptr<Memory> pages = std::make_unique<Memory>();
	char *const memory = pages->bytes;
	std::vector<ibv_qp *> qps;
	std::vector<ibv_cq *> cqs;
	std::ostringstream out; /* what the program saw */

      private:
	std::vector<ibv_sge> receives_;
};

inline void NoteBytes(World *w, uint64_t from, uint32_t length)
{
	const uint8_t *bytes = reinterpret_cast<const uint8_t *>(from);

	for (uint32_t at = 0; at < length; at++)
		w->out << int(bytes[at]) << ' ';
	w->out << "\n";
}

/*
 * Runs it on libmlx5 and on the layer. Returns what it saw, which must be the same. `watched`: see
 * segue_test_unwatch()
 */
inline std::string Same(void (*program)(World *world), bool watched = true)
{
	std::string seen[2];

	for (bool adopts : {false, true}) {
		World world(adopts, watched);

		program(&world);
		seen[adopts] = world.out.str();
	}
	EXPECT_NE("", seen[0]);
	EXPECT_EQ(seen[0], seen[1]) << "libmlx5 first, the layer second";
	return seen[0];
}

#endif
