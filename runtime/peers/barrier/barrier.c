/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Dissemination: in round r each side writes to the one 2^r behind it and waits for the one 2^r
 * before it. What is written is the barrier's number, into one of two places in turn: whoever
 * begins barrier k + 2 has ended k + 1, so all had come to it, and so all had seen what k wrote.
 *
 * A process that came back in place of another does not know how many there have been. So the count
 * begins anew when a peer of the group has another process than before, and the number's upper
 * half, its epoch, is how many processes all of them have had: nobody has to be asked for that.
 * Where all live and one was out of reach, only the program knows when everybody begins anew, and
 * adds to the epoch. Two epochs have places of their own.
 *
 * Who gives a barrier up takes back what it has told others in it: it writes the number again, with
 * a bit that says so. Whoever comes late finds that, and does not take itself for one who was in
 * time.
 *
 * UD has no WRITE: there what would be written is put into the world, and taken by the one peer
 * that it is for.
 */
#include "segue/barrier.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/errmsg.h"
#include "segue/gen/builders.h"
#include "segue/gen/peers.h"

/* In what is written: this barrier was given up. Counts do not get that far. */
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

/* Inside of its request, so that nothing has to stay. */
int seguei_channel_write_word(struct segue_channel *channel, uint32_t at, uint64_t word)
{
	const uint64_t remote = channel->more->flags_addr + at * sizeof(word);
	const uint64_t wr_id = seguei_wr_id_of_nobody();
	struct segue_dci_sender dci;
	int ret;

	if (!channel->sq)
		return seguei_by_peer_refuse(channel->multi, channel->index);
	if (channel->multi->over == SEGUE_TRANSPORT_RC)
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
		       place->multi->more->name, place->group, place->number, round);
}

/* @mark: GIVEN_UP, or 0 */
static int post_number(const struct segue_barrier_run *place, struct segue_channel *channel,
		       uint32_t round, uint64_t mark)
{
	char key[SEGUE_WORLD_KEY_MAX + 1];

	if (place->multi->over == SEGUE_TRANSPORT_UD) {
		key_of(place, round, key);
		return segue_world_put(place->multi->more->world, key, mark ? "x" : ".", 1);
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

/* A peer that cannot come any more, whether it is a neighbour or not: without it nobody goes on. */
static uint32_t first_failed(const struct segue_barrier_run *place)
{
	for (uint32_t i = 0; i < place->count && place->multi->more->n_failed; i++)
		if (place->multi->channels[peer_at(place, i)].state == SEGUE_CHANNEL_FAILED)
			return peer_at(place, i);
	return SEGUE_PEER_NONE;
}

/* How long it is tried to take back what was told. */
#define TAKE_BACK_MS 50

/*
 * Tells peers that come late. A peer that cannot be told has failed, or its queue is full of
 * earlier requests.
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
	/* A read behind this call's return finds it. */
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

/* Over UD: 0, or what the peer has put by now. */
static int ask(const struct segue_barrier_run *place, uint64_t *heard)
{
	char key[SEGUE_WORLD_KEY_MAX + 1], what = 0;
	struct segue_world_value value = {.data = &what, .size = sizeof(what)};
	int ret;

	key_of(place, place->round, key);
	ret = segue_world_take(place->multi->more->world, heard_from(place), key, &value,
			       seguei_meet_soon());
	*heard = ret ? 0 : place->number | (what == 'x' ? GIVEN_UP : 0);
	if (ret == -ENOTCONN) /* it has died: its channel fails */
		return seguei_multi_ask_world(place->multi);
	return ret == -ETIMEDOUT ? 0 : ret;
}

/* -EAGAIN: not yet. */
static int hear(const struct segue_barrier_run *place)
{
	const volatile uint64_t *flag = &place->multi->more->flags[flag_of(place, place->round)];
	uint64_t heard = *flag;
	uint32_t failed;
	int ret = place->multi->over == SEGUE_TRANSPORT_UD ? ask(place, &heard) : 0;

	if (ret)
		return ret;
	if ((heard & ~GIVEN_UP) < place->number) {
		failed = first_failed(place);
		return failed == SEGUE_PEER_NONE ? -EAGAIN
						 : seguei_by_peer_refuse(place->multi, failed);
	}
	/* what the peer wrote before it came here is read after its number */
	seguei_order_memory_loads();
	if (heard == place->number)
		return 0;
	/* The one that has given it up may have been told of a death: so this side asks, too. */
	if (place->multi->more->options.ask_world_ms && place->multi->more->world)
		(void)seguei_multi_ask_world(place->multi);
	failed = first_failed(place);
	if (failed != SEGUE_PEER_NONE)
		return seguei_by_peer_refuse(place->multi, failed);
	return seguei_fail(
		ETIMEDOUT,
		"Barrier %u of group %u: this side was late; peer %u has given it up and is at %u.",
		count_of(place), place->group, heard_from(place), (uint32_t)(heard & ~GIVEN_UP));
}

/* As far as it goes: 0 behind the last round; -EAGAIN. */
static int go_on(struct segue_barrier_run *place)
{
	int ret;

	for (; 1u << place->round < place->count; place->round++, place->told = false) {
		if (!place->told) {
			struct segue_channel *from;

			/* keepalive looks after the peers that this waits for */
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

/* The group's next, or its first since one of them changed. */
static uint64_t next_number(const struct segue_barrier_run *place)
{
	const uint64_t last = place->multi->more->barriers[place->group];
	uint32_t epoch = place->multi->more->barrier_epoch, i;

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

	if (multi->over == SEGUE_TRANSPORT_UD && !multi->more->world)
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
	place.number = multi->more->barriers[group] = next_number(&place);
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
		if (!ret && multi->over == SEGUE_TRANSPORT_UD)
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
	if (number < multi->more->barrier_epoch)
		return seguei_fail(EINVAL,
				   "segue_barrier_restart(): number is %u, expected at least %u, "
				   "where barriers are already.",
				   number, multi->more->barrier_epoch);
	multi->more->barrier_epoch = number;
	return 0;
}
