# SPDX-License-Identifier: BSD-2-Clause
"""Builds enums, segments and CQE formats."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Optional

from codegen.load.load import Node
from codegen.model.model import CONTROL_PARTS, Control, Enumeration, Field, Member, Prepared, Segment, Source, Table, Tail, Vector
from codegen.model.resolve import Context
from codegen.load.schema import expected_name, spoken
from codegen.load.source import parse


def item_keys(context: Context, root: Node) -> dict[str, Any]:
    """The keys of every item."""
    return {
        "name": root.text("name"),
        "doc": root.text("doc"),
        "place": root.child("name").place,
        **origin(context, root, f"{spoken(root.text('kind'))} '{root.text('name')}'"),
    }


def origin(context: Context, node: Node, owner: str, inherited: Optional[dict[str, Any]] = None) -> dict[str, Any]:
    """The source of an item or a part of one, and its confidence: as written, or as it follows from its sources."""
    given = node.get("source")
    if given is None:
        source, sure = inherited.values() if inherited else (Source(), "primary")
        return {"source": source, "confidence": node.text("confidence", sure)}
    source, problems = parse(str(given.value), context.model.repositories)
    if not any(kind == "repositories" for kind, _ in context.broken):
        context.errors += [(given.place, f"'source' of {owner} {problem}") for problem in problems]
    confidence = node.text("confidence", source.confidence)
    if confidence == "primary" and source and all(c.secondary for c in source.citations) and source.citations[0].repository != "https":
        context.error(node.key_place("confidence"), f"{owner} is primary, and what it cites is all secondary; expected "
                                                    "'confidence: secondary', or a source that is the vendor's or the kernel's")
    return {"source": source, "confidence": confidence}


def is_true(node: Node, key: str) -> bool:
    found = node.get(key)
    return found is not None and found.value is True


# Enums


# Keys that only the extended enum may have.
NOT_IN_EXTENSION = ("prefix", "bits", "flags", "image_of")


@dataclass
class EnumParts:
    """An enum with its nodes: its own file, and the member nodes of all files, in order of `members`."""

    root: Node
    enum: Enumeration
    nodes: list[Node]


def build_enums(context: Context, roots: list[Node]) -> list[EnumParts]:
    """The enums, each with the members that other files add to it."""
    extensions = [root for root in roots if root.get("extends") is not None]
    parts = [build_enum(context, root) for root in roots if root.get("extends") is None]
    context.model.enums = [part.enum for part in parts]
    for root in sorted(extensions, key=lambda root: root.text("name")):
        extend_enum(context, root, parts, extensions)
    return parts


def build_enum(context: Context, root: Node) -> EnumParts:
    enum = Enumeration(**item_keys(context, root), bits=root.number("bits"), flags=is_true(root, "flags"), members=[])
    part = EnumParts(root, enum, [])
    add_members(context, root, part)
    if root.get("bits") is None:
        context.error(root.place, f"enum '{enum.name}' lacks 'bits'; expected a number of bits from 1 to 64")
    return part


def extend_enum(context: Context, root: Node, parts: list[EnumParts], extensions: list[Node]) -> None:
    """Adds the members of one file to the enum that it names."""
    owner, wanted = f"enum '{root.text('name')}'", root.child("extends")
    for key in NOT_IN_EXTENSION:
        if root.get(key) is not None:
            context.error(root.key_place(key), f"{owner} has 'extends' and '{key}', which is for enum '{wanted.value}' to say")
    if any(other.text("name") == wanted.value for other in extensions):
        context.error(wanted.place, f"{owner} extends '{wanted.value}', which is an extension; expected an enum with 'bits'")
        return
    base = context.enumeration(wanted, f"'extends' of {owner}")
    if base is None:
        context.lost |= {node.text("name") for node in root.child("values").items()}
    for part in parts:
        if part.enum is base:
            add_members(context, root, part)


def add_members(context: Context, root: Node, part: EnumParts) -> None:
    nodes = root.child("values").items()
    inherited = origin(context, root, f"enum '{root.text('name')}'")
    part.enum.members += [build_member(context, root, node, part, inherited) for node in nodes]
    for node in nodes if part.root.get("image_of") is None else []:
        if node.get("sets") is not None:
            context.error(node.key_place("sets"), f"member '{node.text('name')}' of enum '{root.text('name')}' has 'sets', but the "
                                                  "enum has no 'image_of'")
    part.nodes += nodes


def build_member(context: Context, root: Node, node: Node, part: EnumParts, inherited: dict[str, Any]) -> Member:
    name = node.text("name")
    owner = f"member '{name}' of enum '{root.text('name')}'"
    if node.get("value") is None and node.get("sets") is None:
        context.error(node.place, f"{owner} has neither 'value' nor 'sets'; expected one of them")
    elif node.get("value") is not None and node.get("sets") is not None:
        context.error(node.key_place("sets"), f"{owner} has both 'value' and 'sets'; expected one of them")
    return Member(
        name=name,
        enum=part.enum.name,
        prefix=part.root.text("prefix"),
        value=node.number("value"),
        doc=node.text("doc"),
        mask=is_true(node, "mask"),
        **origin(context, node, owner, inherited),
        place=node.place,
    )


def fill_images(context: Context, part: EnumParts) -> None:
    """Computes the members that are given by the fields they set. Needs the segments."""
    enum = part.enum
    image_of = part.root.get("image_of")
    if image_of is None:
        return
    if not enum.flags:
        context.error(image_of.place, f"enum '{enum.name}' has 'image_of' without 'flags: true'")
    segment = context.segment(image_of, f"enum '{enum.name}'")
    words: set[int] = set()
    images = [(member, image(context, segment, node, words) if segment else None)
              for node, member in zip(part.nodes, enum.members) if node.get("sets") is not None]
    for member, value in images:
        if value is None:
            enum.members[:] = [other for other in enum.members if other is not member]
            context.lost.add(member.name)
        else:
            member.value = value


def image(context: Context, segment: Segment, node: Node, words: set[int]) -> Optional[int]:
    """The value of one member, if all its fields are known. `words` collects the dword that all members share."""
    owner = f"member '{node.text('name')}'"
    total = 0
    known = True
    for name, value_node in node.child("sets").pairs():
        place = node.child("sets").key_place(name)
        field = context.field(segment, name, place, owner)
        value = context.value(value_node, field, f"'{name}' of {owner}")
        if field is None or value is None:
            known = False
            continue
        if field.word != 32 or field.pieces:
            context.error(place, f"{owner} sets the field '{name}', which is not part of one dword")
            continue
        words.add(field.byte)
        if len(words) > 1:
            dwords = " and ".join(str(byte // 4) for byte in sorted(words))
            context.error(place, f"{owner} sets the field '{name}'; the fields of one enum's images lie in dwords "
                                 f"{dwords}, expected one dword")
            words.discard(field.byte)
        if value >> field.width:
            context.error(value_node.place, f"'{name}' of {owner} is {value}; expected at most {(1 << field.width) - 1}")
        elif field.enum is not None and all(other.value != value for other in field.enum.members):
            context.error(value_node.place, f"{owner} sets the field '{name}' to {value}, which is no member of enum "
                                            f"'{field.enum.name}'; expected one of its members")
        total |= field.written(value) << field.lsb
    return total if known else None


# Segments and CQE formats


def build_segment(context: Context, root: Node) -> Segment:
    """Everything but `format`, which may name a later segment."""
    segment = Segment(**item_keys(context, root), size=root.number("size"), fields=[], reserved=[],
                      is_cqe=root.text("kind") == "cqe")
    segment.call = root.text("call", segment.name)
    segment.fields = [build_field(context, node) for node in root.child("fields").items()]
    for field in segment.fields:
        field.closed = (field.enum or field.flags) is not None and not segment.is_cqe and field.const is None and field.zero_means is None
    refuse_twins(context, segment)
    for node in root.parts("reserved"):
        segment.reserved.append(build_reserved(context, node))
    segment.tail = build_tail(context, root, segment)
    segment.control = build_control(context, root, segment)
    if segment.control and segment.control.opcode:
        segment.control.opcode.closed = False  # its values are those of the requests
    for node in root.child("fields").items():
        if is_true(node, "stale") and not segment.control:
            context.error(node.place, f"field '{node.text('name')}' is stale; expected that only of a reserved place or of a setting "
                          "in the control segment")
    segment.args = named_fields(context, segment, root.parts("args"), "'args'") if root.get("args") else None
    segment.says_pass = root.get("pass") is not None
    segment.whole = root.text("pass") == "struct"
    for field in segment.reserved:
        field.stale = field.stale or is_true(root, "stale")
    empty = root.get("empty")
    segment.empty = context.field(segment, root.text("empty"), empty.place, "'empty'") if empty else None
    segment.prepared = build_prepared(context, root, segment)
    segment.match = build_match(context, root, segment)
    built = [build_vector(context, segment, node) for node in root.parts("vectors")]
    segment.vectors = [vector for vector in built if vector is not None]
    return segment


def refuse_twins(context: Context, segment: Segment) -> None:
    """Refuses a name that is used twice, before any other name refers to it. An error about a removed name would hide the reason."""
    first: dict[str, Field] = {}
    for field in segment.fields:
        if field.name in first:
            context.error(field.place, f"{segment.kind} '{segment.name}' has two fields '{field.name}', first in line "
                                       f"{first[field.name].place.line}")
        first.setdefault(field.name, field)


def build_field(context: Context, node: Node) -> Field:
    name = node.text("name")
    places = places_of(context, node, f"field '{name}'")
    byte, width, lsb, word = places[0]
    field = Field(name=name, doc=node.text("doc"), place=node.place, byte=byte, width=width, lsb=lsb, word=word,
                  little=is_little(context, node), **origin(context, node, f"field '{name}'"))
    if len(places) > 1:
        width = add_pieces(context, field, places)
    for key in ("enum", "flags"):
        wanted = node.get(key)
        if wanted is not None:
            setattr(field, key, context.enumeration(wanted, f"field '{name}'"))
            if getattr(field, key) is None:
                context.unknown.add(id(field))
    const = node.get("const")
    field.const = context.value(const, field, f"'const' of field '{name}'") if const else None
    field.zero_means = node.number("zero_means") if node.get("zero_means") else None
    field.minus = node.number("minus")
    field.signed = is_true(node, "signed")
    least, most = field.range
    field.min, field.max = node.number("min", least), node.number("max", most if field.zero_means is None else field.zero_means)
    values = [context.value(item, field, f"'never' of field '{name}'") for item in node.parts("never")]
    field.never = tuple(value for value in values if value is not None)
    field.unit = node.text("unit")
    field.count = node.number("count", 1)
    field.stale = is_true(node, "stale")
    return field


def is_little(context: Context, node: Node) -> bool:
    """The byte order of a word: the device's, unless the spec gives another."""
    order = node.get("order")
    return context.little if order is None else order.value == "little"


