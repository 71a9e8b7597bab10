# SPDX-License-Identifier: BSD-2-Clause
"""A library of spec files for programs that Bazel does not build.

    load("@segue//codegen:install.bzl", "segue_install")

    segue_install(
        name = "install",
        library = ":my_segue",
    )

After `bazel run //:install -- PREFIX` there are PREFIX/lib/libsegue.a and libsegue_peers.a, PREFIX/include/segue/, segue.pc and segue-peers.pc in
PREFIX/lib/pkgconfig, and SegueConfig.cmake; and libsegue_checked.a with segue-checked.pc, the same with the run-time checks in it, and likewise
segue-peers-checked.pc. To a prefix that had an earlier one nothing of that is left;
`--remove PREFIX` takes all of it away.
"""

load(":defs.bzl", "PARTS", "PEERS", "part_of")

# The .pc files are made of runtime/segue.pc.in. They give a -I of PREFIX/share/segue/include, a folder with one link to
# PREFIX/include/segue: gcc takes what it finds below /usr/local/include for a system header, and is silent about a builder that is
# dropped there. A -I of that folder itself would change nothing, since gcc ignores it.
# The prefix may be moved afterwards. -Wunused-value, part of -Wall, is how gcc warns of a dropped builder in C
# (include/segue/detail/step.h has the reason why it does not by itself). A checked program needs the checked library, whose checks go with those in
# the headers.

def _archives_of(library, suffixes = PARTS):
    """The archives of its parts, with code that shared libraries and position-independent programs can take in."""
    parts = [library.label.name + suffix for suffix in suffixes]
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
            copies.append("cp -RL %s/. $1/include" % file.path)
        elif "/include/segue/" in "/" + file.path:
            below = ("/" + file.path).split("/include/segue/")[1]
            copies.append("install -D -m 644 %s $1/include/segue/%s" % (file.path, below))
    return copies

def _one_archive(archives, to):
    """Shell commands that make one archive out of all: programs name one."""
    return ["{ echo create $1/lib/%s" % to] + ["echo addlib %s" % archive.path for archive in archives] + ["echo save; echo end; } | ar -M"]

def _pc(ctx, name, library, requires = "libmlx5 libibverbs", libs = " -ldl", define = ""):
    file = ctx.actions.declare_file("%s.%s.pc" % (ctx.label.name, name))
    ctx.actions.expand_template(
        template = ctx.file._pc,
        output = file,
        substitutions = {"@name@": name, "@library@": library, "@requires@": requires, "@define@": define, "@libs@": libs},
    )
    return file

def _peers(ctx):
    """The library of many peers, plain and checked, and the commands that put archives and .pc files in place."""
    archives, pcs, copies = [], [], []
    for target, kind in ((ctx.attr.peers, ""), (ctx.attr.checked_peers, "-checked")):
        name = "segue-peers" + kind
        file = "segue_peers" + kind.replace("-", "_")
        archives += _archives_of(target, [""])
        pcs.append(_pc(ctx, name, file, requires = "segue" + kind, libs = ""))
        copies += [
            "cp -L %s $1/lib/lib%s.a" % (archives[-1].path, file),
            "cp -L %s $1/lib/pkgconfig/%s.pc" % (pcs[-1].path, name),
        ]
    return struct(files = archives + pcs, copies = copies)

def _beside(ctx):
    """Libraries that a program links beside the first one: archives, .pc files, headers, and the commands that put the first two in place."""
    archives, pcs, headers, copies = [], [], [], []
    for target, requires in ctx.attr.beside.items():
        name = target.label.name
        for linked in target[CcInfo].linking_context.linker_inputs.to_list():
            if linked.owner == target.label:
                archives += [file.pic_static_library or file.static_library for file in linked.libraries]
        pcs.append(_pc(ctx, name.replace("_", "-"), name, requires = "segue " + requires, libs = ""))
        headers += target[CcInfo].compilation_context.headers.to_list()
        copies += [
            "cp -L %s $1/lib/lib%s.a" % (archives[-1].path, name),
            "cp -L %s $1/lib/pkgconfig/%s.pc" % (pcs[-1].path, name.replace("_", "-")),
        ]
    return struct(files = archives + pcs, headers = headers, copies = copies)

def _more(ctx):
    """Man pages and programs, and the commands that put them in place."""
    copies = ["mkdir -p $1/share/man && cp -RL %s/man? $1/share/man" % folder.path for folder in ctx.files.man]
    copies += ["mkdir -p $1/bin && cp -L %s $1/bin" % program.path for program in ctx.files.programs]
    return struct(files = ctx.files.man + ctx.files.programs, copies = copies)

