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
TYPE = re.compile(r"^(?:struct|enum) (segue_\w+) \{$", re.MULTILINE)
STATE = re.compile(r"_(?:wants|may_take)_|_complete$")
ENUM = re.compile(r"^enum segue_\w+ \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
CONSTANT = re.compile(r"^\t(SEGUE_\w+)\b", re.MULTILINE)
CALL = re.compile(r"\b(segue_\w+)\(")
MACRO_CALL = re.compile(r"^#define (segue_\w+)\(", re.MULTILINE)
MACRO = re.compile(r"^#define (SEGUE_\w+)", re.MULTILINE)


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

    def test_every_name_has_one(self) -> None:
        """Calls, types, constants and macros, by hand or generated; what begins with segue_..._wants_ is a state, told of with its request."""
        counts = {}
        public = sorted(Path("include/segue").rglob("*.h"))
        made = sorted(GENERATED.rglob("*.h"))
        for kind, found in (
            ("type", {name for h in public + made for name in TYPE.findall(text_of(h)) if not STATE.search(name)}),
            ("constant", {name for h in public + made for body in ENUM.findall(text_of(h)) for name in CONSTANT.findall(body)}),
            ("call", {name for h in public + made for name in MACRO_CALL.findall(text_of(h))} | {f.name for h in public + made for f in functions(h.name, text_of(h))}),
            ("macro", {name for h in public for name in MACRO.findall(text_of(h)) if not name.endswith("_H")}),
        ):
            self.assertEqual(set(), {name for name in found if not (PAGES / "man3" / f"{name}.3").is_file()}, kind)
            counts[kind] = len(found)
        print(counts)
        self.assertGreater(sum(counts.values()), 1700)

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
                self.assertRegex(target, rf"\b{page.stem}\b|\.Nm segue_(?:seg_|\w*cqe)|_args|_UNITS|also: ")

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
        page = subprocess.run(["mandoc", "-T", "ascii", PAGES / "man3" / "segue_validate.3"], stdout=subprocess.PIPE, check=True).stdout.decode()
        page = " ".join(re.sub(".\b", "", page).split())
        for words in ("of a send WQE more than it takes are ignored", "the one that fits furthest is reported", "negative errno and the offence"):
            self.assertIn(words, page)


if __name__ == "__main__":
    unittest.main()
