// SPDX-License-Identifier: BSD-2-Clause
// Every request of the spec, carried out through Segue's own queues. `--table` prints what there
// is, and needs no device.
#include <stdio.h>
#include <string.h>

#include "tests/requests/coverage.h"

namespace requests {
namespace {

TEST(Coverage, EveryRequestHasARecipeOrAReason)
{
	for (const std::string &gap : gaps())
		ADD_FAILURE() << gap;
}

void register_all()
{
	for (const Recipe &r : recipes()) {
		std::string name = r.request + "_" +
				   (r.refused		    ? "refused"
				    : r.how == How::BUILDER ? "built"
							    : "in_one_call");

		for (const std::string &use : r.uses)
			name += "_" + use;
		if (!r.besides.empty())
			name += "_with_" + r.besides;
		::testing::RegisterTest(r.queue.c_str(), name.c_str(), nullptr, nullptr, __FILE__,
					__LINE__,
					[&r]() -> ::testing::Test * { return r.make(r); });
	}
}

} // namespace
} // namespace requests

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--table")) {
		fputs(requests::table().c_str(), stdout);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--lacks")) {
		requests::print_lacks();
		return 0;
	}
	requests::register_all();
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
