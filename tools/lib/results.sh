# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Running Bazel tests, and counting each exactly once: passed, failed, or skipped (something in it did not run). Sourced by
# tools/test; needs bazel_command and say of tools/lib/packages.sh.

set -o pipefail # Bazel's status, not tee's

# A second try, with the same seed, is for these alone: a machine busy with other things makes late what they wait for. Each second
# try is named in the summary, and whose time it was.
FOREIGN_TIMES=( # a program of others gives up after a time of its own
	'//tests/softhca:raw_ethernet_.*_test' # perftest counts frames, and gives up on one that was late
	'//tests/softhca:ucx_.*_test'          # UCX gives up connecting
	'//tests/softhca:rdmacm_short_test'    # rdmacm-utils resolve within two seconds
)
OWN_TIMES=( # what is measured is a time
	'//tests/softhca:engine_thread_test'        # shares of processor time
	'//tests/softhca:bad_wire_test'             # rates over a wire whose delays a busy scheduler makes longer
	'//tests/runtime/control:reliability_.*_test' # when deaths are told
	'//tests/runtime/peers/channel:dci_late_test' # an acknowledgement within 17 ms, as nothing is sent again
)

PASSED=0
FAILED=0
SKIPPED=0
NOTES=()
MAY_SKIP=() # "packages", "namespaces": what this machine cannot have. A test that misses it is skipped; else it fails.

# look_for_namespaces: whether they may be made. Not in most containers, nor below chroot.
look_for_namespaces() {
	unshare -rmn true 2>/dev/null && return
	say "namespaces may not be made here; the tests that need some are skipped by name"
	MAY_SKIP+=(namespaces)
}

