#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Verbs programs that know nothing of softhca, one per concept, in both doorbell modes.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")

for doorbell in poll trap; do
	for link in ib roce; do
		alone "card_client $doorbell $link" --doorbell "$doorbell" --link "$link" "$here/card_client"
		alone "counter_client $doorbell $link" --doorbell "$doorbell" --link "$link" "$here/counter_client"
		alone "chaos_client $doorbell $link" --doorbell "$doorbell" --link "$link" --devices 3 "$here/chaos_client"
		alone "migration_client $doorbell $link" --doorbell "$doorbell" --link "$link" --ports 2 "$here/migration_client"
		alone "memory_client $doorbell $link" --doorbell "$doorbell" --link "$link" "$here/memory_client"
	done
	for kind in dc rc; do
		alone "target_exit_client $doorbell $kind" --doorbell "$doorbell" "$here/target_exit_client" "$kind" 3
		alone "target_exit_client $doorbell $kind udp" --wire udp --doorbell "$doorbell" "$here/target_exit_client" "$kind" 3
	done
	for kind in ud uc; do
		alone "sender_exit_client $doorbell $kind" --doorbell "$doorbell" "$here/sender_exit_client" "$kind"
		alone "sender_exit_client $doorbell $kind udp" --wire udp --doorbell "$doorbell" "$here/sender_exit_client" "$kind"
	done
	alone "lanes_client $doorbell" --doorbell "$doorbell" "$here/lanes_client"
	alone "ops_client $doorbell" --doorbell "$doorbell" "$here/ops_client"
	alone "memory_client $doorbell memfd" --doorbell "$doorbell" --caps memfd_dmabuf=1 "$here/memory_client" memfd
	alone "devx_async_client $doorbell" --doorbell "$doorbell" "$here/devx_async_client"
	alone "xrc_client $doorbell" --doorbell "$doorbell" "$here/xrc_client"
	alone "cross_channel_client $doorbell" --doorbell "$doorbell" "$here/cross_channel_client"
	# Raw packets are for Ethernet.
	alone "pace_client $doorbell" --doorbell "$doorbell" --link roce "$here/pace_client"
	alone "raw_client $doorbell" --doorbell "$doorbell" --link roce "$here/raw_client"
	alone "steering_client $doorbell" --doorbell "$doorbell" --link roce --strict "$here/steering_client"
done
for link in ib roce; do
	alone "refusal_client $link" --link "$link" "$here/refusal_client"
done
alone "refusal_client few keys" --caps max_mr=40,max_mw=40 "$here/refusal_client" few
alone "corner_client poll ib" --doorbell poll --link ib "$here/corner_client"
alone "corner_client trap roce" --doorbell trap --link roce "$here/corner_client"
WITHOUT_CROSS_CHANNEL=1 alone "cross_channel_client without" --caps wait_cq=0 "$here/cross_channel_client"
finish
