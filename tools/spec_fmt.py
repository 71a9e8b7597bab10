# SPDX-License-Identifier: BSD-2-Clause
"""The canonical form of spec files: the order of keys that the schemas give, and tidy lines.

  /usr/bin/python3 -m tools.spec_fmt --check FILES…   prints deviations, and exits with status 1 if there are any
  /usr/bin/python3 -m tools.spec_fmt FILES…           repairs lines and the order of an item's own keys, then checks

Keys inside a list are ordered by hand, because the tool does not rewrite YAML that it need not understand.
"""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any, Iterator, Optional

from codegen.load.load import Node, Problem, load, load_bytes
from codegen.model.model import Place, SpecError
from codegen.load.schema import check_shape, dedupe, validator

TOP_KEY = re.compile(r"([a-z_]+):( |$)")
HEX = re.compile(r"(?<![0-9A-Za-z_\"'])0[xX][0-9A-Fa-f]+")


# Order of keys


class Order:
    """Walks a node and its schema together and compares the order of keys."""

    def __init__(self, kind: str):
        self.defs: dict[str, Any] = validator(kind).schema["$defs"]
        self.root: dict[str, Any] = validator(kind).schema

    def resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in schema:
            schema = self.defs[schema["$ref"].rsplit("/", 1)[1]]
        return schema

    def branch(self, schema: dict[str, Any], node: Node) -> dict[str, Any]:
        """Alternative of a oneOf that fits this node. Its title is one of the node's keys."""
        schema = self.resolved(schema)
        for option in schema.get("oneOf", []):
            if node.get(option.get("title", "")) is not None:
                return option
        return schema

    def problems(self, node: Node, schema: Optional[dict[str, Any]] = None) -> Iterator[Problem]:
        schema = self.branch(schema if schema is not None else self.root, node)
        for item in node.items():
            yield from self.problems(item, schema.get("items", {}))
        properties = schema.get("properties", {})
        wanted = [key for key in properties if node.get(key) is not None]
        given = [key for key, _ in node.pairs() if key in properties]
        for key, expected in zip(given, wanted):
            if key != expected:
                yield node.key_place(expected), f"the key '{expected}' comes after '{key}'; expected it before"
                break
        for key, child in node.pairs():
            yield from self.problems(child, properties.get(key, {}))


# Lines


def line_problems(file: str, lines: list[str]) -> Iterator[Problem]:
    for number, line in enumerate(lines, 1):
        place = Place(file, number)
        if line != line.rstrip():
            yield place, "blanks at the end of the line; expected none"
        if not line.strip() and number == len(lines):
            yield place, "an empty line at the end; expected none"
        if not line.startswith("#"):
            for match in HEX.finditer(line):
                if match.group() != match.group().lower():
                    yield place, f"{match.group()} has capital letters; expected {match.group().lower()}"


def check_file(file: str) -> list[Problem]:
    document = load(file)
    problems = list(document.errors)
    if document.root is None or problems:
        return problems
    problems = check_shape(document.root)
    if problems:
        return problems
    problems = list(Order(document.root.text("kind")).problems(document.root))
    with open(file, encoding="utf-8") as stream:
        text = stream.read()
    if not text.endswith("\n"):
        problems.append((Place(file, text.count("\n") + 1), "the last line does not end; expected a line feed"))
    return problems + list(line_problems(file, text.removesuffix("\n").split("\n")))


# Repair


def tidy(text: str) -> str:
    lines = [line.rstrip() for line in text.split("\n")]
    lines = [line if line.startswith("#") else HEX.sub(lambda m: m.group().lower(), line) for line in lines]
    return "\n".join(lines).rstrip("\n") + "\n"


def reorder(text: str, kind: str) -> str:
    """The item's own keys in order. A comment stays with the key below it."""
    wanted = list(validator(kind).schema["properties"])
    lines = text.removesuffix("\n").split("\n")
    head = 1  # the licence
    blocks: list[tuple[str, list[str]]] = []
    pending: list[str] = []
    for line in lines[head:]:
        match = TOP_KEY.match(line)
        if match:
            blocks.append((match.group(1), pending + [line]))
            pending = []
        elif line.startswith("#"):
            pending.append(line)
        elif not blocks:
            return text
        else:
            blocks[-1][1].extend(pending + [line])
            pending = []
    blocks.sort(key=lambda block: wanted.index(block[0]))
    return "\n".join(lines[:head] + [line for _, block in blocks for line in block] + pending) + "\n"


def repair(file: str) -> None:
    """Rewrites the file if that changes its form and not its content."""
    document = load(file)
    if document.root is None or document.errors or check_shape(document.root):
        return  # the check that follows reports the error
    with open(file, encoding="utf-8") as stream:
        text = stream.read()
    better = reorder(tidy(text), document.root.text("kind"))
    again = load_bytes(file, better.encode("utf-8"))
    if better == text or again.root is None or again.errors or again.root.plain() != document.root.plain():
        return
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(better)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="spec_fmt.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("files", nargs="+", metavar="FILE", help="spec file")
    options = parser.parse_args(argv)
    if not options.check:
        for file in options.files:
            repair(file)
    problems = [problem for file in options.files for problem in check_file(file)]
    if problems:
        print(SpecError(dedupe(problems)), file=sys.stderr)
        print(f"run: /usr/bin/python3 -m tools.spec_fmt {' '.join(sorted({p.file for p, _ in problems}))}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
