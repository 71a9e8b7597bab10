// SPDX-License-Identifier: BSD-2-Clause
// What is said when something fails: who the peer is, and what to do next.
#include "segue/endpoint.h"
#include "segue/mkey.h"
#include "segue/mr.h"
#include "tests/runtime/control/faults.h"

class Sentences : public Faulty {
protected:
	static std::string explain_with(segue_qp *qp, const segue_wc &wc)
	{
		char text[1024];

		EXPECT_LT(segue_qp_explain(qp, &wc, text, sizeof(text)), sizeof(text));
		return text;
	}

	// "at LID 1" or "at GID …", as a path to this port has it.
	std::string place()
	{
		segue_port_info info;

		EXPECT_OK(segue_device_query_port(device, 1, &info));
		return info.link == SEGUE_LINK_IB ? "at LID " + std::to_string(info.lid) + "."
						  : "at GID ";
	}

	// Each life of a pair begins with what both say of themselves.
	void begin_life(segue_qp *qp, segue_path *path, segue_endpoint *mine)
	{
		ASSERT_OK(segue_endpoint_describe(mine, qp, path));
		EXPECT_EQ(mine->psn, path->sq_psn);
		EXPECT_NE(0u, mine->psn);
		EXPECT_LE(mine->psn, 0xffffffu);
	}
};

TEST_F(Sentences, NameThePeer)
{
	const Pair p = pair();

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	ASSERT_OK(write_to(p.a, 5, remote.addr, remote.key.rkey + 0x100));
	const std::string text = explain_with(p.a, take(1)[0]);

	EXPECT_HAS(text, "RDMA_WRITE of QP " + hex(segue_qp_number(p.a)));
	EXPECT_HAS(text, "It named remote address 0x");
	EXPECT_HAS(text, "Its peer is queue pair " + hex(segue_qp_number(p.b)) + " " + place());
}

TEST_F(Sentences, NameThePeerOfARequest)
{
	segue_qp_options options = options_for(SEGUE_QP_DCT);
	const segue_path path = path_to(0);
	segue_ah *address;
	segue_qp *dct, *dci;

	options.recv_cq = cq;
	options.srq = open_srq();
	options.dc_key = 0x1234;
	ASSERT_OK(segue_qp_open(pd, &options, &dct));
	ASSERT_OK(segue_qp_connect(dct, &path));
	ASSERT_OK(segue_ah_open(pd, &path, &address));
	dci = open(SEGUE_QP_DCI);
	ASSERT_OK(segue_qp_connect(dci, &path));
	ASSERT_OK(segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_write(segue_qp_dci_sq(dci), 1, SEGUE_SIGNALED),
				     segue_ah_av(address), segue_qp_number(dct), 0x4321),
			    remote.addr, remote.key.rkey),
		local.addr, 64, local.key.lkey)));
	const segue_wc wc = take(1)[0];
	const std::string text = explain_with(dci, wc);

	EXPECT_NE(0, wc.syndrome);
	EXPECT_HAS(text, "Its peer is queue pair " + hex(segue_qp_number(dct)) + " " + place());
	EXPECT_HAS(text, "DC key");
}

TEST_F(Sentences, AtomicThatIsNotAligned)
{
	const Pair p = pair();

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	ASSERT_OK(segue_post(segue_sge(
		segue_atomic_add(
			segue_raddr(segue_atomic_fa(segue_qp_rc_sq(p.a), 1, SEGUE_SIGNALED),
				    remote.addr + 4, remote.key.rkey),
			1),
		local.addr, 8, local.key.lkey)));
	const segue_wc wc = take(1)[0];

	EXPECT_NE(0, wc.syndrome);
	EXPECT_HAS(explain_with(p.a, wc), "has to be aligned to its 8 bytes");
}

