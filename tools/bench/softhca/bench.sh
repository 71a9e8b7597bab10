#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# softhca's own cost, beside what is promised for a machine of two processors with nothing else to do: round trips
# between two processes that both spin, round trips with events, and messages of one process. Says best and median of RUNS.
# usage: bench.sh SOFTHCA MESSAGE_RATE [RUNS]
set -u
# The launcher goes to the folder that `bazel run` was called in; these are named from here.
softhca=$(realpath "$1") message_rate=$(realpath "$2") runs=${3:-5}
export SOFTHCA_DOORBELL=poll
iterations=2000
port=$((20000 + $$ % 20000))
command -v ibv_rc_pingpong >/dev/null || { echo "ibv_rc_pingpong is missing: apt-get install ibverbs-utils"; exit 1; }

# The port is held only while the server listens for its client.
listening() {
	grep -q "$(printf ':%04X .* 0A ' "$1")" /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

round_trip() {
	local server i
	port=$((port + 1))
	timeout 60 "$softhca" ibv_rc_pingpong -p $port -n $iterations "$@" >/dev/null 2>&1 &
	server=$!
	for i in $(seq 200); do
		listening $port && break
		sleep 0.02
	done
	timeout 60 "$softhca" ibv_rc_pingpong -p $port -n $iterations "$@" 127.0.0.1 2>&1 |
		sed -n 's/.* \([0-9.]*\) usec\/iter/\1/p'
	wait $server
}

# summary NAME TARGET UNIT up|down VALUES...: "down" if less is better.
summary() {
	local name=$1 target=$2 unit=$3 way=$4 order=-n
	shift 4
	[ "$way" = up ] && order=-nr
	printf '%s\n' "$@" | sort $order | awk -v name="$name" -v target="$target" -v unit="$unit" -v way="$way" '
		NF { v[++n] = $1 }
		END {
			if (!n) { printf "%-44s failed\n", name; exit 1 }
			m = v[int((n + 1) / 2)]
			ok = way == "up" ? m >= target : m <= target
			printf "%-44s best %8.0f  median %8.0f %s  target %s %d: %s\n", name, v[1], m, unit,
				way == "up" ? "at least" : "at most", target, ok ? "met" : "missed"
		}'
}

poll=() event=() rate=()
for _ in $(seq "$runs"); do
	poll+=("$(round_trip)")
	event+=("$(round_trip -e)")
	rate+=("$("$softhca" "$message_rate" 1 | cut -d' ' -f1)")
done
echo "$(nproc) processors; load now $(cut -d' ' -f1 /proc/loadavg)"
summary "ibv_rc_pingpong, both sides spin" 200 us down "${poll[@]}"
summary "ibv_rc_pingpong -e" 60 us down "${event[@]}"
summary "8-byte RDMA WRITEs, batches of 16" 500000 /s up "${rate[@]}"
