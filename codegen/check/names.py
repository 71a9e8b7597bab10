# SPDX-License-Identifier: BSD-2-Clause
"""Names: each is unique in C, too, and none is a word of C or C++."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Iterable, Iterator, TypeVar

from codegen.c.cnames import enumerator, seg, seg_macro
from codegen.check.layouts import all_elements
from codegen.load.load import Problem
from codegen.model.model import Model, Place, Segment
from codegen.python import nic

KEYWORDS = frozenset("""
    alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char class compl complex const const_cast
    constexpr continue decltype default delete do double dynamic_cast else enum errno explicit export extern false float
    for friend goto i386 if imaginary inline int linux long mutable namespace new noexcept noreturn not not_eq nullptr
    offsetof operator or or_eq private protected public register reinterpret_cast restrict return short signed sizeof
    static static_assert static_cast stderr stdin stdout struct switch template this thread_local throw true try typedef
    typeid typename typeof union unix unsigned using virtual void volatile wchar_t while xor xor_eq
""".split())

# Parameters that every request's function has already.
REQUEST_PARAMETERS = frozenset(["sq", "rq", "wr_id", "flags"])

# Functions of every queue, after `segue_`.
ENDINGS = ("commit", "post", "post_blueflame", "ring_doorbell", "batch_begin", "batch_end")

# Names that the library and the templates define, by kind. A test compares the list with both.
TAKEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reserved_names.txt")
LIBRARY = Place("", 0)

# Methods of Python's own: requests are methods of a queue, and calls of a request under construction.
PYTHON_QUEUE = frozenset(name for name in dir(nic.Queue) if not name.startswith("_")) | {"name"}
PYTHON_BUILDING = frozenset(name for name in dir(nic.Building) if not name.startswith("_"))
# A parameter of builders in Python beside the fields.
PYTHON_PARAMETER = "payload"

T = TypeVar("T")
Claim = tuple[str, str, Place]  # the name in C, its item, and the item's place


@lru_cache(maxsize=None)
def taken() -> dict[str, frozenset[str]]:
    found: dict[str, list[str]] = {}
    kind = ""
    with open(TAKEN, encoding="utf-8") as stream:
        for line in stream:
            if line.startswith(" "):
                found[kind] += line.split()
            elif not line.startswith("#"):
                kind = line.strip().rstrip(":")
                found[kind] = []
    return {kind: frozenset(names) for kind, names in found.items()}


def check_names(model: Model) -> list[Problem]:
    known = taken()
    return [*check_within_segments(model), *check_segment_and_cqe(model), *check_segments_named(model), *check_parameters(model),
            *check_headers(model), *check_python(model), *clashes(model, macros(model), known["macros"]),
            *clashes(model, functions(model), known["functions"] - unbuilt(model)), *clashes(model, tags(model), known["tags"])]


def keyword_text(what: str, name: str) -> str:
    return f"{what} '{name}' has the name of a word that C or C++ reserves; expected another name"


def local_text(what: str, name: str) -> str:
    return f"{what} '{name}' has a name that the generated functions use themselves; expected another name"


def bare_text(what: str, name: str) -> str:
    """The reason why a name cannot be used in C unchanged, or an empty string."""
    if name in KEYWORDS:
        return keyword_text(what, name)
    return local_text(what, name) if name in taken()["locals"] else ""


def check_within_segments(model: Model) -> list[Problem]:
    problems: list[Problem] = []
    for segment in model.segments + model.cqes:
        for field in segment.fields:
            what = f"field '{field.name}' of {segment.kind} '{segment.name}'"
            passed = field.in_struct and not segment.is_cqe
            if field.name in KEYWORDS:
                problems.append((field.place, keyword_text("field", field.name)))
            elif field.name in taken()["locals"] and (passed or field.name.endswith("_t")):
                problems.append((field.place, local_text("field", field.name)))
            elif segment.tail and passed and field.name == "data" and not segment.whole:
                problems.append((field.place, f"{what} has the name of the parameter that is the payload; expected another name"))
    return problems


def check_segments_named(model: Model) -> list[Problem]:
    """A segment's name is a parameter or a member if it is passed as a struct. So is `call` if it is optional."""
    problems: list[Problem] = []
    for segment in model.segments:
        named = [("segment", segment.name)] if segment.control is None else []
        if segment.call != segment.name:
            named.append((f"the call of segment '{segment.name}',", segment.call))
        if segment.prepared:
            named.append((f"the prepared struct of segment '{segment.name}',", segment.prepared.name))
        problems += [(segment.place, text) for what, name in named if (text := bare_text(what, name))]
    return problems


def check_python(model: Model) -> list[Problem]:
    """Names that Python's own would hide."""
    named = [(f"work request '{r.name}'", r.name, r.place, PYTHON_QUEUE) for r in model.work_requests]
    named += [(f"the builder function of segment '{s.name}'", s.call, s.place, PYTHON_BUILDING) for s in model.segments if s.control is None]
    named += [(f"field '{f.name}' of segment '{s.name}'", f.name, f.place, frozenset([PYTHON_PARAMETER])) for s in model.segments for f in s.fields]
    return [(place, f"{what} is called '{name}', as something that builders in Python have themselves; expected another name")
            for what, name, place, own in named if name in own]


def check_headers(model: Model) -> list[Problem]:
    """Each kind of queue has a header of its own."""
    queues = [(f"transport '{t.name}'", t.name, t.place) for t in model.transports]
    queues += [(f"the kind of queue '{q.name}'", q.name, q.place) for device in model.devices for q in device.queues]
    return [(place, f"{what} becomes segue/gen/{name}.h, a header that every library has; expected another name")
            for what, name, place in queues if name in taken()["headers"]]


