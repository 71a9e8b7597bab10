// SPDX-License-Identifier: BSD-2-Clause
// Nothing of its own: the code of what is inline in gtest_header.h, and of what that instantiates.
