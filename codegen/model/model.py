# SPDX-License-Identifier: BSD-2-Clause
"""The model: the content of a set of spec files, with every name resolved.

load.py reads files into located nodes, build.py turns nodes into these classes, check.py judges them,
automaton.py derives the machines, emit.py renders templates from them. Nothing here knows YAML or C.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Optional, TypeVar, Union

Result = TypeVar("Result")


@dataclass(frozen=True)
class Place:
    """The place of an item: `file` as given on the command line, `line` from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class SpecError(Exception):
    """A list of (place, sentence) pairs. str() gives one `file:line: error: …` per line."""

    def __init__(self, errors: list[tuple[Place, str]]):
        super().__init__("\n".join(f"{place}: error: {text}" for place, text in errors))
        self.errors = errors


@dataclass(frozen=True)
class Repository:
    """A repository of others' files, which sources cite."""

    name: str
    url: str
    commit: str  # or a tag, of the version that was read
    secondary: bool  # it is not the vendor's or the kernel's
    doc: str

    def link(self, path: str) -> str:
        return f"{self.url}/blob/{self.commit}/{path}"


@dataclass(frozen=True)
class Citation:
    """One file, and symbols to look for in it."""

    repository: str  # or a word of codegen/load/source.py's ELSEWHERE
    path: str
    symbols: tuple[str, ...] = ()  # a final '*' stands for several symbols with that beginning
    note: str = ""
    url: str = ""
    secondary: bool = False

    def __str__(self) -> str:
        symbols = f"#{', '.join(self.symbols)}" if self.symbols else ""
        return f"{self.repository}:{self.path}{symbols}{f' ({self.note})' if self.note else ''}"


@dataclass(frozen=True)
class Source:
    """The source of a fact. str() is as in the spec. Empty, and false, if the spec has none."""

    citations: tuple[Citation, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.citations)

    def __str__(self) -> str:
        return "; ".join(map(str, self.citations))

    @property
    def confidence(self) -> str:
        """`secondary` if only other drivers and libraries are cited."""
        return "secondary" if self and all(citation.secondary for citation in self.citations) else "primary"


@dataclass
class Item:
    """The keys of every item."""

    name: str
    doc: str
    source: Source
    confidence: str  # "primary" or "secondary"
    place: Place


@dataclass
class Member:
    """One value of an enum."""

    name: str  # as in the spec: "RDMA_WRITE"
    enum: str
    prefix: str  # prefix of its name in languages with one name space for all. "": none
    value: int
    doc: str
    mask: bool
    source: Source
    confidence: str
    place: Place


def together(members: list[Member]) -> int:
    """The bits of all members."""
    return functools.reduce(int.__or__, (member.value for member in members), 0)


@dataclass
class Enumeration(Item):
    bits: int
    flags: bool
    members: list[Member]

    def member(self, name: str) -> Optional[Member]:
        return next((m for m in self.members if m.name == name), None)


