#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# By hand, on a machine with nvcc and a GPU: posts.h on the GPU does as it does on the host, from several seeds.
# usage: tests/freestanding/on_gpu.sh [FOLDER]
#
# FOLDER holds `include` (headers, generated ones as well) and `freestanding`, the program that was built with the library, where there is no Bazel;
# without it both are built here. The queue lies in memory of the host that the GPU reaches.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ $# -gt 0 ]; then
	includes=("-I$1/include") program=$1/freestanding
else
	bazel build //:segue //tests/freestanding
	bin=$(bazel info bazel-bin)
	includes=("-I$bin/segue.gen/include" -Iinclude) program=$bin/tests/freestanding/freestanding
fi
for option in -O3 -G; do
	nvcc -std=c++17 -arch=native "$option" -Xcompiler -fPIC -shared "${includes[@]}" -I. tests/freestanding/gpu.cu -o "$scratch/gpu$option.so"
done
for seed in 1 2 3 $RANDOM $RANDOM; do
	"$program" "$seed" "$scratch/gpu-O3.so" "$scratch/gpu-G.so"
done
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
