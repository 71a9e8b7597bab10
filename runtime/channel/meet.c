/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Channels over a world. Each process gives one endpoint to a fence that brings everybody's, and
 * puts over RC a vector of its queue pairs' numbers, of which each peer reads its own: 128 bytes
 * and 4 for each pair. A process that comes back puts its endpoint, too. Keys have the lives of
 * both, so that nobody reads what a former process has put.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/channel/multi.h"
#include "runtime/meet/world.h"
#include "segue/bytes.h"
#include "segue/errmsg.h"

static void key_of(char key[SEGUE_WORLD_KEY_MAX + 1], const struct seguei_multi_more *more,
		   uint32_t life, const char *what)
{
	(void)snprintf(key, SEGUE_WORLD_KEY_MAX + 1, "mc/%s/%u/%s", more->name, life, what);
}

/*
 * What one process puts for one other, when one of them has come back: an endpoint, and a word that
 * it is connected.
 */
static void pair_key(char key[SEGUE_WORLD_KEY_MAX + 1], const struct segue_channel *to,
		     struct segue_world *world, const char *what)
{
	(void)snprintf(key, SEGUE_WORLD_KEY_MAX + 1, "mc/%s/%u/to %u/%u%s", to->multi->more->name,
		       segue_world_life(world), to->index, to->more->life, what);
}

/* The same of the other one. */
static void pair_key_of(char key[SEGUE_WORLD_KEY_MAX + 1], const struct segue_channel *from,
			struct segue_world *world, const char *what)
{
	(void)snprintf(key, SEGUE_WORLD_KEY_MAX + 1, "mc/%s/%u/to %u/%u%s", from->multi->more->name,
		       from->more->life, from->multi->more->options.self, segue_world_life(world),
		       what);
}

static int put_numbers(struct segue_multi_channel *multi, struct segue_world *world)
{
	uint8_t *numbers = malloc((size_t)multi->count * 4);
	char key[SEGUE_WORLD_KEY_MAX + 1];
	uint32_t i;
	int ret;

	if (!numbers)
		return seguei_fail(ENOMEM, "Multi-channel: no memory for %u numbers.",
				   multi->count);
	for (i = 0; i < multi->count; i++)
		segue_put_be32(numbers + (size_t)i * 4,
			       segue_qp_number(multi->channels[i].more->qp));
	key_of(key, multi->more, segue_world_life(world), "numbers");
	ret = segue_world_put(world, key, numbers, (size_t)multi->count * 4);
	free(numbers);
	return ret;
}

/* One for all: over RC without a number. */
static int endpoint_for_all(struct segue_multi_channel *multi,
			    uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE])
{
	struct segue_endpoint mine;
	struct seguei_peer_note note;
	int ret = segue_multi_channel_endpoint(multi, 0, &mine);

	if (!ret)
		ret = seguei_note_read(mine.user, &note);
	if (ret)
		return ret;
	note.to = SEGUE_PEER_NONE;
	seguei_note_write(&note, mine.user);
	segue_endpoint_write(&mine, wire);
	return 0;
}

static int put_endpoint(struct segue_multi_channel *multi, struct segue_world *world)
{
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
	char key[SEGUE_WORLD_KEY_MAX + 1];
	int ret = endpoint_for_all(multi, wire);

	key_of(key, multi->more, segue_world_life(world), "endpoint");
	if (!ret)
		ret = segue_world_put(world, key, wire, sizeof(wire));
	if (!ret && multi->over == SEGUE_OVER_RC)
		ret = put_numbers(multi, world);
	return ret;
}

/* Exactly so many bytes, or -EPROTO. */
static int get_all(struct segue_world *world, uint32_t rank, const char *key,
		   struct segue_world_value value, segue_deadline deadline)
{
	const size_t wanted = value.size;
	const int ret = segue_world_get(world, rank, key, &value, deadline);

	if (ret || value.size == wanted)
		return ret;
	return seguei_fail(EPROTO,
			   "Multi-channel: rank %u has put %zu bytes as '%s', expected %zu.", rank,
			   value.size, key, wanted);
}

