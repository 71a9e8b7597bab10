#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The page of what is carried out is what the recipes say.
set -eu
top=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
"$top/tests/requests/requests" --table | diff -u "$top/docs/reference/carried-out.md" - && exit 0
echo "docs/reference/carried-out.md is not what the recipes say; refresh it: bazel run //tests/requests -- --table > docs/reference/carried-out.md" >&2
exit 1