def check_segment_and_cqe(model: Model) -> list[Problem]:
    """A name is not used for both a segment and a CQE format, because `format` looks in both."""
    segments = {segment.name: segment for segment in model.segments}
    return [(cqe.place, f"cqe '{cqe.name}' has the name of a segment, at {segments[cqe.name].place}; expected another name")
            for cqe in model.cqes if cqe.name in segments]


def check_parameters(model: Model) -> list[Problem]:
    problems: list[Problem] = []
    for request in model.work_requests:
        for arg in request.args:
            owner = f"argument of work request '{request.name}'"
            if arg.name in REQUEST_PARAMETERS:
                problems.append((request.place, f"{owner} is called '{arg.name}', as a parameter that every request has; "
                                                "expected another name"))
            elif text := bare_text(owner, arg.name):
                problems.append((request.place, text))
    for segment in model.segments:
        prepared = segment.prepared
        if prepared is not None and prepared.name in (field.name for field in prepared.args):
            problems.append((segment.place, f"'prepared' of segment '{segment.name}' has the name of its argument "
                                            f"'{prepared.name}'; expected another name"))
    for transport in model.transports:
        for option in transport.options:
            if option.name in KEYWORDS:
                problems.append((transport.place, keyword_text(f"option of transport '{transport.name}'", option.name)))
    return problems


def macros(model: Model) -> Iterator[Claim]:
    """Enumerators and macros, which share one name space."""
    for enum in model.enums:
        for member in enum.members:
            yield enumerator(member), f"member '{member.name}' of enum '{enum.name}'", member.place
    for segment in model.segments + model.cqes:
        yield from segment_macros(segment)


def segment_macros(segment: Segment) -> Iterator[Claim]:
    stem = seg_macro(segment)
    for suffix in ("SIZE", "UNITS", "TAIL"):
        yield f"{stem}_{suffix}", f"the {suffix} of {segment.kind} '{segment.name}'", segment.place
    for field in segment.fields:
        if field.is_bytes or not field.in_struct:
            continue
        for suffix in ("MIN", "MAX"):
            what = f"the {suffix} of field '{field.name}' of {segment.kind} '{segment.name}'"
            yield f"{stem}_{field.name.upper()}_{suffix}", what, field.place


def functions(model: Model) -> Iterator[Claim]:
    for name in ENDINGS:
        yield f"segue_{name}", "a function that every queue has", LIBRARY
    for enum in model.enums:
        yield f"segue_{enum.name}_name", f"the names of enum '{enum.name}'", enum.place
    for segment in model.segments + model.cqes:
        stem = seg(segment)
        for suffix in ("pack", "unpack", "check", "bytes", "prepare", "pack_prepared"):
            yield f"{stem}_{suffix}", f"a function of {segment.kind} '{segment.name}'", segment.place
    yield from overloads(model)


def unbuilt(model: Model) -> set[str]:
    """Builder functions that do not exist, because no layout has the segment."""
    calls = {element.segment.call for element in all_elements(model) if element.segment}
    return {f"segue_{s.call}{end}" for s in model.segments if s.call not in calls for end in ("", "_list")}


def overloads(model: Model) -> Iterator[Claim]:
    """Functions of one name for several types. Segments may share one, and so may options."""
    for segment in first_of((s.call, s) for s in model.segments if s.control is None):
        yield f"segue_{segment.call}", f"the builder function of segment '{segment.name}'", segment.place
        yield f"segue_{segment.call}_list", f"the list function of segment '{segment.name}'", segment.place
    for name, place in first_of((o.name, (o.name, t.place)) for t in model.transports for o in t.options):
        yield f"segue_{name}", f"the function of option '{name}'", place
    for request in first_of((r.call, r) for r in model.work_requests):
        yield f"segue_{request.call}", f"the function of work request '{request.name}'", request.place
        yield f"segue_post_{request.call}", f"the one call of work request '{request.name}'", request.place


def first_of(named: Iterable[tuple[str, T]]) -> list[T]:
    """The first of each name."""
    found: dict[str, T] = {}
    for name, one in named:
        found.setdefault(name, one)
    return list(found.values())


def tags(model: Model) -> Iterator[Claim]:
    """Names of structs and enums."""
    for segment in model.segments + model.cqes:
        yield seg(segment), f"the struct of {segment.kind} '{segment.name}'", segment.place
    for enum in model.enums:
        yield f"segue_{enum.name}", f"enum '{enum.name}'", enum.place
    for transport in model.transports:
        yield f"segue_{transport.name}_sq", f"the send queue of transport '{transport.name}'", transport.place
    for request in model.work_requests:
        for queue in request.queues:
            what = f"the arguments of work request '{request.name}' on {queue}"
            yield f"segue_{queue}_{request.call}_args", what, request.place
    for name, segment in first_of((s.prepared.name, (s.prepared.name, s)) for s in model.segments if s.prepared):
        yield f"segue_{name}", f"the prepared struct of segment '{segment.name}'", segment.place


def clashes(model: Model, claims: Iterable[Claim], known: frozenset[str]) -> list[Problem]:
    """One problem for each name that the library has, or that is claimed again, at the later of the two."""
    problems: list[Problem] = []
    first: dict[str, Claim] = {}
    files = {file: number for number, file in enumerate(model.files)}
    for name, what, place in sorted(claims, key=lambda c: (files.get(c[2].file, -1), c[2].line)):
        if name in known and place is not LIBRARY:
            problems.append((place, f"{what} is {name} in C, a name that the library has itself; expected another name"))
        elif name not in first:
            first[name] = (name, what, place)
        elif first[name][1] != what:
            _, other, other_place = first[name]
            where = f" ({other_place})" if other_place.file else ""
            problems.append((place, f"{what} is {name} in C, already the name of {other}{where}"))
    return problems
