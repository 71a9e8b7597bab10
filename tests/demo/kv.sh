#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# kv.sh LINK DOORBELL: three clients change one table at the same time, and no change is lost.
set -eu
. "$(dirname "$0")/lib.sh"
on=("$softhca" --strict --link "$1" --doorbell "$2")
kv=$top/tools/demo/kv
out=$tmp/server

"${on[@]}" "$kv" serve 0 3 >"$out" 2>&1 &
server=$!
for _ in $(seq 600); do
	grep -q '^port' "$out" && break
	sleep 0.1
done
port=$(sed -n 's/^port //p' "$out")
clients=()
for i in 1 2 3; do
	"${on[@]}" "$kv" use 127.0.0.1 "$port" 160 >"$tmp/client$i" 2>&1 &
	clients+=($!)
done
for i in 1 2 3; do
	wait "${clients[i - 1]}" || fail "client $i ended with status $?" "$tmp/client$i" "$out"
	expect "$tmp/client$i" '^160 changes, [0-9]+ times a slot was another client'
done
wait "$server" || fail "the server ended with status $?" "$out"
expect "$out" '^480 changes; slot 0 is "round 144 of client [0-9]+"$'

status_of "$tmp/wrong" "$kv" use 127.0.0.1
[ "$status" -eq 2 ] || fail "wrong usage ended with status $status" "$tmp/wrong"
expect "$tmp/wrong" '^Usage: kv serve PORT CLIENTS'
