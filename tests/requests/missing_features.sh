#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What segue_qp_supports() says on devices each of which lacks one thing, with the words of who is asked.
set -euo pipefail
top=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
export SOFTHCA_DIR=${TEST_TMPDIR:-/tmp}/segue-test-$$
for lack in $("$top/tests/requests/requests" --lacks); do
	"$top/tools/softhca/softhca" --link roce --caps "$lack" "$top/tests/requests/requests" --gtest_filter=Can.KnowsWhatTheDeviceLacks --gtest_brief=1
done
