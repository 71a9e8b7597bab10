# SPDX-License-Identifier: BSD-2-Clause
"""Transports: reachable states, and attributes that are set when they are needed."""

from __future__ import annotations

from typing import Optional

from codegen.load.load import Problem
from codegen.model.model import Model, Place, State, Transition, Transport


def check_transports(model: Model) -> list[Problem]:
    return [problem for transport in model.transports
            for problem in check_states(transport) + check_transitions(transport) + check_needs(transport)]


def check_states(transport: Transport) -> list[Problem]:
    problems: list[Problem] = []
    seen: dict[str, Place] = {}
    reachable = always_set(transport)
    for state in transport.states:
        if state.name in seen:
            problems.append((state.place, f"transport '{transport.name}' has two states {state.name}, first in line "
                                          f"{seen[state.name].line}"))
        elif state.name not in reachable:
            problems.append((state.place, f"state {state.name} of transport '{transport.name}' cannot be reached from "
                                          f"{transport.initial}; expected a transition to it"))
        seen.setdefault(state.name, state.place)
    for side in ("send", "recv"):
        problems += check_side(transport, side)
    return problems


def check_side(transport: Transport, side: str) -> list[Problem]:
    """A queue that does not exist does not exist in any state."""
    without = [state for state in transport.states if getattr(state, side) == "none"]
    if not without or len(without) == len(transport.states):
        return []
    other = next(state for state in transport.states if getattr(state, side) != "none")
    return [(without[0].place, f"state {without[0].name} of transport '{transport.name}' has '{side}: none', and state "
                               f"{other.name} has not; expected none in all states or in no state")]


def check_transitions(transport: Transport) -> list[Problem]:
    problems: list[Problem] = []
    seen: dict[tuple[str, str], Place] = {}
    for transition in transport.transitions:
        for source in transition.sources:
            key = (source, transition.to)
            if key in seen:
                problems.append((transition.place, f"transport '{transport.name}' has the transition from {source} to "
                                                   f"{transition.to} already, in line {seen[key].line}"))
            seen.setdefault(key, transition.place)
        problems += check_attributes(transition)
    return problems


def check_attributes(transition: Transition) -> list[Problem]:
    problems: list[Problem] = []
    optional = [member.name for member in transition.optional]
    for member in transition.required:
        if member.name in optional:
            problems.append((transition.place, f"the transition to {transition.to} has {member.name} under 'required' and "
                                               "under 'optional'; expected one of them"))
    if transition.by == "device" and (transition.required or transition.optional):
        problems.append((transition.place, f"the transition to {transition.to} is made by the device and has attributes; "
                                           "expected them on a transition that the program makes"))
    return problems


# needs: attributes that must have been set on every way into a state.


def check_needs(transport: Transport) -> list[Problem]:
    settable = {member.name for t in transport.transitions for member in t.required + t.optional}
    sure = always_set(transport)
    return [(state.place, text) for state in transport.states for member in state.needs
            if (text := need_text(transport, state, member.name, settable, sure))]


def need_text(transport: Transport, state: State, name: str, settable: set[str],
              sure: dict[str, Optional[frozenset[str]]]) -> str:
    known = sure.get(state.name)
    if known is None:
        return ""  # another check reports unreachable states
    if name not in settable:
        return (f"state {state.name} of transport '{transport.name}' needs {name}, which no transition can set; expected it "
                "under 'required' on the way")
    if name in known:
        return ""
    return (f"state {state.name} of transport '{transport.name}' needs {name}, and can be reached without it; expected it "
            "under 'required' on every way")


def always_set(transport: Transport) -> dict[str, Optional[frozenset[str]]]:
    """The attributes that are set on every way from the initial state. None for a state that has not been reached yet."""
    sure: dict[str, Optional[frozenset[str]]] = {transport.initial: frozenset()}
    changed = True
    while changed:
        changed = False
        for transition in transport.transitions:
            for source in transition.sources:
                before = sure.get(source)
                if before is None:
                    continue
                after = before | {member.name for member in transition.required}
                known = sure.get(transition.to)
                merged = after if known is None else known & after
                if merged != known:
                    sure[transition.to] = merged
                    changed = True
    return sure
