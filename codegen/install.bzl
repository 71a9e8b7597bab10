# SPDX-License-Identifier: BSD-2-Clause
"""A library of spec files for programs that Bazel does not build.

    load("@segue//codegen:install.bzl", "segue_install")

    segue_install(
        name = "install",
        library = ":my_segue",
    )

After `bazel run //:install -- PREFIX` there are PREFIX/lib/libsegue.a, PREFIX/include/segue/ and
PREFIX/lib/pkgconfig/segue.pc.
"""

# Headers are at PREFIX/include/segue/segue/, so that a -I is needed even in /usr/local: gcc treats what it finds below its own
# folders as a system header, and then is silent about a builder that is dropped. The prefix may be moved afterwards.
_PC = """prefix=${pcfiledir}/../..

Name: segue
Description: RDMA data paths on mlx5 (ConnectX) cards, written as typed C builders
Version: 0.1.0
Requires: libmlx5 libibverbs
Cflags: -I${prefix}/include/segue
Libs: -L${prefix}/lib -lsegue
"""

_SCRIPT = """#!/bin/bash
# Copies a library, its headers and its pkg-config file to a prefix.
set -e
prefix=${1:?usage: bazel run //:install -- PREFIX}
here=$(dirname "$(readlink -f "$0")")
# bazel run changes the directory; a relative prefix is meant from where the user is.
case $prefix in
/*) ;;
*) prefix=${BUILD_WORKING_DIRECTORY:-$PWD}/$prefix ;;
esac
{ mkdir -p "$prefix" && [ -w "$prefix" ]; } || {
	echo "cannot write to $prefix; give a prefix that you may write to, or run $0 $prefix as root" >&2
	exit 1
}
cd "$here/@tree@"
find -L . -type f -print0 | xargs -0 -I{} install -D -m 644 {} "$prefix/{}" # find -exec would forget failures
echo "installed $prefix/lib/libsegue.a, its headers and $prefix/lib/pkgconfig/segue.pc"
"""

# Whoever installs a library wants it fast, with or without -c opt.
def _optimised_impl(_settings, _attr):
    return {"//command_line_option:compilation_mode": "opt"}

_optimised = transition(
    implementation = _optimised_impl,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)

def _archives_of(library):
    """The archives of all its parts, with code that shared libraries and position-independent programs can take in."""
    parts = [library.label.name + suffix for suffix in ("", "_ring", "_text")]
    archives = []
    for linked in library[CcInfo].linking_context.linker_inputs.to_list():
        if linked.owner.workspace_name != library.label.workspace_name or linked.owner.package != library.label.package:
            continue
        if linked.owner.name in parts:
            archives += [file.pic_static_library or file.static_library for file in linked.libraries]
    if len(archives) != len(parts):
        fail("%s is no segue_spec_library()" % library.label)
    return archives

def _copies_of(headers):
    """Shell commands that put headers where the installed tree has them."""
    copies = []
    for file in headers:
        if file.is_directory:
            copies.append("cp -RL %s/. $1/include/segue" % file.path)
        elif "/include/segue/" in "/" + file.path:
            copies.append("cp -L %s $1/include/segue/segue" % file.path)
    return copies

def _install_impl(ctx):
    library = ctx.attr.library[0]
    archives = _archives_of(library)
    headers = library[CcInfo].compilation_context.headers.to_list()
    tree = ctx.actions.declare_directory(ctx.label.name + ".tree")
    pc = ctx.actions.declare_file(ctx.label.name + ".pc")
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(pc, _PC)
    ctx.actions.write(script, _SCRIPT.replace("@tree@", tree.basename), is_executable = True)
    ctx.actions.run_shell(
        command = "\n".join([
            "set -e",
            "mkdir -p $1/lib/pkgconfig $1/include/segue/segue",
            # One archive out of all: programs name one.
            "{ echo create $1/lib/libsegue.a",
        ] + ["echo addlib %s" % archive.path for archive in archives] + [
            "echo save; echo end; } | ar -M",
            "cp -L %s $1/lib/pkgconfig/segue.pc" % pc.path,
        ] + _copies_of(headers)),
        arguments = [tree.path],
        inputs = archives + [pc] + headers,
        outputs = [tree],
        mnemonic = "SegueInstall",
    )
    return [DefaultInfo(executable = script, files = depset([script, tree]), runfiles = ctx.runfiles([tree]))]

segue_install = rule(
    implementation = _install_impl,
    doc = "bazel run on it installs a segue_spec_library() into the prefix that is its argument.",
    executable = True,
    attrs = {
        "library": attr.label(
            doc = "A segue_spec_library().",
            cfg = _optimised,
            mandatory = True,
            providers = [CcInfo],
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
