// SPDX-License-Identifier: BSD-2-Clause
// From device to completed requests over real libibverbs and libmlx5.
#include <infiniband/mlx5dv.h>

#include "segue/mkey.h"
#include "tests/runtime/control/fixture.h"

TEST_F(Control, WriteBetweenTwoRcQueuePairs)
{
	static uint8_t from[4096], to[4096];
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	segue_local_buf local;
	segue_remote_buf remote;

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (uint8_t)(i * 7 + 1);
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_RTS, segue_qp_state(a));
	ASSERT_OK(segue_mr_local_buf(share(from, sizeof(from)), 0, sizeof(from), &local));
	ASSERT_OK(segue_mr_remote_buf(share(to, sizeof(to)), 0, sizeof(to), &remote));
	ASSERT_OK(segue_post(
		segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), 4711, SEGUE_SIGNALED),
				      remote.addr, remote.key.rkey),
			  local.addr, local.length, local.key.lkey)));
	const segue_wc wc = take(1)[0];

	EXPECT_EQ(4711u, wc.wr_id);
	EXPECT_EQ(0, wc.syndrome);
	EXPECT_EQ(segue_qp_number(a), wc.qpn);
	EXPECT_EQ(0, memcmp(from, to, sizeof(from)));
	EXPECT_TRUE(segue_qp_is_idle(a));
}

TEST_F(Control, PostsAreRefusedBeforeRts)
{
	segue_qp *qp = open(SEGUE_QP_RC);

	EXPECT_EQ(-EINVAL,
		  segue_post(segue_sge(segue_send(segue_qp_rc_sq(qp), 1, 0), 0x1000, 4, 5)));
	EXPECT_SAYS("in a state that rejects send requests");
	EXPECT_EQ(-EINVAL, segue_post(segue_sge(segue_recv(segue_qp_rq(qp), 1), 0x1000, 4, 5)));
	EXPECT_SAYS("in a state that takes no receives; move it to INIT");
}

