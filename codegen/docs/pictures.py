# SPDX-License-Identifier: BSD-2-Clause
"""Pictures of machines and of a transport's states.

A box is a segment in a WQE. An arrow leads to a segment that may follow.
"""

from __future__ import annotations

from dataclasses import dataclass

from codegen.machine.automaton import Edge, Machine, MachineState, Start, Symbol, states_of
from codegen.docs.drawing import Arrow, Box, Picture, graph
from codegen.model.model import Transport

OWN_PICTURE = 12  # boxes from which a family of requests gets a picture of its own
ANY_STATE = 3  # a transition from at least this number of states is drawn from one box that names them


def _families(machine: Machine) -> list[list[Start]]:
    """Requests that share a state (other than a last one) or an opcode belong together."""
    families: list[tuple[set[object], list[int]]] = []  # what they share, and the numbers of the requests
    for number, start in enumerate(machine.starts):
        keys: set[object] = {s.index for s in states_of(start) if s.edges}
        keys |= {start.request.opcode.name} if start.request.opcode else set()
        met = [family for family in families if family[0] & keys]
        families = [family for family in families if not family[0] & keys]
        families.append((keys.union(*(shared for shared, _ in met)), sorted(sum((numbers for _, numbers in met), [number]))))
    return [[machine.starts[number] for number in numbers] for numbers in sorted(numbers for _, numbers in families)]


BoxKey = tuple[int, tuple[int, ...]]  # the state after a box, and the states before it


def _repeats(states: dict[int, MachineState], shared: dict[BoxKey, list[Edge]]) -> dict[BoxKey, list[BoxKey]]:
    """Boxes that repeat one segment and differ only in how often it may still come: the first of them → all of them."""
    chains: dict[BoxKey, list[BoxKey]] = {}
    within: set[BoxKey] = set()
    for key in sorted(shared):
        if key in within or len(shared[key]) != 1:
            continue
        chain = [key]
        while True:
            here, edge = chain[-1][0], shared[key][0]
            again = [k for k, edges in shared.items()
                     if k[1] == (here,) and k not in chain and [e.symbol for e in edges] == [edge.symbol]]
            if len(again) != 1 or not _same_but(states[here], states[again[0][0]], edge):
                break
            chain.append(again[0])
        if len(chain) > 1:
            for inner in chain[1:]:
                chains.pop(inner, None)
            chains[key] = chain
            within.update(chain)
    return chains


def _same_but(a: MachineState, b: MachineState, edge: Edge) -> bool:
    """Two states have the same ways on, apart from one more of the same segment."""
    def others(state: MachineState) -> set:
        return {(e.symbol, e.to.index) for e in state.edges if e.symbol != edge.symbol}

    return a.accepting == b.accepting and others(a) == others(b)


