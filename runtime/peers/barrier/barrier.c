/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Dissemination barrier: in round r each side writes to the rank 2^r after it, and waits for the
 * rank 2^r before it. It writes the barrier's number, alternately to one of two places. A side that
 * begins barrier k + 2 has ended k + 1, to which all had come, so all had read the number of k.
 *
 * A process that came back in place of another does not know the count of barriers. So the count
 * starts again whenever a peer of the group has a new process. The number's upper half, its epoch,
 * is the sum of the processes that all peers have had, which needs no question. If all live and one
 * was out of reach, only the program knows when all start again, and it adds to the epoch. Two
 * epochs have places of their own.
 *
 * A side that gives a barrier up revokes its numbers of that barrier: it writes them again, with a
 * bit that marks them. A side that comes later reads the mark, and knows that it was too late.
 *
 * UD has no WRITE. There the number is put into the world, and taken by the peer that it is for.
 */
#include "segue/peers/barrier.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/gen/peers.h"

/* Mark of a number whose barrier was given up. Counts do not reach that bit. */
#define GIVEN_UP UINT64_C(0x80000000)

static uint32_t peer_at(const struct segue_barrier_run *place, uint32_t i)
{
	return place->peers ? place->peers[i % place->count] : i % place->count;
}

static uint32_t epoch_of(const struct segue_barrier_run *place)
{
	return (uint32_t)(place->number >> 32);
}

static uint32_t count_of(const struct segue_barrier_run *place)
{
	return (uint32_t)place->number;
}

static uint32_t flag_of(const struct segue_barrier_run *place, uint32_t round)
{
	return (place->group * 4 + (epoch_of(place) & 1) * 2 + (count_of(place) & 1)) *
		       SEGUEI_FLAGS_ROUNDS +
	       round;
}

/* Sends the word as inline data, so no memory has to stay. */
int seguei_channel_write_word(struct segue_channel *channel, uint32_t at, uint64_t word)
{
	const uint64_t remote = channel->more->flags_addr + at * sizeof(word);
	const uint64_t wr_id = seguei_wr_id_of_nobody();
	struct segue_dci_sender dci;
	int ret;

	if (!channel->sq)
		return seguei_by_peer_refuse(channel->multi, channel->index);
	if (channel->multi->transport == SEGUE_TRANSPORT_RC)
		return segue_post(
			segue_inline_data(segue_raddr(segue_rdma_write(segue_channel_rc_sq(channel),
								       wr_id, SEGUE_SIGNALED),
						      remote, channel->more->flags_rkey),
					  &word, sizeof(word)));
	ret = segue_channel_dci_sender(channel, &dci);
	if (ret)
		return ret;
	return segue_post(segue_inline_data(
		segue_raddr(segue_av(segue_rdma_write(dci.sq, wr_id, SEGUE_SIGNALED), dci.ah,
				     dci.dctn, dci.dc_key),
			    remote, channel->more->flags_rkey),
		&word, sizeof(word)));
}

static void key_of(const struct segue_barrier_run *place, uint32_t round,
		   char key[SEGUE_WORLD_KEY_MAX + 1])
{
	(void)snprintf(key, SEGUE_WORLD_KEY_MAX + 1, "mc/%s/barrier %x/%" PRIx64 "/%x",
		       place->multi->more->rendezvous.name, place->group, place->number, round);
}

/* @mark: GIVEN_UP, or 0 */
static int post_number(const struct segue_barrier_run *place, struct segue_channel *channel,
		       uint32_t round, uint64_t mark)
{
	char key[SEGUE_WORLD_KEY_MAX + 1];

	if (place->multi->transport == SEGUE_TRANSPORT_UD) {
		key_of(place, round, key);
		return segue_world_put(place->multi->more->rendezvous.world, key, mark ? "x" : ".",
				       1);
	}
	return seguei_channel_write_word(channel, flag_of(place, round), place->number | mark);
}

static int tell(const struct segue_barrier_run *place)
{
	struct segue_channel *channel;
	const int ret = seguei_channel_make(
		place->multi, peer_at(place, place->at + (1u << place->round)), &channel);

	return ret ? ret : post_number(place, channel, place->round, 0);
}

/* The first peer that cannot come any more, neighbour or not. Without it no rank can go on. */
static uint32_t first_failed(const struct segue_barrier_run *place)
{
	for (uint32_t i = 0; i < place->count && place->multi->more->changes.n_failed; i++)
		if (place->multi->channels[peer_at(place, i)].state == SEGUE_CHANNEL_FAILED)
			return peer_at(place, i);
	return SEGUE_PEER_NONE;
}