TEST_F(Control, FlushGivesEverythingBack)
{
	static uint8_t memory[4096];
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	const uint32_t lkey = segue_mr_lkey(share(memory, sizeof(memory))).lkey;
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	for (uint64_t i = 0; i < 16; i++)
		ASSERT_OK(segue_post(
			segue_sge(segue_recv(segue_qp_rq(a), i), (uintptr_t)memory, 64, lkey)));
	EXPECT_FALSE(segue_qp_is_idle(a));
	ASSERT_OK(segue_qp_flush(a, segue_deadline_in_ms(5000), keep, &got));
	ASSERT_LE(16u, got.size());
	for (uint64_t i = 0; i < 16; i++) {
		EXPECT_EQ(i, got[i].wr_id);
		EXPECT_EQ((int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, got[i].syndrome);
	}
}

// What completes only as the first to fail is flushed without a word by the device, which must not
// leave it in flight for ever.
TEST_F(Control, FlushGivesBackWhatFailsInSilence)
{
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	for (uint64_t i = 0; i < 4; i++) // nobody has posted a receive: they wait
		ASSERT_OK(segue_post(segue_send(segue_qp_rc_sq(a), i, SEGUE_FIRST_ERROR_ONLY)));
	ASSERT_OK(segue_qp_flush(a, segue_deadline_in_ms(5000), keep, &got));
	EXPECT_TRUE(segue_qp_is_idle(a));
	for (const segue_wc &wc : got)
		EXPECT_EQ((int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, wc.syndrome);
}

TEST_F(Control, DevicesAndPorts)
{
	segue_device_info infos[4];
	segue_port_info port;
	segue_device *other;
	char guid[32];

	ASSERT_LE(1, segue_device_list(infos, 4));
	EXPECT_TRUE(infos[0].supported);
	snprintf(guid, sizeof(guid), "%016llx", (unsigned long long)infos[0].guid);
	ASSERT_OK(segue_device_open(guid, &other));
	EXPECT_STREQ(infos[0].name, segue_device_name(other));
	ASSERT_OK(segue_device_close(other));
	EXPECT_EQ(-ENODEV, segue_device_open("mlx5_77", &other));
	EXPECT_SAYS("There is no RDMA device mlx5_77");
	ASSERT_OK(segue_device_query_port(device, 1, &port));
	EXPECT_TRUE(port.active);
	EXPECT_EQ(-EINVAL, segue_device_query_port(device, 9, &port));
	EXPECT_SAYS("has no port 9");
	EXPECT_LT(0u, segue_device_caps(device)->max_qp_wr);
	EXPECT_EQ(0, segue_device_dispatch(device, SEGUE_NOW));
	segue_gid_info gid;

	EXPECT_EQ(-EINVAL, segue_device_query_gid(device, 1, 100000, &gid));
	EXPECT_SAYS("has no GID 100000, expected less than");
}

// Capabilities are what verbs, mlx5dv and, where only it knows, the device say.
TEST_F(Control, CapabilitiesAreThoseOfTheDevice)
{
	const segue_caps *caps = segue_device_caps(device);
	ibv_device_attr_ex verbs = {};
	mlx5dv_context dv = {};

	ASSERT_EQ(0, ibv_query_device_ex(segue_device_ibv(device), nullptr, &verbs));
	dv.comp_mask = MLX5DV_CONTEXT_MASK_STRIDING_RQ | MLX5DV_CONTEXT_MASK_DCI_STREAMS |
		       MLX5DV_CONTEXT_MASK_WR_MEMCPY_LENGTH;
	ASSERT_EQ(0, mlx5dv_query_device(segue_device_ibv(device), &dv));
	const ibv_device_attr &plain = verbs.orig_attr;
	const std::vector<std::pair<uint64_t, uint64_t>> pairs = {
		{caps->ports, plain.phys_port_cnt},
		{caps->max_qp, plain.max_qp},
		{caps->max_qp_wr, plain.max_qp_wr},
		{caps->max_sge, plain.max_sge},
		{caps->max_sge_rd, plain.max_sge_rd},
		{caps->max_cq, plain.max_cq},
		{caps->max_cqe, plain.max_cqe},
		{caps->max_mr, plain.max_mr},
		{caps->max_pd, plain.max_pd},
		{caps->max_srq, plain.max_srq},
		{caps->max_srq_wr, plain.max_srq_wr},
		{caps->max_srq_sge, plain.max_srq_sge},
		{caps->max_mw, plain.max_mw},
		{caps->max_ah, plain.max_ah},
		{caps->max_qp_rd_atom, plain.max_qp_rd_atom},
		{caps->max_qp_init_rd_atom, plain.max_qp_init_rd_atom},
		{caps->max_mr_size, plain.max_mr_size},
		{caps->page_sizes, plain.page_size_cap},
		{caps->atomics, plain.atomic_cap != IBV_ATOMIC_NONE},
		{caps->xrc, (plain.device_cap_flags & IBV_DEVICE_XRC) != 0},
		{caps->odp_rc, verbs.odp_caps.per_transport_caps.rc_odp_caps},
		{caps->odp_ud, verbs.odp_caps.per_transport_caps.ud_odp_caps},
		{caps->odp_xrc, verbs.xrc_odp_caps},
		{caps->cqe_version_1, (dv.flags & MLX5DV_CONTEXT_FLAGS_CQE_V1) != 0},
		{caps->striding_max_log_bytes,
		 dv.striding_rq_caps.max_single_stride_log_num_of_bytes},
		{caps->striding_min_log_strides,
		 dv.striding_rq_caps.min_single_wqe_log_num_of_strides},
		{caps->dci_max_log_concurrent, dv.dci_streams_caps.max_log_num_concurent},
		{caps->dci_max_log_errored, dv.dci_streams_caps.max_log_num_errored},
		{caps->max_memcpy, dv.max_wr_memcpy_length},
		{caps->rss_max_table, verbs.rss_caps.max_rwq_indirection_table_size},
		{caps->max_tso, verbs.tso_caps.max_tso},
		{caps->max_device_memory, verbs.max_dm_size},
	};

	for (size_t i = 0; i < pairs.size(); i++)
		EXPECT_EQ(pairs[i].second, pairs[i].first) << "capability " << i;
	/* Of the device itself. */
	EXPECT_LE(1u << 10, caps->umr_max_pieces);
	EXPECT_TRUE(caps->masked_atomics);
	EXPECT_EQ(8u, caps->masked_atomic_sizes & 8u);
}

// A device of another driver, as libibverbs shows it: what libmlx5 looks at lies behind it.
TEST_F(Control, DeviceThatIsNoMlx5)
{
	struct {
		ibv_device device;
		uint64_t of_the_driver[64];
	} foreign = {};
	ibv_context context = {};
	segue_device *other = nullptr;

	strcpy(foreign.device.name, "rxe0");
	context.device = &foreign.device;
	EXPECT_EQ(-ENOTSUP, segue_device_adopt(&context, &other));
	EXPECT_SAYS("Device rxe0 is not an mlx5");
	EXPECT_EQ(-EINVAL, segue_device_adopt(nullptr, &other));
	EXPECT_EQ(nullptr, other);
}

TEST_F(Control, OptionsAreRefusedByName)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_cq_options cqs = {};
	segue_cq *other;
	segue_qp *qp;

	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &other));
	EXPECT_SAYS("entries is 0");
	cqs.entries = 8;
	cqs.vector = 10000;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &other));
	EXPECT_SAYS("vector is 10000, expected 0 to");
	options.send_cq = nullptr;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("send_cq is NULL");
	(options = options_for(SEGUE_QP_RC)).max_inline = 5000;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("max_inline 5000");
	(options = options_for(SEGUE_QP_RC)).dc_key = 1;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("dc_key");
	options = {};
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("type is 0");
}

