#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# By hand: the device below ThreadSanitizer, or AddressSanitizer and UndefinedBehaviorSanitizer.
# usage: tests/softhca/sanitize.sh [tsan|asan] [OPERATIONS]
#
# 1. The tests of engine and transport, and of commands and stores, instrumented with everything they link. The latter two hold mmap() and
#    sigaction(), which ThreadSanitizer calls before it is ready for instrumented code: they run below the other one.
# 2. Verbs programs, instrumented, below the preloaded device, which is not: it shall find the races of programs, not see its
#    own "DMA" as one.
set -eu
config=${1:-tsan} ops=${2:-2000}
cd "$(dirname "$0")/../.."
interposing=()
case $config in
tsan) library=libtsan.so ;;
asan) library=libasan.so interposing=(//tests/softhca:{command,store}_test) ;;
*) sed -n '4s/^# //p' "$0"; exit 2 ;;
esac

bazel test --config="$config" --test_timeout=900 //tests/softhca:engine_{compress,core,cq,cross,error,every_request,offload,plan,qp,raw,referee,thread,tm,wr}_test \
	//tests/softhca:{fault,packet,ring,transport}_test \
	${interposing[@]+"${interposing[@]}"}

bin=$(bazel info bazel-bin)
bazel build //tools/softhca
device=$(mktemp -d)
trap 'rm -rf "$device"' EXIT
cp -L "$bin/tools/softhca/softhca" "$bin/tools/softhca/libsofthca.so" "$device"
bazel build --config="$config" //tests/softhca:soak_verbs //tests/softhca:front_client
bin=$(bazel info --config="$config" bazel-bin)
# A forked child may start threads: TSan must be told. The front's own findings end the program.
export TSAN_OPTIONS="die_after_fork=0 exitcode=66" ASAN_OPTIONS=detect_leaks=0
runtime=$(gcc -print-file-name=$library)

# below NAME CMD...: nothing may be reported.
below() {
	echo "$1"
	shift
	LD_PRELOAD=$runtime "$device/softhca" "$@" >"$device/log" 2>&1 || { cat "$device/log"; exit 1; }
	if grep -q "WARNING: ThreadSanitizer\|ERROR: AddressSanitizer\|runtime error:" "$device/log"; then
		cat "$device/log"
		exit 1
	fi
}
for mode in rc srq xrc dc uc ud; do
	below "$mode, ib, poll" "$bin/tests/softhca/soak_verbs" $mode "$ops" $RANDOM
	below "$mode, roce, poll" --link roce "$bin/tests/softhca/soak_verbs" $mode "$ops" $RANDOM
done
below "errors, fork, threads" "$bin/tests/softhca/front_client"
echo "$config: clean"