/* This side's, which everybody has read. */
static void drop(struct segue_multi_channel *multi, struct segue_world *world, const char *what)
{
	char key[SEGUE_WORLD_KEY_MAX + 1];

	key_of(key, multi->more, segue_world_life(world), what);
	(void)segue_world_drop(world, key);
}

/* What a peer has given for all, and over RC the number that it has put for this side. */
static int read_first_endpoint(struct segue_multi_channel *multi, struct segue_world *world,
			       uint32_t index, const uint8_t *wire, struct segue_endpoint *out,
			       segue_deadline deadline)
{
	const uint32_t self = multi->more->options.self;
	char key[SEGUE_WORLD_KEY_MAX + 1];
	struct seguei_peer_note note;
	uint8_t number[4];
	int ret = segue_endpoint_read(wire, SEGUE_ENDPOINT_WIRE_SIZE, out);

	if (!ret && multi->over == SEGUE_OVER_RC) {
		key_of(key, multi->more, seguei_peer_life(multi, index), "numbers");
		ret = get_all(world, index, key,
			      (struct segue_world_value){
				      .data = number, .size = 4, .offset = (size_t)self * 4},
			      deadline);
		if (!ret && !seguei_note_read(out->user, &note)) {
			out->qpn = segue_get_be32(number);
			/* a process's first generation */
			out->psn = seguei_psn(note.seed, self, 1);
		}
	}
	return ret ? ret : seguei_endpoint_check(multi, index, out);
}

/* Of one that came back. */
static int get_first_endpoint(struct segue_channel *channel, struct segue_world *world,
			      struct segue_endpoint *out, segue_deadline deadline)
{
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
	char key[SEGUE_WORLD_KEY_MAX + 1];
	int ret;

	key_of(key, channel->multi->more, channel->more->life, "endpoint");
	ret = get_all(world, channel->index, key,
		      (struct segue_world_value){.data = wire, .size = sizeof(wire)}, deadline);
	return ret ? ret
		   : read_first_endpoint(channel->multi, world, channel->index, wire, out,
					 deadline);
}

static int check(const struct segue_multi_channel *multi, struct segue_world *world,
		 const char *name)
{
	if (!name || !name[0] || strlen(name) > SEGUEI_NAME_MAX || strchr(name, '/'))
		return seguei_fail(EINVAL,
				   "segue_multi_channel_meet(): the name %s%s, expected 1 to %d "
				   "characters without '/'.",
				   name ? "is " : "is NULL", name ? name : "", SEGUEI_NAME_MAX);
	if (multi->count != segue_world_size(world) ||
	    multi->more->options.self != segue_world_rank(world))
		return seguei_fail(EINVAL,
				   "segue_multi_channel_meet(): the multi-channel is %u of %u, but "
				   "the world's rank is %u of %u.",
				   multi->more->options.self, multi->count, segue_world_rank(world),
				   segue_world_size(world));
	return 0;
}

static int connect_all(struct segue_multi_channel *multi, struct segue_world *world,
		       const uint8_t *wires, segue_deadline deadline)
{
	struct segue_endpoint endpoint;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < multi->count && !ret; i++) {
		/* Not all at the same one first. */
		const uint32_t index = (multi->more->options.self + i) % multi->count;

		ret = read_first_endpoint(multi, world, index,
					  wires + (size_t)index * SEGUE_ENDPOINT_WIRE_SIZE,
					  &endpoint, deadline);
		if (!ret)
			ret = seguei_peer_connect(multi, index, &endpoint);
	}
	return ret;
}

