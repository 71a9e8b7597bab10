// SPDX-License-Identifier: BSD-2-Clause
/*
 * RC whose responder sends back what arrives with no processor in between: it has posted a WAIT for
 * that arrival and a WRITE of what it brings before the message is sent.
 */
#include "tests/requests/mixed/pairs.h"

namespace requests {
namespace {

struct Chain : PairOf<Rc> {
	using PairOf<Rc>::PairOf;

	bool has(Kind kind) const override { return kind == FORWARD || PairOf<Rc>::has(kind); }
	// What fails at the responder would flush what it has posted itself, and who has failed
	// does not answer it.
	Wrong wrong_of(Kind kind) override
	{
		return !forwarded && (kind == SEND || kind == SEND_IMM || kind == WRITE ||
				      kind == WRITE_IMM)
			       ? LOCAL_KEY
			       : NONE;
	}
	void prepare() override
	{
		PairOf<Rc>::prepare();
		forwarded = false;
	}

	void open_shared(segue_xrcd *) override
	{
		receive_cq = arrivals = test.open_cq(200); // it counts this queue pair's alone
		test.poll_also(arrivals);
	}
	void take_receive(const segue_wc &wc) override
	{
		arrived += wc.cqe != nullptr; // else handed back, and no completion
		PairOf<Rc>::take_receive(wc);
	}

	int post(Kind kind, uint64_t wr_id, uint32_t slot, Wrong with) override
	{
		if (kind != FORWARD)
			return PairOf<Rc>::post(kind, wr_id, slot, with);
		const size_t index = coming.size(), result = AREA + slot * SLOT;
		const uint32_t cqn = segue_cq_number(arrivals),
			       length = shortest + test.below(longest - shortest + 1);
		const std::vector<uint8_t> bytes = stamped(slot, length);
		const uint64_t waits = test.next_id++, back = test.next_id++;
		int ret;

		before = after = nullptr;
		forwarded = true;
		if (!line().failed) { // else it will not come
			test.silent.insert(waits);
			ret = segue_post(segue_wait_cq_index(
				segue_wait_cq(segue_qp_rc_sq(b), waits, 0),
				(uint32_t)(arrived + index + 1) & 0xffffff, cqn));
			if (!ret)
				ret = segue_post(segue_sge(
					segue_raddr(segue_rdma_write(segue_qp_rc_sq(b), back,
								     SEGUE_SIGNALED),
						    here.at(result), here.rkey),
					there.at(posted[index].at), length, there.key));
			if (ret)
				return ret;
			test.pending[back] = {};
			after = [this, bytes, result] {
				expect({0, bytes, true, 0, 0, 0, false, false});
				here.put(result, bytes.data(), bytes.size());
			};
		}
		return segue_post(segue_sge(segue_send(segue_qp_rc_sq(a), wr_id, SEGUE_SIGNALED),
					    here.at(MESSAGES + slot * SLOT), length, here.key));
	}

private:
	segue_cq *arrivals = nullptr;
	uint64_t arrived = 0;
	bool forwarded = false; // in this batch
};

} // namespace

std::unique_ptr<Pair> make_chain(Mixed &test, uint32_t number)
{
	return std::unique_ptr<Pair>(new Chain(test, number));
}

} // namespace requests
