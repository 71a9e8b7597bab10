# SPDX-License-Identifier: BSD-2-Clause
"""Man pages of what is generated, out of the pages of the reference: a page for each request, segment, completion and transport, and for each
enum. The names that lead to them are those in the generated headers.

The Markdown is the generator's own (codegen/docs/templates), so only what that writes is understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator, Optional

from tools.man.mdoc import escape, flow, literal

CALL = re.compile(r"`segue_(\w+)\(w")
KEYS = ("Field", "Segment", "Name", "In C", "Attribute", "State")  # columns that a reader looks for


@dataclass
class Page:
    name: str
    title: str
    header: str
    text: str  # Markdown
    names: list[str] = field(default_factory=list)  # others that lead here
    patterns: list[str] = field(default_factory=list)  # of names in the generated headers that do, too
    begins: str = ""  # the call that begins a request, which may be another page's, too


def plain(text: str) -> str:
    """A line without its marks."""
    text = re.sub(r"<a id=[^>]*></a>", "", text).replace("→", "to")
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("<br>", " ")
    text = re.sub(r"(?<![\w*\\])\*{1,2}(?!\s)([^*]+)\*{1,2}", r"\1", text)
    return re.sub(r"\\([\\*|_\[\]])", r"\1", text).replace("`", "").replace("\u2060", "").strip()


def cells(line: str) -> list[str]:
    return [plain(cell) for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def fenced(block: str) -> list[str]:
    """A fence without its marks."""
    return literal("\n".join(block.split("\n")[1:-1]), 4)


class Writer:
    """Markdown to mdoc."""

    def __init__(self, apart: bool = True) -> None:
        self.apart = apart  # examples have a section of their own
        self.out: list[str] = []
        self.examples: list[str] = []

    def write(self, text: str) -> None:
        blocks = iter(self.blocks(text))
        caption: Optional[str] = None
        for block in blocks:
            if self.apart and block.startswith("```c"):
                self.example(caption, block)
                caption = None
                continue
            if caption:
                self.paragraph(caption)
            caption = block if block.endswith(":") and "\n" not in block else None
            if caption is None:
                self.block(block)

    def blocks(self, text: str) -> Iterator[str]:
        """Paragraphs, tables and fences."""
        text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
        for part in re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE):
            if part.startswith("```"):
                yield part
                continue
            for block in re.split(r"\n\s*\n|(?<=\n)(?=#)", part):
                block = block.strip("\n")
                if block.strip() and not block.startswith(("![", "[Reference]", "# ", "<a id")):
                    yield block
                elif "\n## " in block:
                    yield block[block.index("## "):]

    def block(self, block: str) -> None:
        if block.startswith("## "):
            title, _, rest = block.partition("\n")
            self.section(plain(title[3:]))
            if rest.strip():
                self.block(rest.strip())
        elif block.startswith("|"):
            self.table(block.split("\n"))
        elif block.startswith("```"):
            self.out += fenced(block)
        elif block.startswith("- "):
            self.items(re.split(r"^- ", block, flags=re.MULTILINE)[1:])
        elif block.startswith("> "):
            self.paragraph(block[2:])
        else:
            self.paragraph(block)

    def section(self, title: str) -> None:
        self.out.append(f'.Ss "{escape(title)}"')

    def paragraph(self, text: str) -> None:
        lines = flow(plain(" ".join(text.split())).replace(" (there as a picture)", ""))
        if lines:
            if self.out and not self.out[-1].startswith((".S", ".Pp")):
                self.out.append(".Pp")
            self.out += lines

    def example(self, caption: Optional[str], block: str) -> None:
        if self.examples:
            self.examples.append(".Pp")
        self.examples += flow(plain(caption or "In C:"))
        self.examples += fenced(block)

    def items(self, items: list[str]) -> None:
        self.out.append(".Bl -bullet")
        for item in items:
            self.out += [".It", *flow(plain(" ".join(item.split())))]
        self.out.append(".El")

    def table(self, lines: list[str]) -> None:
        """A list by the column that a reader looks for. The others follow, each after its title."""
        head, rows = cells(lines[0]), [cells(line) for line in lines[2:]]
        key = next((head.index(name) for name in KEYS if name in head), 0)
        if head[key].startswith("Member of"):
            self.paragraph(head[key].replace("Member of", "Members of") + ":")
        self.out.append(".Bl -tag -width Ds")
        for row in rows:
            rest = [f"{title} {cell}".strip() for title, cell in zip(head, row) if title and title not in ("Meaning", head[key]) and cell]
            said = [cell for title, cell in zip(head, row) if title == "Meaning" or (not title and head[key])]
            if not head[key]:
                rest, said = [], row[:key] + row[key + 1:]
            text = ", ".join(rest) + (". " if rest and any(said) else "") + " ".join(cell for cell in said if cell)
            self.out += [f'.It "{escape(row[key]) or "-"}"', *(flow(text) or ["\\&"])]
        self.out.append(".El")


def sentence_of(text: str) -> str:
    """The first sentence below the title."""
    body = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    first = next(block for block in re.split(r"\n\s*\n", body.split("\n# ", 1)[1].split("\n", 1)[1]) if block.strip())
    return re.split(r"(?<=[.])\s", plain(" ".join(first.split())), maxsplit=1)[0].rstrip(".")


def calls(page: Page) -> list[tuple[str, list[str]]]:
    """The calls that a page is about, as one types them: their parameters with types, where all that the page shows have the same."""
    typed: dict[str, set[str]] = {}
    lists = re.findall(r"^\w+ \w+\(([^)]*)\)\n\{", page.text, re.MULTILINE) + re.findall(r"^\| `([^`(]*)` \|", page.text, re.MULTILINE)
    for one in (" ".join(part.split()) for parameters in lists for part in parameters.split(",")):
        typed.setdefault(re.findall(r"\w+", one)[-1], set()).add(one)
    found: dict[str, list[str]] = {}
    for name, parameters in re.findall(r"`(segue_\w+)\(([^)`]+)\)`", page.text):
        if name in (page.name, *page.names, page.begins):
            found[name] = [typed[p].copy().pop() if len(typed.get(p, ())) == 1 else p for p in parameters.split(", ")]
    return list(found.items())


def request(stem: str, text: str, queues: str) -> Page:
    begins = re.search(r"^\| Call \| `segue_(\w+)\(", text, re.MULTILINE)
    name = begins[1] if begins else stem
    names = [f"segue_{name}"] + [f"segue_{call}_{name}" for call in ("post", "commit", "peer", "recv_post")]
    if name != stem:  # one call for several queues
        queues = stem.removeprefix(name + "_")
    return Page(f"segue_{stem}", sentence_of(text), "segue/gen/builders.h", text, names,
                [rf"segue_\w+_{name}_args", rf"SEGUE_[A-Z_]+_{stem.upper()}_UNITS",
                 rf"segue_(?:{queues})_{name}_(?:wants_\w+|may_take_\w+|complete)"], names[0])


def segment(stem: str, text: str, kind: str) -> Page:
    calls = [f"segue_{call}" for call in dict.fromkeys(CALL.findall(text))] + re.findall(r"struct (segue_\w+)`", text)
    name = stem if kind == "cqe" else f"seg_{stem}"
    return Page(f"segue_{name}", sentence_of(text), f"segue/gen/{kind}s.h".replace("segs.h", "segments.h"), text, calls,
                [rf"segue_{name}_\w+", rf"SEGUE_{name.upper()}_\w+"])


def enums(text: str) -> Iterator[Page]:
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        stem, _, body = part.partition("\n")
        page = f"# {stem}\n\n{body}"
        members = re.findall(r"`(SEGUE_\w+)`", body)
        yield Page(f"segue_{stem}", sentence_of("\n" + page), "segue/gen/enums.h", page, [f"segue_{stem}_name", *members])


def transport(stem: str, text: str) -> Page:
    return Page(f"segue_{stem}", sentence_of(text), f"segue/gen/{stem}.h" if "## Send queue" in text or "## Layout" in text else
                "segue/gen/transports.h", text, [f"segue_{stem}_sq", f"segue_{stem}_machine", f"segue_{stem}_transport"],
                [rf"SEGUE_{stem.upper()}_UNITS"])


def together(name: str, title: str, header: str, parts: list[tuple[str, Page]]) -> Page:
    """Several pages as sections of one."""
    text = f"# {name}\n\n{title}.\n" + "".join(f"\n## {heading}\n\n{below_the_title(part.text)}\n" for heading, part in parts)
    return Page(name, title, header, text, [n for _, p in parts for n in (p.name, *p.names)], [one for _, p in parts for one in p.patterns])


def below_the_title(text: str) -> str:
    """A page's text with sections one step lower."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    return re.sub(r"^## (.*)$", r"**\1**", text.split("\n# ", 1)[-1].split("\n", 1)[1], flags=re.MULTILINE).strip()


