# SPDX-License-Identifier: BSD-2-Clause
"""Pictures of the reference: bit diagrams, and graphs laid out by Graphviz.

This module holds the geometry, and templates/docs/picture.svg.j2 the look of shapes. Sizes are pixels. Names are set in a monospaced font,
so their width is known without one, and no picture depends on the fonts of the machine that makes it.
"""

from __future__ import annotations

import errno
import functools
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Optional

from codegen.model.model import Field, Segment

EM = 0.61  # width of a character, in font sizes
DOT_PATHS = "/usr/bin:/usr/local/bin:/opt/homebrew/bin"


@dataclass
class Shape:
    """An element of a picture. `kind` is rect, text or path. `style` is a class of the template's style sheet."""

    kind: str
    style: str
    x: float = 0
    y: float = 0
    w: float = 0
    h: float = 0
    r: float = 0  # rounding of a rect's corners
    text: str = ""
    size: int = 0  # of the font
    anchor: str = "middle"  # start, middle or end
    turned: bool = False  # text reads upwards
    d: str = ""  # of a path
    title: str = ""


@dataclass
class Picture:
    name: str  # path below the reference, without .svg
    title: str
    width: float
    height: float
    shapes: list[Shape] = field(default_factory=list)
    made_by: str = ""  # "Graphviz 2.43.0" if it has placed the boxes
    items: list = field(default_factory=list)


def num(value: float) -> str:
    """A coordinate: one decimal at most."""
    return f"{value:.1f}".rstrip("0").rstrip(".") or "0"


def text_width(text: str, size: float) -> float:
    return len(text) * size * EM


# ---------------------------------------------------------------------------------------------------------------------
# Bit diagrams: one row per dword, bit 31 on the left, byte numbers above each row.

LEFT = 58
BIT = 27
HEAD = 34
BAND = 12  # strip with the byte numbers, on top of each row
LEAST_ROW = 30
MOST_ROWS = 4  # a longer run of whole rows is drawn as its first and its last
GAP_ROW = 20


@dataclass
class Cell:
    """A rectangle of bits of one field: part of a row, or whole rows."""

    field: Field
    first_row: int
    last_row: int
    left: int  # columns from the left, 0 to 31
    right: int  # after the last column
    label: str = ""
    lines: list[str] = field(default_factory=list)
    size: int = 0
    turned: bool = False

    @property
    def columns(self) -> int:
        return self.right - self.left


def bit_range(f: Field) -> str:
    """"dword 2, bits 7:5" or "bytes 20 to 25", as the spec counts."""
    if f.is_bytes:
        return f"bytes {f.byte} to {f.byte + f.width // 8 - 1}" if f.width > 8 else f"byte {f.byte}"
    if f.pieces:
        return " and ".join(map(bit_range, f.pieces))
    high = f.lsb + f.width - 1
    return f"dword {f.byte // 4}, bits {high}:{f.lsb}" if f.width > 1 else f"dword {f.byte // 4}, bit {high}"


