# SPDX-License-Identifier: BSD-2-Clause
"""Results as text, as the page docs/performance.md, and as pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Optional
from xml.sax.saxutils import escape

from tools.bench.results import RATIOS, SIDES, Results, shown

QUEUES = "(rc|uc|ud|xrc_initiator|dci|raw_packet)/"
ALONE = QUEUES + "[^/]*/[^/]*$"
OTHER_SIZES = QUEUES + ".*/(2|4|8|32|64)$"
GROUPS = {  # names of rows
    "Sends, each with a doorbell": ALONE,
    "Sends, each by BlueFlame": "blueflame/",
    "Sends, 16 with one doorbell": QUEUES + ".*/16$",
    "Sends by size of batch": OTHER_SIZES,
    "Patterns that keep most, rings of other sizes": "(batch|ring)/",
    "Receives": "post-",
    "Completions": "poll/",
    "Many queue pairs": "(among|peer)/",
}
MEANS = {
    "post, each with a doorbell": rf"{ALONE}|post-.*/1$",
    "post, each by BlueFlame": "blueflame/",
    "post, 16 with one doorbell": rf"({QUEUES}|post-).*/16$",
    "poll": "poll/",
    "all rows that post or poll": rf"{QUEUES}|blueflame/|ring/|post-|poll/",
}
COLD = {
    "batch/write/1": "post a WRITE",
    "batch/write/16": "one of 16 WRITEs with one doorbell",
    "poll/send/1": "poll a send",
    "poll/send/16": "one of 16 sends of a poll",
    "poll/receive/1": "poll a receive",
    "poll/receive/16": "one of 16 receives of a poll",
}
# Rows of the first page: words, name of the row, and libmlx5's call.
FIRST_PAGE = (
    ("RDMA WRITE, 1 SGE, own doorbell (`ibv_wr_*`)", "rc/rdma_write/sge", "ibv_wr"),
    ("the same with `ibv_post_send()`", "rc/rdma_write/sge", "ibv_post_send"),
    ("one of 16 with one doorbell (`ibv_wr_*`)", "batch/write/16", "ibv_wr"),
    ("28 bytes inline, own doorbell (`ibv_wr_*`)", "rc/rdma_write/inline28", "ibv_wr"),
    ("poll a send (`ibv_start_poll()`)", "poll/send/1", "ibv_start_poll"),
    ("one of 16 sends of a poll (`ibv_poll_cq()`)", "poll/send/16", "ibv_poll_cq"),
    ("poll a receive (`ibv_start_poll()`)", "poll/receive/1", "ibv_start_poll"),
    ("empty poll (`ibv_start_poll()`)", "poll/empty/1", "ibv_start_poll"),
    ("post a receive, 1 SGE", "post-receive/1", "ibv_post_recv"),
)


def of_group(results: Results, names: str) -> list[str]:
    return [row for row in results.rows if re.match(names, row)]


def first_page(results: Results) -> list[str]:
    """The rows of README.md's table."""
    lines = []
    for words, row, call in FIRST_PAGE:
        by = results.rows.get(row, {})
        figures = [by.get(call), by.get(call + ", no locks"), results.side(row, "Segue") if row in results.rows else None]
        lines.append(f"| {words} | " + " | ".join(shown(f) for f in figures) + " |")
    return lines


def table(results: Results, rows: list[str], markdown: bool = False) -> list[str]:
    """Each row with all sides, the ratios, and Segue's other forms."""
    titles = ["", *SIDES, *(f"{'÷' if s in ('honest', 'absolute') else '×'} {s}" for s in RATIOS), "other forms"]
    cells = [titles]
    for row in rows:
        other = ", ".join(f"{form} {shown(figure)}" for form, figure in results.other_forms(row).items())
        cells.append([row, *(shown(results.side(row, s)) for s in SIDES), *(shown(results.ratio(row, s), 2) for s in RATIOS), other])
    return laid(cells, markdown)


