#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Fuzzes the whole engine with libFuzzer, ASan and UBSan; needs clang.
# usage: tests/softhca/engine_fuzz.sh [libFuzzer options], e.g. -runs=1000000
set -eu
cd "$(dirname "$0")/../.."
out=${FUZZ_OUT:-/tmp/softhca-engine-fuzz-$(id -u)}
mkdir -p "$out/obj" "$out/corpus"
rm -f "$out"/obj/*.o
# The generated decoder and validator.
${BAZEL:-bazel} build //:segue
gen=bazel-bin/segue.gen
flags=(-g -O1 -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -D_GNU_SOURCE -I. -Iinclude -I$gen/include)
for f in tools/softhca/engine/*.c $gen/src/*.c $(find runtime -name '*.c'); do
	clang -std=c11 "${flags[@]}" -c "$f" -o "$out/obj/$(echo "$f" | tr / _).o"
done
gtest=/usr/src/googletest/googletest
clang++ -std=c++17 "${flags[@]}" -w -I$gtest -I$gtest/include -c $gtest/src/gtest-all.cc -o "$out/obj/gtest.o"
for f in engine_fixture engine_fuzz; do
	clang++ -std=c++17 "${flags[@]}" -w -DSOFTHCA_LIBFUZZER -I$gtest/include -c "tests/softhca/$f.cc" -o "$out/obj/$f.o"
done
clang++ -g -fsanitize=address,undefined,fuzzer -o "$out/engine_fuzz" "$out"/obj/*.o -lpthread
exec "$out/engine_fuzz" -max_len=500 -close_fd_mask=2 "$@" "$out/corpus"
