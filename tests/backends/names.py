# SPDX-License-Identifier: BSD-2-Clause
"""Names that languages, the library or the back ends might take for themselves, given to the items of a random spec."""

from __future__ import annotations

import json
import random
import re

from codegen.check import checked_documents
from codegen.load.load import load_bytes
from codegen.model.model import Model, SpecError
from tests.codegen.layouts import grammar

# C++, Rust, Python, their libraries; then what builders, validators and generated code have themselves.
WORDS = """
    alignas auto bool class concept constexpr delete explicit export final friend import module mutable namespace new operator override
    private requires template this typename using virtual nullptr size_t
    as async await box crate dyn fn impl in let loop macro match mod move mut pub ref self super trait type unsafe use where yield
    bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize core std main
    and assert def del elif except exec finally from global is lambda nonlocal not or pass raise try with dict int len list print property
    add array at begin block body bytes calls commit control count data decode end entry errno field fields finish fixed flags from given
    has index into kind least len length most name named next nic none nothing of options out parts payload place post prepared push put
    queue refuse refused request requests reserved ring room row rows said segment segments shared size spill stage start state states step
    steps sums tail take to told total unit uses validate value values whole why written
    a b c d e f g h i j k l m n o p q r s t u v w x y z
""".split()
TRIES = 6
DRAWN = re.compile(r"s\d|t\d|s\d_it|both|s\d_made|[fqb]\d+(_\d+)?|tag|r\d+|given|lane|entry|teller|colour|mark|mode|north|south|lap|after|peer|imm|bell|g\d+")


def renamed(spec: grammar.Spec, names: dict[str, str]) -> grammar.Spec:
    pattern = re.compile(rf'"({"|".join(map(re.escape, names))})(?=["\.])') if names else None
    parts = [json.loads(pattern.sub(lambda m: '"' + names[m[1]], json.dumps(part))) if pattern else part for part in spec.values()]
    return {f"{part['name']}.yaml": part for part in parts}


def draw(spec: grammar.Spec, rng: random.Random) -> tuple[Model, dict[str, str]]:
    """The model of the same spec under other names, as many of those that were drawn as `check` accepts; and which these are."""
    text = json.dumps(list(spec.values()))
    old = sorted(set(re.findall(r'"([a-z][a-z0-9_]*)(?=["\.])', text)))
    drawn = [name for name in old if DRAWN.fullmatch(name)]
    chosen = rng.sample(drawn, min(len(drawn), 24))
    free = [word for word in WORDS if word not in old]
    names = dict(zip(chosen, rng.sample(free, len(chosen))))
    for _ in range(TRIES):
        try:
            return check(renamed(spec, names)), names
        except SpecError as error:
            said = set(re.findall(r"[a-z0-9_]+", re.sub(r"\S+\.yaml", "", str(error)).replace("segue_", " ")))
            said |= {place.file.removesuffix(".yaml") for place, _ in error.errors}
            blamed = {o for o, n in names.items() if n in said or any(n in word.split("_") for word in said)}
            names = {o: n for o, n in names.items() if o not in blamed} if blamed else {}
    return check(spec), {}


def check(spec: grammar.Spec) -> Model:
    return checked_documents([load_bytes(name, grammar.text(part).encode()) for name, part in spec.items()])
