# SPDX-License-Identifier: BSD-2-Clause
"""Laying out C text as the project's .clang-format would: tabs of 8, 100 columns.

Templates say what the C is; these filters only break, align and comment it, so that generated files pass
clang-format without clang-format being needed to generate them.
"""

from __future__ import annotations

TAB = 8
COLUMNS = 100


def width(text: str) -> int:
    """Columns that a line takes."""
    return len(text.expandtabs(TAB))


def indent_to(column: int) -> str:
    return "\t" * (column // TAB) + " " * (column % TAB)


def gap(start: int, end: int) -> str:
    """White space from column `start` to column `end`, with tabs wherever one fits."""
    if end - start == 1:
        return " "
    text = ""
    while start < end:
        stop = (start // TAB + 1) * TAB
        text += "\t" if stop <= end else " " * (end - start)
        start = stop
    return text


def plain(text: str) -> str:
    """Prose that may stand inside a C comment: one line, and nothing that opens or closes a comment."""
    return " ".join(text.split()).replace("*/", "* /").replace("/*", "/ *")


def fill(text: str, columns: int) -> list[str]:
    """Breaks prose at blanks; a longer word keeps a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= columns:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def comment(text: str, tabs: int = 0, opening: str = "/**") -> str:
    """A comment of its own; newlines in `text` separate paragraphs. No newline at the end."""
    indent = "\t" * tabs
    paragraphs = [plain(p) for p in text.split("\n") if p.strip()]
    single = f"{indent}{opening} {paragraphs[0]} */"
    if len(paragraphs) == 1 and width(single) <= COLUMNS:
        return single
    lines = [indent + opening]
    for paragraph in paragraphs:
        lines += [f"{indent} * {line}" for line in fill(paragraph, COLUMNS - TAB * tabs - 3)]
    return "\n".join(lines + [f"{indent} */"])


def documented(rows: list[tuple[str, str]], tabs: int = 1) -> str:
    """Declarations with their docs: beside them when all fit, otherwise each above its own."""
    indent = "\t" * tabs
    column = TAB * tabs + max((len(code) for code, _ in rows), default=0) + 1
    beside = []
    for code, doc in rows:
        text = f"/* {plain(doc)} */"
        if column + len(text) > COLUMNS:
            break
        beside.append(f"{indent}{code}{gap(TAB * tabs + len(code), column)}{text}")
    else:
        return "\n".join(beside)
    return "\n".join(f"{comment(doc, tabs, '/*')}\n{indent}{code}" for code, doc in rows)


def macros(rows: list[tuple[str, ...]]) -> str:
    """Consecutive #define lines, values aligned; rows are (name, value[, doc above[, doc beside]])."""
    prefix = "#define "
    column = len(prefix) + max(len(row[0]) for row in rows) + 1
    beside = column + max(len(row[1]) if len(row) > 3 else 0 for row in rows) + 1
    lines = []
    for name, value, *docs in rows:
        if docs and docs[0]:
            lines.append(comment(docs[0], 0, "/*"))
        line = prefix + name + gap(len(prefix) + len(name), column) + value
        if len(docs) > 1:
            line += gap(column + len(value), beside) + f"/* {plain(docs[1])} */"
        lines.append(line)
    return "\n".join(lines)


_BREAKS = (", ", " | ", " || ", " && ", " ? ")
_LAST_BREAKS = (" <= ", " >= ", " == ", " != ")  # only where nothing else fits


def _break_points(line: str) -> list[tuple[int, int, int]]:
    """Places where a line may be broken: (nesting, end of the kept text, column of what follows)."""
    start = len(line) - len(line.lstrip("\t"))
    base = TAB * start
    opened = [base]  # column after each open bracket
    operand = [base]  # where the current operand chain begins, per nesting
    after_comma = [False]
    points = []
    quoted = False
    i = start
    while i < len(line):
        if line[i] == '"' and line[i - 1] != "\\":
            quoted = not quoted
        column = base + i - start
        if quoted:
            i += 1
            continue
        if line[i] in "([{":
            opened.append(column + 1)
            operand.append(column + 1)
            after_comma.append(False)
        elif line[i] in ")]}" and len(opened) > 1:
            opened.pop()
            operand.pop()
            after_comma.pop()
        elif line.startswith("return ", i) or line.startswith(" = ", i):
            operand[-1] = column + (7 if line[i] == "r" else 3)
        for token in _BREAKS + _LAST_BREAKS:
            if not line.startswith(token, i):
                continue
            if token == ", ":
                points.append((len(opened), i + 1, opened[-1]))
                operand[-1] = column + 2
                after_comma[-1] = True
            else:
                extra = TAB if after_comma[-1] else 0
                depth = len(opened) + (100 if token in _LAST_BREAKS else 0)
                points.append((depth, i + len(token) - 1, operand[-1] + extra))
        i += 1
    return points


def signature(text: str) -> str:
    """The head of a function definition: the return type stands alone where the name would not fit behind it."""
    head = text[: text.index("(") + 1]
    if width(head) > COLUMNS:
        result, _, name = head.rpartition(" ")
        return result + "\n" + wrap(name + text[len(head) :])
    return wrap(text)


def call(text: str) -> str:
    """A statement that calls a function: where aligned arguments would take three lines, they follow below the bracket."""
    line = text.rstrip("\n")
    aligned = wrap(line)
    if aligned.count("\n") >= 2:
        tabs = len(line) - len(line.lstrip("\t"))
        bracket = line.index("(") + 1
        below = line[:bracket] + "\n" + wrap("\t" * (tabs + 1) + line[bracket:])
        if below.count("\n") < aligned.count("\n"):
            aligned = below
    return "\n".join(part for part in aligned.split("\n") if part.strip()) + "\n"


def wrap(text: str) -> str:
    """Breaks every line that is too long."""
    return "\n".join(_wrap(line) for line in text.split("\n"))


def _wrap(line: str, call: bool = False) -> str:
    """Breaks one line; `call` says that it is a call, though it looks like a declaration."""
    if width(line) <= COLUMNS or line.lstrip("\t ").startswith(("*", "/*", "//", "#", '"')):
        return line
    tabs = len(line) - len(line.lstrip("\t"))
    points = _break_points(line)
    # An operator chain that is a later argument starts a line of its own if it then fits there, or saves a line.
    results = [_cut(line, tabs, points)]
    commas = [p for p in points if p[0] == 2 and line[p[1] - 1] == "," and TAB * tabs + p[1] - tabs <= COLUMNS]
    if commas:
        forced = _cut(line, tabs, points, first=commas[-1])
        results.insert(0 if len(forced) == 2 else 1, forced)
    bracket = line.find("(") + 1
    if bracket == len(line):
        return line  # broken already
    below = []
    if bracket:
        below = [line[:bracket], *_wrap("\t" * (tabs + 1) + line[bracket:]).split("\n")]
    call = call or (line.startswith("return ", tabs) and "&&" not in line)
    if (call or " = " in line[:bracket]) and " | " not in line:
        # Arguments of a call that would take more lines beside the bracket go below it.
        results.append(below)
    for candidates in (results, [below]):
        fitting = [r for r in candidates if r and max(map(width, r)) <= COLUMNS]
        if fitting:
            return "\n".join(min(fitting, key=len))
    # The head alone is too long: what is assigned, or the function's name, starts a line.
    cut = line.find(" = ", 0, bracket) + 2
    if cut > 1 and TAB * (tabs + 1) + bracket - cut - 1 <= COLUMNS:
        return line[:cut] + "\n" + _wrap("\t" * (tabs + 1) + line[cut + 1 :], call=True)
    if bracket and tabs == 0:
        cut = line.rindex(" ", 0, bracket)
        return line[:cut] + "\n" + _wrap(line[cut + 1 :])
    if bracket:
        return "\n".join(below)
    cut = line.rfind(" ")
    if line.endswith(";") and cut > tabs:
        return line[:cut] + "\n" + "\t" * (tabs + 1) + line[cut + 1 :]
    return line


def _cut(
    line: str,
    tabs: int,
    points: list[tuple[int, int, int]],
    first: tuple[int, int, int] | None = None,
) -> list[str]:
    """Cuts as late as possible at the outermost nesting possible; `first` forces the first cut."""
    lines: list[str] = []
    begin, column = tabs, TAB * tabs
    shift = 0  # by how much a forced cut moved what follows
    while column + len(line) - begin > COLUMNS:
        fits = [p for p in points if p[1] > begin and column + p[1] - begin <= COLUMNS]
        if not fits:
            break
        outer = min(p[0] for p in fits)
        cut = first if first and not lines else max((p for p in fits if p[0] == outer), key=lambda p: p[1])
        lines.append(indent_to(column) + line[begin : cut[1]])
        outermost = cut[0] == 2 and line[cut[1] - 1] == ","
        begin, column = cut[1] + 1, cut[2] - (0 if outermost else shift)
        if cut is first:
            shift = TAB * tabs + cut[1] + 1 - tabs - column
    return lines + [indent_to(column) + line[begin:]]


def fit(text: str) -> str:
    """Breaks the statements and declarations of a whole file that are too long for a line.

    Comments, preprocessor lines and what stands between clang-format off and on are left alone.
    """
    lines = []
    off = False
    for line in text.split("\n"):
        if "clang-format off" in line or "clang-format on" in line:
            off = "clang-format off" in line
        lines.append(line if off else _wrap(line))
    return "\n".join(lines)


def string(text: str, column: int, tail: int = 1) -> str:
    """A C string literal, cut at blanks so that each line fits; `tail` columns follow the last piece."""
    text = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?")
    pieces: list[str] = []
    rest = text
    while column + len(rest) + 2 + tail > COLUMNS:
        # clang-format cuts at the last blank that fits, the blank staying on the upper line.
        room = COLUMNS - column - 2
        cut = rest.rfind(" ", 0, room)
        if cut <= 0:
            break
        pieces.append(rest[: cut + 1])
        rest = rest[cut + 1 :]
    return f"\n{indent_to(column)}".join(f'"{piece}"' for piece in pieces + [rest])
