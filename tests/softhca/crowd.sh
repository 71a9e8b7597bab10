#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Many more processes than processors, all of which spin for their completions: crowd.sh DOORBELL. Nothing is faulty, so no request may run
# out of retries, however long its peer waits for a processor.
. "$(dirname "$0")/lib.sh"
client=$(dirname "$0")/crowd_client

LIMIT=60 alone "24 processes" --doorbell "$1" "$client" 24 40
sed 's/^/  /' "$LOGS/out"
LIMIT=60 alone "64 processes" --doorbell "$1" "$client" 64 20
sed 's/^/  /' "$LOGS/out"
finish
