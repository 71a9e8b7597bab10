// SPDX-License-Identifier: BSD-2-Clause
// Nothing of its own: the code of what is inline in first_gtest.h, and of what that instantiates.
