// SPDX-License-Identifier: BSD-2-Clause
// What a queue pair is asked to be arrives at libmlx5, and does what it says where the device shows
// it.
#include <dlfcn.h>
#include <infiniband/mlx5dv.h>

#include "tests/runtime/control/faults.h"

static mlx5dv_qp_init_attr asked; // by the last call

// In the place of libmlx5's, which it calls.
extern "C" ibv_qp *mlx5dv_create_qp(ibv_context *context, ibv_qp_init_attr_ex *attr,
				    mlx5dv_qp_init_attr *mlx5)
{
	const auto real = reinterpret_cast<decltype(&mlx5dv_create_qp)>(
		dlsym(RTLD_NEXT, "mlx5dv_create_qp"));

	asked = {};
	if (mlx5)
		asked = *mlx5;
	return real(context, attr, mlx5);
}

class Creation : public Faulty {
protected:
	int make(const segue_qp_options &options, segue_qp **qp)
	{
		asked = {};
		return segue_qp_open(pd, &options, qp);
	}

	static uint32_t flags()
	{
		return asked.comp_mask & MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS
			       ? asked.create_flags
			       : 0;
	}

	segue_qp_options without_receives()
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);

		options.max_recv_wr = options.max_recv_sge = 0;
		return options;
	}

	// 64 bytes of `from` to `to`; the engine keeps its state behind them.
	void post_copy(segue_qp *qp)
	{
		ASSERT_OK(segue_post(segue_mmo_data(
			segue_mmo_data(segue_mmo_metadata(
					       segue_memcpy(segue_qp_rc_sq(qp), 1, SEGUE_SIGNALED),
					       0, local.key.lkey, local.addr + 2048),
				       local.addr, 64, local.key.lkey),
			landing.addr, 64, landing.key.lkey)));
	}

	segue_qp_options raw()
	{
		segue_qp_options options = {};

		options.type = SEGUE_QP_RAW_PACKET;
		options.send_cq = options.recv_cq = cq;
		options.max_send_wr = options.max_send_sge = options.max_recv_wr =
			options.max_recv_sge = 2;
		return options;
	}
};

// The kernel asks for the right when the queue pair is made.
TEST_F(Creation, RawPacketsTakeARight)
{
	const segue_qp_options options = raw();
	segue_qp *qp;

	INJECT("command create_qp EPERM");
	EXPECT_EQ(-EPERM, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("it takes CAP_NET_RAW");
}

TEST_F(Creation, FlagsArrive)
{
	struct {
		bool segue_qp_options::*option;
		uint32_t flag; // beside the one that turns scattering off
		bool on_raw, works;
		int refused;
	} kinds[] = {
		{&segue_qp_options::signature_pipelining, MLX5DV_QP_CREATE_SIG_PIPELINING, false,
		 true, 0},
		{&segue_qp_options::packet_based_credit, MLX5DV_QP_CREATE_PACKET_BASED_CREDIT_MODE,
		 false, false, EOPNOTSUPP},
		{&segue_qp_options::out_of_order,
		 1u << 7 /* MLX5DV_QP_CREATE_OOO_DP, which older libraries refuse */, false, false,
		 EINVAL},
		{&segue_qp_options::loopback_unicast, MLX5DV_QP_CREATE_TIR_ALLOW_SELF_LOOPBACK_UC,
		 true, true, 0},
		{&segue_qp_options::loopback_multicast, MLX5DV_QP_CREATE_TIR_ALLOW_SELF_LOOPBACK_MC,
		 true, true, 0},
		{&segue_qp_options::tunnel_offloads, MLX5DV_QP_CREATE_TUNNEL_OFFLOADS, true, false,
		 EOPNOTSUPP},
	};
	const char *const names[] = {"signature_pipelining",
				     "packet_based_credit",
				     "out_of_order",
				     "loopback",
				     "loopback",
				     "tunnel_offloads"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		SCOPED_TRACE(names[i]);
		segue_qp_options options = kinds[i].on_raw ? raw() : without_receives();
		segue_qp *qp;

		ASSERT_OK(make(options, &qp));
		EXPECT_EQ((uint32_t)MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE, flags());
		ASSERT_OK(segue_qp_close(qp));
		options.*kinds[i].option = true;
		const int ret = make(options, &qp);

		EXPECT_EQ(MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE | kinds[i].flag, flags());
		if (kinds[i].works) {
			ASSERT_OK(ret);
			ASSERT_OK(segue_qp_close(qp));
		} else {
			EXPECT_EQ(-kinds[i].refused, ret);
			EXPECT_SAYS(names[i]);
			EXPECT_SAYS("may not have the option");
		}
		// Types that do not have it.
		options = kinds[i].on_raw ? without_receives() : raw();
		options.*kinds[i].option = true;
		EXPECT_EQ(-EINVAL, make(options, &qp));
		EXPECT_SAYS(names[i]);
		EXPECT_EQ(0u, asked.comp_mask) << "refused before libmlx5 is asked";
	}
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_qp *qp;

	options.out_of_order = true;
	EXPECT_EQ(-EINVAL, make(options, &qp));
	EXPECT_SAYS("take them from an srq");
}

TEST_F(Creation, Scattering)
{
	segue_qp_options options = without_receives();
	segue_qp *qp;

	options.scatter_reads_to_cqe = true;
	EXPECT_EQ(-EINVAL, make(options, &qp));
	EXPECT_SAYS("without scatter_to_cqe");
	options.scatter_to_cqe = true;
	ASSERT_OK(make(options, &qp));
	EXPECT_EQ((uint32_t)MLX5DV_QP_CREATE_ALLOW_SCATTER_TO_CQE, flags());
	options.scatter_reads_to_cqe = false;
	ASSERT_OK(make(options, &qp));
	EXPECT_EQ(0u, flags());
}

struct Seen {
	unsigned int inside;
	uint32_t byte_len;
	segue_wc_details details;
};

static void look(const segue_wc *wc, void *arg) noexcept
{
	Seen *seen = static_cast<Seen *>(arg);
	segue_cqe64 cqe;

	ASSERT_EQ(0, wc->syndrome);
	(void)segue_cqe64_unpack(&cqe, wc->cqe);
	seen->inside += cqe.format != SEGUE_CQE_FORMAT_NO_INLINE;
	seen->byte_len = segue_wc_byte_len(wc);
	segue_wc_get_details(wc, &seen->details);
}

// Wherever a READ's payload and an atomic's result came, they lie in the buffer. The emulated
// device puts neither into completions; those that do are in wc_test.
TEST_F(Creation, ReadsThatMayComeInsideCompletions)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_qp *a, *b;

	options.scatter_to_cqe = options.scatter_reads_to_cqe = true;
	ASSERT_OK(make(options, &a));
	ASSERT_OK(make(options, &b));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	memset(to, 0x5a, 64);
	memset(from, 0, 64);
	const auto take_look = [this](Seen *seen) {
		const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);
		int n = 0;

		while (!n && segue_deadline_left_ms(deadline) > 0)
			ASSERT_LE(0, n = found(segue_cq_poll_each(cq, 1, look, seen)));
		ASSERT_EQ(1, n);
	};
	Seen read = {}, atomic = {};

	ASSERT_OK(segue_post(
		segue_sge(segue_raddr(segue_rdma_read(segue_qp_rc_sq(a), 1, SEGUE_SIGNALED),
				      remote.addr, remote.key.rkey),
			  local.addr, 16, local.key.lkey)));
	ASSERT_NO_FATAL_FAILURE(take_look(&read));
	EXPECT_EQ(16u, read.byte_len);
	EXPECT_FALSE(read.details.valid & SEGUE_WC_HAS_ATOMIC_RESULT);
	EXPECT_EQ(0, memcmp(from, to, 16));
	ASSERT_OK(segue_post(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(segue_qp_rc_sq(a), 2, SEGUE_SIGNALED),
					     remote.addr, remote.key.rkey),
				 1),
		local.addr + 32, 8, local.key.lkey)));
	ASSERT_NO_FATAL_FAILURE(take_look(&atomic));
	EXPECT_EQ(8u, atomic.byte_len);
	EXPECT_EQ(atomic.inside != 0, (atomic.details.valid & SEGUE_WC_HAS_ATOMIC_RESULT) != 0);
	EXPECT_EQ(0x5a, from[32]);
}

