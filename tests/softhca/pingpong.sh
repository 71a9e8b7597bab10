#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The ping-pong programs of rdma-core, unmodified: pingpong.sh LINK DOORBELL
. "$(dirname "$0")/lib.sh"
link=${1:-ib}
doorbell=${2:-poll}
# Strict: a finding would abort them, and there is nothing to be found.
export SOFTHCA_LINK=$link SOFTHCA_DOORBELL=$doorbell SOFTHCA_STRICT=${SOFTHCA_STRICT-1}
need ibv_rc_pingpong ibverbs-utils
gid=()
[ "$link" = ib ] || gid=(-g 3)

alone devices ibv_devices
expect devices mlx5_0
alone devinfo ibv_devinfo -v
expect devinfo PORT_ACTIVE

# NAME SIZE ITERATIONS
run() {
	local prog=ibv_$1_pingpong size=$2 iters=$3 events
	for events in "" -e; do
		local args=("${gid[@]}" -p "$PORT" -s "$size" -n "$iters" $events)
		pair "$link $doorbell $prog -s $size -n $iters $events" \
			"$prog" "${args[@]}" -- "$prog" "${args[@]}" "$PEER"
	done
}

# Short by default; SOFTHCA_TEST_ITERS=100000 makes a long run of it.
n=${SOFTHCA_TEST_ITERS:-200}
for size in 1 64 4096 65536 1048576; do
	iters=$n
	[ "$size" -lt 65536 ] || iters=$((n / 10))
	[ "$iters" -gt 0 ] || iters=1
	run rc "$size" "$iters"
	run uc "$size" "$iters"
	run srq "$size" "$iters"
	run xsrq "$size" "$iters"
done
for size in 1 64 1024 2048; do
	run ud "$size" "$n"
done
# Data that arrives must be the data that was sent.
pair "$link $doorbell rc -c" ibv_rc_pingpong "${gid[@]}" -p "$PORT" -c -s 70000 -n 20 -- \
	ibv_rc_pingpong "${gid[@]}" -p "$PORT" -c -s 70000 -n 20 "$PEER"
finish
