// SPDX-License-Identifier: BSD-2-Clause
// What a recipe works with: two ends of one transport, memory on either side, and what that memory
// should hold.
#ifndef SEGUE_TESTS_REQUESTS_RIG_H
#define SEGUE_TESTS_REQUESTS_RIG_H

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "segue/ah.h"
#include "segue/explain.h"
#include "segue/gen/machines.h"
#include "tests/requests/difference.h"
#include "tests/requests/posted_request.h"
#include "tests/requests/recipe.h"
#include "tests/runtime/control/fixture.h"

namespace requests {

constexpr uint64_t SEND_ID = 1, RECV_ID = 2;

// A piece of registered memory and a second copy of it, which the test changes as the request
// should.
struct Memory {
	static constexpr size_t SIZE = 32768;

	alignas(4096) uint8_t bytes[SIZE];
	std::vector<uint8_t> want;
	segue_mr *mr;

	void fill(uint8_t seed)
	{
		for (size_t i = 0; i < SIZE; i++)
			bytes[i] = (uint8_t)(i * 7 + (i >> 8) * 13 + seed);
		want.assign(bytes, bytes + SIZE);
	}
	uint64_t at(size_t offset) const { return (uintptr_t)bytes + offset; }
	uint32_t lkey() const { return segue_mr_lkey(mr).lkey; }
	uint32_t rkey() const
	{
		segue_remote_buf remote;

		EXPECT_OK(segue_mr_remote_buf(mr, 0, SIZE, &remote));
		return remote.key.rkey;
	}
	segue_seg_data piece(size_t offset, uint32_t length) const
	{
		segue_seg_data data = {};

		data.addr = at(offset);
		data.byte_count = length;
		data.lkey = lkey();
		return data;
	}
	void put(size_t offset, const void *from, size_t length)
	{
		if (length) // with none, from may be NULL
			memcpy(want.data() + offset, from, length);
	}
	// both copies: the test itself has written
	void store(size_t offset, const void *from, size_t length)
	{
		put(offset, from, length);
		memcpy(bytes + offset, from, length);
	}
	bool as_wanted() const { return !memcmp(bytes, want.data(), SIZE); }
	size_t difference() const // SIZE: none
	{
		return first_difference(bytes, want.data(), SIZE);
	}
};

class Rig : public Control {
public:
	explicit Rig(const Recipe &said) : recipe(said) {}

	// Somebody whom the recipe names has been asked.
	void asked(const char *oracle) { answers.insert(oracle); }

	// Sees what was posted: it is the request that the recipe says, and has the segments it
	// says.
	void saw(const segue_sq *sq, uint32_t pi);
	void saw_receive(const segue_machine &machine, const uint8_t *wqe, size_t length);

	// One completion of each of the numbers, in any order, all good.
	void complete(std::vector<uint64_t> wr_ids);
	segue_wc completion() { return take(1)[0]; }
	std::string explained(const segue_wc &wc);
	// Nothing completes for a while.
	void nothing_completes();
	// Both memories hold what they should. Where nothing tells when data are there, they may
	// take their time.
	void compare(bool patient = false);

	segue_qp_options options_of(segue_qp_type type);
	segue_qp *open_one(segue_qp_type type);
	segue_cq *open_cq();
	// A connected RC pair besides: whoever reaches memory through a key.
	std::pair<segue_qp *, segue_qp *> witness();
	bool fits_link() const;

	const Recipe &recipe;
	Memory here, there; // of the requester, of the responder
	bool walked = false;
	ibv_ah *destination = nullptr; // where requests go that say so themselves
	const oracle::Settings *settings = nullptr; // of the key that they make

	using Control::connect;
	using Control::cq;
	using Control::device;
	using Control::found;
	using Control::path_to;
	using Control::pd;
	using Control::share;
	using Control::take;

protected:
	void SetUp() override;
	void TearDown() override;
	void look_at(const segue_machine &machine, const std::vector<uint8_t> &bytes);
	void ask_rdma_core(const Posted &posted);

	Names answers;
};

// The type of the arguments that a one-call post takes with a queue: ARGS(sq, segue_post_send).
template <class Sq, class Args> Args seguei_args_of(int (*)(Sq *, const Args *));
#define ARGS(sq, post) decltype(requests::seguei_args_of<std::remove_pointer_t<decltype(sq)>>(post))

} // namespace requests

#endif
