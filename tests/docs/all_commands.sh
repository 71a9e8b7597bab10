#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# All fenced commands of the pages, by hand, with the real Bazel and what takes long: in a copy of what git knows, with namespaces and an
# empty /usr/local of its own. Takes about ten minutes on two processors.
set -euo pipefail
cd "$(dirname "$0")/../.."
copy=$(mktemp -d /tmp/segue-by-hand.XXXXXX)
trap 'chmod -R u+w "$copy"; rm -rf "$copy"' EXIT
bazel build //tests/docs:commands_test
git ls-files -z --cached --others --exclude-standard | tar --null -T - -c | tar -x -C "$copy"
runfiles=$PWD/bazel-bin/tests/docs/commands_test.runfiles/segue
cd "$runfiles"
BY_HAND=$copy PYTHONPATH=. /usr/bin/python3 tests/docs/commands_test.py
