// SPDX-License-Identifier: BSD-2-Clause
// RC and UC whose responder lends a window on its memory to each batch; the requester writes
// through it, and takes it away, or its owner does.
#include "tests/requests/mixed/pairs.h"

namespace requests {
namespace {

template <class T> struct Lender : PairOf<T> {
	using Base = PairOf<T>;
	using Base::Base;
	using Plan = typename Base::Plan;

	bool has(Kind kind) const override
	{
		if (kind == THROUGH_WINDOW)
			return window.bound;
		// else nobody knows whether it is still there
		if (kind == SEND_INV && Base::answered)
			return window.bound;
		return Base::has(kind);
	}
	// Through a window that was taken away, nobody gets.
	Wrong wrong_of(Kind kind) override
	{
		return kind == THROUGH_WINDOW && Base::answered ? REMOTE_KEY : Base::wrong_of(kind);
	}

	void open() override
	{
		ASSERT_NO_FATAL_FAILURE(Base::open());
		ASSERT_NO_FATAL_FAILURE(window.open(this->test.pd, 2));
	}

	// Another life of it, on another part of the memory; on UC messages have places of their
	// own.
	void prepare() override
	{
		const uint64_t wr_id = this->test.next_id++;

		ASSERT_NO_FATAL_FAILURE(Base::prepare());
		if (window.bound)
			return;
		before_that = window.key;
		window.take();
		start = Base::answered ? 64 + this->test.below(AREA - 64 - SLOT) : 0;
		ASSERT_OK(bind(segue_bind_mw(T::sq(this->b), wr_id, SEGUE_SIGNALED, before_that),
			       window, this->there.at(start), Base::answered ? SLOT : AREA,
			       segue_qp_number(this->b), segue_mr_lkey(this->lendable).lkey));
		this->test.pending[wr_id] = {};
		window.is_bound();
	}
	void finish() override
	{
		const uint64_t wr_id = this->test.next_id++;

		if (!window.bound || (Base::answered && this->test.below(2)))
			return;
		ASSERT_OK(unbind(segue_local_inv(T::sq(this->b), wr_id, SEGUE_SIGNALED, window.key),
				 window.key));
		this->test.pending[wr_id] = {};
		window.bound = false;
	}

protected:
	int post_memory(Kind kind, const Plan &o) override
	{
		auto *const sq = T::sq(this->a);

		if (kind == SEND_INV && Base::answered) {
			const int ret = this->send(segue_send_inv(sq, o.wr_id, o.flags, window.key),
						   o, SEGUE_WC_INVALIDATED, window.key);
			const std::function<void()> model = this->after;

			this->after = [this, model] {
				model();
				window.bound = false;
			};
			return ret;
		}
		if (kind == THROUGH_WINDOW) {
			Plan plan = o;

			plan.at = Base::answered ? start + this->test.below(SLOT - o.length) : o.at;
			this->model_write(WRITE, plan);
			return this->carry(
				segue_raddr(segue_rdma_write(sq, o.wr_id, o.flags),
					    this->there.at(plan.at),
					    o.wrong == REMOTE_KEY ? before_that : window.key),
				plan, o.from);
		}
		return Base::post_memory(kind, o);
	}

private:
	Window window;
	size_t start = 0;
	uint32_t before_that = 0;
};

} // namespace

std::unique_ptr<Pair> make_window(Mixed &test, uint32_t number)
{
	return std::unique_ptr<Pair>(new Lender<Rc>(test, number));
}

std::unique_ptr<Pair> make_uc_window(Mixed &test, uint32_t number)
{
	return std::unique_ptr<Pair>(new Lender<Uc>(test, number));
}

} // namespace requests
