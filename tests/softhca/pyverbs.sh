#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# rdma-core's own test suite: pyverbs.sh LINK DOORBELL. Needs Debian's python3-pyverbs (and python3-scapy for the
# DEVX tests), which brings pyverbs and the tests; without it there is nothing to run and the test passes.
. "$(dirname "$0")/lib.sh"
export SOFTHCA_LINK=${1:-ib} SOFTHCA_DOORBELL=${2:-poll}
here=$(cd "$(dirname "$0")" && pwd)
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
export PYTHONPATH=$work:$PYTHONPATH
# What its crypto tests must know of the device.
python3 "$here/crypto_details.py" >"$work/crypto.json" || exit 1
export MLX5_CRYPTO_TEST_INFO=$work/crypto.json
LIMIT=280 alone "pyverbs" python3 tests/run_tests.py -v
[ "$FAILED" = 0 ] || grep -h '^ERROR:\|^FAIL:' "$LOGS/out"
tail -n 3 "$LOGS/out"
# Some of them are for devices that take keys wrapped, or one data unit at a time.
for caps in crypto_wrapped=1 crypto_wrapped=1,crypto_multi_block=0 crypto_multi_block=0; do
	SOFTHCA_CAPS=$caps alone "pyverbs $caps" python3 tests/run_tests.py -v -k test_mlx5_crypto
done
grep -l "plaintext_dek) ... ok" "$LOGS/out" >/dev/null || { echo "the crypto tests did not run"; FAILED=$((FAILED + 1)); }
finish