def _machine_graph(starts: list[Start]) -> tuple[list[Box], list[Arrow]]:
    """Boxes for requests and for the segments after them. Segments that come from the same states and lead to the
    same one share a box, and so do repetitions of one segment."""
    states = {s.index: s for start in starts for s in states_of(start)}
    boxes: list[Box] = []
    into: dict[int, list[str]] = {}  # state → boxes that lead to it
    said: dict[str, str] = {}  # box → its text, for the titles of arrows
    by_start: dict[int, list[Start]] = {}
    for start in starts:
        by_start.setdefault(start.to.index, []).append(start)
    for index, group in by_start.items():
        style = "request_end" if states[index].accepting else "request"
        boxes.append(Box(f"start {index}", style, [(s.request.name, "strong", 12) for s in group], str(index), 12, column=1))
        into.setdefault(index, []).append(f"start {index}")
        said[f"start {index}"] = " | ".join(s.request.name for s in group)
    sources: dict[tuple[int, Symbol], list[int]] = {}
    drawn: dict[tuple[int, Symbol], Edge] = {}
    for index in sorted(states):
        for edge in states[index].edges:
            sources.setdefault((edge.to.index, edge.symbol), []).append(index)
            drawn.setdefault((edge.to.index, edge.symbol), edge)
    shared: dict[BoxKey, list[Edge]] = {}
    for key, edge in drawn.items():
        shared.setdefault((key[0], tuple(sources[key])), []).append(edge)
    chains = _repeats(states, shared)
    names = {key: f"to {key[0]} from {key[1]}" for key in shared}
    for head, chain in chains.items():
        names.update({key: names[head] for key in chain})
    for key, edges in shared.items():
        into.setdefault(key[0], []).append(names[key])
        if any(key in chain[1:] for chain in chains.values()):
            continue
        style = "end" if states[key[0]].accepting else "segment"
        if all(e.symbol.by == "queue" for e in edges):
            style = "by_queue"
        same = [k[0] for k in chains.get(key, [key])]
        lines = [line for edge in edges for line in _box_lines(edge, len(same))]
        boxes.append(Box(names[key], style, lines, " ".join(map(str, same))))
        said[names[key]] = " | ".join(dict.fromkeys(e.segment.name for e in edges))
    arrows = {}
    for key in shared:
        for source in key[1]:
            for before in into.get(source, []):
                title = f"{said[before]} → {said[names[key]]}"
                arrows[before, names[key]] = Arrow(before, names[key], title=title)
    return boxes, list(arrows.values())


def _box_lines(edge: Edge, times: int) -> list[tuple[str, str, int]]:
    shown = edge.segment.name + ("[ ]" if edge.symbol.op == "list" else "") + (f" ≤{times}×" if times > 1 else "")
    lines = [(shown, "label", 12)]
    written = edge.symbol.by == "program" and edge.symbol.op != "terminator"
    if edge.segment.call != edge.segment.name and written:
        lines.append((f"segue_{edge.call}()", "quiet", 9))
    return lines


@dataclass
class Family:
    """Requests of one queue that are drawn together."""

    picture: Picture
    starts: list[Start]


def machine_pictures(machine: Machine) -> list[Family]:
    groups: list[list[Start]] = []
    rest: list[Start] = []
    for family in _families(machine):
        if len(_machine_graph(family)[0]) >= OWN_PICTURE:
            groups.append(family)
        else:
            rest += family
    if rest:
        groups.append(rest)
    found = []
    for number, starts in enumerate(groups, 1):
        boxes, arrows = _machine_graph(starts)
        path = f"transports/{machine.name}-queue" + (f"-{number}" if len(groups) > 1 else "")
        title = f"What may follow what on {machine.name}: {', '.join(s.request.name for s in starts)}"
        picture = graph(path, title, boxes, arrows)
        picture.items = [s.request for s in starts]
        found.append(Family(picture, starts))
    return found


def state_picture(transport: Transport) -> Picture:
    boxes, arrows = [], []
    for state in transport.states:
        posts = [(f"send {state.send:>7}", "label", 11), (f"recv {state.recv:>7}", "label", 11)]
        style = state.send if state.send != "none" else state.recv
        boxes.append(Box(state.name, style, [(state.name, "strong", 14), *posts], r=8))
    for number, transition in enumerate(transport.transitions, 1):
        style = "device" if transition.by == "device" else "edge"
        title = f"{number}. {transition.doc}"
        sources = transition.sources
        if len(sources) >= ANY_STATE:
            name = f"from {number}"
            others = [s.name for s in transport.states if s.name not in sources]
            text = "any state" if not others else f"any but {', '.join(others)}"
            boxes.append(Box(name, "from", [(text, "quiet", 10)], r=8))
            sources = [name]
        arrows += [Arrow(source, transition.to, style, str(number), title) for source in sources]
    picture = graph(f"transports/{transport.name}-states", f"States of {transport.name}", boxes, arrows, gap=0.35)
    picture.items = [transport]
    return picture
