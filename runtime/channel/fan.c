/* SPDX-License-Identifier: BSD-2-Clause */
/* A request for each of a set of peers. */
#include "segue/fan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/channel/multi.h"
#include "runtime/meet/world.h"
#include "segue/errmsg.h"
#include "segue/gen/by_peer.h"

/* What goes where; what a pattern does not have is NULL. */
struct plan {
	const char *call;
	const struct segue_fan *fan;
	const struct segue_local *local;
	const struct segue_remote *remote;
	const uint64_t *add;
	bool same; /* one local piece for all */
	int (*post)(const struct plan *plan, uint32_t i, uint64_t wr_id);
};

static uint32_t peer_of(const struct segue_fan *fan, uint32_t i)
{
	return fan->peers ? fan->peers[i] : i;
}

static const struct segue_local *piece_of(const struct plan *plan, uint32_t i)
{
	return &plan->local[plan->same ? 0 : i];
}

static struct segue_channel *channel_of(const struct plan *plan, uint32_t i)
{
	return &plan->fan->multi->channels[peer_of(plan->fan, i)];
}

static int post_write(const struct plan *plan, uint32_t i, uint64_t wr_id)
{
	return seguei_channel_post_write(channel_of(plan, i), wr_id, piece_of(plan, i),
					 &plan->remote[i]);
}

static int post_read(const struct plan *plan, uint32_t i, uint64_t wr_id)
{
	return seguei_channel_post_read(channel_of(plan, i), wr_id, piece_of(plan, i),
					&plan->remote[i]);
}

static int post_send(const struct plan *plan, uint32_t i, uint64_t wr_id)
{
	return seguei_channel_post_send(channel_of(plan, i), wr_id, piece_of(plan, i));
}

static int post_atomic(const struct plan *plan, uint32_t i, uint64_t wr_id)
{
	const struct segue_to_atomic_fa_args args = {.wr_id = wr_id,
						     .flags = SEGUE_SIGNALED,
						     .remote_addr = plan->remote[i].addr,
						     .rkey = plan->remote[i].key.rkey,
						     .swap_add = plan->add[i],
						     .addr = plan->local[i].addr,
						     .byte_count = plan->local[i].length,
						     .lkey = plan->local[i].key.lkey};

	return segue_to_atomic_fa(plan->fan->multi, peer_of(plan->fan, i), &args);
}

static int check(const struct plan *plan)
{
	const struct segue_fan *fan = plan->fan;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < fan->count && !ret; i++) {
		ret = seguei_multi_check_index(fan->multi, plan->call, peer_of(fan, i));
		if (!ret && fan->multi->channels[peer_of(fan, i)].more->wait)
			ret = seguei_fail(EBUSY,
					  "%s: another call waits for peer %u already; a handler "
					  "may not wait.",
					  plan->call, peer_of(fan, i));
		if (!ret && plan->remote &&
		    plan->local[plan->same ? 0 : i].length > plan->remote[i].length)
			ret = seguei_fail(ERANGE,
					  "%s: %u bytes are local, but peer %u's piece has %llu.",
					  plan->call, plan->local[i].length, peer_of(fan, i),
					  (unsigned long long)plan->remote[i].length);
	}
	return ret;
}

/* A request that was not posted: nothing of it was carried out. */
static void not_posted(const struct plan *plan, uint32_t i, struct seguei_wait *wait, int error)
{
	wait->done = true;
	wait->end = SEGUE_END_NOT_CARRIED_OUT;
	plan->fan->results[i].error = error;
	--*wait->pending;
}

/* WRITEs and READs of no bytes leave their peer alone; a message of no bytes is one. */
static bool moves_nothing(const struct plan *plan, uint32_t i)
{
	return plan->remote && !piece_of(plan, i)->length;
}

static void skip(struct seguei_wait *wait)
{
	wait->done = true;
	wait->end = SEGUE_END_CARRIED_OUT;
	--*wait->pending;
}

/*
 * How many may be refused before those behind them are not asked. Over RC each has a queue of its
 * own; over UD there is one. Over DC one is refused because its own DCI is full, though others may
 * find one, as often as there are DCIs; or because there is none.
 */
static uint32_t refusals_of(const struct segue_multi_channel *multi)
{
	switch (multi->over) {
	case SEGUE_OVER_RC:
		return multi->count;
	case SEGUE_OVER_DC:
		return multi->more->options.dcis;
	default:
		return 0;
	}
}

/*
 * Posts what can be posted now. `left` has the entries that are not posted yet, and *count says how
 * many.
 */
static void post_some(const struct plan *plan, struct seguei_wait *waits, uint32_t *left,
		      uint32_t *count)
{
	const uint32_t refusals = refusals_of(plan->fan->multi);
	uint32_t n, kept = 0;
	int ret = 0;

	for (n = 0; n < *count && kept <= refusals; n++) {
		const uint32_t i = left[n];

		if (moves_nothing(plan, i)) {
			skip(&waits[i]);
			continue;
		}
		ret = plan->post(plan, i, waits[i].wr_id);
		waits[i].posted = !ret;
		if (ret == -EAGAIN || ret == -ENOSPC)
			left[kept++] = i;
		else if (ret)
			not_posted(plan, i, &waits[i], ret);
	}
	memmove(&left[kept], &left[n], (*count - n) * sizeof(*left));
	*count -= n - kept;
}

static bool is_pending(const void *arg, uint32_t i)
{
	return !((const struct seguei_wait *)arg)[i].done;
}

