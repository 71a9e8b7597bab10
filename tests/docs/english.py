# SPDX-License-Identifier: BSD-2-Clause
"""Signs of hard English in comments, counted for each room of the tree.

A sign is not a mistake, but plain comments have few of them. english.tsv lists the rooms that are above a limit, with the figures
that they may not exceed: they may only fall. In the checkout:

    python3 tests/docs/english.py                 prints the figures of all rooms
    python3 tests/docs/english.py --show FOLDER   prints the comments of a folder that bear a sign
    python3 tests/docs/english.py --lower         writes the figures that have fallen to english.tsv
"""

from __future__ import annotations

import ast
import io
import math
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml

FOLDERS = ("codegen", "include", "runtime", "spec", "tools")
TABLE = Path(__file__).with_name("english.tsv")
Table = dict[str, dict[str, int]]
# What a comment may hold, and in how many of 100 comments of a room.
SIGNS = {
    "who": (1, re.compile(r"\b(who|whose|whom|whoever|nobody|somebody)\b", re.IGNORECASE)),
    "semicolon": (5, re.compile(r";(?=\s|$)")),
    "says": (1, re.compile(r"\b(says?|tells?|told|said)\b", re.IGNORECASE)),
    "opening": (5, re.compile(r"\s*(Of|In|By|What|Where|So)\b")),
}
C_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.DOTALL)
LICENCE = "SPDX-License-Identifier"


def plain(comment: str) -> str:
    """A comment's words, without stars and slashes."""
    inner = re.sub(r"^/\*+|\*/$", "", comment.strip())
    return "\n".join(re.sub(r"^\s*(\*(?!/)|//+|#+:?)? ?", "", line) for line in inner.splitlines()).strip()


def joined(pieces: Iterable[tuple[str, bool]]) -> Iterator[str]:
    """Comments of one line each, as the comments that they are together: each says whether it goes on the one before."""
    lines: list[str] = []
    for text, goes_on in pieces:
        if lines and not goes_on:
            yield "\n".join(lines)
            lines = []
        lines.append(text)
    if lines:
        yield "\n".join(lines)


def c_comments(text: str) -> Iterator[str]:
    pieces, end = [], 0
    for token in C_TOKEN.finditer(text):
        if token[0][0] == "/":
            near = text[end : token.start()].strip(" \t") == "\n"
            pieces.append((token[0], token[0].startswith("//") and near and pieces[-1][0].startswith("//") if pieces else False))
            end = token.end()
    return joined(pieces)


def python_comments(text: str) -> Iterator[str]:
    pieces, last = [], -1
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            alone = token.line.lstrip().startswith("#")
            pieces.append((token.string, alone and token.start[0] == last + 1))
            last = token.start[0]
    yield from joined(pieces)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and (doc := ast.get_docstring(node)):
            yield doc


def docs_of(node: object) -> Iterator[str]:
    """The texts of a spec that become comments and pages."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "doc" and isinstance(value, str):
                yield value
            else:
                yield from docs_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from docs_of(value)


def yaml_docs(text: str) -> Iterator[str]:
    return docs_of(yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


READERS = {".c": c_comments, ".h": c_comments, ".hpp": c_comments, ".py": python_comments, ".yaml": yaml_docs}


def comments(path: Path) -> list[str]:
    texts = READERS[path.suffix](path.read_text(encoding="utf-8"))
    return [text for text in map(plain, texts) if text and LICENCE not in text]


def room_of(path: Path) -> str:
    """`include/`, `codegen/` and `spec/` are one room each, the others have a room for each folder."""
    if path.parts[0] in ("include", "codegen", "spec") or len(path.parts) == 2:
        return path.parts[0]
    return "/".join(path.parts[:2])


def rooms_of(root: Path) -> dict[str, list[str]]:
    """The comments of each room."""
    rooms = defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in READERS and "schema" not in path.parts:
                rooms[room_of(path.relative_to(root))] += comments(path)
    return dict(sorted(rooms.items()))


def bears(text: str, sign: str) -> bool:
    """Names in backticks, such as a parameter `whose`, are no words."""
    return bool(SIGNS[sign][1].search(re.sub(r"`[^`]*`", "", text)))


def count(texts: list[str], sign: str) -> int:
    return sum(bears(text, sign) for text in texts)


def allowed(texts: list[str], percent: float) -> int:
    """One comment is always allowed, as rooms with few comments have no percentages."""
    return max(1, math.floor(len(texts) * percent / 100))


def rises(rooms: dict[str, list[str]], table: Table) -> list[str]:
    """What is above its limit, in sentences."""
    found = []
    for room, texts in rooms.items():
        for sign, (bar, _) in SIGNS.items():
            most = max(bar, table.get(room, {}).get(sign, 0))
            if count(texts, sign) > allowed(texts, most):
                found.append(f"{room}: {count(texts, sign)} of {len(texts)} comments bear the sign '{sign}'; at most {most} % may")
    return found


def read_table() -> Table:
    _, *rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    return {room: {sign: int(cell) for sign, cell in zip(SIGNS, cells) if cell != "-"} for room, *cells in rows}


def lowered(rooms: dict[str, list[str]], table: Table) -> Table:
    """The table without what meets the limits by now, and no figure higher than before."""
    new: Table = {}
    for room, row in table.items():
        texts = rooms.get(room, [])
        cells = {sign: min(cell, math.ceil(100 * count(texts, sign) / max(len(texts), 1))) for sign, cell in row.items()}
        cells = {sign: cell for sign, cell in cells.items() if count(texts, sign) > allowed(texts, SIGNS[sign][0])}
        if cells:
            new[room] = cells
    return new


def write_table(table: Table) -> None:
    lines = ["\t".join(["room", *SIGNS])]
    lines += ["\t".join([room, *(str(row.get(sign, "-")) for sign in SIGNS)]) for room, row in table.items()]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def show(folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        for text in comments(path) if path.suffix in READERS else ():
            signs = [sign for sign in SIGNS if bears(text, sign)]
            if signs:
                print(f"{path}: {', '.join(signs)}: {' '.join(text.split())}")


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--show"]:
        show(Path(arguments[1]))
        return 0
    rooms = rooms_of(Path.cwd())
    if arguments == ["--lower"]:
        write_table(lowered(rooms, read_table()))
    for room, texts in rooms.items():
        shares = [f"{sign} {100 * count(texts, sign) / len(texts):4.1f}" for sign in SIGNS]
        print(f"{room:20}{'  '.join(shares)}  of {len(texts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
