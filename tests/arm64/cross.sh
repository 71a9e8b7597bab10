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

for need in $target-gcc $target-g++ qemu-aarch64 clang++; do
	command -v "$need" >/dev/null || {
		echo "$need is missing: apt-get install g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user clang"
		exit 1
	}
done

# rdma-core's headers are the same on every architecture; the rest of /usr/include is not.
mkdir -p "$out/include"
ln -s /usr/include/infiniband /usr/include/rdma "$out/include"
warnings=(-Wall -Wextra -Wpedantic -Werror)
flags=(-Iinclude -I"$headers" -I. -isystem "$out/include")

# cross ARGUMENT...: compiles C.
cross() {
	"$target-gcc" -std=c11 "${warnings[@]}" "${flags[@]}" "$@"
}

# cross_test NAME: GoogleTest and a test of it, read as one. As elsewhere (tests/cpp/cpp.bzl), the C++ of tests is clang's and the library gcc's.
cross_test() {
	printf '#include "%s"\n' src/gtest-all.cc src/gtest_main.cc "tests/runtime/$1_test.cc" |
		clang++ --target="$target" -std=c++17 -fno-exceptions "${warnings[@]}" "${flags[@]}" -isystem "$gtest/include" -isystem "$gtest" -O0 -x c++ -c - -o "$out/$1.o"
	"$target-g++" "$out/$1.o" "$out/libsegue.a" -pthread -o "$out/$1"
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
	local room=${1%/*} name=${1##*/}
	echo "$out/library/${room##*/}_${name%.c}.o"
}

# compile SOURCE: what is run or looked at below becomes code, rings as users compile them; the rest must be C that suits the processor.
compile() {
	local how
	case $1 in
	*/cq/* | runtime/ring/*) how=(-O2 -c -o "$(object "$1")") ;;
	"$sources"/* | runtime/base/* | runtime/text/* | runtime/block/*) how=(-O0 -c -o "$(object "$1")") ;;
	*) how=(-fsyntax-only -Winvalid-pch -include "$out/library/precompiled_header.h") ;;
	esac
	cross "${how[@]}" "$1"
}

echo "library"
mkdir "$out/library"
cross -x c-header runtime/precompiled_header.h -o "$out/library/precompiled_header.h.gch"
on_all compile $(find runtime -name '*.c' ! -path 'runtime/rdmacm/*' ! -path 'runtime/verbs/*') "$sources"/*.c
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
says seguei_cq_give_back cq_slow_path 'dmb.*oshst'
says segue_cq_resize cq_resize 'seguei_cq_keep_room'
says seguei_cq_keep_room cq_entries 'seguei_cq_set_stretch'
says seguei_cq_set_stretch cq_attachment 'seguei_cq_give_back'
says segue_cq_detach cq_attachment 'seguei_cq_drop_entries'
says seguei_cq_drop_entries cq_removal '<drop>'
says drop cq_removal 'seguei_cq_give_back'
says drop cq_removal 'dmb.*oshld'

echo "each public header alone, C11 and C++17"
python3 tests/segments/headers_test.py --cross "$target" "$headers" include "$out/include"

echo "the demo prints what it prints here"
cross -O2 tools/demo/wqe.c "$out/libsegue.a" -o "$out/wqe"
run "$out/wqe" >"$out/arm64.txt"
"$native_demo" >"$out/native.txt"
diff "$out/arm64.txt" "$out/native.txt"

for name in "$@"; do
	echo "tests/runtime/${name}_test.cc"
	cross_test "$name"
	run "$out/$name" >"$out/log" || { tail -n 40 "$out/log"; exit 1; }
	tail -n 1 "$out/log"
done
