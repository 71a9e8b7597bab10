#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What a peer costs: a post by peer beside the same post on its queue, a completion that names its peer beside one that does not. The same
# for one peer and for 65,536.
set -eu
by_peer=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tools/bench/by_peer
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# count WHAT PEERS: instructions for one.
count() {
	local times total

	times=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=measured --log-file="$scratch/$1.$2" "$by_peer" "$1" "$2")
	total=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/$1.$2")
	awk -v total="$total" -v times="$times" 'BEGIN { printf "%.2f", total / times }'
}

bad=0
# gate WHAT DIRECT MORE: WHAT takes at most MORE instructions more than DIRECT, and the same for any number of peers.
gate() {
	local peers each least= most= direct

	direct=$(count "$2" 256)
	for peers in 1 256 4096 65536; do
		each=$(count "$1" "$peers")
		echo "$1, $peers peers: $each instructions; $2: $direct"
		least=$(awk -v a="${least:-$each}" -v b="$each" 'BEGIN { print (a < b ? a : b) }')
		most=$(awk -v a="${most:-$each}" -v b="$each" 'BEGIN { print (a > b ? a : b) }')
	done
	if awk -v least="$least" -v most="$most" -v direct="$direct" -v more="$3" \
		'BEGIN { exit !(most - least > 2 || most - direct > more || direct < 10) }'; then
		echo "FAILED: $1 takes $least to $most instructions, expected at most $3 more than $direct, and no more than 2 between them"
		bad=1
	fi
}

gate rc rc-direct 12
gate dc dc-direct 30
gate poll poll-direct 12
gate poll-dc poll-direct 12
exit $bad
