# SPDX-License-Identifier: BSD-2-Clause
"""Writes the page of witnesses: bazel run //tests/witnesses:update."""

import os
from pathlib import Path

from tests.witnesses import table

if __name__ == "__main__":
    os.chdir(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    Path(table.PAGE).write_text(table.page(table.load()), encoding="utf-8")
    print(f"wrote {table.PAGE}")
