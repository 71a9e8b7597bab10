#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# clients.sh kv|rpc LINK DOORBELL: three clients of one server at the same time; nothing is lost, and the referee has nothing to say.
set -eu
. "$(dirname "$0")/lib.sh"
program=$top/tools/demo/$1
on=("$softhca" --strict --link "$2" --doorbell "$3")
out=$tmp/server
case $1 in
kv)
	ask=(use 127.0.0.1)
	each='^160 changes, [0-9]+ times a slot was another client'
	all='^480 changes; slot 0 is "round 144 of client [0-9]+"$'
	;;
rpc)
	ask=(call 127.0.0.1)
	each='^160 calls, 160 right answers$'
	all='^480 calls of 3 clients$'
	;;
esac

"${on[@]}" "$program" serve 0 3 >"$out" 2>&1 &
server=$!
for _ in $(seq 600); do
	grep -q '^port' "$out" && break
	sleep 0.1
done
port=$(sed -n 's/^port //p' "$out")
[ -n "$port" ] || fail "the server does not say its port" "$out"
clients=()
for i in 1 2 3; do
	"${on[@]}" "$program" "${ask[@]}" "$port" 160 >"$tmp/client$i" 2>&1 &
	clients+=($!)
done
for i in 1 2 3; do
	wait "${clients[i - 1]}" || fail "client $i ended with status $?" "$tmp/client$i" "$out"
	expect "$tmp/client$i" "$each"
done
wait "$server" || fail "the server ended with status $?" "$out"
expect "$out" "$all"

status_of "$tmp/wrong" "$program" "${ask[@]}"
[ "$status" -eq 2 ] || fail "wrong usage ended with status $status" "$tmp/wrong"
expect "$tmp/wrong" "^Usage: $1 serve PORT CLIENTS"