/* All together, none of whom has been there before. */
static int meet_first(struct segue_multi_channel *multi, struct segue_world *world,
		      segue_deadline deadline)
{
	uint8_t *wires = malloc((size_t)multi->count * SEGUE_ENDPOINT_WIRE_SIZE),
		mine[SEGUE_ENDPOINT_WIRE_SIZE];
	int ret = wires ? endpoint_for_all(multi, mine)
			: seguei_fail(ENOMEM, "Multi-channel: no memory for %u endpoints.",
				      multi->count);

	if (!ret && multi->over == SEGUE_OVER_RC)
		ret = put_numbers(multi, world);
	if (!ret)
		ret = segue_world_collect(world, mine, sizeof(mine), wires, deadline);
	if (!ret)
		ret = connect_all(multi, world, wires, deadline);
	free(wires);
	/* Nobody sends before all can receive. */
	if (!ret)
		ret = segue_world_fence(world, deadline);
	if (!ret && multi->over == SEGUE_OVER_RC)
		drop(multi, world, "numbers");
	return ret;
}

int seguei_meet_get_endpoint(const struct segue_multi_channel *multi, struct segue_world *world,
			     uint32_t index, const char *key, struct segue_endpoint *out,
			     segue_deadline deadline)
{
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
	int ret = get_all(world, index, key,
			  (struct segue_world_value){.data = wire, .size = sizeof(wire)}, deadline);

	if (!ret)
		ret = segue_endpoint_read(wire, sizeof(wire), out);
	return ret ? ret : seguei_endpoint_check(multi, index, out);
}

int seguei_meet_put_endpoint(struct segue_multi_channel *multi, struct segue_world *world,
			     uint32_t index, const char *key)
{
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
	struct segue_endpoint mine;
	const int ret = segue_multi_channel_endpoint(multi, index, &mine);

	if (ret)
		return ret;
	segue_endpoint_write(&mine, wire);
	return segue_world_put(world, key, wire, sizeof(wire));
}

/* Puts an endpoint for one peer of a known life. */
static int put_for(struct segue_multi_channel *multi, struct segue_world *world, uint32_t index)
{
	char key[SEGUE_WORLD_KEY_MAX + 1];

	pair_key(key, &multi->channels[index], world, "");
	return seguei_meet_put_endpoint(multi, world, index, key);
}

/* ---- asking ---- */

/*
 * How long peers are looked after between two questions, and what one may take at the rendezvous:
 * its answer is "not yet" or it.
 */
#define PAUSE_MS 10
#define ASK_MS	 1

segue_deadline seguei_meet_soon(void)
{
	return segue_deadline_in_ms(ASK_MS);
}

bool seguei_meet_not_yet(int ret)
{
	return ret == -ETIMEDOUT || ret == -ENOTCONN;
}

int seguei_meet_pause(struct segue_multi_channel *multi)
{
	const segue_deadline end = segue_deadline_in_ms(PAUSE_MS);
	int ret;

	do
		ret = seguei_multi_turn(multi);
	while (!ret && segue_deadline_left_ms(end));
	return ret;
}

/* Until it is there, or its rank is not: as get_all(), with peers looked after. */
static int await(struct segue_channel *channel, struct segue_world *world, const char *key,
		 struct segue_world_value value, segue_deadline deadline)
{
	uint32_t life;
	bool gone;
	int ret;

	for (;;) {
		const bool late = !segue_deadline_left_ms(deadline);

		ret = get_all(world, channel->index, key, value, seguei_meet_soon());
		if (!seguei_meet_not_yet(ret) || late)
			return ret;
		ret = segue_world_gone(world, channel->index, &gone, &life);
		if (!ret && (gone || life != channel->more->life))
			ret = seguei_fail(ENOTCONN, "Peer %u has died while it was met again.",
					  channel->index);
		if (!ret)
			ret = seguei_meet_pause(channel->multi);
		if (ret)
			return ret;
	}
}

/* ---- coming back ---- */

/*
 * What a survivor has put for this process, which came back: 0, or what get_all() says if it is not
 * there yet.
 */
static int meet_survivor(struct segue_multi_channel *multi, struct segue_world *world,
			 uint32_t index)
{
	struct segue_channel *channel = &multi->channels[index];
	char key[SEGUE_WORLD_KEY_MAX + 1];
	struct segue_endpoint theirs;
	int ret;

	pair_key_of(key, channel, world, "");
	ret = seguei_meet_get_endpoint(multi, world, index, key, &theirs, seguei_meet_soon());
	if (!ret)
		ret = seguei_channel_connect(channel, &theirs);
	if (ret)
		return ret;
	/* The survivor sends only when it sees this. */
	pair_key(key, channel, world, "+");
	return segue_world_put(world, key, "up", 2);
}

