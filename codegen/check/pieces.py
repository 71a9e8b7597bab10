# SPDX-License-Identifier: BSD-2-Clause
"""Fields of pieces that the builder writes by itself: the mark of the last piece, and the lap of the ring."""

from __future__ import annotations

from typing import Iterator

from codegen.check.size_fields import is_bit, payloads, rests
from codegen.load.load import Problem
from codegen.machine.automaton import Edge, MachineState, Start, elements, machines, states_of
from codegen.model.model import Model, Segment, WorkRequest


def check_pieces(model: Model) -> list[Problem]:
    problems: list[Problem] = []
    for machine in machines(model):
        for start in machine.starts:
            request, owner = start.request, f"work request '{start.request.name}'"
            texts = [text for name in sorted(machine.written(request)) for text in field_texts(model, owner, start, name)]
            if request.ends and not texts:
                texts = end_texts(owner, start, request.ends[0])
            problems += [(request.place, text) for text in texts]
    return problems


def field_texts(model: Model, owner: str, start: Start, name: str) -> list[str]:
    """Reasons why the builder cannot write this field by itself."""
    request, control = start.request, start.request.control
    uses = [e for e in elements(start.layout) if e.segment and e.segment.get(name)]
    segments: list[Segment] = [e.segment for e in uses if e.segment] + ([control] if control and control.get(name) else [])
    texts = [] if segments else [f"{owner} is told by '{name}', and none of its segments has such a field; expected one that has"]
    if model.device.entry:
        texts.append(f"{owner} is told by '{name}', and entries of device '{model.device.name}' go on in another ring; expected them in one piece")
    for segment, found in {s.name: s for s in segments}.items():
        field = found.get(name)
        if field is None or not is_bit(field):
            texts.append(f"'{name}' of segment '{segment}' is no bit; expected one, as {owner} is told by it")
        elif found.prepared:
            texts.append(f"segment '{segment}' is prepared and has '{name}'; expected it not to be, as {owner} is told by it")
    if any(name in e.fixed for e in uses) or control and name in [*request.fixed, *(a.field.name for a in request.args)]:
        texts.append(f"{owner} gives '{name}', which the builder writes itself")
    if name != (request.ends or ("",))[0] and any(a.name in ("lap", "turn") for a in request.args):
        texts.append(f"{owner} has an argument 'lap' or 'turn'; expected another name, as the builder is told the lap by these")
    return texts


def end_texts(owner: str, start: Start, name: str) -> list[str]:
    """Reasons why the pieces do not show the end of the request."""
    control = start.request.control
    texts = [f"{owner} may go on behind its last piece with segment '{edge.segment.name}', which does not have '{name}'; expected nothing there"
             for state in states_of(start) if state.accepting for edge in state.edges if not edge.symbol.piece]
    texts += [f"{owner} may go on with segment '{later.segment.name}' behind segment '{edge.segment.name}', which comes behind the last piece; "
              f"expected no segment with '{name}' there"
              for state in states_of(start) if is_mixed(state) for edge in state.edges if not edge.symbol.piece
              for later in reached(edge.to) if later.symbol.piece]
    if not (control and control.get(name)) and any(state.accepting for state in without_pieces(start.to)):
        texts.append(f"{owner} can end without a segment that has '{name}'; expected one on each way")
    texts += [f"{owner} has segment '{e.segment.name}', whose tail has no length in it; expected a field that counts its bytes, beside 'ends'"
              for e in elements(start.layout) if e.segment and rests(e) and not e.told]
    if payloads(start.layout, lambda element: element.told) > 1:
        texts.append(f"{owner} has several payloads, and one field for their length; expected one")
    return list(dict.fromkeys(texts))


def is_mixed(state: MachineState) -> bool:
    """The edges of a state differ by whether the last piece has come."""
    return len({edge.symbol.piece is None for edge in state.edges}) > 1


def reached(state: MachineState) -> Iterator[Edge]:
    for other in states_of(Start(None, state, [])):  # type: ignore[arg-type]
        yield from other.edges


def without_pieces(state: MachineState) -> list[MachineState]:
    """The states that are reached without a piece."""
    found = [state]
    for here in found:  # the list grows in the loop
        found += [edge.to for edge in here.edges if not edge.symbol.piece and all(edge.to is not known for known in found)]
    return found


def check_queue_sizes(model: Model) -> list[Problem]:
    """A queue's own sizes are valid, and a request has one set of them."""
    problems: list[Problem] = []
    for queue in [*model.transports, *model.device.queues]:
        unit, owner = model.sizes(queue.name)[0], f"'unit' of '{queue.name}'"
        if queue.sizes and model.device.ring:
            problems.append((queue.place, f"'{queue.name}' has 'sizes'; expected them only on a device that posts to blocks"))
        elif unit < 4 or unit & (unit - 1):
            problems.append((queue.place, f"{owner} is {unit}; expected a power of two, at least 4"))
    return problems + [(request.place, text) for request in model.work_requests for text in one_size_texts(model, request)]


def one_size_texts(model: Model, request: WorkRequest) -> list[str]:
    sizes = {queue: model.sizes(queue) for queue in request.queues}
    if len(set(sizes.values())) < 2:
        return []
    return [f"work request '{request.name}' is on queues whose entries have different sizes, {' and '.join(sizes)}; expected a request for each"]
