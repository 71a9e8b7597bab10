# SPDX-License-Identifier: BSD-2-Clause
"""What each device has for tests for which rdma-core has a provider."""

load("//codegen:defs.bzl", "segue_spec_test")
load("//tests/cpp:cpp.bzl", "cpp_test")

def device_tests(library):
    """Every vector of its spec; what the builders write, against what rdma-core's provider wrote; and where it differs from others.

    vectors.txt is what the provider wrote; tests/providers/build.sh says how to ask it again.
    """
    segue_spec_test(
        name = "vectors_test",
        library = library,
        precompiled = "gtest",
        rule = cpp_test,
    )
    cpp_test(
        name = "provider_test",
        size = "small",
        srcs = [
            "provider_test.cc",
            "//tests/providers:srcs",
        ],
        args = ["$(location vectors.txt)"],
        data = ["vectors.txt"],
        linkopts = ["-ldl"],
        deps = [
            library,
            "//tests/seed",
        ],
    )

    # Refusals, validator and decoder.
    cpp_test(
        name = "block_test",
        size = "small",
        srcs = [
            "block_test.cc",
            "//tests/providers:printing",
        ],
        precompiled = "gtest",
        deps = [
            library,
            "@com_google_googletest//:gtest_main",
        ],
    )
