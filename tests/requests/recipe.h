// SPDX-License-Identifier: BSD-2-Clause
// What a recipe says of itself, and the list of all of them.
#ifndef SEGUE_TESTS_REQUESTS_RECIPE_H
#define SEGUE_TESTS_REQUESTS_RECIPE_H

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/requests/demands.h"

namespace requests {

// The two ways to post one request.
enum class How { BUILDER, ONE_CALL };

// One request of one queue, carried out and its effect compared with a model.
struct Recipe {
	std::string queue;    // machine: "rc", "dci", "srq", ...
	std::string request;  // of the spec
	Names uses;           // segments that the request may do without and that are in this WQE
	How how;
	std::string link;     // "ib" or "roce" where the device has it on one of them only
	Names oracles;        // who is asked, of those that nobody here wrote
	std::function<::testing::Test *(const Recipe &)> make;
	bool refused = false; // the device refuses it, because one thing is wrong
	// what is shown besides the request, of the list `besides`; then it does not stand for the
	// request
	std::string besides = {};
};

// Whom recipes ask, as the table names them.
constexpr const char *LIBMLX5 = "libmlx5", *MLX5DV = "mlx5dv.h", *LIBCRYPTO = "libcrypto",
		     *ISAL = "ISA-L", *SCAPY = "scapy";

// What is to be seen of queues besides their requests, and on which of them.
struct Besides {
	const char *name;
	Names on;
	const char *why_not; // on no others
	const char *shown;   // a program of docs/examples, or a header; in Markdown
};

// A program of docs/examples, and what it shows.
struct Example {
	const char *request, *program;
};

// Everything that recipes_*.cc register.
std::vector<Recipe> &recipes();

extern const std::vector<Besides> besides;
extern const std::vector<Example> examples;

} // namespace requests

#endif
