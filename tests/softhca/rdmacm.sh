#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The RDMA connection manager with the distribution's programs and our own: rdmacm.sh short|matrix|programs. The last one
# needs no others.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")
client=${RDMACM_CLIENT:-$here/rdmacm_client}
hostile=${RDMACM_HOSTILE:-$here/rdmacm_hostile}
need rping rdmacm-utils
if [ "${1:-}" != programs ]; then
	need ib_send_bw perftest
	need tshark tshark
fi

# announced SPACE PORT: the hosts that listen there, one a line. A listener binds a name that the kernel lists. A host that has only bound the port does so, too.
announced() {
	sed -nE "s:.*@softhca-cm/$1/$2/([0-9.]*)/(any|only)\$:\1:p" /proc/net/unix | sort
}

# wait_announced SPACE PORT PID OLD: waits until somebody beside OLD listens, sets HOST to him.
wait_announced() {
	local i
	HOST=
	for i in $(seq 600); do
		HOST=$(comm -13 <(echo "$4") <(announced "$1" "$2") | head -n 1)
		[ -z "$HOST" ] || return
		kill -0 "$3" 2>/dev/null || return
		sleep 0.1
	done
}

# cm_pair NAME SPACE PORT SERVER... -- CLIENT...: the client must exit 0, and so must the server unless SERVER_MAY is set
# (some never end, some fall over their own threads when they do) or the client has said the line CLIENT_MAY. @HOST@ in CLIENT becomes the server's address.
cm_pair() {
	local name="$SOFTHCA_LINK $SOFTHCA_DOORBELL $1" space=$2 port=$3 server=() client=() status_c status_s=0 old pid
	shift 3
	while [ "$1" != -- ]; do server+=("$1"); shift; done
	shift
	old=$(announced "$space" "$port")
	timeout "${LIMIT:-100}" "$SOFTHCA" "${server[@]}" >"$LOGS/server" 2>&1 &
	pid=$!
	wait_announced "$space" "$port" "$pid" "$old"
	client=("${@//@HOST@/$HOST}")
	timeout "${LIMIT:-100}" "$SOFTHCA" "${client[@]}" >"$LOGS/out" 2>&1
	status_c=$?
	if [ -n "$CLIENT_MAY" ] && grep -q "^$CLIENT_MAY$" "$LOGS/out"; then
		status_c=0
	fi
	if [ "$status_c" != 0 ] || [ -n "$SERVER_MAY" ]; then
		sleep 0.2
		kill "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	else
		wait "$pid"
		status_s=$?
	fi
	if [ "$status_c" = 0 ] && [ "$status_s" = 0 ]; then
		PASSED=$((PASSED + 1))
		[ -z "$VERBOSE" ] || echo "ok   $name"
	else
		FAILED=$((FAILED + 1))
		echo "FAIL $name: server exit $status_s, client exit $status_c"
		sed 's/^/  server: /' "$LOGS/server" | tail -n 8
		sed 's/^/  client: /' "$LOGS/out" | tail -n 8
	fi
}

next_port() {
	PORT=$((PORT + 1))
}

# combination LINK DOORBELL
combination() {
	export SOFTHCA_LINK=$1 SOFTHCA_DOORBELL=$2
}

TCP=0106 UDP=0111 IB=013f

own_client() {
	LIMIT=200 alone "$SOFTHCA_LINK $SOFTHCA_DOORBELL rdmacm_client $*" "$client" "$@"
}

# rping may fall over its own thread at the end: its data lines say whether it worked. The client closes its channel while
# that thread may be on the way back to it for another event; the next write() to a closed file is EBADF on any machine.
rping_pair() {
	SERVER_MAY=1 CLIENT_MAY="rdma_get_cm_event: Bad file descriptor" cm_pair "rping $*" $TCP $PORT rping -s -v -C 3 -p $PORT -- rping -c -v -C 3 -p $PORT "$@"
	expect "rping data" "ping data: rdma-ping-2: CDEF"
	next_port
}

programs() {
	rping_pair -a 127.0.0.1
	rping_pair -a @HOST@
	cm_pair ucmatose $TCP $PORT ucmatose -p $PORT -- ucmatose -p $PORT -s 127.0.0.1
	next_port
	cm_pair rdma_client $TCP $PORT rdma_server -p $PORT -- rdma_client -p $PORT -s 127.0.0.1
	next_port
	cm_pair udaddy $UDP 7174 udaddy -- udaddy -s @HOST@
	cm_pair rstream $TCP $PORT rstream -p $PORT -S 4096 -C 50 -- rstream -p $PORT -s 127.0.0.1 -S 4096 -C 50
	next_port
	cm_pair "rdma_xclient" $IB $PORT rdma_xserver -p $PORT -c x -- rdma_xclient -p $PORT -s 127.0.0.1 -c x
	next_port
}

more_programs() {
	SERVER_MAY=1 cm_pair cmtime $TCP $PORT cmtime -p $PORT -c 50 -- cmtime -p $PORT -s 127.0.0.1 -c 50
	next_port
	cm_pair riostream $TCP $PORT riostream -p $PORT -S 4096 -C 50 -- riostream -p $PORT -s 127.0.0.1 -S 4096 -C 50
	next_port
	cm_pair "rdma_xclient -c r" $TCP $PORT rdma_xserver -p $PORT -c r -- rdma_xclient -p $PORT -s 127.0.0.1 -c r
	next_port
}

# perftest TOOL ARGS...
perftest() {
	cm_pair "$* -R" $TCP $PORT "$@" -R -F -p $PORT -n 50 -- "$@" -R -F -p $PORT -n 50 127.0.0.1
	next_port
}