/* Of two that came back at once, neither is a survivor that would put something for the other. */
static int put_for_returned(struct segue_multi_channel *multi, struct segue_world *world)
{
	uint32_t index;
	int ret = 0;

	for (index = 0; index < multi->count && !ret; index++) {
		uint32_t life;
		bool gone;

		if (index == multi->more->options.self ||
		    segue_world_gone(world, index, &gone, &life) || gone || life < 2)
			continue;
		multi->channels[index].more->life = life;
		ret = put_for(multi, world, index);
	}
	return ret;
}

static int meet_self(struct segue_multi_channel *multi)
{
	struct segue_endpoint mine;
	const uint32_t self = multi->more->options.self;
	const int ret = segue_multi_channel_endpoint(multi, self, &mine);

	return ret ? ret : seguei_channel_connect(&multi->channels[self], &mine);
}

/* A survivor that may call, or not, or die. True if it is waited for still. */
static bool look_at_survivor(struct segue_multi_channel *multi, struct segue_world *world,
			     uint32_t index, int *ret)
{
	struct segue_channel *channel = &multi->channels[index];
	const uint32_t before = channel->more->life;
	bool gone = false;

	if (channel->state != SEGUE_CHANNEL_READY)
		return false;
	*ret = segue_world_gone(world, index, &gone, &channel->more->life);
	if (!*ret && !gone && channel->more->life != before) /* it has come back meanwhile */
		*ret = put_for(multi, world, index);
	if (!*ret && gone)
		seguei_channel_set_failed(channel, segue_errmsg());
	if (*ret || gone)
		return false;
	*ret = meet_survivor(multi, world, index);
	if (!seguei_meet_not_yet(*ret))
		return false;
	*ret = 0;
	return true;
}

static bool is_not_met(const void *arg, uint32_t index)
{
	return ((const struct segue_multi_channel *)arg)->channels[index].state ==
	       SEGUE_CHANNEL_READY;
}

/*
 * This process came back in place of another: the survivors go on, so there is no fence. Each
 * survivor calls when it likes, and is served while this process waits for others.
 */
static int return_to_all(struct segue_multi_channel *multi, struct segue_world *world,
			 segue_deadline deadline)
{
	char names[160];
	uint32_t index;
	int ret = put_for_returned(multi, world);

	if (!ret)
		ret = meet_self(multi);
	while (!ret) {
		const bool late = !segue_deadline_left_ms(deadline);
		bool waits = false;

		for (index = 0; index < multi->count && !ret; index++)
			waits |= look_at_survivor(multi, world, index, &ret);
		if (!ret && !waits) {
			drop(multi, world, "endpoint");
			drop(multi, world, "numbers");
		}
		if (ret || !waits)
			return ret;
		if (late) {
			(void)seguei_world_name_ranks(names, sizeof(names), multi->count,
						      is_not_met, multi);
			return seguei_fail(ETIMEDOUT,
					   "Multi-channel '%s': not renewed in time by %s; the "
					   "others are met.",
					   multi->more->name, names);
		}
		ret = seguei_meet_pause(multi);
	}
	return ret;
}

/*
 * What the others do: they have met before this process came, and renew; or they meet now, and it
 * is one of them. -EAGAIN: not known yet.
 */
static int look_at_others(struct segue_multi_channel *multi, struct segue_world *world, bool *anew)
{
	const uint32_t self = multi->more->options.self;
	char key[SEGUE_WORLD_KEY_MAX + 1];
	struct segue_endpoint theirs;
	uint32_t index, sum;
	const bool all = !seguei_meet_lives(multi, world, &sum);
	int ret = -ETIMEDOUT;

	*anew = multi->count == 1;
	for (index = 0; index < multi->count && seguei_meet_not_yet(ret) && !*anew; index++) {
		if (index == self)
			continue;
		pair_key_of(key, &multi->channels[index], world, "");
		ret = seguei_meet_get_endpoint(multi, world, index, key, &theirs,
					       seguei_meet_soon());
		if (!all || !seguei_meet_not_yet(ret))
			continue;
		seguei_meet_key_anew(key, multi, sum, self);
		ret = seguei_meet_get_endpoint(multi, world, index, key, &theirs,
					       seguei_meet_soon());
		*anew = !ret;
	}
	return *anew || !ret ? 0 : (seguei_meet_not_yet(ret) ? -EAGAIN : ret);
}

