# SPDX-License-Identifier: BSD-2-Clause
"""The golden copies are what the generator writes now."""

import sys

from tools import goldens

MOST_LINES = 200

if __name__ == "__main__":
    lines = goldens.differences()
    print("\n".join(lines[:MOST_LINES]))
    if len(lines) > MOST_LINES:
        print(f"… and {len(lines) - MOST_LINES} lines more")
    if lines:
        print(f"\nIf the change is wanted: {goldens.REFRESH}")
        sys.exit(1)
