#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# on_softhca.sh LINK PROGRAM...: runs a program on the emulated device.
link=$1
shift
export SOFTHCA_DIR=${TEST_TMPDIR:-/tmp}/softhca-$$
exec "${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tools/softhca/softhca" --link "$link" "$@"
