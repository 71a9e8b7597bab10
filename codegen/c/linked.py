# SPDX-License-Identifier: BSD-2-Clause
"""Names of a library that linkers and C++ see. A device's `c_prefix` makes them its own."""

from __future__ import annotations

import re

from codegen.check.names import taken

# Objects that generated headers declare and sources define, and structs from which C++ makes templates.
OBJECT = re.compile(r"^const [\w \t*]*?\b(seguei?_\w+)(?:\[\])? =", re.MULTILINE)
FUNCTION = re.compile(r"^const char \*(segue_\w+)\(", re.MULTILINE)
STRUCT = re.compile(r"^struct (segue_\w+) \{", re.MULTILINE)
PATTERN = re.compile(r"^SEGUEI_PATTERN\(\w+,\s+(\w+),", re.MULTILINE)  # a macro that declares two of them
WAY = re.compile(r"^SEGUEI_WAY\((\w+)\)", re.MULTILINE)  # likewise one, of which C++ makes functions that linkers merge
MACRO = re.compile(r"^#define (segue_\w+)", re.MULTILINE)


def linked_names(files: dict[str, str]) -> list[str]:
    """The names in rendered files, and in the runtime's sources that are compiled with them."""
    headers = "\n".join(text for path, text in files.items() if path.endswith(".h"))
    sources = "\n".join(text for path, text in files.items() if path.endswith(".c"))
    found = {name for pattern in (FUNCTION, STRUCT) for name in pattern.findall(headers)} | set(OBJECT.findall(sources))
    found |= {f"segue_{name}_{what}" for name in PATTERN.findall(headers) for what in ("pattern", "repeat")}
    found |= {f"{name}_way" for name in WAY.findall(headers)}
    return sorted((found | taken()["symbols"]) - set(MACRO.findall(headers)))
