# SPDX-License-Identifier: BSD-2-Clause
"""The Markdown of the site: the tree's pages where they are, and a page for each source, folder and man page they link to.

What GitHub takes and Python-Markdown does not is rewritten: lists and tables without an empty line before them, lists in
lists that are indented by two.
"""

from __future__ import annotations

import html
import posixpath
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
MAN = "man"
FENCE = re.compile(r"^\s*```")
ITEM = re.compile(r"^(\s*)(?:[-*]|\d+\.) ")
LINK = re.compile(r"(!?\[(?:[^\]\\]|\\.)*\]\()([^)\s]+)(\))")
CODE = re.compile(r"(`+)(.+?)\1")
LANGUAGES = {".c": "c", ".h": "c", ".hpp": "cpp", ".cc": "cpp", ".py": "python", ".yaml": "yaml", ".yml": "yaml", ".sh": "bash",
             ".bzl": "python", ".lua": "lua"}
XR = re.compile(r'<a class="Xr"\s+href="([^"]*)">(.*?)</a>', re.DOTALL)
SO = re.compile(r"\.so man\d/(\S+)")
SUMMARY = re.compile(r"^\.Nd (.*)$", re.MULTILINE)


@dataclass
class Stage:
    """Pages of the site by their paths. Other files that they show are copied."""

    tree: Path
    out: Path
    pages: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_all(cls, tree: Path, man: Path, out: Path) -> Stage:
        """All of it, written to a folder."""
        stage = cls(tree, out)
        stage.add_tree()
        stage.add("include/segue")
        stage.add_man(man)
        stage.write()
        return stage

    def add_tree(self) -> None:
        """The pages, pictures and what they link to."""
        for page in [*PAGES, *sorted(str(p.relative_to(self.tree)) for p in (self.tree / "docs").rglob("*.md"))]:
            self.add_page(page)
        for picture in (self.tree / "docs").rglob("*.svg"):
            to = self.out / picture.relative_to(self.tree)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, to)

    def add_page(self, page: str) -> None:
        if page in self.pages:
            return
        self.pages[page] = ""  # it is coming: pages link to each other
        text = (self.tree / page).read_text(encoding="utf-8")
        self.pages[page] = portable(outside_of_code(text, lambda part: self.with_links(part, page)))

    def with_links(self, text: str, page: str) -> str:
        return LINK.sub(lambda match: match[1] + self.target(match[2], page) + match[3], text)

    def target(self, link: str, page: str) -> str:
        """Target of a page's link on the site, which this creates."""
        path, sign, anchor = link.partition("#")
        if "://" in link or not path:
            return link
        there = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        if path.endswith(".svg"):
            return link
        return posixpath.relpath(self.add(there), posixpath.dirname(page) or ".") + sign + anchor

    def add(self, there: str) -> str:
        """The page of a file or folder of the tree."""
        if not (self.tree / there).exists():
            return there  # a dead link, which the test of links finds
        if (self.tree / there).is_dir():
            return self.add_folder(there)
        if there.endswith(".md"):
            self.add_page(there)
            return there
        return self.add_source(there)

    def add_folder(self, there: str) -> str:
        page = f"{there}/README.md"
        if page in self.pages:
            return page
        readme = self.tree / page
        self.pages[page] = ""
        begin = readme.read_text(encoding="utf-8") if readme.exists() else f"# {there}\n"
        text = portable(outside_of_code(begin, lambda part: self.with_links(part, page)))
        names = sorted(p for p in (self.tree / there).rglob("*") if p.is_file() and is_source(p))
        rows = [f"- [{p.relative_to(self.tree / there)}]({self.target(str(p.relative_to(self.tree / there)), page)})" for p in names]
        self.pages[page] = text + "\n\n" + "\n".join(rows) + "\n"
        return page

    def add_source(self, there: str) -> str:
        page = f"{there}.md"
        if page not in self.pages:
            text = (self.tree / there).read_text(encoding="utf-8")
            language = LANGUAGES.get(Path(there).suffix, "text")
            self.pages[page] = f"# {there}\n\n````{language}\n{text}\n````\n"
        return page

    def add_man(self, folder: Path) -> None:
        """Man pages as mandoc shows them, and their index. Names of one page lead to that."""
        pages, names = man_names(folder)
        for name, file in pages.items():
            self.pages[f"{MAN}/{name}.md"] = man_page(name, file, names)
        self.pages[f"{MAN}/README.md"] = man_index(pages, names)

    def write(self) -> None:
        for page, text in self.pages.items():
            file = self.out / page
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


def is_source(path: Path) -> bool:
    hidden = any(part.startswith((".", "bazel-", "__pycache__")) for part in path.parts)
    return not hidden and path.name != "README.md" and path.suffix != ".pyc"


def outside_of_code(text: str, change) -> str:
    """Changes what lies outside of fenced blocks and of code in lines."""
    done: list[str] = []
    fenced = False
    for line in text.split("\n"):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            kept: list[str] = []
            line = CODE.sub(lambda match: kept.append(match[0]) or f"\0{len(kept) - 1}\0", line)
            line = re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], change(line))
        done.append(line)
    return "\n".join(done)


def portable(text: str) -> str:
    """As Python-Markdown wants it. The first line is the heading: it makes the title."""
    lines = list(spaced(text.split("\n")))
    while lines and (not lines[0] or lines[0].startswith("<!--")):
        lines.pop(0)
    return "\n".join(lines)


def spaced(lines: list[str]) -> Iterator[str]:
    fenced, listed, before = False, False, ""
    for line in lines:
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            item = ITEM.match(line)
            table = line.startswith("|") and not before.startswith("|")
            if before.strip() and ((item and not listed) or table or line.startswith("#")):
                yield ""
            listed = bool(item) or (listed and (not line or line.startswith(" ") or bool(before)))
            if listed and line.startswith("  ") and (item or not before.strip()):
                line = "    " * (len(line) - len(line.lstrip()) >= 2) + line.lstrip()
        yield line
        before = line


# ---- man pages ----


def man_names(folder: Path) -> tuple[dict[str, Path], dict[str, str]]:
    """Pages by name, as in "segue_open.3", and each name with its page."""
    pages: dict[str, Path] = {}
    names: dict[str, str] = {}
    for file in sorted(folder.glob("man*/*")):
        said = SO.match(file.read_text(encoding="utf-8"))
        names[file.name] = said[1] if said else file.name
        if not said:
            pages[file.name] = file
    return pages, names


def man_page(name: str, file: Path, names: dict[str, str]) -> str:
    done = subprocess.run(["mandoc", "-T", "html", "-O", "fragment,man=%N.%S", str(file)], capture_output=True, text=True, check=True)
    stem, _, section = name.rpartition(".")
    body = XR.sub(lambda match: f'<a href="{names[match[1]]}.html">{match[2]}</a>' if match[1] in names else match[2], done.stdout)
    return f'# {stem}({section})\n\n<div class="man">\n{body}\n</div>\n'


def man_index(pages: dict[str, Path], names: dict[str, str]) -> str:
    rows = ["# Man pages", "", "| Page | What it is about |", "|---|---|"]
    for name, file in pages.items():
        stem, _, section = name.rpartition(".")
        said = SUMMARY.search(file.read_text(encoding="utf-8"))
        rows.append(f"| [{stem}({section})]({name}.md) | {html.escape(said[1]) if said else ''} |")
    rows += ["", "## Other names", "", "Each is found by `man NAME`, too.", ""]
    others = [f"[{name.rpartition('.')[0]}]({page}.md)" for name, page in names.items() if name != page]
    return "\n".join([*rows, ", ".join(others), ""])
