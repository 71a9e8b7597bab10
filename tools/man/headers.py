# SPDX-License-Identifier: BSD-2-Clause
"""Public headers as text with structure: the first comment with its labels, and each function with its comment."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# Labels in a header's first comment, for all its functions. A function's own comment may differ.
LABELS = ("Owner:", "Threads:", "Errors:", "Source:")
FUNCTION = re.compile(
    r"^(?P<type>[A-Za-z_][\w \t]*?[ \t*\n]+)(?P<name>segue_\w+)\((?P<parameters>[^;{}]*?)\)\s*"
    r"(?:__attribute__\(\(.*?\)\))?\s*[;{]",
    re.MULTILINE | re.DOTALL,
)
MACRO = re.compile(r"^#define (?P<name>segue_\w+)\((?P<parameters>[^)]*)\)", re.MULTILINE)  # called as a function is
TYPE = re.compile(r"^(?P<kind>struct|enum) (?P<name>segue_\w+) \{(?:\n.*?^|[^\n]*)\}[^;\n]*;", re.MULTILINE | re.DOTALL)
OTHER = re.compile(r"^typedef [^;]*?\b(segue_\w+)\)?(?:\([^;]*)?;|^#define (SEGUE_(?!\w*_H\b)\w+)", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass
class Function:
    header: str
    name: str
    returns: str
    parameters: str
    comment: str


@dataclass
class Overview:
    """A header's first comment: what it is about, and what holds for all that it declares."""

    title: str = ""
    paragraphs: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)


def comment_before(text: str, start: int) -> str:
    """The comment above a declaration. Several declarations without a blank line between them share one."""
    above = text[:start]
    block = above[above.rfind("\n\n") + 2 :] if "\n\n" in above else above
    if "/**" not in block and "/*" not in block:
        # The comment itself may hold empty lines.
        end = above.rstrip().endswith("*/")
        block = above[above.rfind("/*") :] if end else ""
    elif block.count("*/") > block.count("/*"):
        block = above[above.rfind("/*") :]
    return block[block.find("/*") :] if "/*" in block else ""


def functions(header: str, text: str) -> list[Function]:
    found = {}
    for match in FUNCTION.finditer(text):
        if match["type"].lstrip().startswith(("return", "typedef", "#", "else", "define")):
            continue
        comment = comment_before(text, match.start())
        found[match.start()] = Function(header, match["name"], " ".join(match["type"].split()), match["parameters"], comment)
    for match in MACRO.finditer(text):
        comment = comment_before(text, match.start())
        comment = comment[: comment.find("*/") + 2]
        found[match.start()] = Function(header, match["name"], "", match["parameters"], comment)
    return [found[start] for start in sorted(found)]


@dataclass
class Type:
    """A structure or an enum that users see into."""

    name: str
    comment: str
    text: str  # as declared, comments of members and all

    @property
    def constants(self) -> list[str]:
        return re.findall(r"[{,]\s*(SEGUE_\w+)\b", COMMENT.sub("", self.text))


def types(text: str) -> list[Type]:
    return [Type(match["name"], comment_before(text, match.start()), match[0]) for match in TYPE.finditer(text)]


def others(text: str) -> dict[str, str]:
    """Types of functions, and macros: name → how it is declared, what a macro stands for only where that is short."""
    found = {}
    for match in OTHER.finditer(text):
        line = text[match.start():text.index("\n", match.start())]
        found[match[1] or match[2]] = match[0] if match[1] else line.rstrip("\\").rstrip()
    return found


def first_comment(text: str) -> str:
    return next((c for c in COMMENT.findall(text) if "SPDX" not in c), "")


def lines_of(comment: str) -> list[str]:
    """A comment's lines without what makes it one."""
    end = comment.find("*/")
    body = re.sub(r"^/\*+", "", comment if end < 0 else comment[:end])
    return [re.sub(r"^\s*\* ?", "", line).rstrip() for line in body.strip("\n").split("\n")]


def paragraphs(lines: list[str]) -> list[str]:
    text = "\n".join(lines).strip()
    return [" ".join(p.split()) for p in re.split(r"\n\s*\n", text) if p.strip()]


def overview(text: str) -> Overview:
    return overview_of(first_comment(text))


def sections(text: str) -> list[Overview]:
    """Comments on a part of a header, which have labels as its first one."""
    own = first_comment(text)
    return [overview_of(c) for c in COMMENT.findall(text) if re.search(r"^ \* Owner:", c, re.MULTILINE) and c != own]


def overview_of(comment: str) -> Overview:
    made = Overview()
    body: list[str] = []
    label = ""
    for line in lines_of(comment):
        begins = next((one for one in LABELS if line.startswith(one)), "")
        if begins:
            label = begins
            made.labels[label] = line[len(label) :].strip()
        elif label and line:
            made.labels[label] += " " + line.strip()
        elif not label:
            body.append(line)
    parts = paragraphs(body)
    if parts:
        sentence = re.split(r"(?<=[.])\s", parts[0], maxsplit=1)
        made.title = sentence[0].rstrip(".")
        parts[0] = sentence[1] if len(sentence) > 1 else ""
    made.paragraphs = [p for p in parts if p]
    return made