static int come_back(struct segue_multi_channel *multi, struct segue_world *world,
		     segue_deadline deadline)
{
	bool anew;
	int ret;

	while ((ret = look_at_others(multi, world, &anew)) == -EAGAIN) {
		if (!segue_deadline_left_ms(deadline))
			return seguei_fail(ETIMEDOUT,
					   "Multi-channel '%s': no peer has called "
					   "segue_multi_channel_renew() for this process in time, "
					   "or segue_multi_channel_meet().",
					   multi->more->name);
		ret = seguei_meet_pause(multi);
		if (ret)
			return ret;
	}
	if (ret)
		return ret;
	return anew ? seguei_meet_anew(multi, world, deadline)
		    : return_to_all(multi, world, deadline);
}

int segue_multi_channel_meet(struct segue_multi_channel *multi, struct segue_world *world,
			     const char *name, segue_deadline deadline)
{
	uint32_t sum = 0;
	int ret = check(multi, world, name);

	if (ret)
		return ret;
	multi->more->world = world;
	(void)snprintf(multi->more->name, sizeof(multi->more->name), "%s", name);
	multi->more->options.life = segue_world_life(world);
	multi->imm = seguei_imm_of(multi->more->options.self, multi->more->options.life);
	if (multi->more->options.on_demand) /* each pair by itself, see renew.c */
		return 0;
	if (segue_world_life(world) > 1) {
		ret = seguei_channels_make_all(multi);
		if (!ret)
			ret = put_endpoint(multi, world);
		return ret ? ret : come_back(multi, world, deadline);
	}
	ret = seguei_meet_lives(multi, world, &sum);
	if (ret)
		return ret;
	/* One is back: the first attempt has failed, or this is another multi-channel. */
	return sum == multi->count ? meet_first(multi, world, deadline)
				   : seguei_meet_anew(multi, world, deadline);
}

int seguei_meet_returned(struct segue_channel *channel, struct segue_world *world, uint32_t life,
			 segue_deadline deadline)
{
	struct segue_multi_channel *multi = channel->multi;
	const uint32_t former = channel->more->life;
	char key[SEGUE_WORLD_KEY_MAX + 1], bytes[SEGUE_ENDPOINT_WIRE_SIZE];
	struct segue_world_value word = {.data = bytes, .size = 2};
	struct segue_endpoint theirs;
	int ret;

	channel->more->life = life;
	/* which it puts last */
	key_of(key, multi->more, channel->more->life,
	       multi->over == SEGUE_OVER_RC ? "numbers" : "endpoint");
	ret = await(
		channel, world, key,
		(struct segue_world_value){
			.data = bytes, .size = multi->over == SEGUE_OVER_RC ? 4 : sizeof(bytes)},
		deadline);
	if (!ret)
		ret = get_first_endpoint(channel, world, &theirs, deadline);
	if (!ret)
		ret = seguei_channel_connect(channel, &theirs);
	if (!ret) {
		seguei_channel_hide(channel);
		ret = put_for(multi, world, channel->index);
	}
	if (ret) { /* it waits for this side's endpoint still: a later call gives it one */
		channel->more->life = former;
		return ret;
	}
	pair_key_of(key, channel, world, "+");
	ret = await(channel, world, key, word, deadline);
	if (ret)
		return ret;
	seguei_channel_show(channel);
	/* nobody else reads these */
	(void)segue_world_take(world, channel->index, key, &word, seguei_meet_soon());
	pair_key(key, channel, world, "");
	(void)segue_world_drop(world, key);
	return 0;
}
