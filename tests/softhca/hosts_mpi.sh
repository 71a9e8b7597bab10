#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Open MPI with four ranks on two hosts, by hand: [NETEM="1 1 1"] hosts_mpi.sh [TRANSPORT...]. Needs openmpi-bin and libopenmpi-dev.
TWO_HOSTS=1
. "$(dirname "$0")/lib.sh"
need mpirun openmpi-bin
[ -n "${MPICC:-}" ] || need mpicc libopenmpi-dev
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
${MPICC:-mpicc} -O1 "$(dirname "$0")/clients/mpi_client.c" -o "$LOGS/client_of_mpi" || exit 1

# What stands for ssh. Open MPI's daemons make different folders by host name, so each host has a /tmp of its own.
cat >"$LOGS/agent" <<-AGENT
	#!/bin/bash
	shift
	exec ${FAR[*]} TMPDIR="$LOGS/far-tmp" SOFTHCA_HOST=10.9.0.0/24 sh -c "\$*"
AGENT
mkdir "$LOGS/far-tmp"
chmod +x "$LOGS/agent"
[ $# -gt 0 ] || set -- rc_x dc_x ud_x
for tls; do
	for link in ib roce; do
		good "$link $tls" timeout "${LIMIT:-100}" env SOFTHCA_HOST=10.9.0.0/24 mpirun --host 10.9.0.1:2,10.9.0.129:2 -np 4 \
			--mca plm_rsh_agent "$LOGS/agent" --mca oob_tcp_if_include 10.9.0.0/24 --mca pml ucx -x SOFTHCA_LINK=$link \
			-x UCX_TLS="$tls,self" -x UCX_NET_DEVICES=mlx5_0:1 -x SOFTHCA_STRICT=1 -x LD_LIBRARY_PATH "$SOFTHCA" "$LOGS/client_of_mpi"
		expect "$link $tls" "4 ranks, 0 wrong words"
	done
done
finish
