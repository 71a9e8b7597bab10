# SPDX-License-Identifier: BSD-2-Clause
"""What docs/back-ends.md shows of each language: a program, and what it or its compiler prints."""

from __future__ import annotations

from tests.docs import pages

PAGE = "docs/back-ends.md"
PRINTS = {"python": "It prints:", "rust": "With `srd::rdma_read(` in place of `srd::send(` rustc says:"}


def is_block(block: pages.Block) -> bool:
    return block.page == PAGE and (block.language in PRINTS or block.caption in PRINTS.values())


def shown(language: str) -> tuple[str, str]:
    """The program, and what is printed."""
    blocks = [block for block in pages.read(PAGE) if is_block(block)]
    program = next(block.text for block in blocks if block.language == language)
    return program, next(block.text for block in blocks if block.caption == PRINTS[language])