multicast() {
	local group=224.$((RANDOM % 100 + 1)).$((RANDOM % 250)).77 pid i
	timeout 100 "$SOFTHCA" stdbuf -oL mckey -m $group -C 5 >"$LOGS/server" 2>&1 &
	pid=$!
	for i in $(seq 600); do
		grep -q receiving "$LOGS/server" && break
		sleep 0.1
	done
	alone "$SOFTHCA_LINK $SOFTHCA_DOORBELL mckey" mckey -m $group -s -C 5
	if wait $pid; then
		PASSED=$((PASSED + 1))
	else
		FAILED=$((FAILED + 1))
		echo "FAIL mckey receives"
		tail -n 4 "$LOGS/server"
	fi
}

# An ordinary socket program, on rsockets by librdmacm's own preload library: a file through netcat.
sockets() {
	local library
	library=$(ls /usr/lib/*/rsocket/librspreload.so.1 2>/dev/null | head -n 1)
	[ -n "$library" ] || absent librspreload.so.1 librdmacm1
	need nc.traditional netcat-traditional
	head -c 300000 /dev/urandom >"$LOGS/file"
	cm_pair "rsockets" $TCP $PORT \
		sh -c "LD_PRELOAD=$library:\$LD_PRELOAD exec nc.traditional -l -p $PORT" -- \
		sh -c "LD_PRELOAD=$library:\$LD_PRELOAD exec nc.traditional -q 1 127.0.0.1 $PORT <$LOGS/file"
	if cmp "$LOGS/file" "$LOGS/server"; then
		PASSED=$((PASSED + 1))
	else
		FAILED=$((FAILED + 1))
		echo "FAIL $SOFTHCA_LINK $SOFTHCA_DOORBELL rsockets: what arrives is not what was sent"
	fi
	next_port
}

# Datagram rsockets take their addresses from the kernel's UDP, so these are not 127.0.0.1, which has no device. InfiniBand
# only: librdmacm makes address handles without a GRH, and libmlx5 refuses those on Ethernet.
datagram_sockets() {
	local address pid options
	address=$(hostname -I | tr ' ' '\n' | grep -m 1 '^[0-9.]*$')
	if [ -z "$address" ]; then
		echo "SKIPPED: datagram rsockets: this machine has no address but the loopback's"
		return
	fi
	timeout 100 "$SOFTHCA" udpong -b "$address" -p $PORT >"$LOGS/server" 2>&1 &
	pid=$!
	while kill -0 $pid && ! grep -q "$(printf ':%04X ' $PORT)" /proc/net/udp; do sleep 0.1; done
	for options in "-T e" "-T b" "-T a"; do
		# shellcheck disable=SC2086 # an option and its value
		alone "$SOFTHCA_LINK $SOFTHCA_DOORBELL udpong $options" udpong -s "$address" -p $PORT -C 20 -S 1000 $options
		expect "udpong $options: its transfers" "^custom *1000 *[24]0 "
	done
	kill $pid
	wait $pid
	next_port
}

# Messages that get lost, come twice, late or broken are sent again.
faults() {
	cat >"$LOGS/plan" <<-'PLAN'
		seed 7
		drop 15%
		duplicate 10%
		reorder 5% 2
		delay 5% 20ms
		corrupt 5%
	PLAN
	export SOFTHCA_FAULTS=$LOGS/plan
	own_client connect reject destroy unread backlog datagram close synchronous threads
	rping_pair -a 127.0.0.1
	unset SOFTHCA_FAULTS
}

# What tshark says about a capture of everything the client does.
capture() {
	local pcap=$LOGS/cm.pcap name
	SOFTHCA_PCAP=$pcap own_client connect reject destroy datagram nobody
	tshark -r "$pcap" -Y infiniband.mad >"$LOGS/out" 2>/dev/null
	for name in ConnectRequest ConnectReply ReadyToUse ConnectReject DisconnectRequest DisconnectReply; do
		expect "tshark: $name" "CM: $name"
	done
	if grep -q Malformed "$LOGS/out"; then
		FAILED=$((FAILED + 1))
		echo "FAIL tshark: $(grep -m 1 Malformed "$LOGS/out")"
	fi
	tshark -V -r "$pcap" -Y infiniband.mad >"$LOGS/out" 2>/dev/null
	expect "tshark: class" "Management Class: 0x07"
	expect "tshark: service" "IP CM"
	expect "tshark: SIDR_REQ" "Attribute ID: 0x0017"
	expect "tshark: SIDR_REP" "Attribute ID: 0x0018"
}

case ${1:-short} in
short)
	combination ib poll
	own_client
	programs
	datagram_sockets
	combination roce trap
	own_client
	rping_pair -a 127.0.0.1
	combination roce poll
	alone hostile "$hostile"
	capture
	faults
	perftest ib_send_bw
	sockets
	combination ib trap
	sockets
	datagram_sockets
	perftest ib_write_lat
	;;
matrix)
	for link in ib roce; do
		for doorbell in poll trap; do
			combination $link $doorbell
			own_client
			alone "$link $doorbell hostile" "$hostile"
			programs
			more_programs
			sockets
			[ $link = roce ] || datagram_sockets
			multicast
			for tool in ib_send_bw ib_send_lat ib_write_bw ib_write_lat ib_read_bw ib_read_lat ib_atomic_bw; do
				perftest $tool
			done
			perftest ib_send_bw -c UD
			perftest ib_write_bw -q 4
			capture
			faults
		done
	done
	;;
programs)
	for link in ib roce; do
		combination $link poll
		programs
	done
	;;
*)
	echo "usage: rdmacm.sh short|matrix|programs"
	exit 2
	;;
esac
finish
