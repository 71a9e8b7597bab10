#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: run.sh PROGRAM [softhca options]: a test on the emulated device. The program knows nothing of it.
set -eu
top=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
export SOFTHCA_DIR=${TEST_TMPDIR:-/tmp}/segue-test-$$
# Memory by a descriptor needs no /dev/udmabuf. SQD is a part of verbs, although mlx5's kernel driver does not lead there. The device is on a
# node, also in a machine that has only one.
export SOFTHCA_CAPS=memfd_dmabuf=1,sqd=1,numa_node=0
program=$1
shift
exec "$top/tools/softhca/softhca" "$@" "$top/tests/runtime/control/$program"
