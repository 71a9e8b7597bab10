/* SPDX-License-Identifier: BSD-2-Clause */
#include "games.hpp"

#include <sched.h>

#include <cstdio>
#include <optional>

extern "C" {
#include "pattern.h"
}

namespace {

using clock = std::chrono::steady_clock;

constexpr std::uint32_t batch = 16;     // WRITEs of a stream that one doorbell tells of
constexpr std::uint32_t proofs = 2;     // messages in front and behind, checked byte by byte
constexpr std::uint32_t budget = 4096;  // bytes; larger messages get fewer rounds
constexpr std::uint32_t rounds_min = 16;
constexpr std::uint32_t patience = 1024; // empty polls before the clock is looked at
constexpr std::uint32_t polite = 64;     // empty polls before another thread may have the processor
constexpr std::uint32_t stamp_size = 4;  // bytes at both ends of a timed message: its round

// What has come in.
struct arrivals {
	std::uint32_t messages = 0, sent = 0, imm = 0, length = 0;
	std::uint8_t *buffer = nullptr;
	std::optional<segue_wc> failed; // the first; those behind it are flushed

	void operator()(const segue_wc &wc)
	{
		if (wc.syndrome) {
			if (!failed)
				failed = wc;
		} else if (wc.opcode == SEGUE_CQE_OPCODE_REQ) {
			sent++;
		} else {
			messages++;
			imm = wc.imm;
			length = wc.byte_len;
			buffer = reinterpret_cast<std::uint8_t *>(wc.wr_id);
		}
	}
};

// Polls until a counter has come to its target. False if something failed.
bool wait_for(side &side, arrivals &in, const std::uint32_t &counter, std::uint32_t target)
{
	const segue_deadline deadline = side.deadline();
	std::uint32_t idle = 0;

	while (static_cast<std::int32_t>(counter - target) < 0) {
		const int found = side.cq.poll(batch, in).value();

		if (in.failed)
			return false;
		if (!found && ++idle % polite == 0)
			sched_yield();
		if (!found && idle % patience == 0 && !segue_deadline_left_ms(deadline))
			throw segue::error(-ETIMEDOUT,
					   "nothing came from the peer in time; is it alive?");
	}
	return true;
}

void must_come(side &side, arrivals &in, const std::uint32_t &counter, std::uint32_t target)
{
	if (!wait_for(side, in, counter, target))
		throw segue::error(-EIO, side.qp.explain(*in.failed));
}

// One message out of the outbox.
int post(side &side, const set &set, std::uint32_t imm)
{
	if (set.kind == kind::send)
		return segue_post(
			segue_inline_data(segue_send(side.qp.sq(), 0, 0), side.outbox(), set.size));
	return segue_post(segue_sge(segue_raddr(segue_rdma_write_imm(side.qp.sq(), 0, 0, imm),
						side.to.addr, side.to.key.rkey),
				    side.from.addr, set.size, side.from.key.lkey));
}

// No two messages of a game have the same content.
std::uint64_t seed(const set &set, std::uint32_t round, bool caller)
{
	return std::uint64_t(set.kind) << 56 ^ std::uint64_t(set.size) << 32 ^ round ^
	       (caller ? 1u << 31 : 0);
}

bool proven(const set &set, std::uint32_t round)
{
	return round < proofs || round >= proofs + set.count || set.kind == kind::stream;
}

void write_message(side &side, const set &set, std::uint32_t round, bool caller)
{
	std::uint8_t *const out = side.outbox();

	if (!proven(set, round)) {
		segue_put_be32(out, round);
		segue_put_be32(out + set.size - stamp_size, round);
		return;
	}
	pattern_fill(out, set.size, seed(set, round, caller));
	if (side.choice.corrupt && caller && round == 0)
		out[set.size / 2] ^= 0x10;
}

// Offset of the first wrong byte, or -1.
std::int64_t first_wrong(const set &set, std::uint32_t round, bool caller,
			 const std::uint8_t *bytes)
{
	const std::uint32_t last = set.size - stamp_size;

	if (proven(set, round))
		return pattern_check(bytes, set.size, seed(set, round, caller));
	if (segue_get_be32(bytes) != round)
		return 0;
	return segue_get_be32(bytes + last) == round ? -1 : std::int64_t{last};
}

void check_message(side &side, const set &set, std::uint32_t round, bool caller, const arrivals &in)
{
	const bool send = set.kind == kind::send;
	const std::int64_t at = first_wrong(set, round, caller, send ? in.buffer : side.inbox());

	side.checked++;
	if (at < 0 && in.length == set.size && (send || in.imm == round))
		return;
	if (side.wrong++ == 0)
		std::fprintf(stderr, "pingpong_cpp: message %u of %u bytes is wrong: byte %lld\n",
			     round, set.size, static_cast<long long>(at));
}

// Waits for a message, looks at it, and gives its receive back.
void take_message(side &side, const set &set, std::uint32_t round, bool caller)
{
	arrivals in;

	must_come(side, in, in.messages, 1);
	check_message(side, set, round, caller, in);
	side.receives.push(in.buffer);
	side.receives.post(side.qp.rq());
}

// Batches of WRITEs with one doorbell and one completion each, two batches ahead of the device.
void stream(side &side, const set &set)
{
	arrivals in;

	for (std::uint32_t i = 1; i <= set.count; i++) {
		const bool last = i % batch == 0 || i == set.count;

		segue::check(segue_commit(segue_sge(
				     segue_raddr(segue_rdma_write(side.qp.sq(), 0,
								  last ? SEGUE_SIGNALED : 0),
						 side.to.addr, side.to.key.rkey),
				     side.from.addr, set.size, side.from.key.lkey)))
			.value();
		if (!last)
			continue;
		segue_ring_doorbell(side.qp.sq());
		if (i > batch)
			must_come(side, in, in.sent, (i - 1) / batch);
	}
	must_come(side, in, in.sent, (set.count + batch - 1) / batch);
}

std::uint32_t rounds_of(const set &set)
{
	return set.kind == kind::stream ? 1 : set.count + 2 * proofs;
}

} // namespace

