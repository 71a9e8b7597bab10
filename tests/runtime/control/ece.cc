// SPDX-License-Identifier: BSD-2-Clause
// Enhanced connection establishment: what one side offers, the other accepts, and both then have.
#include <infiniband/mlx5dv.h>
#include <stdlib.h>

#include "segue/endpoint.h"
#include "tests/runtime/control/faults.h"

namespace
{

constexpr uint32_t VENDOR = 0x15b3; // PCI's number of Mellanox

// The options of softhca's device, its own or those that it was told to have; 0: it has none.
uint32_t known()
{
	const char *caps = getenv("SOFTHCA_CAPS");
	const char *told = caps ? strstr(caps, "ece=") : nullptr;

	return told ? (uint32_t)strtoul(told + 4, nullptr, 0) : 0x10000003;
}

class Ece : public Faulty {
protected:
	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(Faulty::SetUp());
		p = pair();
	}

	segue_ece of(segue_qp *qp)
	{
		segue_ece ece = {1, 1};

		EXPECT_OK(segue_qp_query_ece(qp, &ece));
		EXPECT_EQ(VENDOR, ece.vendor_id);
		return ece;
	}

	// What `to` hears of `from`, in an endpoint's wire form.
	segue_ece told(segue_qp *from)
	{
		uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
		segue_endpoint e, heard = {};
		segue_path path = path_to(1);

		EXPECT_OK(segue_endpoint_describe(&e, from, &path));
		EXPECT_EQ(0u, e.ece.vendor_id);
		e.ece = of(from);
		segue_endpoint_pack(&e, wire);
		EXPECT_OK(segue_endpoint_unpack(wire, sizeof(wire), &heard));
		return heard.ece;
	}

	void to_init(segue_qp *qp)
	{
		const segue_path path = path_to(1);

		ASSERT_OK(segue_qp_modify_to(qp, SEGUE_QP_STATE_INIT, &path));
	}

	// `a` offers what it has but for `without`.
	void agree(segue_qp *a, segue_qp *b, uint32_t without)
	{
		segue_ece offer = told(a);
		EXPECT_EQ(known(), offer.options);
		offer.options &= ~without;
		ASSERT_OK(segue_qp_set_ece(b, &offer));
		EXPECT_EQ(0u, of(b).options); // the device has not been asked yet
		to_init(b);
		EXPECT_EQ(known() & ~without, of(b).options);
		const segue_ece answer = told(b);
		ASSERT_OK(segue_qp_set_ece(a, &answer));
		connect(a, b);
		EXPECT_EQ(known() & ~without, of(a).options);
		EXPECT_EQ(of(a).options, of(b).options);
	}

	void expect_traffic(segue_qp *qp)
	{
		ASSERT_OK(write_to(qp, 1, remote.addr, remote.key.rkey));
		const segue_wc wc = take(1)[0];

		EXPECT_EQ(0, wc.syndrome) << explain(wc);
	}

	Pair p;
};

TEST_F(Ece, BothHaveWhatBothKnow)
{
	for (uint32_t without : {0u, 1u}) {
		ASSERT_NO_FATAL_FAILURE(agree(p.a, p.b, without));
		ASSERT_NO_FATAL_FAILURE(expect_traffic(p.a));
		p = pair();
	}
}

TEST_F(Ece, NotAfterRtr)
{
	const segue_ece ece = {VENDOR, 1};

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	EXPECT_EQ(-EINVAL, segue_qp_set_ece(p.a, &ece));
	EXPECT_SAYS("in RTS, expected RESET or INIT");
	EXPECT_EQ(known(), of(p.a).options);
}

// Of another vendor, or said by nobody.
TEST_F(Ece, NothingIsAgreed)
{
	for (const segue_ece &theirs : {segue_ece{0x1077, known()}, segue_ece{0, 0}}) {
		ASSERT_OK(segue_qp_set_ece(p.a, &theirs));
		ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
		EXPECT_EQ(0u, of(p.a).options);
		ASSERT_NO_FATAL_FAILURE(expect_traffic(p.a));
		p = pair();
	}
}

TEST_F(Ece, DeviceWithout)
{
	const segue_ece ece = {VENDOR, 0x10000001};

	if (known()) {
		ASSERT_OK(segue_qp_set_ece(p.a, &ece));
		return;
	}
	EXPECT_EQ(-EOPNOTSUPP, segue_qp_set_ece(p.a, &ece));
	EXPECT_SAYS("ECE options 0x10000001 are not set");
}

TEST_F(Ece, CrossChannelHasNone)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_ece ece;
	segue_qp *qp;

	options.cross_channel = true;
	ASSERT_OK(segue_qp_open(pd, &options, &qp));
	EXPECT_EQ(-ENOTSUP, segue_qp_query_ece(qp, &ece));
	EXPECT_SAYS("cross_channel");
	EXPECT_EQ(-ENOTSUP, segue_qp_set_ece(qp, &ece));
	EXPECT_EQ(-EINVAL, segue_qp_query_ece(nullptr, &ece));
}

TEST_F(Ece, Adopted)
{
	ibv_context *context = segue_device_ibv(device);
	ibv_cq *theirs = ibv_create_cq(context, 64, nullptr, nullptr, 0);
	ibv_qp_init_attr init = {};
	segue_qp_options options = {};
	segue_qp *adopted;

	init.qp_type = IBV_QPT_RC;
	init.send_cq = init.recv_cq = theirs;
	init.cap.max_send_wr = 16;
	init.cap.max_send_sge = 2;
	ibv_qp *qp = ibv_create_qp(segue_pd_ibv(pd), &init);
	ASSERT_NE(nullptr, qp);
	options.type = SEGUE_QP_RC;
	ASSERT_OK(segue_cq_adopt(device, theirs, nullptr, &options.send_cq));
	options.recv_cq = options.send_cq;
	ASSERT_OK(segue_qp_adopt(pd, qp, &options, &adopted));
	ASSERT_NO_FATAL_FAILURE(agree(p.a, adopted, 1));
	ibv_ece verbs = {};
	EXPECT_EQ(0, ibv_query_ece(qp, &verbs));
	EXPECT_EQ(known() & ~1u, verbs.options);
	ASSERT_NO_FATAL_FAILURE(expect_traffic(p.a));
	EXPECT_OK(segue_qp_close(adopted));
	EXPECT_OK(segue_cq_close(options.send_cq));
	EXPECT_EQ(0, ibv_destroy_qp(qp));
	EXPECT_EQ(0, ibv_destroy_cq(theirs));
}

} // namespace