def laid(cells: list[list[str]], markdown: bool) -> list[str]:
    """A table. The first line holds the titles, and the last column may be words."""
    if markdown:
        return ["| " + " | ".join(line) + " |" for line in (cells[0], ["---"] * len(cells[0]), *cells[1:])]
    last = len(cells[0]) - 1
    widths = [max(len(line[i]) for line in cells) for i in range(last + 1)]
    return ["  ".join(cell.ljust(widths[i]) if i in (0, last) else cell.rjust(widths[i]) for i, cell in enumerate(line)).rstrip() for line in cells]


def by_size(results: Results, rows: list[str], markdown: bool = False) -> list[str]:
    """Rows that differ in how many requests have a doorbell: Segue, libmlx5 without locks, and the honest floor."""
    sizes = (1, 2, 4, 8, 16, 32, 64)
    cells = [["Segue / no locks / honest", *map(str, sizes)]]
    for stem in dict.fromkeys(row.rsplit("/", 1)[0] for row in rows):
        names = [stem if n == 1 else f"{stem}/{n}" for n in sizes]
        cells.append([stem, *(" / ".join(shown(results.side(name, s)) for s in ("Segue", "no locks", "honest")) if name in results.rows else "–"
                              for name in names)])
    return laid(cells, markdown)


def cold(results: Results, markdown: bool = False) -> list[str]:
    """Lines of data and of code, cold, and of data, warm."""
    sides = ("no locks", "UCX", "Segue", "honest", "absolute")
    cells = [["", *sides]]
    for row, words in COLD.items():
        found = [results.lines_of(row, s) if row in results.lines else None for s in sides]
        cells.append([words, *map(told_lines, found)])
    return laid(cells, markdown)


def told_lines(states: Optional[dict[str, list[float]]]) -> str:
    if not states:
        return "–"
    data, code = states["cold"]
    return f"{data:.3g} + {code:.3g}" + (f" ({states['warm'][0]:.3g})" if "warm" in states else "")


def grouped(results: Results, title: str, rows: list[str], markdown: bool = False) -> list[str]:
    """The rows of a group as a table of its form."""
    forms = {"Sends by size of batch": by_size, "Many queue pairs": among}
    return forms.get(title, table)(results, rows, markdown)


def among(results: Results, rows: list[str], markdown: bool = False) -> list[str]:
    """Rows that differ in a number alone, side by side."""
    counts = sorted({int(row.rsplit("/", 1)[1]) for row in rows})
    stems = list(dict.fromkeys(row.rsplit("/", 1)[0] for row in rows))
    cells = [["", *map(str, counts)]]
    for stem in stems:
        cells.append([stem, *(shown(results.side(f"{stem}/{n}", "Segue"), 1) if f"{stem}/{n}" in results.rows else "–" for n in counts)])
    return laid(cells, markdown)


def means(results: Results) -> list[str]:
    lines = []
    for words, names in MEANS.items():
        found = {s: results.mean(s, of_group(results, names)) for s in RATIOS}
        told = [f"{mean[0]:.2f} {'times the floor (' + s + ')' if s in ('honest', 'absolute') else 'against ' + s} of {mean[1]} rows"
                for s, mean in found.items() if mean]
        if told:
            lines.append(f"{words}: " + "; ".join(told))
    floors = {s: results.floor_mean(s, of_group(results, names)) for s in ("honest", "absolute")}  # of the last, all rows
    told = [f"{mean[0]:.2f} ({s}) of {mean[1]} rows" for s, mean in floors.items() if mean]
    return lines + ([f"the floors themselves against no locks: {'; '.join(told)}"] if told else [])


