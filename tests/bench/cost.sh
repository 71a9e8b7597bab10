#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What a program does most takes libmlx5 at least twice as many instructions as us, without its locks, too: README.md says so.
# Counted by callgrind, so it does not matter what else the machine does.
set -eu
table=$("${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tools/bench/bench" --instructions write write-16 send post-receive receive receive-payload)
echo "$table"
echo "$table" | awk '
	NR > 2 { rows++ }
	NR > 2 && ($2 < 2 * $4 || $3 < 2 * $4 || $4 < 1) { bad = 1; print "FAILED: not by a factor of 2: " $1 }
	END { if (rows != 6) { print "FAILED: expected 6 operations, found " rows + 0; bad = 1 } exit bad }'
