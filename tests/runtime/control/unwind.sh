#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Every command that opens something fails once, the first and the second time it is given: what is open is closed, with a
# sentence about what failed.
set -u
top=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
softhca=${SOFTHCA:-$top/tools/softhca/softhca}
program=${UNWIND:-$top/tests/runtime/control/unwind}
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/segue-unwind.XXXXXX")
trap 'rm -rf "$work"' EXIT
export SOFTHCA_DIR=$work/devices
failed=0
seen=0

if ! out=$("$softhca" "$program") || [ -n "$out" ]; then
	echo "FAIL without a fault: $out"
	failed=1
fi
for command in create_cq create_qp modify_qp reg_mr alloc_pd create_srq create_ah query_device query_port alloc_mw create_comp_channel; do
	for nth in 1 2 3; do
		echo "command $command ENOMEM nth=$nth" >"$work/plan"
		if ! out=$("$softhca" --faults "$work/plan" "$program" 2>&1); then
			echo "FAIL $command, time $nth: $out"
			failed=1
		fi
		[ -z "$out" ] || seen=$((seen + 1))
	done
done
echo "$seen faults were met"
[ "$seen" -ge 8 ] && [ "$failed" = 0 ]
