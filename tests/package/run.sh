#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# `segue run` of an installation that was moved, on an unmodified program below softhca.
# usage: run.sh INSTALLER
. "$(dirname "$0")/../softhca/lib.sh"
installer=$(realpath -s "$1")
SOFTHCA=$(realpath "$SOFTHCA")
need ibv_rc_pingpong ibverbs-utils
export SOFTHCA_STRICT=1
prefix=$LOGS/moved

good "installing" "$installer" "$LOGS/installed"
good "moving" mv "$LOGS/installed" "$prefix"
UNDER=("$prefix/bin/segue" run --report)
alone "what is loaded" grep libsegue_run /proc/self/maps
expect "what is loaded" "$prefix/"

pair "ibv_rc_pingpong" ibv_rc_pingpong -p "$PORT" -n 100 -- ibv_rc_pingpong -p "$PORT" -n 100 "$PEER"
for side in server client; do
	good "$side: its words" grep "100 iters in" "$LOGS/$side"
	good "$side: what was taken" grep "segue run: 1 queue pair taken" "$LOGS/$side"
	good "$side: what was posted" grep "segue run: 100 calls that post sends" "$LOGS/$side"
done
finish
