#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# shuffle.sh LINK TRANSPORT: an all-to-all over several processes, each byte checked; damage is found; one that is killed is explained.
set -euo pipefail
link=$1
transport=$2
root=$TEST_SRCDIR/$TEST_WORKSPACE
softhca=$root/tools/softhca/softhca
shuffle=$root/tools/demo/shuffle
export SOFTHCA_DIR=$TEST_TMPDIR/softhca

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# run RANKS ARGUMENTS...: in $out, its exit status in $status.
run() {
	local ranks=$1

	shift
	status=0
	out=$("$softhca" --link "$link" "$shuffle" --ranks "$ranks" --transport "$transport" "$@" 2>&1) || status=$?
	echo "$out"
}

for ranks in 1 2 4; do
	run "$ranks" --rounds 3 --bytes 100003
	[ "$status" -eq 0 ] || fail "$ranks ranks ended with $status"
	[ "$(tail -n 1 <<<"$out")" = "$ranks ranks, $((ranks * ranks * 3 * 100003)) bytes, all right" ] || fail "last line of $ranks ranks"
done

run 3 --rounds 2 --bytes 8192 --corrupt
[ "$status" -eq 3 ] || fail "damaged data ended with $status"
grep -q "1 bytes from rank 0 are wrong" <<<"$out" || fail "damage is not explained"

# die TEXT ARGUMENTS...: of three, rank 1 is killed once traffic goes; the others say TEXT, and end.
die() {
	local text=$1 pid ranks log=$TEST_TMPDIR/die

	shift
	"$softhca" --link "$link" "$shuffle" --ranks 3 --transport "$transport" --rounds 1000000 "$@" >"$log" 2>&1 &
	pid=$!
	until grep -q "rank 0 of 3" "$log" || ! kill -0 "$pid"; do sleep 0.05; done
	read -ra ranks <"/proc/$pid/task/$pid/children" || true # it ends without a newline
	kill -KILL "${ranks[1]}"
	status=0
	wait "$pid" || status=$?
	cat "$log"
	[ "$status" -eq 1 ] || fail "with a rank killed it ended with $status"
	for rank in 0 2; do
		grep -qE "^shuffle: rank $rank: .*($text)" "$log" || fail "rank $rank does not say /$text/"
	done
	! grep -qE "^shuffle: rank [02]: *$" "$log" || fail "a line without a reason"
}

# Who waits in a fence hears it from the world at once; who waits for an answer, from the device after eight seconds, if there is that much time.
died='rank 1 (has )?died|ranks .*1.* died|peer 1, generation 1: .*RETRY_EXC'
die "$died" --timeout 5

run 2 --bytes 0
[ "$status" -eq 2 ] || fail "a block of 0 bytes ended with $status"
echo "all right"
