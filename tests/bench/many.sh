#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Instructions per completion of one completion queue do not depend on how many queue pairs it serves. They complete in random order.
set -eu
tools=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tools/bench
# shellcheck source=tools/bench/counted.sh
. "$tools/counted.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
below=()

parts=()
for at_a_time in 1 16; do
	for queue_pairs in 1 256 4096 65536; do parts+=("$queue_pairs" "$at_a_time"); done
done
counted "$tools/many" "${parts[@]}" | awk '
	{
		printf "%d at a time of %d queue pairs: %.2f instructions per completion\n", $2, $1, $3
		if (!($2 in least) || $3 < least[$2]) least[$2] = $3
		if (!($2 in most) || $3 > most[$2]) most[$2] = $3
	}
	END {
		for (at_a_time in least)
			if (most[at_a_time] - least[at_a_time] > 2 || least[at_a_time] < 10) {
				printf "FAILED: from %.2f to %.2f instructions; expected no more than 2 between them\n", least[at_a_time], most[at_a_time]
				bad = 1
			}
		if (NR != 8) { print "FAILED: expected 8 figures, found " NR; bad = 1 }
		exit bad
	}'
