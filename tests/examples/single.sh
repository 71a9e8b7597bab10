#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# single.sh EXAMPLE LINK...: it checks its data itself, on each of the link layers, and the referee has nothing to say.
set -euo pipefail
root=$TEST_SRCDIR/$TEST_WORKSPACE
example=$1
shift
for link; do
	SOFTHCA_DIR=$TEST_TMPDIR/softhca-$link "$root/tools/softhca/softhca" --strict --link $link "$root/tests/examples/$example"
done
