#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# tools/gdb/segue.py on programs that run, and on their cores: a queue in a line, requests and completions decoded. gdb may
# call no function of the program, as on a core, and as gdb 13 cannot on processors with AMX.
set -euo pipefail
. tests/tools/requirements.sh
need gdb gdb
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/installed
./install "$prefix" >/dev/null
script=tools/gdb/segue.py
export SEGUE=$prefix/bin/segue

# build PROGRAM SOURCE: against the installation.
build() {
	gcc -g -O0 "-I$prefix/share/segue/include" "$2" "$prefix/lib/libsegue.a" -lmlx5 -libverbs -ldl -o "$1"
}

# show PROGRAM WHERE COMMAND...: what the commands print in the program, stopped where the words in WHERE say, and in its core.
show() {
	local program=$1 where=() commands=() command
	for command in $2; do
		where+=(-ex "${command//+/ }")
	done
	shift 2
	for command in "$@"; do
		commands+=(-ex "$command")
	done
	alive=$(gdb -q -batch -ex "source $script" -ex "set may-call-functions off" "${where[@]}" \
		-ex "generate-core-file $program.core" "${commands[@]}" "$program" 2>&1) || true # a last command may be a mistake
	core=$(gdb -q -batch -ex "source $script" "${where[@]:4}" "${commands[@]}" "$program" "$program.core" 2>&1) || true
}

# expect PATTERN: in what the program and its core show.
expect() {
	local said
	for said in "$alive" "$core"; do
		grep -qE -- "$1" <<<"$said" && continue
		echo "FAIL no '$1' in:"
		echo "$said"
		exit 1
	done
}

program=$scratch/wqe
build "$program" tools/demo/wqe.c
show "$program" "break+show_bytes run up" "print sq" "print sq.sq" "segue-wqe &sq" "segue-wqe sq 5" "segue-wqe"
expect "= send queue of QP 0x101: 2 of [0-9]+ blocks in flight, ring of 16, pi 2, ci 0$"
expect "rdma_write_imm"
expect "dqp_dct +0x004711"
expect "remote_addr 0x00007f0012340000"
expect "Which queue"
for said in "$alive" "$core"; do
	[ "$(grep -c "remote_addr 0x00007f0012340000" <<<"$said")" = 2 ] || { echo "FAIL expected the request twice"; exit 1; }
done

program=$scratch/queues
build "$program" tests/tools/gdb_queues.c
show "$program" "break+stop run" "print *rq" "segue-wqe rq 2" "print *multi" "print multi->channels[2]" "print wc->peer" "print *wc" \
	"segue-cqe multi->cq" "segue-cqe"
expect "= receive queue of QP 0x123: 2 of 7 receives posted, ring of 8 entries of 32 bytes$"
expect "addr +0x00007f0000001000"
expect "addr +0x00007f0000002000"
expect "= multi-channel over DC: 3 peers \(1 failed, 2 up\); completion queue 0x55 = \{channel to peer 0, generation 1: up, sends on QP 0x77, "
expect "= channel to peer 2, generation 3: failed$"
expect "= peer 2, generation 1$"
expect "= completion of wr_id 9 on QP 0x123: 64 bytes$"
expect "REMOTE_ACCESS_ERR"
expect "Which completion queue"

# Without the command there is a sentence, and no trace of Python.
said=$(SEGUE='' PATH=/usr/bin:/bin gdb -q -batch -ex "source tools/gdb/segue.py" -ex "segue-cqe multi->cq" "$program" "$program.core" 2>&1) || true
grep -q "Expected its path in the environment variable SEGUE" <<<"$said" || { echo "FAIL no advice in: $said"; exit 1; }
echo "3 passed, 0 failed"
