#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# That programs of another build mode build is most of it; that they run, the rest.
set -eu
export SOFTHCA_DIR=${TEST_TMPDIR:-/tmp}/modes-$$

tools/softhca/softhca tools/segue/segue devices | grep -q mlx5_0
tools/softhca/softhca tools/demo/pingpong --rounds 20 | grep -q 'at the peer, all right\.$'
# The C++ of a test, where the mode has one: its cases are in it, or it would pass without any.
if [ -e tests/segments/check_death_test ]; then
	tests/segments/check_death_test | grep -q 'PASSED.* [1-9][0-9]* tests\?\.$'
fi
echo "modes: all right"