/* Time limit for revoking numbers. */
#define TAKE_BACK_MS 50

/*
 * Revokes the numbers for peers that come later. A peer that cannot be written to has failed, or
 * its queue is full of earlier requests.
 */
static void take_back(const struct segue_barrier_run *place)
{
	const segue_deadline deadline = segue_deadline_in_ms(TAKE_BACK_MS);
	const uint32_t rounds = place->round + place->told;
	char why[512];
	uint32_t round;

	(void)snprintf(why, sizeof(why), "%s", segue_errmsg());
	for (round = 0; round < rounds; round++) {
		struct segue_channel *channel;
		int ret = seguei_channel_make(place->multi,
					      peer_at(place, place->at + (1u << round)), &channel);

		while (!ret &&
		       ((ret = post_number(place, channel, round, GIVEN_UP)) == -EAGAIN ||
			ret == -ENOSPC) &&
		       segue_deadline_left_ms(deadline))
			if (seguei_multi_turn(place->multi))
				break;
	}
	/* A later read by the peer finds the mark. */
	for (round = 0; round < rounds; round++)
		while (!seguei_channel_is_quiet(&place->multi->channels[peer_at(
			       place, place->at + (1u << round))]) &&
		       segue_deadline_left_ms(deadline))
			if (seguei_multi_turn(place->multi))
				break;
	(void)seguei_fail(0, "%s", why);
}

static uint32_t heard_from(const struct segue_barrier_run *place)
{
	return peer_at(place, place->at + place->count - (1u << place->round) % place->count);
}

/* Over UD: 0, or the number that the peer has put so far. */
static int ask(const struct segue_barrier_run *place, uint64_t *heard)
{
	char key[SEGUE_WORLD_KEY_MAX + 1], what = 0;
	struct segue_world_value value = {.data = &what, .size = sizeof(what)};
	int ret;

	key_of(place, place->round, key);
	ret = segue_world_take(place->multi->more->rendezvous.world, heard_from(place), key,
			       seguei_meet_soon(), &value);
	*heard = ret ? 0 : place->number | (what == 'x' ? GIVEN_UP : 0);
	if (ret == -ENOTCONN) /* it has died: its channel fails */
		return seguei_multi_ask_world(place->multi);
	return ret == -ETIMEDOUT ? 0 : ret;
}

/* -EAGAIN if the number has not arrived. */
static int hear(const struct segue_barrier_run *place)
{
	const volatile uint64_t *flag =
		&place->multi->more->barriers.flags[flag_of(place, place->round)];
	uint64_t heard = *flag;
	uint32_t failed;
	int ret = place->multi->transport == SEGUE_TRANSPORT_UD ? ask(place, &heard) : 0;

	if (ret)
		return ret;
	if ((heard & ~GIVEN_UP) < place->number) {
		failed = first_failed(place);
		return failed == SEGUE_PEER_NONE ? -EAGAIN
						 : seguei_by_peer_refuse(place->multi, failed);
	}
	/* data that the peer wrote before the barrier is read after its number */
	seguei_order_memory_loads();
	if (heard == place->number)
		return 0;
	/*
	 * The peer that gave the barrier up may know of a death, so this side asks the world, too.
	 */
	if (place->multi->more->options.ask_world_ms && place->multi->more->rendezvous.world)
		(void)seguei_multi_ask_world(place->multi);
	failed = first_failed(place);
	if (failed != SEGUE_PEER_NONE)
		return seguei_by_peer_refuse(place->multi, failed);
	return seguei_fail(
		ETIMEDOUT,
		"Barrier %u of group %u: this side was late; peer %u has given it up and is at %u.",
		count_of(place), place->group, heard_from(place), (uint32_t)(heard & ~GIVEN_UP));
}

/* Advances as far as possible: 0 after the last round, or -EAGAIN. */
static int go_on(struct segue_barrier_run *place)
{
	int ret;

	for (; 1u << place->round < place->count; place->round++, place->told = false) {
		if (!place->told) {
			struct segue_channel *from;

			/* keepalive watches the peers that this side waits for */
			ret = seguei_channel_make(place->multi, heard_from(place), &from);
			if (!ret)
				ret = tell(place);
			if (ret)
				return ret == -ENOSPC ? -EAGAIN : ret;
			place->told = true;
		}
		ret = hear(place);
		if (ret)
			return ret;
	}
	return 0;
}

