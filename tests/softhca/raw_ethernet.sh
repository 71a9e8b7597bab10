#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# perftest's raw packet programs, unmodified: raw_ethernet.sh DOORBELL. They count what they receive and wait for ever for a frame
# that is lost; so each must come to its end.
. "$(dirname "$0")/lib.sh"
export SOFTHCA_LINK=roce SOFTHCA_DOORBELL=${1:-poll} SOFTHCA_STRICT=${SOFTHCA_STRICT-1}
need raw_ethernet_bw perftest

# polls PID: whether a process, or what it has started, has computed for 0.25 s since it last read anything. One that starts reads on, and measures
# the processor for less.
polls() {
	local pid sum=0 read=0 stat rchar

	for pid in "$1" $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
		stat=$(cut -d')' -f2- "/proc/$pid/stat" 2>/dev/null) || continue
		rchar=$(sed -n 's/^rchar: //p' "/proc/$pid/io" 2>/dev/null) || continue
		# shellcheck disable=SC2086
		set -- $stat
		sum=$((sum + ${12} + ${13}))
		read=$((read + rchar))
	done
	[ "$read" = "$READ" ] || READ=$read SINCE=$sum
	[ $((sum - SINCE)) -ge 25 ]
}

mac() {
	printf '02:%02x:%02x:%02x:%02x:%s' $((RANDOM % 256)) $((RANDOM % 256)) $((RANDOM % 256)) $((RANDOM % 256)) "$1"
}

# run TOOL ARGS...: a server says nothing before its end, but polls as soon as it may receive.
run() {
	local tool=$1 a b pid i
	shift
	a=$(mac 01) b=$(mac 02)
	timeout "${LIMIT:-100}" "$SOFTHCA" "${UNDER[@]}" "$tool" --server -d mlx5_0 -F -B "$a" -E "$b" "$@" >"$LOGS/server" 2>&1 &
	pid=$!
	READ=
	for i in $(seq 1000); do
		polls "$pid" && break
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.05
	done
	timeout "${LIMIT:-100}" "$SOFTHCA" "${UNDER[@]}" "$tool" --client -d mlx5_0 -F -B "$b" -E "$a" "$@" >"$LOGS/client" 2>&1
	judge "$tool $*" $? "$pid"
}

# ITERATIONS and figures stand in the line behind "#bytes" or "#flows".
judge() {
	local name=$1 client=$2 server
	[ "$client" = 0 ] || kill "$3" 2>/dev/null
	wait "$3"
	server=$?
	if [ "$client" = 0 ] && [ "$server" = 0 ] && grep -q '^ #bytes' "$LOGS/client"; then
		PASSED=$((PASSED + 1))
		return
	fi
	FAILED=$((FAILED + 1))
	echo "FAIL $name: server exit $server, client exit $client"
	sed 's/^/  server: /' "$LOGS/server" | tail -n 8
	sed 's/^/  client: /' "$LOGS/client" | tail -n 8
}

for s in 64 1024 1518; do
	hasty run raw_ethernet_bw -s $s -n 2000
done
hasty run raw_ethernet_bw -s 256 -n 1000 -q 2
hasty run raw_ethernet_bw -s 256 -n 2000 --use-srq
hasty run raw_ethernet_bw -s 512 -n 2000 -r 8 # few receives: the sender waits
hasty run raw_ethernet_bw -s 512 -n 2000 -J 10.0.0.1 -j 10.0.0.2 -K 4000 -k 4001
hasty run raw_ethernet_lat -s 64 -n 200
for side in --server --client; do
	alone "raw_ethernet_fs_rate $side" raw_ethernet_fs_rate $side -d mlx5_0 -F -B "$(mac 01)" -E "$(mac 02)" -n 100
	expect "flows $side" '#flows'
done
finish
