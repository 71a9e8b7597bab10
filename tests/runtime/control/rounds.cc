// SPDX-License-Identifier: BSD-2-Clause
// Objects of every kind, opened and closed in random legal order, many times over: nothing is left
// open, and what is refused is refused by name. usage: rounds [ROUNDS]
#include <set>

#include "segue/mkey.h"
#include "segue/pool.h"
#include "tests/runtime/control/faults.h"
#include "tests/seed/seed.h"

namespace
{

int wanted_rounds = 10000;

// One kind of object: how many are open, and how to open and close one.
template <class Object>
struct Some {
	std::vector<Object *> open;

	Object *any() const
	{
		return open.empty() ? nullptr : open[(size_t)rand() % open.size()];
	}

	void forget(Object *object)
	{
		for (size_t i = 0; i < open.size(); i++)
			if (open[i] == object) {
				open.erase(open.begin() + (long)i);
				return;
			}
	}
};

class World {
public:
	void run(int rounds)
	{
		for (int i = 0; i < rounds && !::testing::Test::HasFailure(); i++) {
			if (devices.open.empty() || (rand() % 200 == 0 && devices.open.size() < 3))
				open_device();
			else if (rand() % 300 == 0)
				close_all(devices.any());
			else if (rand() % 2)
				open_one();
			else
				close_one();
		}
		while (!devices.open.empty())
			close_all(devices.any());
		EXPECT_EQ(0u, open_objects());
	}

	size_t opened = 0, closed = 0, refused = 0, swept = 0;

private:
	struct Home {
		segue_device *device;
		Some<segue_pd> pds;
		Some<segue_xrcd> xrcds;
		Some<segue_comp_channel> channels;
		Some<segue_cq> cqs;
		Some<segue_srq> srqs;
		Some<segue_qp> qps;
		Some<segue_mr> mrs;
		Some<segue_mw> mws;
		Some<segue_mkey> mkeys;
		Some<segue_sigval> psvs;
		Some<segue_dek> deks;
		Some<segue_pool> pools;
		Some<segue_ah> addresses;
	};

	Home &home_of(segue_device *device)
	{
		for (Home &home : homes)
			if (home.device == device)
				return home;
		abort();
	}

	void open_device()
	{
		segue_device *device;

		ASSERT_OK(segue_device_open(nullptr, &device));
		devices.open.push_back(device);
		homes.emplace_back();
		homes.back().device = device;
		opened++;
	}

	// The device takes everything with it.
	void close_all(segue_device *device)
	{
		for (size_t i = 0; i < homes.size(); i++)
			if (homes[i].device == device) {
				homes.erase(homes.begin() + (long)i);
				break;
			}
		devices.forget(device);
		ASSERT_OK(segue_device_close(device));
		swept++;
	}

	template <class Object>
	void keep(int ret, Some<Object> &some, Object *const &object)
	{
		ASSERT_EQ(0, ret) << segue_errmsg();
		some.open.push_back(object);
		opened++;
	}

	segue_path path_of(Home &h)
	{
		segue_port_info port;
		segue_gid_info gid;
		segue_path path;

		EXPECT_OK(segue_path_init(&path, h.device, 1));
		EXPECT_OK(segue_device_query_port(h.device, 1, &port));
		EXPECT_OK(segue_device_find_gid(h.device, 1, nullptr, &gid));
		path.dest_qpn = 1 + (uint32_t)rand() % 1000;
		path.qkey = 1;
		if (path.link == SEGUE_LINK_IB)
			path.way.ib.dlid = port.lid;
		else
			path.way.roce.route.dgid = gid.gid;
		return path;
	}

	void open_qp(Home &h, segue_pd *pd)
	{
		static const segue_qp_type types[] = {
			SEGUE_QP_RC,	     SEGUE_QP_UC,  SEGUE_QP_UD, SEGUE_QP_XRC_INITIATOR,
			SEGUE_QP_XRC_TARGET, SEGUE_QP_DCI, SEGUE_QP_DCT};
		const segue_qp_type type = types[rand() % 7];
		segue_qp_options options = {};
		const segue_path path = path_of(h);
		segue_qp *qp = nullptr;

		options.type = type;
		if (type != SEGUE_QP_XRC_TARGET && type != SEGUE_QP_DCT) {
			options.send_cq = h.cqs.any();
			options.max_send_wr = 1 + (uint32_t)rand() % 32;
			options.max_send_sge = 1 + (uint32_t)rand() % 4;
		}
		if (type == SEGUE_QP_RC || type == SEGUE_QP_UC || type == SEGUE_QP_UD ||
		    type == SEGUE_QP_DCT)
			options.recv_cq = h.cqs.any();
		if (type == SEGUE_QP_DCT || (options.recv_cq && type != SEGUE_QP_UC && rand() % 2))
			options.srq = plain_srq(h);
		if (type == SEGUE_QP_XRC_TARGET)
			options.xrcd = h.xrcds.any();
		if (options.recv_cq && !options.srq)
			options.max_recv_wr = options.max_recv_sge = 1 + (uint32_t)rand() % 4;
		if ((type == SEGUE_QP_DCT && !options.srq) ||
		    (type == SEGUE_QP_XRC_TARGET && !options.xrcd) ||
		    (type != SEGUE_QP_XRC_TARGET && !options.send_cq && !options.recv_cq))
			return;
		keep(segue_qp_open(pd, &options, &qp), h.qps, qp);
		for (int steps = rand() % 3; qp && steps > 0; steps--)
			move(qp, path);
	}

