# SPDX-License-Identifier: BSD-2-Clause
"""Segue as seen from a BUILD file: a C library out of spec files.

    load("@segue//codegen:defs.bzl", "segue_spec_library")

    segue_spec_library(
        name = "my_segue",
        specs = glob(["spec/*.yaml"]),
        deps = ["@segue//spec:base"],
    )

    segue_spec_test(
        name = "my_segments_test",
        library = ":my_segue",
    )

The library replaces @segue//:segue: it holds the generated code of all these specs and Segue's own runtime compiled
against it. A program depends on one such library only.
"""

load(":precompiled.bzl", "precompiled_c_header")

def _generate(ctx, arguments, inputs, outputs, what):
    """Runs the generator. It prints nothing but errors in the specs."""
    ctx.actions.run(
        executable = getattr(ctx.executable, "generator", None) or ctx.executable._generator,
        arguments = [arguments],
        inputs = inputs,
        outputs = outputs,
        mnemonic = "SegueGenerate",
        progress_message = "Generating %s from %d spec files for %s" % (what, len(inputs), ctx.label),
    )

_GENERATOR = attr.label(
    default = Label("//codegen"),
    executable = True,
    cfg = "exec",
)

def _segue_model_impl(ctx):
    model = ctx.actions.declare_file(ctx.label.name)
    arguments = ctx.actions.args()
    arguments.add("check")
    arguments.add("--alone")
    arguments.add("--model", model)
    arguments.add_all(ctx.files.own, before_each = "--own")
    arguments.add_all(ctx.files.specs)
    _generate(ctx, arguments, ctx.files.specs, [model], "a model")
    return [DefaultInfo(files = depset([model]))]

segue_model = rule(
    implementation = _segue_model_impl,
    doc = "Reads and checks spec files, once for all that is made of them.",
    attrs = {
        "specs": attr.label_list(
            doc = "Spec files and sets of them (filegroups).",
            allow_files = [".yaml"],
            mandatory = True,
        ),
        "own": attr.label_list(
            doc = "Those of them that are not what others build on.",
            allow_files = [".yaml"],
        ),
        "_generator": _GENERATOR,
    },
)

_MODEL = attr.label(
    doc = "A segue_model().",
    allow_single_file = [".model"],
    mandatory = True,
)

def part_of(library, part):
    """The label of a part of a segue_spec_library()."""
    name = library.split("/")[-1]
    return library + part if ":" in name else "%s:%s%s" % (library, name, part)

def _segue_generate_impl(ctx):
    headers = ctx.actions.declare_directory(ctx.label.name + "/include")
    sources = ctx.actions.declare_directory(ctx.label.name + "/src")
    arguments = ctx.actions.args()
    arguments.add("generate")
    arguments.add("--group", ctx.attr.group)
    arguments.add_all("--out", [headers], expand_directories = False)
    arguments.add_all("--sources", [sources], expand_directories = False)
    arguments.add(ctx.file.model)
    _generate(ctx, arguments, [ctx.file.model] + ctx.files.specs, [headers, sources], "C")
    return [
        DefaultInfo(files = depset([headers, sources])),
        OutputGroupInfo(
            headers = depset([headers]),
            sources = depset([sources]),
        ),
        # As -I, not as -isystem like the attribute `includes`: gcc does not warn of a dropped builder if its macro is
        # in a system header.
        CcInfo(compilation_context = cc_common.create_compilation_context(
            headers = depset([headers]),
            includes = depset([headers.path]),
        )),
    ]

segue_generate = rule(
    implementation = _segue_generate_impl,
    doc = "Runs the generator. Output groups: `headers` (an include folder) and `sources` (a folder of .c and .cc files).",
    attrs = {
        "model": _MODEL,
        "specs": attr.label_list(
            doc = "Spec files that the group reads for itself.",
            allow_files = [".yaml"],
        ),
        "group": attr.string(
            doc = "Which outputs of codegen/emit.py, or of a generator that knows more, to write.",
            default = "library",
        ),
        "generator": _GENERATOR,
    },
)

def _segue_docs_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    arguments = ctx.actions.args()
    arguments.add("docs")
    arguments.add_all("--out", [folder], expand_directories = False)
    arguments.add(ctx.file.model)
    _generate(ctx, arguments, [ctx.file.model], [folder], "a reference")
    return [DefaultInfo(files = depset([folder]))]

segue_docs = rule(
    implementation = _segue_docs_impl,
    doc = "The reference of spec files, in a folder.",
    attrs = {
        "model": _MODEL,
        "_generator": _GENERATOR,
    },
)

def _segue_module_impl(ctx):
    arguments = ctx.actions.args()
    arguments.add(ctx.attr.language)
    arguments.add("--out", ctx.outputs.out)
    arguments.add(ctx.file.model)
    _generate(ctx, arguments, [ctx.file.model], [ctx.outputs.out], ctx.attr.language)
    return [DefaultInfo(files = depset([ctx.outputs.out]))]

