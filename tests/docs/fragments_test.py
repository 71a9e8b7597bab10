# SPDX-License-Identifier: BSD-2-Clause
"""Blocks that are no file and no command: pieces of C compile, pieces of specs are the specs', sentences are said."""

from __future__ import annotations

import os
import re
import subprocess
import unittest
from pathlib import Path

import yaml

from tests.docs import pages

HEADERS = Path(os.environ["SEGUE_HEADERS"])
GCC = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wno-unused-variable",
       "-Wno-unused-but-set-variable", "-Werror", f"-I{HEADERS}", "-Iinclude", "-I.", "-xc", "-"]

# What stands around the pieces of C of a page: what they include, and the names that they take as given.
AROUND = {
    "README.md": ("segue/segue.h", "int ret, n; struct segue_rc_sq *sq; struct segue_dci_sq *dci; struct segue_cq *cq; struct segue_wc wc[16]; "
                  "struct segue_local_buf from; struct segue_remote_buf to; uint64_t wr_id, remote_addr, local_addr, dc_key; struct segue_address_vector ah; "
                  "uint32_t imm, dctn, rkey, lkey, length;"),
    "docs/gpu.md": ("segue/gpu/lend.h segue/cq.h segue/qp.h",
                    "int ret; struct segue_device *device; struct segue_pd *pd; struct segue_qp *qp; struct segue_qp_options options; "
                    "struct segue_gpu_queue *queue; uint64_t remote_addr, local_addr; uint32_t rkey, lkey, length; void *address; size_t bytes; int fd;"),
    "docs/versions.md": ("err.h segue/base.h", ""),
    "docs/protected-keys.md": ("err.h segue/base.h segue/gen/builders.h segue/mr.h segue/mkey.h",
                               "struct segue_rc_sq *sq; struct segue_pd *pd; struct segue_mr *mr; struct segue_dek *dek; uint32_t blocks; "
                               "unsigned int signature_errors; void *memory; uint8_t both_halves[64], first_block;"),
}
SENTENCES = {"docs/style.md": "runtime"}
TABLES = "docs/softhca/tables.md"
SPECS = "docs/spec-format.md"
PICTURE = re.compile("[─►▼│┐┘]")


def is_fragment(block: pages.Block) -> bool:
    return block.language == "c" and not block.caption.startswith("`")


def is_spec(block: pages.Block) -> bool:
    return block.language == "yaml" and block.page == SPECS


def is_sentence(block: pages.Block) -> bool:
    return not block.language and block.page in SENTENCES


def is_rule(block: pages.Block) -> bool:
    return block.language == "python" and block.page == TABLES


def is_picture(block: pages.Block) -> bool:
    return not block.language and bool(PICTURE.search(block.text))


def differences(shown: object, real: object, where: str) -> list[str]:
    """What a page shows of an item and the item does not have so: texts may be shorter, lists may leave things out."""
    if isinstance(shown, dict) and isinstance(real, dict):
        found = []
        for key, value in shown.items():
            if key not in real and key != "doc":
                found.append(f"{where}.{key} is not there")
            elif key not in ("doc", "source"):
                found += differences(value, real[key], f"{where}.{key}")
        return found
    if isinstance(shown, list) and isinstance(real, list):
        return [d for item in shown for d in best_of(item, real, where)]
    return [] if shown == real else [f"{where} is {real!r}, and not {shown!r}"]


def best_of(shown: object, real: list, where: str) -> list[str]:
    return min((differences(shown, item, where) for item in real), key=len, default=[f"{where} is empty"])


class Fragments(unittest.TestCase):
    def blocks(self, mine) -> list[pages.Block]:
        found = [block for page in pages.all_pages() for block in pages.read(page) if mine(block)]
        self.assertTrue(found)
        return found

    def compile(self, block: pages.Block, text: str) -> str:
        headers, names = AROUND[block.page]
        includes = "".join(f'#include "{header}"\n' for header in headers.split())
        declared = "".join(f"extern {name.strip()};\n" for name in names.split(";") if name.strip())
        program = f'{includes}{declared}void f(void);\nvoid f(void)\n{{\n#line {block.line + 1} "{block.page}"\n{text}}}\n'
        return subprocess.run(GCC, input=program, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"}).stderr

    def test_c(self) -> None:
        for block in self.blocks(is_fragment):
            with self.subTest(str(block)):
                self.assertEqual("", self.compile(block, block.text))

    def test_readme_names_what_the_compiler_says(self) -> None:
        """README.md: leave segue_av() out, and this is the type that is named."""
        block = next(block for block in pages.read("README.md") if is_fragment(block) and "segue_av" in block.text)
        text = re.sub(r"segue_av\((segue_rdma_write_imm\(.*?\)), &ah, dctn, dc_key\)", r"\1", block.text)
        self.assertNotEqual(block.text, text)
        named = re.search(r"Without `segue_av\(\)` it does not compile: on DC an address comes first, so\s+`(struct \w+)` has", Path("README.md").read_text(encoding="utf-8"))
        self.assertIn(f"'{named[1]}' has no member named", self.compile(block, text))

    def test_specs(self) -> None:
        items: dict[tuple[str, str], dict] = {}
        # Other devices have items of the same kinds and names.
        for file in sorted((*Path("spec/mlx5").rglob("*.yaml"), *Path("spec/verbs").rglob("*.yaml"))):
            item = yaml.safe_load(file.read_text(encoding="utf-8"))
            kind = item.get("kind", "repositories")
            items[kind, item.get("name", "")] = item
        own = {"accel_opcode": "opcode"}  # a name of the reader's: it is a member of that enum in the other guide
        for block in self.blocks(is_spec):
            shown = yaml.safe_load(block.text)
            kind = shown.get("kind", "repositories" if "repositories" in shown else "enum")
            name = shown.get("name", kind)
            with self.subTest(str(block), name=name):
                if name in own:
                    self.assertEqual(own[name], shown["extends"])
                    continue
                self.assertEqual([], differences(shown, items[kind, name], name or kind))

    def test_rules(self) -> None:
        """The rule that makes tables is the one of the test that uses them."""
        for block in self.blocks(is_rule):
            made = {}
            exec(block.text, {"load": lambda *_: None, "segue_tables": lambda **arguments: made.update(arguments)})
            build = Path("tests/softhca/tables/BUILD").read_text(encoding="utf-8")
            rule = re.search(r'segue_tables\(\n    name = "%s",.*?^\)' % made["name"], build, re.MULTILINE | re.DOTALL)
            tested = {}
            exec(rule[0], {"segue_tables": lambda **arguments: tested.update(arguments)})
            self.assertEqual(made, {key: tested[key] for key in made})

    def test_sentences_are_said(self) -> None:
        for block in self.blocks(is_sentence):
            sources = Path(SENTENCES[block.page]).rglob("*.c")
            formats = "\n".join(re.sub(r'"\s*"', "", source.read_text(encoding="utf-8")) for source in sources)
            sentence = re.escape(block.text.strip())
            pattern = re.sub(r"0x[0-9a-f]+", "0x%x", sentence)
            self.assertRegex(formats, f'"{pattern}"')


if __name__ == "__main__":
    unittest.main()
