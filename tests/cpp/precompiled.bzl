# SPDX-License-Identifier: BSD-2-Clause
"""A header that the compiler has read before.

GCC takes HEADER.gch for HEADER where it was made with the same options and macros, and reads HEADER as ever where it was not. Clang is
told where its own file is. Whichever is not used is not made.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("//codegen:precompiled.bzl", "context_of", "precompile")

PrecompiledInfo = provider(
    doc = "What clang has read.",
    fields = {
        "contexts": "CompilationContexts of it and what it includes",
        "file": "File, to be given to -include-pch",
    },
)

# As whatever takes it is compiled (cpp.bzl).
NO_EXCEPTIONS = ["-fno-exceptions"]

# Paths in it are of Bazel's execution root, wherever that is, and tell no time: Bazel knows what has changed.
_CLANG = [
    "-fpch-instantiate-templates",
    "-Xclang",
    "-fno-pch-timestamp",
    "-Xclang",
    "-relocatable-pch",
    "-Xclang",
    "-isysroot",
    "-Xclang",
    "/proc/self/cwd",
]

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context
    header = ctx.actions.declare_file("%s/%s" % (ctx.label.name, ctx.file.header.basename))
    ctx.actions.symlink(output = header, target_file = ctx.file.header)
    outputs = [header]
    if "clang" not in toolchain.compiler:
        gch = ctx.actions.declare_file(header.basename + ".gch", sibling = header)
        precompile(ctx, toolchain, context, header, gch, "c++", NO_EXCEPTIONS)
        outputs.append(gch)
    pch = ctx.actions.declare_file(header.basename + ".pch", sibling = header)
    precompile(ctx, ctx.attr._clang[cc_common.CcToolchainInfo], context, header, pch, "c++", NO_EXCEPTIONS + _CLANG)
    return [
        CcInfo(compilation_context = context_of(outputs)),
        PrecompiledInfo(
            contexts = [context, context_of([header])],
            file = pch,
        ),
    ]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    doc = "Makes a compiler read a header once for all: for gcc those that name it with -include, for clang those that find it here.",
    attrs = {
        "header": attr.label(doc = "The header.", allow_single_file = [".h"], mandatory = True),
        "deps": attr.label_list(doc = "What it includes.", providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
        "_clang": attr.label(default = Label("@clang//:toolchain")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
