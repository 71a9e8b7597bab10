#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What `segue run` takes, leaves and says: run.sh. SEGUE is the command; outside of Bazel, set it.
here=$(dirname "$0")
. "$here/lib.sh"
SEGUE=${SEGUE:-${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tools/segue/segue}
export SOFTHCA_STRICT=1
LIMIT=300

compile() { "${CC:-cc}" -std=gnu11 -O1 "$@"; }
good "compiling" compile -o "$LOGS/symbol_lookup" "$here/clients/symbol_lookup.c" -libverbs -ldl

# refuses NAME STATUS TEXT OPTION...: segue run ends so, and says so.
refuses() {
	local name=$1 status=$2 text=$3
	shift 3
	"$SEGUE" run "$@" >"$LOGS/out" 2>&1
	good "$name: exit $status" [ $? = "$status" ]
	"$SEGUE" run "$@" >"$LOGS/out" 2>&1
	expect "$name" "$text"
}

# A program whose calls are reached.
alone "linked, without" "$LOGS/symbol_lookup" linked
expect "linked, without" "written 100 times"
alone "linked" "$SEGUE" run --report "$LOGS/symbol_lookup" linked
expect "linked" "written 100 times"
expect "linked" "segue run: 1 queue pair taken"
expect "linked" "100 calls that post sends"
expect "linked" "100 completions"
expect "linked" "BlueFlame"
expect "linked" "instructions saved"
alone "linked, without a report" "$SEGUE" run "$LOGS/symbol_lookup" linked
good "it says nothing else" [ "$(cat "$LOGS/out")" = "written 100 times" ]

# One that looks libibverbs' functions up by name: it is not reached, and runs as always.
alone "dlsym" "$SEGUE" run --report "$LOGS/symbol_lookup" dlsym
expect "dlsym" "written 100 times"
expect "dlsym" "segue run: 0 queue pairs taken"

# Below MLX5_SINGLE_THREADED, and with BlueFlame's registers shut up.
for variable in MLX5_SINGLE_THREADED MLX5_SHUT_UP_BF; do
	alone "$variable" env "$variable=1" "$SEGUE" run --report "$LOGS/symbol_lookup" linked
	expect "$variable" "written 100 times"
	expect "$variable" "segue run: 1 queue pair taken"
done

# A program that uses Segue by itself: nothing of it is taken. It makes a mistake on purpose.
SOFTHCA_STRICT='' SEGUE_TOKEN=of-this-test alone "a program of Segue's" "$SEGUE" run --report "${PINGPONG:-${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tools/demo/pingpong}"
expect "a program of Segue's" "segue run: 0 queue pairs taken"

# callgrind counts the program. Below it doorbells cannot trap, which softhca says.
need valgrind valgrind
SOFTHCA_DOORBELL=trap alone "callgrind" valgrind --tool=callgrind --callgrind-out-file=/dev/null "$LOGS/symbol_lookup" linked
expect "callgrind" "written 100 times"
expect "callgrind" "doorbells are polled"

# What cannot be reached is named.
printf 'int main(void) { return 3; }\n' >"$LOGS/static.c"
good "compiling, static" compile -static -o "$LOGS/static" "$LOGS/static.c"
refuses "static" 3 "warning: nothing can be loaded before the libraries of $LOGS/static" "$LOGS/static"
refuses "no program" 127 "cannot run no-such-program: No such file" no-such-program
refuses "unknown option" 2 "there is no option '--what'" --what ls
refuses "nothing to run" 2 "there is no program to run"
finish
