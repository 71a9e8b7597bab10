// SPDX-License-Identifier: BSD-2-Clause
// For programs that use GoogleTest.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>
