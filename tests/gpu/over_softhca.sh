#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# over_softhca.sh [REQUESTS]: threads as lanes of one queue of softhca, past 2^16 and 2^32, with both kinds of completion queue. The referee has nothing
# to say. By hand with 10000000.
set -euo pipefail
root=$TEST_SRCDIR/$TEST_WORKSPACE
export SOFTHCA_DIR=$TEST_TMPDIR/softhca
for kind in ring collapsed; do
	"$root/tools/softhca/softhca" --strict "$root/tests/gpu/over_softhca" "$kind" "${1:-100000}"
done
