# SPDX-License-Identifier: BSD-2-Clause
"""C++ of tests.

Clang compiles it in about half of the time that gcc takes (both with headers read before), and what it is linked with is compiled by gcc: each run says that the two go
together. One compiler does it all where another than gcc was asked for (--config=clang), where sanitizers need it (asan, tsan), for
coverage, and where there is no clang. No exceptions: GoogleTest's macros are many, and ways out of each are a fifth of what there is to compile.
"""

load("@clang//:found.bzl", "CLANG")
load(":objects.bzl", "clang_objects")
load(":precompiled.bzl", "NO_EXCEPTIONS")

# The header of each that is read once.
_HEADERS = {
    "gtest": "gtest_header.h",
    "segue": "segue_header.h",
}

def cpp_test(name, srcs, linkstatic = True, **kwargs):
    """A cc_test, of archives, as no shared objects are made for one test; see _cpp().

    Args:
      name: of the target.
      srcs: as of a cc_test.
      linkstatic: as of a cc_test.
      **kwargs: passed on.
    """
    _cpp(native.cc_test, name, srcs, linkstatic = linkstatic, **kwargs)

def cpp_binary(name, srcs, **kwargs):
    """A cc_binary; see _cpp()."""
    _cpp(native.cc_binary, name, srcs, **kwargs)

def cpp_library(name, srcs, hdrs = [], **kwargs):
    """A cc_library; see _cpp()."""
    _cpp(native.cc_library, name, srcs, hdrs = hdrs, **kwargs)

def _cpp(rule, name, srcs, deps = [], copts = [], precompiled = None, exceptions = False, **kwargs):
    """What rule makes of C++ sources.

    Args:
      rule: cc_test, cc_binary or cc_library.
      name: of the target.
      srcs: sources and headers, as of the rule.
      deps: as of the rule.
      copts: as of the rule.
      precompiled: "gtest" or "segue" for sources that may include all of that first, whose reading is done already.
      exceptions: whether sources throw; not with precompiled.
      **kwargs: as of the rule.
    """
    if not exceptions:
        copts = NO_EXCEPTIONS + copts
    plain_copts, plain_deps = copts, []
    if precompiled:
        plain_copts = copts + ["-include", _HEADERS[precompiled]]
        plain_deps = ["//tests/cpp:" + precompiled]
    if not CLANG:
        rule(name = name, srcs = srcs, deps = deps + plain_deps, copts = plain_copts, **kwargs)
        return
    clang_objects(
        name = name + "_objects",
        testonly = True,
        srcs = srcs + kwargs.get("hdrs", []),
        copts = copts,
        defines = kwargs.get("defines", []) + kwargs.get("local_defines", []),
        includes = kwargs.get("includes", []),
        precompiled = "//tests/cpp:" + precompiled if precompiled else None,
        deps = deps,
        tags = ["manual"],  # not where it is not wanted
    )
    rule(
        name = name,
        srcs = select({
            "//tests/cpp:by_clang": [name + "_objects"],
            "//conditions:default": srcs,
        }),
        copts = select({
            "//tests/cpp:by_clang": [],
            "//conditions:default": plain_copts,
        }),
        deps = deps + select({
            "//tests/cpp:by_clang": ["//tests/cpp:code"] if precompiled else [],
            "//conditions:default": plain_deps,
        }),
        **kwargs
    )
