// SPDX-License-Identifier: BSD-2-Clause
// A queue pair that is made by raw commands (DEVX) is to the device what the kernel's driver makes:
// field by field, in each state, on each link, with bonded ports and without.
#include <stdlib.h>

#include "tests/runtime/control/context.h"
#include "tests/runtime/control/fixture.h"

namespace
{
// What the device answers; the fields that it is asked about, and none of the rings, which differ.
#define FIELDS(f)                                                                                  \
	f(counter_set_id) f(mtu) f(remote_qpn) f(pkey_index) f(grh) f(mlid) f(rlid) f(ack_timeout) \
		f(src_addr_index) f(hop_limit) f(tclass) f(flow_label) f(sl) f(vhca_port_num)      \
			f(log_ack_req_freq) f(log_sra_max) f(retry_count) f(rnr_retry)             \
				f(next_send_psn) f(log_rra_max) f(rwe) f(min_rnr_nak)              \
					f(next_rcv_psn)

class Contexts : public Control
{
      protected:
	segue_qp *open_on(segue_cq *on)
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);
		segue_qp *qp = nullptr;

		options.max_inline = 0;
		options.send_cq = options.recv_cq = on;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		return qp;
	}

	void SetUp() override
	{
		Control::SetUp();
		segue_cq_options options = {};

		options.entries = 200;
		options.compress = options.compress_enhanced = true;
		ASSERT_OK(segue_cq_open(device, &options, &enhanced));
	}

	segue_path some_path()
	{
		segue_path path = path_to(0x1234);

		path.sq_psn = 0x123456;
		path.rq_psn = 0x654321;
		path.timeout = 17;
		path.retry_cnt = 5;
		path.rnr_retry = 3;
		path.min_rnr_timer = 9;
		path.rd_atomic = 5;
		path.dest_rd_atomic = 3;
		return path;
	}

	static segue_seg_qp_context_in context(segue_qp *qp)
	{
		segue_seg_qp_context_in found = {};

		EXPECT_EQ(0, context_of(qp, &found));
		return found;
	}

	static void same(segue_qp *kernels, segue_qp *ours)
	{
		const segue_seg_qp_context_in a = context(kernels), b = context(ours);

#define SAME(field) EXPECT_EQ(a.field, b.field) << #field;
		FIELDS(SAME)
#undef SAME
		// softhca keeps verbs' rights as they are given; Linux passes READ and atomics on
		// together with their depth, to RTR.
		if (a.log_rra_max) {
			EXPECT_EQ(a.rre, b.rre);
			EXPECT_EQ(a.rae, b.rae);
		}
		EXPECT_EQ(0, memcmp(a.rgid_rip, b.rgid_rip, sizeof(a.rgid_rip)));
	}

	segue_cq *enhanced = nullptr;
};

TEST_F(Contexts, AreTheSameInEachState)
{
	segue_qp *const kernels = open_on(cq), *const ours = open_on(enhanced);
	const segue_path path = some_path();

	for (const enum segue_qp_state state :
	     {SEGUE_QP_STATE_INIT, SEGUE_QP_STATE_RTR, SEGUE_QP_STATE_RTS}) {
		SCOPED_TRACE(state);
		ASSERT_OK(segue_qp_modify_to(kernels, state, &path));
		ASSERT_OK(segue_qp_modify_to(ours, state, &path));
		same(kernels, ours);
	}
	// Acknowledgements are not asked for with each packet, and events are counted.
	EXPECT_EQ(8, context(ours).log_ack_req_freq);
	EXPECT_NE(0, context(ours).counter_set_id);
}

// Bonded ports take turns, whoever makes the queue pair: ours has the kernel's next turn.
TEST_F(Contexts, BondedPortsTakeTurns)
{
	const char *const caps = getenv("SOFTHCA_CAPS");
	const bool bonded = caps && strstr(caps, "lag_ports=2");
	const segue_path path = some_path();

	for (int i = 0; i < 5; i++) {
		segue_qp *const kernels = open_on(cq), *const ours = open_on(enhanced);

		ASSERT_OK(segue_qp_modify_to(kernels, SEGUE_QP_STATE_INIT, &path));
		ASSERT_OK(segue_qp_modify_to(ours, SEGUE_QP_STATE_INIT, &path));
		const uint8_t first = context(kernels).lag_tx_port_affinity;

		EXPECT_EQ(bonded, first != 0);
		EXPECT_EQ(bonded ? first % 2 + 1 : 0, context(ours).lag_tx_port_affinity);
		ASSERT_OK(segue_qp_close(kernels));
		ASSERT_OK(segue_qp_close(ours));
		if (i % 2) { // so that the turns do not stand still
			ASSERT_OK(segue_qp_modify_to(open_on(cq), SEGUE_QP_STATE_INIT, &path));
		}
	}
}
} // namespace
