// SPDX-License-Identifier: BSD-2-Clause
/*
 * Random requests of all kinds on 64 queue pairs of all types at once, some of them with one thing
 * wrong, with packets that are lost, come twice or in another order if SEGUE_TEST_FAULTS says that
 * softhca's plan makes them so. Each must complete once, as it should: what is behind a failed one
 * is flushed, and all of the memory is compared with a model after each batch. A form of a request
 * that the spec has, and that was neither posted nor is left out for a reason, fails the test.
 * SEGUE_TEST_OPS=1000000 makes a long run of it.
 */
#include <dlfcn.h>

#include "tests/requests/mixed/pairs.h"

namespace requests {
namespace {

constexpr uint64_t USUAL = 15000;

class MixedRequests : public Mixed {
protected:
  template <class P> static std::unique_ptr<Pair> made(Mixed &test, uint32_t number)
  {
	  return std::unique_ptr<Pair>(new P(test, number));
  }
	void add(uint32_t count, Maker make)
	{
		for (uint32_t i = 0; i < count; i++)
			pairs.push_back(make(*this, (uint32_t)pairs.size()));
	}
	// Tag lists are InfiniBand's, frames RoCE's.
	void open_all()
	{
		add(3, made<PairOf<Rc>>);
		add(2, make_window);
		add(2, make_uc_window);
		add(2, make_chain);
		add(3, make_protected);
		add(3, made<PairOf<Xrc>>);
		add(3, made<PairOf<Dc>>);
		add(3, make_streams);
		add(2, made<PairOf<Uc>>);
		add(4, made<PairOf<Ud>>);
		if (on_roce()) {
			add(3, make_frames);
			add(2, make_strides);
		} else {
			add(5, make_tagged);
		}
		ASSERT_EQ(32u, pairs.size());
		for (const auto &p : pairs)
			ASSERT_NO_FATAL_FAILURE(p->open());
	}
	void TearDown() override
	{
		for (const auto &p : pairs)
			p->close();
		Mixed::TearDown();
		pairs.clear();
	}

	static uint8_t syndrome_of(Wrong wrong)
	{
		switch (wrong) {
		case LOCAL_KEY:
			return SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR;
		case REMOTE_KEY:
			return SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR;
		case MISALIGNED:
		case TOO_LONG:
			return SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR;
		case NO_RIGHT:
			return SEGUE_CQE_SYNDROME_MW_BIND_ERR;
		default:
			return 0;
		}
	}
	static bool needs_receive(Kind kind) { return kind <= FORWARD; }

	void post_one(Pair &p)
	{
		Kind kind;

		p.current = (uint16_t)below(p.streams);
		do
			kind = (Kind)below(KINDS);
		while (!p.has(kind) || (needs_receive(kind) && !p.fits()));
		Line &line = p.line();
		const Wrong wrong = line.failed || below(300) ? NONE : p.wrong_of(kind);
		const uint64_t wr_id = next_id++;
		const uint32_t slot = p.in_batch++;

		p.kinds += " " + std::to_string(kind) + (wrong == NONE ? "" : "!");
		ASSERT_OK(p.post(kind, wr_id, slot, wrong));
		covered.look();
		if (line.failed) { // of one stream alone, what is done already stays so
			pending[wr_id] = {SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, &p, p.current,
					  p.streams > 1 && is_local(kind)};
			if (kind == COPY || kind == TRANSPOSE)
				p.unknown.push_back(AREA + slot * SLOT);
			return;
		}
		pending[wr_id] = {syndrome_of(wrong), &p, p.current, false};
		if (p.before)
			p.before();
		if (wrong == NONE && p.after)
			p.after();
		line.wrong = wrong;
		line.failed = wrong != NONE;
	}

