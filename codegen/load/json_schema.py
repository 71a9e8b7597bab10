# SPDX-License-Identifier: BSD-2-Clause
"""Fast check whether a value fits a JSON Schema, with no other result than yes or no.

A schema is compiled to a tree of functions once. The keywords are those of spec/schema/. A value that does not fit is then given to
jsonschema, which finds the reason. A schema with an unknown keyword fits nothing, so jsonschema decides alone.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Optional

Check = Callable[[Any], bool]

# JSON has exactly these types. To JSON, true is not 1.
TYPES: dict[str, type] = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}


def never(value: Any) -> bool:
    return False


def always(value: Any) -> bool:
    return True


def same(a: Any, b: Any) -> bool:
    """Equality of JSON values."""
    return type(a) is type(b) and a == b


class Compiler:
    """Compiles the schemas of one file with `$defs` that refer to each other."""

    def __init__(self, defs: dict[str, Any]) -> None:
        self.defs = defs
        self.made: dict[str, Check] = {}

    def compile(self, schema: Any) -> Check:
        if isinstance(schema, bool):
            return always if schema else never
        checks: list[Check] = []
        for keyword, wanted in schema.items():
            if keyword not in KEYWORDS:
                return never
            check = KEYWORDS[keyword](self, wanted, schema)
            if check is not None:
                checks.append(check)
        return together(TYPES.get(schema["type"], Compiler) if "type" in schema else None, checks)  # no value is a Compiler

    def reference(self, name: str) -> Check:
        """A definition, which may refer to itself."""
        if not name.startswith("#/$defs/"):
            return never
        name, made = name[len("#/$defs/"):], self.made
        if name not in made:
            made[name] = lambda value: made[name](value)  # until there is the definition
            made[name] = self.compile(self.defs[name])
        return made[name]


def together(kind: Optional[type], checks: list[Check]) -> Check:
    if not checks:
        return always if kind is None else lambda v: type(v) is kind
    if len(checks) == 1:
        first, = checks
        return first if kind is None else lambda v: type(v) is kind and first(v)

    def check(value: Any) -> bool:
        if kind is not None and type(value) is not kind:
            return False
        for one in checks:
            if not one(value):
                return False
        return True

    return check


def members(c: Compiler, wanted: dict[str, Any], schema: dict) -> Check:
    """`properties`, and `additionalProperties` beside it."""
    known = {key: c.compile(one) for key, one in wanted.items()}
    others = c.compile(schema.get("additionalProperties", True))

    def check(value: Any) -> bool:
        if type(value) is dict:
            for key, one in value.items():
                if not known.get(key, others)(one):
                    return False
        return True

    return check


def others(c: Compiler, wanted: Any, schema: dict) -> Optional[Check]:
    return None if "properties" in schema else members(c, {}, schema)


def dependent(c: Compiler, wanted: dict[str, list[str]], schema: dict) -> Check:
    return lambda v: type(v) is not dict or all(n in v for k, needed in wanted.items() if k in v for n in needed)


def required(c: Compiler, wanted: list[str], schema: dict) -> Check:
    wanted_keys = frozenset(wanted)
    return lambda v: type(v) is not dict or wanted_keys <= v.keys()


def names(c: Compiler, wanted: Any, schema: dict) -> Check:
    name = c.compile(wanted)
    return lambda v: type(v) is not dict or all(name(k) for k in v)


def items(c: Compiler, wanted: Any, schema: dict) -> Check:
    item = c.compile(wanted)
    return lambda v: type(v) is not list or all(map(item, v))


def pattern(c: Compiler, wanted: str, schema: dict) -> Check:
    search = re.compile(wanted).search
    return lambda v: type(v) is not str or search(v) is not None


def any_of(c: Compiler, wanted: list, schema: dict) -> Check:
    branches = [c.compile(one) for one in wanted]
    return lambda v: any(branch(v) for branch in branches)


def one_of(c: Compiler, wanted: list, schema: dict) -> Check:
    branches = [c.compile(one) for one in wanted]
    return lambda v: sum(branch(v) for branch in branches) == 1


KEYWORDS: dict[str, Callable[[Compiler, Any, dict], Optional[Check]]] = {
    **dict.fromkeys(("$schema", "$id", "$defs", "description", "title", "type"), lambda c, w, s: None),
    "$ref": lambda c, w, s: c.reference(w),
    "const": lambda c, w, s: lambda v: same(w, v),
    "enum": lambda c, w, s: lambda v: any(same(x, v) for x in w),
    "pattern": pattern,
    "minLength": lambda c, w, s: lambda v: type(v) is not str or len(v) >= w,
    "maxLength": lambda c, w, s: lambda v: type(v) is not str or len(v) <= w,
    "minimum": lambda c, w, s: lambda v: type(v) is not int or v >= w,
    "maximum": lambda c, w, s: lambda v: type(v) is not int or v <= w,
    "required": required,
    "properties": members,
    "additionalProperties": others,
    "propertyNames": names,
    "minProperties": lambda c, w, s: lambda v: type(v) is not dict or len(v) >= w,
    "maxProperties": lambda c, w, s: lambda v: type(v) is not dict or len(v) <= w,
    "dependentRequired": dependent,
    "items": items,
    "minItems": lambda c, w, s: lambda v: type(v) is not list or len(v) >= w,
    "maxItems": lambda c, w, s: lambda v: type(v) is not list or len(v) <= w,
    "anyOf": any_of,
    "oneOf": one_of,
}

MADE: dict[int, tuple[Any, Check]] = {}  # with the schema, so that no other one gets its id


def fits(schema: dict[str, Any], value: Any) -> bool:
    if id(schema) not in MADE:
        MADE[id(schema)] = (schema, Compiler(schema.get("$defs", {})).compile(schema))
    return MADE[id(schema)][1](value)
