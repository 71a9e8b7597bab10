#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Thousands of queue pairs and of doorbell pages in one process: many.sh DOORBELL
. "$(dirname "$0")/lib.sh"
client=$(dirname "$0")/many_client

LIMIT=800 alone "queues" --doorbell "$1" "$client" queues
sed 's/^/  /' "$LOGS/out"
alone "pages" --doorbell "$1" "$client" pages
expect "pages" "doorbell pages"
finish