@dataclass
class Field:
    """A field, or a reserved range (reserved=True, named by its place as the spec has it)."""

    name: str
    doc: str
    place: Place
    byte: int  # first byte of the dword (or 64-bit pair), or of the byte string
    width: int  # bits; for a byte string 8 * bytes
    lsb: int  # number of the lowest bit in the 32- or 64-bit word, in the device's byte order. 0 for a byte string
    word: int  # 32 or 64: width of its word. 0 for a byte string
    reserved: bool = False
    enum: Optional[Enumeration] = None
    flags: Optional[Enumeration] = None
    const: Optional[int] = None
    min: int = 0
    max: int = 0  # inclusive. Without a value, build.py sets it to 2**width - 1
    zero_means: Optional[int] = None
    minus: int = 0  # subtracted from the value before it is written
    signed: bool = False  # in two's complement
    never: tuple[int, ...] = ()
    unit: str = ""
    format: Optional["Segment"] = None
    count: int = 1
    stale: bool = False  # if the field has no meaning, the device ignores it, and drivers leave old bytes in it
    little: bool = False  # the word is little-endian
    closed: bool = False  # only members of its enum are legal. Devices may write values that are newer than the spec
    pieces: list["Field"] = field(default_factory=list)  # places of its bits, the lowest first, if there are several
    low: int = 0  # of a piece: the lowest bit of the value that it holds
    of: Optional["Field"] = None  # of a piece: the field
    source: Source = Source()  # source of this field alone. Empty: that of its segment
    confidence: str = "primary"

    @property
    def is_bytes(self) -> bool:
        return self.word == 0

    @property
    def first_bit(self) -> int:
        """Distance in bits from the start of the segment to the field's first bit in memory: its most significant one, or
        its least significant one on a little-endian device."""
        if self.word == 0:
            return self.byte * 8
        if self.little:
            return self.byte * 8 + self.lsb
        return self.byte * 8 + self.word - self.lsb - self.width

    @property
    def spans(self) -> list["Field"]:
        """Its pieces; itself, if it lies in one place."""
        return self.pieces or [self]

    @property
    def whole(self) -> "Field":
        """The field that this is a piece of, or all of."""
        return self.of or self

    def image(self, value: int, size: int) -> int:
        """The first `size` bytes of its segment, as one big-endian number, with this value in the field and zeros elsewhere."""
        image = 0
        for span in self.spans:
            part = value >> span.low & (1 << span.width) - 1
            if span.little:
                image |= int.from_bytes((part << span.first_bit).to_bytes(size, "little"), "big")
            else:
                image |= part << size * 8 - span.first_bit - span.width
        return image

    def in_image(self, image: int, size: int) -> int:
        """The bits of the field, which must lie in one place."""
        order = "little" if self.little else "big"
        whole = int.from_bytes(image.to_bytes(size, "big"), order)
        return whole >> (self.first_bit if self.little else size * 8 - self.first_bit - self.width) & (1 << self.width) - 1

    def in_dword(self, byte: int) -> int:
        """Its bits in the dword at a byte, counted in the order of the dword's bytes."""
        mask = 0
        for span in self.spans:
            low, high = max(span.first_bit, byte * 8), min(span.first_bit + span.width, byte * 8 + 32)
            if low < high and not self.is_bytes:
                mask |= (1 << high - low) - 1 << (low - byte * 8 if span.little else byte * 8 + 32 - high)
        return mask

    @property
    def bit(self) -> tuple[int, int]:
        """(byte, mask) of a field of one bit."""
        return self.first_bit // 8, 1 << self.first_bit % 8 if self.little else 0x80 >> self.first_bit % 8

    @property
    def in_struct(self) -> bool:
        return not self.reserved and self.const is None

    @property
    def translated(self) -> bool:
        """The written bits are not the value that the caller gives."""
        return self.zero_means is not None or self.minus > 0 or self.signed

    @property
    def range(self) -> tuple[int, int]:
        """The smallest and the largest number that the bits can hold."""
        if self.zero_means is not None:
            return 1, 1 << self.width
        least = -(1 << self.width - 1) if self.signed else self.minus
        return least, least + (1 << self.width) - 1

    def written(self, value: int) -> int:
        """The bits for a value."""
        return 0 if value == self.zero_means else value - self.minus & (1 << self.width) - 1

    def meant(self, bits: int) -> int:
        """The value of these bits."""
        if bits == 0 and self.zero_means is not None:
            return self.zero_means
        return bits + self.minus - (1 << self.width if self.signed and bits >> self.width - 1 else 0)

    def takes(self, value: int) -> bool:
        """The value is in range, and does not make the bytes another segment."""
        return self.min <= value <= self.max and value not in self.never


