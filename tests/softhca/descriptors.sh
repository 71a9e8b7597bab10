#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Few file descriptors: whatever the limit, a program works, or ends and the limit is named.
. "$(dirname "$0")/lib.sh"
need ibv_rc_pingpong ibverbs-utils
own_network "$0" "$@"
here=$(dirname "$0")
LIMIT=100

# few FILES COMMAND...: becomes that, with at most so many files open.
few() { exec sh -c 'ulimit -n "$1"; shift; exec "$@"' - "$@"; }

# judged NAME STATUS FILE: it has worked, or FILE names the limit. A hang has status 124.
judged() { good "$1" named "$2" "$3"; }
named() {
	[ "$1" = 0 ] || { [ "$1" != 124 ] && grep -q "ulimit -n" "$2"; } || {
		echo "status $1"
		tail -n 12 "$2"
		false
	}
}

# limited NAME FILES COMMAND...
limited() {
	(few "$2" timeout "$LIMIT" "${@:3}") >"$LOGS/few" 2>&1
	judged "$1, $2 files" $? "$LOGS/few"
}

# wired FILES: softhca wire, until it carries packets.
wired() {
	few "$1" "$SOFTHCA" wire --verbose "$far" >"$LOGS/few" 2>&1 &
	local wire=$! status
	until grep -qs there "$LOGS/few"; do
		kill -0 "$wire" 2>/dev/null || break
		sleep 0.02
	done
	kill "$wire" 2>/dev/null
	wait "$wire"
	status=$?
	! grep -q there "$LOGS/few" || status=0
	judged "wire, $1 files" "$status" "$LOGS/few"
}

# two FILES: a server and a client on the wire, which is captured.
two() {
	local server status
	few "$1" timeout "$LIMIT" "$SOFTHCA" --pcap "$LOGS/pcap" ibv_rc_pingpong -e -n 20 -p "$PORT" >"$LOGS/server" 2>&1 &
	server=$!
	listening "$PORT" "$server"
	(few "$1" timeout "$LIMIT" "$SOFTHCA" --pcap "$LOGS/pcap" ibv_rc_pingpong -e -n 20 -p "$PORT" 127.0.0.1) >"$LOGS/client" 2>&1
	status=$?
	judged "client, $1 files" "$status" "$LOGS/client"
	[ "$status" = 0 ] || kill "$server" 2>/dev/null
	wait "$server"
	status=$?
	[ "$status" = 143 ] || judged "server, $1 files" "$status" "$LOGS/server" # else ended for want of a client
	next_port
}

unshare -n sleep 100000 &
far=$!
for files in $(seq 5 40); do
	limited "requests and events" "$files" "$SOFTHCA" "$here/card_client"
	limited "counters" "$files" "$SOFTHCA" "$here/counter_client"
	wired "$files"
	two "$files"
done
kill "$far"
finish
