# SPDX-License-Identifier: BSD-2-Clause
"""Reads spec files into nodes that remember where they were written.

Stricter than YAML: stock PyYAML reads an unquoted 63:0 as 3780, 010 as 8, `on` as true, and keeps the last of two
equal keys without a warning. Here each of those is an error with its line. Nothing but SpecError leaves this module.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Callable, Optional, Union

import yaml

from codegen.model.model import Place, SpecError

MAX_FILE_BYTES = 1 << 20
MAX_DEPTH = 24
LICENCE_LINE = "# SPDX-License-Identifier: "

INTEGER = re.compile(r"-?(0|[1-9][0-9]*)|0x[0-9a-fA-F]+")
BIT_RANGE = re.compile(r"[0-9]+(:[0-9]+)+")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_ ]*")
NUMBER_LIKE = re.compile(r"[-+]?\.?[0-9][0-9A-Za-z_.:+-]*|[-+]?\.(inf|nan)", re.IGNORECASE)
YAML_11_WORDS = {"yes", "no", "on", "off", "true", "false"}
NULL_WORDS = {"", "~", "null", "Null", "NULL"}
# Control characters, marks of text direction, and the Unicode line ends that PyYAML counts as lines and editors do not.
FORBIDDEN = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
FORBIDDEN_IN_VALUE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
NAMED = {"\t": "a tab; expected spaces", "\r": "a carriage return; expected lines that end in a line feed alone"}

FastParser = getattr(yaml, "CSafeLoader", None)  # absent if PyYAML was built without libyaml


def read_plain(path: str) -> Any:
    """The content of a YAML file without places, for files that have been checked already."""
    with open(path, encoding="utf-8") as stream:
        return yaml.load(stream, FastParser or yaml.SafeLoader)


Value = Union[str, int, bool, list["Node"], dict[str, "Node"]]
Problem = tuple[Place, str]
NO_KEYS: dict[str, Place] = {}  # of every scalar and list


@dataclass
class Node:
    """One value of a spec file. `keys` holds the place of each key of a mapping."""

    value: Value
    place: Place
    quoted: bool = False
    keys: dict[str, Place] = field(default_factory=dict)

    def plain(self) -> Any:
        """The same value without places, as JSON has it."""
        value = self.value
        if type(value) is dict:
            return {key: item.plain() if type(item.value) in (dict, list) else item.value for key, item in value.items()}
        return [item.plain() for item in value] if type(value) is list else value

    def get(self, key: str) -> Optional["Node"]:
        return self.value.get(key) if type(self.value) is dict else None

    def child(self, key: str) -> "Node":
        """A member that the schema requires."""
        assert isinstance(self.value, dict)
        return self.value[key]

    def items(self) -> list["Node"]:
        return self.value if isinstance(self.value, list) else []

    def parts(self, key: str) -> list["Node"]:
        """The items of a list that may be left out."""
        found = self.get(key)
        return found.items() if found is not None else []

    def members(self, key: str) -> list[tuple[str, "Node"]]:
        """The pairs of a mapping that may be left out."""
        found = self.get(key)
        return found.pairs() if found is not None else []

    def pairs(self) -> list[tuple[str, "Node"]]:
        return list(self.value.items()) if isinstance(self.value, dict) else []

    def text(self, key: str, default: str = "") -> str:
        node = self.get(key)
        return node.value if node is not None and isinstance(node.value, str) else default

    def number(self, key: str, default: int = 0) -> int:
        node = self.get(key)
        return node.value if node is not None and isinstance(node.value, int) else default

    def key_place(self, key: str) -> Place:
        return self.keys.get(key, self.place)


@dataclass
class Document:
    """The content of one file. `root` is None if the file could not be read as YAML at all."""

    file: str
    root: Optional[Node]
    errors: list[Problem]


class Places(dict[int, Place]):
    """Of lines, counted from 0: one each."""

    def __init__(self, file: str):
        super().__init__()
        self.file = file

    def __missing__(self, line: int) -> Place:
        self[line] = Place(self.file, line + 1)
        return self[line]


class Reader:
    """Builds nodes straight from a parser's events, and collects errors of the format."""

    def __init__(self, parser: Any, file: str):
        self.get_event = parser.get_event
        self.parser = parser
        self.file = file
        self.errors: list[Problem] = []
        self.places = Places(file)
        self.words: set[str] = set()  # keys that were read and had no error
        self.second_item = False  # the file continues with another one

    def refuse(self, place: Place, text: str) -> None:
        self.errors.append((place, text))

    def document(self, text: str, root: Optional[Node]) -> Document:
        if text and not text.startswith(LICENCE_LINE):
            self.refuse(Place(self.file, 1), f"the first line is not a licence; expected '{LICENCE_LINE}BSD-2-Clause' or another")
        return Document(self.file, root, self.errors)

    def read_root(self) -> Optional[Node]:
        """As read_file(). Problems are in `errors`. Raises the parser's exceptions."""
        try:
            return self.read_file()
        except SpecError as error:
            self.errors.extend(error.errors)
            return None

    def read_file(self) -> Optional[Node]:
        self.get_event()  # stream start
        start = self.get_event()
        if isinstance(start, yaml.StreamEndEvent):
            self.refuse(Place(self.file, 1), "the file holds no item; expected keys such as 'kind', 'name' and 'doc'")
            return None
        if start.version or start.tags:
            self.refuse(self.places[start.start_mark.line], "a YAML directive is not allowed; expected the item's keys")
        root = self.read_node(self.get_event(), 0)
        self.get_event()  # document end
        more = self.get_event()
        if not isinstance(more, yaml.StreamEndEvent):
            self.refuse(self.places[more.start_mark.line], "a second document starts here; expected one item per file")
        return root

    def read_node(self, event: Any, depth: int) -> Node:
        """The value that begins with `event`."""
        kind, place = type(event), self.places[event.start_mark.line]
        if depth > MAX_DEPTH:
            raise SpecError([(place, f"nested deeper than {MAX_DEPTH} levels; no item needs that")])
        if kind is yaml.AliasEvent:
            self.refuse(place, f"the alias '*{shorten(event.anchor)}' is not allowed; write the value out, or quote the text")
            return Node("", place)
        if event.anchor is not None or event.tag is not None:
            self.refuse_decoration(event, place)
        if kind is yaml.ScalarEvent:
            return self.read_scalar(event, place)
        if kind is yaml.SequenceStartEvent:
            return self.read_sequence(place, depth)
        return self.read_mapping(place, depth)

    def refuse_decoration(self, event: Any, place: Place) -> None:
        if event.anchor is not None:
            self.refuse(place, f"the anchor '&{shorten(event.anchor)}' is not allowed; write each value where it is used")
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self.refuse(place, f"the tag '{shorten(tag)}' is not allowed; expected a plain value")

    def read_sequence(self, place: Place, depth: int) -> Node:
        items: list[Node] = []
        while type(event := self.get_event()) is not yaml.SequenceEndEvent:
            items.append(self.read_node(event, depth + 1))
        return Node(items, place, False, NO_KEYS)

    def read_mapping(self, place: Place, depth: int) -> Node:
        members: dict[str, Node] = {}
        node = Node(members, place)
        while type(event := self.get_event()) is not yaml.MappingEndEvent:
            self.read_member(event, node, members, depth)
        return node

    def read_member(self, event: Any, node: Node, members: dict[str, Node], depth: int) -> None:
        place = self.places[event.start_mark.line]
        name = self.read_key(event, place, depth)
        event = self.get_event()
        if type(event) is yaml.ScalarEvent and not (event.value or event.style or event.anchor or event.tag):
            self.refuse(place, f"the key '{shorten(name)}' has no value; expected one, [] for a list of nothing, or "
                               "quotes around text that holds a comma or a colon")
            value = Node("", place)
        else:
            value = self.read_node(event, depth + 1)
        if name == "kind" and depth == 0 and name in members:
            self.second_item = True
            self.refuse(place, f"a second item starts here, after that of line {node.keys[name].line}; expected one item per file")
        if name in members and not (self.second_item and depth == 0):
            self.refuse(place, f"the key '{shorten(name)}' appears twice, first in line {node.keys[name].line}")
            return
        members[name] = value
        node.keys[name] = place

    def read_key(self, event: Any, place: Place, depth: int) -> str:
        if type(event) is yaml.ScalarEvent and not event.style:
            if event.value == "<<":
                self.refuse(place, "the merge key '<<' is not allowed; write the keys out")
                return "<<"
            if event.value in self.words and event.anchor is None and event.tag is None:
                return event.value
        key = self.read_node(event, depth + 1).value
        if type(key) is not str:
            shown = "a list or mapping" if type(key) in (list, dict) else f"'{shorten(event.value)}'"
            self.refuse(place, f"{shown} is not a key; expected a word")
            return ""
        if key and key == getattr(event, "value", None):
            self.words.add(key)
        return key

    def read_scalar(self, event: Any, place: Place) -> Node:
        value, problem = (event.value.strip(), text_problem(event.value)) if event.style else plain_value(event.value)
        if problem:
            self.refuse(place, problem)
        return Node("" if problem else value, place, bool(event.style), NO_KEYS)


