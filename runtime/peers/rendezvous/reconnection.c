/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A peer's next generation over a world. Either another process has taken its place, or it lives
 * and was out of reach for a while.
 *
 * Two live peers both call, in any order and as often as they like. Attempts are numbered. A call
 * begins the next attempt, or joins the peer's if that one is ahead. In each attempt a side puts an
 * endpoint, connects to the endpoint that the peer has put in the same attempt, and puts a word. It
 * is up when the peer's word is there, too. So an endpoint belongs to one attempt of both, and a
 * value that was put before a side gave up is never an answer to a later call. No values stay in
 * the world: a side that has the peer's word drops its own values, and takes that word.
 *
 * If one side gives up just before the other succeeds, traffic fails, and both call again.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/peers/channel/multi_channel.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"

struct renewal {
	struct segue_channel *channel;
	struct segue_world *world;
	bool connected; /* with the peer's endpoint of this attempt, channel->more->tries */
	bool ends;	/* ends with the peer's death or failure. Otherwise it waits for another
			   process in the peer's place */
	segue_deadline deadline;
};

static const struct seguei_multi_more *more_of(const struct renewal *r)
{
	return r->channel->multi->more;
}

/* Key of a value for the peer in an attempt. The number is hexadecimal, because keys are short. */
static void try_key(char key[SEGUE_WORLD_KEY_MAX + 1], const struct renewal *r, bool mine,
		    uint32_t number, const char *what)
{
	const struct segue_channel *channel = r->channel;
	const uint32_t self = more_of(r)->options.self, life = segue_world_incarnation(r->world);

	(void)snprintf(key, SEGUE_WORLD_KEY_MAX + 1, "mc/%s/%x/%x/%x/%x%s",
		       more_of(r)->rendezvous.name, mine ? life : channel->more->life,
		       mine ? channel->index : self, mine ? channel->more->life : life, number,
		       what);
}

/*
 * Key of the number of a side's last attempt, which shows the other side that its own number is an
 * older one. 0 means none.
 */
#define LAST_TRY 0, "last"

/*
 * Drops the values of this attempt, and words up to one that the peer no longer needs. The peer
 * takes the others, unless it gives up.
 */
static int drop_try(const struct renewal *r, uint32_t word)
{
	uint32_t number = r->channel->more->tries;
	char key[SEGUE_WORLD_KEY_MAX + 1];
	int ret;

	try_key(key, r, true, number, "");
	ret = segue_world_remove(r->world, key);
	try_key(key, r, true, LAST_TRY);
	if (!ret)
		ret = segue_world_remove(r->world, key);
	for (number = word > 1 ? word - 1 : 1; number <= word && !ret; number++) {
		try_key(key, r, true, number, "+");
		ret = segue_world_remove(r->world, key);
	}
	return ret;
}

static int put_try(const struct renewal *r)
{
	const uint32_t number = r->channel->more->tries;
	char key[SEGUE_WORLD_KEY_MAX + 1];
	uint8_t last[4];
	int ret;

	try_key(key, r, true, number, "");
	ret = seguei_meet_put_endpoint(r->channel->multi, r->world, r->channel->index, key);
	segue_put_be32(last, number);
	try_key(key, r, true, LAST_TRY);
	return ret ? ret : segue_world_put(r->world, key, last, sizeof(last));
}

/* The peer's number, or 0 if it is not known. An engine may notice a change late. */
static int look_for_last(const struct renewal *r, uint32_t *number)
{
	uint8_t last[4] = {0};
	struct segue_world_value value = {.data = last, .size = sizeof(last)};
	char key[SEGUE_WORLD_KEY_MAX + 1];
	int ret;

	try_key(key, r, false, LAST_TRY);
	ret = segue_world_get(r->world, r->channel->index, key, seguei_meet_soon(), &value);
	*number = segue_get_be32(last);
	return seguei_meet_not_yet(ret) ? 0 : ret;
}

/*
 * Joins a later attempt of the peer. Over RC this side uses another packet sequence number, because
 * the last one may have been used.
 */
static int go_on_to(struct renewal *r, uint32_t number)
{
	struct segue_channel *channel = r->channel;
	int ret = drop_try(r, channel->more->tries);

	channel->more->tries = number;
	channel->more->redraws++;
	r->connected = false;
	if (!ret && channel->multi->transport == SEGUE_TRANSPORT_RC) {
		ret = segue_qp_reset(channel->more->qp, seguei_multi_reset_handler, channel->multi);
		seguei_scopes_restarted(channel->multi, channel->more->qp);
	}
	return ret ? ret : put_try(r);
}

