#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A queue pair costs the same among few and among many: what Segue itself executes to open, connect and close one. Instructions are counted by
# callgrind, in the library alone: neither libmlx5's, nor the emulated device's, nor a busy machine count.
set -eu
top=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
scratch=${TEST_TMPDIR:-/tmp}
few=${1:-256} many=${2:-1024}
export SOFTHCA_DIR=$scratch/segue-test-$$

# count QUEUE_PAIRS LIVES: instructions of the library, with what it does at its start.
count() {
	"$top/tools/softhca/softhca" valgrind --tool=callgrind --fair-sched=yes --compress-strings=no --compress-pos=no \
		--callgrind-out-file="$scratch/lives.out" --log-file="$scratch/lives.log" "$top/tools/bench/lives" "$1" "$2" >/dev/null ||
		{ echo "FAILED: $1 queue pairs, $2 lives: ended with $?" && tail "$scratch/lives.log" && exit 1; } >&2
	# Each function's own lines; a line behind calls= is what it called.
	awk '
		/^ob=/ { mine = /\/lives$/ }
		/^calls=/ { getline; next }
		/^[0-9+*-]/ && mine { sum += $2 }
		END { print sum + 0 }' "$scratch/lives.out"
}

once=$(count "$few" 1)
twice=$(count "$few" 2)
start=$((2 * once - twice))
# Each life comes in three orders of closing.
of_few=$(((twice - once) / few / 3))
of_many=$((($(count "$many" 1) - start) / many / 3))
echo "of $few: $of_few instructions of Segue for a queue pair, of $many: $of_many"
if [ "$of_few" -lt 1000 ] || [ "$((of_many * 10))" -gt "$((of_few * 11))" ]; then
	echo "FAILED: expected a tenth more at most"
	exit 1
fi
