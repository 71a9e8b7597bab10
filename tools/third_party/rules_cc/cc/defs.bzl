# SPDX-License-Identifier: BSD-2-Clause
"""Stand-in for rules_cc: Bazel 4 has the C++ rules built in, and Debian's rules_cc does not load in it."""

cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
