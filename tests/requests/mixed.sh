#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Random requests of many kinds at once, on both link layers, with and without faults on the wire. SEGUE_TEST_OPS=1000000 makes a long run of it.
set -eu
top=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
export SEGUE_TEST_SEED=${SEGUE_TEST_SEED:-$((RANDOM << 15 | RANDOM))}
plan=${TEST_TMPDIR:-/tmp}/segue-plan-$$

# Everything may be lost, or damaged, which is found by its checksum. What is reliable may come twice and in another order besides: the others cannot
# tell a message from its copy (docs/softhca/wire.md).
{
	echo "seed $SEGUE_TEST_SEED"
	echo "drop 1%"
	echo "corrupt 0.3%"
	echo "rnr 0.5%"
	for transport in 0x00 0xa0 0xc0; do
		for operation in {0..20} 22 23; do
			echo "duplicate 0.5% op=$((transport + operation))"
			echo "reorder 0.5% 3 op=$((transport + operation))"
		done
	done
} >"$plan"

for link in ib roce; do
	export SOFTHCA_DIR=${TEST_TMPDIR:-/tmp}/segue-test-$$-$link
	"$top/tools/softhca/softhca" --link $link "$top/tests/requests/mixed"
	SEGUE_TEST_FAULTS=1 "$top/tools/softhca/softhca" --link $link --faults "$plan" "$top/tests/requests/mixed"
done
