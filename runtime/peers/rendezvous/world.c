/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Channels over a world. Each process gives one endpoint to a fence that distributes all. Over RC
 * it also puts a vector of its queue pairs' numbers, and each peer reads its own: 128 bytes, and 4
 * for each pair. A process that comes back meets each of the others by itself (reconnection.c).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/peers/channel/multi_channel.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"

static void numbers_key(char key[SEGUE_WORLD_KEY_MAX + 1], const struct seguei_multi_more *more,
			uint32_t life)
{
	(void)snprintf(key, SEGUE_WORLD_KEY_MAX + 1, "mc/%s/%u/numbers", more->rendezvous.name,
		       life);
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
	numbers_key(key, multi->more, segue_world_incarnation(world));
	ret = segue_world_put(world, key, numbers, (size_t)multi->count * 4);
	free(numbers);
	return ret;
}

/* One endpoint for all peers, over RC without a number. */
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
	segue_endpoint_pack(&mine, wire);
	return 0;
}

/* Reads exactly so many bytes, or returns -EPROTO. */
static int get_all(struct segue_world *world, uint32_t rank, const char *key,
		   struct segue_world_value value, segue_deadline deadline)
{
	const size_t wanted = value.size;
	const int ret = segue_world_get(world, rank, key, deadline, &value);

	if (ret || value.size == wanted)
		return ret;
	return seguei_fail(EPROTO,
			   "Multi-channel: rank %u has put %zu bytes as '%s', expected %zu.", rank,
			   value.size, key, wanted);
}

/* Reads a peer's endpoint, and over RC the number that the peer has put for this side. */
static int read_first_endpoint(struct segue_multi_channel *multi, struct segue_world *world,
			       uint32_t index, const uint8_t *wire, struct segue_endpoint *out,
			       segue_deadline deadline)
{
	const uint32_t self = multi->more->options.self;
	char key[SEGUE_WORLD_KEY_MAX + 1];
	struct seguei_peer_note note;
	uint8_t number[4];
	int ret = segue_endpoint_unpack(wire, SEGUE_ENDPOINT_WIRE_SIZE, out);

	if (!ret && multi->transport == SEGUE_TRANSPORT_RC) {
		numbers_key(key, multi->more, seguei_peer_life(multi, index));
		ret = get_all(world, index, key,
			      (struct segue_world_value){
				      .data = number, .size = 4, .offset = (size_t)self * 4},
			      deadline);
		if (!ret && !seguei_note_read(out->user, &note)) {
			out->qpn = segue_get_be32(number);
			/* of the process's first generation */
			out->psn = seguei_psn(note.seed, self, 1);
		}
	}
	return ret ? ret : seguei_endpoint_check(multi, index, out);
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
		/* Ranks start at different peers. */
		const uint32_t index = (multi->more->options.self + i) % multi->count;

		ret = read_first_endpoint(multi, world, index,
					  wires + (size_t)index * SEGUE_ENDPOINT_WIRE_SIZE,
					  &endpoint, deadline);
		if (!ret)
			ret = seguei_peer_connect(multi, index, &endpoint);
	}
	return ret;
}

/* All ranks meet together, and each is the first process in its place. */
static int meet_first(struct segue_multi_channel *multi, struct segue_world *world,
		      segue_deadline deadline)
{
	uint8_t *wires = malloc((size_t)multi->count * SEGUE_ENDPOINT_WIRE_SIZE),
		mine[SEGUE_ENDPOINT_WIRE_SIZE];
	char key[SEGUE_WORLD_KEY_MAX + 1];
	int ret = wires ? endpoint_for_all(multi, mine)
			: seguei_fail(ENOMEM, "Multi-channel: no memory for %u endpoints.",
				      multi->count);

	if (!ret && multi->transport == SEGUE_TRANSPORT_RC)
		ret = put_numbers(multi, world);
	if (!ret)
		ret = segue_world_allgather(world, mine, sizeof(mine), deadline, wires);
	if (!ret)
		ret = connect_all(multi, world, wires, deadline);
	free(wires);
	/* No rank sends before all can receive, at which point all have read the numbers. */
	if (!ret)
		ret = segue_world_fence(world, deadline);
	numbers_key(key, multi->more, segue_world_incarnation(world));
	if (!ret && multi->transport == SEGUE_TRANSPORT_RC)
		(void)segue_world_remove(world, key);
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
		ret = segue_endpoint_unpack(wire, sizeof(wire), out);
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
	segue_endpoint_pack(&mine, wire);
	return segue_world_put(world, key, wire, sizeof(wire));
}

/* ---- questions ---- */

/*
 * Time that peers are served between two questions, and the limit of one at the rendezvous, which
 * answers with the value or "not yet".
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

/* ---- coming back ---- */

/*
 * Finds out what the others do. Either they met before this process came, and reconnect, or they
 * meet now, with this process as one of them. -EAGAIN if that is not known yet.
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
		ret = seguei_is_renewed_by(multi, world, index);
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
			return seguei_fail(
				ETIMEDOUT,
				"Multi-channel '%s': no peer has called "
				"segue_multi_channel_meet_peer() for this process in time, "
				"or segue_multi_channel_meet().",
				multi->more->rendezvous.name);
		ret = seguei_meet_pause(multi);
		if (ret)
			return ret;
	}
	if (ret)
		return ret;
	return anew ? seguei_meet_anew(multi, world, deadline)
		    : seguei_return_to_all(multi, world, deadline);
}

int segue_multi_channel_meet(struct segue_multi_channel *multi, struct segue_world *world,
			     const char *name, segue_deadline deadline)
{
	uint32_t sum = 0;
	int ret = check(multi, world, name);

	if (ret)
		return ret;
	multi->more->rendezvous.world = world;
	(void)snprintf(multi->more->rendezvous.name, sizeof(multi->more->rendezvous.name), "%s",
		       name);
	multi->more->options.life = segue_world_incarnation(world);
	multi->imm = seguei_imm_of(multi->more->options.self, multi->more->options.life);
	if (multi->more->options.on_demand) /* each pair by itself (reconnection.c) */
		return 0;
	if (segue_world_incarnation(world) > 1) {
		ret = seguei_channels_make_all(multi);
		return ret ? ret : come_back(multi, world, deadline);
	}
	ret = seguei_meet_lives(multi, world, &sum);
	if (ret)
		return ret;
	/* A process is back: the first attempt has failed, or this is another multi-channel. */
	return sum == multi->count ? meet_first(multi, world, deadline)
				   : seguei_meet_anew(multi, world, deadline);
}
