#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: library.sh gcc|clang OUTPUT.a FILE|FOLDER...: rooms of the runtime that need no device, or what is generated for them, compiled once for all
# tests that count instructions. What is no source is not compiled.
set -euo pipefail
compiler=$1 output=$2
shift 2
flags=(-std=c11 -Wall -Wextra -Wpedantic -Werror -ffunction-sections -fdata-sections -I. -Iinclude)
# Equal functions must not share their code, or counts would add up.
[ "$compiler" != gcc ] || flags+=(-fno-ipa-icf)
sources=()
for given; do
	case $given in
	*.gen/src) sources+=("$given"/*.c) ;;
	*.gen/include) flags+=("-I$given") ;;
	*.c) sources+=("$given") ;;
	esac
done
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
for source in "${sources[@]}"; do
	# What is linked, but not called by what is counted, need not be fast; where it is called, the figures show it.
	case $source in
	runtime/base/* | runtime/ring/*) level=-O2 ;;
	*) level=-O0 ;;
	esac
	"$compiler" "${flags[@]}" "$level" -c "$source" -o "$objects/${source//\//_}.o"
done
ar rcsD "$output" "$objects"/*.o
