// SPDX-License-Identifier: BSD-2-Clause
// What segue_qp_can() says of each request and type agrees with what was carried out.
#include "segue/can.h"
#include "tests/requests/coverage.h"
#include "tests/runtime/control/fixture.h"

namespace requests {
namespace {

const struct {
	const char *queue;
	segue_qp_type type;
} TYPES[] = {{"rc", SEGUE_QP_RC}, {"uc", SEGUE_QP_UC}, {"ud", SEGUE_QP_UD}, {"xrc_initiator", SEGUE_QP_XRC_INITIATOR}, {"dci", SEGUE_QP_DCI}};

class Can : public Control {
protected:
	segue_qp *open_for(segue_qp_type type, uint32_t units)
	{
		segue_qp_options options = options_for(type);
		segue_qp *qp = nullptr;

		options.max_wqe_units = units;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		return qp;
	}
};

TEST_F(Can, SaysWhatIsCarriedOut)
{
	for (const auto &t : TYPES) {
		segue_qp *qp = open_for(t.type, 63);

		for (const Demand &d : demands()) {
			if (!d.segment.empty())
				continue;
			bool there = false;

			for (const Demand &other : demands())
				there |= other.queue == t.queue && other.request == d.request;
			const int ret = segue_qp_can(qp, d.request.c_str());

			if (d.request.compare(0, 5, "recv_") == 0) {
				EXPECT_EQ(-EINVAL, ret) << d.request;
			} else if (!there) {
				EXPECT_EQ(-ENOTSUP, ret) << d.request;
				EXPECT_SAYS((std::string(t.queue) + " does not have " + d.request).c_str());
			} else if (d.creatable) {
				EXPECT_EQ(-ENOTSUP, ret) << d.request;
				EXPECT_SAYS(d.creatable);
			} else {
				EXPECT_OK(ret) << d.request << " on " << t.queue;
			}
		}
	}
}

TEST_F(Can, NamesWhatIsTooSmall)
{
	segue_qp *qp = open_for(SEGUE_QP_RC, 8);

	EXPECT_EQ(-ENOTSUP, segue_qp_can(qp, "umr_interleaved"));
	EXPECT_SAYS("it takes 12 units of 16 bytes at least, and the queue pair was opened for requests of 8");
	EXPECT_OK(segue_qp_can(qp, "rdma_write"));
	EXPECT_EQ(-EINVAL, segue_qp_can(qp, "rdma_wrote"));
	EXPECT_SAYS("no work request 'rdma_wrote'");
}

} // namespace
} // namespace requests
