#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Programs that are compiled with _FORTIFY_SOURCE reach the device by other names of the C library's functions.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")

for level in 2 3; do
	client=$here/fortified_${level}_client
	for name in __poll_chk __read_chk __readlink_chk __readlinkat_chk __realpath_chk __open_2; do
		if ! nm -D --undefined-only "$client" | grep -q " $name\(@\|$\)"; then
			echo "FAIL: $client does not call $name(), so nothing is tried"
			FAILED=$((FAILED + 1))
		fi
	done
	for doorbell in poll trap; do
		alone "fortified_client $level $doorbell" --doorbell "$doorbell" --link ib "$client"
	done
done
# A buffer that is too small is found as ever.
if "$SOFTHCA" "$here/fortified_3_client" overflow >"$LOGS/out" 2>&1; then
	echo "FAIL: more was read than there was room for"
	FAILED=$((FAILED + 1))
fi
expect "the overflow is named" "buffer overflow detected"
finish
