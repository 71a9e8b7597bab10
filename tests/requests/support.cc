// SPDX-License-Identifier: BSD-2-Clause
// What segue_qp_supports() says of each request and type agrees with what was carried out.
#include "segue/mkey.h"
#include "segue/qp.h"
#include "tests/requests/coverage.h"
#include "tests/runtime/control/fixture.h"

namespace requests {
namespace {

const struct {
	const char *queue;
	segue_qp_type type;
} TYPES[] = {{"rc", SEGUE_QP_RC},
	     {"uc", SEGUE_QP_UC},
	     {"ud", SEGUE_QP_UD},
	     {"xrc_initiator", SEGUE_QP_XRC_INITIATOR},
	     {"dci", SEGUE_QP_DCI}};

class Can : public Control {
protected:
	segue_qp *open_for(segue_qp_type type, uint32_t units, bool cross_channel = false)
	{
		segue_qp_options options = options_for(type);
		segue_qp *qp = nullptr;

		options.max_wqe_units = units;
		options.cross_channel = cross_channel;
		if (type == SEGUE_QP_RAW_PACKET)
			options.recv_cq = cq;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		return qp;
	}
};

TEST_F(Can, SaysWhatIsCarriedOut)
{
	for (const auto &t : TYPES) {
		segue_qp *qp = open_for(t.type, 63, true);

		for (const Demand &d : demands()) {
			if (!d.segment.empty())
				continue;
			const bool of_a_list = d.request.compare(0, 3, "tm_") == 0;
			const char *creatable = nullptr;
			bool there = false;

			for (const Demand &other : demands())
				if (other.queue == t.queue && other.request == d.request) {
					there = true;
					creatable = other.creatable;
				}
			const int ret = segue_qp_supports(qp, d.request.c_str());

			if (d.request.compare(0, 5, "recv_") == 0) {
				EXPECT_EQ(-EINVAL, ret) << d.request;
			} else if (!there) {
				EXPECT_EQ(-ENOTSUP, ret) << d.request;
				EXPECT_SAYS((std::string(t.queue) + " does not have " + d.request)
						    .c_str());
			} else if (creatable) {
				EXPECT_EQ(-ENOTSUP, ret) << d.request;
				EXPECT_SAYS(creatable);
			} else if (of_a_list) {
				EXPECT_EQ(-ENOTSUP, ret) << d.request;
				EXPECT_SAYS("segue_tag_sq()");
			} else {
				EXPECT_OK(ret) << d.request << " on " << t.queue;
			}
		}
	}
}

TEST_F(Can, LetsOthersGoWhereItWasOpenedForIt)
{
	EXPECT_EQ(-ENOTSUP, segue_qp_supports(open_for(SEGUE_QP_UC, 8), "send_en"));
	EXPECT_SAYS("set cross_channel");
	EXPECT_EQ(-ENOTSUP, segue_qp_supports(open_for(SEGUE_QP_RAW_PACKET, 8), "send_en"));
	EXPECT_SAYS("leaves out that the queue is to control others");
}

TEST_F(Can, NamesWhatIsTooSmall)
{
	segue_qp *qp = open_for(SEGUE_QP_RC, 8);

	EXPECT_EQ(-ENOTSUP, segue_qp_supports(qp, "umr_interleaved"));
	EXPECT_SAYS("it takes 12 units of 16 bytes at least, and the queue pair was opened for "
		    "requests of 8");
	EXPECT_OK(segue_qp_supports(qp, "rdma_write"));
	EXPECT_EQ(-EINVAL, segue_qp_supports(qp, "rdma_wrote"));
	EXPECT_SAYS("no work request 'rdma_wrote'");
}

// The constants are what a queue pair has to be opened for, and one less is refused.
TEST_F(Can, ConstantsSayHowLongRequestsAre)
{
	const struct {
		segue_qp_type type;
		const char *request;
		uint32_t units;
	} all[] = {
		{SEGUE_QP_RC, "umr_list_sig_crypto", SEGUE_RC_UMR_LIST_SIG_CRYPTO_UNITS},
		{SEGUE_QP_RC, "umr_interleaved", SEGUE_RC_UMR_INTERLEAVED_UNITS},
		{SEGUE_QP_RC, "umr_pointer", SEGUE_RC_UMR_POINTER_UNITS},
		{SEGUE_QP_UC, "bind_mw", SEGUE_UC_BIND_MW_UNITS},
		{SEGUE_QP_XRC_INITIATOR, "bind_mw_type1", SEGUE_XRC_INITIATOR_BIND_MW_TYPE1_UNITS},
		{SEGUE_QP_DCI, "masked_atomic_cs64", SEGUE_DCI_MASKED_ATOMIC_CS64_UNITS},
	};

	for (const auto &one : all) {
		// no queue takes less than 8
		const uint32_t less = one.units > 8 ? one.units - 1 : 8;

		EXPECT_OK(segue_qp_supports(open_for(one.type, one.units < 8 ? 8 : one.units),
					    one.request))
			<< one.request;
		EXPECT_EQ(one.units > 8 ? -ENOTSUP : 0,
			  segue_qp_supports(open_for(one.type, less), one.request))
			<< one.request;
	}
}

TEST_F(Can, AsksForWhatThereIs)
{
	segue_qp *qp = open_for(SEGUE_QP_RC, 8);

	EXPECT_EQ(-EINVAL, segue_qp_supports(nullptr, "send"));
	EXPECT_EQ(-EINVAL, segue_qp_supports(qp, nullptr));
	EXPECT_SAYS("no work request");
}

// A device that lacks one thing. Run as `requests --without CAPABILITY` on a device that is told to
// hide it.
struct Lack {
	const char *capability; // of softhca
	segue_qp_type type;
	std::vector<const char *> refused;
	const char *why;
	std::vector<const char *> allowed; // its nearest relatives
};

const Lack LACKS[] = {
	{"atomics=0",
	 SEGUE_QP_RC,
	 {"atomic_cs", "atomic_fa", "masked_atomic_cs32", "masked_atomic_fa64"},
	 " has no ",
	 {"rdma_read"}},
	{"atomics=0",
	 SEGUE_QP_DCI,
	 {"atomic_cs", "atomic_fa", "masked_atomic_cs64", "masked_atomic_fa32"},
	 " has no ",
	 {"rdma_read"}},
	{"masked_atomics=0",
	 SEGUE_QP_RC,
	 {"masked_atomic_cs32", "masked_atomic_fa32"},
	 "no masked atomics of 4 bytes",
	 {"atomic_fa"}},
	{"masked_atomics=0",
	 SEGUE_QP_DCI,
	 {"masked_atomic_cs64", "masked_atomic_fa64"},
	 "no masked atomics of 8 bytes",
	 {"atomic_fa"}},
	{"mw=0", SEGUE_QP_RC, {"bind_mw", "bind_mw_type1"}, "no memory windows", {"umr_list"}},
	{"sig=0",
	 SEGUE_QP_RC,
	 {"umr_list_sig", "umr_interleaved_sig", "umr_list_sig_crypto", "set_psv"},
	 "no block signatures",
	 {"umr_list", "umr_list_crypto"}},
	{"crypto=0",
	 SEGUE_QP_RC,
	 {"umr_list_crypto", "umr_interleaved_crypto", "umr_interleaved_sig_crypto"},
	 "no encryption",
	 {"umr_list", "umr_list_sig"}},
	{"mmo=0", SEGUE_QP_RC, {"memcpy"}, "no copies by the device", {"send"}},
	{"mmo_asked=1", SEGUE_QP_RC, {"memcpy"}, "set device_memcpy", {"send"}},
	{"wait_cq=0",
	 SEGUE_QP_RC,
	 {"wait_cq", "send_en"},
	 "no queues that wait for others",
	 {"wait_on_data", "wait_on_time"}},
	{"wait_on_data=0",
	 SEGUE_QP_UD,
	 {"wait_on_data"},
	 "no queues that wait for memory",
	 {"wait_cq", "wait_on_time"}},
	{"wait_on_time=0",
	 SEGUE_QP_UC,
	 {"wait_on_time"},
	 "no queues that wait for its clock",
	 {"wait_cq", "wait_on_data"}},
	{"tag_matching=0",
	 SEGUE_QP_RC,
	 {"tm_append", "tm_remove", "tm_noop"},
	 "has no tag matching",
	 {"send"}},
	{"tso=0", SEGUE_QP_RAW_PACKET, {"tso"}, "max_tso is 0", {"send"}},
	{"relaxed_umr=0", SEGUE_QP_RC, {}, "", {"umr_list"}},
};

TEST_F(Can, KnowsWhatTheDeviceLacks)
{
	const char *without = getenv("SOFTHCA_CAPS");
	bool known = false;

	for (const Lack &lack : LACKS) {
		if (!without || strcmp(without, lack.capability))
			continue;
		segue_qp *qp = open_for(lack.type, 63);

		known = true;
		for (const char *request : lack.refused) {
			EXPECT_EQ(-ENOTSUP, segue_qp_supports(qp, request))
				<< request << " without " << without;
			EXPECT_SAYS(lack.why);
			EXPECT_SAYS(request);
		}
		for (const char *request : lack.allowed)
			EXPECT_OK(segue_qp_supports(qp, request))
				<< request << " without " << without;
	}
	EXPECT_EQ(without != nullptr, known);
	if (without && !strcmp(without, "wait_cq=0")) {
		segue_qp_options options = options_for(SEGUE_QP_RC);
		segue_qp *qp;

		options.cross_channel = true;
		EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
		EXPECT_SAYS("no queues that wait for others");
	}
	if (without && !strcmp(without, "relaxed_umr=0")) {
		segue_rc_sq *sq = segue_qp_rc_sq(open_for(SEGUE_QP_RC, 63));
		const segue_local_buf piece = {1, 1, {1}};
		segue_mkey_layout umr = {};

		ASSERT_OK(open_mkey(pd, 4, 0, &umr.mkey));
		umr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_RELAXED_ORDERING;
		EXPECT_EQ(-ENOTSUP, segue_mkey_post_list(sq, &umr, &piece, 1));
		EXPECT_SAYS("access has RELAXED_ORDERING, which this device");
		EXPECT_EQ(0u, sq->sq.pi);
	}
}

} // namespace

void print_lacks()
{
	std::set<std::string> names;

	for (const Lack &lack : LACKS)
		names.insert(lack.capability);
	for (const std::string &name : names)
		puts(name.c_str());
}

} // namespace requests
