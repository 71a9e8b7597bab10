# SPDX-License-Identifier: BSD-2-Clause
"""A header of C that gcc has read before.

Most of the time that compiling a file of the runtime takes goes into the same headers. GCC takes HEADER.gch for HEADER where it was made with
the same options and macros, and reads HEADER as ever where it was not.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME", "C_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def precompile(ctx, toolchain, context, header, output, language = "c", flags = [], inputs = []):
    """Makes the compiler read a header, as it would in a source.

    Args:
      ctx: of a rule with the fragment cpp.
      toolchain: the CcToolchainInfo.
      context: the CompilationContext of what the header includes.
      header: the File.
      output: the File for what the compiler makes of it.
      language: c or c++.
      flags: besides those of all sources.
      inputs: Files that flags name.
    """
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    options = ctx.fragments.cpp
    own_options, action = {
        "c": (options.conlyopts, C_COMPILE_ACTION_NAME),
        "c++": (options.cxxopts, CPP_COMPILE_ACTION_NAME),
    }[language]
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        include_directories = context.includes,
        quote_include_directories = context.quote_includes,
        system_include_directories = context.system_includes,
        preprocessor_defines = context.defines,
        use_pic = True,
        user_compile_flags = options.copts + own_options,
    )
    command = {"action_name": action, "feature_configuration": features}
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(**command),
        arguments = cc_common.get_memory_inefficient_command_line(variables = variables, **command) +
                    flags + ["-x", language + "-header", header.path, "-o", output.path],
        env = dict(cc_common.get_environment_variables(variables = variables, **command), PWD = "/proc/self/cwd"),
        inputs = depset([header] + inputs, transitive = [context.headers, toolchain.all_files]),
        outputs = [output],
        mnemonic = "PrecompileHeader",
        progress_message = "Reading %s for all that include it" % header.short_path,
    )

def context_of(headers):
    """The CompilationContext of whoever is to find these headers, of one folder."""
    return cc_common.create_compilation_context(
        headers = depset(headers),
        system_includes = depset([headers[0].dirname]),
    )

def _precompiled_c_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context
    header = ctx.actions.declare_file("%s/%s" % (ctx.label.name, ctx.file.header.basename))
    gch = ctx.actions.declare_file(header.basename + ".gch", sibling = header)
    ctx.actions.symlink(output = header, target_file = ctx.file.header)
    precompile(ctx, toolchain, context, header, gch, flags = ctx.attr.copts)
    return [CcInfo(compilation_context = context_of([header, gch]))]

precompiled_c_header = rule(
    implementation = _precompiled_c_header_impl,
    doc = "A header that gcc reads once for all sources that name it with -include; for gcc only.",
    attrs = {
        "header": attr.label(doc = "The header.", allow_single_file = [".h"], mandatory = True),
        "copts": attr.string_list(doc = "As of the sources."),
        "deps": attr.label_list(doc = "What it includes.", providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