segue_module = rule(
    implementation = _segue_module_impl,
    doc = "The device of spec files as one file of another language: a back end that reads the neutral model.",
    attrs = {
        "model": _MODEL,
        "language": attr.string(
            doc = "A folder of codegen/.",
            mandatory = True,
        ),
        "out": attr.output(mandatory = True),
        "_generator": _GENERATOR,
    },
)

def _module(name, language, suffix, library, kwargs):
    segue_module(
        name = name + ".module",
        language = language,
        model = part_of(library, ".model"),
        out = name + suffix,
        tags = ["manual"],
        testonly = kwargs.get("testonly", False),
    )
    return name + suffix

def segue_spec_python(name, library, **kwargs):
    """Declares the device of a spec library in plain Python, which needs nothing of Segue: `from NAME import NIC`.

    Args:
      name: of the py_library and of its module.
      library: the segue_spec_library().
      **kwargs: passed to the py_library (visibility, testonly, imports, …).
    """
    native.py_library(
        name = name,
        srcs = [_module(name, "python", ".py", library, kwargs)],
        **kwargs
    )

def segue_spec_rust(name, library, **kwargs):
    """Declares the device of a spec library as one crate of Rust without std, NAME.rs: builders by types into a slice.

    Args:
      name: of a filegroup that holds the file, for a rule that compiles it.
      library: the segue_spec_library().
      **kwargs: passed to the filegroup (visibility, testonly, …).
    """
    native.filegroup(
        name = name,
        srcs = [_module(name, "rust", ".rs", library, kwargs)],
        **kwargs
    )

def _segue_generated(name, specs, deps, internal):
    """The sources and headers of a library."""
    segue_model(
        name = name + ".model",
        specs = deps + specs,  # an error about two clashing items is reported at the later one
        own = specs,
        **internal
    )
    segue_generate(
        name = name + ".gen",
        model = name + ".model",
        **internal
    )
    for group in ["headers", "sources"]:
        native.filegroup(
            name = "%s.%s" % (name, group),
            srcs = [name + ".gen"],
            output_group = group,
            **internal
        )

# The flags of -c opt, except _FORTIFY_SOURCE: --copt may give it with a level, and to define it twice is an error. To debug a library,
# use -c dbg.
_OPTIMIZED = select({
    str(Label("//codegen:dbg")): [],
    "//conditions:default": [
        "-O2",
        "-DNDEBUG",
        "-ffunction-sections",
        "-fdata-sections",
    ],
})

# What a library's archives are called, behind its name: those that are installed as one, and the one on top.
PARTS = [
    "",
    "_ring",
    "_text",
]
PEERS = "_peers"

def _compiled(name, of, runtime, **kwargs):
    """The parts of a library, made of files that were generated for another one or itself."""
    common = [
        of + ".gen",
        Label("//include:headers"),
        Label("//runtime:internal"),
    ]

    # Bazel 4 leaves the objects of a generated folder out of shared libraries.
    kwargs.setdefault("linkstatic", True)
    if not runtime:
        native.cc_library(
            name = name,
            srcs = [
                of + ".sources",
                Label("//runtime:block_srcs"),
            ],
            deps = common,
            **kwargs
        )
        return
    native.cc_library(
        name = name + "_text",
        srcs = [
            of + ".sources",
            Label("//runtime:text_srcs"),
        ],
        deps = common,
        **kwargs
    )
    native.cc_library(
        name = name + "_ring",
        srcs = [Label("//runtime:ring_srcs")],
        deps = common + [name + "_text"],
        **kwargs
    )
    common += [
        name + "_ring",
        name + "_text",
        Label("//runtime:verbs"),
    ]
    precompiled_c_header(
        name = name + ".first",
        header = Label("//runtime:precompiled_header.h"),
        copts = kwargs.get("copts", []) + ["-D" + define for define in kwargs.get("defines", [])],
        tags = ["manual"],
        testonly = kwargs.get("testonly", False),
        deps = common,
    )
    kwargs["copts"] = kwargs.get("copts", []) + select({
        str(Label("//codegen:precompiles")): ["-include", "precompiled_header.h"],
        "//conditions:default": [],
    })
    common += select({
        str(Label("//codegen:precompiles")): [name + ".first"],
        "//conditions:default": [],
    })
    native.cc_library(
        name = name,
        srcs = [Label("//runtime:verbs_srcs")],
        deps = common,
        **kwargs
    )
    native.cc_library(
        name = name + PEERS,
        srcs = [Label("//runtime:peers_srcs")],
        deps = common + [name],
        **kwargs
    )

def _installed(name, optimized, internal, kwargs):
    """The libraries that codegen/install.bzl installs: NAME.optimized, and NAME.checked with the run-time checks in it."""
    library = dict(kwargs)
    library.update(internal)
    copts = library.pop("copts", []) + ([] if optimized else _OPTIMIZED)
    defines = library.pop("defines", [])
    _compiled(name + ".checked", name, True, copts = copts, defines = defines + ["SEGUE_CHECKED=1"], **library)
    if not optimized:
        _compiled(name + ".optimized", name, True, copts = copts, defines = defines, **library)
        return
    for part in PARTS + [PEERS]:
        native.alias(
            name = name + ".optimized" + part,
            actual = name + part,
            **internal
        )

