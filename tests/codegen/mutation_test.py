# SPDX-License-Identifier: BSD-2-Clause
"""Nothing of the spec is ignored: a spec in which one fact is another one becomes other C, and right C, or is refused.

The mutations are of //spec:mlx5: every field of the control segment moved, every plain constant changed, every file left out, and
SEGUE_MUTATIONS (100) of any kind from SEGUE_TEST_SEED. What is right is told by a packer of this file, from the mutated YAML alone.
"""

from __future__ import annotations

import copy
import os
import random
import re
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

import codegen.model.build
from codegen import emit
from codegen.check import check
from codegen.load.load import Document, Node, load
from codegen.model.model import Model, SpecError
from tests.codegen.cases import ROOT, remember_shapes
from tests.seed.seed import segue_test_seed
from tools.needs import needs, spec_files

COUNT = int(os.environ.get("SEGUE_MUTATIONS", "100"))
SEED = segue_test_seed()
CONTROL = "spec/mlx5/segments/ctrl.yaml"

remember_shapes()


def text_of(files: dict[str, str]) -> dict[str, str]:
    """The C files without comments."""
    return {path: re.sub(r"/\*.*?\*/", "", text, flags=re.S) for path, text in files.items()}


@dataclass
class Outcome:
    refusals: list[str]
    model: Optional[Model]


class Specs:
    """The files of the set, read once."""

    def __init__(self) -> None:
        self.documents = {file: load(file) for file in spec_files()}

    def copy(self, file: str) -> Document:
        document = copy.deepcopy(self.documents[file])
        assert document.root is not None and isinstance(document.root.value, dict)
        document.root.value.pop("vectors", None)  # a moved field would be found by them alone
        return document

    def judge(self, changed: dict[str, Optional[Document]]) -> Outcome:
        documents = [changed.get(file, document) for file, document in self.documents.items()]
        try:
            model = codegen.model.build.model_of([document for document in documents if document is not None])
        except SpecError as error:
            return Outcome([text for _, text in error.errors], None)
        problems = check(model)
        return Outcome([text for _, text in problems], None if problems else model)


def constant(node: Node, files: dict[str, str]) -> int:
    """The value of a `const`, which may be a member's name."""
    value = node.child("const").value
    if isinstance(value, int):
        return value
    name = f"SEGUE_{node.text('enum').upper()}_{value}"
    return int(re.search(rf"\b{name} = (\w+)", files["segue/gen/enums.h"]).group(1), 0)


def places(root: Node) -> list[Node]:
    """The `at` of every field and reserved range that lies in one dword."""
    nodes = root.child("fields").items() + (root.child("reserved").items() if root.get("reserved") else [])
    return [node.child("at") for node in nodes]


def bits(at: Node) -> tuple[int, int]:
    high, low = (int(part) for part in at.text("bits").split(":"))
    return high, low


def set_place(at: Node, dword: int, high: int, low: int) -> None:
    at.child("dword").value = dword
    at.child("bits").value = f"{high}:{low}"


def in_dword(root: Node, dword: int) -> list[Node]:
    found = [at for at in places(root) if at.get("dword") is not None and at.number("dword") == dword and bits(at)[0] < 32]
    return sorted(found, key=lambda at: -bits(at)[0])


def rotate(root: Node, dword: int, by: int) -> bool:
    """Moves everything in a dword: what came first comes last."""
    ats = in_dword(root, dword)
    if len(ats) < 2 or sum(bits(at)[0] - bits(at)[1] + 1 for at in ats) != 32:
        return False
    high = 31
    for at in ats[by % len(ats):] + ats[:by % len(ats)]:
        width = bits(at)[0] - bits(at)[1] + 1
        set_place(at, dword, high, high - width + 1)
        high -= width
    return True


def exchange(root: Node, one: int, other: int) -> None:
    """Two dwords change places."""
    first, second = in_dword(root, one), in_dword(root, other)
    for at in first:
        at.child("dword").value = other
    for at in second:
        at.child("dword").value = one


