# SPDX-License-Identifier: BSD-2-Clause
"""Objects of C++ sources by clang, whichever compiler has made what they are linked with."""

load(":precompiled.bzl", "PrecompiledInfo")

def _clang_objects_impl(ctx):
    toolchain = ctx.attr._clang[cc_common.CcToolchainInfo]
    contexts = [dep[CcInfo].compilation_context for dep in ctx.attr.deps]
    flags = ctx.attr.copts
    precompiled = []
    if ctx.attr.precompiled:
        info = ctx.attr.precompiled[PrecompiledInfo]
        contexts += info.contexts
        precompiled = info.files
        flags = ["-Xclang", "-isysroot", "-Xclang", ".", "-include-pch", info.file.path] + flags
    _, outputs = cc_common.compile(
        name = ctx.label.name,
        actions = ctx.actions,
        feature_configuration = cc_common.configure_features(
            ctx = ctx,
            cc_toolchain = toolchain,
            requested_features = ctx.features,
            unsupported_features = ctx.disabled_features,
        ),
        cc_toolchain = toolchain,
        srcs = [source for source in ctx.files.srcs if source.extension == "cc"],
        private_hdrs = [source for source in ctx.files.srcs if source.extension != "cc"],
        additional_inputs = precompiled,
        includes = ["%s/%s" % (ctx.label.package, folder) for folder in ctx.attr.includes],
        defines = ctx.attr.defines,
        compilation_contexts = contexts,
        user_compile_flags = flags,
        disallow_nopic_outputs = True,
    )
    return [DefaultInfo(files = depset([_for_any_mode(ctx, object) for object in outputs.pic_objects]))]

def _for_any_mode(ctx, object):
    """A link to an object, by a name that does not end in .pic.o: Bazel leaves such objects out, without a word, where it links others (-c opt)."""
    link = ctx.actions.declare_file("%s/%s.o" % (ctx.label.name, object.basename[:-len(".pic.o")]))
    ctx.actions.symlink(output = link, target_file = object)
    return link

clang_objects = rule(
    implementation = _clang_objects_impl,
    doc = "Compiles with clang; a cc_binary takes the objects for sources.",
    attrs = {
        "srcs": attr.label_list(doc = "Sources, and headers of their own.", allow_files = [".cc", ".h"]),
        "deps": attr.label_list(doc = "Whose headers they include.", providers = [CcInfo]),
        "copts": attr.string_list(doc = "As of a cc_library."),
        "defines": attr.string_list(doc = "As of a cc_library."),
        "includes": attr.string_list(doc = "As of a cc_library."),
        "precompiled": attr.label(doc = "What they all include first.", providers = [PrecompiledInfo]),
        "_clang": attr.label(default = Label("@clang//:toolchain")),
    },
    fragments = ["cpp"],
)