# logs_of TARGET: the files with what a test printed, one for each of its shards.
logs_of() {
	local name=${1#//} folder logs

	folder=${TESTLOGS:-bazel-testlogs}/${name/://}
	logs=("$folder"/shard_*_of_*/test.log)
	[ -f "${logs[0]}" ] || logs=("$folder/test.log")
	[ ! -f "${logs[0]}" ] || printf '%s\n' "${logs[@]}"
}

# matches TARGET PATTERN...
matches() {
	local pattern target=$1
	shift

	for pattern; do
		[[ "$target" =~ ^$pattern$ ]] && return
	done
	return 1
}

# whose_time TARGET: why it may have a second try; fails if it may not.
whose_time() {
	if matches "$1" "${FOREIGN_TIMES[@]}"; then
		echo "a foreign program's own time"
	elif matches "$1" "${OWN_TIMES[@]}"; then
		echo "a time that it measures"
	else
		return 1
	fi
}

# skips_of TARGET: what did not run in it, a line each: our scripts say "SKIPPED: ...", GoogleTest and unittest in their own ways.
# GoogleTest passes if its filter names nothing.
skips_of() {
	local log

	while read -r log; do
		sed -nE -e 's/^SKIPPED: //p' -e 's/^\[  SKIPPED \] ([^ ]+) \(.*/\1/p' -e 's/^OK \(.*(skipped=[0-9]+).*\)$/\1/p' \
			-e 's/^\[  PASSED  \] 0 tests\.$/no test of it ran/p' -e 's/^Ran 0 tests in .*/no test of it ran/p' "$log"
	done < <(logs_of "$1")
}

# seed_of TARGET: the last seed it printed.
seed_of() {
	logs_of "$1" | xargs -r -d '\n' sed -nE 's/^.*SEGUE_TEST_SEED=([0-9]+).*$/\1/p' | tail -n 1
}

# once_more TARGET OPTION...: the command that runs this test alone, as it ran.
once_more() {
	local target=$1 seed
	shift

	seed=$(seed_of "$target")
	if [ $# = 0 ]; then
		echo "${seed:+SEGUE_TEST_SEED=$seed }tools/test $target"
	else
		echo "bazel test $* ${seed:+--test_env=SEGUE_TEST_SEED=$seed }$target"
	fi
}

# sandboxes: where the tests' sandboxes and temporary files are to be, as an option of Bazel; nothing where memory is scarce. To create and remove
# thousands of links and small files a second on a disk took a fourth of the processor time of short tests (ext4 looks for inodes that
# were not deleted within the last seconds).
sandboxes() {
	local free available

	free=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1) || return 0
	available=$(sed -nE 's/^MemAvailable: +([0-9]+) kB$/\1/p' /proc/meminfo)
	if [ -w /dev/shm ] && [ "$free" -ge $((4 << 20)) ] && [ "${available:-0}" -ge $((8 << 20)) ]; then
		echo --sandbox_base=/dev/shm
	fi
}

# bazel_once ARGUMENT...: runs tests; their results go to RESULTS, "TARGET STATUS" a line.
bazel_once() {
	local status=0 output

	output=$(mktemp)
	# shellcheck disable=SC2046 # no word or one
	bazel_command test $(sandboxes) --keep_going --curses=no --color=no --test_summary=short --show_progress_rate_limit=15 --verbose_failures "$@" 2>&1 | tee "$output" || status=$?
	RESULTS=$(sed -nE 's/^(\/\/[^ ]+) +.*(PASSED|FLAKY|FAILED TO BUILD|FAILED|TIMEOUT|NO STATUS)( .*)?$/\1 \2/p' "$output" | sort -u)
	rm -f "$output"
	return "$status"
}

# second_try TARGET ARGUMENT...: the same test with the same seed; whether it passed.
second_try() {
	local target=$1 seed
	shift

	seed=$(seed_of "$target")
	say "second try of $target${seed:+, seed $seed}"
	bazel_once "$@" ${seed:+"--test_env=SEGUE_TEST_SEED=$seed"} "$target" || return 1
	NOTES+=("second try: $target failed once, and passed${seed:+ with the same seed, $seed}; it depends on $(whose_time "$target") (tools/lib/results.sh)")
}

# count_pass TARGET: passed, unless something in it did not run.
count_pass() {
	local skips

	skips=$(skips_of "$1")
	if [ -z "$skips" ]; then
		PASSED=$((PASSED + 1))
		return
	fi
	SKIPPED=$((SKIPPED + 1))
	while read -r line; do NOTES+=("skipped: $1: $line"); done <<<"$skips"
}

# bazel_test [--config=NAME] TARGET...: runs and counts; a build that fails counts as one failure, if it is no test's.
bazel_test() {
	local status=0 target result results failures=0 unbuilt=0 options=() asked=()

	while [[ "${1:-}" == --* ]]; do options+=("$1"); shift; done
	asked=(${options[@]+"${options[@]}"})
	[ ${#MAY_SKIP[@]} = 0 ] || options+=("--test_env=SEGUE_MAY_SKIP=${MAY_SKIP[*]}")
	[ -z "${SEGUE_TEST_SEED:-}" ] || options+=("--test_env=SEGUE_TEST_SEED=$SEGUE_TEST_SEED")
	bazel_once ${options[@]+"${options[@]}"} "$@" || status=$?
	results=$RESULTS
	while read -r target result; do
		case $result in
		'') ;;
		PASSED) count_pass "$target" ;;
		FAILED | TIMEOUT)
			failures=1
			if whose_time "$target" >/dev/null && second_try "$target" ${options[@]+"${options[@]}"}; then
				count_pass "$target"
			else
				FAILED=$((FAILED + 1))
				NOTES+=("failed: $target; once more: $(once_more "$target" ${asked[@]+"${asked[@]}"})")
			fi
			;;
		*)
			unbuilt=1
			FAILED=$((FAILED + 1))
			NOTES+=("failed: $target: $result")
			;;
		esac
	done <<<"$results"
	# 3 says that tests failed, and nothing else did.
	if [ "$status" -ne 0 ] && [ "$unbuilt" = 0 ] && [ "$status-$failures" != 3-1 ]; then
		FAILED=$((FAILED + 1))
		NOTES+=("failed: the build of $*")
	fi
}

# other_test NAME COMMAND...: one that Bazel does not run.
other_test() {
	local name=$1
	shift

	if "$@"; then
		PASSED=$((PASSED + 1))
	else
		FAILED=$((FAILED + 1))
		NOTES+=("failed: $name")
	fi
}

# skipped NAME REASON: one that cannot run here.
skipped() {
	SKIPPED=$((SKIPPED + 1))
	NOTES+=("skipped: $1: $2")
}

# summary: what is not simply passed, then the counts; whether nothing failed.
summary() {
	echo
	[ "${#NOTES[@]}" -eq 0 ] || printf '%s\n' "${NOTES[@]}"
	[[ " ${MAY_SKIP[*]-} " != *" namespaces "* ]] ||
		echo "Namespaces want root outside of chroot; a container wants --privileged, or --cap-add SYS_ADMIN,NET_ADMIN --security-opt seccomp=unconfined."
	echo "$PASSED passed, $FAILED failed, $SKIPPED skipped"
	[ "$FAILED" -eq 0 ]
}
