#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Fuzzes softhca with libFuzzer, ASan and UBSan; needs clang.
# usage: tests/softhca/fuzz.sh engine|transport|command [libFuzzer options], e.g. -runs=1000000
#   engine     rings, doorbells, keys, packets and state changes against the whole engine
#   transport  packets against queue pairs of every type
#   command    the commands of uverbs, through write() and ioctl()
# FUZZ_OUT is where objects and the corpus go; FUZZ_BUILD_ONLY=1 stops after the build.
set -eu
cd "$(dirname "$0")/../.."
target=${1:?usage: tests/softhca/fuzz.sh engine|transport|command [libFuzzer options]}
shift
out=${FUZZ_OUT:-/tmp/softhca-fuzz-$(id -u)}/$target
mkdir -p "$out/obj" "$out/corpus"
rm -f "$out"/obj/*.o
# Edges are counted, comparisons are not traced: the targets make plausible input themselves, and it doubles the speed.
sanitize=(-g1 -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -D_GNU_SOURCE -I. -Iinclude)
cover=(-fsanitize-coverage=inline-8bit-counters,pc-table)
gtest=/usr/src/googletest/googletest

object() { # SOURCE FLAGS...: one object file
	local src=$1
	shift
	case $src in
	*.c) clang -std=c11 "${sanitize[@]}" "$@" -c "$src" -o "$out/obj/$(tr / _ <<<"$src").o" ;;
	*) clang++ -std=c++17 "${sanitize[@]}" -w -DSOFTHCA_LIBFUZZER -Itests/softhca -I$gtest -I$gtest/include "$@" \
		-c "$src" -o "$out/obj/$(tr / _ <<<"$src").o" ;;
	esac
}

# Checksums say nothing about packets; without sanitizers they cost little.
plain() {
	clang -std=c11 -g1 -O2 -D_GNU_SOURCE -I. -c "$1" -o "$out/obj/$(tr / _ <<<"$1").o"
}

# The whole engine, with the generated decoder and validator.
engine() {
	${BAZEL:-bazel} build //:segue
	local gen=bazel-bin/segue.gen f
	sanitize+=(-I$gen/include)
	for f in $gen/src/*.c runtime/*.c runtime/*/*.c; do [ -e "$f" ] && object "$f" -O2 -w; done
	for f in tools/softhca/engine/*.c; do
		case $f in */crc32.c) plain "$f" ;; *) object "$f" "${cover[@]}" ;; esac
	done
}

case $target in
engine)
	engine
	object $gtest/src/gtest-all.cc
	object tests/softhca/engine_fixture.cc
	object tests/softhca/engine_fuzz.cc
	options=(-max_len=256)
	;;
transport)
	for f in packet pcap fault gsi wire wire_tx wire_rx wire_mcast transport requester req_response responder resp_memory \
		resp_datagram; do
		object tools/softhca/engine/$f.c "${cover[@]}"
	done
	plain tools/softhca/engine/crc32.c
	object $gtest/src/gtest-all.cc
	object tests/softhca/transport_harness.cc
	object tests/softhca/transport_fuzz.cc
	options=(-max_len=200)
	;;
command)
	engine
	for f in tools/softhca/{uverbs,rdmacm}/*.c; do object "$f" "${cover[@]}"; done
	object tests/softhca/command_fuzz.c
	options=(-max_len=600)
	;;
*)
	echo "fuzz.sh: there is no target '$target'; engine, transport and command exist" >&2
	exit 2
	;;
esac
object tests/softhca/fuzz_stubs.c
clang++ -g1 -fsanitize=address,undefined,fuzzer -o "$out/fuzz" "$out"/obj/*.o -libverbs -lmlx5 -lpthread -ldl
[ "${FUZZ_BUILD_ONLY:-}" ] && exit
# Short histories: they would cost more than the allocations they explain.
export ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=8:detect_leaks=${FUZZ_LEAKS:-0}${ASAN_OPTIONS:+:$ASAN_OPTIONS}
exec nice -n 19 "$out/fuzz" "${options[@]}" -close_fd_mask=2 -timeout=60 -artifact_prefix="$out/" "$@" "$out/corpus"