def text_problem(text: str) -> str:
    bad = FORBIDDEN_IN_VALUE.search(text)
    return f"the text holds the character U+{ord(bad.group()):04X}; expected printable text" if bad else ""


@lru_cache(maxsize=4096)
def plain_value(text: str) -> tuple[Union[str, int, bool], str]:
    """The value of an unquoted scalar, and the reason if it is refused. Cached, because most words occur again."""
    problem = plain_problem(text) or text_problem(text)
    if problem:
        return "", problem
    if text in ("true", "false"):
        return text == "true", ""
    return (int(text, 0) if INTEGER.fullmatch(text) else text.strip()), ""


def plain_problem(text: str) -> str:
    """The reason for refusing an unquoted scalar, or an empty string."""
    if WORD.fullmatch(text) and text.lower() not in YAML_11_WORDS and text not in NULL_WORDS:
        return ""
    if text in NULL_WORDS:
        return "a value is missing here; expected a number, a word, a list or a mapping"
    if text.lower() in YAML_11_WORDS and text not in ("true", "false"):
        return f"'{shorten(text)}' is a boolean to other YAML readers; write true or false, or put it in quotes"
    if BIT_RANGE.fullmatch(text):
        return f"the bit range {text} is not quoted; expected \"{text}\""
    if INTEGER.fullmatch(text):
        fits = len(text) <= 20 and -(1 << 63) <= int(text, 0) < 1 << 64
        return "" if fits else f"{shorten(text)} does not fit in 64 bits"
    if NUMBER_LIKE.fullmatch(text):
        return f"'{shorten(text)}' is not a decimal or 0x integer; write one, or put the text in quotes"
    return ""


