# SPDX-License-Identifier: BSD-2-Clause
"""Prose of the spec in Markdown."""

from __future__ import annotations

import re
from typing import Iterable

from codegen.model.model import Citation, Source


def md(text: str) -> str:
    """Prose from the spec, so that Markdown shows it unchanged, also in a table cell."""
    text = re.sub(r"([\\`*\[\]<>|#~])", r"\\\1", " ".join(text.split()))
    return re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\\_", text)


def cited(source: Source) -> str:
    """A source, with a link for each of its files."""
    def one(c: Citation) -> str:
        place = f"<{c.url}>" if c.repository == "https" else f"[{md(f'{c.repository}: {c.path}')}]({c.url})" if c.url else md(c.path)
        symbols = f" {', '.join(f'`{symbol}`' for symbol in c.symbols)}" if c.symbols else ""
        return place + symbols + (f" ({md(c.note)})" if c.note else "")

    return "; ".join(map(one, source.citations))


def first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence."""
    found = re.match(r".*?\.(?=\s+[A-Z]|$)", " ".join(text.split()))
    return found.group(0) if found else text


def join(names: Iterable[str], last: str = "and") -> str:
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}" if names else ""
