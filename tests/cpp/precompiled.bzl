# SPDX-License-Identifier: BSD-2-Clause
"""A header that the compiler has read before.

GCC takes HEADER.gch for HEADER where it was made with the same options and macros, and reads HEADER as ever where it was not. Clang is
told where its own file is. Whichever is not used is not made.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

PrecompiledInfo = provider(
    doc = "What clang has read.",
    fields = {
        "contexts": "CompilationContexts of it and what it includes",
        "file": "File, to be given to -include-pch",
    },
)

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
        _precompile(ctx, toolchain, context, header, gch, [])
        outputs.append(gch)
    pch = ctx.actions.declare_file(header.basename + ".pch", sibling = header)
    _precompile(ctx, ctx.attr._clang[cc_common.CcToolchainInfo], context, header, pch, _CLANG)
    return [
        CcInfo(compilation_context = _context(outputs)),
        PrecompiledInfo(
            contexts = [context, _context([header])],
            file = pch,
        ),
    ]

def _context(headers):
    return cc_common.create_compilation_context(
        headers = depset(headers),
        system_includes = depset([headers[0].dirname]),
    )

def _precompile(ctx, toolchain, context, header, precompiled, more):
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        include_directories = context.includes,
        quote_include_directories = context.quote_includes,
        system_include_directories = context.system_includes,
        use_pic = True,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
    )
    flags = cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = variables,
    )
    env = cc_common.get_environment_variables(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = variables,
    )
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
        ),
        arguments = flags + more + ["-x", "c++-header", header.path, "-o", precompiled.path],
        env = dict(env, PWD = "/proc/self/cwd"),
        inputs = depset([header], transitive = [context.headers, toolchain.all_files]),
        outputs = [precompiled],
        mnemonic = "PrecompileHeader",
        progress_message = "Reading %s for all tests" % header.basename,
    )

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
