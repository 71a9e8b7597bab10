# SPDX-License-Identifier: BSD-2-Clause
"""Programs in another build mode than that of the test that runs them."""

_MODE = "//command_line_option:compilation_mode"
_COPT = "//command_line_option:copt"
_LINKOPT = "//command_line_option:linkopt"

def _mode_impl(settings, attr):
    return {
        _MODE: attr.mode,
        _COPT: settings[_COPT] + attr.copts,
        _LINKOPT: settings[_LINKOPT] + attr.linkopts,
    }

_mode = transition(
    implementation = _mode_impl,
    inputs = [_COPT, _LINKOPT],
    outputs = [_MODE, _COPT, _LINKOPT],
)

def _in_mode_impl(ctx):
    runfiles = ctx.runfiles()
    for target in ctx.attr.targets:
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    return [DefaultInfo(files = depset(transitive = [t[DefaultInfo].files for t in ctx.attr.targets]), runfiles = runfiles)]

in_mode = rule(
    implementation = _in_mode_impl,
    doc = "Targets in a build mode of their own, for `data`: a test finds them where it would find them else.",
    attrs = {
        "targets": attr.label_list(doc = "What is built.", cfg = _mode, mandatory = True),
        "mode": attr.string(doc = "As of --compilation_mode.", values = ["fastbuild", "dbg", "opt"], mandatory = True),
        "copts": attr.string_list(doc = "As of --copt, behind those that all have."),
        "linkopts": attr.string_list(doc = "As of --linkopt."),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
)
