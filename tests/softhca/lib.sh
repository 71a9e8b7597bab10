# SPDX-License-Identifier: BSD-2-Clause
# Helpers of the tests that run other people's programs on softhca. Source it.
#
# Under Bazel $RUNFILES holds the launcher; outside, set SOFTHCA to it.

. "$(dirname "${BASH_SOURCE[0]}")/../tools/requirements.sh"
SOFTHCA=${SOFTHCA:-${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tools/softhca/softhca}
export SOFTHCA_DIR=${TEST_TMPDIR:-/tmp}/softhca-test-$$
LOGS=$(mktemp -d "${TEST_TMPDIR:-/tmp}/softhca-logs.XXXXXX")
FAILED=0
PASSED=0

# listening PORT [PID]: whether anybody on this machine accepts TCP connections there; with PID, the answer is waited for as long as that
# process lives. See listener.c.
listening() {
	local program=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tests/softhca/listener

	if [ -x "$program" ]; then
		"$program" "$@"
		return
	fi
	until grep -q "$(printf ':%04X .* 0A ' "$1")" /proc/net/tcp /proc/net/tcp6 2>/dev/null; do # outside of Bazel
		kill -0 "${2:-none}" 2>/dev/null || return 1
		sleep 0.05
	done
}

# next_port: sets PORT to another one that nobody listens on, below the range the kernel gives to clients.
next_port() {
	while PORT=$((10000 + RANDOM % 20000)) && listening "$PORT"; do :; done
}
next_port

# forbidden WHAT COMMAND: namespaces of that kind may not be made.
forbidden() { missing namespaces "permission for $1" "$2 must work"; }

# own_network SCRIPT ARGUMENT...: starts it again in a network namespace of its own, where there may be one. Bazel's sandbox has one already, but
# there is no such sandbox in a chroot.
own_network() {
	local flags

	[ -z "${OWN_NETWORK:-}" ] || return 0
	for flags in -n -rn; do
		unshare "$flags" ip link set lo up 2>/dev/null || continue
		rm -rf "$LOGS"
		OWN_NETWORK=1 exec unshare "$flags" sh -c 'ip link set lo up && exec "$@"' sh "$@"
	done
}

# With SEGUE_RUN programs run under `segue run`, which carries out what they ask of libibverbs.
UNDER=()
[ -z "${SEGUE_RUN:-}" ] || UNDER=("${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tools/segue/segue" run)

# The server of a `pair` as its clients name it, and what a client's command begins with.
PEER=127.0.0.1
FAR=()

# two_hosts SCRIPT ARGUMENT...: starts it again in a network namespace of its own; clients run in another one, beyond a pair of veth interfaces, and
# share no device tree. With NETEM their packets go through lossy_link.py with these arguments.
two_hosts() {
	local far relay

	own_network "$@"
	unshare -n sh -c 'echo; exec sleep 100000' >"$LOGS/far" &
	far=$!
	until [ -s "$LOGS/far" ]; do
		kill -0 "$far" 2>/dev/null || forbidden "network namespaces" "unshare -rn"
		sleep 0.05
	done
	if [ -n "${NETEM:-}" ]; then
		ip link add h1 type veth peer name relay1
		ip link add relay2 type veth peer name h2 netns "$far"
		for relay in 1 2; do ip link set relay$relay up; done
		# shellcheck disable=SC2086 # several words
		python3 "$(dirname "$0")/lossy_link.py" relay1 relay2 $NETEM &
	else
		ip link add h1 type veth peer name h2 netns "$far"
	fi
	FAR=(nsenter -t "$far" -n env "SOFTHCA_HOST=10.9.0.128/25" "SOFTHCA_DIR=$SOFTHCA_DIR.far")
	export SOFTHCA_HOST=10.9.0.0/25
	PEER=10.9.0.1
	ip addr add 10.9.0.1/24 dev h1 && ip addr add 10.9.0.2/24 dev h1 && ip link set h1 up &&
		"${FAR[@]}" ip link set lo up && "${FAR[@]}" ip addr add 10.9.0.129/24 dev h2 &&
		"${FAR[@]}" ip addr add 10.9.0.130/24 dev h2 && "${FAR[@]}" ip link set h2 up ||
		forbidden "veth interfaces" "ip link add type veth"
}

# Whatever happens, nothing of ours keeps running.
trap 'kill $(jobs -p) 2>/dev/null' EXIT
trap 'exit 143' TERM INT

[ -z "${TWO_HOSTS:-}" ] || two_hosts "$0" "$@"

# One seed for everything that is random in a script; its clients take it from the environment.
export SEGUE_TEST_SEED=${SEGUE_TEST_SEED:-$((RANDOM << 15 | RANDOM))}
echo "SEGUE_TEST_SEED=$SEGUE_TEST_SEED"

# pair NAME SERVER... -- CLIENT...: both must exit 0.
pair() {
	local name=$1 server=() client=() status_s status_c
	shift
	while [ "$1" != -- ]; do server+=("$1"); shift; done
	shift
	client=("$@")
	timeout "${LIMIT:-100}" "$SOFTHCA" "${UNDER[@]}" "${server[@]}" >"$LOGS/server" 2>&1 &
	local pid=$!
	listening "$PORT" "$pid" # the client tools give up when nobody listens yet
	timeout "${LIMIT:-100}" "${FAR[@]}" "$SOFTHCA" "${UNDER[@]}" "${client[@]}" >"$LOGS/client" 2>&1
	status_c=$?
	# A server whose client has failed may wait for ever.
	[ "$status_c" = 0 ] || { sleep 1; kill "$pid" 2>/dev/null; }
	wait "$pid"
	status_s=$?
	next_port
	if [ "$status_s" = 0 ] && [ "$status_c" = 0 ]; then
		PASSED=$((PASSED + 1))
		[ -z "$VERBOSE" ] || echo "ok   $name $(grep -ho '[0-9.]* usec/iter' "$LOGS/client")"
	else
		FAILED=$((FAILED + 1))
		echo "FAIL $name: server exit $status_s, client exit $status_c"
		sed 's/^/  server: /' "$LOGS/server" | tail -n 8
		sed 's/^/  client: /' "$LOGS/client" | tail -n 8
	fi
}

# hasty COMMAND...: a function of this script, whose programs of perftest do not spend most of their time on measuring the processor.
hasty() {
	local clock=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tests/softhca/libhasty_clock.so
	[ -e "$clock" ] || clock= # outside of Bazel
	LD_PRELOAD=$clock "$@"
}

# good NAME COMMAND...: it succeeds, and prints to $LOGS/out.
good() {
	local name=$1 status
	shift
	"$@" >"$LOGS/out" 2>&1
	status=$?
	if [ "$status" = 0 ]; then
		PASSED=$((PASSED + 1))
	else
		FAILED=$((FAILED + 1))
		echo "FAIL $name: exit $status"
		tail -n 12 "$LOGS/out" | sed 's/^/  /'
	fi
}

# alone NAME CMD...: must exit 0.
alone() {
	good "$1" timeout "${LIMIT:-100}" "$SOFTHCA" "${UNDER[@]}" "${@:2}"
}

# expect NAME TEXT: the last `alone` printed TEXT.
expect() {
	if grep -q -- "$2" "$LOGS/out"; then
		PASSED=$((PASSED + 1))
	else
		FAILED=$((FAILED + 1))
		echo "FAIL $1: \"$2\" is missing in"
		tail -n 12 "$LOGS/out" | sed 's/^/  /'
	fi
}

finish() {
	rm -rf "$LOGS" "$SOFTHCA_DIR" "$SOFTHCA_DIR.far"
	rm -f /tmp/xrc_domain{,_client,_server} 2>/dev/null # of perftest and ibv_xsrq_pingpong
	echo "$PASSED passed, $FAILED failed"
	[ "$FAILED" = 0 ] && [ "$PASSED" -gt 0 ]
	exit
}
