// SPDX-License-Identifier: BSD-2-Clause
// RC whose responder lends a window on its memory to each batch; the requester writes and adds through it, and takes it away.
#include "tests/requests/mixed/pairs.h"

namespace requests {
namespace {

constexpr uint8_t RIGHTS = SEGUE_MKEY_ACCESS_LOCAL_READ | SEGUE_MKEY_ACCESS_LOCAL_WRITE | SEGUE_MKEY_ACCESS_REMOTE_WRITE;

struct Window : PairOf<Rc> {
	using PairOf<Rc>::PairOf;

	bool has(Kind kind) const override
	{
		if (kind == THROUGH_WINDOW || kind == SEND_INV)
			return bound;
		return PairOf<Rc>::has(kind);
	}
	// Through a window that was taken away, nobody gets.
	Wrong wrong_of(Kind kind) override { return kind == THROUGH_WINDOW ? REMOTE_KEY : PairOf<Rc>::wrong_of(kind); }

	void open() override
	{
		segue_mr_attr attr = {};

		ASSERT_NO_FATAL_FAILURE(PairOf<Rc>::open());
		attr.addr = there.bytes;
		attr.length = SIZE;
		attr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_MW_BIND;
		ASSERT_OK(segue_mr_open_shared(test.pd, &attr, &region));
		ASSERT_OK(segue_mw_open(test.pd, 2, &window));
	}

	// Another life of it, on another part of the memory.
	void prepare() override
	{
		const uint64_t wr_id = test.next_id++;

		if (bound)
			return;
		before = segue_mw_key(window).rkey;
		key = segue_mw_next_key(window).rkey;
		start = 64 + test.below(AREA - 64 - SLOT);
		ASSERT_OK(segue_post(segue_bind_klm(segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(segue_qp_rc(b), wr_id, SEGUE_SIGNALED, before)), there.at(start),
								    SLOT, segue_qp_number(b), (uint8_t)key, RIGHTS),
						    there.at(start), SLOT, segue_mr_lkey(region).lkey)));
		test.pending[wr_id] = {};
		bound = true;
	}

protected:
	int post_memory(Kind kind, const Plan &o) override
	{
		segue_rc_sq *const sq = segue_qp_rc(a);

		if (kind == SEND_INV) {
			const std::vector<uint8_t> bytes = stamped(o.slot, o.length);
			const uint32_t taken = key;

			after = [=] {
				expect({0, bytes, true, 0, SEGUE_WC_INVALIDATED, taken, false, false});
				bound = false;
			};
			return segue_post(segue_sge(segue_send_inv(sq, o.wr_id, o.flags, taken), here.at(MESSAGES + o.slot * SLOT), o.length, here.key));
		}
		if (kind == THROUGH_WINDOW) {
			const size_t at = start + test.below(SLOT - o.length);

			after = [=] { there.put(at, here.bytes + o.from, o.length); };
			return segue_post(segue_sge(segue_raddr(segue_rdma_write(sq, o.wr_id, o.flags), there.at(at), o.wrong == REMOTE_KEY ? before : key),
						    here.at(o.from), o.length, here.key));
		}
		return PairOf<Rc>::post_memory(kind, o);
	}

private:
	segue_mr *region = nullptr;
	segue_mw *window = nullptr;
	size_t start = 0;
	uint32_t key = 0, before = 0;
	bool bound = false;
};

} // namespace

std::unique_ptr<Pair> make_window(Mixed &test, uint32_t number)
{
	return std::unique_ptr<Pair>(new Window(test, number));
}

} // namespace requests
