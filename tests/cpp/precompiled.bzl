# SPDX-License-Identifier: BSD-2-Clause
"""A header that the compiler has read before.

GCC takes HEADER.gch for HEADER where it was made with the same options and macros, and reads HEADER as ever where it was not. Clang is
told where its own file is, and can go on from one. Whichever is not used is not made.

What is inline in a header, and what that instantiates, clang also compiles once, if it starts with this header: whatever includes it
is linked with code.cc's object.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("//codegen:precompiled.bzl", "context_of", "precompile")

PrecompiledInfo = provider(
    doc = "What clang has read.",
    fields = {
        "contexts": "CompilationContexts of it and what it includes",
        "file": "File, to be given to -include-pch",
        "files": "Files that clang reads then: it, and what it went on from",
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
    before = ctx.attr.after[PrecompiledInfo] if ctx.attr.after else PrecompiledInfo(contexts = [], file = None, files = [])
    included = [CcInfo(compilation_context = context) for context in before.contexts]
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps] + included).compilation_context
    header = ctx.actions.declare_file("%s/%s" % (ctx.label.name, ctx.file.header.basename))
    ctx.actions.symlink(output = header, target_file = ctx.file.header)
    outputs = [header]
    if "clang" not in toolchain.compiler:
        gch = ctx.actions.declare_file(header.basename + ".gch", sibling = header)
        precompile(ctx, toolchain, context, header, gch, "c++", NO_EXCEPTIONS)
        outputs.append(gch)
    pch = ctx.actions.declare_file(header.basename + ".pch", sibling = header)
    start = ["-include-pch", before.file.path] if before.file else ["-fpch-codegen"]
    precompile(ctx, ctx.attr._clang[cc_common.CcToolchainInfo], context, header, pch, "c++", NO_EXCEPTIONS + _CLANG + start, before.files)
    return [
        cc_common.merge_cc_infos(cc_infos = [CcInfo(compilation_context = context_of(outputs))] + included),
        PrecompiledInfo(
            contexts = [context, context_of([header])],
            file = pch,
            files = [pch] + before.files,
        ),
    ]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    doc = "Makes a compiler read a header once for all: for gcc those that name it with -include, for clang those that find it here.",
    attrs = {
        "header": attr.label(doc = "The header.", allow_single_file = [".h"], mandatory = True),
        "after": attr.label(doc = "What it includes first, read before itself.", providers = [PrecompiledInfo]),
        "deps": attr.label_list(doc = "What it includes.", providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
        "_clang": attr.label(default = Label("@clang//:toolchain")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
