// SPDX-License-Identifier: BSD-2-Clause
// A DC initiator with streams: what fails on one flushes that one, and the others go on.
#include "tests/requests/mixed/pairs.h"

namespace requests {
namespace {

struct Streams : PairOf<Dc> {
	Streams(Mixed &t, uint32_t n) : PairOf<Dc>(t, n) { streams = STREAMS; }
};

} // namespace

std::unique_ptr<Pair> make_streams(Mixed &test, uint32_t number)
{
	return std::unique_ptr<Pair>(new Streams(test, number));
}

} // namespace requests
