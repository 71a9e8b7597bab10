# SPDX-License-Identifier: BSD-2-Clause
"""What the loader and the builder make of good specs: values, places and resolved names."""

from __future__ import annotations

import os
import random
import unittest

from codegen.machine.automaton import machines
from codegen.model.build import build_model, model_of
from codegen.c.cnames import bits, enumerator
from codegen.check import check, checked_model
from codegen.load.load import load, parse
from codegen.model.model import Model, Place, SpecError, Wrap
from tests.codegen.cases import BASE, ROOT, base_files

HEAD = "# SPDX-License-Identifier: BSD-2-Clause\n"


def twin(name: str, fields: str, size: int = 16) -> str:
    return (f'{HEAD}kind: segment\nname: {name}\ndoc: A test.\nsource: "own:made up"\nsize: {size}\n'
            f"prepared: {{name: lasting, args: [number]}}\nfields:\n{fields}")


def model_with(**texts: str) -> Model:
    """The base set and these items."""
    documents = [load(file) for file in base_files()]
    return model_of(documents + [parse(f"{name}.yaml", text) for name, text in texts.items()])


class Loader(unittest.TestCase):
    def values(self, text: str) -> object:
        document = parse("x.yaml", HEAD + text)
        self.assertEqual(document.errors, [])
        assert document.root is not None
        return document.root.plain()

    def test_scalars(self) -> None:
        self.assertEqual(self.values("a: 0x1F\nb: 10\nc: -3\nd: true\ne: false\nf: word\n"),
                         {"a": 31, "b": 10, "c": -3, "d": True, "e": False, "f": "word"})

    def test_text_stays_text(self) -> None:
        self.assertEqual(self.values("a: \"63:0\"\nb: 'on'\nc: 16 bytes\nd: 64-bit word.\ne: \"010\"\nf: n\n"),
                         {"a": "63:0", "b": "on", "c": "16 bytes", "d": "64-bit word.", "e": "010", "f": "n"})

    def test_folded_text(self) -> None:
        self.assertEqual(self.values("doc: >-\n  One\n  two.\nnext: |\n  kept\n"), {"doc": "One two.", "next": "kept"})

    def test_limits(self) -> None:
        self.assertEqual(self.values("a: 0xffffffffffffffff\nb: 18446744073709551615\n"), {"a": 2**64 - 1, "b": 2**64 - 1})

    def test_places(self) -> None:
        root = parse("x.yaml", HEAD + "a:\n  - {b: 1,\n     c: 2}\n").root
        assert root is not None
        inner = root.child("a").items()[0]
        self.assertEqual((inner.place, inner.key_place("c"), inner.child("c").place),
                         (Place("x.yaml", 3), Place("x.yaml", 4), Place("x.yaml", 4)))

    def test_errors_of_one_file_come_together(self) -> None:
        document = parse("x.yaml", HEAD + "a: 010\nb: on\nb: 2\n")
        self.assertEqual([place.line for place, _ in document.errors], [2, 3, 4])