	// Some way through the states, legal or refused by the table.
	void move(segue_qp *qp, const segue_path &path)
	{
		static const enum segue_qp_state states[] = {
			SEGUE_QP_STATE_RESET, SEGUE_QP_STATE_INIT, SEGUE_QP_STATE_RTR,
			SEGUE_QP_STATE_RTS, SEGUE_QP_STATE_ERR};
		const int ret = rand() % 2 && segue_qp_state(qp) == SEGUE_QP_STATE_RESET
					? segue_qp_connect(qp, &path)
					: segue_qp_modify_to(qp, states[rand() % 5], &path);

		EXPECT_TRUE(ret == 0 || ret == -EINVAL) << segue_errmsg();
	}

	segue_srq *plain_srq(const Home &h) const
	{
		for (segue_srq *srq : h.srqs.open)
			if (!xrc_srqs.count(srq))
				return srq;
		return nullptr;
	}

	void open_cq(Home &h)
	{
		segue_cq_options options = {};
		segue_cq *cq = nullptr;

		options.entries = 1 + (uint32_t)rand() % 500;
		options.grow = rand() % 2;
		options.overcommit = !options.grow;
		options.cqe_size = rand() % 2 ? 128 : 64;
		options.channel = rand() % 2 ? h.channels.any() : nullptr;
		keep(segue_cq_open(h.device, &options, &cq), h.cqs, cq);
	}

	void open_srq(Home &h, segue_pd *pd)
	{
		segue_srq_options options = {};
		segue_srq *srq = nullptr;

		options.max_wr = 1 + (uint32_t)rand() % 100;
		options.max_sge = 1 + (uint32_t)rand() % 4;
		/* One XRC queue per completion queue: it has room for the name of one. */
		if (rand() % 2 && h.xrcds.any() && h.cqs.any()) {
			options.xrcd = h.xrcds.any();
			options.cq = h.cqs.any();
		}
		keep(segue_srq_open(pd, &options, &srq), h.srqs, srq);
		if (options.xrcd)
			xrc_srqs.insert(srq);
		else
			xrc_srqs.erase(srq);
	}

	void open_key(Home &h, segue_pd *pd)
	{
		static const uint8_t secret[64] = {};
		segue_dek_options options = {};
		segue_mkey *mkey = nullptr;
		segue_sigval *psv = nullptr;
		segue_dek *dek = nullptr;

		options.bits = 256;
		options.key = secret;
		options.key_length = sizeof(secret);
		switch (rand() % 3) {
		case 0:
			return keep(open_mkey(pd, (uint16_t)(1 + rand() % 8),
							      rand() % 4, &mkey),
				    h.mkeys, mkey);
		case 1:
			return keep(segue_sigval_open(pd, &psv), h.psvs, psv);
		default:
			return keep(segue_dek_open(pd, &options, &dek), h.deks, dek);
		}
	}

	void open_in_pd(Home &h, segue_pd *pd)
	{
		segue_mr_options attr = {};
		segue_mr *mr = nullptr;
		segue_mw *mw = nullptr;
		segue_ah *address = nullptr;
		segue_pool_options pools = {};
		segue_pool *pool = nullptr;

		switch (rand() % 8) {
		case 0:
			attr.addr = memory + rand() % 4096;
			attr.length = 1 + (uint64_t)(rand() % 4096);
			attr.access = SEGUE_ACCESS_REMOTE_READ;
			return keep(segue_mr_open(pd, &attr, &mr), h.mrs, mr);
		case 1:
			return keep(segue_mw_open(pd,
						  rand() % 2 ? SEGUE_MW_TYPE_1 : SEGUE_MW_TYPE_2,
						  &mw),
				    h.mws, mw);
		case 2:
			return open_key(h, pd);
		case 3: {
			const segue_path path = path_of(h);

			return keep(segue_ah_open(pd, &path, &address), h.addresses, address);
		}
		case 4:
			return open_srq(h, pd);
		case 5:
			pools.count = 1 + (uint32_t)rand() % 8;
			pools.size = 1 + (uint32_t)rand() % 500;
			return keep(segue_pool_open(pd, &pools, &pool), h.pools, pool);
		default:
			return open_qp(h, pd);
		}
	}

