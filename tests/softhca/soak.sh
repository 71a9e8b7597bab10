#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# soak_verbs below each packet fault and all of them together, on both links.
# usage: soak.sh SOAK_VERBS [OPERATIONS]     (2 x OPERATIONS each; SEED in the environment)
set -u
. "$(dirname "$0")/lib.sh"
soak=$1 ops=${2:-10000}
seed=${SEED:-$RANDOM}
LIMIT=${LIMIT:-900}
echo "seed $seed"

plans=(
	"drop 1%"
	"duplicate 1%"
	"delay 1% 300us"
	"reorder 1% 5"
	"corrupt 1%"
	"drop 1%\nduplicate 1%\ndelay 1% 300us\nreorder 1% 5\ncorrupt 1%\nrnr 0.1%"
)
for mode in rc xrc dc; do
	for plan in "${plans[@]}"; do
		printf 'seed %s\n%b\n' "$seed" "$plan" >"$LOGS/plan"
		for link in ib roce; do
			alone "$mode, $link, ${plan//\\n/, }" --link $link --faults "$LOGS/plan" \
				"$soak" $mode "$ops" "$seed"
		done
	done
done
finish