@dataclass
class Tail:
    at: int
    length: Field  # with `rest` not a field of the segment
    pad: int
    min_size: int
    rest: bool = False  # the payload is the rest of the length in the control segment, after the other segments

    @property
    def filled(self) -> str:
        """The bytes after the payload, in words. "": none."""
        if self.pad > 1:
            return f", then zeros up to a multiple of {self.pad} bytes"
        return f", then zeros up to byte {self.min_size}" if self.rest and self.min_size else ""


CONTROL_PARTS = ("opcode", "opmod", "index", "queue", "size", "imm", "signature", "spill")


@dataclass
class Control:
    """Fields of the control segment by their role. A device may lack some."""

    flags: list[Field]  # in one dword; none: its requests take no flags
    opcode: Optional[Field] = None
    opmod: Optional[Field] = None
    index: Optional[Field] = None
    queue: Optional[Field] = None
    size: Optional[Field] = None
    imm: Optional[Field] = None
    signature: Optional[Field] = None  # covers the whole WQE, if the queue has signatures
    spill: Optional[Field] = None  # unit of the other ring at which the rest of a longer request begins

    @property
    def parts(self) -> list[tuple[str, Field]]:
        """The fields that the builder writes itself."""
        named = [(part, getattr(self, part)) for part in ("opcode", "opmod", "index", "queue", "size", "spill")]
        return [(part, field) for part, field in named if field is not None]


@dataclass
class Table:
    """A table between control segment and pieces, which repeats a field of each piece."""

    piece: Segment
    field: Field  # of the pieces
    told: str  # the field of the control segment that says in which form the table is there. 0: it is not
    above: int  # so many pieces, or fewer, have none
    forms: list[tuple[int, Segment]]  # (value of `told`, a segment with a field for each piece), for more and more pieces


@dataclass
class Prepared:
    name: str
    args: list[Field]


@dataclass
class Vector:
    doc: str
    values: dict[str, Union[int, bytes]]
    tail: bytes
    out: bytes
    place: Place


@dataclass
class Segment(Item):
    """A segment, or a CQE format (is_cqe)."""

    size: int
    fields: list[Field]  # real fields only, spec order
    reserved: list[Field]
    is_cqe: bool = False
    tail: Optional[Tail] = None
    control: Optional[Control] = None
    call: str = ""
    empty: Optional[Field] = None  # an entry of an array whose FIELD is 0 is left out
    table: Optional[Table] = None  # in front of the pieces that it repeats as
    args: Optional[list[Field]] = None  # None: not given
    whole: bool = False  # builders take it in one piece, not field by field
    says_pass: bool = False  # the spec states which of the two
    prepared: Optional[Prepared] = None
    match: dict[str, list[int]] = field(default_factory=dict)
    vectors: list[Vector] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """As errors name it."""
        return "cqe" if self.is_cqe else "segment"

    @property
    def little(self) -> bool:
        """All its words are little-endian."""
        return all(f.little for f in self.fields + self.reserved)

    def get(self, name: str) -> Optional[Field]:
        return next((f for f in self.fields if f.name == name), None)


class Wrap(Enum):
    """Positions of a segment at the end of the ring, for its builder."""

    NONE = "none"  # can neither start at nor cross the end
    EXACT = "exact"  # may start exactly at the end, never crosses it
    ANY = "any"  # fixed size, may cross the end between two units
    DATA = "data"  # variable size, may cross the end anywhere


