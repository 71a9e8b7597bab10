#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Many more processes than processors, all of which spin for their completions: crowd.sh DOORBELL. Nothing is faulty, so no request may run
# out of retries, however long its peer waits for a processor.
. "$(dirname "$0")/lib.sh"
client=$(dirname "$0")/crowd_client

crowd() {
	LIMIT=80 alone "$2 processes" --doorbell "$1" "$client" "$2" "$3"
	expect "$2 processes" "$2 processes, 0 failures"
	tail -n 1 "$LOGS/out"
}

crowd "$1" 24 40
# A trap for each doorbell, among so many, takes minutes.
[ "$1" = trap ] || crowd "$1" 64 10
finish
