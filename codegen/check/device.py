# SPDX-License-Identifier: BSD-2-Clause
"""The device: consistent sizes, and a control segment that its way of posting can write."""

from __future__ import annotations

from typing import Callable, Optional

from codegen.machine.automaton import elements
from codegen.check.size_fields import counted_texts, is_plain, odd_text, rests
from codegen.check.fields import value_text
from codegen.check.pieces import check_queue_sizes
from codegen.check.rings import check_rings
from codegen.check.overflow_ring import check_spill
from codegen.load.load import Problem
from codegen.model.model import Control, Device, Element, Field, Member, Model, Segment, Transport, WorkRequest

# Bytes that a ring's builder makes in one register, stores, and passes to the doorbell.
FIRST_WORD = 8
# Bits of the builder's variables. It counts blocks modulo 2 to the power 16 (segue/detail/build.h).
WIDTHS = {"opcode": 8, "opmod": 8, "size": 8, "queue": 32}
INDEX_WIDTH = 16
# Bits of an opcode of blocks in the tables (segue/tables.h).
CODE_WIDTH = 32


def check_device(model: Model) -> list[Problem]:
    problems: list[Problem] = []
    for device in model.devices:
        problems += check_sizes(device)
        problems += check_queues(model, device) + check_queue_sizes(model)
        if device.c_prefix and device.runtime:
            problems.append((device.place, f"device '{device.name}' has 'c_prefix' and 'runtime: {device.runtime}'; expected no prefix, as the "
                                           "runtime's names have none"))
        if not problems:
            problems += [(control.place, text) for control in model.controls
                         for text in control_texts(model, device, control)]
            problems += check_opcodes(model)
            problems += check_spill(model)
            problems += check_rings(model, device)
            problems += [problem for request in model.work_requests for problem in check_request(model, device, request)]
            problems += check_set_once(model)
    return problems


# If a field were set twice, the values would be or-ed, or the later would win


def check_set_once(model: Model) -> list[Problem]:
    """Each field of the control segment is set in one way: by a flag of the request, an argument, a key of `with` or an option."""
    problems: list[Problem] = []
    for request in (r for r in model.work_requests if r.control):
        setters = [(f"argument '{a.name}'", a.field) for a in request.args]
        setters += [("'counts'", one.field) for one in request.sums]
        setters += [("'table'", request.control.get(request.table.told))] if request.table else []
        setters += [("'ends'", field) for field in [request.control.get(request.ends[0])] if field] if request.ends else []
        setters += [("'counts'", request.size)] if request.counts and request.size else []
        owner = f"work request '{request.name}'"
        problems += [(request.place, text)
                     for text in twice_texts(request.control, owner, request.flags, setters)]
        for transport in (t for t in model.transports if t.name in request.transports):
            later = max(transport.place, request.place, key=model.order)
            problems += [(later, text) for text in option_texts(model, request, transport, setters)]
    return problems


def twice_texts(control: Segment, owner: str, flags: list[Member],
                setters: list[tuple[str, Field]]) -> list[str]:
    texts: list[str] = []
    assert control.control is not None
    fields = control.control.flags
    for number, (who, field) in enumerate(setters):
        for other, same in setters[:number]:
            if same is field:
                texts.append(f"{owner} sets '{field.name}' of '{control.name}' by {other} and by "
                             f"{who}; expected one of them")
        by = [f for f in flags if field in fields and f.value >> field.lsb & (1 << field.width) - 1]
        if by:
            texts.append(f"{owner} sets '{field.name}' of '{control.name}' by flag '{by[0].name}' "
                         f"and by {who}; expected one of them")
    return texts


