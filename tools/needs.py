# SPDX-License-Identifier: BSD-2-Clause
"""Names of a spec that the runtime's sources use, which runtime/needs.yaml has to list.

    bazel run //tools:needs        prints them, for a comparison with the file by hand
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from codegen.c import cnames
from codegen.check import checked_model
from codegen.model.model import Model, Segment

SOURCES = ("include/segue/**/*.h", "runtime/**/*.[ch]")
WITHOUT_RING = ("include/segue/detail/device/block.h", "runtime/block/block.c")
# Sources for the spec of mlx5 only: a library of its own, and headers that no other source includes.
OF_MLX5 = ("runtime/verbs/", "include/segue/gpu/")
TYPED = re.compile(r"struct (segue_(?:seg_\w+|\w*cqe\w*)) \*?(?:const )?(\w+)")

Needs = dict[str, dict[str, list[str]] | list[str]]


def sources() -> list[str]:
    """The texts of the runtime, without comments."""
    paths = sorted(path for pattern in SOURCES for path in Path(".").glob(pattern) if str(path) not in WITHOUT_RING and not str(path).startswith(OF_MLX5))
    return [re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S) for path in paths]


def named(segments: Iterable[Segment], words: set[str]) -> list[Segment]:
    """The segments with a type, function or macro that is named. If several names fit a word, the longest one counts."""
    stems = {cnames.seg(segment): segment for segment in segments}
    found = {}
    for word in words:
        parts = word.lower().split("_")
        for end in range(len(parts), 1, -1):
            segment = stems.get("_".join(parts[:end]))
            if segment is not None:
                found[segment.name] = segment
                break
    return [found[name] for name in sorted(found)]


def fields_of(segment: Segment, texts: list[str], words: set[str]) -> list[str]:
    """The fields that are read or written through a variable of the segment's type, and those with a limit that is named."""
    macros = {f.name: cnames.field_macro(segment, f) for f in segment.fields}
    found = {name for name, macro in macros.items() if {f"{macro}_MAX", f"{macro}_MIN"} & words}
    for text in texts:
        for variable in {name for stem, name in TYPED.findall(text) if stem == cnames.seg(segment)}:
            found.update(re.findall(rf"\b{variable}(?:\.|->)(\w+)", text))
    return [field.name for field in segment.fields if field.name in found]


def needs(model: Model) -> Needs:
    texts = sources()
    words = set(re.findall(r"\w+", "\n".join(texts)))
    enums = {}
    for enum in model.enums:
        members = [member.name for member in enum.members if cnames.enumerator(member) in words]
        if members or {f"segue_{enum.name}_desc", f"segue_{enum.name}_name"} & words:
            enums[enum.name] = members
    return {
        "enums": enums,
        "segments": {s.name: fields_of(s, texts, words) for s in named(model.segments, words)},
        "cqes": {s.name: fields_of(s, texts, words) for s in named(model.cqes, words)},
        "work_requests": [r.name for r in model.work_requests if f"segue_{r.name}" in words and r.queue == "send"],
        "transports": [t.name for t in model.transports if {f"segue_{t.name}_transport", f"segue_{t.name}_sq"} & words],
    }


def spec_files() -> list[str]:
    return sorted(str(path) for part in ("spec/mlx5", "spec/verbs") for path in Path(part).rglob("*.yaml"))


def shown(found: Needs) -> str:
    lines = []
    for kind, items in found.items():
        if isinstance(items, list):
            lines.append(f"{kind}: [{', '.join(items)}]")
            continue
        lines += [f"{kind}:"] + [f"  {name}: [{', '.join(inner)}]" for name, inner in items.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    os.chdir(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    print(shown(needs(checked_model(spec_files()))))
