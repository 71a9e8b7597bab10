#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Fuzzes softhca with libFuzzer, ASan and UBSan; needs clang.
# usage: tests/softhca/fuzz.sh engine|transport|command|rdmacm|umad [libFuzzer options], e.g. -runs=1000000
#   engine     rings, doorbells, keys, packets and state changes against the whole engine; begins with what libmlx5 writes
#   transport  packets against queue pairs of every type
#   command    the commands of uverbs, through write() and ioctl()
#   rdmacm     the commands of the connection manager, and its messages
#   umad       management datagrams
# FUZZ_OUT is where objects and each target's corpus go; FUZZ_BUILD_ONLY=1 stops after the build.
set -eu
cd "$(dirname "$0")/../.."
target=${1:?usage: tests/softhca/fuzz.sh engine|transport|command|rdmacm|umad [libFuzzer options]}
shift
out=${FUZZ_OUT:-/tmp/softhca-fuzz-$(id -u)}
mkdir -p "$out/obj" "$out/$target/corpus"
# Edges are counted, comparisons are not traced: the targets make plausible input themselves, and it doubles the speed.
sanitize=(-g1 -O1 -w -fsanitize=address,undefined -fno-sanitize-recover=all -D_GNU_SOURCE -DSOFTHCA_LIBFUZZER)
cover=(-fsanitize-coverage=inline-8bit-counters,pc-table)
gen=bazel-bin/segue.gen
gtest=/usr/src/googletest/googletest
include=(-I. -Iinclude -I$gen/include -Itests/softhca -I$gtest -I$gtest/include)
objects=()

# compile SOURCE FLAGS...: one object file, unless it is newer than its source and all headers.
compile() {
	local src=$1 obj cc=(clang -std=c11)
	shift
	obj=$out/obj/$(tr / _ <<<"$src").o
	objects+=("$obj")
	[ -e "$obj" ] && [ "$obj" -nt "$src" ] &&
		[ -z "$(find tools/softhca tests/softhca include runtime $gen/ -name '*.h' -newer "$obj" -print -quit)" ] && return
	case $src in *.cc) cc=(clang++ -std=c++17) ;; esac
	"${cc[@]}" "${include[@]}" "$@" -c "$src" -o "$obj"
}

# The device. Checksums say nothing about packets; without sanitizers they cost little.
device() {
	local f
	for f in "$@"; do
		case $f in
		*/crc32.c) compile "$f" -g1 -O2 -D_GNU_SOURCE ;;
		*) compile "$f" "${sanitize[@]}" "${cover[@]}" ;;
		esac
	done
}

# What it is driven by and what it uses.
helpers() {
	local f
	for f in "$@"; do compile "$f" "${sanitize[@]}"; done
}

# The generated decoder and validator.
decoder() {
	${BAZEL:-bazel} build //:segue
	helpers $gen/src/*.c runtime/text/decode.c runtime/text/validate.c runtime/text/walk.c
}

case $target in
engine)
	decoder
	${BAZEL:-bazel} build //tools/softhca //tests/softhca:corpus_client
	bazel-bin/tools/softhca/softhca bazel-bin/tests/softhca/corpus_client "$out/engine/corpus"
	device $(find tools/softhca/engine -name "*.c")
	helpers $gtest/src/gtest-all.cc tests/softhca/engine_fixture.cc tests/softhca/engine_fuzz.cc
	options=(-max_len=256)
	;;
transport)
	device tools/softhca/engine/{transport,wire}/*.c tools/softhca/engine/fault/fault.c
	helpers $gtest/src/gtest-all.cc tests/softhca/transport_harness.cc tests/softhca/transport_fuzz.cc
	options=(-max_len=200)
	;;
command)
	decoder
	device $(find tools/softhca/engine -name "*.c") tools/softhca/{uverbs/*,rdmacm,umad}/*.c
	helpers tests/softhca/command_fuzz.c
	options=(-max_len=400)
	;;
rdmacm | umad)
	decoder
	device $(find tools/softhca/engine -name "*.c") tools/softhca/{uverbs/*,rdmacm,umad}/*.c
	helpers "tests/softhca/${target}_fuzz.c"
	options=(-max_len=1500)
	;;
*)
	echo "fuzz.sh: there is no target '$target'; engine, transport, command, rdmacm and umad exist" >&2
	exit 2
	;;
esac
helpers tests/softhca/fuzz_stubs.c
clang++ -g1 -fsanitize=address,undefined,fuzzer -o "$out/$target/fuzz" "${objects[@]}" -lpthread -ldl
[ "${FUZZ_BUILD_ONLY:-}" ] && exit
# Short histories: they would cost more than the allocations they explain.
export ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=8:detect_leaks=${FUZZ_LEAKS:-0}${ASAN_OPTIONS:+:$ASAN_OPTIONS}
exec nice -n 19 "$out/$target/fuzz" "${options[@]}" -entropic=0 -reload=0 -detect_leaks="${FUZZ_LEAKS:-0}" -close_fd_mask=2 -timeout=60 \
	-artifact_prefix="$out/$target/" "$@" "$out/$target/corpus"
