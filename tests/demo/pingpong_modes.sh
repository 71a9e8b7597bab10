#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The main job as a server and a client, and what it says when things go wrong.
set -eu
. "$(dirname "$0")/lib.sh"
server=
trap 'kill "$server" 2>/dev/null || true' EXIT

# start_server FILE ARGUMENT...: in the background; its pid is in $server, its TCP port in $port.
start_server() {
	local file=$1 tries=0

	shift
	: >"$file" # what a server before this one said is not this one's port
	"$softhca" "$pingpong" --server --port 0 "$@" >"$file" 2>&1 &
	server=$!
	until port=$(sed -n 's/^waiting for a client at TCP port //p' "$file") && [ -n "$port" ]; do
		kill -0 "$server" 2>/dev/null && [ $((tries += 1)) -lt 600 ] || fail "no server" "$file"
		sleep 0.1
	done
}

# Two programs that know each other's port only.
start_server "$tmp/server"
status_of "$tmp/client" "$softhca" "$pingpong" --client 127.0.0.1 --port "$port" --rounds 5
[ "$status" -eq 0 ] || fail "the client ended with status $status" "$tmp/client" "$tmp/server"
wait "$server" || fail "the server ended with status $?" "$tmp/server"
expect "$tmp/client" '^Data: 117 messages'
expect "$tmp/server" '^Data: 117 messages'

# The proof can fail: a damaged byte is found, and the exit status says so.
status_of "$tmp/corrupt" "$softhca" "$pingpong" --rounds 5 --corrupt
[ "$status" -eq 3 ] || fail "damaged data ended with status $status, expected 3" "$tmp/corrupt"
expect "$tmp/corrupt" 'message 0 of 8 bytes is wrong: byte 4'
expect "$tmp/corrupt" 'the data is wrong: 21 messages'

# Nobody there.
status_of "$tmp/absent" "$softhca" "$pingpong" --client 127.0.0.1 --port 1 --timeout 1
[ "$status" -eq 1 ] || fail "no peer, and status $status" "$tmp/absent"
expect "$tmp/absent" '^pingpong: .*no process has listened at .* in time'
status_of "$tmp/absent" "$softhca" "$pingpong" --server --port 0 --timeout 1
[ "$status" -eq 1 ] || fail "no peer, and status $status" "$tmp/absent"
expect "$tmp/absent" '^pingpong: .*does not call in time'

# A peer that dies in the middle: a sentence, not a hang.
start_server "$tmp/server"
(
	until grep -q 'at the peer' "$tmp/dead" 2>/dev/null || ! kill -0 "$server" 2>/dev/null; do sleep 0.1; done
	kill -9 "$server"
) &
status_of "$tmp/dead" "$softhca" "$pingpong" --client 127.0.0.1 --port "$port" --rounds 10000000 --timeout 15
[ "$status" -eq 1 ] || fail "the peer was killed, and status $status" "$tmp/dead"
expect "$tmp/dead" '^pingpong: (nothing came from the peer|.*RETRY_EXC)'

# Wrong usage, and no device.
status_of "$tmp/usage" "$pingpong" --rounds many
[ "$status" -eq 2 ] || fail "wrong usage gave status $status" "$tmp/usage"
expect "$tmp/usage" "expected a number"
status_of "$tmp/none" "$softhca" "$pingpong" --device mlx5_7
[ "$status" -eq 1 ] || fail "a device that does not exist gave status $status" "$tmp/none"
expect "$tmp/none" 'There is no RDMA device mlx5_7'
"$pingpong" --help | grep -q -- '--client HOST' || fail "--help"
