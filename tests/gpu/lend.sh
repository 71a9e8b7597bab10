#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# lend.sh PROGRAM: queues that are lent, on the emulated device. Its referee has something to say of the failure alone, which is meant.
set -euo pipefail
root=$TEST_SRCDIR/$TEST_WORKSPACE
export SOFTHCA_DIR=$TEST_TMPDIR/softhca
export SOFTHCA_CAPS=memfd_dmabuf=1 # a memfd is the memory of a GPU
"$root/tools/softhca/softhca" --strict "$root/tests/gpu/$1" --gtest_filter="-*.AFailure*"
"$root/tools/softhca/softhca" "$root/tests/gpu/$1" --gtest_filter="*.AFailure*"
