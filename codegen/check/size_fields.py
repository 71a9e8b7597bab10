# SPDX-License-Identifier: BSD-2-Clause
"""Fields with the length of an entry, on a device that posts to blocks, and the other numbers that its
control segment counts."""

from __future__ import annotations

import math
from typing import Callable

from codegen.machine.size_field import rounding_of, unit_of
from codegen.machine.automaton import Edge, always, bits_of, elements, least, machines, most
from codegen.model.model import Element, Field, Model, Sum, WorkRequest


def rests(element: Element) -> bool:
    segment = element.segment
    return segment is not None and segment.tail is not None and segment.tail.rest


def is_plain(field: Field) -> bool:
    """The field can hold a count."""
    return not (field.is_bytes or field.enum or field.flags or field.never
                or field.translated or field.const is not None)


def is_bit(field: Field) -> bool:
    return field.width == 1 and is_plain(field)


def odd_text(field: Field) -> str:
    """The keys by which it is not a plain number."""
    keys = [key for key, value in (("const", field.const is not None), ("enum", field.enum), ("flags", field.flags), ("never", field.never),
                                   ("zero_means", field.zero_means is not None), ("minus", field.minus), ("signed", field.signed)) if value]
    said = " and ".join(f"'{key}'" for key in keys)
    return f"has {said}; expected a plain number, as it counts" if keys else "is a byte string; expected a number"


def counted_texts(owner: str, model: Model, request: WorkRequest) -> list[str]:
    texts = [text for one in request.sums for text in sum_texts(owner, request, one)]
    assert request.control is not None and request.control.control is not None
    if request.counts and request.size is None:
        texts.append(f"{owner} counts {request.counts}, and segment '{request.control.name}' "
                     "has no 'size'; expected the name of the field that counts")
    elif request.counts and not is_plain(request.size):
        texts.append(f"{owner} counts {request.counts} in '{request.size.name}', which {odd_text(request.size)}")
    texts += scale_texts(owner, model, request) + table_texts(owner, model, request)
    if request.ends and request.counts:
        texts.append(f"{owner} tells its length by 'ends' and by 'counts: {request.counts}'; expected one of them")
    if texts or request.ends:
        return texts
    if request.counts == "units":
        return texts + units_texts(owner, request) + padding_texts(owner, model, request)
    return texts + (behind_texts(owner, model, request) if request.counts
                    else length_texts(owner, model, request))


def table_texts(owner: str, model: Model, request: WorkRequest) -> list[str]:
    """The number of pieces shows how long the entry is with a table in front of them."""
    table = request.table
    if table is None:
        return []
    told, values, texts = request.control.get(table.told), [0, *(value for value, _ in table.forms)], []
    if request.counts != "entries" or request.scale.keys or len(request.layout) > 1 or len(request.layout[0].body) > 1 or model.device.entry:
        texts.append(f"{owner} has pieces with a 'table'; expected that it counts these entries as they are, that it has nothing else behind its "
                     "control segment, and that the device has no 'entry'")
    if not is_plain(told) or told.pieces or len(set(values)) < len(values) or not all(map(told.takes, values)):
        texts.append(f"{owner} tells by '{table.told}' which 'table' it has; expected a plain number that takes the values of the forms, and 0 for none")
    return texts


def scale_texts(owner: str, model: Model, request: WorkRequest) -> list[str]:
    """The number in the field determines one length, and no length is negative."""
    scale, counts, texts = request.scale, request.counts, []
    last = request.layout[-1] if request.layout else None
    size = {"units": unit_of(model, request), "entries": last.body[0].segment.size if last and only_segment(last.body[:1]) else 0}.get(counts, 1)
    if counts == "bytes" and (scale.times > 1 or scale.round > 1):
        texts.append(f"{owner} counts bytes with 'times' or 'round'; expected these of entries or units")
    elif size % scale.times or scale.times > 1 and scale.round % scale.times:
        texts.append(f"{owner} counts {counts} with 'times: {scale.times}'; expected a factor that divides their {size} bytes, and 'round'")
    elif counts == "units" and (scale.plus % scale.times or scale.round % scale.times):
        texts.append(f"{owner} counts units with 'plus: {scale.plus}' and 'round: {scale.round}'; expected multiples of 'times'")
    least = {"entries": last.min * len(last.body) if last and last.op == "repeat" else 0, "units": 1, "bytes": 0 if last and last.op == "optional" else 1}
    for what, one in [(counts, scale), *((one.what, one.scale) for one in request.sums)]:
        if what and one.of(least.get(what, 0)) < 0:
            texts.append(f"{owner} counts {what} with 'less: {one.less}', and there can be {least.get(what, 0)}; expected no less than nothing")
    if any(one.what == "padding" for one in request.sums) and scale.round == 1:
        texts.append(f"{owner} counts padding; expected another field that tells the length of the entry, with 'round'")
    if any(one.what == "padding" and one.scale.keys for one in request.sums):
        texts.append(f"{owner} counts padding with {', '.join(scale.keys)}; expected it as it is")
    return texts


