#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The uverbs front as programs see it: devices, ports, options, errnos, events from a fault plan.
. "$(dirname "$0")/lib.sh"
own_network "$0" "$@"
need ibv_devinfo ibverbs-utils
client=${FRONT_CLIENT:-$(dirname "$0")/front_client}
devx=${DEVX_CLIENT:-$(dirname "$0")/devx_client}

alone "three devices" --devices 3 ibv_devices
expect "three devices" mlx5_2
alone "two ports, both link layers" --ports 2 --link ib,roce ibv_devinfo -v
expect "two ports" "port:.*2"
expect "InfiniBand port" "link_layer:.*InfiniBand"
expect "Ethernet port" "link_layer:.*Ethernet"
expect "IPv4 GID" "::ffff:127\.77\."
alone "no device" --devices 0 ibv_devices

# A newer rdma-core, where somebody has built one; RDMA_CORE=FOLDER says where its libraries are. versions.sh tries those of other distributions.
for folder in ${RDMA_CORE:-/usr/local/lib /usr/local/lib/*-linux-gnu /usr/local/lib64 /opt/rdma-core/lib}; do
	[ -e "$folder/libmlx5.so.1" ] || continue
	LD_LIBRARY_PATH=$folder alone "the rdma-core in $folder" ibv_devinfo -v
	expect "the rdma-core in $folder" PORT_ACTIVE
done

for doorbell in poll trap; do
	for link in ib roce; do
		alone "front_client $doorbell $link" --doorbell "$doorbell" --link "$link" "$client"
	done
	alone "devx_client $doorbell" --doorbell "$doorbell" --strict "$devx"
	alone "front_client $doorbell cqe_version 0" --doorbell "$doorbell" --caps cqe_version=0 "$client"
	alone "front_client $doorbell bf 0" --doorbell "$doorbell" --caps bf=0 "$client"
done

# Capabilities as asked for.
alone "capabilities" --caps max_qp=17,max_cqe=1023 ibv_devinfo -v
expect "max_qp" "max_qp:.*17"
expect "max_cqe" "max_cqe:.*1023"

# ibv_asyncwatch never ends by itself.
plan=$LOGS/plan
cat >"$plan" <<'PLAN'
at 200ms port-down port=1
at 400ms port-up port=1
at 600ms device-fatal
PLAN
"$SOFTHCA" --faults "$plan" stdbuf -oL ibv_asyncwatch >"$LOGS/out" 2>&1 &
watch=$!
for _ in $(seq 300); do
	grep -q IBV_EVENT_DEVICE_FATAL "$LOGS/out" && break
	sleep 0.1
done
kill "$watch"
expect "port down" "IBV_EVENT_PORT_ERR.*port 1"
expect "port up" "IBV_EVENT_PORT_ACTIVE.*port 1"
expect "device fatal" IBV_EVENT_DEVICE_FATAL

# A command that is to fail, with the errno it is to fail with.
echo "command create_cq ENOMEM" >"$plan"
if "$SOFTHCA" --faults "$plan" ibv_rc_pingpong >"$LOGS/out" 2>&1; then
	echo "FAIL: create_cq did not fail"
	FAILED=$((FAILED + 1))
fi
expect "create_cq fails" "Couldn't create CQ"

# Wrong options are refused in a sentence, whatever the program does with the device.
refused() {
	local name=$1 text=$2
	shift 2
	"$SOFTHCA" "$@" echo ran >"$LOGS/out" 2>&1 && echo "exit 0" >"$LOGS/out"
	expect "$name" "$text"
	grep -q ran "$LOGS/out" && { echo "FAIL $name: the program was started"; FAILED=$((FAILED + 1)); }
}
refused "wrong link" "must be ib, roce" --link token-ring
refused "wrong capability" "is not a capability" --caps max_qps=1
refused "too many devices" "a number from 0 to 8" --devices 9
refused "wrong MTU" "must be 256, 512" --mtu 1000
refused "MTU with a unit" "must be a number" --mtu 1024B
refused "no fault plan" "Cannot open the fault plan" --faults /nonexistent
"$SOFTHCA" --no-such-option ibv_devices >"$LOGS/out" 2>&1
expect "wrong option" "usage: softhca"

# Debian's ldconfig is a static program.
alone "static program" /sbin/ldconfig --version
expect "static program" "statically linked"

# gcc's sanitizers want to be the first libraries, and their programs to be started like any other.
cat >"$LOGS/sanitized.c" <<'PROGRAM'
#include <infiniband/verbs.h>
#include <stdio.h>

int main(void)
{
	struct ibv_device **all = ibv_get_device_list(NULL);

	puts(all && all[0] ? ibv_get_device_name(all[0]) : "none");
	ibv_free_device_list(all);
	return 0;
}
PROGRAM
for sanitizer in address thread; do
	gcc -fsanitize=$sanitizer "$LOGS/sanitized.c" -o "$LOGS/sanitized" -libverbs
	# gcc 12's thread sanitizer does not start where addresses are spread widely.
	setarch -R "$SOFTHCA" "$LOGS/sanitized" >"$LOGS/out" 2>&1
	expect "gcc -fsanitize=$sanitizer" "^mlx5_0$"
done

# Killed processes leave nothing that keeps the next one from their address, which is the lowest that is free in a network of our own.
# lid NAME LID: the one that the next process gets.
lid() {
	alone "$1" --net "front$$" ibv_devinfo -v
	expect "$1 has LID $2" "port_lid:[[:space:]]*$2$"
}
lid "the first" 1
for n in 1 2 3; do
	"$SOFTHCA" --net "front$$" ibv_rc_pingpong -p "$PORT" >"$LOGS/pingpong" 2>&1 &
	listening "$PORT" $!
	lid "one beside another, $n" 2
	kill -KILL $!
	wait $! 2>/dev/null
	next_port
done
lid "one after those that were killed" 1
finish
