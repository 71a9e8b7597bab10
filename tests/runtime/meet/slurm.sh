#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A Slurm of one node, of our own, and the shuffle as its job by srun --mpi=pmix. Its daemons have ports and sockets of their own, and end with this.
# By hand, from the workspace: bazel build //tools/softhca //tools/demo:shuffle_pmix && tests/runtime/meet/slurm.sh
set -uo pipefail
bin=${TEST_SRCDIR:+$TEST_SRCDIR/$TEST_WORKSPACE}
bin=${bin:-$PWD/bazel-bin}
work=$(mktemp -d /tmp/segue-slurm.XXXXXX)
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
trap end EXIT

fail() {
	echo "FAILED: $*"
	tail -n 15 "$work"/*.log "$work"/out 2>/dev/null
	exit 1
}

for program in munged slurmctld slurmd srun; do
	PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || fail "there is no $program; install slurmctld, slurmd, slurm-client, slurm-wlm-basic-plugins and munge"
done
[ "$(id -u)" -eq 0 ] || {
	echo "SKIPPED: slurmd wants root"
	exit 0
}
for program in tools/softhca/softhca tools/demo/shuffle_pmix; do
	[ -x "$bin/$program" ] || fail "$bin/$program is missing; bazel build //tools/softhca //tools/demo:shuffle_pmix"
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
NodeName=$host NodeAddr=127.0.0.1 CPUs=16 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
# Else the steps' folders are in /tmp, named by their numbers alone: another Slurm's, or what a killed one has left, would be in the way.
echo "PMIxCliTmpDirBase=$work" >"$work/mpi.conf"
export SLURM_CONF=$work/slurm.conf PATH=$PATH:/usr/sbin

# wait_for WHAT COMMAND...: until it succeeds, for 30 seconds.
wait_for() {
	local what=$1 i

	shift
	for ((i = 0; i < 300; i++)); do
		"$@" >/dev/null 2>&1 && return
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
slurmd -D -N "$host" >"$work/slurmd.log" 2>&1 &
daemons+=($!)
is_idle() {
	sinfo -h -o %T | grep -q idle
}
wait_for "an idle node" is_idle
srun --mpi=list 2>&1 | grep -q pmix || fail "this srun has no pmix: $(srun --mpi=list 2>&1)"

for transport in rc dc ud; do
	step "srun --mpi=pmix -n $ranks shuffle --transport $transport"
	SOFTHCA_DIR=$work/softhca timeout -k 5 120 "$bin/tools/softhca/softhca" srun --mpi=pmix -n "$ranks" "$bin/tools/demo/shuffle_pmix" \
		--transport "$transport" --rounds 2 --bytes 50001 >"$work/out" 2>&1 || fail "it ended with $?"
	cat "$work/out"
	grep -q "^pmix, rank 0 of $ranks " "$work/out" || fail "it is no world over PMIx"
	[ "$(tail -n 1 "$work/out")" = "$ranks ranks, $((ranks * ranks * 2 * 50001)) bytes, all right" ] || fail "the last line"
done
echo "all right"