def add_enum(page: Page, enum: Page) -> None:
    """An enum that one page alone uses is a section of it."""
    page.text += f"\n## {enum.name}\n\n{below_the_title(chr(10) + enum.text)}\n"
    page.names += [enum.name, *enum.names]


def pages(folder: Path, hand_written: str) -> list[Page]:
    """Pages of requests, segments, CQE formats, enums and transports. Segments of commands, which programs seldom write, have one page."""
    queues = sorted((folder / "transports").glob("*.md"))
    stems = "|".join(path.stem for path in queues)
    found = [request(path.stem, path.read_text(encoding="utf-8"), stems) for path in sorted((folder / "requests").glob("*.md"))]
    laid: list[Page] = []
    commands: list[tuple[str, Page]] = []
    for kind, short in (("segments", "seg"), ("cqes", "cqe")):
        for path in sorted((folder / kind).glob("*.md")):
            one = segment(path.stem, path.read_text(encoding="utf-8"), short)
            if path.stem.endswith(("_in", "_out")):
                commands.append((path.stem, one))
            else:
                laid.append(one)
    if commands:
        laid.append(together("segue_device_commands", "commands to the device, and what it answers", "segue/gen/segments.h", commands))
    alone: list[Page] = []
    constants: list[tuple[str, Page]] = []
    for enum in enums((folder / "enums.md").read_text(encoding="utf-8")):
        stem = enum.name.removeprefix("segue_")
        users = [one for one in laid if re.search(rf"enums\.md#{stem}\b", one.text)]
        if len(users) == 1:
            add_enum(users[0], enum)
        elif users or f"enum {enum.name} " in hand_written or re.search(rf"enums\.md#{stem}\b", "".join(p.text for p in found)):
            alone.append(enum)
        else:
            constants.append((enum.name, enum))
    if constants:
        alone.append(together("segue_constants", "constants of the device that no segment names", "segue/gen/enums.h", constants))
    found += laid + alone
    found += [transport(path.stem, path.read_text(encoding="utf-8")) for path in queues]
    return found