/* True if it was connected or has failed, so that its next generation has to begin. */
static bool is_used(const struct segue_channel *channel)
{
	return channel->state != SEGUE_CHANNEL_READY || channel->number;
}

/*
 * Connects to the peer's endpoint. Over DC and UD the peer has ended its generation when it puts an
 * endpoint: its messages have arrived, and the next generation begins.
 */
static int connect(struct renewal *r, const struct segue_endpoint *theirs, bool begins)
{
	struct segue_channel *channel = r->channel;
	char key[SEGUE_WORLD_KEY_MAX + 1];
	int ret = 0;

	if (begins && channel->multi->transport != SEGUE_TRANSPORT_RC && is_used(channel))
		ret = segue_multi_channel_restart_peer(channel->multi, channel->index, r->deadline);
	if (!ret)
		ret = seguei_channel_connect(channel, theirs);
	seguei_channel_hide(channel);
	if (ret)
		return ret;
	r->connected = true;
	try_key(key, r, true, channel->more->tries, "+");
	return segue_world_put(r->world, key, "up", 2);
}

/* Looks for the peer's endpoint of this attempt, or of a later one. */
static int look_for_endpoint(struct renewal *r)
{
	struct segue_channel *channel = r->channel;
	const bool begins = !r->connected;
	uint32_t number, wanted = channel->more->tries + r->connected;
	char key[SEGUE_WORLD_KEY_MAX + 1];
	struct segue_endpoint theirs;
	int ret = look_for_last(r, &number);

	if (ret || !number) /* it is put after an endpoint, and dropped after it */
		return ret;
	wanted = number > wanted ? number : wanted;
	try_key(key, r, false, wanted, "");
	ret = seguei_meet_get_endpoint(channel->multi, r->world, channel->index, key, &theirs,
				       seguei_meet_soon());
	if (ret)
		return seguei_meet_not_yet(ret) ? 0 : ret; /* or the peer is dead, and another
							      process may come */
	if (wanted != channel->more->tries)
		ret = go_on_to(r, wanted);
	return ret ? ret : connect(r, &theirs, begins);
}

/* True if the peer is connected, too. */
static int look_for_word(const struct renewal *r, bool *met)
{
	char key[SEGUE_WORLD_KEY_MAX + 1], byte[2];
	struct segue_world_value value = {.data = byte, .size = sizeof(byte)};
	int ret;

	if (!r->connected)
		return 0;
	try_key(key, r, false, r->channel->more->tries, "+");
	ret = segue_world_take(r->world, r->channel->index, key, seguei_meet_soon(), &value);
	*met = !ret;
	return seguei_meet_not_yet(ret) ? 0 : ret;
}

/* Begins an attempt with the process that is there then. */
static int next_try(struct renewal *r)
{
	struct segue_channel *channel = r->channel;
	int ret = channel->more->tries ? drop_try(r, channel->more->tries - 1) : 0;

	/* the peer may wait for the word of the attempt that this side has completed */
	channel->more->tries++;
	return ret ? ret : put_try(r);
}

/* Another process has taken the peer's place. */
static int go_over_to(struct renewal *r, uint32_t life)
{
	struct segue_channel *channel = r->channel;
	int ret = 0;

	/*
	 * Over RC the generation has begun already. If it was connected in an attempt of the
	 * earlier process, it begins again.
	 */
	if (channel->multi->transport == SEGUE_TRANSPORT_RC ? r->connected : is_used(channel))
		ret = segue_multi_channel_restart_peer(channel->multi, channel->index, r->deadline);
	if (!ret)
		ret = drop_try(r, channel->more->tries);
	channel->more->tries = 0;
	channel->more->life = life;
	r->connected = false;
	return ret ? ret : next_try(r);
}

/* Looks once for a peer's call or death. */
static int look(struct renewal *r)
{
	struct segue_channel *channel = r->channel;
	bool gone, met = false;
	uint32_t life;
	int ret = segue_world_query_gone(r->world, channel->index, &gone, &life);

	if (!ret && !gone && life != channel->more->life)
		return go_over_to(r, life);
	if (!ret)
		ret = look_for_word(r, &met);
	if (met) {
		seguei_channel_show(channel);
		(void)drop_try(r, channel->more->tries - 1);
		return 0;
	}
	if (!ret)
		ret = look_for_endpoint(r);
	if (ret || !r->ends)
		return ret;
	ret = segue_world_query_gone(r->world, channel->index, &gone, &life);
	if (!ret && gone && life == channel->more->life)
		seguei_channel_set_failed(channel, segue_errmsg());
	return ret;
}

