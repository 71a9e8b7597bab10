# SPDX-License-Identifier: BSD-2-Clause
"""What docs/back-ends.md shows of Python: a program, and what it prints."""

from __future__ import annotations

from tests.docs import pages

PAGE = "docs/back-ends.md"


def is_block(block: pages.Block) -> bool:
    return block.page == PAGE and (block.language == "python" or block.caption == "It prints:")


def program_and_output() -> tuple[str, str]:
    program, printed = (block.text for block in pages.read(PAGE) if is_block(block))
    return program, printed
