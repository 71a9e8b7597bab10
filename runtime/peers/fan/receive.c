/* SPDX-License-Identifier: BSD-2-Clause */
/* Receives one message from each of a set of peers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/peers/channel/multi_channel.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"
#include "segue/peers/fan.h"
#include "segue/peers/multi_channel.h"

struct gathering {
	const struct segue_fan *fan;
	const struct segue_local_buf *to;
	uint32_t *table; /* index in the fan plus one, or 0, by a hash of the peer */
	uint32_t mask;
	bool *came; /* by index */
	uint32_t pending;
};

static uint32_t peer_of(const struct segue_fan *fan, uint32_t i)
{
	return fan->peers ? fan->peers[i] : i;
}

/* A peer's slot in the table, or an empty one. */
static uint32_t *slot_of(const struct gathering *g, uint32_t peer)
{
	uint32_t at = (peer * 0x9e3779b1u >> 7) & g->mask;

	while (g->table[at] && peer_of(g->fan, g->table[at] - 1) != peer)
		at = (at + 1) & g->mask;
	return &g->table[at];
}

/* Index of the message's peer plus one, or 0 if the message is not expected. */
static uint32_t place_of(const struct gathering *g, uint32_t peer)
{
	const uint32_t place = *slot_of(g, peer);

	return place && !g->came[place - 1] ? place : 0;
}

static void take(struct gathering *g, uint32_t place, const struct segue_wc *wc)
{
	struct segue_multi_channel *multi = g->fan->multi;
	struct segue_fan_result *result = &g->fan->results[place - 1];
	const struct segue_local_buf *to = &g->to[place - 1];
	const uint32_t size = segue_multi_channel_payload_size(multi, wc);

	result->bytes = size;
	result->error = size > to->length ? -EMSGSIZE : 0;
	result->end = SEGUE_OUTCOME_EXECUTED;
	memcpy((void *)(uintptr_t)to->addr, segue_multi_channel_payload(multi, wc),
	       size < to->length ? size : to->length);
	segue_multi_channel_give_back(multi, wc);
	g->came[place - 1] = true;
	g->pending--;
}

static void on_completion(const struct segue_wc *wc, void *arg)
{
	struct gathering *g = arg;
	const bool ours = segue_wc_is_receive(wc) && !wc->syndrome &&
			  segue_multi_channel_of(wc) == g->fan->multi;
	const uint32_t place = ours ? place_of(g, wc->peer.index) : 0;

	if (place)
		take(g, place, wc);
	else
		seguei_multi_hand_out(wc, g->fan->multi);
}

/* Takes messages that came earlier. */
static bool take_kept(const struct segue_wc *wc, void *arg)
{
	struct gathering *g = arg;
	const uint32_t place = segue_wc_is_receive(wc) && !wc->syndrome
				       ? place_of(g, wc->peer.index)
				       : 0;

	if (place)
		take(g, place, wc);
	return place != 0;
}

static bool count_message(const struct segue_wc *wc, void *arg)
{
	*(uint32_t *)arg += segue_wc_is_receive(wc);
	return false;
}

/* All receives hold messages that were not asked for, so no other message can come. */
static int check_room(const struct gathering *g)
{
	struct seguei_multi_more *more = g->fan->multi->more;
	uint32_t messages = 0;

	if (more->backlog.count < more->options.receives)
		return 0;
	seguei_kept_take(g->fan->multi, count_message, &messages);
	if (messages < more->options.receives)
		return 0;
	return seguei_fail(
		ENOBUFS,
		"segue_fan_receive(): all %u receives hold messages that this call does not ask "
		"for; take them with "
		"segue_multi_channel_poll_each(), or open the multi-channel with more receives.",
		messages);
}

static bool is_silent(const void *arg, uint32_t index)
{
	const struct gathering *g = arg;

	return place_of(g, index) != 0;
}

