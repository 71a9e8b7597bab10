#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# tools/gdb/segue.py on a program that has posted one request: a queue in a line, and the request decoded.
set -euo pipefail
. tests/tools/missing.sh
need gdb gdb
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
expect "Which queue"
[ "$(grep -c "remote_addr 0x00007f0012340000" <<<"$said")" = 2 ] || { echo "FAIL expected the request twice"; exit 1; }

program=$scratch/queues
gcc -g -O0 "-I$prefix/include/segue" tests/tools/gdb_queues.c "$prefix/lib/libsegue.a" -lmlx5 -libverbs -ldl -o "$program"
said=$(gdb -q -batch -ex "source tools/gdb/segue.py" -ex "break stop" -ex run -ex "print *rq" -ex "segue-wqe rq 2" -ex "print *multi" \
	-ex "print multi->channels[2]" -ex "print wc->peer" -ex "print *wc" "$program" 2>&1) || true
expect "= receive queue of QP 0x123: 2 of 7 receives posted, ring of 8 entries of 32 bytes$"
expect "addr +0x00007f0000001000"
expect "addr +0x00007f0000002000"
expect "= multi-channel over DC: 3 peers \(1 failed, 2 up\); completion queue 0x55 = \{channel to peer 0, generation 1: up, sends on QP 0x77, "
expect "= channel to peer 2, generation 3: failed$"
expect "= peer 2, generation 1$"
expect "= completion of wr_id 9 on QP 0x123: 64 bytes$"
echo "2 passed, 0 failed"
