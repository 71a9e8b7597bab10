// SPDX-License-Identifier: BSD-2-Clause
// Ethernet frames, and the rule that leads them to a queue pair.
#ifndef SEGUE_TESTS_REQUESTS_FRAMES_H
#define SEGUE_TESTS_REQUESTS_FRAMES_H

#include "segue/raw_packet.h"
#include "tests/requests/internet.h"
#include "tests/requests/transports.h"

namespace requests {

constexpr uint8_t DESTINATION[6] = {0x02, 0x11, 0x22, 0x33, 0x44, 0x55};

// Frames to the address come to the queue pair while this lives.
struct Steered {
	explicit Steered(segue_qp *qp)
	{
		segue_flow_rule rule = {};

		rule.port = 1;
		memcpy(rule.dst_mac, DESTINATION, sizeof(DESTINATION));
		EXPECT_OK(segue_flow_open_to_qp(qp, &rule, &flow));
	}
	~Steered() { EXPECT_OK(segue_flow_close(flow)); }

	segue_flow *flow = nullptr;
};

// A frame of that type at the start of `here`.
inline void lay_frame(Memory &m, uint16_t type)
{
	uint8_t header[ETHERNET] = {};

	memcpy(header, DESTINATION, 6);
	memset(header + 6, 0x02, 6);
	header[12] = (uint8_t)(type >> 8), header[13] = (uint8_t)type;
	m.store(0, header, sizeof(header));
}

} // namespace requests

#endif