def sum_texts(owner: str, request: WorkRequest, one: Sum) -> list[str]:
    """Numbers other than the length."""
    name, control = one.field.name, request.control
    assert control is not None and control.control is not None
    if not is_plain(one.field):
        return [f"{owner} counts in '{name}', which {odd_text(one.field)}"]
    if any(one.field is part for _, part in control.control.parts
           if part is not control.control.size):
        return [f"{owner} counts in '{name}', which the builder writes itself"]
    if one.what == "sum" and one.segment is not None and one.of is not None:
        if one.of.is_bytes or one.of.signed or one.segment.prepared or all(e.segment is not one.segment
                                                          for e in elements(request.layout)):
            return [f"'{name}' of {owner} is the sum of '{one.segment.name}.{one.of.name}'; "
                    "expected a number of a segment of its layout, "
                    "which is not prepared"]
    if one.what == "entries" and not (request.layout and request.layout[-1].op == "repeat"
                                      and only_segment(request.layout[-1].body)):
        return [f"'{name}' of {owner} counts entries; expected a 'repeat' of one segment as the "
                "last element of its layout"]
    paid = any(rests(e) for e in elements(request.layout))
    if one.what == "bytes" and (request.counts != "units" and not request.ends or not paid):
        return [f"'{name}' of {owner} counts bytes; expected another field that counts units, or 'ends', and "
                "a segment with a tail of 'max' bytes in "
                "its layout"]
    if one.what == "bytes" and one.scale.keys:
        keys = ", ".join(f"'{key}'" for key in sorted(one.scale.keys))
        return [f"'{name}' of {owner} counts the bytes of a payload with {keys}; expected the plain number, which tells where the payload ends"]
    if one.what == "bytes" and payloads(request.layout) > 1:
        return [f"'{name}' of {owner} counts the bytes of more than one payload, and nothing tells where each ends; expected one payload, or a "
                "'length' in each"]
    if one.what == "payload_units" and (request.counts != "bytes" or not paid):
        return [f"'{name}' of {owner} counts the units of a payload; expected another field that "
                "counts its bytes, and a segment with a tail of 'max' bytes in its layout"]
    return []


def payloads(layout: list[Element], counted: Callable[[Element], bool] = rests) -> int:
    """The most payloads of one entry that have their length in the control segment."""
    total = 0
    for element in layout:
        inner = max(payloads(branch, counted) for branch in [*element.choices, element.body])
        total += counted(element) + inner * (2 if element.op == "repeat" and element.max != 1 else 1)
    return total


def units_texts(owner: str, request: WorkRequest) -> list[str]:
    """The whole entry is counted, with any layout, but a payload needs another field for its bytes."""
    uses = [e for e in elements(request.layout) if rests(e)]
    if uses and not any(one.what == "bytes" for one in request.sums):
        return [f"{owner} counts units and has segment '{uses[0].segment.name}', whose tail may "
                "end within one; expected a field that "
                "counts its bytes"]
    if uses and not uses[0].segment.tail.min_size and not ends_with(request.layout[-1], uses[0]):
        return [f"{owner} has something behind segment '{uses[0].segment.name}', whose tail is "
                "all that follows; expected it at the end, or a 'min_size' of the tail, which is its place then"]
    return []


def padding_texts(owner: str, model: Model, request: WorkRequest) -> list[str]:
    """The rest of the last unit is zero. No segment may begin with zeros there, unless a number of bytes shows its length."""
    unit, texts = rounding_of(model, request)[1], []
    todo = [(start.to, request.control.size % unit) for machine in machines(model) for start in machine.starts if start.request is request]
    seen = {(id(state), at) for state, at in todo}
    for state, at in todo:  # the list grows in the loop
        for edge in state.edges:
            segment = edge.segment
            if state.accepting and at and segment.size <= unit - at and not segment.tail and may_be_zero(edge):
                texts.append(f"{owner} can end {at} bytes behind a multiple of {unit}, where segment '{segment.name}' of {segment.size} bytes "
                             "may follow as well, and zeros that fill the unit look like it; expected a const, `with` or `min` in it")
            sizes = range(0, unit, segment.tail.pad) if segment.tail else [segment.size]
            found = [(edge.to, (at + size) % unit) for size in sizes]
            todo += [place for place in found if (id(place[0]), place[1]) not in seen]
            seen |= {(id(to), behind) for to, behind in found}
    return list(dict.fromkeys(texts))


def may_be_zero(edge: Edge) -> bool:
    known = dict(edge.symbol.fixed)
    free = [f for f in edge.segment.fields if f.const is None and f.name not in known and not f.is_bytes]
    return bits_of(edge.segment, always(edge))[1] == 0 and all(f.takes(f.meant(0)) for f in free)


def ends_with(element: Element, wanted: Element) -> bool:
    if element is wanted:
        return True
    return element.op == "optional" and bool(element.body) and ends_with(element.body[-1], wanted)


