/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Meeting after a process has died and come back, which has failed a first attempt, or of another
 * multi-channel.
 *
 * An attempt has a number: the sum of the processes that all ranks have had. Ranks that know the
 * same processes know the same number, and when one dies and comes back while they meet, the number
 * grows. So values of one attempt are never taken for those of the next, and no fence is needed,
 * which would fail after a death. Each rank puts an endpoint for each other one, connects to all of
 * theirs, puts a word when it is done, and is up when all have put theirs.
 */
#include <errno.h>
#include <stdio.h>

#include "runtime/peers/channel/multi_channel.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

struct attempt {
	struct segue_multi_channel *multi;
	struct segue_world *world;
	uint32_t sum;
	bool changed; /* a process died or came back, so the next attempt is due */
	segue_deadline deadline;
};

void seguei_meet_key_anew(char *key, const struct segue_multi_channel *multi, uint32_t sum,
			  uint32_t to)
{
	(void)snprintf(key, SEGUE_WORLD_KEY_MAX + 1, "mc/%s/anew %x/%x",
		       multi->more->rendezvous.name, sum, to);
}

static void key_of_word(char *key, const struct attempt *attempt)
{
	(void)snprintf(key, SEGUE_WORLD_KEY_MAX + 1, "mc/%s/anew %x+",
		       attempt->multi->more->rendezvous.name, attempt->sum);
}

int seguei_meet_lives(struct segue_multi_channel *multi, struct segue_world *world, uint32_t *sum)
{
	uint32_t i, life = 0, dead = SEGUE_PEER_NONE;
	bool gone;
	int ret = 0;

	for (*sum = i = 0; i < multi->count && !ret; i++) {
		ret = segue_world_query_gone(world, i, &gone, &life);
		if (!ret && gone)
			dead = i;
		else if (!ret)
			seguei_peer_set_life(multi, i, life);
		*sum += life;
	}
	if (ret || dead == SEGUE_PEER_NONE)
		return ret;
	return seguei_fail(ENOTCONN,
			   "Multi-channel '%s': rank %u has died; meet again when it is back.",
			   multi->more->rendezvous.name, dead);
}

/* The values of an earlier attempt are no longer needed. */
static int put_endpoints(const struct attempt *attempt)
{
	char key[SEGUE_WORLD_KEY_MAX + 1];
	uint32_t i;
	int ret = seguei_channels_make_all(attempt->multi);

	for (i = 0; i < attempt->multi->count && !ret; i++) {
		const struct segue_channel *channel = &attempt->multi->channels[i];

		if (channel->state != SEGUE_CHANNEL_READY || channel->number)
			ret = segue_multi_channel_restart_peer(attempt->multi, i,
							       attempt->deadline);
		seguei_meet_key_anew(key, attempt->multi, attempt->sum, i);
		if (!ret)
			ret = seguei_meet_put_endpoint(attempt->multi, attempt->world, i, key);
	}
	return ret;
}

/* Asks once: 0 and the answer, or -EAGAIN if it is not there yet. */
typedef int look(const struct attempt *attempt, uint32_t index);

static int look_for_endpoint(const struct attempt *attempt, uint32_t index)
{
	struct segue_channel *channel = &attempt->multi->channels[index];
	char key[SEGUE_WORLD_KEY_MAX + 1];
	struct segue_endpoint theirs;
	int ret;

	seguei_meet_key_anew(key, attempt->multi, attempt->sum, attempt->multi->more->options.self);
	ret = seguei_meet_get_endpoint(attempt->multi, attempt->world, index, key, &theirs,
				       seguei_meet_soon());
	if (ret)
		return seguei_meet_not_yet(ret) ? -EAGAIN : ret;
	ret = seguei_channel_connect(channel, &theirs);
	seguei_channel_hide(channel);
	return ret;
}

static int look_for_word(const struct attempt *attempt, uint32_t index)
{
	char key[SEGUE_WORLD_KEY_MAX + 1], byte[2];
	struct segue_world_value value = {.data = byte, .size = sizeof(byte)};
	int ret;

	key_of_word(key, attempt);
	ret = segue_world_get(attempt->world, index, key, seguei_meet_soon(), &value);
	return seguei_meet_not_yet(ret) ? -EAGAIN : ret;
}

/* Asks about all ranks in turn. Peers of other multi-channels do not depend on each other. */
static int look_at_all(struct attempt *attempt, look *one)
{
	uint32_t index = 0, sum;

	while (index < attempt->multi->count) {
		const bool late = !segue_deadline_left_ms(attempt->deadline);
		int ret = one(attempt, index);

		if (!ret) {
			index++;
			continue;
		}
		if (ret != -EAGAIN)
			return ret;
		ret = seguei_meet_lives(attempt->multi, attempt->world, &sum);
		attempt->changed = !ret && sum != attempt->sum;
		if (ret || attempt->changed)
			return ret;
		if (late)
			return seguei_fail(
				ETIMEDOUT,
				"Multi-channel '%s': rank %u has not come to meet again in time.",
				attempt->multi->more->rendezvous.name, index);
		ret = seguei_meet_pause(attempt->multi);
		if (ret)
			return ret;
	}
	return 0;
}

static int try_once(struct attempt *attempt)
{
	char key[SEGUE_WORLD_KEY_MAX + 1];
	uint32_t i;
	int ret;

	attempt->changed = false;
	ret = seguei_meet_lives(attempt->multi, attempt->world, &attempt->sum);
	if (!ret)
		ret = put_endpoints(attempt);
	if (!ret)
		ret = look_at_all(attempt, look_for_endpoint);
	key_of_word(key, attempt);
	if (!ret && !attempt->changed)
		ret = segue_world_put(attempt->world, key, "up", 2);
	if (!ret && !attempt->changed)
		ret = look_at_all(attempt, look_for_word);
	for (i = 0; i < attempt->multi->count && !ret && !attempt->changed; i++)
		seguei_channel_show(&attempt->multi->channels[i]);
	return ret;
}

int seguei_meet_anew(struct segue_multi_channel *multi, struct segue_world *world,
		     segue_deadline deadline)
{
	struct attempt attempt = {.multi = multi, .world = world, .deadline = deadline};
	int ret;

	do
		ret = try_once(&attempt);
	while (!ret && attempt.changed);
	return ret;
}