def segue_spec_library(name, specs = [], deps = [], runtime = True, same_as = None, optimized = False, **kwargs):
    """Declares the C library of some spec files: headers, builders, tables, decoder and runtime.

    Programs with many peers (segue/peers.h) depend on NAME_peers, which has NAME below it. Two parts can be linked alone, as they need no
    libibverbs: NAME_text (tables, validator, decoder) and NAME_ring (that, and rings over plain memory).

    Args:
      name: of the cc_library.
      specs: spec files of one's own.
      deps: other spec sets that these refer to, above all "@segue//spec:base".
      runtime: False where the specs hold a device of their own that posts to blocks (docs/adding-a-nic.md): no rings, no
        verbs, and nothing of rdma-core.
      same_as: a segue_spec_library() of the same specs, in place of `specs` and `deps`: what was generated for it is compiled once more, as
        kwargs say (for a sanitizer, say).
      optimized: True to compile it as segue_install() installs it, with or without -c opt: once for both.
      **kwargs: passed to the cc_library (visibility, copts, testonly, …).
    """
    internal = {
        "tags": ["manual"],
        "testonly": kwargs.get("testonly", False),
        "visibility": kwargs.get("visibility"),
    }
    if same_as:
        if specs or deps:
            fail("%s has specs or deps beside same_as" % name)
        for part in [".model", ".gen", ".headers", ".sources"]:
            native.alias(
                name = name + part,
                actual = part_of(same_as, part),
                **internal
            )
    else:
        _segue_generated(name, specs, deps, internal)
    if optimized:
        kwargs["copts"] = kwargs.get("copts", []) + _OPTIMIZED
    _compiled(name, name, runtime, **kwargs)
    if not runtime:
        for part in ["_text", PEERS]:
            native.alias(
                name = name + part,
                actual = name,
                **internal
            )
    elif not same_as:
        _installed(name, optimized, internal, kwargs)

def segue_tables(name, library, executes = {}, **kwargs):
    """Declares a shared object, NAME.so, with the tables of a spec library, for `softhca --tables` (docs/softhca/tables.md).

    Args:
      name: of the shared object, without .so.
      library: the segue_spec_library(), as a label.
      executes: names of work requests of one's own, each with that of a request that softhca knows, as which it is carried out.
      **kwargs: passed on (visibility, testonly, …).
    """
    meanings = "".join(["{\"%s\", \"%s\"}, " % pair for pair in executes.items()])
    native.genrule(
        name = name + ".meanings",
        outs = [name + ".meanings.c"],
        cmd = "echo '#include \"runtime/tables/tables.h\"' > $@; " +
              "echo 'const struct seguei_meaning seguei_meanings[] = {%s{0, 0}};' >> $@" % meanings,
        tags = ["manual"],
        testonly = kwargs.get("testonly", False),
    )
    native.cc_binary(
        name = name + ".so",
        srcs = [
            name + ".meanings.c",
            Label("//runtime:tables/tables.c"),
        ],
        additional_linker_inputs = [Label("//runtime:tables/exports.lds")],
        linkopts = ["-Wl,--version-script,$(location %s)" % Label("//runtime:tables/exports.lds")],
        linkshared = True,
        deps = [
            library + "_text",
            Label("//runtime:internal"),
        ],
        **kwargs
    )

def segue_spec_docs(name, library, **kwargs):
    """Declares the reference of a spec library: a folder of Markdown pages and pictures. Needs Graphviz.

    Args:
      name: of the folder in bazel-bin.
      library: the segue_spec_library().
      **kwargs: passed on (visibility, tags, …).
    """
    segue_docs(
        name = name,
        model = part_of(library, ".model"),
        **kwargs
    )

def segue_spec_test(name, library, rule = native.cc_test, **kwargs):
    """Declares a test of the segments of a spec library: every vector, and the properties that follow from each field.

    Args:
      name: of the cc_test.
      library: the segue_spec_library(), whose `specs` are tested, or `deps` if it has none.
      rule: cc_test, or a macro that takes what that takes.
      **kwargs: passed to the cc_test.
    """
    generated = name + ".gen"
    internal = {
        "tags": ["manual"],
        "testonly": True,
    }
    segue_generate(
        name = generated,
        group = "tests",
        model = part_of(library, ".model"),
        **internal
    )
    native.filegroup(
        name = name + ".sources",
        srcs = [generated],
        output_group = "sources",
        **internal
    )

    # Bazel links the objects of a generated folder as it links a library, and then drops tests, because nothing calls
    # them. A file that is named in srcs is linked as a whole.
    native.genrule(
        name = name + ".file",
        srcs = [name + ".sources"],
        outs = [name + ".cc"],
        cmd = "cp $</vectors_test.cc $@",
        **internal
    )
    rule(
        name = name,
        srcs = [name + ".cc"],
        deps = [
            part_of(library, "_text"),
            Label("//tests/segments:bytes"),
            "@com_google_googletest//:gtest_main",
        ],
        **kwargs
    )
