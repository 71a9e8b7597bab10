# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Huge pages for the time of the tests. Sourced by tools/test and tools/matrix; needs say of tools/lib/packages.sh.

HUGE_PAGES=48       # 96 MB of the usual size
HUGE_PAGES_LENT=0   # those that it has more for our sake
PROC=${PROC:-/proc} # a test has another one

# lend_huge_pages: has the system reserve some where we may ask it and pages are of the usual size. Where it has none the tests that want them
# skip by name. A system whose memory is in pieces finds a few only, for which tests would compete: those go back at once. Another run's are not
# ours: it takes them along when it ends.
lend_huge_pages() {
	local file=$PROC/sys/vm/nr_hugepages had size

	size=$(sed -nE 's/^Hugepagesize: +([0-9]+) kB$/\1/p' "$PROC/meminfo" 2>/dev/null)
	if [ "${size:-0}" -ne 2048 ] || [ ! -w "$file" ]; then
		return
	fi
	had=$(cat "$file")
	reserve_huge_pages "$file" $((had + HUGE_PAGES))
	HUGE_PAGES_LENT=$(($(cat "$file") - had))
	if [ "$HUGE_PAGES_LENT" -lt "$HUGE_PAGES" ]; then
		say "the system finds $HUGE_PAGES_LENT of $HUGE_PAGES huge pages; going on without"
		give_back_huge_pages
		HUGE_PAGES_LENT=0
		return
	fi
	say "reserved $HUGE_PAGES huge pages for the tests, and giving them back afterwards"
}

# reserve_huge_pages FILE COUNT: a test has another one.
reserve_huge_pages() {
	echo "$2" >"$1" || true
}

# give_back_huge_pages: the system has so many less, whatever others have done meanwhile.
give_back_huge_pages() {
	local file=$PROC/sys/vm/nr_hugepages

	[ "$HUGE_PAGES_LENT" -le 0 ] || echo $(($(cat "$file") - HUGE_PAGES_LENT)) >"$file"
}
