#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: [LINKS=ib] sanitize.sh asan|tsan|valgrind [PROGRAM...]
# Runs the tests of the control path, 10^4 rounds of creation included, those of several peers, some of which die and come back, all requests, alone and
# 10^4 of them at once, and `segue check`, under AddressSanitizer with UBSan and LeakSanitizer, under ThreadSanitizer, or under valgrind. A PROGRAM is one
# of this folder, or a label of any, with its arguments if it has some ("//tests/runtime/peers/channel:sparse_pattern 8"). By hand: takes minutes. The emulated device is
# not instrumented, and polls for doorbells (valgrind shows nothing of what a trapped store does).
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
kind=${1:?usage: sanitize.sh asan|tsan|valgrind [PROGRAM...]}
shift
programs=("$@")
[ ${#programs[@]} -gt 0 ] || programs=(control transports checked_build cqs srqs pool memory protected_keys budget creation cross_channel limits sentences wraps quiesce threads reliability unwind rounds
	cancellation raw_packet rings stamps steering ece //tests/runtime/peers/channel:{connection,dci,mcast,keepalive,rails,scope,sharing} "//tests/runtime/peers/channel:"{"sparse_pattern 8","many_ranks dc 4 2","rank_death rc 4 2 kill"}
	//tests/examples:on_demand //tests/requests:{requests,mixed} //tools/segue:segue)
here=tests/runtime/control
more=$(sed -n 's/^export SOFTHCA_CAPS=//p' $here/run.sh) # as the tests have it
rounds=10000
export SEGUE_TEST_OPS=${SEGUE_TEST_OPS:-10000}
work=$(mktemp -d "${TMPDIR:-/tmp}/segue-sanitize.XXXXXX")
trap 'rm -rf "$work"' EXIT
export SOFTHCA_DIR=$work/devices
calls=()
for program in "${programs[@]}"; do
	[[ $program == //* ]] && calls+=("$program") || calls+=("//$here:$program")
done
targets=("${calls[@]%% *}")

# in KIND BAZEL-COMMAND...: the instrumented kinds have output trees of their own, as their objects differ.
in_tree() {
	local base=()

	[ "$1" = plain ] || base=("--output_base=${TMPDIR:-/tmp}/segue-sanitize-build/$1")
	shift
	bazel ${base[@]+"${base[@]}"} "$@"
}

build() {
	local tree=$1
	shift
	in_tree "$tree" build --symlink_prefix=/ --curses=no --noshow_progress --jobs="${JOBS:-2}" "$@" >"$work/build.log" 2>&1 || {
		cat "$work/build.log"
		exit 1
	}
}

build plain //tools/softhca "${targets[@]}"
plain=$(in_tree plain info bazel-bin 2>/dev/null)
preload=
wrapper=()
case $kind in
asan | tsan)
	build "$kind" "--config=$kind" "${targets[@]}"
	bin=$(in_tree "$kind" info "--config=$kind" bazel-bin 2>/dev/null)
	in_tree "$kind" shutdown
	# gcc's libraries want to be first; the launcher puts itself behind.
	preload=$(gcc -print-file-name="lib$kind.so")
	;;
valgrind)
	bin=$plain
	wrapper=(valgrind -q --fair-sched=yes --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --error-exitcode=99 --child-silent-after-fork=yes
		"--suppressions=$PWD/$here/valgrind.supp")
	rounds=1000
	;;
*)
	echo "sanitize.sh: $kind is none of asan, tsan, valgrind" >&2
	exit 2
	;;
esac
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:handle_segv=0:allow_user_segv_handler=1:detect_stack_use_after_return=0
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export SEGUE_TEST_SCAPY=$PWD/tests/requests/frames_by_scapy.py
# What a device that is gone leaves in libibverbs is freed only if this is set.
export RDMAV_ALLOW_DISASSOC_DESTROY=1
export TSAN_OPTIONS=suppressions=$PWD/$here/tsan.supp:report_signal_unsafe=0:die_after_fork=0:halt_on_error=1

failed=0
for link in ${LINKS:-ib roce}; do
	for call in "${calls[@]}"; do
		read -ra arguments <<<"$call"
		label=${arguments[0]}
		arguments=("${arguments[@]:1}")
		path=${label#//}
		path=${path/://}
		program=${label##*:}
		[ "$call" = //tools/segue:segue ] && arguments=(check)
		# Frames are those of Ethernet, and these look at one port's.
		ports=2
		caps=(--caps "$more")
		case $program in
		raw_packet | steering) [ "$link" = roce ] || continue ;&
		requests | mixed) ports=1 ;;
		esac
		# Those judge what a card does that has no more than others; memory copies have to be asked for.
		case $program in
		requests | segue) caps=() ;;
		creation) caps=(--caps "$more,mmo_asked=1") ;;
		esac
		leaks=lsan
		[ "$program" = unwind ] && leaks=lsan_unwind
		export LSAN_OPTIONS=suppressions=$PWD/$here/$leaks.supp:print_suppressions=0
		[ "$program" = rounds ] && arguments=("$rounds")
		# valgrind judges children that leave by _exit(), too, and /proc/self/exe is its own.
		[ "$kind/$program" = valgrind/reliability ] && arguments=("--gtest_filter=-Processes.Fork*:Events.DeviceFatal")
		# The device touches memory that is gone, on purpose, and recovers from the fault; valgrind calls that an error.
		[ "$kind/$program" = valgrind/memory ] && arguments=("--gtest_filter=-Memory.PageThatIsNotThere")
		start=$SECONDS
		LD_PRELOAD=$preload "$plain/tools/softhca/softhca" --ports $ports ${caps[@]+"${caps[@]}"} --link "$link" --doorbell poll \
			${wrapper[@]+"${wrapper[@]}"} "$bin/$path" ${arguments[@]+"${arguments[@]}"} >"$work/log" 2>&1
		status=$?
		if [ $status = 0 ] && ! grep -qE 'ERROR: (Address|Leak)Sanitizer|WARNING: ThreadSanitizer|runtime error:' "$work/log"; then
			echo "ok   $kind $link ${call##*:} ($((SECONDS - start)) s)"
			grep -h 'seed\|faults of' "$work/log"
		else
			echo "FAIL $kind $link ${call##*:}, status $status"
			tail -n "${LINES_OF_LOG:-60}" "$work/log"
			failed=1
		fi
	done
done
exit $failed
