#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A Slurm of one node, of our own, and the shuffle as its job by srun --mpi=pmix. Its daemons have ports and sockets of their own, and end with this.
# By hand, from the workspace: bazel build //tools/softhca //tools/demo:shuffle && tests/runtime/peers/world/slurm.sh
set -uo pipefail
bin=${TEST_SRCDIR:+$TEST_SRCDIR/$TEST_WORKSPACE}
bin=${bin:-$PWD/bazel-bin}
. "$(dirname "$0")/../../../tools/requirements.sh"
. "$(dirname "$0")/../../../tools/unpacked_packages.sh"
ranks=${SLURM_RANKS:-4}
daemons=()

step() {
	echo "slurm.sh: $*"
}

end() {
	local pid

	for pid in "${daemons[@]}"; do
		kill "$pid" 2>/dev/null
	done
	wait 2>/dev/null
	rm -rf "$work"
}

fail() {
	echo "FAILED: $*"
	tail -n 15 "$work"/*.log "$work"/out 2>/dev/null
	exit 1
}

[ "$(id -u)" -eq 0 ] || {
	echo "SKIPPED: slurmd wants root"
	exit 0
}
# A network of its own, where that is allowed: with nobody else's ports, and with an address beside loopback, without which slurmd resolves no name.
if [ -z "${SLURM_ALONE:-}" ] && unshare --net true 2>/dev/null; then
	export SLURM_ALONE=1
	exec unshare --net bash -c 'ip link set lo up && ip address add 192.0.2.1/32 dev lo && exec "$@"' slurm.sh "$0"
fi
work=$(mktemp -d /tmp/segue-slurm.XXXXXX)
trap end EXIT
PATH=$PATH:/usr/sbin
if ! command -v slurmstepd >/dev/null; then
	use_unpacked slurm-wlm
	plugins=$UNPACKED_LIB/slurm-wlm
	# Debian has them as slurmd-wlm and the like, and its alternatives, which only an installation sets up, as slurmd.
	shopt -s nullglob
	for program in "$UNPACKED"/usr/{bin,sbin}/*-wlm; do
		mkdir -p "$work/bin"
		ln -s "$program" "$work/bin/$(basename "$program" -wlm)"
	done
	PATH=$PATH:$work/bin
fi
for program in munged slurmctld slurmd srun; do
	command -v "$program" >/dev/null ||
		missing packages "$program" "tools/test unpacks Slurm, or install slurmctld, slurmd, slurm-client, slurm-wlm-basic-plugins and munge"
done
for program in tools/softhca/softhca tools/demo/shuffle; do
	[ -x "$bin/$program" ] || fail "$bin/$program is missing; bazel build //tools/softhca //tools/demo:shuffle"
done

port=$((21000 + RANDOM % 8000))
host=$(hostname -s)
mkdir -p "$work/state" "$work/spool" "$work/munge"
chmod 711 "$work"
chmod 755 "$work/munge"
dd if=/dev/urandom of="$work/munge.key" bs=1024 count=1 2>/dev/null
chmod 600 "$work/munge.key"
cat >"$work/slurm.conf" <<CONF
ClusterName=segue
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$work/munge/socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
${plugins:+PluginDir=$plugins}
NodeName=$host NodeAddr=127.0.0.1 CPUs=16 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
# Else the steps' folders are in /tmp, named by their numbers alone: another Slurm's, or what a killed one has left, would be in the way.
echo "PMIxCliTmpDirBase=$work" >"$work/mpi.conf"
# Nothing here uses control groups, but slurmd looks for them: by itself it ends where /sys/fs/cgroup is empty, as in most containers; told which
# version it is to be, it looks no further until it needs one.
printf '%s\n' CgroupPlugin=cgroup/v1 CgroupAutomount=no IgnoreSystemd=yes "CgroupMountpoint=$work/cgroup" >"$work/cgroup.conf"
export SLURM_CONF=$work/slurm.conf

# wait_for WHAT COMMAND...: until it succeeds, for 30 seconds, and while all daemons live.
wait_for() {
	local what=$1 end=$((SECONDS + 30)) pid

	shift
	while [ "$SECONDS" -lt "$end" ]; do
		"$@" >/dev/null 2>&1 && return
		for pid in "${daemons[@]}"; do
			kill -0 "$pid" 2>/dev/null || fail "a daemon has ended before there was $what"
		done
		sleep 0.1
	done
	fail "$what has not come in 30 seconds"
}

step "munged, with a key and a socket of its own"
munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" --seed-file="$work/munge/seed" \
	--log-file="$work/munged.log" >"$work/munged.log" 2>&1 &
daemons+=($!)
wait_for "the socket of munged" test -S "$work/munge/socket"
step "slurmctld and slurmd of node $host at port $port"
slurmctld -D >"$work/slurmctld.log" 2>&1 &
daemons+=($!)
slurmd -D -d "$(command -v slurmstepd)" -N "$host" >"$work/slurmd.log" 2>&1 &
daemons+=($!)
is_idle() {
	timeout 5 sinfo -h -o %T | grep -q idle
}
wait_for "an idle node" is_idle
srun --mpi=list 2>&1 | grep -q pmix || fail "this srun has no pmix: $(srun --mpi=list 2>&1)"

for transport in rc dc ud; do
	step "srun --mpi=pmix -n $ranks shuffle --transport $transport"
	SOFTHCA_DIR=$work/softhca timeout -k 5 120 "$bin/tools/softhca/softhca" srun --mpi=pmix -n "$ranks" "$bin/tools/demo/shuffle" \
		--transport "$transport" --rounds 2 --bytes 50001 >"$work/out" 2>&1 || fail "it ended with $?"
	cat "$work/out"
	grep -q "^pmix, rank 0 of $ranks " "$work/out" || fail "it is no world over PMIx"
	[ "$(tail -n 1 "$work/out")" = "$ranks ranks, $((ranks * ranks * 2 * 50001)) bytes, all right" ] || fail "the last line"
done
echo "all right"
