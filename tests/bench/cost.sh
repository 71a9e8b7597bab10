#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Every operation takes libmlx5 at least twice as many instructions as us, without its locks, too: README.md says so. Counted
# by callgrind, so it does not matter what else the machine does.
set -eu
table=$("${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tools/bench/bench" --instructions)
echo "$table"
echo "$table" | awk '
	NR > 2 { rows++ }
	NR > 2 && ($2 < 2 * $4 || $3 < 2 * $4 || $4 < 1) { bad = 1; print "FAILED: not by a factor of 2: " $1 }
	END { if (rows != 9) { print "FAILED: expected 9 operations, found " rows + 0; bad = 1 } exit bad }'
