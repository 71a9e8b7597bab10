# SPDX-License-Identifier: BSD-2-Clause
"""The table of witnesses, read and shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

TABLE = "tests/witnesses/witnesses.yaml"
PAGE = "docs/softhca/witnesses.md"

HEAD = """\
<!-- SPDX-License-Identifier: BSD-2-Clause -->
<!-- Made of {table} by `bazel run //tests/witnesses:update`. -->
# Who else reads and writes these formats

Library, softhca and tests have the same authors, so a misreading may be in all three. This table says for each format and protocol
which other programs and sources know it, and which test lets one of them read or write it here, or holds Segue to a reader made from
their sources alone.

{whole} of {all} rows are witnessed whole, {part} in part, {none} not at all.

| Format or protocol | Others who know it | Tests | By hand | What nobody else has seen |
|---|---|---|---|---|
"""
BUILDS = """
## Programs that are not packaged
Built elsewhere, and given by path:

| Program | Commit | Date | Command | Result |
|---|---|---|---|---|
"""


def load(path: str = TABLE) -> dict[str, Any]:
    table = yaml.load(Path(path).read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    assert isinstance(table, dict)
    return table


def files(pairs: dict[str, str]) -> str:
    return ", ".join(f"[`{Path(path).name}`](../../{path})" for path in pairs)


def page(table: dict[str, Any]) -> str:
    rows = table["formats"]
    none = sum("tests" not in row for row in rows)
    part = sum("tests" in row and "hole" in row for row in rows)
    text = HEAD.format(table=TABLE, whole=len(rows) - none - part, all=len(rows), part=part, none=none)
    for row in rows:
        text += f"| {row['name']} | {row['others']} | {files(row.get('tests', {}))} | {files(row.get('by_hand', {}))} | {row.get('hole', '')} |\n"
    text += BUILDS
    for build in table["builds"]:
        text += f"| {build['program']} | `{build['commit'][:12]}` | {build['date']} | `{build['command']}` | {build['result']} |\n"
    return text
