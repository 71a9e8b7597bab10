#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Instructions per completion of one completion queue do not depend on how many queue pairs it serves. They complete in random order.
set -eu
many=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tools/bench/many

# count QUEUE_PAIRS AT_A_TIME: instructions for one completion.
count() {
	local log=${TEST_TMPDIR:-/tmp}/many.log times total

	times=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=measured --log-file="$log" "$many" "$1" "$2")
	total=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$log")
	awk -v total="$total" -v times="$times" 'BEGIN { printf "%.2f", total / times }'
}

bad=0
for at_a_time in 1 16; do
	least= most=
	for queue_pairs in 1 256 4096 65536; do
		each=$(count "$queue_pairs" "$at_a_time")
		echo "$at_a_time at a time of $queue_pairs queue pairs: $each instructions per completion"
		least=$(awk -v a="${least:-$each}" -v b="$each" 'BEGIN { print (a < b ? a : b) }')
		most=$(awk -v a="${most:-$each}" -v b="$each" 'BEGIN { print (a > b ? a : b) }')
	done
	if awk -v least="$least" -v most="$most" 'BEGIN { exit !(most - least > 2 || least < 10) }'; then
		echo "FAILED: from $least to $most instructions; expected no more than 2 between them"
		bad=1
	fi
done
exit $bad
