#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The requests that libmlx5 writes, recorded and given to the engine's fuzzer: as they are, they must succeed; changed at
# random, nothing may crash. SEGUE_TEST_SEED repeats a run.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")
corpus=$LOGS/corpus
mkdir "$corpus"
alone corpus_client "$here/corpus_client" "$corpus"
export FUZZ_CORPUS=$corpus
if "$here/engine_fuzz" --gtest_filter=EngineFuzz.RequestsOfLibmlx5 >"$LOGS/out" 2>/dev/null; then
	PASSED=$((PASSED + 1))
else
	FAILED=$((FAILED + 1))
	tail -n 20 "$LOGS/out"
fi
expect "the corpus was replayed" "1 test from 1 test suite ran"
finish
