# SPDX-License-Identifier: BSD-2-Clause
"""Tests that drive the engine with raw rings and doorbells."""

load("//tests/cpp:cpp.bzl", "cpp_library", "cpp_test")
load("//tests/processors:processors.bzl", "TIMING")

ENGINE_TESTS = [
    "engine_compress_test",
    "engine_cq_test",
    "engine_cross_test",
    "engine_error_test",
    "engine_every_request_test",
    "engine_fuzz",
    "engine_gid_test",
    "engine_hazard_test",
    "engine_offload_test",
    "engine_qp_test",
    "engine_raw_test",
    "engine_referee_test",
    "engine_rules_test",
    "engine_thread_test",
    "engine_tm_test",
    "engine_wr_test",
]

def softhca_engine_tests():
    cpp_library(
        name = "engine_fixture",
        testonly = True,
        srcs = ["engine/engine_fixture.cc"],
        hdrs = [
            "clients/corpus.h",
            "engine/engine_fixture.h",
            "engine/engine_fuzz_raw.h",
            "engine/engine_offload.h",
            "engine/engine_referee.h",
            "engine/engine_requests.h",
            "fuzz/fuzz_input.h",
            "engine/json_check.h",
        ],
        precompiled = "gtest",
        deps = [
            ":sig_oracle",
            "//tests/seed",
            "//tools/softhca/engine",
            "@com_google_googletest//:gtest",
        ],
    )
    for name in ENGINE_TESTS:
        cpp_test(
            name = name,
            size = "medium",
            srcs = ["engine/%s.cc" % name] + (
                ["//tests/witnesses:enhanced.h"] if name == "engine_compress_test" else []
            ),
            # corpus.sh has what that one replays.
            args = ["--gtest_filter=-*RequestsOfLibmlx5"] if name == "engine_fuzz" else [],
            precompiled = "gtest",
            linkopts = ["-ldl"],
            tags = [TIMING] if name == "engine_thread_test" else [],
            # Names what is not modelled.
            data = ["//docs:softhca/modelled.md"] if name == "engine_every_request_test" else [],
            deps = [
                ":engine_fixture",
                "//:segue_text",
                "@com_google_googletest//:gtest_main",
            ] + ([] if name == "engine_thread_test" else [
                # That one is built for ThreadSanitizer, too, and needs no plug-ins.
                "//tools/softhca/engine:offload",
                "//tools/softhca/engine:raw",
            ]),
        )

    # Plans against the walk; more, or a seed again: bazel run //tests/softhca:engine_plan_test -- $PWD/CORPUS COUNT SEED
    cpp_test(
        name = "engine_plan_test",
        size = "medium",
        srcs = ["engine/engine_plan_test.cc"],
        args = ["$(location //tests/builders:walks.data)/corpus.txt"],
        precompiled = "segue",
        data = ["//tests/builders:walks.data"],
        deps = [
            "//:segue",
            "//runtime:internal",
            "//tools/softhca/engine",
            "@com_google_googletest//:gtest",
        ],
    )
