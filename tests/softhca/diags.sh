#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The tools of infiniband-diags, unmodified: what they read from sysfs, and the management datagrams they send.
. "$(dirname "$0")/lib.sh"
need ibstat infiniband-diags

# agree VERBS SYSFS WHAT: the port as verbs see it and as sysfs shows it.
agree() {
	local verbs=$1 sysfs=$2
	if [ -n "$verbs" ] && [ "$verbs" = "$sysfs" ]; then
		PASSED=$((PASSED + 1))
	else
		FAILED=$((FAILED + 1))
		echo "FAIL $3: \"$verbs\" by verbs, \"$sysfs\" by sysfs"
	fi
}

stat_test() {
	alone "ibstat $1" --devices 2 --ports 2 --link "$1" sh -c 'ibstat; ibstat -p'
	expect "ibstat $1" "CA 'mlx5_1'"
	expect "ibstat $1" "Port 2:"
	expect "ibstat $1" "State: Active"
	expect "ibstat $1" "Link layer: $2"
	expect "ibstat $1" "^0x0c42a1007f4d0...$"
	alone "ibv_devinfo $1" --link "$1" ibv_devinfo -v
	local verbs
	verbs=$(sed -n 's/.*port_cap_flags:[[:space:]]*//p' "$LOGS/out")
	alone "ibstat $1" --link "$1" ibstat mlx5_0 1
	agree "$verbs" "$(sed -n 's/.*Capability mask: //p' "$LOGS/out")" "capability mask"
}
stat_test ib InfiniBand
stat_test roce Ethernet
finish
