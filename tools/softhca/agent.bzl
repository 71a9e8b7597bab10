# SPDX-License-Identifier: BSD-2-Clause
"""Services of the kernel that live above the engine, below the interposed calls."""

def softhca_agent(name):
    native.cc_library(
        name = name,
        srcs = native.glob(["*.c"]),
        hdrs = native.glob(["*.h"]),
        copts = ["-D_GNU_SOURCE"],
        visibility = [
            "//tests/softhca:__pkg__",
            "//tools/softhca:__subpackages__",
        ],
        deps = [
            "//tools/softhca/engine",
            "//tools/softhca/uverbs:libc",
            "@rdma_core//:headers",
        ],
    )
