#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# single.sh EXAMPLE: it checks its data itself; on both link layers, and the referee has nothing to say.
set -euo pipefail
root=$TEST_SRCDIR/$TEST_WORKSPACE
for link in ib roce; do
	SOFTHCA_DIR=$TEST_TMPDIR/softhca-$link "$root/tools/softhca/softhca" --strict --link $link "$root/tests/examples/$1"
done
