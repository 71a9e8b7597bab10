# SPDX-License-Identifier: BSD-2-Clause
"""The system's packages for MODULE.bazel; WORKSPACE has them from repositories.bzl."""

load(":clang.bzl", "clang_repository")

# Headers and libraries are on the search paths of compiler and linker, so the BUILD file is all.
def _system_repository_impl(ctx):
    ctx.symlink(ctx.attr.build_file, "BUILD.bazel")

_system_repository = repository_rule(
    implementation = _system_repository_impl,
    attrs = {
        "build_file": attr.label(mandatory = True),
    },
    local = True,
)

def _system_repositories_impl(_ctx):
    _system_repository(name = "rdma_core", build_file = "//tools/third_party:rdma_core.BUILD")
    clang_repository(name = "clang")
    _system_repository(name = "pmix", build_file = "//tools/third_party:pmix.BUILD")

system_repositories = module_extension(implementation = _system_repositories_impl)