@dataclass
class Element:
    """One node of a layout. `op` selects the other members that have a meaning."""

    op: str  # "segment", "choice", "optional", "repeat", "list", "terminator", "address", "fragment"
    place: Place
    segment: Optional[Segment] = None  # segment, list, terminator
    fixed: dict[str, int] = field(default_factory=dict)  # `with`
    choices: list[list["Element"]] = field(default_factory=list)  # choice
    body: list["Element"] = field(default_factory=list)  # optional, repeat, fragment (expanded)
    min: int = 0  # repeat, list
    max: Optional[int] = None  # None: `max: wqe`
    count: Optional[tuple[Segment, Field]] = None  # list
    unit: int = 16  # list
    pad: int = 16  # list
    head: int = 0  # list: bytes before it that its size and its padding count
    entries: Optional[tuple[Segment, Field]] = None  # list: the field with the number of its entries
    sum: Optional[tuple[Field, tuple[Segment, Field]]] = None  # list: a field of its entries, and the field with its sum
    when: Optional[list[str]] = None  # transports; None: all
    wrap: Optional[Wrap] = None  # as written in the spec
    name: str = ""  # fragment name
    by: str = "program"  # "queue": the queue writes this segment itself when the WQE is begun
    piece: Optional[tuple[str, int]] = None  # set by automaton.built(): the field that marks the last piece, and its value there
    lap: str = ""  # likewise: the field that flips with each lap of the ring
    told: bool = False  # likewise, of a payload: the control segment has its length


@dataclass
class Fragment(Item):
    layout: list[Element]


@dataclass
class Argument:
    """A field of the control segment that a caller gives: with one request, or, as an option, with any request of a transport."""

    name: str
    field: Field
    doc: str