	// Everything has completed, and what is reliable has arrived.
	void arrive()
	{
		const segue_deadline deadline = segue_deadline_in_ms(60000);
		const auto waits = [](const std::unique_ptr<Pair> &p) {
			return p->reliable && !p->coming.empty();
		};

		ASSERT_NO_FATAL_FAILURE(complete());
		while (std::any_of(pairs.begin(), pairs.end(), waits) &&
		       segue_deadline_left_ms(deadline) > 0)
			ASSERT_NO_FATAL_FAILURE(poll());
		for (const auto &p : pairs)
			ASSERT_FALSE(waits(p)) << "a message to pair " << p->number
					       << " is lost, after" << p->kinds;
		silent.clear();
	}
	// What is not reliable has arrived or is lost.
	void settle()
	{
		const auto settled = [](const std::unique_ptr<Pair> &p) { return p->settled; };
		const segue_deadline deadline = segue_deadline_in_ms(60000);

		for (const auto &p : pairs)
			if (!p->reliable) {
				ASSERT_NO_FATAL_FAILURE(p->mark());
			}
		do {
			const segue_deadline patience = segue_deadline_in_ms(3);

			ASSERT_NO_FATAL_FAILURE(complete());
			while (!std::all_of(pairs.begin(), pairs.end(), settled) &&
			       segue_deadline_left_ms(patience) > 0)
				ASSERT_NO_FATAL_FAILURE(poll());
			for (const auto &p : pairs)
				if (!p->settled) {
					ASSERT_NO_FATAL_FAILURE(p->mark());
				}
		} while (!std::all_of(pairs.begin(), pairs.end(), settled) &&
			 segue_deadline_left_ms(deadline) > 0);
		for (const auto &p : pairs)
			ASSERT_TRUE(p->settled)
				<< "nothing arrives any more, from pair " << p->number;
		ASSERT_NO_FATAL_FAILURE(complete());
	}
	uint64_t batch()
	{
		uint64_t done = 0;

		for (const auto &p : pairs)
			p->prepare();
		covered.look();
		complete();
		for (uint32_t i = 0; i < pairs.size() * BATCH / 2 && !HasFailure(); i++) {
			Pair &p = *pairs[below((uint32_t)pairs.size())];

			if (p.in_batch == BATCH)
				continue;
			post_one(p);
			done++;
		}
		release();
		return done;
	}
	void check()
	{
		ASSERT_NO_FATAL_FAILURE(arrive());
		for (const auto &p : pairs) {
			if (!p->broken())
				continue;
			ASSERT_NO_FATAL_FAILURE(p->recover());
			recovered++;
		}
		covered.skip();
		ASSERT_NO_FATAL_FAILURE(settle());
		for (const auto &p : pairs)
			ASSERT_NO_FATAL_FAILURE(p->finish());
		covered.look();
		ASSERT_NO_FATAL_FAILURE(arrive());
		for (const auto &p : pairs) {
			ASSERT_NO_FATAL_FAILURE(p->settle_writes());
			ASSERT_NO_FATAL_FAILURE(p->compare());
			ASSERT_NO_FATAL_FAILURE(p->refill());
		}
	}
	static unsigned long faults_met()
	{
		const auto met = (unsigned long (*)())dlsym(RTLD_DEFAULT, "softhca_faults_met");

		return met ? met() : 0;
	}

	std::vector<std::unique_ptr<Pair>> pairs;
	uint64_t recovered = 0;
};

TEST_F(MixedRequests, OnSixtyFourQueuePairs)
{
	const char *const given = getenv("SEGUE_TEST_OPS");
	const uint64_t wanted = given ? strtoull(given, nullptr, 0) : USUAL;
	uint64_t done = 0, lost = 0;

	ASSERT_NO_FATAL_FAILURE(open_all());
	while (done < wanted && !HasFailure()) {
		done += batch();
		ASSERT_NO_FATAL_FAILURE(check());
	}
	for (const auto &p : pairs)
		lost += p->lost;
	printf("%llu requests, %llu recoveries, %lu packets lost, twice or late, %llu messages "
	       "lost by UC, UD and frames, %llu refusals lost; completions by syndrome:",
	       (unsigned long long)done, (unsigned long long)recovered, faults_met(),
	       (unsigned long long)lost, (unsigned long long)unanswered);
	for (const auto &s : seen)
		printf(" 0x%02x %llu", s.first, (unsigned long long)s.second);
	printf("\n");
	const std::string link = on_roce() ? "roce" : "ib";

	printf("%s\n", covered.summary(link).c_str());
	EXPECT_LE(lost, faults_met());
	if (wanted < USUAL) {
		printf("Too few of them for all forms to come up: nobody looked which are "
		       "missing.\n");
		return;
	}
	for (const std::string &gap : covered.gaps(link))
		ADD_FAILURE() << gap;
	EXPECT_LT(0u, recovered) << "nothing has failed, so nothing was flushed";
	EXPECT_LT(0u, seen[SEGUE_WC_SIGNATURE_ERR]) << "no signature was wrong";
	EXPECT_EQ(faults, lost > 0);
}

} // namespace
} // namespace requests

int main(int argc, char **argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