// A peer that posts no receives is waited for without an error, if so asked.
TEST_F(Sentences, PeerThatIsNotReady)
{
	const Pair p = pair();
	std::vector<segue_wc> got;
	uint64_t before, after;

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	ASSERT_OK(segue_device_query_counter(device, 1, "rnr_nak_retry_err", &before));
	ASSERT_OK(send(p.a, 1));
	EXPECT_EQ(-ETIMEDOUT, segue_qp_drain(p.a, segue_deadline_in_ms(100), keep, &got));
	EXPECT_SAYS("With rnr_retry 7 sends wait for ever");
	EXPECT_HAS(segue_errmsg(), "Its peer is queue pair " + hex(segue_qp_number(p.b)));
	// counters are read now and then only
	const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);

	do
		ASSERT_OK(segue_device_query_counter(device, 1, "rnr_nak_retry_err", &after));
	while (after <= before && segue_deadline_left_ms(deadline) > 0);
	EXPECT_LT(before, after);
	ASSERT_OK(receive(p.b, 2));
	take(2);
}

TEST_F(Sentences, RegionThatAWindowIsBoundTo)
{
	const uint32_t access = SEGUE_MKEY_ACCESS_LOCAL_READ | SEGUE_MKEY_ACCESS_LOCAL_WRITE |
				SEGUE_MKEY_ACCESS_REMOTE_WRITE;
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_mr_options attr = {};
	segue_qp *qp, *other = open(SEGUE_QP_RC);
	segue_mw *mw;
	segue_mr *mr;

	attr.addr = to;
	attr.length = sizeof(to);
	attr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_MW_BIND;
	ASSERT_OK(segue_mr_open(pd, &attr, &mr));
	ASSERT_OK(segue_mw_open(pd, SEGUE_MW_TYPE_2, &mw));
	options.max_wqe_units = 16;
	ASSERT_OK(segue_qp_open(pd, &options, &qp));
	ASSERT_NO_FATAL_FAILURE(connect(qp, other));
	const uint32_t was = segue_mw_rkey(mw).rkey, now = segue_mw_next_rkey(mw).rkey;

	ASSERT_OK(segue_post(segue_bind_klm(
		segue_mkey_bind(
			segue_umr_ctrl(segue_bind_mw(segue_qp_rc_sq(qp), 1, SEGUE_SIGNALED, was)),
			(uintptr_t)to, 128, segue_qp_number(qp), (uint8_t)now, access),
		(uintptr_t)to, 128, segue_mr_lkey(mr).lkey)));
	EXPECT_EQ(0, take(1)[0].syndrome);
	EXPECT_EQ(-EBUSY, segue_mr_close(mr));
	EXPECT_SAYS("while a memory window is bound to it; its domain has 1 of them open, the "
		    "newest with key 0x");
	ASSERT_OK(segue_mw_close(mw));
	ASSERT_OK(segue_mr_close(mr));
}

// What an earlier life has sent does not fit into the next one, which both begin with a number
// drawn anew.
TEST_F(Sentences, EachLifeHasPacketNumbersOfItsOwn)
{
	const Pair p = pair();
	segue_path to_a = path_to(0), to_b = path_to(0);
	segue_endpoint a, b, before;
	std::vector<segue_wc> got;

	for (int life = 0; life < 3; life++) {
		ASSERT_NO_FATAL_FAILURE(begin_life(p.a, &to_b, &a));
		ASSERT_NO_FATAL_FAILURE(begin_life(p.b, &to_a, &b));
		if (life) {
			EXPECT_NE(before.psn, a.psn);
			EXPECT_TRUE(segue_endpoint_equal(&before, &a));
			EXPECT_FALSE(segue_endpoint_equal(&before, &b));
		}
		before = a;
		ASSERT_OK(segue_path_set_peer(&to_b, &b));
		ASSERT_OK(segue_path_set_peer(&to_a, &a));
		to_a.timeout = to_b.timeout = 20;
		ASSERT_OK(segue_qp_connect(p.a, &to_b));
		ASSERT_OK(segue_qp_connect(p.b, &to_a));
		if (life) { // what the last life has sent comes now
			const uint64_t until = now_us() + 300000;

			while (now_us() < until)
				EXPECT_EQ(0, segue_cq_poll_each(cq, 4, keep, &got));
			EXPECT_EQ(0, to[0]) << "life " << life;
		}
		// in the midst of a life nothing is drawn
		ASSERT_OK(segue_endpoint_describe(&a, p.a, &to_b));
		EXPECT_EQ(before.psn, a.psn);
		INJECT("delay 100% 200ms");
		ASSERT_OK(write(p.a, 1));
		ASSERT_OK(segue_qp_reset(p.a, keep, &got));
		ASSERT_OK(segue_qp_reset(p.b, keep, &got));
		INJECT("clear");
		got.clear();
	}
}

