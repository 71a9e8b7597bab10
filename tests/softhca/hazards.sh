#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What a card does not forgive: what is said of it, and what becomes of it.
. "$(dirname "$0")/lib.sh"
client=$(dirname "$0")/hazard_client

# found RULE NAME OPTIONS...: hazard_client NAME is told of that rule in the report, and under --strict it is the end of it.
found() {
	local rule=$1 name=$2
	shift 2
	rm -f "$LOGS/report"
	alone "$name $*" "$@" --report "$LOGS/report" "$client" "$name"
	told=$(grep -c "\"rule\":\"$rule\"" "$LOGS/report" 2>/dev/null)
	good "$name $*: one finding $rule, not ${told:-0}" test "${told:-0}" = 1
	SOFTHCA_STRICT=1 "$SOFTHCA" "$@" "$client" "$name" >"$LOGS/strict" 2>&1
	[ $? = 134 ] && PASSED=$((PASSED + 1)) || { FAILED=$((FAILED + 1)); echo "FAIL $name $* --strict goes on"; }
}

# silent NAME OPTIONS...: nothing is said of it.
silent() {
	alone "$1 ${*:2} --strict" "${@:2}" --strict "$client" "$1"
}

# What the kernel asks for, and only where it is wanted.
unprivileged=(setpriv --inh-caps=-ipc_lock,-net_raw --bounding-set=-ipc_lock,-net_raw)
if [ "$(id -u)" = 0 ]; then
	export SOFTHCA_LINK=roce
	for caps in privileges=0 privileges=1; do
		good "$caps" "${unprivileged[@]}" "$SOFTHCA" --caps $caps "$client" privileges
		case $caps in *0) first=taken second=taken ;; *) first="Cannot allocate memory" second="Operation not permitted" ;; esac
		expect "$caps, memory" "one byte too many: $first"
		expect "$caps, raw packets" "raw packets: $second"
	done
	alone "with privileges" --caps privileges=1 "$client" privileges
	expect "with privileges" "one byte too many: taken"
	unset SOFTHCA_LINK
fi

for doorbell in poll trap; do
	# Without --strict and --gather late nothing is compared, and the old bytes arrive.
	alone "changed $doorbell" --doorbell "$doorbell" "$client" changed
	good "changed $doorbell arrives as it was posted" test "$(sort -u "$LOGS/out")" = "arrived old"
	for name in changed changed-unsignaled read-target; do
		found buffer-changed "$name" --gather late --doorbell "$doorbell"
		SOFTHCA_STRICT=1 "$SOFTHCA" --doorbell "$doorbell" "$client" "$name" >"$LOGS/out" 2>&1
		expect "$name $doorbell under --strict" "was changed before its completion"
	done
	alone "changed $doorbell late" --gather late --doorbell "$doorbell" "$client" changed
	expect "changed $doorbell late: the new bytes arrive" "arrived new"
	for gather in late early; do
		for name in in-time inlined device; do
			silent "$name" --gather "$gather" --doorbell "$doorbell"
		done
	done
	alone "destroyed $doorbell" --doorbell "$doorbell" "$client" destroyed
	expect "destroyed $doorbell" "arrived old"
	# The device is slower than this program may be on a busy machine.
	alone "destroyed $doorbell late" --gather late --latency 1000000 --doorbell "$doorbell" "$client" destroyed
	expect "destroyed $doorbell late: it is lost" "arrived new"
	alone "timed $doorbell" --doorbell "$doorbell" "$client" timed
	for jitter in "" ,20000; do
		alone "timed $doorbell $jitter" --latency "50000$jitter" --seed 7 --doorbell "$doorbell" --strict "$client" timed
		expect "timed $doorbell $jitter" "first late"
		expect "timed $doorbell $jitter" "all late"
	done
	# A registration keeps the pages that it was made of.
	for name in unmapped replaced discarded half-gone moved; do
		found registration-stale "$name" --doorbell "$doorbell"
		alone "$name $doorbell" --doorbell "$doorbell" "$client" "$name"
		case $name in moved) what="arrived new" ;; *) what="arrived old" ;; esac
		good "$name $doorbell: $what" test "$(sort -u "$LOGS/out" | grep -v ^softhca | grep ^arrived)" = "$what"
	done
	silent in-order --doorbell "$doorbell"
done
finish
