# SPDX-License-Identifier: BSD-2-Clause
"""Text as mdoc wants it."""

from __future__ import annotations

import re
import textwrap

WIDTH = 78
MACROS = {"Fl", "Ar", "Nm", "Pa", "Ev", "Op", "Xr", "Li", "Fn", "Ft", "It", "Sh", "Ss", "An", "Aq", "Bq", "No", "Ns", "Ta", "Va", "In", "Er", "Cm", "Ic"}


def escape(text: str) -> str:
    text = text.replace("\\", "\\e").replace("`", "\\(ga").replace("'", "\\(aq").replace("^", "\\(ha").replace("~", "\\(ti").replace("--", "\\-\\-")
    return "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text.replace("…", "..."))


def wrapped(text: str) -> list[str]:
    out = []
    for line in textwrap.wrap(text, WIDTH - 8, break_long_words=False, break_on_hyphens=False):
        line = escape(line)
        out.append("\\&" + line if line[:1] in (".", "\\") else line)
    return out


def flow(text: str) -> list[str]:
    """A paragraph, each sentence from a line of its own, functions marked as such."""
    out = []
    text = re.sub(r"(^|\s|\()@(\w+)", r"\1\2", text)
    for sentence in re.split(r"(?<=[.!?:;])\s+", text):
        rest = sentence
        while (call := re.search(r"(?<![\w>.])([A-Za-z_]\w+)\(\)([.,;:)?!]*)(?=\s|$)", rest)) is not None:
            before, _, joined = rest[: call.start()].rpartition(" ")
            out += wrapped(before)
            macro = f".Pf {argument(joined)} Fn" if joined else ".Fn"
            out.append(f"{macro} {call[1]}" + "".join(" " + c for c in call[2]))
            rest = rest[call.end() :].strip()
        out += wrapped(rest)
    return out


def argument(text: str) -> str:
    """One word of a macro line."""
    text = escape(" ".join(text.split())).replace('"', "\\(dq")
    if text in MACROS:
        return "\\&" + text
    return f'"{text}"' if re.search(r"[\s.,:;()\[\]?!]", text) or not text else text


def literal(text: str, tab: int) -> list[str]:
    """Lines as they are."""
    lines = [escape(line.expandtabs(tab)).rstrip() for line in text.split("\n")]
    lines = ["\\&" + line if line[:1] in (".", "\\") else line for line in lines]
    return [".Bd -literal -offset indent", *lines, ".Ed"]
