// SPDX-License-Identifier: BSD-2-Clause
// Which way packets go: the UDP source port of a queue pair, and its port of a bond.
#include "tests/runtime/control/faults.h"

namespace
{

class Routes : public Faulty {
protected:
	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(Faulty::SetUp());
		p = pair();
	}

	void expect_traffic()
	{
		ASSERT_OK(write_to(p.a, 1, remote.addr, remote.key.rkey));
		const segue_wc wc = take(1)[0];

		EXPECT_EQ(0, wc.syndrome) << explain(wc);
	}

	Pair p;
};

TEST_F(Routes, SourcePort)
{
	EXPECT_EQ(-EINVAL, segue_qp_set_udp_source_port(p.a, 0xc001));
	EXPECT_SAYS("expected RTS");
	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	EXPECT_EQ(-EINVAL, segue_qp_set_udp_source_port(p.a, 0xbfff));
	EXPECT_SAYS("UDP source port 49151, expected 49152 to 65535");
	for (uint16_t port : {0xc000, 0xc001, 0xffff}) {
		ASSERT_OK(segue_qp_set_udp_source_port(p.a, port));
		ASSERT_NO_FATAL_FAILURE(expect_traffic());
	}
}

TEST_F(Routes, PortOfABond)
{
	uint8_t chosen, active;

	ASSERT_EQ(2u, segue_device_caps(device)->lag_ports);
	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	for (uint8_t port : {1, 2, 1}) {
		ASSERT_OK(segue_qp_set_lag_port(p.a, port));
		ASSERT_OK(segue_qp_query_lag_port(p.a, &chosen, &active));
		EXPECT_EQ(port, chosen);
		EXPECT_EQ(port, active);
		ASSERT_NO_FATAL_FAILURE(expect_traffic());
	}
	for (uint8_t port : {0, 3}) {
		EXPECT_EQ(-EINVAL, segue_qp_set_lag_port(p.a, port));
		EXPECT_SAYS("of the bond, expected 1 to 2");
	}
}

} // namespace
