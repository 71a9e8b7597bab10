# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Huge pages for the time of the tests. Sourced by tools/test and tools/matrix; needs say of tools/lib/packages.sh.

HUGE_PAGES=48       # 96 MB of the usual size
HUGE_PAGES_LENT=0   # those that it has more for our sake
PROC=${PROC:-/proc} # a test has another one

# lend_huge_pages: has the system reserve some where we may ask it and pages are of the usual size. Where it has none the tests that want them
# skip by name. Another run's are not ours: it takes them along when it ends.
lend_huge_pages() {
	local file=$PROC/sys/vm/nr_hugepages had size

	size=$(sed -nE 's/^Hugepagesize: +([0-9]+) kB$/\1/p' "$PROC/meminfo" 2>/dev/null)
	if [ "${size:-0}" -ne 2048 ] || [ ! -w "$file" ]; then
		return
	fi
	had=$(cat "$file")
	say "reserving $HUGE_PAGES huge pages for the tests, and giving them back afterwards"
	echo $((had + HUGE_PAGES)) >"$file" || true
	HUGE_PAGES_LENT=$(($(cat "$file") - had))
}

# give_back_huge_pages: the system has so many less, whatever others have done meanwhile.
give_back_huge_pages() {
	local file=$PROC/sys/vm/nr_hugepages

	[ "$HUGE_PAGES_LENT" -le 0 ] || echo $(($(cat "$file") - HUGE_PAGES_LENT)) >"$file"
}