/* Gives up peers that are known to be dead. */
static void give_up_dead(struct gathering *g)
{
	uint32_t i;

	for (i = 0; i < g->fan->count && g->fan->multi->more->changes.n_failed; i++) {
		const struct segue_channel *channel = &g->fan->multi->channels[peer_of(g->fan, i)];

		if (g->came[i] || channel->state != SEGUE_CHANNEL_FAILED)
			continue;
		g->fan->results[i].error = -ENOTCONN;
		g->fan->results[i].end = SEGUE_OUTCOME_NOT_EXECUTED;
		g->fan->results[i].sentence = segue_channel_reason(channel);
		g->came[i] = true;
		g->pending--;
	}
}

static int run(struct gathering *g)
{
	struct segue_multi_channel *multi = g->fan->multi;
	char names[160];
	uint32_t i;
	int ret = 0;

	seguei_kept_take(multi, take_kept, g);
	while (g->pending) {
		const bool late = !segue_deadline_left_ms(g->fan->deadline);

		ret = seguei_multi_poll_for(multi, on_completion, g);
		give_up_dead(g);
		if (ret >= 0)
			ret = g->pending ? check_room(g) : 0;
		if (ret)
			break;
		if (!late || !g->pending)
			continue;
		for (i = 0; i < g->fan->count; i++)
			if (!g->came[i])
				g->fan->results[i].error = -ETIMEDOUT;
		(void)seguei_world_name_ranks(names, sizeof(names), multi->count, is_silent, g);
		return seguei_fail(ETIMEDOUT, "segue_fan_receive(): no message in time from %s.",
				   names);
	}
	for (i = 0; i < g->fan->count && ret; i++)
		if (!g->came[i])
			g->fan->results[i].error = ret;
	for (i = 0; i < g->fan->count && !ret; i++)
		if (g->fan->results[i].error)
			return g->fan->results[i].sentence[0]
				       ? seguei_fail(EIO, "segue_fan_receive(): %s",
						     g->fan->results[i].sentence)
				       : seguei_fail(EIO,
						     "segue_fan_receive(): peer %u: its message "
						     "is too long",
						     peer_of(g->fan, i));
	return ret;
}

int segue_fan_receive(const struct segue_fan *fan, const struct segue_local_buf *to)
{
	struct segue_multi_channel *multi = fan->multi;
	struct gathering g = {.fan = fan, .to = to, .pending = fan->count};
	struct segue_channel *channel;
	uint32_t i;
	int ret = 0;

	if (multi->transport == SEGUE_TRANSPORT_DC && !multi->more->options.imm_names_sender)
		return seguei_fail(ENOTSUP,
				   "segue_fan_receive(): over DC a receive does not name its "
				   "sender; open the multi-channel with imm_names_sender.");
	for (g.mask = 1; g.mask < 2 * fan->count; g.mask = 2 * g.mask + 1)
		;
	g.table = calloc((size_t)g.mask + 1, sizeof(*g.table));
	g.came = calloc(fan->count ? fan->count : 1, sizeof(*g.came));
	if (!g.table || !g.came)
		ret = seguei_fail(ENOMEM, "segue_fan_receive(): no memory for %u peers.",
				  fan->count);
	for (i = 0; i < fan->count && !ret; i++) {
		ret = seguei_multi_check_index(multi, "segue_fan_receive()", peer_of(fan, i));
		fan->results[i] = (struct segue_fan_result){.end = SEGUE_OUTCOME_NOT_EXECUTED,
							    .sentence = ""};
		if (!ret) /* keepalive watches the peers that this side waits for */
			ret = seguei_channel_make(multi, peer_of(fan, i), &channel);
		if (!ret && *slot_of(&g, peer_of(fan, i)))
			ret = seguei_fail(EINVAL, "segue_fan_receive(): peer %u is given twice.",
					  peer_of(fan, i));
		if (!ret)
			*slot_of(&g, peer_of(fan, i)) = i + 1;
	}
	if (!ret)
		ret = run(&g);
	if (multi->due) /* needed even if all messages had come before and nothing was polled */
		seguei_multi_see_to(multi);
	free(g.table);
	free(g.came);
	return ret;
}
