# SPDX-License-Identifier: BSD-2-Clause
"""The device: sizes that agree, and a control segment that its way of posting can write."""

from __future__ import annotations

from typing import Callable

from codegen.load import Problem
from codegen.model import Control, Device, Field, Model, Segment

# What a ring's builder makes in one register, stores, and hands to the doorbell.
FIRST_WORD = 8
# The builder keeps them in variables of so many bits, and counts blocks modulo 2 to the power 16 (segue/build.h).
WIDTHS = {"opcode": 8, "opmod": 8, "size": 8, "queue": 32}
INDEX_WIDTH = 16


def check_device(model: Model) -> list[Problem]:
    problems: list[Problem] = []
    for device in model.devices:
        problems += check_sizes(device)
        problems += check_queues(model, device)
        if not problems:
            problems += [(model.control.place, text) for text in control_texts(model, device)]
    return problems


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


def control_texts(model: Model, device: Device) -> list[str]:
    segment = next((s for s in model.segments if s.control), None)
    if segment is None:
        return []
    control = segment.control
    assert control is not None
    if segment.size % device.unit:
        return [f"the control segment '{segment.name}' has {segment.size} bytes; expected a multiple of the unit of "
                f"{device.unit} bytes"]
    if control.size is not None and control.size.max < device.largest and device.posting == "ring":
        return [f"'{control.size.name}' of the control segment holds at most {control.size.max}, and the largest WQE of device "
                f"'{device.name}' has {device.largest} units"]
    return ring_texts(model, segment, control) if device.posting == "ring" else []


def ring_texts(model: Model, segment: Segment, control: Control) -> list[str]:
    """Why the builder of rings cannot write this control segment."""
    if any(f.little for f in segment.fields):
        return [f"the control segment '{segment.name}' is little-endian; expected big-endian words where WQEs are posted to a ring"]
    missing = [part for part in ("opmod", "index", "queue", "size", "imm") if getattr(control, part) is None]
    if missing:
        return [f"'control' of segment '{segment.name}' lacks '{part}'; expected it where WQEs are posted to a ring"
                for part in missing]
    if not control.flags:
        return [f"'control' of segment '{segment.name}' has no 'flags'; expected them where WQEs are posted to a ring"]
    texts = [text for part, field in control.parts for text in first_word_texts(part, field)]
    return texts + rest_texts(model, segment, control)


def first_word_texts(part: str, field: Field) -> list[str]:
    if field.first_bit + field.width > FIRST_WORD * 8:
        return [f"'{field.name}', the {part} of 'control', lies behind the first {FIRST_WORD} bytes; expected it there, since the "
                "doorbell takes these"]
    if part == "index" and field.width != INDEX_WIDTH:
        return [f"'{field.name}', the index of 'control', has {field.width} bits; expected {INDEX_WIDTH}, in which rings are counted"]
    if part in WIDTHS and field.width > WIDTHS[part]:
        return [f"'{field.name}', the {part} of 'control', has {field.width} bits; expected at most {WIDTHS[part]}, which is what "
                "the builder keeps"]
    if field.zero_means is not None:
        return [f"'{field.name}', the {part} of 'control', has 'zero_means'; expected a plain number"]
    return []


def rest_texts(model: Model, segment: Segment, control: Control) -> list[str]:
    """Behind the first word the builder writes two dwords: that of the flags, and the immediate."""
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