static int too_late(const struct segue_barrier_run *place)
{
	if (!place->told)
		return seguei_fail(ETIMEDOUT,
				   "Barrier %u of group %u: the queue to peer %u has not become "
				   "free in time.",
				   count_of(place), place->group,
				   peer_at(place, place->at + (1u << place->round)));
	return seguei_fail(
		ETIMEDOUT,
		"Barrier %u of group %u: peer %u is missing in round %u, or waits in turn.",
		count_of(place), place->group, heard_from(place), place->round);
}

static int find_self(struct segue_barrier_run *place)
{
	const uint32_t self = place->multi->more->options.self;
	uint32_t i;
	int ret = 0;

	place->at = place->count;
	for (i = 0; i < place->count && !ret; i++) {
		ret = seguei_multi_check_index(place->multi, "segue_barrier()", peer_at(place, i));
		if (peer_at(place, i) == self)
			place->at = i;
	}
	if (!ret && place->at == place->count)
		ret = seguei_fail(EINVAL,
				  "segue_barrier(): this side, %u, is not among the %u peers.",
				  self, place->count);
	return ret;
}

/* The group's next number, or its first one since a process has changed. */
static uint64_t next_number(const struct segue_barrier_run *place)
{
	const uint64_t last = place->multi->more->barriers.last[place->group];
	uint32_t epoch = place->multi->more->barriers.epoch, i;

	for (i = 0; i < place->count; i++)
		epoch += seguei_peer_life(place->multi, peer_at(place, i));
	return epoch == (uint32_t)(last >> 32) ? last + 1 : (uint64_t)epoch << 32 | 1;
}

int segue_barrier_begin(struct segue_multi_channel *multi, uint32_t group, const uint32_t *peers,
			uint32_t count, struct segue_barrier_run *out)
{
	struct segue_barrier_run place = {
		.multi = multi, .peers = peers, .group = group, .count = count};
	int ret;

	if (multi->transport == SEGUE_TRANSPORT_UD && !multi->more->rendezvous.world)
		return seguei_fail(ENOTSUP, "segue_barrier(): UD has no RDMA WRITE, and this "
					    "multi-channel has met over no world; use RC or DC.");
	if (group >= SEGUE_BARRIER_GROUPS || !count || count > multi->count)
		return seguei_fail(EINVAL,
				   "segue_barrier(): group is %u and count %u, expected less than "
				   "%u, and 1 to %u.",
				   group, count, SEGUE_BARRIER_GROUPS, multi->count);
	ret = find_self(&place);
	if (ret)
		return ret;
	place.number = multi->more->barriers.last[group] = next_number(&place);
	*out = place;
	ret = go_on(out);
	if (ret && ret != -EAGAIN)
		take_back(out);
	return ret == -EAGAIN ? 0 : ret;
}

int segue_barrier_test(struct segue_barrier_run *run)
{
	int ret = go_on(run);

	if (ret == -EAGAIN) {
		ret = seguei_multi_turn(run->multi);
		if (!ret)
			ret = go_on(run);
	}
	if (ret && ret != -EAGAIN)
		take_back(run);
	return ret;
}

void segue_barrier_cancel(struct segue_barrier_run *run)
{
	take_back(run);
}

int segue_barrier(struct segue_multi_channel *multi, uint32_t group, const uint32_t *peers,
		  uint32_t count, segue_deadline deadline)
{
	struct segue_barrier_run run;
	int ret = segue_barrier_begin(multi, group, peers, count, &run);

	while (!ret) {
		const bool late = !segue_deadline_left_ms(deadline);

		ret = segue_barrier_test(&run);
		if (ret != -EAGAIN)
			return ret;
		ret = late ? too_late(&run) : 0;
		if (!ret && multi->transport == SEGUE_TRANSPORT_UD)
			ret = seguei_meet_pause(multi);
		if (ret)
			take_back(&run);
	}
	return ret;
}

int segue_barrier_drained(struct segue_multi_channel *multi, uint32_t group, const uint32_t *peers,
			  uint32_t count, segue_deadline deadline)
{
	int ret = segue_multi_channel_drain(multi, deadline);

	if (!ret)
		ret = segue_barrier(multi, group, peers, count, deadline);
	return ret ? ret : segue_multi_channel_drain(multi, deadline);
}

int segue_barrier_restart(struct segue_multi_channel *multi, uint32_t number)
{
	if (number < multi->more->barriers.epoch)
		return seguei_fail(EINVAL,
				   "segue_barrier_restart(): number is %u, expected at least %u, "
				   "where barriers are already.",
				   number, multi->more->barriers.epoch);
	multi->more->barriers.epoch = number;
	return 0;
}
