// SPDX-License-Identifier: BSD-2-Clause
// What the one-call posts can do without, by their arguments.
#ifndef SEGUE_TESTS_REQUESTS_OFFERS_H
#define SEGUE_TESTS_REQUESTS_OFFERS_H

#include <string>

namespace requests {

// Whether the request's one-call post takes that segment, which the request may do without.
bool is_offered(const std::string &queue, const std::string &request, const std::string &segment);

} // namespace requests

#endif
