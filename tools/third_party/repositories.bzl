# SPDX-License-Identifier: BSD-2-Clause
"""Every external repository of Segue, in one function.

All of them are system packages or stubs kept in this tree: Bazel downloads nothing.
"""

load("@bazel_tools//tools/build_defs/repo:utils.bzl", "maybe")
load(":clang.bzl", "clang_repository")

def _local(name, path):
    maybe(native.local_repository, name = name, path = path)

def segue_repositories(root = ""):
    """Declares the repositories Segue builds with.

    Args:
      root: path of the Segue checkout as seen from the calling workspace ("../segue"); empty when Segue is the main
        workspace.
    """
    if root and not root.endswith("/"):
        root += "/"
    _local("rules_java", "/usr/share/bazel/rules/java")
    _local("bazel_skylib", "/usr/share/bazel/tools/skylib")
    _local("rules_cc", root + "tools/third_party/rules_cc")
    _local("remote_coverage_tools", root + "tools/third_party/coverage")
    maybe(
        native.new_local_repository,
        name = "com_google_googletest",
        path = "/usr",
        build_file = "@segue//tools/third_party:googletest.BUILD",
    )
    maybe(
        native.new_local_repository,
        name = "rdma_core",
        path = "/usr",
        build_file = "@segue//tools/third_party:rdma_core.BUILD",
    )

    # PMIx (Debian: libpmix-dev), for the test that compares what Segue says of it with its headers.
    maybe(
        native.new_local_repository,
        name = "pmix",
        path = "/usr",
        build_file = "@segue//tools/third_party:pmix.BUILD",
    )

    # The second compiler.
    maybe(clang_repository, name = "clang")

    # Python programs run with Debian's interpreter, whatever comes first on PATH.
    native.register_toolchains("@segue//tools/third_party:python_toolchain")