def build_reserved(context: Context, node: Node) -> Field:
    byte, width, lsb, word = places_of(context, node, "a reserved place")[0]
    field = Field(name="", doc=node.text("doc"), place=node.place, byte=byte, width=width, lsb=lsb, word=word,
                  reserved=True, max=(1 << width) - 1, stale=is_true(node, "stale"),
                  little=is_little(context, node))
    last = byte + width // 8 - 1
    field.name = f"bits {lsb + width - 1}:{lsb} of dword {byte // 4}" if word else f"bytes {byte} to {last}"
    return field


Where = tuple[int, int, int, int]  # byte, width, lsb and word


def places_of(context: Context, node: Node, owner: str) -> list[Where]:
    """The places of an `at`. That of the lowest bits comes first."""
    pieces = node.child("at").get("pieces")
    return [place_of(context, at, owner) for at in pieces.items()] if pieces is not None else [place_of(context, node.child("at"), owner)]


def add_pieces(context: Context, field: Field, places: list[Where]) -> int:
    """Cuts the field into pieces. Returns the sum of their widths."""
    low = 0
    for byte, width, lsb, word in places:
        field.pieces.append(replace(field, byte=byte, width=width, lsb=lsb, word=word, low=low, of=field, pieces=[]))
        low += width
    if low > 64:
        context.error(field.place, f"the pieces of field '{field.name}' have {low} bits together; expected at most 64")
    field.width = min(low, 64)
    return field.width


