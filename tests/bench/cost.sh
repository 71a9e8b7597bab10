#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What a program does most takes libmlx5 at least twice as many instructions as us, without its locks, too: README.md says so, and how many.
# Counted by callgrind, so it does not matter what else the machine does.
set -eu
root=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
# README's rows, in its order; and one more.
table=$("$root/tools/bench/bench" --instructions write write-old write-16 inline send receive empty post-receive receive-payload)
echo "$table"
echo "$table" | awk '
	NR > 2 { rows++ }
	NR > 2 && ($2 < 2 * $4 || $3 < 2 * $4 || $4 < 1) { bad = 1; print "FAILED: not by a factor of 2: " $1 }
	END { if (rows != 9) { print "FAILED: expected 9 operations, found " rows + 0; bad = 1 } exit bad }'
# Ours exact but for the rounding; libmlx5's within 5 %, as distributions compile it.
awk -F '|' '
	function far(shown, counted, by) { return shown > counted + by || shown < counted - by }
	FNR == NR && /^\| .* [0-9]+ \|$/ { said[++rows] = $3 " " $4 " " $5; next }
	FNR == NR { next }
	FNR > 2 && FNR <= rows + 2 {
		split(said[FNR - 2], shown, " ")
		split($0, counted, " +")
		if (far(shown[1], counted[2], counted[2] / 20) || far(shown[2], counted[3], counted[3] / 20) || far(shown[3], counted[4], 1)) {
			bad = 1
			print "FAILED: README.md says " said[FNR - 2] " of " $0
		}
	}
	END { if (rows != 8) { print "FAILED: expected 8 rows in README.md, found " rows + 0; bad = 1 } exit bad }' "$root/README.md" <(echo "$table")