def length_texts(owner: str, model: Model, request: WorkRequest) -> list[str]:
    """If nothing is counted, all entries of a request have one length."""
    control = request.control
    assert control is not None and control.control is not None
    if control.control.size is not None and control.control.size.name not in request.fixed:
        return [f"{owner} lacks 'counts'; expected what '{control.control.size.name}' of the control segment counts, or a value "
                "for it under 'with'"]
    untold = next((e.segment.name for e in elements(request.layout) if rests(e)), None)
    if untold:
        return [f"{owner} has segment '{untold}', and nothing tells how long its payload is; expected 'counts: bytes', or a 'length' of its own"]
    starts = [start for machine in machines(model) for start in machine.starts if start.request is request]
    lengths = {ends(model.device, start, control.size) for start in starts for ends in (least, most)}
    if None in lengths or len(lengths) > 1:
        return [f"{owner} has no one length, and '{control.name}' does not say which; expected "
                "'counts', or a layout of one length"]
    return [f"{owner} is {length} bytes long, and the largest WQE of device '{model.device.name}' "
            f"has {model.device.largest * model.unit}"
            for length in lengths if length > model.device.largest * model.unit]


def behind_texts(owner: str, model: Model, request: WorkRequest) -> list[str]:
    """The counted part must follow from the layout: one run of equal segments, or one payload, at its
    end."""
    last = request.layout[-1] if request.layout else None
    plain = request.layout[:-1]
    padded = [e.segment.name for e in elements(request.layout) if rests(e) and (e.segment.tail.pad > 1 or e.segment.tail.min_size)]
    if padded and request.counts == "bytes":
        return [f"{owner} counts bytes, and the tail of '{padded[0]}' has 'pad' or 'min_size'; expected another count, or 'ends', beside it"]
    if any(e.op != "segment" or rests(e) or e.when for e in plain):
        return [f"{owner} has something else than segments, the same on all transports, before "
                f"what '{request.control.name}' counts; "
                "expected that as the last element of the layout"]
    if request.counts == "entries" and not (last and last.op == "repeat" and alike(last.body)):
        return [f"{owner} counts entries; expected a 'repeat' of one segment as the last element "
                "of its layout, or of several of one size"]
    if request.counts == "bytes" and not (last and any(rests(e) for e in elements([last]))):
        return [f"{owner} counts bytes; expected a segment with a tail of 'max' bytes as the last "
                "element of its layout"]
    if request.counts == "bytes" and not (rests(last) or last.op == "optional"
                                          and len(last.body) == 1 and rests(last.body[0])):
        return [f"{owner} counts bytes; expected nothing beside the segment with a tail in the "
                "last element of its layout, and that "
                "segment alone or optional"]
    return most_texts(owner, model, request, last)


def only_segment(body: list[Element]) -> bool:
    return len(body) == 1 and body[0].op == "segment" and not rests(body[0]) and not body[0].when


def alike(body: list[Element]) -> bool:
    """All segments have one size, and each of them counts."""
    return bool(body) and all(only_segment([e]) for e in body) \
        and len({e.segment.size for e in body}) == 1


def most_texts(owner: str, model: Model, request: WorkRequest, last: Element) -> list[str]:
    """The largest number that the layout allows must fit the control segment, and its bytes an entry."""
    size, room = request.size, math.prod(model.sizes(request.queues[0]))
    ahead = request.control.size + sum(e.segment.size for e in request.layout[:-1])
    texts: list[str] = []
    if request.counts == "entries":
        entries = (last.max if last.max is not None else last.min) * len(last.body)
        most = request.scale.of(entries)
        whole = ahead + entries * last.body[0].segment.size
        if last.max is not None and most > size.max:
            texts.append(f"{owner} has up to {entries} entries, and '{size.name}' of "
                         f"'{request.control.name}' counts at most {size.max}; "
                         "expected a smaller 'max'")
    else:
        tailed = last if rests(last) else last.body[0]
        tail = tailed.segment.tail
        whole = ahead + tail.at + (1 if tail.length.max > size.max else tail.length.max)
        if tail.length.max > size.max:
            texts.append(f"{owner} has a payload of up to {tail.length.max} bytes, and "
                         f"'{size.name}' of '{request.control.name}' counts at "
                         f"most {size.max}; expected a smaller 'max' of the tail of "
                         f"'{tailed.segment.name}'")
        if last.op == "optional" and tail.at:
            texts.append(f"{owner} may leave out segment '{tailed.segment.name}', which has "
                         f"{tail.at} bytes before its payload, and a "
                         "count of 0 bytes does not say so; expected it always, or a tail that "
                         "begins at byte 0")
    if whole > room:
        texts.append(f"{owner} can be {whole} bytes long, and the largest WQE of device "
                     f"'{model.device.name}' has {room}; expected a "
                     "smaller 'max'")
    if request.least > room:
        texts.append(f"'least' of {owner} is {request.least}; expected at most {room} bytes, the "
                     "largest WQE of device "
                     f"'{model.device.name}'")
    return texts
