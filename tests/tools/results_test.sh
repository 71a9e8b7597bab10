#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What tools/test makes of results, with a Bazel that only plays one: each test counts once, what did not run is no pass, and only
# named timing tests have a second try, with the seed of their first.
set -u
. "$1"
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/results.XXXXXX")
export TESTLOGS=$work
BAD=0

say() { :; }

# played TARGET STATUS LOG: what the next run of this target yields; runs are played in order.
played() {
	local dir=$work/runs/${1//[:\/]/_}
	mkdir -p "$dir"
	printf '%s\n%s\n' "$2" "$3" >"$dir/$(find "$dir" -type f | wc -l)"
}

bazel_command() {
	local arg dir run log status=0
	echo "$*" >>"$work/calls"
	for arg; do
		[[ "$arg" == //* ]] || continue
		dir=$work/runs/${arg//[:\/]/_}
		run=$(find "$dir" -type f | sort | head -n 1)
		log=$work/${arg#//}
		log=${log/://}/${shard:+shard_1_of_2/}test.log
		mkdir -p "$(dirname "$log")"
		tail -n +2 "$run" >"$log"
		echo "$arg   $(head -n 1 "$run")"
		head -n 1 "$run" | grep -q PASSED || status=3
		rm "$run"
	done
	rm "$work/broken" 2>/dev/null && status=1
	return "$status"
}

# fresh: forgets all results.
fresh() {
	rm -rf "$work"/*
	PASSED=0 FAILED=0 SKIPPED=0 NOTES=()
}

# is WHAT GOT WANTED
is() {
	[ "$2" = "$3" ] && return
	BAD=1
	printf 'FAIL %s: "%s", wanted "%s"\n' "$1" "$2" "$3"
}

# says WHAT TEXT: the summary has it.
says() {
	[[ "$(summary)" == *"$2"* ]] && return
	BAD=1
	printf 'FAIL %s: "%s" is missing in\n%s\n' "$1" "$2" "$(summary)"
}

last() { summary | tail -n 1; }

played //tests/a:one "PASSED in 0.1s" "fine"
played //tests/a:two "(cached) PASSED in 0.1s" "fine"
bazel_test //tests/a:one //tests/a:two
is "two passes" "$(last)" "2 passed, 0 failed, 0 skipped"
summary >/dev/null
is "exit status of passes" $? 0

fresh
played //tests/a:one "PASSED in 0.1s" "SKIPPED: dpdk-testpmd is missing"
played //tests/a:two "PASSED in 0.1s" "[  SKIPPED ] Memory.Dmabuf (0 ms)"
played //tests/a:three "PASSED in 0.1s" "OK (skipped=2)"
bazel_test //tests/a:one //tests/a:two //tests/a:three
is "what did not run is no pass" "$(last)" "0 passed, 0 failed, 3 skipped"
says "the reason" "skipped: //tests/a:one: dpdk-testpmd is missing"
says "the reason" "skipped: //tests/a:two: Memory.Dmabuf"

fresh
played //tests/a:one "PASSED in 0.1s" "OK (skipped=2, expected failures=1)"
played //tests/a:two "PASSED in 0.1s" "[  PASSED  ] 0 tests."
played //tests/a:three "PASSED in 0.1s" "Ran 0 tests in 0.000s"
bazel_test //tests/a:one //tests/a:two //tests/a:three
is "what ran nothing is no pass" "$(last)" "0 passed, 0 failed, 3 skipped"
says "the reason" "skipped: //tests/a:two: no test of it ran"

fresh
played //tests/a:one "PASSED in 0.1s" "SKIPPED: gdb is missing"
shard=1 bazel_test //tests/a:one
is "what did not run in a shard" "$(last)" "0 passed, 0 failed, 1 skipped"
says "its reason" "skipped: //tests/a:one: gdb is missing"

fresh
played //tests/a:one "FAILED in 3 out of 3 in 0.1s" "SEGUE_TEST_SEED=7"
bazel_test //tests/a:one
is "no second try for any test" "$(grep -c . "$work/calls")" 1
is "a failure" "$(last)" "0 passed, 1 failed, 0 skipped"
says "its name, and how to run it again" "failed: //tests/a:one; once more: SEGUE_TEST_SEED=7 tools/test //tests/a:one"
summary >/dev/null
is "exit status of a failure" $? 1

fresh
slow=//tests/softhca:rdmacm_short_test
played $slow "TIMEOUT in 0.1s" "SEGUE_TEST_SEED=7"
played $slow "PASSED in 0.1s" "SEGUE_TEST_SEED=7"
bazel_test $slow
is "a timing test" "$(last)" "1 passed, 0 failed, 0 skipped"
is "its second run" "$(tail -n 1 "$work/calls" | grep -o 'test_env=.*')" "test_env=SEGUE_TEST_SEED=7 $slow"
says "the second try" "second try: $slow failed once, and passed with the same seed, 7; it depends on a foreign program's own time"

fresh
ours=//tests/softhca:engine_thread_test
played $ours "FAILED in 0.1s" ""
played $ours "PASSED in 0.1s" ""
bazel_test $ours
says "whose time it was" "second try: $ours failed once, and passed; it depends on a time that it measures"

fresh
played $slow "FAILED in 0.1s" "SEGUE_TEST_SEED=7"
played $slow "FAILED in 0.1s" "SEGUE_TEST_SEED=7"
bazel_test --config=tsan $slow
is "twice" "$(last)" "0 passed, 1 failed, 0 skipped"
is "with the same options" "$(grep -c -- --config=tsan "$work/calls")" 2
says "how to run it again" "; once more: bazel test --config=tsan --test_env=SEGUE_TEST_SEED=7 $slow"

fresh
played $slow "FAILED in 0.1s" "SEGUE_TEST_SEED=7"
played $slow "PASSED in 0.1s" "SEGUE_TEST_SEED=7"
touch "$work/broken" # something else does not build
bazel_test $slow
is "a build that fails beside a timing test" "$(last)" "1 passed, 1 failed, 0 skipped"

fresh
played //tests/a:one "PASSED in 0.1s" ""
played //tests/a:two "FAILED TO BUILD" ""
played //tests/a:three "NO STATUS" ""
bazel_test //tests/a:one //tests/a:two //tests/a:three
is "what does not build" "$(last)" "1 passed, 2 failed, 0 skipped"

fresh
bazel_command() { return 1; }
bazel_test //tests/a:one
is "a build that fails" "$(last)" "0 passed, 1 failed, 0 skipped"
other_test false-one false
other_test true-one true
skipped "tsan" "no"
is "others" "$(last)" "1 passed, 2 failed, 1 skipped"

fresh
is "nothing about namespaces where they may be made" "$(summary | grep -c Namespaces)" 0
MAY_SKIP=(packages namespaces)
says "what allows namespaces" "a container wants --privileged"
is "the last line is the counts" "$(last)" "0 passed, 0 failed, 0 skipped"

rm -rf "$work"
[ "$BAD" = 0 ] && echo "every result counts once"
exit "$BAD"