@dataclass(frozen=True)
class Scale:
    """Conversion of a count to a field: times `times`, plus `plus`, rounded up to a multiple of `round`, minus `less`."""

    times: int = 1
    plus: int = 0
    round: int = 1
    less: int = 0

    def of(self, count: int) -> int:
        return -(-(count * self.times + self.plus) // self.round) * self.round - self.less

    @property
    def keys(self) -> dict[str, int]:
        """The keys that differ from their defaults."""
        return {key: value for key, value in vars(self).items() if value != getattr(Scale, key)}


@dataclass
class Sum:
    """A field of the control segment that counts something of the later segments, other than the
    length of the entry."""

    field: Field
    # "entries" of the repeat that ends the layout, "bytes" of payload, "payload_units" that it takes, "sum", or the "padding" that
    # rounds the number with the length
    what: str
    segment: Optional[Segment] = None  # the counted segment
    of: Optional[Field] = None  # sum: the field of those segments that is added
    scale: Scale = Scale()


@dataclass
class Unseen:
    """A part that has never been carried out, or has no queue, and the reason."""

    why: str
    transport: str  # "": of all transports of the request
    segment: str  # optional in its layout. "": the request as a whole


@dataclass
class WorkRequest(Item):
    call: str  # the name of its function. Requests of different queues may share it
    queue: str  # "send", or a kind of receive queue
    opcode: Optional[Member]
    opmod: int
    transports: list[str]
    flags: list[Member]
    args: list[Argument]
    layout: list[Element]
    fixed: dict[str, int] = field(default_factory=dict)  # `with`: fields of the control segment
    # its first segment, or none on receive queues without one
    control: Optional[Segment] = None
    # the number that determines its length, on a device that posts to blocks: "entries", "bytes" or "units". "": it
    # has one length
    counts: str = ""
    size: Optional[Field] = None  # the field of the control segment that holds that number
    scale: Scale = Scale()  # of that number
    sums: list[Sum] = field(default_factory=list)  # the other counted numbers
    unseen: list[Unseen] = field(default_factory=list)
    creatable: list[Unseen] = field(default_factory=list)  # queues that cannot be made to carry it out, with the reason
    shared: str = ""  # reason why an unmodified rdma-core makes no such receive queue for sharing. "": it does, or such queues are not shared
    ends: Optional[tuple[str, int]] = None  # the field that marks the last of all segments that have it, and its value there
    least: int = 0  # bytes of the smallest WQE for which the queue has this request
    no_address: bool = False  # it reaches no peer, so it has no address, although the transport has one
    next_flag: Optional[Member] = None  # flag of the next request, unless that has another flag of the same field
    opcode_place: Optional[Place] = None
    transport_places: dict[str, Place] = field(default_factory=dict)

    @property
    def queues(self) -> list[str]:
        """The queues to which it is posted: transports, or its kind of receive queue."""
        return self.transports if self.queue == "send" else [self.queue]

    @property
    def table(self) -> Optional[Table]:
        """The table that may stand in front of its pieces, if its control segment leaves that open."""
        pieces = [inner.segment for e in self.layout[-1:] if e.op == "repeat" for inner in e.body if inner.segment]
        found = pieces[0].table if pieces and self.control else None
        return found if found and self.control.get(found.told) and found.told not in self.fixed else None

    @property
    def told(self) -> dict[str, int]:
        """The values of the control segment that distinguish it from others of its opcode. Without opcodes, also constants."""
        if self.control is None or self.control.control is None or self.control.control.opcode:
            return self.fixed
        return {f.name: f.const for f in self.control.fields if f.const is not None and not f.is_bytes} | self.fixed

    def unseen_on(self, queue: str) -> list[Unseen]:
        return [u for u in self.unseen if u.transport in ("", queue)]

    def creatable_on(self, queue: str) -> str:
        """The reason why there is no such queue. "": there is one."""
        return next((u.why for u in self.creatable if u.transport in ("", queue)), "")


@dataclass
class State:
    name: str
    member: Optional[Member]  # of the enum of states
    value: int
    send: str
    recv: str
    doc: str
    needs: list[Member]
    place: Place
    source: Source = Source()  # source of this state alone. Empty: that of its transport
    confidence: str = "primary"


@dataclass
class Transition:
    sources: list[str]
    to: str
    required: list[Member]
    optional: list[Member]
    doc: str
    place: Place
    by: str = "program"  # "device": the device changes the state, and no modify may
    source: Source = Source()  # as of a state
    confidence: str = "primary"


@dataclass
class Transport(Item):
    initial: str
    number_at: str
    address: list[Element]
    options: list[Argument]
    states: list[State]
    transitions: list[Transition]
    control: Optional[Segment] = None  # of its requests, unless they name another
    sizes: dict[str, int] = field(default_factory=dict)  # "unit" and "largest", if they differ from the device's


@dataclass
class Queue:
    """A kind of receive queue."""

    name: str
    doc: str
    place: Place
    control: Optional[Segment] = None  # the first segment of its entries, if there is one
    sizes: dict[str, int] = field(default_factory=dict)  # as of a transport


@dataclass
class Doorbell:
    """The index that a program writes to notify the device how far a ring is filled."""

    segment: Segment
    index: Field
    wraps: bool  # it counts from 0 in each lap
    lap: Optional[Field]
    fixed: list[tuple[Field, int]]


@dataclass
class Completion:
    """A format of completions, and what of the ring one of them completes."""

    cqe: Segment
    names: str  # "one" request, all before the "next", a "receive", or "none": the queue has failed
    index: Optional[Field]
    failed: Optional[Field]  # not 0: the request has failed
    status: Optional[Field]


@dataclass
class Ring:
    """Positions of entries in memory that a program and the device share."""

    of: list[str]  # transports and kinds of receive queue
    stride: int  # bytes from one entry to the next. 0: each takes as many units as it is long
    lap: Optional[tuple[str, int]]  # field of the control segments that flips with each lap, and its first value
    doorbell: Optional[Doorbell]
    place: Place
    completions: list[Completion] = field(default_factory=list)
    color: tuple[str, int] = ("", 0)  # field of completions that flips with each lap of theirs, and its first value


@dataclass
class Device(Item):
    """The common properties of all work-queue entries of one device, and its enums by their role."""

    little: bool  # byte order
    posting: str  # "ring" or "block"
    unit: int  # bytes in which lengths are counted
    block: int  # bytes: a WQE begins on a block
    largest: int  # units of the longest WQE
    sizes: dict[str, int]  # all given sizes, and those that follow from the others
    roles: dict[str, Enumeration]  # "opcode", "flags", "states", "attributes"
    queues: list[Queue]
    entry: int = 0  # bytes of the entry proper. The bytes after them lie in another ring. 0: there is no other ring
    stale_rest: bool = False  # the device ignores the bytes after the request in the entry, and drivers leave old bytes there
    rings: list[Ring] = field(default_factory=list)
    c_prefix: str = ""  # prefix of the library's names for linkers and C++
    runtime: str = ""  # "verbs": compiled with the runtime over rdma-core, whose needs are checked
    size_places: dict[str, Place] = field(default_factory=dict)

    @property
    def units_per_block(self) -> int:
        return self.block // self.unit

    @property
    def ring(self) -> bool:
        return self.posting == "ring"


@dataclass
class Model:
    """Everything, each list sorted by name."""

    enums: list[Enumeration] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    cqes: list[Segment] = field(default_factory=list)
    fragments: list[Fragment] = field(default_factory=list)
    work_requests: list[WorkRequest] = field(default_factory=list)
    transports: list[Transport] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)  # one, if anything is posted
    repositories: dict[str, Repository] = field(default_factory=dict)  # repositories that sources cite
    files: list[str] = field(default_factory=list)  # as given, in order. An error about two clashing items is reported at the later one
    own: set[str] = field(default_factory=set)  # files that the others do not build on. None: all
    derived: dict[Callable, Any] = field(default_factory=dict, repr=False, compare=False)  # see once()

    def order(self, place: Place) -> tuple[int, int]:
        """A sort key for places, in the order in which they were read."""
        return (self.files.index(place.file) if place.file in self.files else -1, place.line)

    def is_own(self, item: Item) -> bool:
        return not self.own or item.place.file in self.own

    def find(self, items: list, name: str):
        return next((item for item in items if item.name == name), None)

    def address(self, queue: str) -> list[Element]:
        """The segments of a transport between the control segment and each request's own segments."""
        transport = self.find(self.transports, queue)
        return transport.address if transport else []

    @property
    def layouts(self) -> list[tuple[str, list[Element]]]:
        """All written layouts, each with its owner."""
        return [*((f"the address of transport '{t.name}'", t.address) for t in self.transports),
                *((f"work request '{r.name}'", r.layout) for r in self.work_requests),
                *((f"fragment '{f.name}'", f.layout) for f in self.fragments)]

    @property
    def device(self) -> Device:
        """The device. build.py guarantees exactly one if anything is posted."""
        return self.devices[0]

    @property
    def unit(self) -> int:
        """Bytes of the unit of lengths. 1 if nothing is posted."""
        return self.devices[0].unit if self.devices else 1

    def sizes(self, queue: str) -> tuple[int, int]:
        """(bytes in which lengths are counted, units of the longest entry) on one queue."""
        known = [*self.transports, *(queue for device in self.devices for queue in device.queues)]
        own = next((one.sizes for one in known if one.name == queue), {})
        return own.get("unit") or self.unit, own.get("largest") or self.device.largest

    def lap(self, request: WorkRequest, queue: str) -> str:
        """The field that the builder sets by the lap of the ring, in all segments that have it. "": there is none."""
        ring = next((ring for device in self.devices for ring in device.rings if queue in ring.of and ring.lap), None)
        return ring.lap[0] if ring and all(a.field.name != ring.lap[0] for a in request.args) else ""

    @property
    def control(self) -> Segment:
        """The control segment. A device that posts to rings has exactly one (build.py). Others may
        have several: see `controls`."""
        return self.controls[0]

    @property
    def controls(self) -> list[Segment]:
        return [s for s in self.segments if s.control]


def once(function: Callable[[Model], Result]) -> Callable[[Model], Result]:
    """Caches a result that follows from a whole, checked model, however many outputs need it. Callers must not change it."""

    @functools.wraps(function)
    def derive(model: Model) -> Result:
        if function not in model.derived:
            model.derived[function] = function(model)
        return model.derived[function]

    return derive
