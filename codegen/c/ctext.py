# SPDX-License-Identifier: BSD-2-Clause
"""Plain layout of C text: tabs of 8, at most 100 columns if there is a place to break, nothing aligned.

Templates determine the C. These filters only break lines and write comments. Building needs no formatter, and imitating one took
as much code as the rest of the layout.
"""

from __future__ import annotations

import re

TAB = 8
COLUMNS = 100


def width(text: str) -> int:
    """Columns of a line."""
    return len(text.expandtabs(TAB))


def plain(text: str) -> str:
    """Prose for a C comment: one line, without the marks that open or close a comment."""
    return " ".join(text.split()).replace("*/", "* /").replace("/*", "/ *")


def fill(text: str, columns: int) -> list[str]:
    """Breaks prose at blanks. A longer word keeps a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= columns:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def comment(text: str, tabs: int = 0, opening: str = "/**") -> str:
    """A comment of its own. Newlines in `text` separate paragraphs. No newline at the end."""
    indent = "\t" * tabs
    paragraphs = [plain(p) for p in text.split("\n") if p.strip()]
    single = f"{indent}{opening} {paragraphs[0]} */"
    if len(paragraphs) == 1 and width(single) <= COLUMNS:
        return single
    lines = [indent + opening]
    for paragraph in paragraphs:
        lines += [f"{indent} * {line}" for line in fill(paragraph, COLUMNS - TAB * tabs - 3)]
    return "\n".join(lines + [f"{indent} */"])


def documented(rows: list[tuple[str, str]], tabs: int = 1) -> str:
    """Declarations with their docs: each beside its own if that fits, otherwise above it."""
    indent = "\t" * tabs
    beside = [f"{indent}{code} /* {plain(doc)} */" for code, doc in rows]
    return "\n".join(line if width(line) <= COLUMNS else f"{comment(doc, tabs, '/*')}\n{indent}{code}"
                     for line, (code, doc) in zip(beside, rows))


def macros(rows: list[tuple[str, ...]]) -> str:
    """Consecutive #define lines. Rows are (name, value[, doc above[, doc beside]])."""
    lines = []
    for name, value, *docs in rows:
        if docs and docs[0]:
            lines.append(comment(docs[0], 0, "/*"))
        lines.append(" \\\n\t".join(fill(f"#define {name} {value}", COLUMNS - TAB - 2)) + (f" /* {plain(docs[1])} */" if len(docs) > 1 else ""))
    return "\n".join(lines)


_PIECE = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^"])*?(?:, | \| | \|\| | && |(?<=\w)\(|$)')


def fold(line: str) -> str:
    """Breaks a line of code that is too long after commas and operators. The rest is indented by two tabs more."""
    if len(line) + (TAB - 1) * line.count("\t") <= COLUMNS:
        return line  # most are short, however the tabs fall
    if width(line) <= COLUMNS or line.endswith("\\") or line.lstrip("\t ").startswith(("*", "/*", "//", "#", '"')):
        return line
    indent = line[: len(line) - len(line.lstrip("\t"))]
    lines = [indent]
    for piece in _PIECE.findall(line[len(indent) :]):
        if piece and lines[-1].strip() and width(lines[-1] + piece.rstrip()) > COLUMNS:
            lines.append(indent + "\t\t")
        lines[-1] += piece
    return "\n".join(part.rstrip() for part in lines)


def fit(text: str) -> str:
    """Folds a whole file, except macros of several lines."""
    lines = text.split("\n")
    return "\n".join(line if before.endswith("\\") else fold(line) for before, line in zip(["", *lines], lines))


def string(text: object) -> str:
    """A C string literal."""
    text = " ".join(str(text).split()).replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?")
    return f'"{text}"'
