#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# alltoall.sh LINK: each rank to all, over RC and DC; then one of them is killed in the middle, and the others name it, and end. By hand with
# `alltoall.sh LINK 64`, and under mpirun: //tests/runtime/peers/world:pmix_test.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
if [ "$1" = start ]; then # below softhca: start VICTIM ARGUMENTS..., where nobody is killed without a VICTIM
	victim=$2
	shift 2
	for ((rank = 0; rank < SEGUE_SIZE; rank++)); do
		SEGUE_RANK=$rank "$top/tools/demo/alltoall" "$@" &
		pids[rank]=$!
	done
	if [ -n "$victim" ]; then
		sleep 2
		kill -KILL "${pids[victim]}"
	fi
	for ((rank = 0; rank < SEGUE_SIZE; rank++)); do
		status=0
		wait "${pids[rank]}" || status=$?
		echo "rank $rank ended with $status"
	done
	exit
fi
link=$1
export SEGUE_SIZE=${2:-5} SEGUE_TOKEN=of-this-test
out=$tmp/alltoall.out
run() {
	SEGUE_RENDEZVOUS=127.0.0.1:$((20000 + RANDOM % 10000)) "$softhca" --link "$link" bash "${BASH_SOURCE[0]}" start "$@" >"$out" 2>&1 || fail "it did not run" "$out"
}

for transport in rc dc; do
	run "" "$transport"
	expect "$out" "^$SEGUE_SIZE ranks, each to all: every byte is right\$"
	[ "$(grep -c "ended with 0" "$out")" -eq "$SEGUE_SIZE" ] || fail "not all ended well" "$out"
	run 2 "$transport" 1000000
	expect "$out" "^rank 2 ended with 137"
	[ "$(grep -cE "^alltoall: .*(peer 2, generation 1: |, in which peer 2 had failed)" "$out")" -eq $((SEGUE_SIZE - 1)) ] || fail "not all name the dead one" "$out"
	[ "$(grep -c "ended with 1\$" "$out")" -eq $((SEGUE_SIZE - 1)) ] || fail "not all ended" "$out"
done
echo "all right"