TEST_F(Control, PathsAreRefusedByField)
{
	segue_qp *qp = open(SEGUE_QP_RC);
	segue_path path = path_to(0);

	ASSERT_OK(segue_qp_modify_to(qp, SEGUE_QP_STATE_INIT, &path));
	EXPECT_EQ(-EINVAL, segue_qp_modify_to(qp, SEGUE_QP_STATE_RTR, &path));
	EXPECT_SAYS("dest_qpn is 0");
	EXPECT_EQ(-EINVAL, segue_qp_modify_to(qp, SEGUE_QP_STATE_RTS, &path));
	EXPECT_SAYS("no way from INIT to RTS");
	path = path_to(77);
	if (path.link == SEGUE_LINK_IB)
		path.way.ib.dlid = 0;
	else
		memset(&path.way.roce.route.dgid, 0, sizeof(segue_gid));
	EXPECT_EQ(-EINVAL, segue_qp_modify_to(qp, SEGUE_QP_STATE_RTR, &path));
	EXPECT_SAYS(path.link == SEGUE_LINK_IB ? "dlid is 0" : "dgid is all zero");
	path = path_to(77);
	path.mtu = 1500;
	EXPECT_EQ(-EINVAL, segue_qp_modify_to(qp, SEGUE_QP_STATE_RTR, &path));
	EXPECT_SAYS("mtu is 1500");
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_INIT, segue_qp_state(qp));
}

TEST_F(Control, MemoryIsLocalOrShared)
{
	static uint8_t memory[4096];
	segue_mr_options attr = {};
	segue_mr *mr, *shared = share(memory, sizeof(memory));
	segue_remote_buf remote;
	segue_local_buf local;

	attr.addr = memory;
	attr.length = sizeof(memory);
	attr.access = SEGUE_ACCESS_LOCAL_WRITE;
	ASSERT_OK(segue_mr_open(pd, &attr, &mr));
	EXPECT_EQ(-EACCES, segue_mr_remote_buf(mr, 0, 1, &remote));
	EXPECT_SAYS("is local: no peer may reach it; open it with a REMOTE right or MW_BIND");
	attr.access |= SEGUE_ACCESS_REMOTE_READ;
	ASSERT_OK(segue_mr_rereg(mr, &attr));
	EXPECT_OK(segue_mr_remote_buf(mr, 0, 1, &remote));
	attr.access = SEGUE_ACCESS_LOCAL_WRITE;
	ASSERT_OK(segue_mr_rereg(mr, &attr));
	EXPECT_EQ(-EACCES, segue_mr_remote_buf(mr, 0, 1, &remote));
	EXPECT_OK(segue_mr_local_buf(mr, 4095, 1, &local));
	EXPECT_EQ(-ERANGE, segue_mr_local_buf(mr, 4095, 2, &local));
	EXPECT_EQ(-ERANGE, segue_mr_local_buf(mr, 4096, 0, &local));
	EXPECT_EQ(-ERANGE, segue_mr_local_buf(mr, UINT64_MAX, 2, &local));
	EXPECT_OK(segue_mr_remote_buf(shared, 0, 4096, &remote));
	EXPECT_EQ(-ERANGE, segue_mr_remote_buf(shared, 1, 4096, &remote));
}

TEST_F(Control, WindowsAndIndirectKeys)
{
	segue_mkey *mkey;
	segue_mw *mw;

	EXPECT_EQ(-EINVAL, segue_mw_open(pd, static_cast<segue_mw_type>(3), &mw));
	ASSERT_OK(segue_mw_open(pd, SEGUE_MW_TYPE_2, &mw));
	const uint32_t key = segue_mw_rkey(mw).rkey;

	EXPECT_EQ((key & ~0xffu) | ((key + 1) & 0xff), segue_mw_next_rkey(mw).rkey);
	EXPECT_OK(segue_mw_close(mw));
	ASSERT_OK(open_mkey(pd, 4, 0, &mkey));
	EXPECT_NE(0u, segue_mkey_lkey(mkey).lkey);
}

TEST_F(Control, ClosingOutOfOrderIsRefusedByName)
{
	segue_qp *qp = open(SEGUE_QP_RC);

	EXPECT_EQ(-EBUSY, segue_cq_close(cq));
	EXPECT_SAYS("is used by 1 open object(s), among them the queue pair");
	ASSERT_OK(segue_qp_close(qp));
	ASSERT_OK(segue_cq_close(cq));
	cq = nullptr;
}

