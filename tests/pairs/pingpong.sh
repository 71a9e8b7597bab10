#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# pingpong.sh LINK: rdma-core's ping-pong programs on one side, Segue on the other, in both roles. Every message is compared.
. "$TEST_SRCDIR/$TEST_WORKSPACE/tests/softhca/lib.sh"
link=$1
export SOFTHCA_LINK=$link SOFTHCA_STRICT=1
ours=$TEST_SRCDIR/$TEST_WORKSPACE/tests/pairs/pingpong
need ibv_rc_pingpong ibverbs-utils
gid=()
[ "$link" = ib ] || gid=(-g 3)
n=${SEGUE_TEST_ROUNDS:-100}
for kind in rc uc ud srq xsrq; do
	size=5000
	one=()
	[ "$kind" != ud ] || size=1000
	[ "$kind" != srq ] || one=(-q 1)
	pair "$link $kind: Segue serves" "$ours" $kind "$PORT" $size "$n" -- \
		ibv_${kind}_pingpong "${gid[@]}" "${one[@]}" -p "$PORT" -s $size -n "$n" 127.0.0.1
	pair "$link $kind: Segue asks" ibv_${kind}_pingpong "${gid[@]}" "${one[@]}" -p "$PORT" -s $size -n "$n" -- \
		"$ours" $kind "$PORT" $size "$n" 127.0.0.1
done
finish
