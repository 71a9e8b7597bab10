#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# pingpong.sh LINK DOORBELL: the main job in two processes; the referee has nothing to say but about the mistake.
set -eu
. "$(dirname "$0")/lib.sh"
link=$1
doorbell=$2
out=$tmp/out
report=$tmp/report

status_of "$out" "$softhca" --link "$link" --doorbell "$doorbell" --report "$report" "$pingpong" --rounds 10
[ "$status" -eq 0 ] || fail "pingpong ended with status $status" "$out"
[ "$(grep -cE '^ +[0-9]+( +[0-9.]+){5,}$' "$out")" -eq 9 ] || fail "expected a table of nine sizes" "$out"
case $link in
ib) expect "$out" '^mlx5_0 port 1, InfiniBand, MTU [0-9]+' ;;
*) expect "$out" '^mlx5_0 port 1, RoCE, MTU [0-9]+' ;;
esac
expect "$out" 'RDMA_WRITE of QP 0x[0-9a-f]+.* failed with REMOTE_ACCESS_ERR .* rkey 0x'
# 9 sizes written, 9 streamed, 3 sent; 10 round trips each and 4 more that are proofs.
expect "$out" '^Data: 177 messages checked here and 177 at the peer, all right\.$'
[ "$(wc -l <"$report")" -eq 1 ] || fail "the referee objects to more than the mistake" "$report"
expect "$report" 'does not exist'
sed -n '/^A deliberate mistake/,$p' "$out" >"$tmp/mistake"
expect "$tmp/mistake" '^softhca: .* does not exist' # no sooner than it is announced