// A parent closes what is below it; many times over, nothing is left.
TEST_F(Control, OpenAndCloseManyTimes)
{
	static uint8_t memory[4096];

	for (int i = 0; i < 300; i++) {
		segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_UD);

		share(memory, sizeof(memory));
		if (i % 3 == 0) {
			ASSERT_OK(segue_qp_close(b));
		}
		if (i % 5 == 0) {
			ASSERT_OK(segue_qp_close(a));
		}
		ASSERT_OK(segue_pd_close(pd));
		ASSERT_OK(segue_pd_open(device, &pd));
	}
}

TEST_F(Control, ChannelWakesUp)
{
	static uint8_t memory[64];
	segue_cq_options cqs = {};
	segue_comp_channel *channel;
	segue_cq *woken, *quiet = cq;
	segue_local_buf local;
	segue_remote_buf remote;
	segue_mr *mr = share(memory, sizeof(memory));

	ASSERT_OK(segue_comp_channel_open(device, &channel));
	cqs.entries = 64;
	cqs.channel = channel;
	ASSERT_OK(segue_cq_open(device, &cqs, &cq));
	segue_qp *a = open(SEGUE_QP_RC);
	segue_cq *loud = cq;

	cq = quiet;
	segue_qp *b = open(SEGUE_QP_RC);

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_mr_local_buf(mr, 0, 32, &local));
	ASSERT_OK(segue_mr_remote_buf(mr, 32, 32, &remote));
	EXPECT_EQ(0, segue_comp_channel_wait(channel, SEGUE_NOW, &woken));
	ASSERT_OK(segue_cq_arm(loud, SEGUE_CQ_ARM_CMD_ANY));
	ASSERT_OK(segue_post(
		segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), 1, SEGUE_SIGNALED),
				      remote.addr, remote.key.rkey),
			  local.addr, local.length, local.key.lkey)));
	ASSERT_EQ(1, segue_comp_channel_wait(channel, segue_deadline_in_ms(5000), &woken))
		<< segue_errmsg();
	EXPECT_EQ(loud, woken);
	EXPECT_EQ(0, take(1, loud)[0].syndrome);
	EXPECT_EQ(-EBUSY, segue_comp_channel_close(channel));
}

// 16 requests that do not signal, in a queue for 16: none is lost, and the queue takes more
// afterwards.
TEST_F(Control, AsManyRequestsAsAskedFor)
{
	static uint8_t memory[64];
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	const uint32_t lkey = segue_mr_lkey(share(memory, sizeof(memory))).lkey;
	segue_remote_buf remote;

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_mr_remote_buf(share(memory, sizeof(memory)), 0, 64, &remote));
	for (int round = 0; round < 100; round++) {
		for (uint64_t i = 0; i < 16; i++)
			ASSERT_OK(segue_post(segue_sge(
				segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), i,
							     i == 15 ? SEGUE_SIGNALED : 0),
					    remote.addr, remote.key.rkey),
				(uintptr_t)memory, 32, lkey)));
		EXPECT_EQ(15u, take(1)[0].wr_id);
		EXPECT_TRUE(segue_qp_is_idle(a));
	}
}

// Words that a later version gives a meaning: what this one does not know, it refuses.
TEST_F(Control, ReservedWordsOfOptionsAreZero)
{
	static uint8_t memory[4096];
	segue_mr_options memory_options = {};
	segue_mkey_options key_options = {};
	segue_cq_options cq_options = {};
	segue_qp_options qp_options = {};
	segue_srq_options srq_options = {};
	segue_mkey *mkey;
	segue_srq *srq;
	segue_cq *other;
	segue_mr *mr;
	segue_qp *qp;

	memory_options.addr = memory;
	memory_options.length = sizeof(memory);
	memory_options.reserved[0] = 1;
	EXPECT_EQ(-EINVAL, segue_mr_open(pd, &memory_options, &mr));
	EXPECT_SAYS("Memory region: reserved[0] is 0x1, expected 0");
	key_options.max_entries = 4;
	key_options.reserved[3] = 0x20;
	EXPECT_EQ(-EINVAL, segue_mkey_open(pd, &key_options, &mkey));
	EXPECT_SAYS("Indirect key: reserved[3] is 0x20");
	cq_options.entries = 8;
	cq_options.reserved[1] = 1;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cq_options, &other));
	srq_options.max_wr = srq_options.max_sge = 1;
	srq_options.reserved[2] = 1;
	EXPECT_EQ(-EINVAL, segue_srq_open(pd, &srq_options, &srq));
	qp_options.type = SEGUE_QP_RC;
	qp_options.send_cq = qp_options.recv_cq = cq;
	qp_options.reserved[3] = UINT64_MAX;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &qp_options, &qp));
	EXPECT_SAYS("Queue pair: reserved[3] is 0xffffffffffffffff");
}
