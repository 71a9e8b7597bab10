#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# perftest of the distribution, unmodified: perftest.sh LINK DOORBELL
. "$(dirname "$0")/lib.sh"
link=${1:-ib}
doorbell=${2:-poll}
# Strict: a finding would abort them, and there is nothing to be found.
export SOFTHCA_LINK=$link SOFTHCA_DOORBELL=$doorbell SOFTHCA_STRICT=${SOFTHCA_STRICT-1}
need ib_write_bw perftest
gid=()
[ "$link" = ib ] || gid=(-x 3)
# perftest accepts no fewer than 5; latency tests throw the first ones away.
n=${SOFTHCA_TEST_ITERS:-50}

# TOOL ARGS...
run() {
	local tool=$1
	shift
	local args=("${gid[@]}" -p "$PORT" -d mlx5_0 -F "$@")
	hasty pair "$link $doorbell $tool $*" "$tool" "${args[@]}" -- "$tool" "${args[@]}" "$PEER"
}

# lossless ARGS...: but where packets get lost, messages over UC and UD are waited for in vain. And ib_send_lat -e has one channel for both its
# queues, so that it takes a receive's event for that of its send, whose acknowledgement was lost or overtaken, and posts one send too many.
lossless() { [ -n "${NETEM:-}" ] || run "$@"; }

for c in RC UC XRC DC; do
	lat=run
	[ $c != UC ] || lat=lossless
	for s in 2 4096 65536; do
		run ib_write_bw -c $c -s $s -n $n
		run ib_send_bw -c $c -s $s -n $n
	done
	$lat ib_write_lat -c $c -s 8 -n $n
	$lat ib_send_lat -c $c -s 8 -n $n
done
for c in RC XRC DC; do
	for s in 2 65536; do
		run ib_read_bw -c $c -s $s -n $n
	done
	run ib_read_lat -c $c -s 8 -n $n
	run ib_atomic_bw -c $c -n $n -A FETCH_AND_ADD
	run ib_atomic_bw -c $c -n $n -A CMP_AND_SWAP
	run ib_atomic_lat -c $c -n $n
done
run ib_send_bw -c UD -s 1024 -n $n
lossless ib_send_lat -c UD -s 8 -n $n
# The group's join goes to the subnet administrator. On RoCE perftest takes the group for a GID of another type.
[ "$link" = roce ] || lossless ib_send_bw -c UD -g -s 1024 -n $n
run ib_write_bw -c RC -q 4 -s 4096 -n $n
run ib_send_bw -c RC -q 4 -s 4096 -n $n
run ib_send_bw -c RC -s 1024 -n $n --use-srq
run ib_send_bw -c RC -s 1024 -n $n -e
lossless ib_send_lat -c RC -s 64 -n $n -e
run ib_write_bw -c RC -s 64 -n $n -I 64
run ib_send_bw -c RC -s 64 -n $n -I 64
run ib_write_bw -c RC -s 64 -n $n -b
run ib_send_bw -c RC -s 4096 -n $n -b
finish
