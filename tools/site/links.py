# SPDX-License-Identifier: BSD-2-Clause
"""Links of the site's Markdown: whether page and heading are there."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from tools.site.stage import CODE, FENCE, LINK

ANCHOR = re.compile(r'<a id="([^"]*)">')
HEADING = re.compile(r"^#+ (.*?)#*$")
TEXT = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def slug(heading: str, separator: str = "-") -> str:
    """The anchor that GitHub makes of a heading. Python-Markdown is given this function, too."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def prose(text: str) -> list[str]:
    lines, fenced = [], False
    for line in text.split("\n"):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            lines.append(line)
    return lines


def anchors(text: str) -> set[str]:
    found = set(ANCHOR.findall(text))
    for line in prose(text):
        if heading := HEADING.match(line):
            found.add(slug(TEXT.sub(r"\1", heading[1]).replace("`", "")))
    return found


def links(text: str) -> list[str]:
    return [link for line in prose(text) for _, link, _ in LINK.findall(CODE.sub("", line))]


def dead(pages: dict[str, str], out: Path) -> tuple[int, list[str]]:
    """How many links there are within the site, and those that lead nowhere."""
    known = {page: anchors(text) for page, text in pages.items()}
    count, found = 0, []
    for page, text in pages.items():
        for link in links(text):
            if "://" in link:
                continue
            count += 1
            path, _, anchor = link.partition("#")
            there = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
            if there not in known and not (out / there).is_file():
                found.append(f"{page}: there is no {link}")
            elif anchor and anchor not in known.get(there, set()):
                found.append(f"{page}: {path or page} has no heading for #{anchor}")
    return count, found
