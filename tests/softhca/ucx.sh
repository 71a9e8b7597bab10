#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# UCX of the distribution, with its own mlx5 transports: ucx.sh LINK DOORBELL [all]. Needs ucx-utils and libucx-dev. With UCX=PREFIX the UCX that is
# installed there runs instead; 1.14 and newer read compressed completions in the enhanced layout, older ones in the classic one.
here=$(dirname "$0")
. "$here/lib.sh"
export SOFTHCA_LINK=${1:-ib} SOFTHCA_DOORBELL=${2:-poll} SOFTHCA_REPORT=$LOGS/findings
export UCX_NET_DEVICES=mlx5_0:1 UCX_LOG_LEVEL=warn UCX_WARN_UNUSED_ENV_VARS=n
# Newer ones give a datagram peer up after 30 s, which a crowded machine spends on clearing memory.
export UCX_UD_TIMEOUT=5m
scope=${3:-some}

flags=()
if [ -n "${UCX:-}" ]; then
	export PATH=$UCX/bin:$PATH LD_LIBRARY_PATH=$UCX/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	flags=(-I "$UCX/include" -L "$UCX/lib")
fi
need ucx_perftest ucx-utils
[ -e "${UCX:-/usr}/include/ucp/api/ucp.h" ] || absent ucp/api/ucp.h libucx-dev
if ! ${CC:-cc} -std=c11 -O1 "${flags[@]}" "$here/clients/ucx_client.c" -lucp -lucs -o "$LOGS/client_of_ucp"; then
	echo "FAIL ucx_client.c does not compile"
	exit 1
fi

# clean NAME: what ran since the last call has broken no rule.
clean() {
	if [ -s "$SOFTHCA_REPORT" ]; then
		FAILED=$((FAILED + 1))
		echo "FAIL $1: findings"
		head -n 3 "$SOFTHCA_REPORT" | cut -c1-300
		rm -f "$SOFTHCA_REPORT"
	else
		PASSED=$((PASSED + 1))
	fi
}

# One that has been built with MPI (Debian 13's) takes it for its launcher where the input is no terminal.
no_mpi=()
! ucx_perftest -h 2>&1 | grep -q 'MPI mode' || no_mpi=(-P 0)

# perf NAME OPTIONS...: ucx_perftest against itself.
perf() {
	local name=$1
	shift
	pair "$name" ucx_perftest "${no_mpi[@]}" -p "$PORT" "${DEVICE[@]}" -- \
		ucx_perftest "${no_mpi[@]}" -p "$PORT" "${DEVICE[@]}" "$PEER" -w 5 "$@"
	clean "$name"
}

# UCX posts 4095 receives at once, over RC with tags of 48 KiB each, and the kernel's clearing of so much memory was most of what this test took.
# Its own number of them has its turn in the programs that look at every byte.
[ "$scope" = all ] || export UCX_RC_RX_QUEUE_LEN=512

# bytes OVER: a client of ours that looks at every byte.
bytes() {
	UCX_RC_RX_QUEUE_LEN=4095 alone "bytes over $1" "$LOGS/client_of_ucp"
	expect "bytes over $1" "every byte is right"
	clean "bytes over $1"
}

# Compressed completions of both directions. The name is UCX 1.13's, 1.14's, and that of 1.15 and newer.
zip=()
for transport in IB RC_MLX5 DC_MLX5; do
	zip+=("UCX_${transport}_CQE_ZIPPING_ENABLE=y" "UCX_${transport}_RX_CQE_ZIP_ENABLE=y" "UCX_${transport}_TX_CQE_ZIP_ENABLE=y")
done

# zipped OVER NAME=VALUE...: every byte with compressed completions, of which the rings still hold some.
zipped() {
	local name="bytes over $1, compressed ${*:2}"

	mkdir -p "$LOGS/rings"
	UCX_TLS=$1,self SOFTHCA_DUMP=$LOGS/rings alone "$name" env "${zip[@]}" "${@:2}" "$LOGS/client_of_ucp"
	expect "$name" "every byte is right"
	good "$name: blocks" python3 "$here/compressed_rings.py" "$LOGS/rings"
	[ -z "$VERBOSE" ] || cat "$LOGS/out"
	rm -r "$LOGS/rings"
	clean "$name"
}

alone "ucx_info" ucx_info -d
for transport in rc_mlx5 dc_mlx5 ud_mlx5 rc_verbs ud_verbs; do
	expect "ucx_info" "Transport: $transport"
done
clean "ucx_info"

