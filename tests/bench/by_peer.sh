#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What a peer costs: a post by peer beside the same post on its queue, a completion that names its peer beside one that does not. The same
# for one peer and for 65,536.
set -eu
tools=${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-segue}/tools/bench
# shellcheck source=tools/bench/counted.sh
. "$tools/counted.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
below=()

parts=(rc-direct 256 dc-direct 256 poll-direct 256)
for what in rc dc poll poll-dc; do
	for peers in 1 256 4096 65536; do parts+=("$what" "$peers"); done
done
figures=$(counted "$tools/by_peer" "${parts[@]}")

bad=0
# gate WHAT DIRECT MORE: WHAT takes at most MORE instructions more than DIRECT, and the same for any number of peers.
gate() {
	awk -v what="$1" -v beside="$2" -v more="$3" '
		$1 == beside { direct = $3 }
		$1 != what { next }
		{
			printf "%s, %d peers: %.2f instructions; %s: %.2f\n", what, $2, $3, beside, direct
			if (!count++ || $3 < least) least = $3
			if ($3 > most) most = $3
		}
		END {
			if (count == 4 && most - least <= 2 && most - direct <= more && direct >= 10) exit 0
			printf "FAILED: %s takes %.2f to %.2f instructions, expected at most %d more than %.2f, and no more than 2 between them\n",
				what, least, most, more, direct
			exit 1
		}' <<<"$figures" || bad=1
}

gate rc rc-direct 12
gate dc dc-direct 30
gate poll poll-direct 12
gate poll-dc poll-direct 12
exit $bad