// Who gives the numbers by hand is held to the same.
TEST_F(Sentences, LifeWithPacketNumbersOfTheLast)
{
	const Pair p = pair();
	segue_path to_b = path_to(segue_qp_number(p.b)), to_a = path_to(segue_qp_number(p.a));
	std::vector<segue_wc> got;

	to_a.timeout = to_b.timeout = 20;
	ASSERT_OK(segue_qp_connect(p.a, &to_b));
	ASSERT_OK(segue_qp_connect(p.b, &to_a));
	INJECT("delay 100% 200ms");
	ASSERT_OK(write(p.a, 1));
	ASSERT_OK(segue_qp_reset(p.a, keep, &got));
	ASSERT_OK(segue_qp_reset(p.b, keep, &got));
	INJECT("clear");
	EXPECT_EQ(-EINVAL, segue_qp_connect(p.b, &to_a));
	EXPECT_SAYS("rq_psn is 0x0, as before the last reset");
	EXPECT_EQ(SEGUE_QP_STATE_INIT, segue_qp_state(p.b));
	to_a.rq_psn = to_b.sq_psn = 0x123456;
	to_b.rq_psn = to_a.sq_psn = 0x654321;
	ASSERT_OK(segue_qp_connect(p.b, &to_a));
	ASSERT_OK(segue_qp_connect(p.a, &to_b));
	const uint64_t until = now_us() + 300000;

	got.clear();
	while (now_us() < until)
		EXPECT_EQ(0, segue_cq_poll_each(cq, 4, keep, &got));
	EXPECT_EQ(0, to[0]);
	ASSERT_OK(write(p.a, 2));
	EXPECT_EQ(2u, take(1)[0].wr_id);
}

TEST_F(Sentences, LidThatIsMissing)
{
	segue_path path = path_to(5);

	if (path.link != SEGUE_LINK_IB)
		return;
	path.way.ib.dlid = 0;
	path.way.ib.global = true;
	path.way.ib.route.dgid.bytes[15] = 1;
	EXPECT_EQ(-EINVAL, segue_path_check(&path, true));
	EXPECT_SAYS("dlid is 0, expected the peer's LID (or its router's)");
}

TEST_F(Sentences, DeviceSaysWhereItIs)
{
	std::vector<segue_gid_info> all(256);
	segue_place_info where;
	segue_gid_info best, found;
	segue_gid_filter wish = {};
	uint64_t value = 1, first, second;

	ASSERT_OK(segue_device_query_place(device, &where));
	EXPECT_LE(-1, where.numa_node);
	EXPECT_NE('\0', where.pci[0]);
	ASSERT_OK(segue_device_query_counter(device, 1, "port_xmit_packets", &value));
	EXPECT_EQ(-ENOENT, segue_device_query_counter(device, 1, "no_such", &value));
	EXPECT_SAYS("has no counter no_such");
	EXPECT_EQ(-EINVAL, segue_device_query_counter(device, 1, "../state", &value));
	const int count = segue_device_query_gids(device, 1, all.data(), (uint32_t)all.size());

	ASSERT_LT(0, count) << segue_errmsg();
	EXPECT_EQ(count, segue_device_query_gids(device, 1, nullptr, 0));
	for (int i = 0; i < count; i++) {
		segue_gid_info one = {};

		ASSERT_OK(segue_device_query_gid(device, 1, all[i].index, &one));
		EXPECT_EQ(0, memcmp(&one, &all[i], sizeof(one)));
	}
	ASSERT_OK(segue_device_find_gid(device, 1, nullptr, &best));
	wish.subnet = best.gid;
	wish.subnet_bits = 128;
	wish.interface = best.interface;
	ASSERT_OK(segue_device_find_gid(device, 1, &wish, &found));
	EXPECT_EQ(0, memcmp(&best.gid, &found.gid, sizeof(best.gid)));
	wish.subnet.bytes[15] ^= 0x80;
	wish.subnet.bytes[0] ^= 0x10;
	EXPECT_EQ(-ENOENT, segue_device_find_gid(device, 1, &wish, &found));
	wish.subnet_bits = 129;
	EXPECT_EQ(-EINVAL, segue_device_find_gid(device, 1, &wish, &found));
	if (segue_device_caps(device)->clock_khz) {
		ASSERT_OK(segue_device_query_ticks(device, &first));
		ASSERT_OK(segue_device_query_ticks(device, &second));
		EXPECT_LE(first, second);
	}
}

