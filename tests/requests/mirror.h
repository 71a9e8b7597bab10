// SPDX-License-Identifier: BSD-2-Clause
/*
 * libmlx5 as the oracle of bytes: what Segue has posted is taken apart by the spec and given to
 * libmlx5's own call, on a queue of its own of the same device. What libmlx5 writes into its ring
 * must be what Segue has written, but for the few fields that are each queue's own. A field that
 * builder and decoder both have in a wrong place is found, as libmlx5 puts its value into the right
 * one.
 */
#ifndef SEGUE_TESTS_REQUESTS_MIRROR_H
#define SEGUE_TESTS_REQUESTS_MIRROR_H

#include <set>

#include "tests/requests/posted_request.h"

namespace requests {

// Whether libmlx5 has a call of its own for that; mlx5dv_wr_raw_wqe() is none, as it writes what it
// is given.
bool libmlx5_posts(const Posted &posted);

// Lets it: the bytes, with Segue's values in the fields that are each queue's own.
std::vector<uint8_t> as_libmlx5_posts(const Posted &posted);

// These fields: "ctrl.qpn", …
std::set<std::string> own_fields();

} // namespace requests

#endif
