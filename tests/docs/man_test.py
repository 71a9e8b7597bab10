# SPDX-License-Identifier: BSD-2-Clause
"""Every public function has a man page, and mandoc and groff have nothing to say about any."""

from __future__ import annotations

import os
import re
import subprocess
import unittest
from collections import Counter
from pathlib import Path

from tools.man.headers import functions

PAGES = Path(os.environ["MAN_PAGES"])
GENERATED = Path(os.environ["GENERATED"])
PAGES_MAX, LINKS_MAX = 180, 1310
KINDS = {
    "type": re.compile(r"^(?:struct|enum) (segue_\w+) \{", re.MULTILINE),
    "call": re.compile(r"^#define (segue_\w+)\(", re.MULTILINE),
    "macro": re.compile(r"^#define (SEGUE_\w+)", re.MULTILINE),
    "table": re.compile(r"^extern const [\w ]+[ *](segue_\w+)[\[;]", re.MULTILINE),
    "constant": re.compile(r"^enum segue_\w+ \{ (SEGUE_\w+)", re.MULTILINE),
}
STATE = re.compile(r"_(?:wants|may_take)_|_complete$")
ENUM = re.compile(r"^enum segue_\w+ \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
CONSTANT = re.compile(r"^\t(SEGUE_\w+)\b", re.MULTILINE)
CALL = re.compile(r"\b(segue_\w+)\(")


def text_of(header: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)


def whole_pages() -> list[Path]:
    return [p for p in sorted(PAGES.glob("man?/*.?")) if not p.read_text(encoding="utf-8").startswith(".so ")]


def examples_in(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition(".Sh EXAMPLES\n")[2].partition("\n.Sh ")[0]


def examples_of(name: str) -> str:
    page = PAGES / "man3" / f"{name}.3"
    text = page.read_text(encoding="utf-8")
    return examples_in(PAGES / text.split()[1] if text.startswith(".so ") else page)


class Man(unittest.TestCase):
    def test_mandoc_finds_nothing(self) -> None:
        self.assertGreater(len(whole_pages()), 20)
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "style", *whole_pages()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        # Our own pages are not installed where mandoc looks for them; test_references() follows these.
        said = [line for line in lint.stdout.decode().splitlines() if not re.search(r"referenced manual not found: Xr (segue|softhca)", line)]
        self.assertEqual([], said)

    def test_groff_finds_nothing(self) -> None:
        groff = subprocess.run(["groff", "-ww", "-mdoc", "-Tutf8", *whole_pages()], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        self.assertEqual((0, ""), (groff.returncode, groff.stderr.decode()))

    def test_every_function_has_one(self) -> None:
        names = {f.name for h in Path("include/segue").rglob("*.h") for f in functions(h.name, h.read_text(encoding="utf-8"))}
        self.assertGreater(len(names), 150)
        self.assertEqual(set(), {n for n in names if not (PAGES / "man3" / f"{n}.3").is_file()})

    def test_every_name_has_one_place(self) -> None:
        """Calls and types are files, pages or links to them; constants, macros, states and tables stand in one page's list of names."""
        texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((PAGES / "man3").iterdir())}
        listed = Counter(name for text in texts.values() for name in re.findall(r"\w+", text.partition("\n.Sh ALSO DECLARED\n")[2].partition("\n.Sh ")[0]))
        public = [*sorted(Path("include/segue").rglob("*.h")), *sorted(GENERATED.rglob("*.h"))]
        names = {kind: {name for h in public for name in pattern.findall(text_of(h)) if not name.endswith("_H")} for kind, pattern in KINDS.items()}
        names["call"] |= {f.name for h in public for f in functions(h.name, text_of(h))}
        names["constant"] |= {name for h in public for body in ENUM.findall(text_of(h)) for name in CONSTANT.findall(body)}
        print({kind: len(found) for kind, found in names.items()})
        self.assertGreater(sum(len(found) for found in names.values()), 3000)
        self.assertEqual([], sorted(name for kind in ("call", "type") for name in names[kind] if not STATE.search(name) and name not in texts))
        everything = set().union(*names.values())
        self.assertEqual([], sorted(name for name in everything if (name in texts) + listed[name] != 1))

    def test_there_are_few_files(self) -> None:
        """What `apropos segue_` lists is concepts."""
        whole, every = len(whole_pages()), len(list(PAGES.glob("man?/*.?")))
        print(f"{whole} pages, {every - whole} links")
        self.assertLessEqual(whole, PAGES_MAX)
        self.assertLess(every - whole, LINKS_MAX)

    def test_examples(self) -> None:
        """Of each call that programs make most. //tests/docs:reference_test, //tests/examples and //tests/demo compile what is shown."""
        programs = [*Path("docs/examples").glob("*.[ch]"), *Path("tools/demo").rglob("*.c")]
        counts = Counter(name for p in programs for name in CALL.findall(p.read_text(encoding="utf-8")))
        most = [name for name, _ in counts.most_common(80)]
        self.assertEqual(set(), {name for name in most if f"{name}(" not in examples_of(name)})
        pages = whole_pages()
        shown = {name for page in pages for name in CALL.findall(examples_in(page))}
        print(f"{sum(bool(examples_in(page)) for page in pages)} pages with examples, of {len(shown)} calls")
        self.assertGreater(len(shown), 180)

    def test_titles(self) -> None:
        """The first paragraph of a header's comment is what the list of pages says of it."""
        self.assertEqual([], [page.name for page in whole_pages() if re.search(r"^\.Nd .*\bDOC\b", page.read_text(encoding="utf-8"), re.MULTILINE)])

    def test_references(self) -> None:
        """What a page names, is there; what a name leads to, is a page that has the name."""
        for page in sorted(PAGES.glob("man?/*.?")):
            text = page.read_text(encoding="utf-8")
            for name, section in re.findall(r"^\\.(?:It )?Xr (segue\w*|softhca) (\d)", text, re.MULTILINE):
                self.assertTrue((PAGES / f"man{section}" / f"{name}.{section}").is_file(), (page, name))
            if text.startswith(".so "):
                target = (PAGES / text.split()[1]).read_text(encoding="utf-8")
                self.assertRegex(target, rf"\b{page.stem}\b|\.Nm segue_(?:seg_|\w*cqe|device_commands)|_args|also: ")

    def synopsis(self, page: str) -> str:
        text = subprocess.run(["mandoc", "-T", "ascii", "-O", "width=200", PAGES / page], stdout=subprocess.PIPE, check=True).stdout.decode()
        return re.sub(".\b", "", text).partition("SYNOPSIS\n")[2].partition("\nDESCRIPTION")[0]

    def test_synopsis(self) -> None:
        """What one types, and nothing that is said of it."""
        lines = [line.strip() for line in self.synopsis("man1/segue.1").splitlines()]
        for line in ("segue perf [OPTION]...", "segue perf HOST [OPTION]...", "mpirun -n N segue perf [OPTION]...", "segue explain [--json] NAME"):
            self.assertIn(line, lines)
        self.assertIn("segue_recv(struct segue_rq *rq, uint64_t wr_id);", self.synopsis("man3/segue_recv_rq.3"))
        self.assertIn("segue_rdma_write(sq, uint64_t wr_id, uint32_t flags);", self.synopsis("man3/segue_rdma_write.3"))
        text = (PAGES / "man3" / "segue_explain.3").read_text(encoding="utf-8")
        self.assertIn(".Xr segue_qp_explain 3", text.partition(".Sh SEE ALSO")[2])

    def test_nothing_of_a_comment_is_lost(self) -> None:
        page = subprocess.run(["mandoc", "-T", "ascii", PAGES / "man3" / "segue_decode.3"], stdout=subprocess.PIPE, check=True).stdout.decode()
        page = " ".join(re.sub(".\b", "", page).split())
        for words in ("Bytes after a send WQE are ignored", "the one that fits furthest is reported", "negative errno and the offence"):
            self.assertIn(words, page)


if __name__ == "__main__":
    unittest.main()
