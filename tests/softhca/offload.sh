#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Keys with signatures and crypto over unmodified libmlx5, in both doorbell modes, strictly; and with packets lost, repeated and out of
# order, after which every byte must still be right.
. "$(dirname "$0")/lib.sh"
client=$(dirname "$0")/offload_client

for doorbell in poll trap; do
	for link in ib roce; do
		alone "offload_client $doorbell $link" --strict --doorbell "$doorbell" --link "$link" "$client"
	done
done
printf 'seed 7\ndrop 2%%\nduplicate 1%%\nreorder 1%% 3\n' >"$LOGS/faults"
alone "offload_client with faults" --strict --faults "$LOGS/faults" "$client"
finish
