# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# What the tests of the demo share. Sourced.
top=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}
softhca=$top/tools/softhca/softhca
pingpong=$top/tools/demo/pingpong
tmp=${TEST_TMPDIR:-$(mktemp -d)}
export SOFTHCA_DIR=$tmp/softhca-$$ SEGUE_TOKEN=of-this-test

# fail TEXT [FILE...]: ends the test, showing the files.
fail() {
	local file

	echo "FAILED: $1"
	shift
	for file in "$@"; do
		echo "--- $file"
		cat "$file"
	done
	exit 1
}

# expect FILE PATTERN: the file has a line that matches.
expect() {
	grep -qE -- "$2" "$1" || fail "expected /$2/ in $1" "$1"
}

# status_of FILE COMMAND...: runs it, its output in the file, its exit status in $status.
status_of() {
	local file=$1

	shift
	status=0
	"$@" >"$file" 2>&1 || status=$?
}