// Verbs' flags and those of key contexts, in all combinations: one byte, and verbs' optional ones.
TEST_F(Sentences, RightsOfAnotherKind)
{
	static uint8_t memory[64];
	const Pair p = pair();
	segue_path path = path_to(1);
	segue_mr_options attr = {};
	segue_local_buf piece = {};
	segue_mkey_layout umr = {};
	segue_mr *mr;

	ASSERT_OK(open_mkey(pd, 4, 0, &umr.mkey));
	attr.addr = memory;
	attr.length = sizeof(memory);
	for (uint32_t access = 1; access <= 256; access++) {
		attr.access = path.access_flags = umr.access =
			access < 256 ? access : uint32_t(IBV_ACCESS_RELAXED_ORDERING);
		const std::string is = " is " + hex(attr.access) + ", of which " +
				       hex(attr.access) + " is none of enum segue_access";

		ASSERT_EQ(-EINVAL, segue_mr_open(pd, &attr, &mr)) << access;
		EXPECT_HAS(std::string(segue_errmsg()), "Memory region: access" + is);
		ASSERT_EQ(-EINVAL, segue_path_check(&path, true)) << access;
		EXPECT_HAS(std::string(segue_errmsg()), "Path: access_flags" + is);
		ASSERT_EQ(-EINVAL, segue_mkey_post_list(segue_qp_rc_sq(p.a), &umr, &piece, 1))
			<< access;
		EXPECT_HAS(std::string(segue_errmsg()), "Indirect key: access" + is);
	}
	ASSERT_OK(segue_mkey_close(umr.mkey));
}

// One that there is no room for ends with a sign, so that nobody takes half of it for all.
TEST_F(Sentences, ThatAreTooLongSaySo)
{
	const std::string fits(511, 'x'), long_one(512, 'x');

	EXPECT_EQ(-EINVAL, seguei_fail(EINVAL, "%s", fits.c_str()));
	EXPECT_EQ(fits, segue_errmsg());
	EXPECT_EQ(-EINVAL, seguei_fail(EINVAL, "%s", long_one.c_str()));
	EXPECT_EQ(std::string(508, 'x') + "...", segue_errmsg());
}

// Device memory whose copies fail.
static ibv_dm *(*real_alloc_dm)(ibv_context *, ibv_alloc_dm_attr *);

static ibv_dm *alloc_faulty_dm(ibv_context *context, ibv_alloc_dm_attr *attr)
{
	ibv_dm *const dm = real_alloc_dm(context, attr);

	dm->memcpy_to_dm = [](ibv_dm *, uint64_t, const void *, size_t) { return EFAULT; };
	dm->memcpy_from_dm = [](void *, ibv_dm *, uint64_t, size_t) { return EIO; };
	return dm;
}

// What the device says of a copy of its memory is said, too.
TEST_F(Sentences, OfCopiesOfDeviceMemory)
{
	verbs_context *const verbs = verbs_get_ctx(segue_device_ibv(device));
	segue_dm_options options = {};
	segue_dm *dm = nullptr;
	uint32_t word = 0;

	ASSERT_NE(nullptr, verbs);
	real_alloc_dm = verbs->alloc_dm;
	verbs->alloc_dm = alloc_faulty_dm;
	options.length = 64;
	ASSERT_OK(segue_dm_open(pd, &options, &dm));
	verbs->alloc_dm = real_alloc_dm;
	EXPECT_EQ(-EFAULT, segue_dm_copy_to(dm, 8, &word, sizeof(word)));
	EXPECT_SAYS("4 bytes are not copied to 8");
	EXPECT_SAYS(strerror(EFAULT));
	EXPECT_EQ(-EIO, segue_dm_copy_from(dm, 12, &word, sizeof(word)));
	EXPECT_SAYS("4 bytes are not copied from 12");
}
