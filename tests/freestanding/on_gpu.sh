#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# By hand, on a machine with nvcc and a GPU: posts.h on the GPU does as it does on the host, from several seeds. Then 64 blocks fill one queue
# (tests/gpu/on_gpu.cu) with 10^6 WRITEs, past 2^16 and 2^32, with both kinds of completion queue and with a failure, also under compute-sanitizer.
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
nvcc -std=c++17 -arch=native -O3 "${includes[@]}" -I. tests/gpu/on_gpu.cu -o "$scratch/queue"
for kind in ring collapsed; do
	"$scratch/queue" "$kind" 4294001664 1000000
	"$scratch/queue" "$kind" 0 100000 70000
done
for check in memcheck racecheck; do
	compute-sanitizer --tool "$check" --error-exitcode 1 "$scratch/queue" ring 65000 10000
done
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
