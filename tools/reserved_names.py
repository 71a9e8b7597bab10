# SPDX-License-Identifier: BSD-2-Clause
"""Names that a spec may not give, which codegen/check/reserved_names.txt has to list. The library's sources and the templates use them.

    bazel run //tools:reserved_names        writes it
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

TAKEN = Path("codegen/check/reserved_names.txt")
TEMPLATES = Path("codegen/c/templates")
# Within runtime/t*, only text/ is part of the library. tables/ is a shared object of its own.
SOURCES = ("include/segue/**/*.h", "runtime/**/*.h", "runtime/[!t]*/**/*.c", "runtime/text/*.c")

# Compiled with each device's tables.
SYMBOLS = ("runtime/block/*.c", "runtime/text/*.c", "runtime/ring/*.c", "runtime/base/*.c", "include/segue/detail/*slow_path.h")
EXTERNAL = re.compile(r"^(?!static\b|return\b)(?:SEGUEI_OF_LIBRARY |SEGUEI_COLD )?[a-z][\w \t*]*?\b(seguei?_\w+)\(", re.MULTILINE)

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
JINJA = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
STRING = re.compile(r'"(\\.|[^"\\\n])*"')
PUT_IN = "\x00"  # what a template fills in: a name with it is no name

DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
DIRECTIVE = re.compile(r"^[ \t]*#.*?(?<!\\)$", re.MULTILINE | re.DOTALL)
TAG = re.compile(r"\b(?:struct|union|enum)\s+(seguei?_\w+)\s*\{")
ENUM = re.compile(r"\benum(?:\s+\w+)?\s*\{([^}]*)\}")
FUNCTION = re.compile(r"^[A-Za-z_][\w \t*()]*?\b(seguei?_\w+)\(", re.MULTILINE)
OBJECT = re.compile(r"^extern const [^\n;(\x00]*?\b(segue_\w+)(?:\[\])?;", re.MULTILINE)  # C++ has them where functions are
FOREIGN = re.compile(r"\b(?!SEGUE)[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")

# Functions that a function with fields as parameters calls, and the types and names of its variables.
FIELDS_IN_SCOPE = re.compile(r"params|parameters|scalars")
CALLED = re.compile(r"(?<![\w.>\x00])([a-z]\w*)\((?!\*)")
MEMBERS = re.compile(r"^(?:struct|template|\x00)[^\n;]*\{\n.*?^\};", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"\b[a-z]\w*_t\b")
DECLARED = re.compile(r"(?:\x00|\b(?:struct \w+|u?int\d+_t|size_t|bool|char|int))[ *]+(?:const )?([a-z]\w*)(?= *[=;,)\[\x00])(?:\x00?, ([a-z]\w*)(?= *[=;,)\[\x00]))?")
QUOTED = re.compile(r"'([^'\n]*)'")
WORDS = {"for", "if", "while", "switch", "return", "sizeof", "defined", "struct", "const", "error", "static_assert"}

Names = dict[str, set[str]]


def plain(text: str) -> str:
    return STRING.sub('""', COMMENT.sub(" ", JINJA.sub(PUT_IN, text)))


def filled_in(match: re.Match[str]) -> str:
    """Names that a template itself writes around those it fills in."""
    written = QUOTED.findall(match[0]) if match[0].startswith("{{") else []
    return PUT_IN + "".join(text + PUT_IN for text in written)


def add_definitions(found: Names, text: str) -> None:
    found["macros"].update(DEFINED.findall(text))
    text = DIRECTIVE.sub("", text)
    found["tags"].update(TAG.findall(text))
    found["functions"].update(FUNCTION.findall(text) + OBJECT.findall(text))
    for body in ENUM.findall(text):
        found["macros"].update(re.findall(r"\b([A-Z]\w+)\s*(?:=|,|$)", body))


def functions_of(template: str) -> Iterator[str]:
    """The pieces of a template that take fields as parameters."""
    for piece in re.split(r"(?<=^\}$)", template, flags=re.MULTILINE):
        if FIELDS_IN_SCOPE.search(piece):
            yield MEMBERS.sub("", plain(JINJA.sub(filled_in, piece)))


def add_locals(found: Names, template: str) -> None:
    for piece in functions_of(template):
        found["locals"].update(name for name in CALLED.findall(piece) if not name.startswith("segue"))
        for first, second in DECLARED.findall(piece):
            found["locals"].update(name for name in (first, second) if name)
    found["locals"].update(TYPE.findall(plain(template)))


def taken() -> Names:
    found: Names = {"functions": set(), "headers": set(), "locals": set(), "macros": set(), "tags": set()}
    foreign: set[str] = set()
    for path in sorted(path for pattern in SOURCES for path in Path(".").glob(pattern)):
        text = plain(path.read_text(encoding="utf-8"))
        add_definitions(found, text)
        foreign |= set(FOREIGN.findall(text) if path.parts[0] == "include" else ())
    for path in sorted(TEMPLATES.glob("*.[hc].j2")) + sorted(TEMPLATES.glob("_*.j2")):
        template = path.read_text(encoding="utf-8")
        add_definitions(found, plain(template))
        if not path.name.endswith(".c.j2"):
            add_locals(found, template)
        if path.name.endswith(".h.j2"):
            found["headers"].add(path.name[: -len(".h.j2")])
    found["locals"] -= WORDS
    own = {"macros": "SEGUE", "functions": "segue", "tags": "segue"}
    found = {kind: {name for name in names if name.startswith(own.get(kind, "")) and not name.endswith("_")} for kind, names in found.items()}
    found["macros"] |= foreign
    found["symbols"] = symbols()
    return found


def symbols() -> set[str]:
    """Functions of the sources that are compiled with each device's tables, as linkers know them."""
    paths = [path for pattern in SYMBOLS for path in Path(".").glob(pattern)]
    return {name for path in paths for name in EXTERNAL.findall(DIRECTIVE.sub("", plain(path.read_text(encoding="utf-8"))))}


def shown(found: Names) -> str:
    head = "# Names that the library and the templates have. Found by tools/reserved_names.py; bazel run //tools:reserved_names writes this file.\n"
    return head + "".join(f"{kind}:\n" + filled(names) for kind, names in sorted(found.items()))


def filled(names: set[str]) -> str:
    """Lines of names, each filled as far as possible with names of one first letter."""
    lines: list[str] = []
    for name in sorted(names):
        letters = re.match(r"(?:segue_|SEGUE_|seguei_|SEGUEI_)?.", name)[0]
        if not lines or not lines[-1].startswith(f"  {letters}") or len(lines[-1]) + len(name) > 138:
            lines.append(" ")
        lines[-1] += f" {name}"
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    os.chdir(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    TAKEN.write_text(shown(taken()), encoding="utf-8")
