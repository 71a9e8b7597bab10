# SPDX-License-Identifier: BSD-2-Clause
"""The segue command on a library of one's own specs.

    load("@segue//tools/segue:defs.bzl", "segue_command")

    segue_command(
        name = "my_segue_command",
        library = ":my_segue",
    )
"""

def segue_command(name, library, **kwargs):
    """Declares the command `segue`, which knows what `library` knows.

    Args:
      name: of the cc_binary.
      library: a segue_spec_library().
      **kwargs: passed to the cc_binary.
    """
    native.cc_binary(
        name = name,
        srcs = [Label("//tools/segue:srcs")],
        copts = ["-D_GNU_SOURCE"],
        deps = [
            library,
            Label("//runtime:internal"),
        ],
        **kwargs
    )