def place_of(context: Context, at: Node, owner: str) -> Where:
    if at.get("bytes") is not None:
        return at.number("byte"), 8 * at.number("bytes"), 0, 0
    msb, lsb = (int(part) for part in at.text("bits").split(":"))
    if lsb > msb:
        context.error(at.child("bits").place, f"the bits of {owner} are \"{msb}:{lsb}\"; expected the higher bit first")
        msb, lsb = lsb, msb
    if msb > 63:
        context.error(at.child("bits").place, f"the bits of {owner} are \"{msb}:{lsb}\"; expected bits from 0 to 63")
        msb, lsb = 63, min(lsb, 63)
    return 4 * at.number("dword"), msb - lsb + 1, lsb, 32 if msb < 32 else 64


def build_tail(context: Context, root: Node, segment: Segment) -> Optional[Tail]:
    node = root.get("tail")
    if node is None:
        return None
    if (node.get("length") is None) == (node.get("max") is None):
        context.error(node.place, "'tail' has neither or both of 'length' and 'max'; expected the field that holds its length, or "
                                  "its largest length where the control segment tells it")
        return None
    length: Optional[Field] = None
    if node.get("length") is not None:
        length = context.field(segment, node.text("length"), node.child("length").place, "'tail'")
    else:
        length = Field(name="length", doc="Bytes of payload.", place=node.place, byte=0, width=32, lsb=0, word=32, min=1,
                       max=node.number("max"))
    if length is None:
        return None
    pad = node.number("pad", context.unit if node.get("length") else 1)
    return Tail(at=node.number("at"), length=length, pad=pad, min_size=node.number("min_size"),
                rest=node.get("length") is None)


