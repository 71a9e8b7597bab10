# SPDX-License-Identifier: BSD-2-Clause
"""The checked model as JSON: of the shape that its schema says, and in no language's words."""

from __future__ import annotations

import copy
import json
import re
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema

from codegen.model.export import EXACT
from tests.codegen.cases import base_files, call

SCHEMA = json.loads(Path("codegen/model/model.schema.json").read_text(encoding="utf-8"))
DEVICES = ("mlx5", "efa", "bnxt_re", "hns", "ionic", "nvme")
PROSE = ("doc", "source", "why", "shared")  # which may cite what people have written in C
C_WORDS = re.compile(r"\bu?int\d*_t\b|\bstruct\b|\bstatic\b|\binline\b|\bsegue_|\bSEGUE_|\*")
C_KEYS = re.compile(r"(^|_)(c|struct|type|macro|header|c_name|c_bits)(_|$)")


def model_of(name: str) -> dict[str, Any]:
    done = call("model", f"spec/{name}")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def nodes(data: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """(key, value) of everything in it; what is in a list has the list's key."""
    yield key, data
    if isinstance(data, dict):
        for name, value in data.items():
            yield from nodes(value, name)
    if isinstance(data, list):
        for value in data:
            yield from nodes(value, key)


class Neutral(unittest.TestCase):
    models: dict[str, dict[str, Any]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.models = {name: model_of(name) for name in DEVICES}
        cls.models["base"] = json.loads(call("model", "--alone", *base_files()).stdout)

    def test_each_is_as_the_schema_says(self) -> None:
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        judge = jsonschema.Draft202012Validator(SCHEMA)
        for name, model in self.models.items():
            errors = [f"{list(e.path)}: {e.message[:300]}" for e in judge.iter_errors(model)]
            self.assertEqual([], errors[:5], name)
            self.assertTrue(model["segments"] and model["requests"] and model["queues"], name)

    def test_the_schema_is_closed(self) -> None:
        """A key too many or too few, anywhere, is seen."""
        judge = jsonschema.Draft202012Validator(SCHEMA)
        damages = {
            "a key": lambda m: m["segments"][-1]["fields"][0].update(c_name="x"),
            "a version": lambda m: m.update(version=2),
            "a name": lambda m: m["segments"][0].pop("name"),
            "a place": lambda m: m["segments"][-1]["fields"][0].pop("byte"),
            "a use": lambda m: m["queues"][0]["uses"][0].pop("segment"),
            "a step": lambda m: m["queues"][0]["requests"][0]["stages"][0]["steps"][0].pop("to"),
            "a node": lambda m: m["requests"][0]["layout"][0].update(op="maybe"),
            "a state": lambda m: m["transports"][0]["states"][0].pop("value"),
        }
        for name, damage in damages.items():
            model = copy.deepcopy(self.models["efa"])
            damage(model)
            self.assertFalse(judge.is_valid(model), name)

    def test_no_word_of_c(self) -> None:
        for name, model in self.models.items():
            for key, value in nodes(model):
                if isinstance(value, dict):
                    for inner in value if key not in ("in", "fixed", "match") else ():
                        self.assertNotRegex(inner, C_KEYS, name)
                if isinstance(value, str) and key not in PROSE:
                    self.assertNotRegex(value, C_WORDS, f"{name}: {key}")

    def test_what_is_neutral_knows_no_back_end(self) -> None:
        files = sorted(file for folder in ("load", "model", "machine") for file in Path("codegen", folder).glob("*.py"))
        self.assertGreater(len(files), 15)
        for file in files:
            self.assertNotRegex(file.read_text(encoding="utf-8"), r"codegen\.(c|docs|python|rust)\b|\bc_(?!prefix\b)\w+", file.name)

    def test_numbers_are_exact_for_every_reader(self) -> None:
        """What a reader that knows doubles alone would change is a string."""
        for name, model in self.models.items():
            wide = 0
            for key, value in nodes(model):
                if isinstance(value, int):
                    self.assertLessEqual(value, EXACT, f"{name}: {key}")
                wide += isinstance(value, str) and re.fullmatch("0x[0-9a-f]{14,}", value) is not None
            self.assertGreater(wide, 0, name)

    def test_it_refers_to_what_there_is(self) -> None:
        for name, model in self.models.items():
            segments = {s["name"]: {f["name"] for f in s["fields"]} for s in model["segments"]}
            controls = {s["name"]: s["control"] for s in model["segments"] if "control" in s}
            enums = {e["name"]: {m["name"] for m in e["members"]} for e in model["enums"]}
            for key, value in nodes(model):
                if key in ("size", "entries") and isinstance(value, dict) and "segment" in value:
                    self.assertIn(value["field"], segments[value["segment"]], name)
                if isinstance(value, dict) and "bits" in value and "enum" in value:
                    self.assertIn(value["enum"], enums, name)
            for request in model["requests"]:
                fields = segments[request["control"]] if "control" in request else set()
                counted = [*request.get("sums", []), request.get("size", {})]
                self.assertLessEqual({one["field"] for one in counted if "field" in one}, fields, name)
                self.assertEqual("opcode" in request, "opcode" in controls.get(request.get("control", ""), {}), name)
            for queue in model["queues"]:
                for request in queue["requests"]:
                    for stage in request["stages"]:
                        state = queue["states"][stage["state"]]
                        self.assertEqual(state["accepting"], stage["accepting"])
                        self.assertEqual([e["use"] for e in state["edges"]],
                                         [s["use"] for s in stage["steps"]])
                for use in queue["uses"]:
                    self.assertLessEqual(set(use["fixed"]), segments[use["segment"]])

    def test_it_is_the_same_every_time(self) -> None:
        first = call("model", "spec/efa").stdout
        self.assertEqual(first, call("model", "spec/efa").stdout)
        self.assertEqual(json.loads(first), self.models["efa"])

    def test_an_error_prints_no_model(self) -> None:
        done = call("model", "tests/codegen/bad/no_such_file.yaml")
        self.assertEqual((1, ""), (done.returncode, done.stdout))


if __name__ == "__main__":
    unittest.main()
