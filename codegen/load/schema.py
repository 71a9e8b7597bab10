# SPDX-License-Identifier: BSD-2-Clause
"""Checks the shape of a node against the JSON Schema of its kind, and words the errors.

A sentence ends with "expected" and the `description` of the violated part of the schema.
"""

from __future__ import annotations

import difflib
import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Iterable, Sequence, Union

from codegen.load.load import Node, Problem, read_plain, shorten
from codegen.load.json_schema import fits
from codegen.model.model import Place

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

KINDS = ("device", "enum", "segment", "cqe", "fragment", "work_request", "transport", "repositories")
SCHEMA_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "spec", "schema")
PathStep = Union[str, int]


def spoken(kind: str) -> str:
    return kind.replace("_", " ")


def suggest(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` if a known name is similar, otherwise an empty string."""
    close = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def expected_name(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the most similar one, or all known names."""
    names = sorted(known)
    if not names:
        return "; there is none"
    more = f", ... ({len(names)} in all)" if len(names) > 12 else ""
    return suggest(name, names) or f"; expected {one_of(names[:12])}{more}"


def read_schema(name: str) -> dict[str, Any]:
    return read_plain(os.path.join(SCHEMA_FOLDER, f"{name}.yaml"))


def local_refs(schema: Any) -> Any:
    """The schema with references into common.yaml made local."""
    if isinstance(schema, list):
        return [local_refs(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {k: v.replace("common.yaml#", "#") if k == "$ref" else local_refs(v) for k, v in schema.items()}


read_common = lru_cache(maxsize=None)(lambda: local_refs(read_schema("common")["$defs"]))


@lru_cache(maxsize=None)
def schema_of(kind: str) -> dict[str, Any]:
    schema = local_refs(read_schema(kind))
    schema["$defs"] = read_common()
    return schema


def schema_of_files() -> dict[str, Any]:
    """One schema for all kinds, as editors want it."""
    kinds = {kind: local_refs(read_schema(kind)) for kind in KINDS}
    for schema in kinds.values():
        schema.pop("$schema", None)
        schema.pop("$id", None)
    branches = [{"if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]}, "then": {"$ref": f"#/$defs/kind_{kind}"}}
                for kind in KINDS]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Segue spec file",
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": list(KINDS)}},
        "allOf": branches,
        "$defs": {**read_common(), **{f"kind_{kind}": schema for kind, schema in kinds.items()}},
    }


@lru_cache(maxsize=None)
def validator(kind: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator  # slow to load, and needed only to explain errors

    return Draft202012Validator(schema_of(kind))


def check_shape(root: Node) -> list[Problem]:
    """All violations of the schema of the item's kind, each with its place."""
    if not isinstance(root.value, dict):
        return [(root.place, "the file holds no mapping; expected keys such as 'kind', 'name' and 'doc'")]
    kind = root.get("kind")
    if kind is None:
        return [(root.place, f"the key 'kind' is missing; expected one of {', '.join(KINDS)}")]
    if kind.value not in KINDS:
        return [(kind.place, f"unknown kind {show(kind.plain())}{expected_name(str(kind.value), KINDS)}")]
    plain = root.plain()
    if fits(schema_of(str(kind.value)), plain):
        return []
    problems: list[Problem] = []
    checker = Sentences(root, validator(str(kind.value)))
    for error in checker.validator.iter_errors(plain):
        problems.extend(checker.explain(error))
    return problems


def show(value: Any) -> str:
    """A value as an error message quotes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f"'{shorten(value)}'"
    if not value:
        return "an empty list" if isinstance(value, list) else "an empty mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return f"a mapping of {shorten(', '.join(value))}"


class Sentences:
    """Turns validation errors of one item into located sentences."""

    def __init__(self, root: Node, schema_validator: Draft202012Validator):
        self.root = root
        self.validator = schema_validator

    def node_at(self, path: Sequence[PathStep]) -> Node:
        node = self.root
        for step in path:
            node = node.items()[step] if isinstance(step, int) else node.child(step)
        return node

    def describe(self, schema: dict[str, Any]) -> str:
        if "description" in schema:
            return schema["description"]
        if "$ref" in schema:
            return self.describe(self.validator.schema["$defs"][schema["$ref"].rpartition("/")[2]])
        return str(schema.get("const", ""))

    def owner(self, path: Sequence[PathStep]) -> str:
        """Names the innermost named thing that holds the path: "field 'rkey'", or the item itself."""
        for end in range(len(path), 0, -1):
            if not isinstance(path[end - 1], int) or end < 2:
                continue
            name = self.node_at(path[:end]).text("name")
            if name:
                return f"{singular(str(path[end - 2]))} '{shorten(name)}'"
        name = self.root.text("name")
        kind = spoken(self.root.text("kind"))
        return f"{kind} '{shorten(name)}'" if name else f"the {kind}"

    def explain(self, error: ValidationError) -> list[Problem]:
        path = list(error.absolute_path)
        if "propertyNames" in error.absolute_schema_path:
            return self.explain_key_form(error, path)
        handler = {
            "required": self.explain_required,
            "additionalProperties": self.explain_unknown_key,
            "dependentRequired": self.explain_dependent,
            "oneOf": self.explain_branches,
        }.get(str(error.validator), self.explain_value)
        return handler(error, path)

    def explain_required(self, error: ValidationError, path: list[PathStep]) -> list[Problem]:
        node = self.node_at(path)
        missing = [key for key in error.validator_value if node.get(key) is None]
        # jsonschema reports each missing key on its own. Its message ends in "is a required property".
        missing = [key for key in missing if error.message.startswith(repr(key))]
        return [(node.place, self.missing_text(error.schema, path, key)) for key in missing]

    def missing_text(self, schema: dict[str, Any], path: list[PathStep], key: str) -> str:
        expected = self.describe(schema.get("properties", {}).get(key, {}))
        return f"{self.holder(path)} lacks '{key}'" + (f"; expected {expected}" if expected else "")

    def holder(self, path: list[PathStep]) -> str:
        """The name of a mapping at `path`."""
        owner = self.owner(path)
        if not path:
            return owner
        if isinstance(path[-1], str):
            return f"'{path[-1]}' of {owner}"
        node = self.node_at(path)
        if node.text("name") or len(path) < 2:
            return owner
        kind = singular(str(path[-2])) if isinstance(path[-2], str) else "alternative"
        return f"{kind} {path[-1] + 1} of {owner}"

    def explain_unknown_key(self, error: ValidationError, path: list[PathStep]) -> list[Problem]:
        node = self.node_at(path)
        known = sorted(error.schema["properties"])
        problems = []
        for key, _ in node.pairs():
            if key not in known:
                hint = suggest(key, known) or f"; expected {one_of(known)}"
                if len(known) > 10 and not suggest(key, known):
                    hint = "; expected a key that docs/spec-format.md has for it"
                problems.append((node.key_place(key), f"unknown key '{shorten(key)}' in {self.holder(path)}{hint}"))
        return problems

    def explain_key_form(self, error: ValidationError, path: list[PathStep]) -> list[Problem]:
        place = self.node_at(path).key_place(str(error.instance))
        return [(place, f"{show(error.instance)} is a key in {self.holder(path)}; expected {self.describe(error.schema)}")]

    def explain_dependent(self, error: ValidationError, path: list[PathStep]) -> list[Problem]:
        node = self.node_at(path)
        problems = []
        for key, needed in error.validator_value.items():
            for other in needed:
                if node.get(key) is not None and node.get(other) is None:
                    problems.append((node.key_place(key), f"{self.holder(path)} has '{key}' without '{other}'"))
        return problems

    def explain_branches(self, error: ValidationError, path: list[PathStep]) -> list[Problem]:
        """The errors of the branch that has a key of the node as its title, or the description if there is none."""
        node = self.node_at(path)
        branches = [n for n, b in enumerate(error.validator_value) if node.get(b.get("title", "")) is not None]
        if not branches:
            return self.explain_value(error, path)
        problems: list[Problem] = []
        for inner in error.context:
            if inner.schema_path[0] == branches[0]:
                problems.extend(self.explain(inner))
        return problems

    def explain_value(self, error: ValidationError, path: list[PathStep]) -> list[Problem]:
        node = self.node_at(path)
        expected = self.describe(error.schema) or str(error.message)
        what = f"'{path[-1]}' of " if path and isinstance(path[-1], str) else ""
        text = f"{what}{self.owner(path)} is {show(error.instance)}; expected {expected}"
        if path and isinstance(path[-1], int):
            text = f"{self.holder(path)} is {show(error.instance)}; expected {expected}"
        return [(node.place, text)]


def one_of(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"


def singular(key: str) -> str:
    """The name of one element of the list under `key`."""
    special = {"values": "member", "layout": "element", "address": "element", "choice": "alternative",
               "args": "argument", "reserved": "reserved place", "repeat": "element", "optional": "element",
               "flags": "flag", "required": "required attribute", "needs": "needed attribute"}
    return special.get(key, key[:-1] if key.endswith("s") else key)


def dedupe(problems: Iterable[Problem]) -> list[Problem]:
    """Sorted by place, each once."""
    unique: set[tuple[Place, str]] = set(problems)
    return sorted(unique, key=lambda p: (p[0].file, p[0].line, p[1]))