def shorten(text: str) -> str:
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return clean if len(clean) <= 40 else clean[:37] + "..."


def read_bytes(file: str) -> bytes:
    """The file's content. SpecError if it cannot be read."""
    try:
        with open(file, "rb") as stream:
            return stream.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SpecError([(Place(file, 1), f"cannot read the file: {reason}")]) from None


def decode(file: str, data: bytes) -> str:
    if len(data) > MAX_FILE_BYTES:
        raise SpecError([(Place(file, 1), f"the file is larger than {MAX_FILE_BYTES} bytes; expected one item")])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        text = f"the byte 0x{data[error.start]:02x} is not UTF-8; expected UTF-8 text"
        raise SpecError([(Place(file, line), text)]) from None
    bad = FORBIDDEN.search(text)
    if bad:
        said = NAMED.get(bad.group(), f"the character U+{ord(bad.group()):04X} is not allowed; expected printable text")
        raise SpecError([(Place(file, text.count("\n", 0, bad.start()) + 1), said)])
    return text


def yaml_problem(error: yaml.YAMLError, quote: Optional[int]) -> str:
    if quote is not None:
        return "this is not YAML: the quote that opens in this line is not closed in it, and what follows the next quote is none of its text"
    if is_unclosed(error):
        return "this is not YAML: the bracket that opens in this line is not closed in it; expected ',' or the closing one"
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    hint = ""
    if "mapping values" in problem:
        hint = "; quote text that holds ': ', and indent the line as its neighbours are"
    elif "<block end>" in problem:
        hint = "; indent the line as its neighbours are"
    return f"this is not YAML: {problem}{hint}"