# Which names of UCX stand for a transport and what it needs to connect.
some=(rc_x dc_x ud_x)
[ "$scope" = some ] || some+=(rc_v ud_v)
for tls in "${some[@]}"; do
	export UCX_TLS=$tls,self
	bytes "$tls"
	DEVICE=()
	perf "$tls tag_bw" -t tag_bw -n 100 -s 1000
	perf "$tls ucp_get" -t ucp_get -n 20 -s 5000
	perf "$tls ucp_fadd" -t ucp_fadd -n 20 -s 8
	[ "$scope" = all ] || continue
	for size in 8 2000 100000; do
		for t in tag_lat tag_bw tag_sync_lat stream_lat stream_bw ucp_put_lat ucp_put_bw ucp_get; do
			perf "$tls $t $size" -t "$t" -n 200 -s "$size"
		done
	done
	for t in ucp_add ucp_fadd ucp_swap ucp_cswap; do
		perf "$tls $t 4" -t "$t" -n 200 -s 4
		perf "$tls $t 8" -t "$t" -n 200 -s 8
	done
done
for tls in rc_x dc_x; do
	# 0 and 64 bytes of payload in a completion: these are entries of 64 and of 128 bytes.
	for inline in 0 64; do
		zipped "$tls" "UCX_IB_RX_INLINE=$inline" "UCX_IB_TX_INLINE_RESP=$inline"
		[ "$scope" = all ] || [ "$tls $inline" = "rc_x 64" ] || continue
		UCX_TLS=$tls,self UCX_IB_RX_INLINE=$inline UCX_IB_TX_INLINE_RESP=$inline bytes "$tls, inline $inline"
	done
done
# Streams of DC initiators, which UCX has from 1.18 on.
if [ -n "${UCX:-}" ] && ucx_info -c -f | grep -q hw_dcs; then
	for policy in hw_dcs dcs_hybrid; do
		UCX_TLS=dc_x,self UCX_DC_MLX5_TX_POLICY=$policy bytes "dc_x, $policy"
	done
fi
# Some rounds through the ring.
DEVICE=()
export "${zip[@]}"
UCX_TLS=rc_x,self perf "rc_x tag_bw, compressed" -t tag_bw -n "${MESSAGES:-20000}" -s 64
unset "${zip[@]%%=*}"
# Without DEVX, DC queues are made by verbs, and given an address without a destination.
UCX_TLS=dc_x,self UCX_IB_MLX5_DEVX=n bytes "dc_x without DEVX"
unset UCX_TLS

# Tags matched by the device. UCX 1.13 stops with an assertion about LIDs when it does so on RoCE.
if [ "$SOFTHCA_LINK" = ib ]; then
	export UCX_TLS=rc_x,self UCX_RC_MLX5_TM_ENABLE=y UCX_TM_FORCE_THRESH=0
	bytes "tags"
	UCX_LOG_LEVEL=debug alone "tags in the device" "$LOGS/client_of_ucp"
	expect "tags in the device" "Activate tag offload"
	sizes=(8 100000)
	[ "$scope" = some ] || sizes=(8 64 1000 4000 9000 65536 262144 1048576)
	# Newer ones write the header of a rendezvous into the receive's buffer, which ucx_perftest posts 32 times: data of one message overwrite
	# the header of the next, and it crashes. client_of_ucp has a buffer for each.
	window=()
	[ -z "${UCX:-}" ] || window=(-O 1)
	for size in "${sizes[@]}"; do
		perf "tags tag_lat $size" -t tag_lat -n 50 -s "$size"
		perf "tags tag_bw $size" -t tag_bw -n 50 -s "$size" "${window[@]}"
	done
	unset UCX_TLS UCX_RC_MLX5_TM_ENABLE UCX_TM_FORCE_THRESH
fi

# The transports themselves, without the protocols above them.
for tl in rc_mlx5 dc_mlx5 ud_mlx5; do
	DEVICE=(-d mlx5_0:1 -x "$tl")
	perf "uct $tl am_lat" -t am_lat -n 100 -s 8
	[ "$scope" = all ] || continue
	perf "uct $tl am_bw zcopy" -t am_bw -n 200 -s 2000 -D zcopy
	[ "$tl" != ud_mlx5 ] || continue
	perf "uct $tl get zcopy" -t get -n 200 -s 2000 -D zcopy
	for t in put_lat put_bw fadd swap cswap; do
		perf "uct $tl $t" -t "$t" -n 200 -s 8
	done
done
finish
