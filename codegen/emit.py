# SPDX-License-Identifier: BSD-2-Clause
"""Renders templates from the model into files.

OUTPUTS is the registry: one line per generated file. To add a file, add its template to codegen/c/templates/ (or docs/) and a line
here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2

from codegen import docs
from codegen.c import builders, cnames, ctext, linked, overloads, patterns, peers, steps, stores, tables
from codegen.machine import size_field
from codegen.model.model import Item, Model

SPEC = re.compile(f"({re.escape(str(Path(__file__).parent.parent))}|{re.escape(str(Path(__file__).resolve().parent.parent))})/spec/")
C_FILES = (".h", ".c", ".cc")
FOLDERS = [Path(__file__).parent / back_end / "templates" for back_end in ("c", "docs")]  # of templates
DOCS_CHANGE = "edit the spec and run: bazel run //tools:update_docs"


@dataclass(frozen=True)
class Output:
    """One generated file.

    path      relative to the output folder; `{name}` in it stands for the name of each item of `each`
    items     the spec items it is made from, for the banner
    context   further variables for the template, besides `model` and `item`
    each      when given, one file per item (`item` in the template)
    group     "library": part of every segue_spec_library(); "tests", "docs": asked for by --group
    """

    template: str
    path: str
    items: Callable[[Model], Iterable[Item]]
    context: Callable[[Model], dict[str, Any]] = lambda model: {}
    each: Callable[[Model], Iterable[Item]] | None = None
    group: str = "library"
    posting: str = ""  # only for devices that post so


OUTPUTS: list[Output] = [
    Output("enums.h.j2", "segue/gen/enums.h", lambda m: m.enums),
    Output("enums.c.j2", "enums.c", lambda m: m.enums),
    Output("segments.h.j2", "segue/gen/segments.h", lambda m: m.segments),
    Output("cqes.h.j2", "segue/gen/cqes.h", lambda m: m.cqes),
    Output("tables.h.j2", "segue/gen/tables.h", lambda m: m.enums + m.segments + m.cqes),
    Output("tables.c.j2", "tables.c", lambda m: m.enums + m.segments + m.cqes),
    Output("vectors_test.cc.j2", "vectors_test.cc", lambda m: m.segments + m.cqes, group="tests"),
    Output("control.h.j2", "segue/gen/control.h", lambda m: [m.control], builders.control_context, posting="ring"),
    Output("put.h.j2", "segue/gen/put.h", lambda m: m.segments, builders.put_context, posting="ring"),
    Output("handles.h.j2", "segue/gen/handles.h", builders.machine_items, builders.machine_context, posting="ring"),
    Output("steps.h.j2", "segue/gen/steps.h", builders.machine_items, builders.machine_context, posting="ring"),
    Output("machine.h.j2", "segue/gen/{name}.h", lambda m: [], builders.machine_context, each=builders.builder_sets, posting="ring"),
    Output("block_control.h.j2", "segue/gen/control.h", lambda m: [m.control], builders.control_context, posting="block"),
    Output("block_put.h.j2", "segue/gen/put.h", lambda m: m.segments, builders.put_context, posting="block"),
    Output("block_machine.h.j2", "segue/gen/{name}.h", lambda m: [], builders.machine_context, each=builders.builder_sets,
           posting="block"),
    Output("rings.h.j2", "segue/gen/rings.h", lambda m: m.devices, builders.builders_context, posting="block"),
    Output("builders.h.j2", "segue/gen/builders.h", builders.machine_items, builders.builders_context),
    Output("patterns.h.j2", "segue/gen/patterns.h", builders.machine_items, patterns.context, posting="ring"),
    Output("peers.h.j2", "segue/gen/peers.h", builders.machine_items, peers.context, posting="ring"),
    Output("machines.h.j2", "segue/gen/machines.h", builders.machine_items, builders.builders_context),
    Output("machines.c.j2", "machines.c", builders.machine_items, builders.builders_context),
    Output("transports.h.j2", "segue/gen/transports.h", lambda m: m.transports),
    Output("transports.c.j2", "transports.c", lambda m: m.transports),
    Output("README.md.j2", "README.md", docs.everything, docs.context, group="docs"),
    Output("transport.md.j2", "transports/{name}.md", lambda m: [], docs.context, each=lambda m: docs.reference(m).queues, group="docs"),
    Output("request.md.j2", "requests/{name}.md", lambda m: [], docs.context, each=lambda m: docs.reference(m).requests, group="docs"),
    Output("segment.md.j2", "segments/{name}.md", lambda m: [], docs.context, each=lambda m: m.segments, group="docs"),
    Output("segment.md.j2", "cqes/{name}.md", lambda m: [], docs.context, each=lambda m: m.cqes, group="docs"),
    Output("enums.md.j2", "enums.md", lambda m: m.enums, docs.context, group="docs"),
    Output("picture.svg.j2", "{name}.svg", lambda m: [], docs.context, each=lambda m: docs.reference(m).pictures(), group="docs"),
]


def told(file: str) -> str:
    """The name of a spec file in generated files. It is the same on every machine, and in every folder."""
    name = SPEC.sub("segue/spec/", file)
    return "/".join(Path(name).parts[-2:]) if Path(name).is_absolute() else name


def sources(items: Iterable[Item]) -> list[str]:
    """The spec files of some items. A folder with several of them is listed once."""
    folders: dict[str, set[str]] = {}
    for item in items:
        folder, _, file = told(item.place.file).rpartition("/")
        folders.setdefault(folder, set()).add(file)
    names = []
    for folder, files in sorted(folders.items()):
        if not folder:
            names += sorted(files)
        else:
            names.append(folder if len(files) > 1 else f"{folder}/{min(files)}")
    return names


def banner(items: Iterable[Item], change: str) -> list[str]:
    """The lines at the top of a generated file: its sources, and how to change it."""
    names = ", ".join(sources(items)) or "an empty spec"
    lines = ctext.fill(f"Generated from {names} by //codegen. Do not edit.", ctext.COLUMNS - 3)
    return lines + [f"To change it, {change}"]


@lru_cache(maxsize=None)
def environment() -> jinja2.Environment:
    """One for all renderings, because it keeps the compiled templates."""
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDERS),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
    )
    env.filters.update(
        comment=ctext.comment,
        documented=ctext.documented,
        macros=ctext.macros,
        fold=ctext.fold,
        string=ctext.string,
        plain=ctext.plain,
        hex=lambda value, bits=32, digits=0: cnames.literal(value, bits, digits),
    )
    env.filters.update(docs.filters())
    env.globals.update(c=cnames)
    for function in (stores.chunks, stores.parts_of, stores.known_bits, stores.fields_in, stores.checked, stores.refills, builders.field_id,
                     builders.members, overloads.endings, overloads.option_field, overloads.option_stages, size_field.count_of,
                     size_field.most_counted, size_field.rounding_of, steps.state_type, tables.field_index):
        env.globals[function.__name__] = function
    return env


def render(model: Model, group: str = "library") -> dict[str, str]:
    """Renders every output of a group in memory: path → text."""
    env = environment()
    files: dict[str, str] = {}
    posting = model.device.posting if model.devices else "ring"
    change = DOCS_CHANGE if group == "docs" and not model.own else "edit the spec and build again."
    for output in OUTPUTS:
        if output.group != group or output.posting not in ("", posting):
            continue
        template = env.get_template(output.template)
        for item in output.each(model) if output.each else [None]:
            items = list(output.items(model)) if item is None else [item] if isinstance(item, Item) else item.items
            path = output.path.format(name=item.name) if item is not None else output.path
            text = template.render(
                model=model, item=item, banner=banner(items, change), path=path, **output.context(model)
            )
            if path.endswith(C_FILES):
                text = ctext.fit(text)
            files[path] = docs.tidy(text) if group == "docs" else text
    if group == "library":
        prefix = model.device.c_prefix if model.devices else ""
        text = env.get_template("names.h.j2").render(banner=banner(model.devices, change), prefix=prefix, linked=linked.linked_names(files))
        files["segue/gen/names.h"] = ctext.fit(text)
    return files


def write(files: dict[str, str], folder: Path) -> list[str]:
    """Writes rendered files, except those with unchanged content. Returns the paths written."""
    written = []
    for path, text in sorted(files.items()):
        target = folder / path
        data = text.encode("utf-8")
        if target.is_file() and target.read_bytes() == data:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")  # a name that no other run uses
        temporary.write_bytes(data)
        os.replace(temporary, target)
        written.append(path)
    return written