def option_texts(model: Model, request: WorkRequest, transport: Transport, setters: list[tuple[str, Field]]) -> list[str]:
    """Any request of the transport may carry its options, whatever its control segment."""
    owner = f"work request '{request.name}'"
    control = request.control
    assert control is not None
    named = [(f"option '{o.name}' of transport '{transport.name}'", o.field.name, control.get(o.field.name)) for o in transport.options]
    options = [(who, field) for who, _, field in named if field is not None and field.in_struct and not field.is_bytes]
    if len(options) < len(named):
        return [f"{owner} begins with '{control.name}', which has no number '{name}' for {who}; expected one, or the option elsewhere"
                for who, name, field in named if (who, field) not in options]
    fixed = [("'with'", field) for field in map(control.get, request.fixed) if field is not None]
    known = twice_texts(control, owner, request.flags, setters)
    return [text for text in twice_texts(control, owner, request.flags, setters + fixed + options)
            if text not in known]


# Sizes


def check_sizes(device: Device) -> list[Problem]:
    sizes = device.sizes
    follows: dict[str, tuple[str, Callable[[], int]]] = {
        "block_shift": ("the base-2 logarithm of 'block'", lambda: sizes["block"].bit_length() - 1),
        "largest_bytes": ("'largest' times 'unit'", lambda: sizes["largest"] * sizes["unit"]),
    }
    texts: list[tuple[str, str]] = []
    for key in ("unit", "block"):
        if sizes[key] < 4 or sizes[key] & (sizes[key] - 1):
            texts.append((key, f"'{key}' of device '{device.name}' is {sizes[key]}; expected a power of two, at least 4"))
    if not texts and sizes["block"] % sizes["unit"]:
        texts.append(("block", f"'block' of device '{device.name}' is {sizes['block']}; expected a multiple of its 'unit' "
                               f"{sizes['unit']}"))
    if sizes["largest"] * sizes["unit"] < sizes["block"] and not texts:
        texts.append(("largest", f"'largest' of device '{device.name}' is {sizes['largest']} units of {sizes['unit']} bytes; "
                                 f"expected at least one block of {sizes['block']}"))
    for key, (what, value) in follows.items():
        if key in sizes and sizes[key] != value():
            texts.append((key, f"'{key}' of device '{device.name}' is {sizes[key]}; expected {value()}, {what}"))
    entry = sizes.get("entry")
    if entry is not None and not texts and (device.ring or entry % sizes["unit"] or not 0 < entry < sizes["largest"] * sizes["unit"]):
        texts.append(("entry", f"'entry' of device '{device.name}' is {entry}; expected, on a device that posts to blocks, a multiple "
                               f"of its 'unit' {sizes['unit']} below the {sizes['largest'] * sizes['unit']} bytes of the largest request"))
    if "index_mask" in sizes and sizes["index_mask"] != (1 << INDEX_WIDTH) - 1:
        texts.append(("index_mask", f"'index_mask' of device '{device.name}' is 0x{sizes['index_mask']:x}; expected "
                                    f"0x{(1 << INDEX_WIDTH) - 1:x}, as blocks are counted in {INDEX_WIDTH} bits"))
    return [(device.size_places[key], text) for key, text in texts]


def check_queues(model: Model, device: Device) -> list[Problem]:
    known = [queue.name for queue in device.queues]
    problems = [(queue.place, f"device '{device.name}' has two kinds of queue '{queue.name}'")
                for number, queue in enumerate(device.queues) if queue.name in known[:number]]
    problems += [(queue.place, f"the kind of queue '{queue.name}' has the name of a transport; expected another name")
                 for queue in device.queues if any(t.name == queue.name for t in model.transports)]
    return problems


# The control segment


def control_texts(model: Model, device: Device, segment: Segment) -> list[str]:
    control = segment.control
    assert control is not None
    if segment.size % device.unit and device.ring:
        return [f"the control segment '{segment.name}' has {segment.size} bytes; expected a multiple of the unit of "
                f"{device.unit} bytes"]
    if control.size is not None and control.size.max < device.largest and device.posting == "ring":
        return [f"'{control.size.name}' of the control segment holds at most {control.size.max}, and the largest WQE of device "
                f"'{device.name}' has {device.largest} units"]
    return ring_texts(model, segment, control) if device.posting == "ring" else block_texts(segment, control)


