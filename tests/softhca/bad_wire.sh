#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# softhca wire: what it does to packets, how fast and with how many packets RC goes over long, slow and lossy wires, and the page about it.
. "$(dirname "$0")/lib.sh"
own_network "$0" "$@"
here=$(dirname "$0")
client=$here/wire_client
export LIMIT=60

ip link set lo up
unshare -n sh -c 'ip link set lo up; echo; exec sleep 100000' >"$LOGS/far" &
far=$!
until [ -s "$LOGS/far" ]; do
	kill -0 "$far" 2>/dev/null || forbidden "network namespaces" "unshare -rn"
	sleep 0.05
done

# wire OPTIONS...: starts one, in place of the last.
wire() {
	[ -z "${wire:-}" ] || { kill "$wire" && wait "$wire"; }
	rm -f "$LOGS/wire"
	"$SOFTHCA" wire --verbose --seed "$SEGUE_TEST_SEED" "$@" "$far" >"$LOGS/wire" 2>&1 &
	wire=$!
	until grep -qs "there" "$LOGS/wire"; do
		kill -0 "$wire" 2>/dev/null || {
			grep -q "Operation not permitted\|/dev/net/tun" "$LOGS/wire" && forbidden "tun devices" "softhca wire"
			cat "$LOGS/wire"
			exit 1
		}
		sleep 0.05
	done
}

# over LINK BYTES: the client's three lines, in $LOGS/out.
over() {
	local server status
	SOFTHCA_LINK=$1 timeout "$LIMIT" "$SOFTHCA" --host 10.9.0.1 "$client" >"$LOGS/server" 2>&1 &
	server=$!
	until grep -q ":1D2F .* 0A " /proc/net/tcp; do # 7471
		kill -0 "$server" 2>/dev/null || break
		sleep 0.05
	done
	SOFTHCA_LINK=$1 timeout "$LIMIT" nsenter -t "$far" -n "$SOFTHCA" --host 10.9.0.2 --dir "$SOFTHCA_DIR.far" \
		"$client" 10.9.0.1 "$2" >"$LOGS/out" 2>&1
	status=$?
	[ "$status" = 0 ] || kill "$server" 2>/dev/null
	wait "$server" || status=1
	[ "$status" = 0 ] || cat "$LOGS/server"
	return "$status"
}

# judged MOST: WRITE and SEND send at most so many packets per packet needed, and are at least half as fast as READ. Of several runs the best counts
# for each, because other programs on the machine make packets late. They make a run slower, too: a run whose client waited for a processor for
# more than a twentieth of the time counts packets only. What no other program changes is long_wire_test's business, which has these wires in virtual time.
judged() {
	awk -v most="$1" '{ if (!($1 in ratio) || $4 / $6 < ratio[$1]) ratio[$1] = $4 / $6
			if ($8 <= 5 && $2 > speed[$1]) speed[$1] = $2 }
		END { for (op in ratio) if (ratio[op] > most) { print op, ratio[op]; bad = 1 }
			for (op in speed) if (length(speed) == 3 && speed[op] * 2 < speed["READ"]) { print op, speed[op]; bad = 1 }
			exit bad || length(ratio) != 3 }' "$LOGS/figures"
}

# carries NAME MOST BYTES: data right each time; the figures in five runs at most.
carries() {
	local try
	for link in ib roce; do
		rm -f "$LOGS/figures"
		for try in 1 2 3 4 5; do
			good "$link, $1" over "$link" "$3"
			cat "$LOGS/out" >>"$LOGS/figures"
			[ -z "${VERBOSE:-}" ] || sed "s|^|$link, $1: |" "$LOGS/out"
			judged "$2" >/dev/null && break
			echo "$link, $1: try $try: $(tr '\n' ' ' <"$LOGS/out")"
		done
		good "$link, $1: figures" judged "$2"
	done
}

# Round trips of 1, 10 and 50 ms.
for delay in 0.5 5 25; do
	wire --delay "$delay"
	carries "$delay ms" 1.2 2000000
	wire --delay "$delay" --loss 1
	carries "$delay ms, 1 % lost" 1.5 1000000
done
wire --rate 20 --delay 0.5
carries "20 Mbit/s" 1.2 2000000

# What is not the figures' business still has to be right, and is counted.
wire --delay 1 --jitter 1 --loss 2 --reorder 5 --duplicate 5 --corrupt 2
for link in ib roce; do good "$link, all of it" over "$link" 500000; done
kill "$wire" && wait "$wire"
cp "$LOGS/wire" "$LOGS/out"
for what in lost overtook doubled corrupted; do expect "what it did" "[1-9][0-9]* $what"; done

# refused TEXT OPTIONS...
refused() {
	local text=$1
	shift
	good "refuses $*" eval "! \"$SOFTHCA\" wire $*"
	expect "refuses $*" "$text"
}
refused 'must be from 0 to 100' --loss 101 "$far"
refused 'must be from 0 to 10000' --delay x "$far"
refused 'must be an IPv4 address' --address wrong "$far"
refused 'no process 999999999' 999999999
refused 'usage: softhca wire' --delay 1
good "help" "$SOFTHCA" wire --help
expect "help" "--corrupt"
finish
