#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What UCX posts for masked atomics and tag lists, out of its rings, against what Segue posts for the same.
. "$(dirname "$0")/../softhca/lib.sh"
here=$(dirname "$0")
export UCX_NET_DEVICES=mlx5_0:1 UCX_TLS=rc_x,self UCX_LOG_LEVEL=warn UCX_WARN_UNUSED_ENV_VARS=n SOFTHCA_LINK=ib SOFTHCA_DOORBELL=poll
need ucx_info ucx-utils
[ -e /usr/include/ucp/api/ucp.h ] || absent ucp/api/ucp.h libucx-dev
if ! ${CC:-cc} -std=c11 -O1 "$here/../softhca/clients/ucx_client.c" -lucp -lucs -o "$LOGS/client_of_ucp"; then
	echo "FAIL ucx_client.c does not compile"
	exit 1
fi
export SOFTHCA_DUMP=$LOGS/rings SEGUE_TEST_RINGS=$LOGS/rings
mkdir "$SOFTHCA_DUMP"
alone "atomics" "$LOGS/client_of_ucp" bits
expect "atomics" "every byte is right"
UCX_RC_MLX5_TM_ENABLE=y UCX_TM_FORCE_THRESH=0 alone "tags" "$LOGS/client_of_ucp"
expect "tags" "every byte is right"
if "$here/ucx_rings" >"$LOGS/rings.out" 2>&1; then
	PASSED=$((PASSED + 1))
else
	FAILED=$((FAILED + 1))
	head -c 4000 "$LOGS/rings.out"
fi
finish
