// SPDX-License-Identifier: BSD-2-Clause
// What libmlx5 posts elsewhere than on a send queue.
#ifndef SEGUE_TESTS_REQUESTS_MIRROR_RECEIVES_H
#define SEGUE_TESTS_REQUESTS_MIRROR_RECEIVES_H

#include "tests/requests/posted_request.h"

namespace requests {

// Entries of a receive queue of libmlx5's that has entries of the same size.
std::vector<uint8_t> in_own_queue(const Posted &posted);
std::vector<uint8_t> in_shared_queue(const Posted &posted);

// Commands about a tag list of libmlx5's, in the queue that it keeps for them; it is seen as memory
// that a parent domain gives out.
std::vector<uint8_t> in_tag_queue(const Posted &posted);

} // namespace requests

#endif
