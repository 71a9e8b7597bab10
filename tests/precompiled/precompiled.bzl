# SPDX-License-Identifier: BSD-2-Clause
"""A header that GCC has read before.

GCC takes HEADER.gch for HEADER where it was made with the same options and macros, and reads HEADER as ever where it was not. Other
compilers know nothing of it.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

# The copts of a target that has //tests/precompiled:gtest, or :segue, among its deps.
GTEST = ["-include", "first_gtest.h"]
SEGUE = ["-include", "first_segue.h"]

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context
    header = ctx.actions.declare_file("%s/%s" % (ctx.label.name, ctx.file.header.basename))
    ctx.actions.symlink(output = header, target_file = ctx.file.header)
    outputs = [header]
    if "clang" not in toolchain.compiler:
        precompiled = ctx.actions.declare_file(header.basename + ".gch", sibling = header)
        _precompile(ctx, toolchain, context, header, precompiled)
        outputs.append(precompiled)
    return [CcInfo(compilation_context = cc_common.create_compilation_context(
        headers = depset(outputs),
        system_includes = depset([header.dirname]),
    ))]

def _precompile(ctx, toolchain, context, header, precompiled):
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
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
        ),
        arguments = flags + ["-x", "c++-header", header.path, "-o", precompiled.path],
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        ),
        inputs = depset([header], transitive = [context.headers, toolchain.all_files]),
        outputs = [precompiled],
        mnemonic = "PrecompileHeader",
        progress_message = "Reading %s for all tests" % header.basename,
    )

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    doc = "Makes GCC read a header once for all that name it with -include.",
    attrs = {
        "header": attr.label(doc = "The header.", allow_single_file = [".h"], mandatory = True),
        "deps": attr.label_list(doc = "What it includes.", providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
