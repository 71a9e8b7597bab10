// SPDX-License-Identifier: BSD-2-Clause
// Whom recipes ask, request by request, and where nobody else can be asked.
#ifndef SEGUE_TESTS_REQUESTS_ORACLES_H
#define SEGUE_TESTS_REQUESTS_ORACLES_H

#include "tests/requests/demands.h"

namespace requests {

std::string join(const Names &names);

// The cell of a request: who is asked, and on which queues if not on all. `notes` collects why
// nobody is.
std::string oracles_of(const std::string &request, std::vector<std::string> *notes);

// What the page says of all of them, and the heading of the notes.
std::string about_oracles();

// Sentences about requests for which nobody else is asked without a reason, and about reasons
// without need.
std::vector<std::string> gaps_of_oracles();

} // namespace requests

#endif
