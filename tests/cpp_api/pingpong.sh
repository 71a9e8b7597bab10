#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# pingpong.sh LINK: the tutorial's program in C++, below AddressSanitizer and UndefinedBehaviorSanitizer, with itself and with the one in C.
set -eu
link=$1
tmp=$(mktemp -d "${TEST_TMPDIR:-/tmp}/hpp.XXXXXX")
export SOFTHCA_DIR=$tmp/softhca SEGUE_TOKEN=of-this-test
server=
trap 'kill "$server" 2>/dev/null || true; rm -rf "$tmp"' EXIT

below() { tools/softhca/softhca --link "$link" "$@"; }

fail() {
	echo "FAIL: $1"
	shift
	tail -n 40 "$@"
	exit 1
}

# expect FILE PATTERN
expect() { grep -qE "$2" "$1" || fail "expected $2" "$1"; }

below tests/cpp_api/owners >"$tmp/owners" 2>&1 || fail "owners" "$tmp/owners"
expect "$tmp/owners" '^0 failures$'

below tests/cpp_api/pingpong --rounds 10 >"$tmp/both" 2>&1 || fail "both sides in C++" "$tmp/both"
expect "$tmp/both" '^Data: 177 messages checked here and 177 at the peer, all right\.$'
expect "$tmp/both" 'failed with REMOTE_ACCESS_ERR'

status=0
below tests/cpp_api/pingpong --rounds 5 --corrupt >"$tmp/corrupt" 2>&1 || status=$?
[ "$status" -eq 3 ] || fail "damaged data ended with status $status, expected 3" "$tmp/corrupt"

touch "$tmp/server"
below tools/demo/pingpong --server --port 0 >"$tmp/server" 2>&1 &
server=$!
for ((i = 0; i < 600; i++)); do
	port=$(sed -n 's/^waiting for a client at TCP port //p' "$tmp/server")
	[ -z "$port" ] || break
	kill -0 "$server" 2>/dev/null || fail "no server" "$tmp/server"
	sleep 0.1
done
below tests/cpp_api/pingpong --client "$port" --rounds 5 >"$tmp/client" 2>&1 || fail "C++ calls C" "$tmp/client" "$tmp/server"
wait "$server" || fail "C answers C++" "$tmp/server"
expect "$tmp/client" '^Data: 117 messages checked here and 117 at the peer, all right\.$'
expect "$tmp/server" '^Data: 117 messages'
echo "hpp: all right"