def _places(f: Field) -> list[Cell]:
    """The cells of a field in one place."""
    first, end = f.first_bit, f.first_bit + f.width
    cells: list[Cell] = []
    for row in range(first // 32, (end + 31) // 32):
        left, right = max(first - 32 * row, 0), min(end - 32 * row, 32)
        if f.little:
            left, right = 32 - right, 32 - left
        before = cells[-1] if cells else None
        if before and before.columns == 32 and right - left == 32:
            before.last_row = row
        else:
            cells.append(Cell(f.whole, row, row, left, right))
    return cells


def _cells(f: Field) -> list[Cell]:
    cells = [cell for span in f.spans for cell in _places(span)]
    label = f.name if not f.reserved else "reserved"
    if f.const is not None:
        label += f" = {f.const:#x}" if f.const > 9 else f" = {f.const}"
    if f.count > 1:
        label += f": {f.count} × {f.format.name}" if f.format else ""
    elif f.format:
        label += f": {f.format.name}"
    largest = max(cells, key=lambda c: (c.columns, c.last_row - c.first_row))
    for cell in cells:
        cell.label = label if cell is largest else f"{label} …"
        _fit(cell)
    return cells


def _breaks(label: str, lines: int) -> list[str]:
    """The label in that many lines, broken after underscores and at blanks, as even as possible."""
    words = re.findall(r"[^_ ]+_?|_| ", label)
    if lines == 1:
        return [label]
    best: Optional[list[str]] = None
    for cut in range(1, len(words)):
        rest = _breaks("".join(words[cut:]).strip(), lines - 1) if lines > 2 else ["".join(words[cut:]).strip()]
        trial = ["".join(words[:cut]).strip(), *rest]
        if all(trial) and (best is None or max(map(len, trial)) < max(map(len, best))):
            best = trial
    return best or [label]


def _fit(cell: Cell) -> None:
    """Chooses the direction of the label in its cell: along it if it fits, otherwise upwards."""
    width = cell.columns * BIT - 4
    for size in (13, 12, 11, 10):
        if text_width(cell.label, size) <= width:
            cell.lines, cell.size = [cell.label], size
            return
    for size in (11, 10, 9):
        lines = _breaks(cell.label, 2)
        if max(text_width(line, size) for line in lines) <= width:
            cell.lines, cell.size = lines, size
            return
    if cell.field.reserved:
        return
    cell.turned = True
    for lines in (1, 2, 3):
        parts = _breaks(cell.label, lines)
        size = 11 if lines == 1 else 10
        if len(parts) * (size + 1) <= width + 2 and (lines == 1 or cell.columns > 1 or len(cell.label) > 9):
            cell.lines, cell.size = parts, size


def _needed(cell: Cell) -> float:
    if not cell.lines:
        return 0
    if cell.turned:
        return max(text_width(line, cell.size) for line in cell.lines) + 10
    return len(cell.lines) * (cell.size + 3) + 8


def cell_style(f: Field) -> str:
    if f.reserved:
        return "reserved"
    if f.const is not None:
        return "const"
    return "coded" if f.enum or f.flags else "plain"


def bit_diagram(segment: Segment, name: str) -> Picture:
    """The dwords of a segment or CQE format."""
    cells = [cell for f in segment.fields + segment.reserved for cell in _cells(f)]
    cells.sort(key=lambda c: (c.first_row, c.left))
    rows = -(-segment.size // 4)
    heights: list[float] = [LEAST_ROW] * rows
    hidden: dict[int, bool] = {}
    for cell in cells:
        if cell.last_row - cell.first_row + 1 > MOST_ROWS:
            for row in range(cell.first_row + 1, cell.last_row):
                heights[row] = 0
                hidden[row] = True
            heights[cell.first_row + 1] = GAP_ROW - BAND
        if cell.first_row == cell.last_row:
            heights[cell.first_row] = max(heights[cell.first_row], _needed(cell))
    tops = [float(HEAD)]
    for row in range(rows):
        tops.append(tops[-1] + (heights[row] + BAND if heights[row] else 0))
    width = LEFT + 32 * BIT + 8
    picture = Picture(name, f"{segment.name}: {segment.size} bytes", width, tops[-1] + 8, items=[segment])
    draw = picture.shapes.append
    for byte in range(4):
        x = LEFT + byte * 8 * BIT
        draw(Shape("text", "head", x + 4 * BIT, 11, text=f"byte +{3 - byte if segment.little else byte}", size=10))
    for bit in range(32):
        draw(Shape("text", "bit", LEFT + bit * BIT + BIT / 2, HEAD - 6, text=str(31 - bit), size=9))
    for cell in cells:
        _draw_cell(picture, cell, tops)
    for row in range(rows):
        if row in hidden:
            continue
        draw(Shape("text", "offset", LEFT - 8, tops[row] + 12, text=f"0x{row * 4:02x}", size=11, anchor="end"))
        draw(Shape("text", "bit", LEFT - 8, tops[row] + 24, text=f"dword {row}", size=9, anchor="end"))
        for byte in range(4):
            x = LEFT + byte * 8 * BIT
            draw(Shape("text", "byte", x + 3, tops[row] + 9, text=str(row * 4 + byte), size=9, anchor="start"))
            if byte:
                draw(Shape("path", "tick", d=f"M{num(x)} {num(tops[row])}v5"))
    if segment.tail:
        _draw_tail(picture, segment)
    return picture


def _draw_cell(picture: Picture, cell: Cell, tops: list[float]) -> None:
    f = cell.field
    x, y = LEFT + cell.left * BIT, tops[cell.first_row]
    w, h = cell.columns * BIT, tops[cell.last_row + 1] - tops[cell.first_row]
    about = f"{bit_range(f)}: " + ("reserved, zero" if f.reserved else f"{f.name}. {f.doc}")
    picture.shapes.append(Shape("rect", cell_style(f), x, y, w, h, title=about))
    style = "quiet" if f.reserved else "label"
    middle = x + w / 2
    centre = y + BAND + (h - BAND) / 2
    if cell.first_row != cell.last_row:  # between the byte numbers of its rows
        row = (cell.first_row + cell.last_row) // 2 if cell.last_row - cell.first_row < MOST_ROWS else cell.first_row
        centre = (tops[row] + BAND + tops[row + 1]) / 2
    if cell.turned:
        step = cell.size + 1
        at = middle - step * (len(cell.lines) - 1) / 2
        for line in cell.lines:
            x = at + cell.size * 0.35
            picture.shapes.append(Shape("text", style, x, centre, text=line, size=cell.size, turned=True))
            at += step
        return
    step = cell.size + 3
    at = centre - step * (len(cell.lines) - 1) / 2
    for line in cell.lines:
        picture.shapes.append(Shape("text", style, middle, at + cell.size * 0.35, text=line, size=cell.size))
        at += step
    if cell.last_row - cell.first_row + 1 > MOST_ROWS:
        y = tops[cell.first_row + 1] + GAP_ROW / 2 + 4
        picture.shapes.append(Shape("text", "offset", LEFT - 8, y, text="⋮", size=12, anchor="end"))
        picture.shapes.append(Shape("text", "quiet", x + 12, y, text="⋮", size=12))
        picture.shapes.append(Shape("text", "quiet", x + w - 12, y, text="⋮", size=12))


def _draw_tail(picture: Picture, segment: Segment) -> None:
    tail = segment.tail
    assert tail
    y = picture.height - 8
    text = f"{tail.length.name if not tail.rest else f'up to {tail.length.max}'} bytes of payload from byte {tail.at} on{tail.filled}"
    picture.shapes.append(Shape("rect", "payload", LEFT, y, 32 * BIT, 40, title=text))
    picture.shapes.append(Shape("text", "label", LEFT + 16 * BIT, y + 25, text=text, size=13))
    picture.shapes.append(Shape("text", "offset", LEFT - 8, y + 17, text=f"0x{tail.at:02x}", size=11, anchor="end"))
    picture.height += 40


# ---------------------------------------------------------------------------------------------------------------------
# Graphs: Graphviz places boxes of known size and routes the edges between them.


@dataclass
class Box:
    name: str
    style: str
    lines: list[tuple[str, str, int]]  # (text, style, font size)
    corner: str = ""  # small text in the lower right corner
    r: float = 3
    column: int = 0  # 1: in the first one
    x: float = 0  # centre
    y: float = 0

    @property
    def width(self) -> float:
        return max(text_width(text, size) for text, _, size in self.lines) + 18 + self.corner_width

    @property
    def corner_width(self) -> float:
        return text_width(self.corner, 8)

    @property
    def height(self) -> float:
        return sum(size + 4 for _, _, size in self.lines) + 10


@dataclass
class Arrow:
    tail: str
    head: str
    style: str = "edge"
    label: str = ""
    title: str = ""
    d: str = ""
    x: float = 0  # of the label
    y: float = 0


@functools.lru_cache(maxsize=None)
def dot() -> tuple[str, str]:
    """Path and version of Graphviz."""
    path = shutil.which("dot", path=DOT_PATHS)
    if path is None:
        raise OSError(errno.ENOENT, "Graphviz lays out the pictures of the reference and is not installed; apt install graphviz", "dot")
    said = subprocess.run([path, "-V"], capture_output=True, text=True, check=True).stderr
    found = re.search(r"version (\S+)", said)
    return path, found.group(1) if found else "unknown"


def _dot_source(boxes: list[Box], arrows: list[Arrow], across: bool, gap: float) -> str:
    lines = [f'digraph {{ rankdir={"LR" if across else "TB"}; ranksep={gap}; nodesep=0.14; remincross=true;',
             "node [shape=box, fixedsize=true, label=\"\"]; edge [arrowsize=0.6];"]
    ids = {box.name: f"n{number}" for number, box in enumerate(boxes)}
    for box in boxes:
        lines.append(f'{ids[box.name]} [width={box.width / 72:.4f}, height={box.height / 72:.4f}];')
    depth = _depths(boxes, arrows)
    first = [ids[box.name] for box in boxes if box.column == 1]
    if first:
        lines.append(f"{{ rank=min; {'; '.join(first)}; }}")
    for arrow in arrows:
        label = ""
        if arrow.label:
            label = (', label=<<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0" FIXEDSIZE="TRUE" WIDTH="20" '
                     'HEIGHT="18"><TR><TD FIXEDSIZE="TRUE" WIDTH="20" HEIGHT="18"></TD></TR></TABLE>>')
        weight = max(1, 8 - depth[arrow.tail]) if first else 1  # short ways are at the start, so that columns form
        lines.append(f"{ids[arrow.tail]} -> {ids[arrow.head]} [weight={weight}{label}];")
    return "\n".join([*lines, "}"])


def _depths(boxes: list[Box], arrows: list[Arrow]) -> dict[str, int]:
    """Steps from a box of the first column."""
    depth = {box.name: 0 for box in boxes if box.column == 1}
    todo = list(depth)
    while todo:
        here = todo.pop(0)
        for arrow in arrows:
            if arrow.tail == here and arrow.head not in depth:
                depth[arrow.head] = depth[here] + 1
                todo.append(arrow.head)
    return depth


def graph(name: str, title: str, boxes: list[Box], arrows: list[Arrow], across: bool = True, gap: float = 0.3) -> Picture:
    """A picture of boxes and arrows."""
    path, version = dot()
    plain = subprocess.run([path, "-Tplain"], input=_dot_source(boxes, arrows, across, gap), capture_output=True,
                           text=True, check=True).stdout
    margin = 8.0
    height = 0.0
    names = {f"n{number}": box.name for number, box in enumerate(boxes)}
    by_name = {box.name: box for box in boxes}
    waiting: dict[tuple[str, str], list[Arrow]] = {}
    for arrow in arrows:
        waiting.setdefault((arrow.tail, arrow.head), []).append(arrow)
    picture = Picture(name, title, 0, 0, made_by=f"Graphviz {version}")
    for line in plain.splitlines():
        words = line.split(" ")
        if words[0] == "graph":
            picture.width, height = float(words[2]) * 72 + 2 * margin, float(words[3]) * 72
            picture.height = height + 2 * margin
        elif words[0] == "node":
            box = by_name[names[words[1]]]
            box.x, box.y = float(words[2]) * 72 + margin, height - float(words[3]) * 72 + margin
        elif words[0] == "edge":
            arrow = waiting[(names[words[1]], names[words[2]])].pop(0)
            count = int(words[3])
            inches = [float(word) for word in words[4:4 + 2 * count]]
            points = [(x * 72 + margin, height - y * 72 + margin) for x, y in zip(inches[::2], inches[1::2])]
            arrow.d = f"M{num(points[0][0])} {num(points[0][1])}C" + " ".join(f"{num(x)} {num(y)}" for x, y in points[1:])
            if arrow.label:
                arrow.x, arrow.y = float(words[-4]) * 72 + margin, height - float(words[-3]) * 72 + margin
    for arrow in arrows:
        if arrow.tail == arrow.head:
            box = by_name[arrow.head]
            top = box.y - box.height / 2
            arrow.d = f"M{num(box.x - 12)} {num(top)}c-6 -20 32 -20 24 -6"
            arrow.x, arrow.y = (box.x, top - 19) if arrow.label else (0, 0)
        picture.shapes.append(Shape("path", arrow.style, d=arrow.d, title=arrow.title))
    for arrow in arrows:
        if arrow.label:
            picture.shapes.append(Shape("rect", "mark", arrow.x - 10, arrow.y - 9, 20, 18, 9))
            picture.shapes.append(Shape("text", "number", arrow.x, arrow.y + 4, text=arrow.label, size=10))
    for box in boxes:
        _draw_box(picture, box)
    return picture


def _draw_box(picture: Picture, box: Box) -> None:
    x, y = box.x - box.width / 2, box.y - box.height / 2
    picture.shapes.append(Shape("rect", box.style, x, y, box.width, box.height, box.r))
    middle = box.x - box.corner_width / 2
    at = y + 5
    for text, style, size in box.lines:
        at += size + 4
        picture.shapes.append(Shape("text", style, middle, at - 3, text=text, size=size))
    if box.corner:
        right, bottom = x + box.width - 4, y + box.height - 4
        picture.shapes.append(Shape("text", "byte", right, bottom, text=box.corner, size=8, anchor="end"))
