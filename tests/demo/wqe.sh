#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The smallest example: exit 0, and the broken request is refused by name. Usage: wqe.sh
set -euo pipefail

said=$(tools/demo/wqe)
grep -F "offence at byte 64: found the end of the WQE, expected segment 'raddr' (work request rdma_write_imm on dci" <<<"$said" || {
	echo "$said"
	exit 1
}