def is_unclosed(error: yaml.YAMLError) -> bool:
    """Brackets continue in the next line by mistake."""
    inside = "flow" in (getattr(error, "context", None) or "")
    return inside and error.context_mark is not None and error.problem_mark.line > error.context_mark.line


class ExactParser(yaml.SafeLoader):
    """PyYAML's own parser, which remembers where it has met quoted text of several lines."""

    def __init__(self, text: str):
        super().__init__(text)
        self.long_quotes: list[yaml.ScalarToken] = []

    def scan_flow_scalar(self, style: str) -> yaml.ScalarToken:
        token = super().scan_flow_scalar(style)
        if token.start_mark.line < token.end_mark.line:
            self.long_quotes.append(token)
        return token


def line_of_unclosed_quote(text: str, quotes: list[yaml.ScalarToken], error: yaml.YAMLError) -> Optional[int]:
    """The line, from 0, of the start of quoted text that ends lines later, directly before the error, or never."""
    if getattr(error, "context", None) == "while scanning a quoted scalar":
        return error.context_mark.line
    mark = getattr(error, "problem_mark", None)
    for token in quotes if mark else ():
        begin, end = token.start_mark, token.end_mark
        if end.line == mark.line and not text[end.index : mark.index].strip():
            return begin.line
    return None


def parse(file: str, text: str) -> Document:
    """Parses the text of `file`. Problems are in the result, never raised.

    libyaml is ten times as fast. PyYAML's own parser is called only for texts with errors, because its messages are better.
    """
    if FastParser is not None:
        try:
            document = read(file, text, FastParser(text))
        except (yaml.YAMLError, ValueError):
            return parse_exactly(file, text)
        # A file that is too deep or empty has no other error to report.
        expected = 1 if document.root is None else 0
        if len(document.errors) == expected:
            return document
    return parse_exactly(file, text)


def read(file: str, text: str, parser: Any) -> Document:
    """The document of a parser's events. Raises the parser's exceptions."""
    reader = Reader(parser, file)
    return reader.document(text, reader.read_root())


def parse_exactly(file: str, text: str) -> Document:
    """parse() for a file with an error."""
    parser = ExactParser(text)
    loader = Reader(parser, file)
    root: Optional[Node] = None
    try:
        root = loader.read_root()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        mark = error.context_mark if is_unclosed(error) else mark
        quote = line_of_unclosed_quote(text, parser.long_quotes, error)
        line = quote if quote is not None else mark.line if mark else 0
        loader.refuse(Place(file, min(line, max(text.count("\n") - 1, 0)) + 1), yaml_problem(error, quote))
    except ValueError as error:  # PyYAML converts some escapes and directive numbers without a check of its own
        loader.refuse(loader.places[loader.parser.get_mark().line], f"this is not YAML: {error}")
    return loader.document(text, root)


def load_bytes(file: str, data: bytes) -> Document:
    """The document in `data`, as if it stood in `file`. Problems are in the result, never raised."""
    return load(file, lambda _: data)


def load(file: str, read: Callable[[str], bytes] = read_bytes) -> Document:
    """Reads one spec file. Problems are in the result, never raised."""
    try:
        return parse(file, decode(file, read(file)))
    except SpecError as error:
        return Document(file, None, list(error.errors))
