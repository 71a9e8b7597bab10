# SPDX-License-Identifier: BSD-2-Clause
"""Sources of facts, as data: `REPOSITORY:PATH#SYMBOL,SYMBOL (note)`, several of them separated by ';'."""

from __future__ import annotations

import re
from typing import Mapping

from codegen.model.model import Citation, Repository, Source
from codegen.load.schema import expected_name

# Sources outside of repositories: a page, a text published otherwise, and the author's own decision.
ELSEWHERE = ("https", "document", "own")
HEAD = re.compile(r"([A-Za-z][\w.-]*):(.*)")
PLACE = re.compile(r"(?P<path>[\w.+-]+(?:/[\w.+-]+)*)(?:#(?P<symbols>[A-Za-z_]\w*\*?(?:, ?[A-Za-z_]\w*\*?)*))?(?: \((?P<note>.+)\))?")
FORM = "REPOSITORY:PATH#SYMBOL,SYMBOL (note), https://PAGE, document:TITLE or own:WORDS, with ';' between several"


def parse(text: str, known: Mapping[str, Repository]) -> tuple[Source, list[str]]:
    """The source in a text, and a sentence for each part of the text that is not a source."""
    citations: list[Citation] = []
    problems: list[str] = []
    for piece in re.split(r";\s+(?![^()]*\))", text):
        head = HEAD.fullmatch(piece)
        name, rest = (head[1], head[2].strip()) if head else ("", "")
        place = PLACE.fullmatch(rest)
        if name in ELSEWHERE and rest:
            citations.append(Citation(name, rest, url=piece if name == "https" else "", secondary=name == "https"))
        elif name and place and name not in known:
            hint = expected_name(name, [*known, *ELSEWHERE]) if known else "; a file of kind 'repositories' names them"
            problems.append(f"cites the unknown repository '{name}'{hint}")
        elif name in known and place:
            citations.append(Citation(name, place["path"], tuple(re.split(", ?", place["symbols"] or "")) if place["symbols"] else (),
                                      place["note"] or "", known[name].link(place["path"]), known[name].secondary))
        else:
            problems.append(f"holds '{piece}'; expected {FORM}")
    return Source(tuple(citations)), problems
