#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Fuzzes the transport with libFuzzer, ASan and UBSan; needs clang.
# usage: tests/softhca/fuzz.sh [libFuzzer options], e.g. -runs=1000000 -jobs=2
set -eu
cd "$(dirname "$0")/../.."
out=${FUZZ_OUT:-/tmp/softhca-fuzz-$(id -u)}
mkdir -p "$out/obj" "$out/corpus"
flags=(-g -O1 -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -D_GNU_SOURCE -I.)
for f in tools/softhca/engine/{packet,pcap,fault,gsi,wire,wire_tx,wire_rx,wire_mcast,transport,requester,req_response,responder,resp_memory,resp_datagram}.c; do
	clang -std=c11 "${flags[@]}" -c "$f" -o "$out/obj/$(basename "$f" .c).o"
done
# Its loops say nothing about packets; without coverage they cost little.
clang -std=c11 -g -O2 -D_GNU_SOURCE -I. -c tools/softhca/engine/crc32.c -o "$out/obj/crc32.o"
gtest=/usr/src/googletest/googletest
clang++ -std=c++17 "${flags[@]}" -w -I$gtest -I$gtest/include -c $gtest/src/gtest-all.cc -o "$out/obj/gtest.o"
for f in transport_harness transport_fuzz; do
	clang++ -std=c++17 "${flags[@]}" -DSOFTHCA_LIBFUZZER -I$gtest/include -c "tests/softhca/$f.cc" -o "$out/obj/$f.o"
done
clang++ -g -fsanitize=address,undefined,fuzzer -o "$out/transport_fuzz" "$out"/obj/*.o -lpthread
exec "$out/transport_fuzz" -max_len=300 "$@" "$out/corpus"
