#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Networks of their own: who is in another one, or is another user, is not found, not heard and not trusted.
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" != 0 ] || own_network "$0" "$@" # where nobody else takes addresses
need ibv_rc_pingpong ibverbs-utils
need rping rdmacm-utils
need setpriv util-linux
LIMIT=20

# bad NAME COMMAND...: it fails.
bad() {
	if "${@:2}" >"$LOGS/out" 2>&1; then
		FAILED=$((FAILED + 1))
		echo "FAIL $1: exit 0"
		tail -n 12 "$LOGS/out" | sed 's/^/  /'
	else
		PASSED=$((PASSED + 1))
	fi
}

within() { SOFTHCA_NET=$1 timeout "$LIMIT" "$SOFTHCA" "${@:2}"; }
cm_server() { SOFTHCA_NET=$1 "$SOFTHCA" rping -s -P -p 7174 >/dev/null 2>&1 & }
# What it prints counts: rping's two threads race at the end for its exit status.
cm_client() { within "$1" rping -c -v -a 127.0.0.1 -p 7174 -C 2 2>&1 | grep "ping data: rdma-ping-1"; }
listeners() { [ "$(grep -c "softhca-cm/0106/7174" /proc/net/unix)" = "$1" ]; }
wait_listeners() {
	for _ in $(seq 100); do
		listeners "$1" && return
		sleep 0.1
	done
	return 1
}

# By address and port: each client finds the server of its own network, and nobody else's.
cm_server a
first=$!
good "a server in a" wait_listeners 1
bad "a client in b finds nobody" cm_client b
bad "a client in none finds nobody" cm_client ""
good "a client in a" cm_client a
cm_server b
second=$!
good "a server in b" wait_listeners 2
good "a client in b" cm_client b
kill "$first"
good "the server in a is gone" wait_listeners 1
bad "a client in a finds nobody any more" cm_client a
good "a client in b, again" cm_client b
kill "$second"

# By LID or GID, which two programs tell each other over TCP: nothing arrives.
meet() { # meet WIRE NET NET: a ping-pong between two networks, the client's status
	SOFTHCA_WIRE=$1 SOFTHCA_NET=$2 timeout "$LIMIT" "$SOFTHCA" ibv_rc_pingpong -p "$PORT" -n 3 >/dev/null 2>&1 &
	local pid=$!
	listening "$PORT" "$pid"
	SOFTHCA_WIRE=$1 SOFTHCA_NET=$3 timeout "$LIMIT" "$SOFTHCA" ibv_rc_pingpong -p "$PORT" -n 3 localhost
	local status=$?
	kill "$pid" 2>/dev/null
	next_port
	return "$status"
}
for wire in memory udp; do
	good "one network, $wire" meet "$wire" a a
	bad "two networks, $wire" meet "$wire" a b
	bad "one and the user's own, $wire" meet "$wire" "" b
done
bad "a name with a slash" within a/b true
expect "a name with a slash" "SOFTHCA_NET is \"a/b\", but it must be"

# Another user, who sees neither Bazel's folders nor ours.
if [ "$(id -u)" = 0 ]; then
	shared=$(mktemp -d /tmp/softhca-nets.XXXXXX)
	chmod 0755 "$shared"
	mkdir -m 0700 "$shared/nobody"
	cp -L "$SOFTHCA" "$(dirname "$(readlink -f "$SOFTHCA")")/libsofthca.so" "$shared"
	chown 65534 "$shared/nobody"
	nobody() { setpriv --reuid=65534 --clear-groups env SOFTHCA_DIR="$shared/nobody" SOFTHCA_NET="$1" timeout "$LIMIT" "$shared/softhca" "${@:2}"; }
	nobody_client() { nobody "" rping -c -v -a 127.0.0.1 -p 7174 -C 2 2>&1 | grep "ping data: rdma-ping-1"; }
	good "another user has a device" nobody "" ibv_devinfo
	expect "another user has a device" mlx5_0
	cm_server ""
	first=$!
	good "root's server" wait_listeners 1
	good "root's client" cm_client ""
	bad "another user's client finds nobody" nobody_client
	kill "$first"
	nobody "" rping -s -P -p 7174 >/dev/null 2>&1 &
	first=$!
	good "another user's server" wait_listeners 1
	good "another user's client" nobody_client
	bad "root's client finds nobody" cm_client ""
	kill "$first"
	for wire in memory udp; do
		SOFTHCA_WIRE=$wire nobody "" ibv_rc_pingpong -p "$PORT" -n 3 >/dev/null 2>&1 &
		pid=$!
		listening "$PORT" "$pid"
		bad "two users, $wire" env SOFTHCA_WIRE="$wire" timeout "$LIMIT" "$SOFTHCA" ibv_rc_pingpong -p "$PORT" -n 3 localhost
		kill "$pid" 2>/dev/null
		wait "$pid" || true
		next_port
	done

	# One who has taken the names of our first addresses, and what he is sent.
	cat >"$shared/thief.py" <<-'THIEF'
		import socket, time
		taken = []
		def bind(sock, name):
		    for left in reversed(range(100)):  # until who has ended has given it back
		        try:
		            return sock.bind(name)
		        except OSError:
		            if not left:
		                raise
		            time.sleep(0.1)
		for host in range(0x7F4D0001, 0x7F4D0005):
		    for kind, how in ("wire", socket.SOCK_DGRAM), ("host", socket.SOCK_STREAM):
		        taken.append(socket.socket(socket.AF_UNIX, how))
		        bind(taken[-1], f"\0softhca-{kind}-{host:08x}/0")
		        if how == socket.SOCK_STREAM:
		            taken[-1].listen()
		print("taken", flush=True)
		for s in taken[::2]:
		    s.setblocking(False)
		input()
		for s in taken[::2]:
		    try:
		        print("received", s.recv(100), flush=True)
		    except BlockingIOError:
		        pass
	THIEF
	mkfifo "$shared/end"
	chmod 0644 "$shared/thief.py"
	setpriv --reuid=65534 --clear-groups python3 "$shared/thief.py" <"$shared/end" >"$LOGS/thief" &
	thief=$!
	exec 7>"$shared/end"
	for _ in $(seq 100); do
		grep -q taken "$LOGS/thief" && break
		sleep 0.1
	done
	good "beside a thief of names" meet memory "" ""
	expect "beside a thief of names, an address that is free" "LID 0x0006"
	echo >&7
	exec 7>&-
	wait "$thief"
	good "he has received nothing" [ "$(cat "$LOGS/thief")" = taken ]
	rm -rf "$shared"
fi
finish
