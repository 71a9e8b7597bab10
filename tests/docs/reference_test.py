# SPDX-License-Identifier: BSD-2-Clause
"""The reference says what the generator says, every link leads somewhere, every example compiles."""

import posixpath
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from unittest import mock

from codegen.docs import drawing
from tools import docs

INCLUDES = ("include", "segue.gen/include")
INCLUDES_EFA = ("include", "segue_efa.gen/include")
FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only")
MOST_LINES = 100
LINK = re.compile(r"(?<!\\)\]\(([^)]*)\)")
ANCHOR = re.compile(r'<a id="([^"]*)">')
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
EXAMPLE = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FUNCTION = re.compile(r"^int\s+(\w+)\(", re.MULTILINE)


def slug(heading: str) -> str:
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page: str) -> set[str]:
    return set(ANCHOR.findall(page)) | {slug(h) for h in HEADING.findall(page)}


def broken_links(pages: dict[str, str]) -> list[str]:
    broken = []
    for name, page in pages.items():
        if not name.endswith(".md"):
            continue
        for link in LINK.findall(page):
            target, _, anchor = link.partition("#")
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) if target else name
            if target.startswith(("../../", "https://")):
                continue  # the sources, ours and other people's
            if path not in pages or (anchor and anchor not in anchors(pages[path])):
                broken.append(f"{name}: {link}")
    return broken


def examples(pages: dict[str, str]) -> str:
    return "\n".join(block for name in sorted(pages) for block in EXAMPLE.findall(pages[name]))


def compiled(source: str, compiler: str = "gcc", folders: tuple[str, ...] = INCLUDES) -> subprocess.CompletedProcess:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "examples.c"
        file.write_text(source, encoding="utf-8")
        includes = [f"-I{path}" for path in folders]
        return subprocess.run([compiler, *FLAGS, *includes, str(file)], capture_output=True, text=True, check=False)


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.pages = docs.checked_in(docs.REFERENCE)
        cls.generated = docs.generated()

    def test_is_current(self) -> None:
        lines = docs.differences(self.pages, self.generated)
        more = f"\n… and {len(lines) - MOST_LINES} lines more" if len(lines) > MOST_LINES else ""
        self.assertFalse(lines, "\n".join(lines[:MOST_LINES]) + more + f"\n\nIf the change is wanted: {docs.REFRESH}")

    def test_two_generations_are_equal(self) -> None:
        self.assertEqual(docs.generated(), self.generated)

    def test_change_is_found(self) -> None:
        for name in ("README.md", "segments/ctrl.svg", "transports/rc-states.svg"):
            changed = dict(self.generated)
            changed[name] = changed[name].replace(">", " >", 1)
            self.assertTrue(docs.differences(changed, self.generated), name)
            del changed[name]
            self.assertTrue(docs.differences(changed, self.generated), name)

    def test_other_graphviz(self) -> None:
        name = "transports/rc-states.svg"
        other = dict(self.generated)
        other[name] = re.sub(r"Graphviz [\w.]+\.", "Graphviz 99.", other[name]).replace('x="', 'x="1')
        self.assertNotEqual(other[name], self.generated[name])
        self.assertEqual(docs.differences(other, self.generated), [])
        other[name] = other[name].replace(">RTR<", ">RTX<")
        self.assertTrue(docs.differences(other, self.generated))

    def test_without_graphviz(self) -> None:
        drawing.dot.cache_clear()
        with mock.patch.object(drawing, "DOT_PATHS", "/nonexistent"):
            self.assertRaisesRegex(OSError, "apt install graphviz", docs.generated)

    def test_links(self) -> None:
        self.assertEqual(broken_links(self.pages), [])
        self.assertGreater(sum(len(LINK.findall(page)) for page in self.pages.values()), 1000)

    def test_broken_link_is_found(self) -> None:
        pages = {"a.md": "[x](b.md#here) [y](b.md#there) [z](c.md)", "b.md": "## Here"}
        self.assertEqual(broken_links(pages), ["a.md: b.md#there", "a.md: c.md"])

    def test_pictures(self) -> None:
        shown = "".join(page for name, page in self.pages.items() if name.endswith(".md"))
        for name, page in self.pages.items():
            if name.endswith(".svg"):
                ElementTree.fromstring(page)
                self.assertIn(f"]({name.split('/')[-1]})", shown)

    def test_examples_compile(self) -> None:
        source = examples(self.pages)
        names = FUNCTION.findall(source)
        self.assertEqual(len(names), len(set(names)), "two examples have one name")
        requests = [name for name in self.pages if name.startswith("requests/")]
        self.assertGreaterEqual(len(names), 2 * len(requests))
        for name in requests:
            self.assertTrue(EXAMPLE.search(self.pages[name]).group(1).startswith("#include"), name)
        for compiler in ("gcc", "clang"):
            result = compiled(source, compiler)
            self.assertEqual(result.returncode, 0, result.stderr[:5000])

    def test_bad_example_is_found(self) -> None:
        page = self.pages["requests/rdma_write.md"]
        source = "\n".join(EXAMPLE.findall(page))
        self.assertEqual(compiled(source).returncode, 0)
        result = compiled(source.replace("remote_addr, rkey)", "remote_addr)"))
        self.assertNotEqual(result.returncode, 0)


class ReferenceOfEfa(unittest.TestCase):
    """The second device's: little-endian, and with other ways to post."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.pages = docs.checked_in(docs.REFERENCE_EFA)

    def test_is_current(self) -> None:
        lines = docs.differences(self.pages, docs.generated(folder=docs.REFERENCE_EFA))
        self.assertFalse(lines, "\n".join(lines[:MOST_LINES]) + f"\n\nIf the change is wanted: {docs.REFRESH}")

    def test_links(self) -> None:
        self.assertEqual(broken_links(self.pages), [])

    def test_examples_compile(self) -> None:
        source = examples(self.pages)
        self.assertGreaterEqual(len(FUNCTION.findall(source)), 2 * sum(name.startswith("requests/") for name in self.pages))
        for compiler in ("gcc", "clang"):
            result = compiled(source, compiler, INCLUDES_EFA)
            self.assertEqual(result.returncode, 0, result.stderr[:5000])


class PicturesOfReadme(unittest.TestCase):
    def test_is_current(self) -> None:
        shown = docs.checked_in(docs.PICTURES)
        self.assertEqual({"pipeline.svg", "wqe.svg"}, set(shown))
        lines = docs.differences(shown, docs.generated(folder=docs.PICTURES))
        self.assertFalse(lines, "\n".join(lines[:MOST_LINES]) + f"\n\nIf the change is wanted: {docs.REFRESH}")


if __name__ == "__main__":
    unittest.main()
