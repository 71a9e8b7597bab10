# SPDX-License-Identifier: BSD-2-Clause
"""The seed of a random test in Python, as seed.h has it: $SEGUE_TEST_SEED, or another one at each run."""

from __future__ import annotations

import os
import random


def segue_test_seed() -> int:
    """Printed, so that a run can be repeated; tools/test reads it there."""
    seed = int(os.environ.get("SEGUE_TEST_SEED", random.SystemRandom().randrange(1, 1 << 32)))
    print(f"SEGUE_TEST_SEED={seed}", flush=True)
    return seed
