# SPDX-License-Identifier: BSD-2-Clause
"""Looks up what the sources of spec files, and of docs/migrating.yaml, cite: each file, and each function, struct or constant in it.

    bazel run //tools:sources -- rdma-core=~/rdma-core UCX=~/ucx Linux=~/linux-6.1

Names are those of spec/verbs/repositories.yaml. A folder is an unpacked release, or a git repository, which is read at the commit that
the file gives. Repositories that are not given are counted and left out. Prints a line for each name that was not found, and returns 1
if there is one. Also prints each fact with a source of its own if neither its name nor its value is near its citation. The citation is
then wrong, or the value follows from others. Not part of the tests, since it needs other people's repositories.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Iterator, Optional

from codegen.model.build import build_model
from codegen.load.load import Node, load
from codegen.model.model import Citation, Model, Place, Source
from codegen.load.source import parse


REACH = 60  # lines


class Repository:
    """The files of one commit of a git folder, or of a folder."""

    def __init__(self, folder: str, commit: str):
        self.folder = Path(folder).expanduser()
        self.commit = commit
        self.is_git = subprocess.run(["git", "-C", self.folder, "cat-file", "-e", f"{commit}^{{commit}}"], capture_output=True,
                                     check=False).returncode == 0

    @lru_cache(maxsize=None)
    def text(self, path: str) -> Optional[str]:
        if not self.is_git:
            file = self.folder / path
            return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else None
        result = subprocess.run(["git", "-C", self.folder, "show", f"{self.commit}:{path}"], capture_output=True, text=True, check=False,
                                errors="replace")
        return result.stdout if result.returncode == 0 else None

    def missing(self, cited: Citation) -> Iterator[str]:
        text = self.text(cited.path)
        if text is None:
            yield cited.path
            return
        for symbol in cited.symbols:
            if not re.search(rf"\b{symbol[:-1]}\w*" if symbol.endswith("*") else rf"\b{symbol}\b", text):
                yield f"{symbol} in {cited.path}"


    def near(self, cited: Citation, words: list[str]) -> bool:
        """True if one of the words is at most REACH lines from one of the cited symbols, or there is nothing to check."""
        text = self.text(cited.path)
        if text is None or not cited.symbols or not words:
            return True
        lines = text.split("\n")
        wanted = re.compile("|".join(rf"(?<![0-9a-z]){re.escape(word)}(?![0-9a-z])" for word in words), re.IGNORECASE)
        symbols = re.compile("|".join(rf"\b{symbol[:-1]}" if symbol.endswith("*") else rf"\b{symbol}\b" for symbol in cited.symbols))
        places = [i for i, line in enumerate(lines) if symbols.search(line)]
        return not places or any(wanted.search("\n".join(lines[max(i - REACH, 0):i + REACH + 1])) for i in places)


def words_of(name: str, value: int | None) -> list[str]:
    """Names of a fact in its source: its whole name, the last words of it, or its value."""
    parts = name.split("_")
    words = ["_".join(parts[i:]) for i in range(len(parts))] + ([name.replace("_", "")] if len(parts) > 1 else [])
    return words + ([] if value is None else [str(value), f"{value:x}", f"0x{value:02x}", f"0x{value:x}"])


def facts(model: Model) -> Iterator[tuple[Place, str, Source, list[str]]]:
    """Members and fields that have a source of their own, and what should be near it."""
    for enum in model.enums:
        for member in enum.members:
            if str(member.source) not in ("", str(enum.source)):
                yield member.place, f"{enum.name}.{member.name}", member.source, words_of(member.name, member.value)
    for segment in model.segments + model.cqes:
        for field in segment.fields:
            if field.source:
                yield field.place, f"{segment.name}.{field.name}", field.source, words_of(field.name, field.const)


def far(model: Model, repositories: dict[str, Repository]) -> Iterator[str]:
    """Facts that have neither name nor value near any of their citations."""
    for place, name, source, words in facts(model):
        cited = [c for c in source.citations if c.repository in repositories and c.symbols]
        if cited and not any(repositories[c.repository].near(c, words) for c in cited):
            yield f"{place}: {name}: neither its name nor its value is near {' or near '.join(map(str, cited))}"


def sources_of(node: Node) -> Iterator[Node]:
    """Every `source` of a spec file."""
    for key, value in node.pairs():
        yield from [value] if key == "source" else sources_of(value)
    for item in node.items():
        yield from sources_of(item)


def citations(model: Model, pages: list[str]) -> Iterator[tuple[Place, Citation]]:
    for file in [*model.files, *pages]:
        root = load(file).root
        for node in sources_of(root) if root else []:
            yield from ((node.place, cited) for cited in parse(str(node.value), model.repositories)[0].citations)


def look_up(folders: dict[str, str]) -> int:
    names: Counter[str] = Counter()
    lost: list[str] = []
    devices = [folder.name for folder in sorted(Path("spec").iterdir()) if (folder / f"{folder.name}.yaml").exists()]
    models = [build_model([str(file) for part in (device, "verbs") for file in sorted(Path("spec", part).rglob("*.yaml"))])
              for device in devices]
    for number, model in enumerate(models):
        model.files = [file for file in model.files if all(file not in other.files for other in models[:number])]
    known = models[0].repositories
    repositories = {name: Repository(folder, known[name].commit) for name, folder in folders.items()}
    pages = [(model, ["docs/migrating.yaml"] if number == 0 else []) for number, model in enumerate(models)]
    for place, cited in (pair for each, files in pages for pair in citations(each, files)):
        names[cited.repository] += 1 + len(cited.symbols)
        if cited.repository in repositories:
            lost += [f"{place}: {cited.repository} has no {what}" for what in repositories[cited.repository].missing(cited)]
    doubtful = [text for model in models for text in dict.fromkeys(far(model, repositories))]
    looked = sum(count for name, count in names.items() if name in repositories)
    print("\n".join([*lost, *doubtful, f"{looked} of {sum(names.values())} names looked up, {len(lost)} not found, {len(doubtful)} facts "
                     f"without name and value near them; cited: {dict(names)}"]))
    return 1 if lost else 0


if __name__ == "__main__":
    os.chdir(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    sys.exit(look_up(dict(argument.split("=", 1) for argument in sys.argv[1:])))
