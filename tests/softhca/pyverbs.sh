#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# rdma-core's own test suite: pyverbs.sh LINK DOORBELL. Needs Debian's python3-pyverbs, which brings pyverbs and the tests,
# and python3-scapy, without which the suite leaves out what uses DEVX.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../tools/unpacked_packages.sh"
export SOFTHCA_LINK=${1:-ib} SOFTHCA_DOORBELL=${2:-poll} SOFTHCA_CAPS=lag_ports=2
# The suite goes to a device's limits and one beyond, and clears all the memory that this takes: for copies 4 GiB, without posting one; memory_client sees the
# same limit without. The queues of the device are the usual ones on InfiniBand, up to 256 MiB, and a small card's on Ethernet.
SOFTHCA_CAPS+=,max_memcpy=0x100000
[ "$SOFTHCA_LINK" != roce ] || SOFTHCA_CAPS+=,max_cqe=65535
here=$(cd "$(dirname "$0")" && pwd)
suite=${PYVERBS_TESTS:-/usr/share/doc/rdma-core/tests}
if ! python3 -c 'import pyverbs' 2>/dev/null; then
	use_unpacked
	suite=${PYVERBS_TESTS:-$UNPACKED/usr/share/doc/rdma-core/tests}
fi

# The suite asks it for addresses.
PATH=$PATH:/usr/sbin
need ip iproute2
[ -d "$suite" ] && python3 -c 'import pyverbs' 2>/dev/null || absent pyverbs python3-pyverbs
python3 -c 'import scapy' 2>/dev/null || absent scapy python3-scapy
work=$LOGS/pyverbs
mkdir -p "$work"
cp -r "$suite" "$work/tests"
find "$work/tests" -name '*.gz' -exec gunzip {} +
cd "$work" || exit 1
# Newer suites ask iproute2's rdma for the network interfaces of ports. It asks the kernel by netlink, which knows of no such device.
mkdir bin
cat >bin/rdma <<'RDMA'
#!/bin/sh
for device in /sys/class/infiniband/*; do
	netdev=$(ls "$device/device/net" 2>/dev/null | head -n 1)
	links="$links${links:+,}{\"ifname\":\"${device##*/}\",\"port\":1${netdev:+,\"netdev\":\"$netdev\"}}"
done
echo "[$links]"
RDMA
chmod +x bin/rdma
PATH=$work/bin:$PATH
# Before rdma-core 52 the suite expected another value behind a test-and-set ("Fix expected value after test_and_set atomic op").
sed -i 's/assertEqual(val, 255)/assertEqual(val, 1)/; s/num_threads - 1,/num_threads + 1,/' tests/test_mlx5_dm_ops.py
# It asks how many huge pages there are, of which all may be taken.
sed -i 's,hugepages-2048kB/nr_hugepages,hugepages-2048kB/free_hugepages,' tests/utils.py
# What it dumps stays here.
sed -i "s,/tmp/dump\.txt,$work/dump.txt," tests/*.py
# Python 3.12 does not take what rdma-core 50 gives it.
sed -i 's/loadTestsFromModule(mod, pattern)/loadTestsFromModule(mod)/' tests/__init__.py
# libmlx5 connects a tag list's command queue pair without a GRH, which Ethernet ports refuse.
[ "$SOFTHCA_LINK" != roce ] || rm tests/test_tag_matching.py
export PYTHONPATH=$work:$PYTHONPATH
# What its crypto tests must know of the device.
python3 "$here/crypto_details.py" >"$work/crypto.json" || exit 1
export MLX5_CRYPTO_TEST_INFO=$work/crypto.json
LIMIT=${LIMIT:-800} alone "pyverbs" python3 -W ignore::DeprecationWarning tests/run_tests.py -v
# Which of them ran. The numbers are those of Debian 12's suite.
if python3 "$here/pyverbs_results.py" "$LOGS/out" "$SOFTHCA_LINK" ${PYVERBS_TESTS:+other}; then
	PASSED=$((PASSED + 1))
else
	FAILED=$((FAILED + 1))
fi
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
must_run test_pp_alloc test_dv_query_port test_var_map_unmap test_create_sched_tree test_sched_per_qp_traffic test_dc_ah_to_qp_mapping
[ "$SOFTHCA_LINK" = ib ] || must_run test_raw_modify_lag_port test_rc_modify_lag_port test_ud_modify_lag_port test_rc_modify_udp_sport
# They need an interface besides the loopback; pyverbs_results.py says so where there is none.
if [ "$SOFTHCA_LINK" = roce ] && [ -n "$(ip -4 -o addr show up scope global)" ]; then
	must_run test_rdmacm_async_traffic test_rdmacm_sync_traffic test_rdmacm_async_read test_rdmacm_async_udp_traffic test_rdmacm_async_ex_multicast_traffic
fi
must_run test_multi_process_alloc_dm test_dm_atomic_ops test_parallel_dm_atomic_ops
must_run test_odp_dc_traffic test_odp_implicit_rc_traffic test_odp_sync_prefetch_rc_traffic test_odp_xrc_traffic
must_run test_dv_cq_compression_flags test_dv_cq_padding test_reservered_qpn
[ "$SOFTHCA_LINK" = roce ] || must_run test_tm_no_tag test_tm_rndv test_tm_traffic test_tm_unexpected_tag
must_run test_mkey_sig_crc test_mkey_sig_t10dif test_mkey_sig_err test_mkey_sig_pipelining_bad test_mlx5_crypto_plaintext_dek \
	test_mlx5_plaintext_dek_multi_block
[ "$FAILED" = 0 ] || grep -h '^ERROR:\|^FAIL:' "$LOGS/out"
# Some of them are for devices that take keys wrapped, or one data unit at a time.
crypto() {
	SOFTHCA_CAPS=$1 alone "pyverbs $1" python3 tests/run_tests.py -v -k test_mlx5_crypto
}
crypto crypto_multi_block=0
must_run test_mlx5_crypto_plaintext_dek
for caps in crypto_wrapped=1,crypto_multi_block=0 crypto_wrapped=1; do
	crypto $caps
	must_run test_mlx5_dek_management test_mlx5_crypto_mkey_old_api test_mlx5_crypto_wrapped_dek test_mlx5_crypto_signature_mkey
done
must_run test_mlx5_wrapped_dek_multi_block
finish
