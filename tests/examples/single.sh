#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# single.sh [--fails] EXAMPLE LINK...: it checks its data itself, on each of the link layers, and the referee has nothing to say, but where something
# is to fail.
set -euo pipefail
root=$TEST_SRCDIR/$TEST_WORKSPACE
judged=--strict
[ "$1" != --fails ] || {
	judged=
	shift
}
example=$1
shift
for link; do
	SOFTHCA_DIR=$TEST_TMPDIR/softhca-$link "$root/tools/softhca/softhca" $judged --link $link "$root/tests/examples/$example"
done
