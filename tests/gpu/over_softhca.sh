#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# over_softhca.sh [REQUESTS]: threads as lanes of one queue of softhca, past 2^16; the referee has nothing to say. By hand with 10000000.
set -euo pipefail
root=$TEST_SRCDIR/$TEST_WORKSPACE
SOFTHCA_DIR=$TEST_TMPDIR/softhca "$root/tools/softhca/softhca" --strict "$root/tests/gpu/over_softhca" "${1:-100000}"
