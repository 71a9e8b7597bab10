# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Huge pages for the time of the tests. Sourced by tools/test and tools/matrix; needs say of tools/lib/packages.sh.

HUGE_PAGES=48       # 96 MB of the usual size
HUGE_PAGES_HAD=     # what the system had, once it has more
PROC=${PROC:-/proc} # a test has another one

# lend_huge_pages: has the system reserve some where we may ask it and pages are of the usual size. Where it has none the tests that want them skip by name.
lend_huge_pages() {
	local file=$PROC/sys/vm/nr_hugepages free size

	free=$(sed -nE 's/^HugePages_Free: +([0-9]+)$/\1/p' "$PROC/meminfo" 2>/dev/null)
	size=$(sed -nE 's/^Hugepagesize: +([0-9]+) kB$/\1/p' "$PROC/meminfo" 2>/dev/null)
	if [ "${free:-0}" -ge "$HUGE_PAGES" ] || [ "${size:-0}" -ne 2048 ] || [ ! -w "$file" ]; then
		return
	fi
	HUGE_PAGES_HAD=$(cat "$file")
	say "reserving $HUGE_PAGES huge pages for the tests, and giving them back afterwards"
	echo $((HUGE_PAGES_HAD + HUGE_PAGES - free)) >"$file" || true
}

# give_back_huge_pages: the system has as many as before.
give_back_huge_pages() {
	[ -z "$HUGE_PAGES_HAD" ] || echo "$HUGE_PAGES_HAD" >"$PROC/sys/vm/nr_hugepages"
}
