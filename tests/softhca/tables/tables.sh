#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A user's spec library below softhca: judged, printed, carried out, or refused with a sentence.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
client=$here/tables_client
tables=$here/accel_tables.so

# Without its tables the request is none; with them it is, and is another spelling of an RDMA WRITE.
alone "noted without tables" "$client" noted
expect "noted without tables" 'found opcode 0x3d with opmod 0x0'
expect "noted without tables" 'syndrome 0x02, ""'
for doorbell in poll trap; do
	alone "noted, $doorbell" --strict --doorbell "$doorbell" --tables "$tables" "$client" noted
	expect "noted, $doorbell" 'syndrome 0x00, "written with a note"'
done
# The variable is the option.
SOFTHCA_TABLES=$tables alone "noted by variable" --strict "$client" noted
expect "noted by variable" 'syndrome 0x00'

# One that the device knows nothing of, in words.
alone "hash without tables" "$client" hash
expect "hash without tables" 'found opcode 0x3e with opmod 0x0'
alone "hash" --tables "$tables" "$client" hash
expect "hash" 'HASH is not modelled'
expect "hash" 'hash on rc'
expect "hash" 'digest_addr'
expect "hash" 'syndrome 0x02, ""'

# refused NAME FILE WORDS: before the program starts.
refused() {
	if "$SOFTHCA" --tables "$2" touch "$LOGS/started" >"$LOGS/out" 2>&1; then
		FAILED=$((FAILED + 1))
		echo "FAIL $1: not refused"
	fi
	expect "$1" "$3"
	[ ! -e "$LOGS/started" ] || { FAILED=$((FAILED + 1)); echo "FAIL $1: the program was started"; }
}
refused "no such file" "$LOGS/nothing.so" 'it cannot be loaded'
echo text >"$LOGS/text.so"
refused "a text" "$LOGS/text.so" 'it cannot be loaded'
refused "a library of other things" "$(ldd "$client" | sed -n 's/.*=> \(.*libibverbs[^ ]*\) .*/\1/p')" 'it holds no tables'
refused "a meaning that is none" "$here/wrong_tables.so" "there is no work request 'rdma_wirte'"
finish
