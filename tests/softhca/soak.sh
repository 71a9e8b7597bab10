#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# soak_verbs on every transport, below no fault, each packet fault alone at 1 %, and all of them together.
# usage: soak.sh SOAK_VERBS [OPERATIONS [MODE...]]     (2 x OPERATIONS each; SEGUE_TEST_SEED in the environment)
#
# As a test, links and doorbell modes take turns. By hand, ALL=1 runs each transport and fault on both links in both
# doorbell modes; LOAD=1 keeps two busy loops beside.
set -u
. "$(dirname "$0")/lib.sh"
soak=$1 ops=${2:-1000}
modes=("${@:3}")
[ ${#modes[@]} -gt 0 ] || modes=(rc srq xrc dc uc ud)
seed=$SEGUE_TEST_SEED
LIMIT=${LIMIT:-900}

plans=(
	""
	"drop 1%"
	"duplicate 1%"
	"delay 1% 300us"
	"reorder 1% 5"
	"corrupt 1%"
	"drop 1%\nduplicate 1%\ndelay 1% 300us\nreorder 1% 5\ncorrupt 1%\nrnr 0.1%"
)

# soak MODE PLAN LINK DOORBELL
soak() {
	local twice=once
	case $2 in *duplicate*) twice=twice ;; "") twice=all ;; esac
	printf 'seed %s\n%b\n' "$seed" "$2" >"$LOGS/plan"
	alone "$1, $3, $4, ${2//\\n/, }" --strict --link "$3" --doorbell "$4" --faults "$LOGS/plan" \
		"$soak" "$1" "$ops" "$seed" $twice
	[ -z "${VERBOSE:-}" ] || echo "$1, $3, $4, ${2//\\n/, }: $(tail -n 3 "$LOGS/out" | tr '\n' ' ')"
}

if [ -n "${LOAD:-}" ]; then
	for _ in 1 2; do while :; do :; done & done
fi
combinations=("ib poll" "roce trap" "roce poll" "ib trap")
turn=0
for mode in "${modes[@]}"; do
	for plan in "${plans[@]}"; do
		if [ -n "${ALL:-}" ]; then
			for c in "${combinations[@]}"; do soak "$mode" "$plan" $c; done
		else
			soak "$mode" "$plan" ${combinations[$((turn++ % 4))]}
		fi
	done
done
finish
