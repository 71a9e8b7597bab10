#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# tools/valgrind/segue.supp: a program that closes what it opens is clean below softhca, one that loses memory is not.
set -euo pipefail
. tests/tools/requirements.sh
need valgrind valgrind
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SOFTHCA_DIR=$scratch/softhca
look=(valgrind -q --suppressions=tools/valgrind/segue.supp --leak-check=full --show-leak-kinds=all
	--errors-for-leak-kinds=all --error-exitcode=99)

look_at() {
	status=0
	tools/softhca/softhca "${look[@]}" "$@" >"$scratch/out" 2>&1 || status=$?
}

look_at tests/tools/leaks
[ "$status" = 0 ] && ! grep -q '^==' "$scratch/out" || { echo "FAIL the clean program ended with $status:"; cat "$scratch/out"; exit 1; }
look_at tests/tools/leaks lose
[ "$status" = 99 ] && grep -q "77 bytes in 1 blocks are definitely lost" "$scratch/out" ||
	{ echo "FAIL the program that loses memory ended with $status:"; cat "$scratch/out"; exit 1; }
echo "2 passed, 0 failed"
