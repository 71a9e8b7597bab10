#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# perftest.sh LINK: perftest's programs on one side, Segue on the other, in both roles.
. "$TEST_SRCDIR/$TEST_WORKSPACE/tests/softhca/lib.sh"
link=$1
export SOFTHCA_LINK=$link SOFTHCA_STRICT=1
ours=$TEST_SRCDIR/$TEST_WORKSPACE/tests/pairs/perftest
need ib_write_lat perftest
gid=()
[ "$link" = ib ] || gid=(-x 3)
n=${SEGUE_TEST_ROUNDS:-100}

# both KIND SIZE TOOL ARGS...
both() {
	local kind=$1 size=$2
	local theirs=("${@:3}" "${gid[@]}" -d mlx5_0 -F -n "$n")
	shift 2
	hasty pair "$link $kind: Segue serves" "$ours" "$kind" "$PORT" "$size" "$n" -- "${theirs[@]}" -p "$PORT" 127.0.0.1
	hasty pair "$link $kind: Segue asks" "${theirs[@]}" -p "$PORT" -- "$ours" "$kind" "$PORT" "$size" "$n" 127.0.0.1
}

both write_lat 3000 ib_write_lat -s 3000
both send_rc 3000 ib_send_lat -c RC -s 3000
both send_uc 3000 ib_send_lat -c UC -s 3000
both send_ud 1000 ib_send_lat -c UD -s 1000
both atomic 8 ib_atomic_bw -A FETCH_AND_ADD
finish
