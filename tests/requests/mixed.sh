#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Random requests of many kinds at once, on both link layers. SEGUE_TEST_OPS=1000000 makes a long run of it.
set -eu
top=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
for link in ib roce; do
	export SOFTHCA_DIR=${TEST_TMPDIR:-/tmp}/segue-test-$$-$link
	"$top/tools/softhca/softhca" --link $link "$top/tests/requests/mixed"
done
