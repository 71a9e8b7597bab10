# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# What a test needs of the machine: skipped by name where it cannot be had, and failed else. Source it.

# missing KIND WHAT HELP: what a test needs is not there. Where tools/test knows that there is none of its KIND, "packages" or "namespaces", the
# test is counted as skipped.
missing() {
	if [[ " ${SEGUE_MAY_SKIP:-} " == *" $1 "* ]]; then
		echo "SKIPPED: $2 is missing"
		exit 0
	fi
	echo "FAIL $2 is missing: $3"
	exit 1
}

# absent WHAT PACKAGE...: it is not installed.
absent() { missing packages "$1" "apt-get install ${*:2}"; }

# need PROGRAM PACKAGE: the programs under test are the distribution's.
need() {
	command -v "$1" >/dev/null || absent "$@"
}