def named_fields(context: Context, segment: Segment, names: list[Node], user: str) -> list[Field]:
    found = [context.field(segment, str(name.value), name.place, user) for name in names]
    return [field for field in found if field is not None]


def build_control(context: Context, root: Node, segment: Segment) -> Optional[Control]:
    node = root.get("control")
    if node is None:
        return None
    parts: dict[str, Any] = {}
    for part in CONTROL_PARTS:
        if node.get(part) is not None:
            parts[part] = context.field(segment, node.text(part), node.child(part).place, "'control'")
    if None in parts.values():
        return None
    return Control(flags=named_fields(context, segment, node.parts("flags"), "'control'"), **parts)


def build_prepared(context: Context, root: Node, segment: Segment) -> Optional[Prepared]:
    node = root.get("prepared")
    if node is None:
        return None
    return Prepared(node.text("name"), named_fields(context, segment, node.parts("args"), "'prepared'"))


def build_match(context: Context, root: Node, segment: Segment) -> dict[str, list[int]]:
    match: dict[str, list[int]] = {}
    for name, values in root.members("match"):
        field = context.field(segment, name, root.child("match").key_place(name), "'match'")
        if field is None:
            continue
        found = [context.value(item, field, f"'{name}' of 'match'") for item in values.items()]
        match[name] = [value for value in found if value is not None]
    return match


# Vectors


def build_vector(context: Context, segment: Segment, node: Node) -> Optional[Vector]:
    """None if one of its values is not known, because the whole vector would seem to be wrong."""
    values: dict[str, Any] = {}
    tail = b""
    for name, given in node.child("in").pairs():
        if name == "tail" and segment.get("tail") is None:
            tail = tail_bytes(context, segment, given)
            continue
        field = context.field(segment, name, node.child("in").key_place(name), "the vector")
        value = vector_value(context, field, given) if field else None
        if value is None:
            return None
        values[name] = value
    out = hex_bytes(context, node.child("out"), "'out'")
    return Vector(node.text("doc"), values, tail, out, node.place)


def tail_bytes(context: Context, segment: Segment, node: Node) -> bytes:
    if segment.tail is None:
        context.error(node.place, f"the vector gives a tail, and {segment.kind} '{segment.name}' has none")
        return b""
    return hex_bytes(context, node, "'tail' of the vector")


def vector_value(context: Context, field: Field, node: Node) -> Any:
    owner = f"'{field.name}' of the vector"
    if not field.is_bytes:
        if node.quoted:
            context.error(node.place, f"{owner} is a quoted text; expected a number")
            return None
        return context.value(node, field, owner)
    data = hex_bytes(context, node, owner)
    if data and len(data) * 8 != field.width:
        context.error(node.place, f"{owner} has {len(data)} bytes; expected {field.width // 8}")
        return None
    return data


def hex_bytes(context: Context, node: Node, owner: str) -> bytes:
    if not node.quoted or not isinstance(node.value, str):
        context.error(node.place, f"{owner} is not quoted; expected a quoted string of hexadecimal bytes")
        return b""
    try:
        return bytes.fromhex(node.value)
    except ValueError:
        context.error(node.place, f"{owner} is not a string of hexadecimal bytes; expected pairs of digits and blanks")
        return b""


def build_table(context: Context, root: Node, segment: Segment) -> Optional[Table]:
    """Needs all segments."""
    node = root.get("table")
    if node is None:
        return None
    field = context.field(segment, node.text("repeats"), node.child("repeats").place, "'table'")
    forms = [(form.number("value"), context.segment(form.child("segment"), "'table'")) for form in node.parts("forms")]
    return Table(segment, field, node.text("told"), node.number("above"), forms) if field and all(one for _, one in forms) else None


def resolve_formats(context: Context, root: Node, segment: Segment) -> None:
    """Fills `format` of each field. Needs all segments."""
    known = context.model.segments + context.model.cqes
    for node, field in zip(root.child("fields").items(), segment.fields):
        wanted = node.get("format")
        if wanted is None:
            continue
        field.format = next((item for item in known if item.name == wanted.value), None)
        if field.format is None and not context.is_broken(["segment", "cqe"], str(wanted.value)):
            hint = expected_name(str(wanted.value), (item.name for item in known))
            context.error(wanted.place, f"field '{field.name}' names the unknown segment or cqe '{wanted.value}'{hint}")
