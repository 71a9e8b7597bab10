/* SPDX-License-Identifier: BSD-2-Clause */
/* One side of the game in C++: a device, memory and a queue pair, and the meeting of two sides. */
#ifndef PINGPONG_CPP_SIDE_HPP
#define PINGPONG_CPP_SIDE_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "segue/segue.hpp"

constexpr std::uint32_t message_max = 1u << 20; // bytes of a message written into the peer's memory
constexpr std::uint32_t inline_max = 256;       // bytes of a message sent inside of its request

/* Options of the user. */
struct choice {
	std::uint32_t rounds = 1000;
	std::uint32_t timeout_ms = 30000; // for every wait
	bool corrupt = false;             // damage one byte, to see that this is found
};

/* Two sides meet by a connection: one listens, the other calls. */
struct meeting {
	int listener = -1; /* -1 to call */
	std::string host, service;

	bool caller() const { return listener < 0; }
};

class side {
public:
	// Opens everything up to a queue pair in its first state. Throws segue::error, as all else.
	explicit side(const choice &choice);

	/* Exchanges endpoints and notes with the peer. */
	void meet(const meeting &meeting);

	// After the first meeting: posts the receives and connects the queue pair to the peer's.
	void connect();

	segue_deadline deadline() const { return segue_deadline_in_ms(choice.timeout_ms); }
	std::uint8_t *outbox() { return memory_.data(); }
	const std::uint8_t *inbox() const { return memory_.data() + message_max; }

	struct choice choice;

private:
	void write_note();
	void read_note(bool caller);

	std::vector<std::uint8_t> memory_; /* the outbox, then the inbox */

      public:
	segue::device device;
	segue_path path;
	segue::pd pd;
	segue::mr mr;
	segue::cq cq;
	segue::pool receives;
	segue::rc_qp qp;
	segue_local_buf from;  // the outbox
	segue_remote_buf to{}; // the peer's inbox
	segue_endpoint mine, theirs{};

	/* messages checked, and messages with wrong content */
	std::uint32_t checked = 0, wrong = 0;
	std::uint32_t peer_checked = 0, peer_wrong = 0; // the same of the peer
};

#endif
