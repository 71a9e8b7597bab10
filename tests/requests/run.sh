#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: run.sh [softhca options]: the recipes on the emulated device.
set -eu
top=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
export SOFTHCA_DIR=${TEST_TMPDIR:-/tmp}/segue-test-$$
export SEGUE_TEST_SCAPY=$top/tests/requests/frames_by_scapy.py
exec "$top/tools/softhca/softhca" "$@" "$top/tests/requests/requests" ${GTEST_FILTER:+"--gtest_filter=$GTEST_FILTER"}