def packed(root: Node, values: dict[str, int]) -> bytes:
    """The segment's bytes from its YAML."""
    out = 0
    size = root.number("size")
    for node in root.child("fields").items():
        at = node.child("at")
        if at.get("byte") is not None:
            continue
        high, low = bits(at)
        word = 64 if high > 31 else 32
        shift = (size - 4 * at.number("dword")) * 8 - word + low
        out |= values.get(node.text("name"), 0) << shift
    return out.to_bytes(size, "big")


class Mutations(unittest.TestCase):
    specs: Specs
    base: Model
    rendered: dict[str, str]

    @classmethod
    def setUpClass(cls) -> None:
        os.chdir(ROOT)
        cls.specs = Specs()
        outcome = cls.specs.judge({})
        assert outcome.model is not None, outcome.refusals
        cls.base = outcome.model
        cls.rendered = text_of(emit.render(cls.base))
        print(f"SEGUE_TEST_SEED={SEED} SEGUE_MUTATIONS={COUNT}")

    def compiled(self, files: dict[str, str], program: str) -> str:
        """What a program prints that is compiled against generated headers."""
        with tempfile.TemporaryDirectory() as folder:
            emit.write({path: text for path, text in files.items() if path.endswith(".h")}, Path(folder))
            Path(folder, "main.c").write_text(program, encoding="utf-8")
            command = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Iinclude", f"-I{folder}", f"{folder}/main.c", "-o", f"{folder}/main"]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            return subprocess.run([f"{folder}/main"], capture_output=True, text=True, check=True).stdout.strip()

    def judged(self, what: str, changed: dict[str, Optional[Document]]) -> Optional[dict[str, str]]:
        """None if it is refused, else the C, which is not the same as before."""
        outcome = self.specs.judge(changed)
        if outcome.model is None:
            for text in outcome.refusals:
                self.assertGreater(len(text.split()), 4, f"{what}: refused without a sentence: {text}")
            return None
        files = emit.render(outcome.model)
        self.assertNotEqual(text_of(files), self.rendered, f"{what}: accepted, and the C is the same")
        return files

    # The control segment.

    def check_control(self, root: Node, files: dict[str, str], what: str) -> None:
        values = {"opmod": 0x91, "wqe_index": 0xa7c5, "opcode": 0x0b, "qpn": 0xdebc9b, "ds": 0x2d, "imm": 0xf1d2b3a5}
        flags = {"se": 1, "ce": 2, "fm": 3}
        places_of = {node.text("name"): node.child("at") for node in root.child("fields").items()}
        image = " | ".join(f"{value}u << {bits(places_of[name])[1]}" for name, value in flags.items())
        program = f"""
#include <stdio.h>
#include "segue/gen/control.h"
int main(void)
{{
	uint8_t bytes[SEGUEI_CONTROL_SIZE];
	uint64_t first = seguei_control_queue({values['qpn']}) |
		seguei_control_first({values['opmod']}, {values['wqe_index']}, {values['opcode']}, {values['ds']});

	segue_put_be64(bytes, first);
	seguei_control_put_second(bytes, {image}, {values['imm']}u);
	for (unsigned i = 0; i < sizeof(bytes); i++)
		printf("%02x", bytes[i]);
	return 0;
}}
"""
        self.assertEqual(self.compiled(files, program), packed(root, {**values, **flags}).hex(), what)

    def test_each_field_of_the_control_segment_moved(self) -> None:
        tried: list[tuple[str, Callable[[Node], object]]] = []
        for dword in range(4):
            for by in range(1, len(in_dword(self.specs.documents[CONTROL].root, dword))):
                tried.append((f"dword {dword} rotated by {by}", lambda root, d=dword, b=by: rotate(root, d, b)))
            for other in range(dword + 1, 4):
                tried.append((f"dwords {dword} and {other} exchanged", lambda root, d=dword, o=other: exchange(root, d, o)))
        accepted = 0
        for what, mutate in tried:
            with self.subTest(what):
                document = self.specs.copy(CONTROL)
                mutate(document.root)
                files = self.judged(what, {CONTROL: document})
                if files is not None:
                    accepted += 1
                    self.check_control(document.root, files, what)
        print(f"control segment: {len(tried)} moved, {accepted} other code and right, {len(tried) - accepted} refused")
        self.assertGreater(accepted, 0)

    def test_size_in_bits_7_to_2(self) -> None:
        document = self.specs.copy(CONTROL)
        for node in document.root.child("fields").items() + document.root.child("reserved").items():
            at = node.child("at")
            if at.number("dword") == 1 and bits(at) == (5, 0):
                set_place(at, 1, 7, 2)
            elif at.number("dword") == 1 and bits(at) == (7, 6):
                set_place(at, 1, 1, 0)
        files = self.judged("ds in bits 7:2", {CONTROL: document})
        self.assertIsNotNone(files)
        self.check_control(document.root, files, "ds in bits 7:2")

    # Constants.

    def test_each_size_changed(self) -> None:
        file = "spec/mlx5/enums/wqe.yaml"
        for number, member in enumerate(self.specs.documents[file].root.child("values").items()):
            for change in (lambda v: v * 2, lambda v: v + 1, lambda v: v - 1):
                document = self.specs.copy(file)
                node = document.root.child("values").items()[number].child("value")
                node.value = change(node.value)
                self.judged(f"{member.text('name')} = {node.value}", {file: document})

    def test_unit_and_block_are_refused(self) -> None:
        """The ring's runtime copies blocks of 64 bytes; the generator itself takes other sizes."""
        for name, value in (("UNIT_SIZE", 32), ("BLOCK_SIZE", 128)):
            document = self.specs.copy("spec/mlx5/enums/wqe.yaml")
            for node in document.root.child("values").items():
                if node.text("name") == name:
                    node.child("value").value = value
            self.assertIsNone(self.judged(name, {"spec/mlx5/enums/wqe.yaml": document}))

    # Files.

    def test_each_file_left_out(self) -> None:
        listed = needs(self.base)
        refused = 0
        for file in self.specs.documents:
            with self.subTest(file):
                outcome = self.specs.judge({file: None})
                refused += outcome.model is None
                if outcome.model is None:
                    self.assertTrue(all(len(text.split()) > 4 for text in outcome.refusals), outcome.refusals)
                    continue
                folder, name = file.split("/")[-2], Path(file).stem
                self.assertNotIn(name, listed.get(folder, []), "the runtime needs it")
        print(f"files: {len(self.specs.documents)} left out one by one, {refused} refused, the others are not in the runtime's list")

    # Anything.

    def random_mutation(self, rng: random.Random) -> tuple[str, str, Document, bool]:
        """(what, file, document, whether a field of a segment moved)."""
        while True:
            file = rng.choice(list(self.specs.documents))
            document = self.specs.copy(file)
            found = mutate(rng, document.root)
            if found:
                return f"{file}: {found[0]}", file, document, found[1]

    def check_packer(self, root: Node, files: dict[str, str], what: str) -> None:
        """The generated packer writes what the mutated file says."""
        is_cqe = root.text("kind") == "cqe"
        name = f"segue_{'' if is_cqe else 'seg_'}{root.text('name')}"
        values = {}
        lines = []
        for number, node in enumerate(root.child("fields").items()):
            at = node.child("at")
            if at.get("byte") is not None:
                continue
            if node.get("const") is not None:
                values[node.text("name")] = constant(node, files)
                continue
            high, low = bits(at)
            values[node.text("name")] = 0x9e3779b97f4a7c15 * (number + 1) & (1 << (high - low)) - 1 | 1
            if node.get("zero_means") is not None or node.get("max") is not None or node.get("min") is not None:
                values[node.text("name")] = max(1, node.number("min"))
            lines.append(f"\tv.{node.text('name')} = {values[node.text('name')]:#x};")
        header = "cqes" if is_cqe else "segments"
        program = "\n".join([
            "#include <stdio.h>", '#include "segue/gen/enums.h"', f'#include "segue/gen/{header}.h"', "int main(void)", "{",
            f"\tstruct {name} v;", f"\tuint8_t bytes[{root.number('size')}];", "", "\tmemset(&v, 0, sizeof(v));", *lines,
            f"\t{name}_pack(bytes, &v);", "\tfor (unsigned i = 0; i < sizeof(bytes); i++)", '\t\tprintf("%02x", bytes[i]);', "\treturn 0;", "}", ""])
        self.assertEqual(self.compiled(files, program), packed(root, values).hex(), what)

    def test_random(self) -> None:
        rng = random.Random(SEED)
        refused = checked = 0
        for _ in range(COUNT):
            what, file, document, moved = self.random_mutation(rng)
            with self.subTest(what):
                files = self.judged(what, {file: document})
                refused += files is None
                if files is not None and moved:
                    self.check_packer(document.root, files, what)
                    checked += 1
        print(f"random: {COUNT} mutations, {refused} refused, {COUNT - refused} other code; of {checked} moved fields the packer was run")