static int collect(const struct plan *plan, const struct seguei_wait *waits)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < plan->fan->count; i++) {
		struct segue_fan_result *result = &plan->fan->results[i];
		const struct segue_channel *channel =
			&plan->fan->multi->channels[peer_of(plan->fan, i)];

		result->end = waits[i].done ? waits[i].end : SEGUE_END_UNKNOWN;
		result->bytes = waits[i].done && waits[i].posted && !waits[i].syndrome
					? (plan->local ? plan->local[plan->same ? 0 : i].length : 0)
					: 0;
		if (!waits[i].done)
			result->error = waits[i].posted ? -ETIMEDOUT : -EAGAIN;
		else if (waits[i].posted && waits[i].syndrome)
			result->error = -EIO;
		if (!waits[i].done && !waits[i].posted)
			result->end = SEGUE_END_NOT_CARRIED_OUT;
		if (result->error)
			result->sentence = segue_channel_reason(channel);
		if (result->error && !ret)
			ret = result->sentence[0]
				      ? seguei_fail(EIO, "%s: %s", plan->call, result->sentence)
				      : seguei_fail(EIO, "%s: peer %u: %s", plan->call,
						    peer_of(plan->fan, i),
						    strerror(-result->error));
	}
	return ret;
}

static int run_waits(const struct plan *plan, struct seguei_wait *waits, uint32_t *left,
		     uint32_t *pending)
{
	uint32_t n_left = plan->fan->count;
	char names[160], why[320] = "not done at the deadline";
	int ret = 0;

	while (*pending && !ret) {
		const bool late = !segue_deadline_left_ms(plan->fan->deadline);

		post_some(plan, waits, left, &n_left);
		ret = seguei_multi_turn(plan->fan->multi);
		if (late && *pending)
			break;
	}
	/* A poll's error, too, leaves requests under way. */
	if (ret)
		(void)snprintf(why, sizeof(why), "%s", segue_errmsg());
	const int worst = collect(plan, waits);

	if (!*pending)
		return ret ? ret : worst;
	(void)seguei_world_name_ranks(names, sizeof(names), plan->fan->count, is_pending, waits);
	return seguei_fail(ret ? -ret : ETIMEDOUT, "%s: %s: entries for %s.", plan->call, why,
			   names);
}

/* Who waits for whom; -EINVAL if one is there twice. */
static int begin(const struct plan *plan, struct seguei_wait *waits, uint32_t *left,
		 uint32_t *pending)
{
	const struct segue_fan *fan = plan->fan;
	uint32_t i;

	for (i = 0; i < fan->count; i++) {
		struct segue_channel *channel = &fan->multi->channels[peer_of(fan, i)];

		if (channel->more->wait)
			return seguei_fail(
				EINVAL, "%s: peer %u is given twice, the second time as entry %u.",
				plan->call, channel->index, i);
		waits[i].wr_id = seguei_multi_wr_id(fan->multi);
		waits[i].pending = pending;
		left[i] = i;
		channel->more->wait = &waits[i];
	}
	return 0;
}

static int run(const struct plan *plan)
{
	const struct segue_fan *fan = plan->fan;
	const uint32_t room = fan->count ? fan->count : 1;
	uint32_t pending = fan->count, i, *left;
	struct seguei_wait *waits;
	int ret;

	for (i = 0; i < fan->count; i++) /* until something is posted */
		fan->results[i] = (struct segue_fan_result){
			.error = -ECANCELED, .end = SEGUE_END_NOT_CARRIED_OUT, .sentence = ""};
	ret = check(plan);
	if (ret)
		return ret;
	waits = calloc(room, sizeof(*waits));
	left = calloc(room, sizeof(*left));
	if (waits && left) {
		ret = begin(plan, waits, left, &pending);
		for (i = 0; i < fan->count && !ret; i++)
			fan->results[i].error = 0;
		if (!ret)
			ret = run_waits(plan, waits, left, &pending);
		for (i = 0; i < fan->count; i++)
			fan->multi->channels[peer_of(fan, i)].more->wait = NULL;
	} else {
		ret = seguei_fail(ENOMEM, "%s: no memory for %u peers.", plan->call, fan->count);
	}
	free(waits);
	free(left);
	return ret;
}

int segue_scatter_write(const struct segue_fan *fan, const struct segue_local *from,
			const struct segue_remote *to)
{
	const struct plan plan = {.call = "segue_scatter_write()",
				  .fan = fan,
				  .local = from,
				  .remote = to,
				  .post = post_write};

	return run(&plan);
}

int segue_gather_read(const struct segue_fan *fan, const struct segue_local *to,
		      const struct segue_remote *from)
{
	const struct plan plan = {.call = "segue_gather_read()",
				  .fan = fan,
				  .local = to,
				  .remote = from,
				  .post = post_read};

	return run(&plan);
}

int segue_scatter_send(const struct segue_fan *fan, const struct segue_local *from)
{
	const struct plan plan = {
		.call = "segue_scatter_send()", .fan = fan, .local = from, .post = post_send};

	return run(&plan);
}

int segue_multicast_send(const struct segue_fan *fan, const struct segue_local *from)
{
	const struct plan plan = {.call = "segue_multicast_send()",
				  .fan = fan,
				  .local = from,
				  .same = true,
				  .post = post_send};

	return run(&plan);
}

int segue_scatter_atomic(const struct segue_fan *fan, const struct segue_local *to,
			 const struct segue_remote *at, const uint64_t *add)
{
	const struct plan plan = {.call = "segue_scatter_atomic()",
				  .fan = fan,
				  .local = to,
				  .remote = at,
				  .add = add,
				  .post = post_atomic};
	uint32_t i;

	for (i = 0; i < fan->count; i++)
		if (to[i].length != sizeof(*add))
			return seguei_fail(EINVAL,
					   "segue_scatter_atomic(): entry %u has %u bytes of local "
					   "memory, expected 8.",
					   i, to[i].length);
	return run(&plan);
}