def block_texts(segment: Segment, control: Control) -> list[str]:
    """Reasons why a builder of blocks cannot write this control segment."""
    texts = [f"'control' of segment '{segment.name}' has '{part}'; expected it only where WQEs are posted to a ring"
             for part in ("index", "queue", "imm", "signature") if getattr(control, part) is not None]
    texts += [f"'{field.name}', the {part} of 'control', lies in several places; expected one"
              for part, field in [*control.parts, *(("flags", f) for f in control.flags)] if field.pieces]
    texts += [f"'{field.name}', the {part} of 'control', has {field.width} bits; expected at most {CODE_WIDTH}"
              for part, field in control.parts if part in ("opcode", "opmod") and field.width > CODE_WIDTH]
    return texts + [f"'{field.name}', the {part} of 'control', {odd_text(field)}"
                    for part, field in control.parts if part in ("size", "spill") and not is_plain(field)]


def check_opcodes(model: Model) -> list[Problem]:
    """Requests of one queue all have a control segment or none has, and their opcodes lie at one place, because an opcode is read
    before its control segment is known."""
    problems: list[Problem] = []
    first: dict[str, WorkRequest] = {}
    for request in model.work_requests:
        for queue in request.queues:
            other = first.setdefault(queue, request)
            if request.control is None or other.control is None:
                if request.control is not other.control:
                    begun, bare = (request, other) if request.control else (other, request)
                    problems.append((request.place, f"work request '{begun.name}' on '{queue}' begins with '{begun.control.name}', and "
                                                    f"'{bare.name}' has no control segment; expected one in all requests of a queue, or in none"))
                continue
            for part in ("opcode", "opmod"):
                if place_of(request, part) != place_of(other, part):
                    problems.append((request.place, f"work request '{request.name}' on '{queue}' "
                                                    f"has its {part} at another place than "
                                                    f"'{other.name}'; expected it where the "
                                                    f"control segment '{other.control.name}' has "
                                                    "it"))
    return problems


def place_of(request: WorkRequest, part: str) -> Optional[tuple[int, int]]:
    assert request.control is not None
    field = getattr(request.control.control, part)
    return (field.first_bit, field.width) if field else None


def ring_texts(model: Model, segment: Segment, control: Control) -> list[str]:
    """Reasons why the builder of rings cannot write this control segment."""
    if any(f.signed for f in segment.fields):
        return [f"the control segment '{segment.name}' has signed fields; expected none where WQEs are posted to a ring"]
    translated = [f"'{f.name}' of the control segment '{segment.name}' has '{'minus' if f.minus else 'zero_means'}'; expected a plain "
                  "number, which is what the builder of rings writes" for f in segment.fields if f.translated]
    if translated:
        return translated
    if any(f.little for f in segment.fields):
        return [f"the control segment '{segment.name}' is little-endian; expected big-endian words where WQEs are posted to a ring"]
    missing = [part for part in ("opcode", "opmod", "index", "queue", "size", "imm") if getattr(control, part) is None]
    if missing:
        return [f"'control' of segment '{segment.name}' lacks '{part}'; expected it where WQEs are posted to a ring"
                for part in missing]
    if not control.flags:
        return [f"'control' of segment '{segment.name}' has no 'flags'; expected them where WQEs are posted to a ring"]
    texts = [text for part, field in control.parts for text in first_word_texts(part, field)]
    return texts + rest_texts(model, segment, control)


def check_request(model: Model, device: Device, request: WorkRequest) -> list[Problem]:
    owner = f"work request '{request.name}'"
    texts: list[str] = []
    if device.ring:
        texts += [f"{owner} has '{key}'; expected it only on a device that posts to blocks"
                  for key, value in (("with", request.fixed), ("counts", request.counts), ("ends", request.ends), ("table", request.table),
                                     ("least", request.least)) if value]
        texts += [f"{owner} has segment '{e.segment.name}', whose tail takes its length from the control segment; expected a "
                  "'length' on a device that posts to a ring" for e in elements(request.layout) if e.segment and rests(e)]
    else:
        texts += [text for e in elements(request.layout) for text in element_texts(owner, e)]
        if request.control is not None:
            texts += counted_texts(owner, model, request)
            texts += fixed_texts(owner, request)
    return [(request.place, text) for text in texts]


