#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Rings of libmlx5, UCX and DPDK through `segue decode`: runs the tests of softhca that start their programs once more, with --dump, and
# holds what segue reads against mlx5dv.h (dumps.py). By hand: tests/segue/dumps.sh; about five minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/lib/packages.sh
install_missing "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
suites=(pingpong_ib_poll_test pingpong_roce_poll_test perftest_ib_poll_test perftest_roce_poll_test ucx_ib_poll_test ucx_roce_poll_test dpdk_poll_test)
say "running ${#suites[@]} suites"
bazel_command test --cache_test_results=no --test_env="SOFTHCA_DUMP=$folder" --sandbox_writable_path="$folder" "${suites[@]/#///tests/softhca:}"
bazel_command build //tools/segue
python3 tests/segue/dumps.py bazel-bin/tools/segue/segue "$folder"
