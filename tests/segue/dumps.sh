#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Rings of libmlx5, UCX and DPDK through `segue decode`: runs programs of the distribution once more, with --dump, and holds what segue
# reads against mlx5dv.h (dumps.py). `dumps.sh` by hand runs whole suites, about six minutes; `dumps.sh short` some programs.
set -euo pipefail
top=${TEST_SRCDIR:+$TEST_SRCDIR/$TEST_WORKSPACE}
if [ -z "$top" ]; then
	top=$(cd "$(dirname "$0")/../.." && pwd)
	. "$top/tools/lib/packages.sh"
	(cd "$top" && bazel_command build //tools/segue //tools/softhca)
	export SOFTHCA=$top/bazel-bin/tools/softhca/softhca
	segue=$top/bazel-bin/tools/segue/segue
else
	segue=$top/tools/segue/segue
fi
export TMPDIR=${TEST_TMPDIR:-/tmp}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SOFTHCA_DUMP=$folder/rings
mkdir "$SOFTHCA_DUMP"

# suite SCRIPT ARGUMENT...: of tests/softhca. It must pass: a program that did nothing leaves nothing to read.
suite() {
	# A second try, as UCX gives up connecting after times of its own.
	"$top/tests/softhca/$1" "${@:2}" >"$folder/log" 2>&1 || "$top/tests/softhca/$1" "${@:2}" >"$folder/log" 2>&1 || {
		tail -n 20 "$folder/log"
		echo "FAIL $*"
		exit 1
	}
	grep '^SKIPPED' "$folder/log" || true
	echo "$*: $(find "$SOFTHCA_DUMP" -type f | wc -l) rings so far"
}

if [ "${1:-}" = short ]; then
	suite ../segue/dump_programs.sh
	COUNT=200 suite dpdk.sh poll -
	least=60
else
	for link in ib roce; do
		suite pingpong.sh $link poll
		suite perftest.sh $link poll
		suite ucx.sh $link poll some
	done
	suite dpdk.sh poll - ,dv_flow_en=0 ,mprq_en=1,rxqs_min_mprq=1,rx_vec_en=0 ,rx_vec_en=0,rxq_cqe_comp_en=1
	least=200
fi
python3 "$top/tests/segue/dumps.py" "$segue" "$SOFTHCA_DUMP" $least
