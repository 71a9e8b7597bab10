#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# How quick softhca is, beside what is promised for a machine of two processors with nothing else to do. Each figure is the
# median of RUNS runs of programs of the distribution, two processes each. With JSON, a file gets them all, run by run.
# usage: bench.sh SOFTHCA MESSAGE_RATE LINE_TRIP [RUNS [JSON]]
set -u
# The launcher goes to the folder that `bazel run` was called in; these are named from here.
softhca=$(realpath "$1") message_rate=$(realpath "$2") line_trip=$(realpath "$3") runs=${4:-10} json=${5:-}
export SOFTHCA_DOORBELL=${SOFTHCA_DOORBELL:-poll}
[[ $json = /* ]] || json=${json:+${BUILD_WORKING_DIRECTORY:-$PWD}/$json}
scratch=$(mktemp -d)
busy=()
trap 'rm -rf "$scratch"; [ ${#busy[@]} = 0 ] || kill "${busy[@]}"' EXIT
for program in ibv_rc_pingpong ib_write_bw ib_send_lat taskset; do
	command -v $program >/dev/null || { echo "$program is missing: apt-get install ibverbs-utils perftest util-linux"; exit 1; }
done

port=$((20000 + $$ % 20000))

# The port is held only while the server listens for its client.
listening() {
	grep -q "$(printf ':%04X .* 0A ' "$1")" /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# pair SED-SCRIPT PROGRAM ARGS...: server and client; the script makes the figure out of what the client says.
pair() {
	local figure=$1 server i
	shift
	port=$((port + 1))
	timeout 60 "$softhca" "$@" -p $port >/dev/null 2>&1 &
	server=$!
	for i in $(seq 200); do
		listening $port && break
		sleep 0.02
	done
	timeout 60 "$softhca" "$@" -p $port 127.0.0.1 2>/dev/null | awk "$figure"
	wait $server
}

per_iteration='/usec\/iter/ { print $(NF - 1) }'
round_trip() { pair "$per_iteration" ibv_rc_pingpong -n 2000 "$@"; }
# Half a round trip's 99th percentile, doubled.
percentile() { pair '$1 == 2 { print 2 * $8 }' ib_send_lat -s 2 -n 5000; }
gigabytes() { pair '$1 == 65536 { print $4 / 8 }' ib_write_bw -s 65536 -n 10000 --report_gbits -F; }
# A second of them: the first milliseconds go to waking, and a tenth of a second is a scheduler's whim.
writes() { pair '$1 == 8 { print $5 }' ib_write_bw -s 8 -n 2000000 -l 16 -F; }
one_process() { "$softhca" "$message_rate" 1 2 | awk '{ print $1 / 1e6 }'; }
one_processor() { pair "$per_iteration" taskset -c 0 ibv_rc_pingpong -n 2000; }

beside_busy_loops() {
	local i
	for i in 1 2; do
		(while :; do :; done) &
		busy+=($!)
	done
	round_trip
	kill "${busy[@]}"
	wait "${busy[@]}" 2>/dev/null
	busy=()
}

# bar KEY LIMIT UNIT most|least NAME FUNCTION...: runs, prints and remembers one figure.
bar() {
	local key=$1 limit=$2 unit=$3 way=$4 name=$5 i
	shift 5
	for i in $(seq "$runs"); do "$@"; done >"$scratch/$key" 2>/dev/null
	sort -n "$scratch/$key" | awk -v key="$key" -v limit="$limit" -v unit="$unit" -v way="$way" -v name="$name" -v runs="$runs" \
		-v out="$scratch/json" '
		{ v[++n] = $1 }
		END {
			m = v[int((n + 1) / 2)]
			met = n == runs && (way == "most" ? m <= limit : m >= limit)
			printf "%-46s median %9.2f %-5s (%.2f to %.2f)  at %s %g: %s\n", name, m, unit, v[1], v[n], way, limit,
				n < runs ? runs - n " of " runs " runs failed" : met ? "met" : "missed"
			for (i = 1; i <= n; i++)
				all = all (i > 1 ? ", " : "") v[i]
			printf "  {\"name\": \"%s\", \"unit\": \"%s\", \"median\": %.3f, \"at_%s\": %g, \"met\": %s, \"runs\": [%s]}\n", key, unit, m,
				way, limit, met ? "true" : "false", all >>out
			print m >(out "." key)
		}'
}

line_ns=$("$line_trip")
echo "$(nproc) processors, Linux $(uname -r), load now $(cut -d' ' -f1 /proc/loadavg), doorbells: $SOFTHCA_DOORBELL"
echo "A cache line there and back between two processors: $line_ns ns."
bar round_trip 25 us most "ibv_rc_pingpong, both sides poll" round_trip
bar round_trip_99 100 us most "ib_send_lat, 99 % of round trips" percentile
bar round_trip_events 60 us most "ibv_rc_pingpong -e, both sides sleep" round_trip -e
bar write_64k 2 GB/s least "ib_write_bw, 64 KiB" gigabytes
bar write_8 2 M/s least "ib_write_bw, 8 bytes, lists of 16" writes
bar write_8_one_process 0.5 M/s least "8-byte WRITEs of one process to itself" one_process
bar round_trip_one_processor 100 us most "ibv_rc_pingpong, both on one processor" one_processor
quiet=$(cat "$scratch/json.round_trip")
bar round_trip_busy "$(awk "BEGIN { print 10 * (${quiet:-0} + 0) }")" us most "ibv_rc_pingpong beside two busy loops" beside_busy_loops
after_ns=$("$line_trip")
echo "The cache line at the end: $after_ns ns."
if [ -n "$json" ]; then
	{
		printf '{"processors": %d, "kernel": "%s", "doorbell": "%s", "load": %s, "line_ns": [%s, %s], "figures": [\n' "$(nproc)" "$(uname -r)" "$SOFTHCA_DOORBELL" \
			"$(cut -d' ' -f1 /proc/loadavg)" "${line_ns:-null}" "${after_ns:-null}"
		sed '$!s/$/,/' "$scratch/json"
		echo ']}'
	} >"$json"
	echo "written to $json"
fi
