#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# tools/gdb/segue.py on a program that has posted one request: a queue in a line, and the request decoded.
set -euo pipefail
if ! command -v gdb >/dev/null; then
	[ -n "${SEGUE_MAY_SKIP:-}" ] && echo "SKIPPED: gdb is missing" && exit 0
	echo "FAIL gdb is missing: apt-get install gdb"
	exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/installed
program=$scratch/wqe
./install "$prefix" >/dev/null
gcc -g -O0 "-I$prefix/include/segue" tools/demo/wqe.c "$prefix/lib/libsegue.a" -lmlx5 -libverbs -o "$program"
said=$(gdb -q -batch -iex "set auto-load safe-path /" -ex "source tools/gdb/segue.py" -ex "break show_bytes" -ex run -ex up \
	-ex "print sq" -ex "print sq.sq" -ex "segue-wqe &sq" -ex "segue-wqe sq 5" -ex "segue-wqe" "$program" 2>&1) || true # the last command is a mistake
expect() {
	grep -qE -- "$1" <<<"$said" && return
	echo "FAIL no '$1' in:"
	echo "$said"
	exit 1
}
expect "= send queue of QP 0x101: 2 of [0-9]+ blocks in flight, ring of 16, pi 2, ci 0$"
expect "rdma_write_imm"
expect "dqp_dct +0x004711"
expect "remote_addr 0x00007f0012340000"
expect "Which send queue"
[ "$(grep -c "remote_addr 0x00007f0012340000" <<<"$said")" = 2 ] || { echo "FAIL expected the request twice"; exit 1; }
echo "1 passed, 0 failed"
