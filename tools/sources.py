# SPDX-License-Identifier: BSD-2-Clause
"""Looks up what the sources of spec files name: each file, and each function, struct or constant in it.

    bazel run //tools:sources -- rdma-core=~/rdma-core UCX=~/ucx

Repositories are given as git folders; those that are not given are counted and left out. Prints one line for each name that was not
found, and returns 1 if there is one. Not part of the tests, since it needs other people's repositories.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Iterator, Optional

import yaml

REPOSITORIES = Path("spec/repositories.yaml")
PATH = re.compile(r"^[\w.+-]+(?:/[\w.+-]+)*\.(?:h|c|inl|3|rst|md)$")
SYMBOL = re.compile(r"^[A-Za-z]\w*_\w*\*?$|^[A-Z][A-Z0-9]+\*?$")
PROSE = re.compile(r"\([^()]*\)")


@dataclass
class Cited:
    """One file that a source names, and what it names in it."""

    repository: str
    path: str
    symbols: list[str] = field(default_factory=list)


def parse(source: str, repositories: dict[str, Any]) -> list[Cited]:
    """The files and symbols of a source: `REPOSITORY path, symbol and symbol; path, symbol`."""
    found: list[Cited] = []
    repository = folder = ""
    for piece in PROSE.sub(" ", source).split(";"):
        for word in re.split(r"[,\s]+", piece):
            if word in repositories:
                repository, folder = word, ""
            elif PATH.match(word):
                by_folder = next((name for name, r in repositories.items() if word.startswith(tuple(r.get("folders", ())) or ("\0",))), "")
                repository = by_folder or repository or "rdma-core"
                word = word if "/" in word else folder + word
                folder = word.rpartition("/")[0] + "/"
                found.append(Cited(repository, word))
            elif found and SYMBOL.match(word):
                found[-1].symbols.append(word)
    return found


class Repository:
    """The files of one commit of a git folder."""

    def __init__(self, folder: str, facts: dict[str, Any]):
        self.folder = os.path.expanduser(folder)
        self.facts = facts

    def git(self, *arguments: str) -> Optional[str]:
        result = subprocess.run(["git", "-C", self.folder, *arguments], capture_output=True, text=True, check=False, errors="replace")
        return result.stdout if result.returncode == 0 else None

    def commit(self, path: str) -> str:
        newer = self.facts.get("newer", {})
        return next((commit for folder, commit in newer.items() if path.startswith(folder)), self.facts.get("commit", "HEAD"))

    @lru_cache(maxsize=None)
    def files(self, commit: str) -> list[str]:
        return (self.git("ls-tree", "-r", "--name-only", commit) or "").splitlines()

    @lru_cache(maxsize=None)
    def texts(self, path: str) -> list[str]:
        """What the path may mean: itself, or files of that name (headers are installed elsewhere than they lie)."""
        commit = self.commit(path)
        files = self.files(commit)
        exact = [path] if path in files else [f for f in files if f.endswith("/" + path.rpartition("/")[2])]
        return [self.git("show", f"{commit}:{file}") or "" for file in exact]

    def missing(self, cited: Cited) -> Iterator[str]:
        texts = self.texts(cited.path)
        if not texts:
            yield cited.path
            return
        for symbol in cited.symbols:
            pattern = re.compile(rf"\b{symbol[:-1]}\w*" if symbol.endswith("*") else rf"\b{symbol}\b")
            if not any(pattern.search(text) for text in texts):
                yield f"{symbol} in {cited.path}"


def sources_of(node: Any) -> Iterator[str]:
    """Every `source` of a spec file."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "source" and isinstance(value, str):
                yield value
            else:
                yield from sources_of(value)
    elif isinstance(node, list):
        for item in node:
            yield from sources_of(item)


def look_up(folders: dict[str, str]) -> int:
    facts = yaml.safe_load(REPOSITORIES.read_text(encoding="utf-8"))
    repositories = {name: Repository(folder, facts[name]) for name, folder in folders.items()}
    names = looked = 0
    lost: list[str] = []
    for file in sorted(path for part in ("mlx5", "verbs", "efa") for path in Path("spec", part).rglob("*.yaml")):
        for source in sources_of(yaml.safe_load(file.read_text(encoding="utf-8"))):
            for cited in parse(source, facts):
                names += 1 + len(cited.symbols)
                if cited.repository in repositories:
                    looked += 1 + len(cited.symbols)
                    lost += [f"{file}: {cited.repository} has no {what}" for what in repositories[cited.repository].missing(cited)]
    print("\n".join([*lost, f"{looked} of {names} names looked up, {len(lost)} not found"]))
    return 1 if lost else 0


if __name__ == "__main__":
    os.chdir(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    sys.exit(look_up(dict(argument.split("=", 1) for argument in sys.argv[1:])))
