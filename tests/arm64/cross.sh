#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The library and its headers compiled for arm64, and its tests run there by qemu-user: byte order, alignment and the
# barriers' spelling are the compiler's and the emulator's word. qemu cannot show the order of stores; the instructions
# show that it is asked for.
# Usage: cross.sh HEADERS SOURCES NATIVE_DEMO TEST...   (tests/runtime/TEST_test.cc)
set -euo pipefail

headers=$1
sources=$2
native_demo=$3
shift 3
out=$(mktemp -d "${TEST_TMPDIR:-/tmp}/segue-arm64.XXXXXX")
trap 'rm -rf "$out"' EXIT
gtest=/usr/src/googletest/googletest
target=aarch64-linux-gnu

for need in $target-gcc $target-g++ qemu-aarch64; do
	command -v "$need" >/dev/null || {
		echo "$need is missing: apt-get install g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
		exit 1
	}
done

# rdma-core's headers are the same on every architecture; the rest of /usr/include is not.
mkdir -p "$out/include"
ln -s /usr/include/infiniband /usr/include/rdma "$out/include"
warnings=(-Wall -Wextra -Wpedantic -Werror)
flags=(-Iinclude -I"$headers" -I. -isystem "$out/include" -isystem "$gtest/include")

# cross LANGUAGE ARGUMENT...
cross() {
	local compiler=gcc standard=c11
	[ "$1" = c ] || { compiler=g++; standard=c++17; }
	shift
	"$target-$compiler" "-std=$standard" "${warnings[@]}" "${flags[@]}" "$@"
}

run() {
	qemu-aarch64 -L "/usr/$target" "$@"
}

# on_all FUNCTION ARGUMENT...: calls it with each argument, on all processors.
on_all() {
	local what=$1 n pid pids=() arguments
	shift
	arguments=("$@")
	some() {
		local i
		for ((i = $1; i < ${#arguments[@]}; i += $(nproc))); do "$what" "${arguments[i]}"; done
	}
	for ((n = 0; n < $(nproc); n++)); do
		some "$n" &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid"; done
}

# object SOURCE: ROOM_NAME.o, as two rooms have files of one name.
object() {
	echo "$out/library/$(basename "$(dirname "$1")")_$(basename "$1" .c).o"
}

# read_headers WORDS: what most sources spend their time in, once; plain, or with the words of GNU.
read_headers() {
	{
		[ "$1" = plain ] || echo "#define _GNU_SOURCE"
		printf '#include <%s>\n' errno.h string.h stdlib.h stdio.h inttypes.h
		echo '#include "runtime/channel/multi.h"'
	} >"$out/headers/$1.h"
	cross c -O1 -x c-header "$out/headers/$1.h" -o "$out/headers/$1.h.gch"
}

# What is looked at below, as users compile it; the rest needs to be right only.
compile() {
	local how=(-O1) words
	words=$(grep -m 1 '^#define _[A-Z]' "$1" || true)
	case $1,$words in
	*/cq/* | runtime/ring/*) how=(-O2) ;;
	runtime/channel/*, | runtime/object/*,) how+=(-Winvalid-pch -include "$out/headers/plain.h") ;;
	runtime/channel/*,*_GNU_SOURCE | runtime/object/*,*_GNU_SOURCE) how+=(-Winvalid-pch -include "$out/headers/gnu.h") ;;
	esac
	cross c "${how[@]}" -c "$1" -o "$(object "$1")"
}

echo "library"
mkdir "$out/headers" "$out/library"
on_all read_headers plain gnu
on_all compile runtime/*/*.c runtime/object/*/*.c "$sources"/*.c
"$target-ar" rcs "$out/libsegue.a" "$out/library"/*.o

# says FUNCTION OBJECT INSTRUCTION: the function has it.
says() {
	"$target-objdump" -d "$out/library/$2.o" | sed -n "/^[0-9a-f]* <$1>:/,/^$/p" | grep "$3" >/dev/null || { # not -q: it would end the pipe early
		echo "$1() in $2.o has no '$3'"
		exit 1
	}
}

# libmlx5 has barriers in the same places: __mlx5_cq_clean(), "Make sure update of buffer contents is done before ...".
echo "what was written to a completion queue's entries is there before they are given back"
says seguei_cq_give_back ring_cq_special 'dmb.*oshst'
says segue_cq_resize cq_cq_resize 'seguei_cq_keep_room'
says seguei_cq_keep_room cq_cq_budget 'seguei_cq_set_stretch'
says seguei_cq_set_stretch ring_cq 'seguei_cq_give_back'
says segue_cq_detach ring_cq '<drop>'
says drop ring_cq 'seguei_cq_give_back'
says drop ring_cq 'dmb.*oshld'

echo "each public header alone, C11 and C++17"
python3 tests/segments/headers_test.py --cross "$target" "$headers" include "$out/include"

echo "the demo prints what it prints here"
cross c -O2 tools/demo/wqe.c "$out/libsegue.a" -o "$out/wqe"
run "$out/wqe" >"$out/arm64.txt"
"$native_demo" >"$out/native.txt"
diff "$out/arm64.txt" "$out/native.txt"

[ "$#" -eq 0 ] || printf '#include "src/%s.cc"\n' gtest-all gtest_main | cross c++ -O0 -w -I"$gtest" -x c++ -c - -o "$out/gtest.o"
for name in "$@"; do
	echo "tests/runtime/${name}_test.cc"
	cross c++ -O1 "tests/runtime/${name}_test.cc" "$out/gtest.o" "$out/libsegue.a" -pthread \
		-o "$out/$name"
	run "$out/$name" >"$out/log" || { tail -n 40 "$out/log"; exit 1; }
	tail -n 1 "$out/log"
done
