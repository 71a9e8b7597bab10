# SPDX-License-Identifier: BSD-2-Clause
"""The fast ways say what the exact ones say: libyaml and PyYAML, shape.fits() and jsonschema."""

from __future__ import annotations

import copy
import os
import random
import unittest
from pathlib import Path
from typing import Any

from codegen.load import load
from codegen.model.model import SpecError
from codegen.load.schema import KINDS, schema_of, validator
from codegen.load.json_schema import fits
from tests.codegen.cases import BAD, ROOT, base_files
from tests.seed.seed import segue_test_seed

MUTATIONS = 4000
STRANGERS = [None, True, False, 0, 1, -1, 64, 1 << 64, "", "x", "NAME", "31:0", [], ["x"], {}, {"x": 1}]


def texts() -> list[tuple[str, str]]:
    files = sorted([*Path("spec").rglob("*.yaml"), *Path(BAD).rglob("*.yaml"), *map(Path, base_files())])
    found = []
    for file in files:
        if "schema" not in file.parts:
            try:
                found.append((str(file), load.decode(str(file), file.read_bytes())))
            except SpecError:
                pass  # no parser sees it
    return found


def places(value: Any, found: list) -> list:
    """Every (container, key) of a tree."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []:
        found.append((value, key))
        places(value[key], found)
    return found


class Fast(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(ROOT)

    def test_parsers_agree(self) -> None:
        self.assertIsNotNone(load.FastParser, "PyYAML without libyaml: nothing is compared")
        compared = 0
        for file, text in texts():
            exact = load.parse_exactly(file, text)
            self.assertEqual(load.parse(file, text), exact, file)
            if exact.root is not None and not exact.errors:
                self.assertEqual(load.read(file, text, load.FastParser(text)), exact, file)
                compared += 1
        self.assertGreater(compared, 200)

    def test_shapes_agree(self) -> None:
        rng = random.Random(segue_test_seed())
        roots = [load.parse(file, text).root for file, text in texts()]
        plain = [r.plain() for r in roots if r is not None and r.text("kind") in KINDS]
        good = 0
        for tree in plain + [self.mutant(rng, rng.choice(plain)) for _ in range(MUTATIONS)]:
            kind = tree.get("kind")
            if not isinstance(kind, str) or kind not in KINDS:
                continue
            self.assertEqual(fits(schema_of(kind), tree), validator(kind).is_valid(tree), tree)
            good += fits(schema_of(kind), tree)
        self.assertGreater(good, 200)

    @staticmethod
    def mutant(rng: random.Random, tree: dict) -> dict:
        tree = copy.deepcopy(tree)
        for _ in range(rng.randint(1, 2)):
            container, key = rng.choice(places(tree, []))
            what = rng.randrange(3)
            if what == 0:
                del container[key]
            elif what == 1:
                container[key] = copy.deepcopy(rng.choice(STRANGERS))
            elif isinstance(container, dict):
                container["stranger"] = container[key]
            if not tree:
                break
        return tree


if __name__ == "__main__":
    unittest.main()
