# SPDX-License-Identifier: BSD-2-Clause
"""Man pages of headers and commands."""

_DATE = "November 22, 2026"  # of the last change to the pages' form; a page must not differ from one build to the next
_VERSION = "0.1.0"

def _man_pages_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    script = ["set -e", "helps=$(mktemp -d)", "trap 'rm -rf \"$helps\"' EXIT"]
    options = []
    tools = []
    for target, name in ctx.attr.commands.items():
        program = target[DefaultInfo].files_to_run
        tools.append(program)
        script.append("%s --help >$helps/%s" % (program.executable.path, name))
        options.append("--help-of %s=$helps/%s" % (name, name))
        if name == "segue":
            for part in ctx.attr.parts:
                script.append("%s %s --help >$helps/%s" % (program.executable.path, part, part))
                options.append("--help-of \"%s %s=$helps/%s\"" % (name, part, part))
    headers = [h for h in ctx.files.headers if h.extension == "h"]
    generated = [f for f in ctx.files.generated if f.basename == "include"][0]
    first = [f for f in ctx.files.reference if f.basename == "enums.md"][0]
    options.append("--reference %s --generated %s" % (first.dirname, generated.path))
    options.append("--tutorial " + ctx.file.tutorial.path)
    options += ["--more " + page.path for page in ctx.files.more]
    options += ["--page " + page.path for page in ctx.files.pages]
    options += ["--example " + program.path for program in ctx.files.examples]
    script.append("%s --out %s --date '%s' --version %s --readme %s %s %s" % (
        ctx.executable._man.path,
        out.path,
        _DATE,
        _VERSION,
        ctx.file.readme.path,
        " ".join(options),
        " ".join([h.path for h in headers]),
    ))
    ctx.actions.run_shell(
        command = "\n".join(script),
        inputs = headers + ctx.files.reference + ctx.files.pages + ctx.files.more + ctx.files.examples + [ctx.file.readme, ctx.file.tutorial, generated],
        tools = tools + [ctx.attr._man[DefaultInfo].files_to_run],
        outputs = [out],
        mnemonic = "SegueMan",
        progress_message = "Writing man pages",
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

man_pages = rule(
    implementation = _man_pages_impl,
    doc = "A folder with man1, man3 and man7, out of public headers and of what commands say to --help.",
    attrs = {
        "commands": attr.label_keyed_string_dict(doc = "Programs and their names."),
        "parts": attr.string_list(doc = "Commands of `segue` that have a --help of their own."),
        "headers": attr.label_list(allow_files = True),
        "reference": attr.label(doc = "The pages that the generator has written.", allow_files = True),
        "generated": attr.label(doc = "What is generated for a library: a folder of headers among it."),
        "pages": attr.label_list(doc = "Pages written by hand, of section 3.", allow_files = [".3"]),
        "examples": attr.label_list(doc = "Programs whose functions show calls; tests run them.", allow_files = [".c", ".h"]),
        "more": attr.label_list(doc = "Sections for commands that their --help has no room for.", allow_files = [".more"]),
        "tutorial": attr.label(allow_single_file = True),
        "readme": attr.label(allow_single_file = True),
        "_man": attr.label(default = Label("//tools/man"), executable = True, cfg = "exec"),
    },
)
