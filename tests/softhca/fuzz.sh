#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Fuzzes softhca with libFuzzer, ASan and UBSan; needs clang.
# usage: tests/softhca/fuzz.sh engine|transport|ring|command|rdmacm|umad [libFuzzer options], e.g. -runs=1000000
#        tests/softhca/fuzz.sh all SECONDS     each door for SECONDS, from the kept inputs on; what tools/test does
#        tests/softhca/fuzz.sh keep DOOR       fuzz/corpus/DOOR.hex becomes those of what has been found that cover all of it, one a line
#   engine     rings, doorbells, keys, packets and state changes against the whole engine; begins with what libmlx5 writes
#   transport  packets against queue pairs of every type
#   ring       memory that is shared with another process
#   command    the commands of uverbs, through write() and ioctl()
#   rdmacm     the commands of the connection manager, and its messages
#   umad       management datagrams
# FUZZ_OUT is where objects and each target's corpus go (.cache/softhca-fuzz); FUZZ_BUILD_ONLY=1 stops after the build; FUZZ_LEAKS=0 lets memory leak.
set -eu
cd "$(dirname "$0")/../.."
usage() {
	sed -n '4,6s/^# //p' "$0" >&2
	exit 2
}
doors=(engine transport ring command rdmacm umad)
target=${1:-}
case " ${doors[*]} all " in
*" $target "*) [ -n "$target" ] || usage ;;
*) [ "$target" = keep ] && [ $# = 2 ] || usage ;;
esac
shift
out=${FUZZ_OUT:-$PWD/.cache/softhca-fuzz}
gen=bazel-bin/segue.gen
first_gtest=tests/cpp/gtest_header.h
first_device=tests/softhca/fuzz/first_device.h
mkdir -p "$out/obj"
BAZEL=${BAZEL:-bazel}
processors=$(nproc)

# object SOURCE: where it is compiled to.
object() {
	printf '%s/obj/%s.o' "$out" "$(tr / _ <<<"$1")"
}

# sources DOOR: what it is made of. The device's sources are compiled once for all doors.
sources() {
	local device decoder
	device=$(find tools/softhca/engine -name "*.c")
	decoder="$(echo $gen/src/*.c) runtime/text/decode.c runtime/text/field.c runtime/text/validate.c runtime/text/walk.c runtime/text/control.c"
	case $1 in
	engine) echo $decoder $device tests/softhca/engine/engine_fixture.cc tests/softhca/engine/engine_fuzz.cc ;;
	transport | ring)
		echo tools/softhca/engine/{packet,proc,wire}/*.c tools/softhca/engine/{fault/fault,device/table}.c \
			$(find tools/softhca/engine/transport -name "*.c" ! -name migration.c) \
			tests/softhca/wire/transport_harness.cc "tests/softhca/wire/$1_fuzz.cc"
		;;
	*) echo $decoder $device tools/softhca/{uverbs/*,rdmacm,umad}/*.c "tests/softhca/fuzz/$1_fuzz.c" ;;
	esac
	echo tests/softhca/fuzz/fuzz_stubs.c
}

# hot SOURCE: whether inputs spend their time there. It is optimized; all the rest compiles three times faster as it stands, which costs
# inputs little.
hot() {
	case $1 in
	*.cc | runtime/text/* | */engine/doorbell_scan.c | */engine/packet/* | */engine/queue/* | */engine/transport/* | */engine/wire/*) ;;
	*/device/table.c | */device/uar.c | */memory/access.c | */memory/copy.c | */memory/mem.c | */offload/aes.c) ;;
	*/thread/lock.c | */thread/thread.c | */uverbs/file/file.c | */uverbs/file/obj.c) ;;
	*) return 1 ;;
	esac
}

