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
# Management datagrams to the own port and to the device that answers for the subnet administrator.
subnet_test() {
	export SOFTHCA_LINK=ib
	alone "ibaddr" ibaddr
	alone "smpquery nodeinfo" --ports 2 smpquery nodeinfo -D 0
	expect "smpquery nodeinfo" "NumPorts:.*2$"
	alone "smpquery nodedesc" --ports 2 smpquery nodedesc -D 0
	expect "smpquery nodedesc" "softhca mlx5_0"
	alone "smpquery portinfo" smpquery portinfo -D 0
	expect "smpquery portinfo" "LinkSpeedExtActive:.*25.78125"
	alone "smpquery pkeys" smpquery pkeys -D 0
	expect "smpquery pkeys" "0xffff"
	alone "smpquery guids" smpquery guidinfo -D 0
	expect "smpquery guids" "0x0c42a1007f4d"
	alone "saquery" saquery
	expect "saquery" "NodeDescription.*softhca mlx5_0"
	alone "saquery ports" saquery PIR
	alone "saquery path" saquery -p
	expect "saquery path" "pkey.*0xFFFF"
	# What has no answer ends: with a status, or in time.
	alone "saquery groups" sh -c '! saquery -g'
	expect "saquery groups" "Attribute combination is not supported"
	alone "no neighbour" sh -c '! smpquery -t 100 nodeinfo -D 0,1'
	alone "nobody there" sh -c '! perfquery -t 100 4000 1'
	unset SOFTHCA_LINK
	alone "no subnet on Ethernet" --link roce sh -c '! smpquery nodeinfo -D 0'
}

# Between two hosts; the server's LID stands in its device tree.
remote_test() {
	local dir=$SOFTHCA_DIR-server lid i pid
	SOFTHCA_DIR=$dir "$SOFTHCA" --link ib ibping -S >"$LOGS/server" 2>&1 &
	pid=$!
	for i in $(seq 600); do
		lid=$(cat "$dir"/*/class/infiniband/mlx5_0/ports/1/lid 2>/dev/null) && [ -n "$lid" ] && break
		sleep 0.1
	done
	# The tree is there a moment before the server listens.
	for i in $(seq 30); do
		timeout 20 "$SOFTHCA" --link ib ibping -c 1 $((lid)) >"$LOGS/out" 2>&1
		grep -q " 0% packet loss" "$LOGS/out" && break
	done
	alone "ibping" --link ib ibping -c 2 $((lid))
	expect "ibping" " 0% packet loss"
	alone "smpquery by LID" --link ib smpquery nodeinfo $((lid))
	expect "smpquery by LID" "Channel Adapter"
	alone "perfquery by LID" --link ib perfquery $((lid)) 1
	expect "perfquery by LID" "PortRcvPkts:.*[1-9]"
	alone "reset" --link ib perfquery -x -R $((lid)) 1
	alone "perfquery after reset" --link ib perfquery -x $((lid)) 1
	expect "perfquery after reset" "PortUnicastRcvPkts:.*[.]\([1-9]\|1[0-9]\)$"
	alone "saquery to it" --link ib saquery -p --dlid $((lid))
	expect "saquery to it" "dlid.*[.]$((lid))$"
	kill "$pid"
	wait "$pid" 2>/dev/null
	rm -rf "$dir"
}

stat_test ib InfiniBand
stat_test roce Ethernet
subnet_test
remote_test
finish