def text(results: Results) -> str:
    lines = [f"{key}: {value}" for key, value in results.about.items()] + ["", "Instructions for one operation, loop included"]
    for title, names in GROUPS.items():
        rows = of_group(results, names)
        if rows:
            lines += ["", title, *grouped(results, title, rows)]
    if results.lines:
        lines += ["", "Cold: lines of cache, data + code (of data, warm)", *cold(results)]
    lines += ["", "Geometric means of the ratios (against libmlx5 without locks, its better call)", *means(results)]
    if results.unequal:
        lines += ["", "Not counted, as other bytes were written:", *(f"{row}: {', '.join(who)}" for row, who in results.unequal.items())]
    return "\n".join(lines) + "\n"


BAR, GAP, LABEL, WIDTH = 13, 9, 190, 760
COLOURS = {"no locks": "#9aa5b1", "UCX": "#c9a227", "Segue": "#1f7a8c", "honest": "#5b6770", "absolute": "#2d3436"}


def chart(results: Results, title: str, rows: list[str]) -> str:
    """Bars of each side, row by row. It reads in the light and in the dark: its ground is its own."""
    rows = [row for row in rows if row in results.rows]
    sides = [s for s in COLOURS if any(results.side(row, s) for row in rows)]
    most = max((results.side(row, s) or 0 for row in rows for s in sides), default=1)
    height = 60 + sum(GAP + BAR * len([s for s in sides if results.side(row, s)]) for row in rows)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11" role="img">',
             f"<title>{escape(title)}</title>", f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
             f'<text x="8" y="18" font-size="14">{escape(title)}</text>']
    for i, side in enumerate(sides):
        parts.append(f'<rect x="{LABEL + 110 * i}" y="28" width="10" height="10" fill="{COLOURS[side]}"/>'
                     f'<text x="{LABEL + 14 + 110 * i}" y="37">{"libmlx5, no locks" if side == "no locks" else side}</text>')
    y = 50
    for row in rows:
        parts.append(f'<text x="8" y="{y + BAR - 3}">{escape(row)}</text>')
        for side in sides:
            value = results.side(row, side)
            if not value:
                continue
            width = value / most * (WIDTH - LABEL - 50)
            parts.append(f'<rect x="{LABEL}" y="{y}" width="{width:.1f}" height="{BAR - 2}" fill="{COLOURS[side]}"/>'
                         f'<text x="{LABEL + width + 4:.1f}" y="{y + BAR - 4}">{value:.0f}</text>')
            y += BAR
        y += GAP
    return "\n".join([*parts, "</svg>"]) + "\n"


CHARTS = {
    "posting": ("Instructions to post a request", ["rc/rdma_write/sge", "rc/rdma_write/sge4", "rc/rdma_write/inline28", "rc/rdma_read/sge",
                                                    "rc/atomic_fa/plain", "rc/send/inline28", "ud/send/av-sge", "dci/rdma_write/av-sge",
                                                    "batch/write/16", "post-receive/1"]),
    "polling": ("Instructions to poll a completion", ["poll/send/1", "poll/send/16", "poll/receive/1", "poll/receive/16", "poll/empty/1",
                                                       "poll/payload/1", "poll/failed/1"]),
}


def draw(results: Results, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, (title, rows) in CHARTS.items():
        (folder / f"performance-{name}.svg").write_text(chart(results, title, rows), encoding="utf-8")


def page(results: Results, template: str) -> str:
    """docs/performance.md: page.md with the figures."""
    tables = []
    for title, names in GROUPS.items():
        rows = of_group(results, names)
        if rows:
            tables += [f"### {title}", "", *grouped(results, title, rows, True), ""]
    about = "; ".join(f"{key} {value}" for key, value in results.about.items())
    unequal = [f"- {row}: {', '.join(who)}" for row, who in results.unequal.items()]
    return (template.replace("@ABOUT@", about).replace("@MEANS@", "\n".join(f"- {line}" for line in means(results)))
            .replace("@COLD@", "\n".join(cold(results, True))).replace("@TABLES@", "\n".join(tables).rstrip()).replace("@UNEQUAL@", "\n".join(unequal) or "- none"))
