#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# That programs of another build mode build is most of it; that they run, the rest.
set -euo pipefail
export SOFTHCA_DIR=${TEST_TMPDIR:-/tmp}/modes-$$ SEGUE_TOKEN=of-this-test

tried=0
if [ -e tools/segue/segue ]; then
	tools/softhca/softhca tools/segue/segue devices | grep -q mlx5_0
	tools/softhca/softhca tools/demo/pingpong --rounds 20 | grep -q 'at the peer, all right\.$'
	tried=1
fi
# A test, where the mode has one: its cases are in it, or it would pass without any.
for test in tests/segments/check_death_test tests/efa/block_lto; do
	[ -e "$test" ] || continue
	"$test" | grep -q 'PASSED.* [1-9][0-9]* tests\?\.$'
	tried=1
done
[ "$tried" = 1 ]
echo "modes: all right"
