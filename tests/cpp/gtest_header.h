// SPDX-License-Identifier: BSD-2-Clause
// For programs that use GoogleTest.
#ifndef SEGUE_TESTS_CPP_GTEST_HEADER_H
#define SEGUE_TESTS_CPP_GTEST_HEADER_H

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

// What many tests do. Nobody calls it: a compiler that has read this header before has compiled
// then what these lines instantiate, or a quarter of the code of tests would be copies of it.
namespace first
{
template <typename Left, typename Right> void compares(const Left &left, const Right &right)
{
	EXPECT_EQ(left, right);
	EXPECT_NE(left, right);
	EXPECT_LT(left, right);
	EXPECT_LE(left, right);
	EXPECT_GT(left, right);
	EXPECT_GE(left, right);
}

template <typename Number> void fills(std::vector<Number> numbers, const Number *some)
{
	std::vector<Number> others(4), copy = numbers, taken = std::move(others);

	numbers.push_back(*some);
	numbers.push_back(Number{1});
	numbers.emplace_back(Number{1});
	numbers.resize(8);
	numbers.assign(some, some + 1);
	numbers.insert(numbers.end(), some, some + 1);
	numbers.insert(numbers.end(), copy.begin(), copy.end());
	numbers.insert(numbers.end(), copy.data(), copy.data() + 1);
	numbers = std::vector<Number>(copy.begin(), copy.end());
	copy = numbers;
	EXPECT_EQ(copy, numbers);
}

inline void does(const char *text, void *pointer, const uint8_t *bytes, const uint32_t *numbers,
		 const uint64_t *words)
{
	std::string string = text;
	std::set<std::string> names = {text}, others = names;
	std::set<uint64_t> members = {1};
	std::map<std::string, int> counts;
	std::function<void()> clear = [&] { others.clear(); };
	std::mt19937 random(1);
	std::mt19937_64 longer(random());

	compares(1, 1);
	compares(1U, 1U);
	compares(1UL, 1UL);
	compares(1U, 1UL);
	compares(1UL, 1U);
	compares(1, uint8_t{1});
	compares(1, uint16_t{1});
	compares(uint8_t{1}, uint8_t{1});
	compares(uint16_t{1}, uint16_t{1});
	EXPECT_EQ(true, names.insert(string).second) << text << string << 1 << 1U << 1UL;
	EXPECT_EQ(string, string);
	EXPECT_STREQ(text, text);
	EXPECT_NE(nullptr, text);
	EXPECT_NE(nullptr, pointer);
	fills<uint8_t>({1}, bytes);
	fills<uint32_t>({1}, numbers);
	fills<uint64_t>({1}, words);
	names.emplace(text);
	names.insert(text);
	names.insert(others.begin(), others.end());
	members.insert(longer());
	counts[text] += static_cast<int>(names.count(string));
	if (clear)
		clear();
	string += "and " + string + std::to_string(members.count(1));
}
} // namespace first

#endif
