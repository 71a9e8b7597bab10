// SPDX-License-Identifier: BSD-2-Clause
// A request with one thing wrong: who says so, and that no memory has changed.
#ifndef SEGUE_TESTS_REQUESTS_REFUSAL_H
#define SEGUE_TESTS_REQUESTS_REFUSAL_H

#include "tests/requests/transports.h"

namespace requests {

constexpr uint32_t NOBODYS_KEY = 0xdead00;

// What is to be done next about keys that are not right here, or there.
constexpr const char *LOCAL = "compare the SGE's lkey, address and length with the memory region";
constexpr const char *REMOTE =
	"compare remote address, length and rkey (not the lkey) with what the peer has registered";

// Where refused messages would land.
constexpr size_t RECEIVE = 20000;

// The completion of the request, not one of the peer's.
template <class T>
void is_refused(Ends<T> &r, uint8_t syndrome, const char *words, const char *step = "Next: ")
{
	char text[1024] = "";
	segue_wc wc;

	do
		wc = r.completion();
	while (segue_wc_is_receive(&wc) && wc.syndrome);
	EXPECT_EQ(SEND_ID, wc.wr_id);
	segue_qp_explain(r.a, &wc, text, sizeof(text));
	EXPECT_EQ(syndrome, wc.syndrome) << text;
	EXPECT_NE(nullptr, strstr(text, segue_cqe_syndrome_name(syndrome))) << text;
	EXPECT_STRNE("", words);
	EXPECT_NE(nullptr, strstr(text, words)) << text;
	EXPECT_NE(nullptr, strstr(text, step)) << text;
}

// Posts what `build` makes; the device answers with the syndrome, Segue with words of its own.
// `undefined` bytes at the start of a receive may hold anything.
template <class T, class Build>
void fails(Ends<T> &r, Build build, uint8_t syndrome, const char *words, uint32_t undefined = 0)
{
	const uint32_t pi = r.sq()->sq.pi;

	ASSERT_OK(build(r.sq()));
	r.saw(&r.sq()->sq, pi);
	is_refused(r, syndrome, words);
	r.there.put(RECEIVE, r.there.bytes + RECEIVE, undefined);
	r.compare();
}

} // namespace requests

#endif
