#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A queue pair costs the same among few and among many: what Segue itself executes to open, connect and close one. Instructions are counted by
# callgrind, in the library alone: neither libmlx5's, nor the emulated device's, nor a busy machine count.
set -eu
top=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
scratch=${TEST_TMPDIR:-/tmp}
few=${1:-256} many=${2:-1024}
export SOFTHCA_DIR=$scratch/segue-test-$$

# count QUEUE_PAIRS LIVES: instructions of the library, of each three lives, which come in three orders of closing; what it does at its start is
# among those of the first.
count() {
	"$top/tools/softhca/softhca" valgrind --tool=callgrind --fair-sched=yes --compress-strings=no --compress-pos=no --combine-dumps=yes \
		--dump-after=live --callgrind-out-file="$scratch/lives.out" --log-file="$scratch/lives.log" "$top/tools/bench/qp_lifetime" "$1" "$2" >/dev/null ||
		{ echo "FAILED: $1 queue pairs, $2 lives: ended with $?" && tail "$scratch/lives.log" && exit 1; } >&2
	# Each function's own lines; a line behind calls= is what it called.
	awk -v lives="$2" '
		/^part:/ { part++ }
		/^ob=/ { mine = /\/qp_lifetime$/ }
		/^calls=/ { getline; next }
		/^[0-9+*-]/ && mine { sum[int((part - 1) / 3)] += $2 }
		END {
			if (part != 3 * lives + 1) { print "FAILED: " part + 0 " parts, expected " 3 * lives + 1 > "/dev/stderr"; exit 1 }
			for (i = 0; i < lives; i++) print sum[i]
		}' "$scratch/lives.out"
	rm "$scratch/lives.out"
}

lives=$(count "$few" 2)
first=$(sed -n 1p <<<"$lives")
second=$(sed -n 2p <<<"$lives")
of_few=$((second / few / 3))
of_many=$((($(count "$many" 1) - (first - second)) / many / 3))
echo "of $few: $of_few instructions of Segue for a queue pair, of $many: $of_many"
if [ "$of_few" -lt 1000 ] || [ "$((of_many * 10))" -gt "$((of_few * 11))" ]; then
	echo "FAILED: expected a tenth more at most"
	exit 1
fi