// Payload for the null key goes nowhere, though it comes inside the completion.
TEST_F(Creation, NullKey)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	ibv_mr *null_mr = ibv_alloc_null_mr(segue_pd_ibv(pd));
	segue_qp *a, *b;

	ASSERT_NE(nullptr, null_mr);
	options.scatter_to_cqe = true;
	ASSERT_OK(make(options, &a));
	ASSERT_OK(make(options, &b));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	// Were it followed, the address would be nobody's.
	ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(b), 5), 64, 16, null_mr->lkey)));
	ASSERT_OK(segue_post(segue_sge(segue_send(segue_qp_rc_sq(a), 1, SEGUE_SIGNALED), local.addr,
				       16, local.key.lkey)));
	for (const segue_wc &wc : take(2))
		EXPECT_EQ(0, wc.syndrome) << explain(wc);
	EXPECT_EQ(0, ibv_dereg_mr(null_mr));
}

// On a device that copies memory only for queue pairs that were made for it.
TEST_F(Creation, MemoryCopies)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_qp *qp;

	for (const bool wanted : {true, false}) {
		options.device_memcpy = wanted;
		ASSERT_OK(make(options, &qp));
		EXPECT_EQ(wanted ? (uint64_t)MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS : 0,
			  asked.comp_mask & MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS);
		EXPECT_EQ(wanted ? (uint64_t)MLX5DV_QP_EX_WITH_MEMCPY : 0, asked.send_ops_flags);
		segue_path path = path_to(segue_qp_number(qp));

		path.sq_psn = path.rq_psn = 5;
		ASSERT_OK(segue_qp_connect(qp, &path));
		memset(to, 0, 64);
		post_copy(qp);
		const segue_wc wc = take(1)[0];

		EXPECT_EQ(wanted ? 0 : SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR, wc.syndrome)
			<< explain(wc);
		EXPECT_EQ(wanted ? 0 : 1, memcmp(from, to, 64) != 0);
		ASSERT_OK(segue_qp_close(qp));
	}
	options = options_for(SEGUE_QP_UD);
	options.device_memcpy = true;
	EXPECT_EQ(-EINVAL, make(options, &qp));
	EXPECT_SAYS("device_memcpy");
}
