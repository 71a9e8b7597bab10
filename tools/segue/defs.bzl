# SPDX-License-Identifier: BSD-2-Clause
"""The segue command on a library of one's own specs.

    load("@segue//tools/segue:defs.bzl", "segue_command")

    segue_command(
        name = "my_segue_command",
        library = ":my_segue",
    )
"""

load("//codegen:defs.bzl", "PEERS", "part_of")

def _with_runtime_impl(ctx):
    library = ctx.attr.library
    ring = library.label.name + "_ring"
    if ring not in [linked.owner.name for linked in library[CcInfo].linking_context.linker_inputs.to_list()]:
        fail(("segue_command(%s): %s has no runtime, and the command reads rings and asks devices; give it a segue_spec_library() " +
              "whose runtime is not False") % (ctx.attr.command, library.label))
    return [library[CcInfo]]

_with_runtime = rule(
    implementation = _with_runtime_impl,
    doc = "A segue_spec_library() that a command can be built on. Others are refused here, not by the C compiler.",
    attrs = {
        "command": attr.string(mandatory = True),
        "library": attr.label(
            mandatory = True,
            providers = [CcInfo],
        ),
    },
)

# As the library: what is installed reads logs of any size. -c dbg is for debugging.
_OPTIMIZED = select({
    str(Label("//codegen:dbg")): [],
    "//conditions:default": ["-O2"],
})

def segue_command(name, library, **kwargs):
    """Declares the command `segue`, which knows what `library` knows.

    Args:
      name: of the cc_binary.
      library: a segue_spec_library(); one with `runtime = False` has nothing that the command could ask.
      **kwargs: passed to the cc_binary.
    """
    _with_runtime(
        name = name + ".library",
        command = name,
        library = library,
        tags = ["manual"],
        testonly = kwargs.get("testonly", False),
    )
    native.cc_binary(
        name = name,
        srcs = [Label("//tools/segue:srcs")],
        copts = ["-D_GNU_SOURCE"] + _OPTIMIZED,
        deps = [
            name + ".library",
            part_of(library, PEERS),
            Label("//runtime:internal"),
        ],
        **kwargs
    )