# compile SOURCE OPTION...: one object file, or what clang has read of a header. Edges of the device are counted, comparisons are not
# traced: the targets make plausible input themselves, and it doubles the speed.
compile() {
	local src=$1 cc=(clang -std=c11) level=-O0 flags=(-g1 -w -D_GNU_SOURCE -DSOFTHCA_LIBFUZZER) to
	local include=(-I. -Iinclude "-I$gen/include" -Itests/softhca/wire)
	local sanitize=(-fsanitize=address,undefined -fno-sanitize-recover=all)
	to=$(object "$src")
	shift
	! hot "$src" || level=-O1
	case $src in
	*.cc) cc=(clang++ -std=c++17 -include-pch "$(object "$first_gtest")") ;;
	"$first_gtest") cc=(clang++ -std=c++17 -x c++-header -fpch-instantiate-templates) ;;
	"$first_device") cc+=(-x c-header) to+=$1 ;;
	# Checksums say nothing about packets; without sanitizers they cost little.
	*/crc32.c) level=-O2 sanitize=() ;;
	tools/*)
		cc+=(-include-pch "$(object "$first_device")$level")
		flags+=(-fsanitize-coverage=inline-8bit-counters,pc-table)
		;;
	esac
	"${cc[@]}" "${include[@]}" "${flags[@]}" "${sanitize[@]}" "$level" "$@" "$src" -o "$to.new" && mv "$to.new" "$to"
}
export -f compile hot object
export out gen first_gtest first_device

# stale: of the sources on stdin, those whose object is older than they or any header.
stale() {
	local src obj header
	header=$(find tools/softhca tests include runtime $gen/ -name '*.h' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-)
	while read -r src; do
		obj=$(object "$src")
		[ -e "$obj" ] && [ "$obj" -nt "$src" ] && [ "$obj" -nt "$header" ] || echo "$src"
	done
}

# headers: what clang reads once for all stale sources, and how they are optimized.
headers() {
	! grep -q '\.cc$' "$out/stale" || echo "$first_gtest" -O1
	! grep -q '^tools/' "$out/stale" || printf '%s\n' "$first_device -O0" "$first_device -O1"
}

# build DOOR...
build() {
	local door src list=()
	$BAZEL build //:segue
	case " $* " in
	*" engine "*) $BAZEL build //tools/softhca //tests/softhca:corpus_client ;;
	esac
	for door; do sources "$door"; done | tr ' ' '\n' | sort -u | stale >"$out/stale"
	echo "compiling $(wc -l <"$out/stale") files with sanitizers"
	headers | xargs -r -P "$processors" -L 1 bash -c 'compile "$@" || exit 255' compile || return
	xargs -r -a "$out/stale" -P "$processors" -n 1 bash -c 'compile "$0" -c || { echo "fuzz.sh: $0 does not compile" >&2; exit 255; }'
	for door; do
		mkdir -p "$out/$door/corpus"
		list=()
		for src in $(sources "$door"); do list+=("$(object "$src")"); done
		clang++ -g1 -fsanitize=address,undefined,fuzzer -o "$out/$door/fuzz" "${list[@]}" -lgtest -lpthread -ldl
	done
}

# fuzz DOOR CORPUS [libFuzzer options]
fuzz() {
	local door=$1 corpus=$2 length=1500
	shift 2
	case $door in
	engine) length=256 ;;
	transport) length=200 ;;
	command | ring) length=400 ;;
	esac
	[ "$door" != engine ] || bazel-bin/tools/softhca/softhca bazel-bin/tests/softhca/corpus_client "$corpus"
	# Short histories: they would cost more than the allocations they explain. Four calls say whether libFuzzer made one, which forgets some.
	export ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=8:detect_leaks=${FUZZ_LEAKS:-1}${ASAN_OPTIONS:+:$ASAN_OPTIONS}
	echo leak:fuzzer:: >"$out/$door/forgotten"
	export LSAN_OPTIONS=suppressions=$out/$door/forgotten:print_suppressions=0
	nice -n 19 "$out/$door/fuzz" -max_len="$length" -entropic=0 -reload=0 -detect_leaks="${FUZZ_LEAKS:-1}" -close_fd_mask=2 -timeout=60 \
		-print_funcs=0 -artifact_prefix="$out/$door/" "$@" "$corpus"
}

# unpack DOOR FOLDER: the kept inputs, a file each. The engine's are what libmlx5 writes.
unpack() {
	local n=0 line

	mkdir -p "$2"
	[ -e "tests/softhca/fuzz/corpus/$1.hex" ] || return 0
	while read -r line; do
		# shellcheck disable=SC2059 # it is the text
		printf "$(sed 's/../\\x&/g' <<<"$line")" >"$2/kept$((n += 1))"
	done <"tests/softhca/fuzz/corpus/$1.hex"
}

# keep DOOR
keep() {
	local min=$out/$1/min file

	rm -rf "$min"
	mkdir -p "$min"
	unpack "$1" "$out/$1/corpus"
	FUZZ_LEAKS=0 fuzz "$1" "$min" -merge=1 "$out/$1/corpus"
	find "$min" -type f -size +0 | while read -r file; do
		od -An -v -tx1 "$file" | tr -d ' \n'
		echo
	done | LC_ALL=C sort -u >"tests/softhca/fuzz/corpus/$1.hex"
	wc -l "tests/softhca/fuzz/corpus/$1.hex"
}

# shortly DOOR SECONDS: says how many inputs there were, or what was found.
shortly() {
	local door=$1 seconds=$2 log=$out/$1/log corpus=$out/$1/short
	# Most of what it runs is not optimized (hot): as many inputs take a fifth longer.
	[ "$door" != command ] || seconds=$((seconds * 4 / 3))
	rm -rf "$corpus"
	unpack "$door" "$corpus"
	# -close_fd_mask would hide what a sanitizer says.
	if fuzz "$door" "$corpus" -max_total_time="$seconds" -seed="$seed" -close_fd_mask=0 -print_final_stats=1 >"$log" 2>&1; then
		echo "$door: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, nothing found"
	else
		tail -n 40 "$log"
		echo "FAIL fuzz.sh $door: what was found is in $out/$door"
		return 1
	fi
}

if [ "$target" = keep ]; then
	build "$1"
	keep "$1"
	exit
fi
if [ "$target" != all ]; then
	build "$target"
	unpack "$target" "$out/$target/corpus"
	[ "${FUZZ_BUILD_ONLY:-}" ] || fuzz "$target" "$out/$target/corpus" "$@"
	exit
fi
export seed=${SEGUE_TEST_SEED:-$((RANDOM << 15 | RANDOM))}
echo "SEGUE_TEST_SEED=$seed"
build "${doors[@]}"
[ -z "${FUZZ_BUILD_ONLY:-}" ] || exit 0
export -f fuzz shortly unpack
printf '%s\n' "${doors[@]}" | xargs -P "$processors" -n 1 bash -c 'shortly "$1" "$0"' "${1:-6}"
