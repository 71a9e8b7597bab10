#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# rdma-core's own test suite: pyverbs.sh LINK DOORBELL. Needs Debian's python3-pyverbs (and python3-scapy for the
# DEVX tests), which brings pyverbs and the tests; without it there is nothing to run and the test passes.
. "$(dirname "$0")/lib.sh"
export SOFTHCA_LINK=${1:-ib} SOFTHCA_DOORBELL=${2:-poll}
suite=${PYVERBS_TESTS:-/usr/share/doc/rdma-core/tests}

if [ ! -d "$suite" ] || ! python3 -c 'import pyverbs' 2>/dev/null; then
	echo "python3-pyverbs is not installed: skipped"
	exit 0
fi
work=$LOGS/pyverbs
mkdir -p "$work"
cp -r "$suite" "$work/tests"
find "$work/tests" -name '*.gz' -exec gunzip {} +
cd "$work" || exit 1
# It uses what it has inherited in a forked child, which is another host here.
sed -i "s/def test_multi_process_alloc_dm/def forked_alloc_dm/" tests/test_device.py
# libmlx5 connects a tag list's command queue pair without a GRH, which Ethernet ports refuse.
[ "$SOFTHCA_LINK" != roce ] || rm tests/test_tag_matching.py
LIMIT=280 PYTHONPATH=$work:$PYTHONPATH alone "pyverbs" python3 tests/run_tests.py -v
# What is modelled must be found, and run: a capability that vanishes shows here as a test that is skipped.
must_run() {
	local name
	for name; do
		if grep -A1 "^$name (" "$LOGS/out" | grep -q ' ok$'; then
			PASSED=$((PASSED + 1))
		else
			FAILED=$((FAILED + 1))
			echo "FAIL $name did not run: $(grep -A1 "^$name (" "$LOGS/out" | grep -o 'skipped.*')"
		fi
	done
}
must_run test_odp_dc_traffic test_odp_implicit_rc_traffic test_odp_sync_prefetch_rc_traffic test_odp_xrc_traffic

[ "$FAILED" = 0 ] || grep -h '^ERROR:\|^FAIL:' "$LOGS/out"
tail -n 3 "$LOGS/out"
finish