def mutate(rng: random.Random, root: Node) -> Optional[tuple[str, bool]]:
    """Changes one fact, or nothing if the choice does not fit the item."""
    kind = root.text("kind")
    if kind in ("segment", "cqe"):
        return mutate_segment(rng, root)
    if kind == "enum":
        node = rng.choice(root.child("values").items())
        if node.get("value") is None:
            return None
        node.child("value").value ^= 1 << rng.randrange(3)
        return f"{node.text('name')} = {node.child('value').value}", False
    if kind == "work_request":
        return mutate_request(rng, root)
    if kind == "transport":
        return mutate_transport(rng, root)
    return None


def mutate_segment(rng: random.Random, root: Node) -> Optional[tuple[str, bool]]:
    choice = rng.randrange(4)
    fields = root.child("fields").items()
    if choice < 2 and rotate(root, rng.randrange(max(1, root.number("size") // 4)), 1):
        return "a dword rotated", True
    if choice == 2:
        limited = [node for node in fields if node.get("max") is not None or node.get("const") is not None]
        if limited:
            node = rng.choice(limited)
            key = "max" if node.get("max") is not None else "const"
            if isinstance(node.child(key).value, int):
                node.child(key).value ^= 1
                return f"{key} of {node.text('name')}", False
    tail = root.get("tail")
    if choice == 3 and tail is not None and tail.get("min_size") is not None:
        tail.child("min_size").value += 16
        return "min_size of the tail", False
    return None


def mutate_request(rng: random.Random, root: Node) -> Optional[tuple[str, bool]]:
    layout = root.child("layout").items()
    choices: list[Callable[[], str]] = []
    if layout:
        choices.append(lambda: f"{layout.pop(rng.randrange(len(layout)))and 'an element'} left out")
    if root.get("transports") is not None and len(root.child("transports").items()) > 1:
        choices.append(lambda: f"not on {root.child('transports').items().pop().value}")
    if root.get("flags") is not None and root.child("flags").items():
        choices.append(lambda: f"without flag {root.child('flags').items().pop().value}")
    if isinstance(getattr(root.get("opmod"), "value", None), int):
        def opmod() -> str:
            root.child("opmod").value += 1
            return "another opmod"
        choices.append(opmod)
    return (rng.choice(choices)(), False) if choices else None


def mutate_transport(rng: random.Random, root: Node) -> Optional[tuple[str, bool]]:
    transitions = root.child("transitions").items()
    node = rng.choice(transitions)
    for key in ("required", "optional"):
        if node.get(key) is not None and node.child(key).items():
            gone = node.child(key).items().pop()
            return f"{gone.value} no longer {key}", False
    transitions.remove(node)
    return f"no transition to {node.child('to').value}", False


if __name__ == "__main__":
    unittest.main()
