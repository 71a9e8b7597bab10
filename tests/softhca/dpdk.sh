#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# DPDK's testpmd over its mlx5 driver: dpdk.sh DOORBELL [DEVARGS...]. One testpmd reads frames from a capture and sends them
# through a RoCE port, another one receives them and writes a capture; both captures must hold the same. Once for each DEVARGS
# ("-": none). The driver's log says which form of compressed completions it asked for, and the receiver's ring holds some, unless
# the arguments switch them off. testpmd sets up the network interfaces it finds, so all of this runs in network and mount namespaces of its own;
# where those cannot be made the test is skipped.
here=$(dirname "$(realpath -s "$0")")
. "$here/lib.sh"
. "$here/../tools/unpacked_packages.sh"
command -v dpdk-testpmd >/dev/null || use_unpacked
drivers=(/usr/lib/*/dpdk/pmds-*)
options=()
if [[ "$(command -v dpdk-testpmd)" == "$UNPACKED"/* ]]; then # which looks for them there
	drivers=("$UNPACKED_LIB"/dpdk/pmds-*)
fi
if [ -z "$SOFTHCA_DPDK_NAMESPACE" ]; then
	need dpdk-testpmd dpdk-dev
	[ -e "${drivers[0]}/librte_net_mlx5.so" ] || absent librte_net_mlx5.so librte-net-mlx5-23
	# The caller's sysfs shows the caller's interfaces.
	for flags in -rmn -mn; do # in a chroot nobody gets a user namespace, but root needs none
		unshare "$flags" sh -c 'mount -t sysfs sysfs /sys && ip link add v0 type veth peer name v1' 2>/dev/null || continue
		rm -rf "$LOGS"
		SOFTHCA_DPDK_NAMESPACE=$(readlink /proc/self/ns/net) exec unshare "$flags" "$0" "$@"
	done
	echo "SKIPPED: no network namespace with a veth interface can be made here"
	exit 0
fi
if [ "$(readlink /proc/self/ns/net)" = "$SOFTHCA_DPDK_NAMESPACE" ]; then
	echo "FAIL this is not a network namespace of its own"
	exit 1
fi
mount -t sysfs sysfs /sys
[[ "${drivers[0]}" != "$UNPACKED"/* ]] || options=(-d "$(unpacked_drivers)")
ip link set lo up
ip link add v0 type veth peer name v1
ip addr add 10.9.0.1/24 dev v0
ip link set v0 up
ip link set v1 up

export SOFTHCA_LINK=roce SOFTHCA_DOORBELL=${1:-poll} SOFTHCA_REPORT=$LOGS/findings
shift
seed=$SEGUE_TEST_SEED
count=${COUNT:-3000}
python3 "$here/dpdk_frames.py" make "$LOGS/in.pcap" "$count" "$seed"

# testpmd NAME DEVARGS VDEV: starts one whose commands go to fd $COMMANDS; its process is $TESTPMD.
testpmd() {
	rm -f "$LOGS/$1.fifo"
	mkfifo "$LOGS/$1.fifo"
	XDG_RUNTIME_DIR=$LOGS "$SOFTHCA" stdbuf -oL dpdk-testpmd "${options[@]}" --lcores "(0-1)@(0-$(($(nproc --all) - 1)))" \
		--no-huge --no-shconf --no-telemetry -m 128 --log-level=pmd.net.mlx5:debug -a "0000:03:00.0$2" --vdev "net_pcap0,$3" -- -i --no-flush-rx --total-num-mbufs=4096 \
		<"$LOGS/$1.fifo" >"$LOGS/$1" 2>&1 &
	TESTPMD=$!
	exec {COMMANDS}>"$LOGS/$1.fifo"
}

# until_says FILE PATTERN PID: waits for a line, as long as the process runs.
until_says() {
	for _ in $(seq 1200); do
		grep -q "$2" "$1" && return 0
		kill -0 "$3" 2>/dev/null || return 1
		sleep 0.1
	done
	return 1
}

# ends NAME COMMANDS_FD PID: lets testpmd end; it must exit 0.
ends() {
	local fd=$2
	{ echo stop; echo quit; } >&"$fd"
	exec {fd}>&-
	wait "$3" && return
	echo "FAIL $1: exit $?"
	tail -n 15 "$LOGS/$1" | sed "s/^/  $1: /"
	return 1
}

# compressed DEVARGS: the receiver has read compressed completions, of the form that was asked for; or none if they are switched off.
compressed() {
	local form=0

	[[ $1 != *rxq_cqe_comp_en=* ]] || form=${1##*rxq_cqe_comp_en=}
	if [ "$form" = 0 ] && [[ $1 == *rxq_cqe_comp_en=* ]]; then
		! python3 "$here/compressed_rings.py" "$LOGS/rings"
		return
	fi
	# Queues that are made by verbs are not in the log.
	if [[ $1 != *dv_flow_en=0* ]] && ! grep -q "Rx CQE compression is enabled, format $form" "$LOGS/receiver"; then
		echo "FAIL the driver's log does not say \"Rx CQE compression is enabled, format $form\""
		grep -i "cqe compression" "$LOGS/receiver"
		return 1
	fi
	python3 "$here/compressed_rings.py" "$LOGS/rings"
}

# marks DEVARGS: where completions keep flow tags the receiver marks frames with two of them, and says the mark of each frame.
marks() {
	[[ $1 == *rxq_cqe_comp_en=2 ]] || return 0
	printf 'flow create 0 ingress pattern eth type is 0x%x / end actions mark id %d / queue index 0 / end\n' 0x0800 "$((0x123456))" 0x88b5 "$((0xabcdef))"
	echo set verbose 1
}

# marked DEVARGS: every frame of the two kinds has come with the mark of its kind, and no other frame with one.
marked() {
	[[ $1 == *rxq_cqe_comp_en=2 ]] || return 0
	awk -v count="$count" '
		match($0, /type=0x[0-9a-f]+ - length/) {
			type = substr($0, RSTART + 5, 6)
			mark = match($0, /FDIR matched ID=0x[0-9a-f]+/) ? substr($0, RSTART + 16, RLENGTH - 16) : "none"
			want = type == "0x0800" ? "0x123456" : type == "0x88b5" ? "0xabcdef" : "none"
			seen[type]++
			if (mark != want && !bad++)
				print "FAIL mark " mark ", expected " want ": " $0
		}
		END { exit bad || seen["0x0800"] < count / 5 || seen["0x88b5"] < count / 5 }' "$LOGS/receiver"
}

# forward DEVARGS: the frames from one testpmd to another.
forward() {
	local bad=0 receiver to_receiver
	rm -f "$LOGS/out.pcap"
	rm -rf "$LOGS/rings"
	mkdir "$LOGS/rings"
	SOFTHCA_DUMP=$LOGS/rings testpmd receiver "$1" "tx_pcap=$LOGS/out.pcap"
	receiver=$TESTPMD to_receiver=$COMMANDS
	{ marks "$1"; echo start; } >&"$to_receiver"
	until_says "$LOGS/receiver" "io packet forwarding" "$receiver" || bad=1
	testpmd sender "$1" "rx_pcap=$LOGS/in.pcap"
	# Frames wait for a full ring instead of being dropped.
	{ echo set fwd io retry; echo set burst tx delay 100 retry 65535; echo start; } >&"$COMMANDS"
	for _ in $(seq 600); do
		[ "$bad" = 0 ] || break
		echo show port stats all >&"$to_receiver"
		grep -q "TX-packets: $count " "$LOGS/receiver" && break
		kill -0 "$TESTPMD" 2>/dev/null || break
		kill -0 "$receiver" 2>/dev/null || break
		sleep 0.2
	done
	ends sender "$COMMANDS" "$TESTPMD" || bad=1
	ends receiver "$to_receiver" "$receiver" || bad=1
	python3 "$here/dpdk_frames.py" same "$LOGS/in.pcap" "$LOGS/out.pcap" || bad=1
	compressed "$1" || bad=1
	marked "$1" || bad=1
	if [ -s "$SOFTHCA_REPORT" ]; then
		bad=1
		head -n 3 "$SOFTHCA_REPORT" | cut -c1-300
		rm -f "$SOFTHCA_REPORT"
	fi
	return "$bad"
}

for devargs in "${@:--}"; do
	if forward "${devargs#-}"; then
		PASSED=$((PASSED + 1))
	else
		FAILED=$((FAILED + 1))
		echo "FAIL dpdk-testpmd with the device arguments \"$devargs\""
	fi
done
finish