def element_texts(owner: str, element: Element) -> list[str]:
    if element.op in ("list", "terminator"):
        return [f"{owner} has a '{element.op}'; expected it only on a device that posts to a ring"]
    if element.by == "queue" and element.segment is not None and element.segment.fields:
        return [f"{owner} has 'by: queue' for segment '{element.segment.name}', which has fields; expected a gap, a segment with "
                "nothing but reserved places, on a device that posts to blocks"]
    return []


def fixed_texts(owner: str, request: WorkRequest) -> list[str]:
    segment = request.control
    assert segment is not None and segment.control is not None
    control = segment.control
    given = [argument.field.name for argument in request.args] + [field.name for field in control.flags]
    texts: list[str] = []
    for name, value in request.fixed.items():
        field = segment.get(name)
        assert field is not None
        if field.const is not None or field.is_bytes:
            texts.append(f"'with' of {owner} fixes '{name}', which is not a number that varies")
        elif name in given:
            texts.append(f"'with' of {owner} fixes '{name}', which is an argument or a flag of it as well")
        elif text := value_text(field, value, f"'with' of {owner} fixes '{name}' to"):
            texts.append(text)
    return texts


def first_word_texts(part: str, field: Field) -> list[str]:
    if field.first_bit + field.width > FIRST_WORD * 8:
        return [f"'{field.name}', the {part} of 'control', lies behind the first {FIRST_WORD} bytes; expected it there, since the "
                "doorbell takes these"]
    if part == "index" and field.width != INDEX_WIDTH:
        return [f"'{field.name}', the index of 'control', has {field.width} bits; expected {INDEX_WIDTH}, in which rings are counted"]
    if part in WIDTHS and field.width > WIDTHS[part]:
        return [f"'{field.name}', the {part} of 'control', has {field.width} bits; expected at most {WIDTHS[part]}, which is what "
                "the builder keeps"]
    return []


def rest_texts(model: Model, segment: Segment, control: Control) -> list[str]:
    """After the first word the builder writes two dwords: that of the flags, and the immediate."""
    imm, flags = control.imm, control.flags[0].byte
    assert imm is not None
    texts: list[str] = []
    for field in control.flags:
        if field.word != 32 or field.byte < FIRST_WORD:
            texts.append(f"'{field.name}' of the 'flags' of 'control' lies in byte {field.byte}; expected a dword behind the first "
                         f"{FIRST_WORD} bytes")
    if imm.is_bytes or imm.width != 32 or imm.word != 32 or imm.byte < FIRST_WORD:
        texts.append(f"'{imm.name}', the imm of 'control', has {imm.width} bits in byte {imm.byte}; expected a whole dword behind "
                     f"the first {FIRST_WORD} bytes")
    if texts:
        return texts
    written = {imm.byte, flags}
    if len(written) < 2 or segment.size != FIRST_WORD + 4 * len(written):
        texts.append(f"the control segment '{segment.name}' has {segment.size} bytes; expected {FIRST_WORD + 8}: {FIRST_WORD} for "
                     "the doorbell, a dword with the flags and one with the immediate")
    given = [(f"argument '{a.name}' of work request '{r.name}'", a.field) for r in model.work_requests for a in r.args]
    given += [(f"option '{o.name}' of transport '{t.name}'", o.field) for t in model.transports for o in t.options]
    for owner, field in given:
        if field is not imm and (field.word != 32 or field.byte != flags):
            texts.append(f"{owner} is the field '{field.name}'; expected the immediate or a field in the dword of the flags, which "
                         "are what the builder writes")
    return texts
