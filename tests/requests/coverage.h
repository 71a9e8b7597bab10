// SPDX-License-Identifier: BSD-2-Clause
// What the spec has, what has a recipe, and the table of both.
#ifndef SEGUE_TESTS_REQUESTS_COVERAGE_H
#define SEGUE_TESTS_REQUESTS_COVERAGE_H

#include <string>
#include <vector>

#include "tests/requests/demands.h"
#include "tests/requests/recipe.h"

namespace requests {

// Whether a recipe carries it out.
bool executed(const Demand &demand, How how);

// Sentences about what is neither executed nor excused by the spec, and about what is excused
// although it is executed.
std::vector<std::string> gaps();

// The capabilities of softhca without which requests are asked for, one a line.
void print_lacks();

// A page in Markdown.
std::string table();

} // namespace requests

#endif
