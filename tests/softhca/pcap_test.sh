#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Every packet there is, judged by tshark, by zlib and by scapy: nothing malformed, the
# right name for each opcode that Wireshark knows, every ICRC correct; then a
# capture of real traffic.
# usage: pcap_test.sh PACKET_TEST SOAK_TEST CHECK_ICRC [SOFTHCA_LUA]
set -eu
packet_test=$1 soak_test=$2 check_icrc=$3
by_scapy=$(dirname "$check_icrc")/icrc_by_scapy.py
tmp=$(mktemp -d "${TEST_TMPDIR:-/tmp}/pcap_test.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

fail() {
	echo "FAIL: $*"
	exit 1
}

command -v tshark >/dev/null || fail "this test needs tshark (Debian package tshark)"

# Opcode by opcode: what tshark 4.0 calls it. It names no XRC and no vendor opcodes.
expected='0 RC Send First
1 RC Send Middle
2 RC Send Last
3 RC Send Last Immediate
4 RC Send Only
5 RC Send Only Immediate
6 RC RDMA Write First
7 RC RDMA Write Middle
8 RC RDMA Write Last
9 RC RDMA Write Last Immediate
10 RC RDMA Write Only
11 RC RDMA Write Only Immediate
12 RC RDMA Read Request
13 RC RDMA Read Response First
14 RC RDMA Read Response Middle
15 RC RDMA Read Response Last
16 RC RDMA Read Response Only
17 RC Acknowledge
18 RC Atomic Acknowledge
19 RC Compare Swap
20 RC Fetch Add
22 RC Send Last Invalidate
23 RC Send Only Invalidate
32 UC Send First
33 UC Send Middle
34 UC Send Last
35 UC Send Last Immediate
36 UC Send Only
37 UC Send Only Immediate
38 UC RDMA Write First
39 UC RDMA Write Middle
40 UC RDMA Write Last
41 UC RDMA Write Last Immediate
42 UC RDMA Write Only
43 UC RDMA Write Only Immediate
100 UD Send Only
101 UD Send Only Immediate'

judge() { # FILE: no malformed packet, no expert warning of the InfiniBand dissector
	local malformed
	# Payloads are random; Wireshark takes some for RPC over RDMA and finds that malformed.
	malformed=$(tshark -r "$1" --disable-protocol rpcordma -Y '_ws.malformed || _ws.expert.severity >= 0x400000' 2>/dev/null |
		wc -l)
	[ "$malformed" = 0 ] || fail "$1: tshark finds $malformed malformed packets"
	python3 "$check_icrc" "$1" || fail "$1: wrong ICRC"
}

"$packet_test" "$tmp/all.pcap"
judge "$tmp/all.pcap"
/usr/bin/python3 -c 'import scapy.contrib.roce' || fail "this test needs scapy (Debian package python3-scapy)"
/usr/bin/python3 "$by_scapy" "$tmp/all.pcap" || fail "all.pcap: scapy computes another ICRC"
tshark -r "$tmp/all.pcap" -T fields -e infiniband.bth.opcode -e _ws.col.Info 2>/dev/null |
	sed -e 's/ *QP=.*//' -e 's/\t/ /' >"$tmp/named"
while read -r line; do
	grep -qx "$line" "$tmp/named" || fail "tshark does not say '$line'"
done <<<"$expected"

# With the script for Wireshark every packet but the link credit has a name.
if [ $# -gt 3 ]; then
	tshark -X "lua_script:$4" -r "$tmp/all.pcap" -T fields -e _ws.col.Info 2>"$tmp/err" >"$tmp/named"
	unknown=$(grep -c Unknown "$tmp/named" || true)
	[ "$unknown" = 1 ] || fail "$unknown packets have no name: $(cat "$tmp/err")"
	grep -q '^DC Masked Fetch Add QP=0x123456' "$tmp/named" || fail "the script names no DC packets"
fi

SOAK_OPS=3000 SEGUE_TEST_SEED=1 SOAK_PCAP="$tmp/soak.pcap" "$soak_test" \
	--gtest_filter='*RcClean:*DcClean' >/dev/null
judge "$tmp/soak.pcap"
echo PASS
