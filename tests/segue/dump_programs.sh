#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Some programs whose rings dumps.sh reads in its short version: libmlx5's verbs, and UCX's own transports.
. "$(dirname "$0")/../softhca/lib.sh"
export SOFTHCA_LINK=ib SOFTHCA_DOORBELL=poll UCX_NET_DEVICES=mlx5_0:1 UCX_LOG_LEVEL=warn UCX_WARN_UNUSED_ENV_VARS=n
need ibv_rc_pingpong ibverbs-utils
need ucx_perftest ucx-utils
for kind in rc uc ud srq xsrq; do
	pair "$kind" "ibv_${kind}_pingpong" -p "$PORT" -s 1000 -n 50 -- "ibv_${kind}_pingpong" -p "$PORT" -s 1000 -n 50 127.0.0.1
	next_port
done
for transport in rc_x dc_x ud_x; do
	UCX_TLS=$transport,self pair "$transport" ucx_perftest -p "$PORT" -- ucx_perftest -p "$PORT" 127.0.0.1 -w 5 -t tag_bw -n 100 -s 1000
	next_port
done
finish