class Builder(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(ROOT)
        self.model = checked_model(base_files())

    def segment(self, name: str):
        return next(s for s in self.model.segments + self.model.cqes if s.name == name)

    def test_items_are_sorted(self) -> None:
        names = [request.name for request in self.model.work_requests]
        self.assertEqual(names, sorted(names))

    def test_states_and_transitions_have_sources_of_their_own(self) -> None:
        with open(f"{BASE}/rc.yaml", encoding="utf-8") as stream:
            text = stream.read().replace("name: rc\n", "name: other\n").replace(
                "to: INIT,", 'to: INIT, source: "https://a.b/c",', 1)
        found = next(t for t in model_with(other=text).transports if t.name == "other")
        self.assertEqual([(str(x.source), x.confidence) for x in found.transitions][:2], [("https://a.b/c", "secondary"), ("", "primary")])
        self.assertEqual({s.confidence for s in found.states}, {"primary"})

    def test_fields_of_an_enum_are_closed(self) -> None:
        self.assertTrue(self.segment("ctrl").get("ce").closed)
        self.assertFalse(self.segment("ctrl").get("opcode").closed, "the requests say which opcodes there are")
        self.assertFalse(any(f.closed for f in self.segment("cqe_ok").fields), "what devices write may be newer")

    def test_order_of_files_does_not_matter(self) -> None:
        files = base_files()
        random.Random(1).shuffle(files)
        other = build_model(files)
        other.files = self.model.files
        self.assertEqual(other, self.model)

    def test_fields(self) -> None:
        ds = self.segment("ctrl").get("ds")
        self.assertEqual((ds.byte, ds.width, ds.lsb, ds.word, ds.first_bit), (4, 6, 0, 32, 58))
        self.assertEqual((ds.min, ds.max, ds.unit, bits(ds)), (1, 63, "16 bytes", 8))
        self.assertEqual(ds.place, Place(f"{BASE}/ctrl.yaml", 13))
        addr = self.segment("raddr").get("remote_addr")
        self.assertEqual((addr.byte, addr.width, addr.lsb, addr.word, addr.first_bit), (0, 64, 0, 64, 0))
        mac = self.segment("av").get("mac")
        self.assertTrue(mac.is_bytes)
        self.assertEqual((mac.byte, mac.width, mac.first_bit), (12, 32, 96))

    def test_zero_means(self) -> None:
        count = self.segment("data").get("byte_count")
        self.assertEqual((count.min, count.max, count.zero_means, bits(count)), (1, 1 << 31, 1 << 31, 32))

    def test_reserved_names_are_their_places(self) -> None:
        self.assertEqual([r.name for r in self.segment("ctrl").reserved],
                         ["bits 7:6 of dword 1", "bits 31:24 of dword 2", "bits 7:4 of dword 2", "bits 0:0 of dword 2"])

    def test_images(self) -> None:
        flags = {m.name: (enumerator(m), m.value) for e in self.model.enums if e.name == "post_flag" for m in e.members}
        self.assertEqual(flags, {"SIGNALED": ("SEGUE_SIGNALED", 2 << 2), "SOLICITED": ("SEGUE_SOLICITED", 1 << 1)})

    def test_control(self) -> None:
        control = self.model.control
        assert control.control is not None
        self.assertEqual((control.name, control.control.size.name, [f.name for f in control.control.flags]),
                         ("ctrl", "ds", ["ce", "se"]))

    def test_vector(self) -> None:
        vector = self.segment("inline_data").vectors[0]
        self.assertEqual((vector.values, vector.tail), ({"byte_count": 5}, bytes([1, 2, 3, 4, 5])))
        self.assertEqual(len(vector.out), 16)

    def test_request(self) -> None:
        table = next(r for r in self.model.work_requests if r.name == "load_table")
        assert table.opcode is not None
        self.assertEqual((table.opcode.value, table.opmod, table.transports), (0x25, 1, ["rc"]))
        first, second = table.layout
        self.assertEqual((first.op, first.fixed), ("segment", {"rights": 3}))
        assert second.count is not None
        self.assertEqual((second.count[0].name, second.count[1].name), ("table_ctrl", "entries"))
        self.assertEqual((second.unit, second.pad, second.min, second.max), (16, 64, 1, 16))

    def test_fragments_are_expanded(self) -> None:
        write = next(r for r in self.model.work_requests if r.name == "write")
        self.assertEqual([e.op for e in write.layout], ["address", "segment", "fragment"])
        self.assertEqual(write.layout[1].wrap, Wrap.NONE)
        repeat = write.layout[2].body[0].choices[0][0]
        self.assertEqual((repeat.op, repeat.min, repeat.max), ("repeat", 0, None))

    def test_transport(self) -> None:
        dc = next(t for t in self.model.transports if t.name == "dc")
        self.assertEqual((dc.initial, dc.number_at, dc.options[0].field.name), ("RESET", "RTS", "stream"))
        self.assertEqual([(t.sources, t.to, t.by) for t in dc.transitions],
                         [(["RESET"], "RTS", "program"), (["RTS"], "ERR", "device"), (["RTS", "ERR"], "RESET", "program")])

    def test_opmod_by_name(self) -> None:
        text = (f'{HEAD}kind: work_request\nname: x\ndoc: A test.\nsource: "own:made up"\nqueue: send\nopcode: NOP\n'
                "opmod: {enum: opcode, member: SEND}\ntransports: [rc]\nlayout: []\n")
        model = model_with(x=text)
        self.assertEqual(next(r.opmod for r in model.work_requests if r.name == "x"), 0x0a)


class Alternatives(unittest.TestCase):
    """An alternative of which nothing is for a queue is none there; it does not make the choice optional."""

    ONE = "{segment: raddr, when: {transport: [rc]}}"
    OTHER = "{segment: data, when: {transport: [rc]}}"
    FRAGMENT = f'{HEAD}kind: fragment\nname: part\ndoc: A test.\nsource: "own:made up"\nlayout:\n  - {ONE}\n  - {OTHER}\n'

    def setUp(self) -> None:
        os.chdir(ROOT)

    def expected_first(self, alternative: str) -> list[str]:
        text = (f'{HEAD}kind: work_request\nname: x\ndoc: A test.\nsource: "own:made up"\nqueue: send\nopcode: TABLE\nopmod: 2\n'
                f"transports: [rc, dc]\naddress: none\nlayout:\n  - choice:\n      - [{alternative}]\n      - [{{segment: av}}]\n")
        found = machines(model_with(x=text, part=self.FRAGMENT))
        return [start.to.name for m in found if m.name in ("dc", "rc") for start in m.starts if start.request.name == "x"]

    def test_which_there_are(self) -> None:
        for alternative in (self.ONE, "{fragment: part}", f"{{optional: [{self.ONE}], when: {{transport: [rc]}}}}",
                            f"{{repeat: [{self.ONE}], min: 1, max: wqe}}", f"{{choice: [[{self.ONE}], [{self.OTHER}]]}}"):
            with self.subTest(alternative):
                dc, rc = self.expected_first(alternative)
                self.assertEqual(dc, "wants_av")
                self.assertIn("raddr", rc)


class Optionals(unittest.TestCase):
    """What is left out is not there at all: a loop at its end is not entered behind it."""

    def setUp(self) -> None:
        os.chdir(ROOT)

    def test_loop_at_the_end(self) -> None:
        text = (f'{HEAD}kind: work_request\nname: x\ndoc: A test.\nsource: "own:made up"\nqueue: send\nopcode: TABLE\nopmod: 2\n'
                "transports: [rc]\nlayout:\n  - optional:\n      - {repeat: [{segment: data}], min: 2, max: wqe}\n")
        machine = next(m for m in machines(model_with(x=text)) if m.name == "rc")
        state = next(start.to for start in machine.starts if start.request.name == "x")
        accepting = [state.accepting]
        for _ in range(3):
            state = state.edges[0].to
            accepting.append(state.accepting)
        self.assertEqual(accepting, [True, False, True, True])


class Wraps(unittest.TestCase):
    """Where a segment may stand in its block, and so whether it may begin at the end of the ring."""

    def setUp(self) -> None:
        os.chdir(ROOT)

    def test_segment_behind_a_list_with_a_head(self) -> None:
        text = (f'{HEAD}kind: work_request\nname: x\ndoc: A test.\nsource: "own:made up"\nqueue: send\nopcode: TABLE\nopmod: 2\n'
                "transports: [rc]\nlayout:\n  - {segment: table_ctrl}\n"
                "  - {list: entry, count: table_ctrl.entries, unit: 16, pad: 64, head: 32, min: 1, max: 8}\n  - {segment: raddr}\n")
        machine = next(m for m in machines(model_with(x=text)) if m.name == "rc")
        behind = [edge.to for state in machine.states for edge in state.edges if edge.symbol.head == 32]
        self.assertEqual([edge.wrap for state in behind for edge in state.edges], [Wrap.EXACT])


class Prepared(unittest.TestCase):
    """Segments that share a prepared struct and differ where that does no harm."""

    NUMBER = '  - {name: number, at: {dword: 0, bits: "23:0"}, doc: Number.}\n'
    REST = 'reserved:\n  - {at: {dword: 0, bits: "31:24"}}\n'

    def setUp(self) -> None:
        os.chdir(ROOT)

    def test_field_against_reserved_bits_of_an_argument_dword(self) -> None:
        level = '  - {name: level, at: {dword: 0, bits: "31:24"}, doc: Level.}\n'
        model = model_with(one=twin("one", self.NUMBER + self.REST, 4), two=twin("two", self.NUMBER + level, 4))
        self.assertEqual(check(model), [])

    def test_argument_against_zero(self) -> None:
        wide = '  - {name: number, at: {dword: 0, bits: "31:0"}, doc: Number.}\n'
        model = model_with(one=twin("one", self.NUMBER + self.REST, 4), two=twin("two", wide, 4))
        self.assertEqual(check(model), [])

    def test_field_against_reserved_bits_elsewhere(self) -> None:
        one = twin("one", self.NUMBER + self.REST + '  - {at: {dword: 1, bits: "31:0"}}\n', 8)
        two = twin("two", self.NUMBER + '  - {name: level, at: {dword: 1, bits: "31:0"}, doc: Level.}\n' + self.REST, 8)
        errors = check(model_with(one=one, two=two))
        self.assertEqual([(place.file, place.line) for place, _ in errors], [("two.yaml", 3)])


class Errors(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(ROOT)

    def test_all_files_are_read_before_it_fails(self) -> None:
        with self.assertRaises(SpecError) as caught:
            model_with(a=HEAD + "kind: fragment\n", b=HEAD + "kind: enum\n", c=HEAD + "x: 010\n")
        self.assertEqual({place.file for place, _ in caught.exception.errors}, {"a.yaml", "b.yaml", "c.yaml"})

    def test_text_of_the_exception(self) -> None:
        error = SpecError([(Place("a.yaml", 3), "one"), (Place("b.yaml", 4), "two")])
        self.assertEqual(str(error), "a.yaml:3: error: one\nb.yaml:4: error: two")


if __name__ == "__main__":
    unittest.main()
