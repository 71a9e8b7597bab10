# SPDX-License-Identifier: BSD-2-Clause
"""Segue as seen from a BUILD file: a C library out of spec files.

    load("@segue//codegen:defs.bzl", "segue_spec_library")

    segue_spec_library(
        name = "my_segue",
        specs = glob(["spec/*.yaml"]),
        deps = ["@segue//spec:mlx5"],
    )

The result replaces @segue//:segue: it holds the generated code of all these specs and Segue's own runtime compiled
against it. A program depends on one such library only.
"""

def _segue_generate_impl(ctx):
    headers = ctx.actions.declare_directory(ctx.label.name + "/include")
    sources = ctx.actions.declare_directory(ctx.label.name + "/src")
    arguments = ctx.actions.args()
    arguments.add("generate")
    arguments.add("--group", ctx.attr.group)
    arguments.add_all("--out", [headers], expand_directories = False)
    arguments.add_all("--sources", [sources], expand_directories = False)
    arguments.add_all(ctx.files.specs)
    ctx.actions.run(
        executable = ctx.executable._generator,
        arguments = [arguments],
        inputs = ctx.files.specs,
        outputs = [headers, sources],
        mnemonic = "SegueGenerate",
        progress_message = "Generating C from %d spec files for %s" % (len(ctx.files.specs), ctx.label),
    )
    return [
        DefaultInfo(files = depset([headers, sources])),
        OutputGroupInfo(
            headers = depset([headers]),
            sources = depset([sources]),
        ),
    ]

segue_generate = rule(
    implementation = _segue_generate_impl,
    doc = "Runs the generator. Output groups: `headers` (an include folder) and `sources` (a folder of .c and .cc files).",
    attrs = {
        "specs": attr.label_list(
            doc = "Spec files and sets of them (filegroups). Everything they refer to must be among them.",
            allow_files = [".yaml"],
            mandatory = True,
        ),
        "group": attr.string(
            doc = "Which outputs of codegen/emit.py to write.",
            default = "library",
        ),
        "_generator": attr.label(
            default = Label("//codegen:main"),
            executable = True,
            cfg = "exec",
        ),
    },
)

def segue_spec_library(name, specs = [], deps = [], **kwargs):
    """Declares the C library of some spec files: headers, builders, tables, decoder and runtime.

    Args:
      name: of the cc_library.
      specs: spec files of one's own.
      deps: other spec sets that these refer to, above all "@segue//spec:mlx5".
      **kwargs: passed to the cc_library (visibility, copts, testonly, …).
    """
    generated = name + ".gen"
    internal = {
        "tags": ["manual"],
        "testonly": kwargs.get("testonly", False),
        "visibility": kwargs.get("visibility"),
    }
    segue_generate(
        name = generated,
        specs = deps + specs,  # of two items that clash, the later is at fault
        **internal
    )
    for group in ["headers", "sources"]:
        native.filegroup(
            name = "%s.%s" % (name, group),
            srcs = [generated],
            output_group = group,
            **internal
        )
    native.cc_library(
        name = name,
        srcs = [
            "%s.sources" % name,
            Label("//runtime:srcs"),
        ],
        hdrs = ["%s.headers" % name],
        includes = [generated + "/include"],
        # Bazel 4 leaves the objects of a generated folder out of shared libraries.
        linkstatic = True,
        deps = [
            Label("//include:headers"),
            Label("//runtime:internal"),
        ],
        **kwargs
    )
