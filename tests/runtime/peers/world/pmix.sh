#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Worlds over PMIx: the shuffle under mpirun, a rank that is late for a fence, one that dies, and a launcher that dies.
set -uo pipefail
root=$TEST_SRCDIR/$TEST_WORKSPACE
client=$root/tests/runtime/peers/world/pmix_client
export SOFTHCA_DIR=$TEST_TMPDIR/softhca OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export HOME=$TEST_TMPDIR
# Else mpirun's folder is named by a process number, which is another mpirun's as well where each test has numbers of its own. The test's folder has too
# long a name for sockets.
TMPDIR=$(mktemp -d /tmp/segue-pmix.XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

command -v mpirun >/dev/null || {
	echo "FAILED: there is no mpirun; install openmpi-bin"
	exit 1
}

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

mpi() {
	local begin=$SECONDS

	timeout -k 5 60 mpirun --oversubscribe "$@" >"$TEST_TMPDIR/out" 2>&1
	status=$?
	cat "$TEST_TMPDIR/out"
	[ $((SECONDS - begin)) -lt 55 ] || fail "it hung" # a killed rank is mpirun's 137, too
}

expect() {
	grep -qE -- "$1" "$TEST_TMPDIR/out" || fail "expected /$1/"
}

for transport in rc dc ud; do
	timeout 100 "$root/tools/softhca/softhca" mpirun --oversubscribe -n 4 "$root/tools/demo/shuffle" \
		--transport "$transport" --rounds 2 --bytes 50001 >"$TEST_TMPDIR/out" 2>&1 || fail "shuffle over $transport: $(cat "$TEST_TMPDIR/out")"
	expect "^pmix, rank 0 of 4 "
	expect "^4 ranks, 1600032 bytes, all right$"
done

for transport in rc dc; do
	timeout 100 "$root/tools/softhca/softhca" mpirun --oversubscribe -n 4 "$root/tools/demo/alltoall" "$transport" >"$TEST_TMPDIR/out" 2>&1 ||
		fail "alltoall over $transport: $(cat "$TEST_TMPDIR/out")"
	expect "^4 ranks, each to all: every byte is right$"
done

# All gave the second fence up. Rank 1 comes to it later, and must not be paired with anybody's third one.
mpi -n 3 "$client" late
expect "rank 0: second: -110 .*rank 1"
expect "rank 2: second: -110 .*rank 1"
expect "rank 0: third: -32 .*no more fences"
expect "rank 1: second: -110 .*this rank, 1, was late"
expect "rank 1: third: -32 "

# By default mpirun ends everything; with recovery the others go on, and are told who is missing.
mpi -n 3 "$client" die
[ "$status" -ne 0 ] || fail "mpirun does not mind that a rank was killed"
mpi --mca orte_enable_recovery 1 -n 3 "$client" die
expect "rank 0: second: -(110|107) .*rank 1"
expect "rank 2: second: -(110|107) .*rank 1"

# The same in the middle of WRITEs: with recovery the others find it out by themselves, say so, and go on. Rank 3 is through seconds before
# ranks 0 and 2, and must not be taken for a dead one by them.
peers=$root/tests/runtime/peers/world/pmix_peers
below=$root/tools/softhca/softhca
mpi -n 4 "$below" "$peers"
[ "$status" -ne 0 ] || fail "mpirun does not mind that a peer was killed"
mpi --mca orte_enable_recovery 1 -n 4 "$below" "$peers" late
for rank in 0 2 3; do
	expect "rank $rank: peer 1, generation 1: .*RETRY_EXC"
	expect "rank $rank: the others go on"
done

# The launcher dies: a sentence, and nobody hangs.
timeout -k 5 60 mpirun --oversubscribe -n 2 "$client" orphan "$TEST_TMPDIR/orphan" >/dev/null 2>&1
# Rank 0 kills it once it has its first fence; the other one may still be waiting for the answer to that.
told() {
	sed -nE 's/^(rank [01]): (first|second): -(104|107|110) .*/\1/p' "$TEST_TMPDIR/orphan" | sort -u | wc -l
}
for _ in $(seq 100); do
	[ "$(told)" -eq 2 ] && break
	sleep 0.2
done
cat "$TEST_TMPDIR/orphan"
[ "$(told)" -eq 2 ] || fail "the launcher's death was not noticed"

# It dies, and PMIx's server with it, while one waits for it in a fence and another in a get: they end long before their deadline of 30 s.
timeout -k 5 60 mpirun --oversubscribe -n 3 "$client" inside "$TEST_TMPDIR/inside" >/dev/null 2>&1
inside() {
	sed -nE 's/^(rank [12]): inside: -104 after [0-9] s: World: .+/\1/p' "$TEST_TMPDIR/inside" | sort -u | wc -l
}
for _ in $(seq 175); do
	[ "$(inside)" -eq 2 ] && break
	sleep 0.2
done
cat "$TEST_TMPDIR/inside"
[ "$(inside)" -eq 2 ] || fail "who waited for the server when it was killed was not told soon"
echo "all right"