def _install_impl(ctx):
    library = ctx.attr.library
    archives = _archives_of(library)
    checked = _archives_of(ctx.attr.checked)
    peers = _peers(ctx)
    beside = _beside(ctx)
    more = _more(ctx)
    headers = depset(library[CcInfo].compilation_context.headers.to_list() + beside.headers).to_list()
    tree = ctx.actions.declare_directory(ctx.label.name + ".tree")
    pc = _pc(ctx, "segue", "segue")
    checked_pc = _pc(ctx, "segue-checked", "segue_checked", define = " -DSEGUE_CHECKED=1")
    script = ctx.actions.declare_file(ctx.label.name)
    prefix = ctx.actions.declare_file(ctx.label.name + ".prefix.sh")
    ctx.actions.symlink(output = prefix, target_file = ctx.file._prefix)
    ctx.actions.expand_template(
        template = ctx.file._script,
        output = script,
        substitutions = {"@tree@": tree.basename, "@prefix@": prefix.basename},
        is_executable = True,
    )
    ctx.actions.run_shell(
        command = "\n".join([
            "set -e",
            "mkdir -p $1/lib/pkgconfig $1/lib/cmake/Segue $1/include/segue/detail",
        ] + _one_archive(archives, "libsegue.a") + _one_archive(checked, "libsegue_checked.a") + [
            "cp -L %s $1/lib/pkgconfig/segue.pc" % pc.path,
            "cp -L %s $1/lib/pkgconfig/segue-checked.pc" % checked_pc.path,
            "cp -L %s $1/lib/cmake/Segue/SegueConfig.cmake" % ctx.file._cmake.path,
            "version=$(sed -n 's/^Version: //p' %s)" % pc.path,
            "sed \"s/@VERSION@/$version/\" %s >$1/lib/cmake/Segue/SegueConfigVersion.cmake" % ctx.file._cmake_version.path,
        ] + peers.copies + beside.copies + more.copies + _copies_of(headers)),
        arguments = [tree.path],
        inputs = archives + checked + [pc, checked_pc, ctx.file._cmake, ctx.file._cmake_version] + peers.files + beside.files + more.files + headers,
        outputs = [tree],
        mnemonic = "SegueInstall",
    )
    return [DefaultInfo(executable = script, files = depset([script, prefix, tree]), runfiles = ctx.runfiles([prefix, tree]))]

def _template(name):
    return attr.label(default = Label("//runtime:" + name), allow_single_file = True)

_install = rule(
    implementation = _install_impl,
    doc = "As segue_install().",
    executable = True,
    attrs = {
        "library": attr.label(
            doc = "The optimized variant of a segue_spec_library().",
            mandatory = True,
            providers = [CcInfo],
        ),
        "checked": attr.label(
            doc = "Its checked variant.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "peers": attr.label(
            doc = "What is on top of the library.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "checked_peers": attr.label(
            doc = "The same on top of its checked variant.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "beside": attr.label_keyed_string_dict(
            doc = "As of segue_install().",
            providers = [CcInfo],
        ),
        "man": attr.label(doc = "As of segue_install()."),
        "programs": attr.label_list(doc = "As of segue_install()."),
        "_cmake": _template("SegueConfig.cmake"),
        "_cmake_version": _template("SegueConfigVersion.cmake.in"),
        "_pc": _template("segue.pc.in"),
        "_prefix": _template("prefix.sh"),
        "_script": _template("install.sh"),
    },
)

def segue_checked_library(name, library, **kwargs):
    """A library with its run-time checks, optimized, as segue_install() installs it: compiled once for both.

    Args:
        name: of what programs depend on, NAME_peers with many peers; it tells them of the checks in the headers.
        library: a segue_spec_library().
        **kwargs: as for any rule.
    """
    for part in ["", PEERS]:
        native.alias(
            name = name + part,
            actual = part_of(library, ".checked" + part),
            **kwargs
        )

def segue_install(name, library, beside = {}, **kwargs):
    """bazel run on it installs a library into the prefix that is its argument.

    Args:
        name: of the target.
        library: a segue_spec_library(); it is installed optimized, with or without -c opt.
        beside: libraries (cc_library) that programs link beside it, such as //:segue_rdmacm, each with the names by which pkg-config
            knows what it needs. They come as archives and .pc files of their own.
        **kwargs: `man`, a folder of pages (man1/ and others), and `programs`, installed besides; and as for any rule.
    """
    _install(
        name = name,
        beside = beside,
        library = part_of(library, ".optimized"),
        checked = part_of(library, ".checked"),
        checked_peers = part_of(library, ".checked" + PEERS),
        peers = part_of(library, ".optimized" + PEERS),
        **kwargs
    )
