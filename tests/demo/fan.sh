#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# fan.sh LINK: several processes over RC and DC at once; one dies, is explained over both, and the rest go on.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
link=$1
fan=$top/tools/demo/fan
out=$tmp/fan.out

status_of "$out" "$softhca" --link "$link" "$fan" --rounds 5
[ "$status" -eq 0 ] || fail "it ended with $status" "$out"
for pattern in "scatter by WRITE" "gather by READ" "multicast by SEND"; do
	expect "$out" "^$pattern +64( +[0-9]+\.[0-9]){4}\$"
done
expect "$out" "^Now rank 3 is killed"
for transport in RC DC; do
	expect "$out" "^  $transport: peer 3, generation 1: RDMA_WRITE .*TRANSPORT_RETRY_EXC_ERR"
done
# 5 rounds of 3 patterns over 2 transports, to 4 peers by each of 4, then to 3 by each of 3.
turn=$((5 * 2 * (64 + 65536 + 64 + 65536 + 64 + 4096)))
expect "$out" "^Data: $((16 * turn)) bytes checked by 4 ranks, and $((9 * turn)) more by the 3 that went on, all right\.\$"
cat "$out"

status_of "$out" "$softhca" --link "$link" "$fan" --rounds 1 --ranks 2
[ "$status" -eq 0 ] || fail "2 ranks ended with $status" "$out"
status_of "$out" "$fan" --ranks 1
[ "$status" -eq 2 ] || fail "one rank ended with $status" "$out"
expect "$out" "expected a number from 2 to 16"
