#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Two hosts: network namespaces joined by a veth pair, without shared files. Whole scripts run there, too, by hand:
#   TWO_HOSTS=1 NETEM="1 1 1" tests/softhca/perftest.sh roce poll
TWO_HOSTS=1
. "$(dirname "$0")/lib.sh"
need ibv_rc_pingpong ibverbs-utils
need rping rdmacm-utils
need ib_write_bw perftest
export SOFTHCA_STRICT=1 LIMIT=60

# cm_listens: waits for a listener, who is seen by the name of his socket.
cm_listens() {
	for _ in $(seq 300); do
		grep -q "softhca-cm/0106/7174" /proc/net/unix && return
		sleep 0.1
	done
	return 1
}

rping_pair() {
	"$SOFTHCA" rping -s -p 7174 -C 3 -a "$1" >"$LOGS/server" 2>&1 &
	local pid=$!
	cm_listens
	"${FAR[@]}" timeout "$LIMIT" "$SOFTHCA" rping -c -v -C 3 -p 7174 -a "$PEER"
	kill "$pid" 2>/dev/null
	wait "$pid"
	return 0
}

for link in ib roce; do
	export SOFTHCA_LINK=$link
	gid=() x=()
	[ "$link" = ib ] || gid=(-g 3) x=(-x 3)
	for kind in rc uc ud srq; do
		size=9000
		[ "$kind" != ud ] || size=1000
		args=(ibv_${kind}_pingpong "${gid[@]}" -p "$PORT" -s $size -n 50)
		pair "$link $kind" "${args[@]}" -- "${args[@]}" "$PEER"
	done
	for tool in "ib_write_bw -s 65536" "ib_read_lat -s 8" "ib_send_bw -c DC -s 4096" "ib_atomic_bw -c XRC"; do
		# shellcheck disable=SC2206 # several words
		args=($tool "${x[@]}" -p "$PORT" -d mlx5_0 -F -n 50)
		pair "$link $tool" "${args[@]}" -- "${args[@]}" "$PEER"
	done
	for address in 0.0.0.0 10.9.0.1; do
		good "$link rping -a $address" rping_pair "$address"
		expect "$link rping -a $address" "ping data: rdma-ping-2"
	done
done

# What the interface carries is the port's MTU; a larger one that is asked for goes in fragments.
for link in ib roce; do
	SOFTHCA_LINK=$link alone "$link MTU" ibv_devinfo
	expect "$link MTU" "active_mtu:.*1024"
	SOFTHCA_LINK=$link alone "$link MTU that is asked for" --mtu 4096 ibv_devinfo
	expect "$link MTU that is asked for" "active_mtu:.*4096"
done
export SOFTHCA_LINK=ib
args=(ib_write_bw -s 65536 -m 4096 -p "$PORT" -d mlx5_0 -F -n 50)
SOFTHCA_MTU=4096 pair "fragments" "${args[@]}" -- "${args[@]}" "$PEER"
SOFTHCA_HOST=10.9.0.77 good "an address of another machine" eval '! "$SOFTHCA" true'
expect "an address of another machine" 'SOFTHCA_HOST is "10.9.0.77", but it must be'
finish