static bool waits(const struct renewal *r)
{
	return r->ends ? r->channel->state == SEGUE_CHANNEL_READY
		       : r->channel->state != SEGUE_CHANNEL_UP;
}

/* -EAGAIN if some peers are still missing at the deadline. */
static int meet_again(struct renewal *all, uint32_t count)
{
	bool some = true;
	int ret = 0;

	while (!ret && some) {
		const bool late = !segue_deadline_left_ms(all->deadline);

		some = false;
		for (uint32_t i = 0; i < count && !ret; i++) {
			if (waits(&all[i]))
				ret = look(&all[i]);
			some |= waits(&all[i]);
		}
		if (!ret && some)
			ret = late ? -EAGAIN : seguei_meet_pause(all->channel->multi);
	}
	return ret;
}

/* This side is its own peer, so no question is needed. */
static int meet_self(struct segue_channel *channel)
{
	struct segue_endpoint mine;
	const int ret = segue_multi_channel_endpoint(channel->multi, channel->index, &mine);

	return ret ? ret : seguei_channel_connect(channel, &mine);
}

static int renew(struct renewal *r)
{
	struct segue_channel *channel = r->channel;
	struct segue_multi_channel *multi = channel->multi;
	const bool own = channel->index == more_of(r)->options.self;
	int ret;

	if (multi->transport == SEGUE_TRANSPORT_RC || own)
		ret = segue_multi_channel_restart_peer(multi, channel->index, r->deadline);
	else
		ret = segue_multi_channel_fail_peer(multi, channel->index, "it is being renewed");
	if (ret || own)
		return ret ? ret : meet_self(channel);
	ret = next_try(r);
	if (!ret)
		ret = meet_again(r, 1);
	return ret == -EAGAIN ? seguei_fail(ETIMEDOUT, "Peer %u has not come back in time.",
					    channel->index)
			      : ret;
}

int segue_multi_channel_meet_peer(struct segue_multi_channel *multi, struct segue_world *world,
				  uint32_t index, segue_deadline deadline)
{
	struct renewal r = {.world = world, .deadline = deadline};
	int ret = seguei_multi_check_index(multi, "segue_multi_channel_meet_peer()", index);

	if (ret)
		return ret;
	ret = seguei_channel_make(multi, index, &r.channel);
	if (ret)
		return ret;
	ret = renew(&r);
	if (ret)
		seguei_channel_set_failed(r.channel, segue_errmsg());
	return ret;
}

/* ---- reconnection to all: this process came back in place of another ---- */

int seguei_is_renewed_by(struct segue_multi_channel *multi, struct segue_world *world,
			 uint32_t index)
{
	const struct renewal r = {.channel = &multi->channels[index], .world = world};
	uint32_t number;
	const int ret = look_for_last(&r, &number);

	return ret || number ? ret : -ETIMEDOUT;
}

static bool is_not_met(const void *arg, uint32_t index)
{
	return ((const struct segue_multi_channel *)arg)->channels[index].state ==
	       SEGUE_CHANNEL_READY;
}

int seguei_return_to_all(struct segue_multi_channel *multi, struct segue_world *world,
			 segue_deadline deadline)
{
	struct renewal *all = calloc(multi->count, sizeof(*all));
	char names[160];
	uint32_t i;
	int ret = all ? meet_self(&multi->channels[multi->more->options.self])
		      : seguei_fail(ENOMEM, "Multi-channel: no memory for %u peers.", multi->count);

	for (i = 0; i < multi->count && !ret; i++) {
		all[i] = (struct renewal){.channel = &multi->channels[i],
					  .world = world,
					  .ends = true,
					  .deadline = deadline};
		if (i != multi->more->options.self)
			ret = next_try(&all[i]);
	}
	if (!ret)
		ret = meet_again(all, multi->count);
	free(all);
	if (ret != -EAGAIN)
		return ret;
	(void)seguei_world_name_ranks(names, sizeof(names), multi->count, is_not_met, multi);
	return seguei_fail(ETIMEDOUT,
			   "Multi-channel '%s': not renewed in time by %s; the others are met.",
			   multi->more->rendezvous.name, names);
}
