#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# bazel run -c opt //tools/bench: what an operation costs, libmlx5's and ours, on this machine. Instructions are counted by
# callgrind (valgrind), with the loop around the operation; cycles are of the TSC. On a card if there is one, else on softhca;
# nothing is sent.
set -euo pipefail
top=${RUNFILES_DIR:-$0.runfiles}/segue
[ -x "$top/tools/bench/cost" ] || top=$(dirname "$0")/../../bazel-bin # by hand, after bazel build
cost=$top/tools/bench/cost
many=$top/tools/bench/many
by_peer=$top/tools/bench/by_peer
lives=$top/tools/bench/lives
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SOFTHCA_DIR=$scratch
below=()
"$cost" empty segue >/dev/null 2>&1 || below=("$top/tools/softhca/softhca")

# count OPERATION SIDE: instructions for one.
count() {
	local times total

	times=$("${below[@]}" valgrind --tool=callgrind --fair-sched=yes --callgrind-out-file=/dev/null --toggle-collect=measured \
		--log-file="$scratch/log" "$cost" "$1" "$2" 2>/dev/null)
	total=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/log")
	awk -v total="$total" -v times="$times" 'BEGIN { printf "%.0f", total / times }'
}

# count_by_peer WHAT PEERS: instructions for one, by peer or direct. Needs no device.
count_by_peer() {
	local times total

	times=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=measured --log-file="$scratch/log" "$by_peer" "$1" "$2")
	total=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/log")
	awk -v total="$total" -v times="$times" 'BEGIN { printf "%.1f", total / times }'
}

# count_many QUEUE_PAIRS AT_A_TIME: instructions for a completion of one of so many. Needs no device.
count_many() {
	local times total

	times=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=measured --log-file="$scratch/log" "$many" "$1" "$2")
	total=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/log")
	awk -v total="$total" -v times="$times" 'BEGIN { printf "%.1f", total / times }'
}

# print_lives: what queue pairs cost one by one, among 64 and among 4096.
print_lives() {
	local few many

	few=$("${below[@]}" "$lives" 64 30)
	many=$("${below[@]}" "$lives" 4096 3)
	printf 'Microseconds per RC queue pair, with the system calls%s\n' "${below:+ as softhca answers them}"
	printf '%-14s %10s %10s %10s %10s %10s\n' '' opened connected 'oldest 1st' 'newest 1st' 'by domain'
	# shellcheck disable=SC2086 # one figure a column
	printf '%-14s %10s %10s %10s %10s %10s\n' 'of 64' $few 'of 4096' $many
	paste <(tr ' ' '\n' <<<"$few") <(tr ' ' '\n' <<<"$many") |
		awk '{ line = line sprintf(" %10.2f", $2 / $1) } END { printf "%-14s%s\n", "ratio", line }'
}

case "${1:-}" in
"" | --cycles | --instructions) ;;
--lives)
	print_lives
	exit 0
	;;
--help)
	echo 'Usage: bazel run -c opt //tools/bench -- [--cycles | --lives | --instructions [OPERATION...]]; without an option, all'
	exit 0
	;;
*)
	echo "cost: unknown option '$1'; see --help" >&2
	exit 2
	;;
esac
if [ "${1:-}" != --cycles ]; then
	command -v valgrind >/dev/null || {
		echo "cost: counting instructions needs valgrind; --cycles does without" >&2
		exit 1
	}
	printf 'Instructions per operation\n%-15s %8s %8s %8s\n' '' libmlx5 'no locks' segue
	operations=("${@:2}")
	[ ${#operations[@]} -gt 0 ] || operations=(write write-old write-16 inline send send-16 empty post-receive receive receive-payload)
	for operation in "${operations[@]}"; do
		printf '%-15s %8s %8s %8s\n' "$operation" "$(count "$operation" libmlx5)" \
			"$(MLX5_SINGLE_THREADED=1 count "$operation" libmlx5)" "$(count "$operation" segue)"
	done
	if [ $# -le 1 ]; then
		printf '\nInstructions per completion of one completion queue, by queue pairs that complete there in random order\n'
		printf '%-14s %8s %8s %8s %8s\n' '' 1 256 4096 65536
		for at_a_time in 1 16; do
			printf '%-14s %8s %8s %8s %8s\n' "$at_a_time at a time" "$(count_many 1 $at_a_time)" "$(count_many 256 $at_a_time)" \
				"$(count_many 4096 $at_a_time)" "$(count_many 65536 $at_a_time)"
		done
		printf '\nInstructions by peer, by number of peers, which come in random order; and on a queue that one has at hand\n'
		printf '%-14s %8s %8s %8s %8s %8s\n' '' 1 256 4096 65536 direct
		for what in rc dc poll poll-dc; do
			direct=$what-direct
			[ $what != poll-dc ] || direct=poll-direct
			printf '%-14s %8s %8s %8s %8s %8s\n' "$what" "$(count_by_peer $what 1)" "$(count_by_peer $what 256)" \
				"$(count_by_peer $what 4096)" "$(count_by_peer $what 65536)" "$(count_by_peer $direct 256)"
		done
	fi
fi
[ "${1:-}" != --instructions ] || exit 0
if [ -z "${1:-}" ]; then
	echo
	print_lives
fi
for single in 0 1; do
	echo
	[ $single = 0 ] && echo "With libmlx5's locks" || echo 'Without them (MLX5_SINGLE_THREADED=1); ours has none'
	# softhca's referee wonders at a ring that somebody else completes.
	MLX5_SINGLE_THREADED=$single "${below[@]}" "$cost" 2> >(grep -v '^softhca:' >&2)
done