	void open_one()
	{
		Home &h = home_of(devices.any());
		segue_comp_channel *channel = nullptr;
		segue_xrcd *xrcd = nullptr;
		segue_pd *pd = h.pds.any();

		if (!pd || rand() % 20 == 0) {
			keep(segue_pd_open(h.device, &pd), h.pds, pd);
			return;
		}
		switch (rand() % 10) {
		case 0:
			return keep(segue_comp_channel_open(h.device, &channel), h.channels,
				    channel);
		case 1:
		case 2:
			return open_cq(h);
		case 3:
			return keep(segue_xrcd_open(h.device, -1, &xrcd), h.xrcds, xrcd);
		default:
			return open_in_pd(h, pd);
		}
	}

	// Closed, or refused because others use it, who are named.
	template <class Object, class Close>
	void close_some(Some<Object> &some, Close close)
	{
		Object *object = some.any();

		if (!object)
			return;
		const int ret = close(object);

		if (!ret) {
			some.forget(object);
			closed++;
			return;
		}
		EXPECT_EQ(-EBUSY, ret) << segue_errmsg();
		EXPECT_SAYS("is used by");
		refused++;
	}

	// What a domain takes with it is not known one by one here: those of its kinds are closed
	// before.
	void close_pd(Home &h)
	{
		if (h.pds.open.size() != 1)
			return;
		segue_pd *pd = h.pds.open[0];

		ASSERT_OK(segue_pd_close(pd));
		h.pds.open.clear();
		h.srqs.open.clear();
		h.qps.open.clear();
		h.mrs.open.clear();
		h.mws.open.clear();
		h.mkeys.open.clear();
		h.psvs.open.clear();
		h.deks.open.clear();
		h.pools.open.clear();
		h.addresses.open.clear();
		swept++;
	}

	void close_one()
	{
		Home &h = home_of(devices.any());

		switch (rand() % 15) {
		case 0:
			return close_some(h.xrcds, segue_xrcd_close);
		case 1:
			return close_some(h.channels, segue_comp_channel_close);
		case 2:
			return close_some(h.cqs, segue_cq_close);
		case 3:
			return close_some(h.srqs, segue_srq_close);
		case 4:
		case 5:
		case 6:
			return close_some(h.qps, segue_qp_close);
		case 7:
			return close_some(h.mrs, segue_mr_close);
		case 8:
			return close_some(h.mws, segue_mw_close);
		case 9:
			return close_some(h.mkeys, segue_mkey_close);
		case 10:
			return close_some(h.addresses, segue_ah_close);
		case 11:
			return close_some(h.pools, segue_pool_close);
		case 12:
			return close_some(h.psvs, segue_sigval_close);
		case 13:
			return close_some(h.deks, segue_dek_close);
		default:
			if (rand() % 10 == 0)
				close_pd(h);
		}
	}

	Some<segue_device> devices;
	std::vector<Home> homes;
	std::set<const segue_srq *> xrc_srqs;
	uint8_t memory[8192];
};

} // namespace

TEST(Rounds, NothingIsLeft)
{
	World world;

	printf("%d rounds\n", wanted_rounds);
	srand((unsigned)segue_test_seed());
	world.run(wanted_rounds);
	printf("%zu opened, %zu closed one by one, %zu times refused, %zu times all of a parent\n",
	       world.opened, world.closed, world.refused, world.swept);
}

// One of a kind, opened and closed again and again: its number comes back, its memory too.
TEST(Rounds, OneQueuePairManyTimes)
{
	segue_device *device;
	segue_pd *pd;
	segue_cq *cq;
	segue_cq_options cqs = {};
	segue_qp_options options = {};

	ASSERT_OK(segue_device_open(nullptr, &device));
	ASSERT_OK(segue_pd_open(device, &pd));
	cqs.entries = 16;
	ASSERT_OK(segue_cq_open(device, &cqs, &cq));
	options.type = SEGUE_QP_RC;
	options.send_cq = options.recv_cq = cq;
	options.max_send_wr = options.max_send_sge = 1;
	const unsigned before = open_objects();
	unsigned after = 0;

	for (int i = 0; i < wanted_rounds; i++) {
		segue_qp *qp;

		ASSERT_OK(segue_qp_open(pd, &options, &qp));
		ASSERT_OK(segue_qp_close(qp));
		/* libmlx5 keeps the doorbell page of the first one. */
		if (i == 0)
			after = open_objects();
		ASSERT_EQ(after, open_objects());
	}
	EXPECT_LE(after, before + 2);
	ASSERT_OK(segue_device_close(device));
	EXPECT_EQ(0u, open_objects());
}

int main(int argc, char **argv)
{
	::testing::InitGoogleTest(&argc, argv);
	if (argc > 1)
		wanted_rounds = atoi(argv[1]);
	return RUN_ALL_TESTS();
}
