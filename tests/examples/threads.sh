#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# threads.sh PROGRAM [tsan]: docs/examples/threads.c by two ranks with 2 and 4 threads each; below ThreadSanitizer with checks compiled in, too.
set -euo pipefail
root=$TEST_SRCDIR/$TEST_WORKSPACE
program=$root/$1
kind=${2:-plain}
export SOFTHCA_DIR=$TEST_TMPDIR/softhca SEGUE_SIZE=2 SEGUE_TOKEN=secret
preload=
rounds=60

if [ "$kind" = tsan ]; then
	# gcc 12's ThreadSanitizer does not start where the kernel spreads addresses widely (vm.mmap_rnd_bits above 28).
	for _ in 1 2 3 4 5; do
		said=$("$program" 2>&1) || true # without arguments: its usage
		grep -q Usage <<<"$said" || {
			echo "SKIPPED: ThreadSanitizer does not start here; try sysctl vm.mmap_rnd_bits=28"
			exit 0
		}
	done
	# It wants to be first; the launcher puts itself behind. clang's is a part of the program.
	preload=$(ldd "$program" | awk '$1 ~ /^libtsan/ { print $3 }')
	export TSAN_OPTIONS=suppressions=$root/tests/runtime/control/tsan.supp:report_signal_unsafe=0:halt_on_error=1:exitcode=66
	rounds=10
fi

fail() {
	echo "FAILED: $*"
	cat "$TEST_TMPDIR"/rank-*
	exit 1
}

for threads in 2 4; do
	SEGUE_RENDEZVOUS=127.0.0.1:$((20000 + (RANDOM + $$) % 10000))
	export SEGUE_RENDEZVOUS
	pids=()
	for rank in 0 1; do
		SEGUE_RANK=$rank LD_PRELOAD=$preload timeout 120 "$root/tools/softhca/softhca" "$program" "$threads" "$rounds" >"$TEST_TMPDIR/rank-$rank" 2>&1 &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || fail "$threads threads: a rank ended with $?"
	done
	for rank in 0 1; do
		[ "$(cat "$TEST_TMPDIR/rank-$rank")" = "rank $rank of 2: $threads threads, $((threads * 2 * 1024 * rounds)) bytes, all right" ] ||
			fail "$threads threads: rank $rank"
	done
	cat "$TEST_TMPDIR"/rank-*
done
