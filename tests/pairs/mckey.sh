#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# mckey.sh LINK: librdmacm's mckey on one side, Segue on the other, in both roles at once (mckey always waits for three seconds).
. "$TEST_SRCDIR/$TEST_WORKSPACE/tests/softhca/lib.sh"
link=$1
export SOFTHCA_LINK=$link SOFTHCA_STRICT=1
ours=$TEST_SRCDIR/$TEST_WORKSPACE/tests/pairs/mckey
need mckey rdmacm-utils

# says FILE WORD: waits until a program has said so.
says() {
	local i
	for i in $(seq 600); do
		grep -q "$2" "$LOGS/$1" && return
		sleep 0.05
	done
	echo "FAIL $1 does not say $2"
}

# start NAME COMMAND...: sets STARTED.
start() {
	timeout 100 "$SOFTHCA" "${@:2}" >"$LOGS/$1" 2>&1 &
	STARTED=$!
}

# ended NAME PID
ended() {
	if wait "$2"; then
		PASSED=$((PASSED + 1))
	else
		FAILED=$((FAILED + 1))
		echo "FAIL $link $1"
		tail -n 12 "$LOGS/$1" | sed 's/^/  /'
	fi
}

to_ours=224.$((RANDOM % 100 + 1)).$((RANDOM % 250)).78
to_theirs=224.$((RANDOM % 100 + 1)).$((RANDOM % 250)).79
to_late=224.$((RANDOM % 100 + 1)).$((RANDOM % 250)).80
start receives-late "$ours" receive $to_late 700 20
late_receiver=$STARTED
start ours-receives "$ours" receive $to_ours 700 20
receiver=$STARTED
start theirs-receives stdbuf -oL mckey -m $to_theirs -S 700 -C 20
their_receiver=$STARTED
says ours-receives joined
says receives-late joined
start theirs-sends mckey -m $to_ours -s -S 700 -C 20
their_sender=$STARTED
says theirs-receives receiving
start ours-sends "$ours" send $to_theirs 700 20
ended ours-sends $STARTED
ended theirs-receives $their_receiver
ended theirs-sends $their_sender
ended ours-receives $receiver

# A receiver without a processor while a sender comes and goes: what was sent is still his.
read -ra late <"/proc/$late_receiver/task/$late_receiver/children" || true # it ends without a newline
kill -STOP "${late[@]}"
start sends-and-goes "$ours" send $to_late 700 20
says sends-and-goes datagrams
sleep 0.5
kill -CONT "${late[@]}"
ended sends-and-goes $STARTED
ended receives-late $late_receiver
finish