bool takes(kind kind, std::uint32_t size)
{
	return kind != kind::send || size <= inline_max;
}

set set_of(const side &side, enum kind kind, std::uint32_t size)
{
	const std::uint32_t rounds = side.choice.rounds;
	const std::uint64_t count = size > budget ? std::uint64_t{rounds} * budget / size : rounds;

	return {kind, size,
		count >= rounds_min ? static_cast<std::uint32_t>(count)
				    : std::min(rounds, rounds_min)};
}

times call(side &side, const set &set)
{
	times found;
	auto begin = clock::now();

	write_message(side, set, 0, true);
	if (set.kind == kind::stream) {
		stream(side, set);
		found.push_back(clock::now() - begin);
	}
	for (std::uint32_t i = 0; i < rounds_of(set); i++) {
		write_message(side, set, i, true);
		begin = clock::now();
		segue::check(post(side, set, i)).value();
		take_message(side, set, i, false);
		if (!proven(set, i))
			found.push_back(clock::now() - begin);
	}
	return found;
}

void answer(side &side, const set &set)
{
	for (std::uint32_t i = 0; i < rounds_of(set); i++) {
		// The outbox is free: this message says that the answer before has arrived.
		take_message(side, set, i, true);
		write_message(side, set, i, false);
		segue::check(post(side, set, i)).value();
	}
}

std::string mistake(side &side)
{
	const std::uint32_t never_given_out = side.to.key.rkey ^ 0x55;
	arrivals in;

	segue::check(
		segue_post(segue_sge(segue_raddr(segue_rdma_write(side.qp.sq(), 1, SEGUE_SIGNALED),
						 side.to.addr, never_given_out),
				     side.from.addr, PATTERN_MIN, side.from.key.lkey)))
		.value();
	if (wait_for(side, in, in.sent, 1))
		throw segue::error(-EPROTO, "the write with a wrong rkey succeeded");
	return side.qp.explain(*in.failed);
}
