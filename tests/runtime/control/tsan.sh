#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: tsan.sh PROGRAM: a test that is instrumented for ThreadSanitizer, on the emulated device, which is not.
set -eu
top=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
here=$top/tests/runtime/control
export SOFTHCA_DIR=${TEST_TMPDIR:-/tmp}/segue-test-$$
export SOFTHCA_CAPS=memfd_dmabuf=1,sqd=1,numa_node=0
export TSAN_OPTIONS=suppressions=$here/tsan.supp:report_signal_unsafe=0:halt_on_error=1:exitcode=66
# gcc 12's ThreadSanitizer does not start, now and then, where the kernel spreads addresses widely (vm.mmap_rnd_bits above 28).
for _ in 1 2 3 4 5; do
	said=$("$here/$1" --gtest_list_tests 2>&1) && continue
	if grep -q 'FATAL: ThreadSanitizer: unexpected memory mapping' <<<"$said"; then
		echo "SKIPPED: ThreadSanitizer does not start here; try sysctl vm.mmap_rnd_bits=28"
		exit 0
	fi
	echo "FAILED: $1 does not start: $said"
	exit 1
done
# It wants to be first; the launcher puts itself behind. clang's is a part of the program.
LD_PRELOAD=$(ldd "$here/$1" | awk '$1 ~ /^libtsan/ { print $3 }') exec "$top/tools/softhca/softhca" --doorbell poll "$here/$1"
