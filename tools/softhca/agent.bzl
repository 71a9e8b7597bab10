# SPDX-License-Identifier: BSD-2-Clause
"""Services of the kernel beside uverbs: plug-ins that register a table of functions (uverbs/service.h)."""

load("//tools/softhca:copts.bzl", "SOFTHCA_COPTS", "SOFTHCA_LINKOPTS")

def softhca_agent(name):
    native.cc_library(
        name = name,
        srcs = native.glob(["*.c"]),
        hdrs = native.glob(["*.h"]),
        copts = SOFTHCA_COPTS,
        linkopts = SOFTHCA_LINKOPTS,
        visibility = [
            "//tests/softhca:__pkg__",
            "//tools/softhca:__pkg__",
        ],
        deps = [
            "//tools/softhca/engine",
            "//tools/softhca/uverbs:front",
            "//tools/softhca/uverbs:libc",
            "@rdma_core//:headers",
        ],
        alwayslink = True,
    )
    native.filegroup(
        name = "sources",
        srcs = native.glob(["**"]),
        visibility = ["//tests/softhca:__pkg__"],
    )
