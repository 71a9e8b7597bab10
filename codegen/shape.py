# SPDX-License-Identifier: BSD-2-Clause
"""Whether a value fits a JSON Schema, and nothing else: yes or no, fast.

Knows the keywords that spec/schema/ uses. What does not fit is then given to jsonschema, which says why; a schema with a
keyword that is not known here fits nothing, so jsonschema decides alone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Callable

pattern = lru_cache(maxsize=None)(re.compile)

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
}


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def same(a: Any, b: Any) -> bool:
    """As JSON compares: true is not 1."""
    return type(a) is type(b) and a == b


def fits(schema: Any, value: Any, defs: Any = None) -> bool:
    if isinstance(schema, bool):
        return schema
    defs = schema.get("$defs", {}) if defs is None else defs
    for keyword, wanted in schema.items():
        check = KEYWORDS.get(keyword)
        if check is None or not check(wanted, value, schema, defs):
            return False
    return True


def members(wanted: dict[str, Any], value: Any, schema: dict, defs: Any) -> bool:
    return not isinstance(value, dict) or all(fits(wanted[k], v, defs) for k, v in value.items() if k in wanted)


def no_others(wanted: Any, value: Any, schema: dict, defs: Any) -> bool:
    if not isinstance(value, dict):
        return True
    known = schema.get("properties", {})
    return all(fits(wanted, v, defs) for k, v in value.items() if k not in known)


def dependent(wanted: dict[str, list[str]], value: Any, schema: dict, defs: Any) -> bool:
    return not isinstance(value, dict) or all(n in value for k, needed in wanted.items() if k in value for n in needed)


def anything(wanted: Any, value: Any, schema: dict, defs: Any) -> bool:
    return True


KEYWORDS: dict[str, Callable[[Any, Any, dict, Any], bool]] = {
    **dict.fromkeys(("$schema", "$id", "$defs", "description", "title"), anything),
    "$ref": lambda w, v, s, d: w.startswith("#/$defs/") and fits(d[w[len("#/$defs/"):]], v, d),
    "type": lambda w, v, s, d: w in TYPES and TYPES[w](v),
    "const": lambda w, v, s, d: same(w, v),
    "enum": lambda w, v, s, d: any(same(x, v) for x in w),
    "pattern": lambda w, v, s, d: not isinstance(v, str) or pattern(w).search(v) is not None,
    "minLength": lambda w, v, s, d: not isinstance(v, str) or len(v) >= w,
    "maxLength": lambda w, v, s, d: not isinstance(v, str) or len(v) <= w,
    "minimum": lambda w, v, s, d: not is_number(v) or v >= w,
    "maximum": lambda w, v, s, d: not is_number(v) or v <= w,
    "required": lambda w, v, s, d: not isinstance(v, dict) or all(k in v for k in w),
    "properties": members,
    "additionalProperties": no_others,
    "propertyNames": lambda w, v, s, d: not isinstance(v, dict) or all(fits(w, k, d) for k in v),
    "minProperties": lambda w, v, s, d: not isinstance(v, dict) or len(v) >= w,
    "dependentRequired": dependent,
    "items": lambda w, v, s, d: not isinstance(v, list) or all(fits(w, x, d) for x in v),
    "minItems": lambda w, v, s, d: not isinstance(v, list) or len(v) >= w,
    "maxItems": lambda w, v, s, d: not isinstance(v, list) or len(v) <= w,
    "anyOf": lambda w, v, s, d: any(fits(x, v, d) for x in w),
    "oneOf": lambda w, v, s, d: sum(fits(x, v, d) for x in w) == 1,
}
