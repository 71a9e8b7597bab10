#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# bazel run -c opt //tools/bench: what an operation costs, libmlx5's and ours, on this machine. Instructions are counted by
# callgrind (valgrind), with the loop around the operation; cycles are of the TSC. On a card if there is one, else on softhca;
# nothing is sent.
set -euo pipefail
top=${RUNFILES_DIR:-$0.runfiles}/segue
[ -x "$top/tools/bench/cost" ] || top=$(dirname "$0")/../../bazel-bin # by hand, after bazel build
here=$top/tools/bench
[ -e "$here/counted.sh" ] || here=$(dirname "$0")
# shellcheck source=tools/bench/counted.sh
. "$here/counted.sh"
cost=$top/tools/bench/cost
many=$top/tools/bench/many
by_peer=$top/tools/bench/by_peer
lives=$top/tools/bench/lives
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SOFTHCA_DIR=$scratch
below=()
"$cost" --count >/dev/null 2>&1 || below=("$top/tools/softhca/softhca")

# rows TITLE_WIDTH DIGITS: of "ROW COLUMN FIGURE" lines a table, rows and columns in the order of their coming.
rows() {
	awk -v width="$1" -v digits="$2" '
		!($1 in seen) { seen[$1] = 1; names[++count] = $1 }
		{ line[$1] = line[$1] sprintf(" %8." digits "f", $3) }
		END { for (i = 1; i <= count; i++) printf "%-" width "s%s\n", names[i], line[names[i]] }'
}

# print_operations OPERATION...: libmlx5's with its locks and without, and ours.
print_operations() {
	local locks none operation

	locks=$(counted "$cost" --count)
	none=$(MLX5_SINGLE_THREADED=1 counted "$cost" --count)
	for operation in "$@"; do
		awk -v operation="$operation" '$1 == operation && $2 == "libmlx5"' <<<"$locks"
		awk -v operation="$operation" '$1 == operation && $2 == "libmlx5"' <<<"$none"
		awk -v operation="$operation" '$1 == operation && $2 == "segue"' <<<"$locks"
	done | rows 15 0
}

# print_many: a completion of one of so many. Needs no device.
print_many() {
	local at_a_time queue_pairs parts=() below=()

	for at_a_time in 1 16; do
		for queue_pairs in 1 256 4096 65536; do parts+=("$queue_pairs" "$at_a_time"); done
	done
	counted "$many" "${parts[@]}" | awk '{ print $2 "_at_a_time", $1, $3 }' | rows 14 1 | tr _ ' '
}

# print_by_peer: by peer, and direct. Needs no device.
print_by_peer() {
	local what peers direct parts=() below=()

	for what in rc dc poll poll-dc; do
		for peers in 1 256 4096 65536; do parts+=("$what" "$peers"); done
	done
	for direct in rc-direct dc-direct poll-direct; do parts+=("$direct" 256); done
	counted "$by_peer" "${parts[@]}" | awk '
		$1 !~ /-direct$/ { print; next }
		{ sub("-direct", "", $1); print $1, "direct", $3 }
		$1 == "poll" { print "poll-dc direct", $3 }' | rows 14 1
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
	print_operations "${operations[@]}"
	if [ $# -le 1 ]; then
		printf '\nInstructions per completion of one completion queue, by queue pairs that complete there in random order\n'
		printf '%-14s %8s %8s %8s %8s\n' '' 1 256 4096 65536
		print_many
		printf '\nInstructions by peer, by number of peers, which come in random order; and on a queue that one has at hand\n'
		printf '%-14s %8s %8s %8s %8s %8s\n' '' 1 256 4096 65536 direct
		print_by_peer
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
