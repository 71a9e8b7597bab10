/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests to a set of peers. */
#include "segue/peers/fan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/peers/channel/multi_channel.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

struct segue_fan_run {
	struct segue_fan fan;
	struct segue_fan_args what;
	const char *call;
	struct segue_request *requests;
	uint32_t *left; /* entries that are not yet posted */
	uint32_t n_left, pending;
};

static uint32_t peer_of(const struct segue_fan_run *run, uint32_t i)
{
	return run->fan.peers ? run->fan.peers[i] : i;
}

static struct segue_request_args entry_of(const struct segue_fan_run *run, uint32_t i)
{
	const struct segue_fan_args *what = &run->what;
	const uint32_t pieces = what->pieces ? what->pieces : 1;
	const struct segue_request_args entry = {
		.kind = what->kind,
		.local = what->local + (what->same ? 0 : (size_t)i * pieces),
		.pieces = pieces,
		.remote = what->remote ? &what->remote[i] : NULL,
		.add_or_swap = what->add_or_swap ? what->add_or_swap[i] : 0,
		.compare = what->compare ? what->compare[i] : 0};

	return entry;
}

static int check(const struct segue_fan_run *run)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < run->fan.count && !ret; i++) {
		const struct segue_request_args entry = entry_of(run, i);

		ret = seguei_multi_check_index(run->fan.multi, run->call, peer_of(run, i));
		if (!ret)
			ret = seguei_what_check(run->fan.multi, peer_of(run, i), &entry, run->call);
	}
	return ret;
}

/* No part of the request was carried out, or will be. */
static void close_entry(struct segue_fan_run *run, uint32_t i, int error, enum segue_outcome end)
{
	struct segue_request *request = &run->requests[i];

	segue_request_forget(request);
	request->done = true;
	request->end = end;
	run->fan.results[i].error = error;
	run->pending--;
}

/* WRITEs and READs of no bytes do not reach their peer, but a message of no bytes does. */
static bool moves_nothing(const struct segue_request_args *entry)
{
	return entry->kind != SEGUE_REQUEST_SEND && !seguei_what_length(entry);
}

/*
 * Refusals after which the rest is not tried. Over RC each peer has a queue of its own. Over UD
 * there is one queue. Over DC a peer is refused when its own DCI is full, which can happen once per
 * DCI while others still find one, or when there is no DCI.
 */
static uint32_t refusals_of(const struct segue_multi_channel *multi)
{
	switch (multi->transport) {
	case SEGUE_TRANSPORT_RC:
		return UINT32_MAX;
	case SEGUE_TRANSPORT_DC:
		return multi->more->options.dcis;
	default:
		return 0;
	}
}

/* Posts as much as possible. */
static void post_some(struct segue_fan_run *run)
{
	const uint32_t refusals = refusals_of(run->fan.multi);
	uint32_t n, kept = 0;
	int ret;

	for (n = 0; n < run->n_left && kept <= refusals; n++) {
		const uint32_t i = run->left[n];
		const struct segue_request_args entry = entry_of(run, i);

		if (moves_nothing(&entry)) {
			close_entry(run, i, 0, SEGUE_OUTCOME_EXECUTED);
			continue;
		}
		ret = seguei_request_post(&run->requests[i], &entry);
		if (ret == -EAGAIN || ret == -ENOSPC)
			run->left[kept++] = i;
		else if (ret)
			close_entry(run, i, ret, SEGUE_OUTCOME_NOT_EXECUTED);
	}
	memmove(&run->left[kept], &run->left[n], (run->n_left - n) * sizeof(*run->left));
	run->n_left -= n - kept;
}

static bool is_pending(const void *arg, uint32_t i)
{
	return !((const struct segue_fan_run *)arg)->requests[i].done;
}

static void fill_result(const struct segue_fan_run *run, uint32_t i)
{
	const struct segue_request *request = &run->requests[i];
	struct segue_fan_result *result = &run->fan.results[i];
	const struct segue_request_args entry = entry_of(run, i);

	result->end = request->end;
	if (!request->done && request->posted)
		result->end = SEGUE_OUTCOME_UNKNOWN;
	if (!request->done)
		result->error = request->posted ? -ETIMEDOUT : -EAGAIN;
	else if (request->posted && request->syndrome)
		result->error = -EIO;
	if (request->done && request->posted && !request->syndrome)
		result->bytes = (uint32_t)seguei_what_length(&entry);
	if (result->error)
		result->sentence = segue_channel_reason(&run->fan.multi->channels[peer_of(run, i)]);
}

/* Over DC the peer may be well, so there may be no reason. */
static int failed(const struct segue_fan_run *run, uint32_t i)
{
	const struct segue_fan_result *result = &run->fan.results[i];
	const uint8_t syndrome = run->requests[i].syndrome;

	if (result->sentence[0])
		return seguei_fail(EIO, "%s: %s", run->call, result->sentence);
	return seguei_fail(EIO, "%s: peer %u: %s%s", run->call, peer_of(run, i),
			   syndrome ? "its request failed with " : "",
			   syndrome ? seguei_syndrome_name(syndrome) : strerror(-result->error));
}

static int collect(const struct segue_fan_run *run)
{
	int ret = 0;

	for (uint32_t i = 0; i < run->fan.count; i++) {
		fill_result(run, i);
		if (run->fan.results[i].error && !ret)
			ret = failed(run, i);
	}
	return ret;
}

/* ---- beginning and ending ---- */

static void destroy(struct segue_fan_run *run)
{
	for (uint32_t i = 0; run->requests && i < run->fan.count; i++)
		segue_request_forget(&run->requests[i]);
	free(run->requests);
	free(run->left);
	free(run);
}

/*
 * Index of the entry after this side's own. If all ranks began with the first entry, each would
 * wait for the same peer, and for the slowest of them.
 */
static uint32_t first_of(const struct segue_fan_run *run)
{
	const uint32_t self = run->fan.multi->more->options.self;
	uint32_t i = run->fan.peers ? 0 : self;

	while (i < run->fan.count && peer_of(run, i) != self)
		i++;
	return i < run->fan.count ? i + 1 : self;
}

static int open_requests(struct segue_fan_run *run)
{
	const uint32_t count = run->fan.count, room = count ? count : 1, first = first_of(run);
	uint32_t i;
	int ret = 0;

	run->requests = calloc(room, sizeof(*run->requests));
	run->left = calloc(room, sizeof(*run->left));
	if (!run->requests || !run->left)
		return seguei_fail(ENOMEM, "%s: no memory for %u peers.", run->call, count);
	for (i = 0; i < count && !ret; i++) {
		run->left[i] = (first + i) % count;
		ret = seguei_request_open(&run->requests[i], run->fan.multi, peer_of(run, i),
					  &run->pending);
	}
	run->n_left = run->pending = count;
	return ret;
}

static int begin(const struct segue_fan *fan, const struct segue_fan_args *what, const char *call,
		 struct segue_fan_run **out)
{
	struct segue_fan_run *run = calloc(1, sizeof(*run));
	uint32_t i;
	int ret;

	for (i = 0; i < fan->count; i++) /* until something is posted */
		fan->results[i] = (struct segue_fan_result){
			.error = -ECANCELED, .end = SEGUE_OUTCOME_NOT_EXECUTED, .sentence = ""};
	if (!run)
		return seguei_fail(ENOMEM, "%s: no memory for %u peers.", call, fan->count);
	run->fan = *fan;
	run->what = *what;
	run->call = call;
	ret = check(run);
	if (!ret)
		ret = open_requests(run);
	if (ret) {
		destroy(run);
		return ret;
	}
	for (i = 0; i < fan->count; i++)
		fan->results[i].error = 0;
	post_some(run);
	*out = run;
	return 0;
}

int segue_fan_begin(const struct segue_fan *fan, const struct segue_fan_args *what,
		    struct segue_fan_run **out)
{
	return begin(fan, what, "segue_fan_begin()", out);
}

int segue_fan_test(struct segue_fan_run *run)
{
	int ret = 0;

	if (run->pending) {
		post_some(run);
		ret = seguei_multi_turn(run->fan.multi);
	}
	return ret || !run->pending ? ret : -EAGAIN;
}

int segue_fan_end(struct segue_fan_run *run)
{
	char names[160], why[320] = "not done at the deadline";
	int ret = 0, worst;

	while (run->pending) {
		const bool late = !segue_deadline_left_ms(run->fan.deadline);

		ret = segue_fan_test(run);
		if (ret != -EAGAIN || (late && run->pending))
			break;
		ret = 0;
	}
	ret = ret == -EAGAIN ? 0 : ret;
	/* After an error of a poll, requests are still in flight. */
	if (ret)
		(void)snprintf(why, sizeof(why), "%s", segue_errmsg());
	worst = collect(run);
	if (run->pending) {
		(void)seguei_world_name_ranks(names, sizeof(names), run->fan.count, is_pending,
					      run);
		ret = seguei_fail(ret ? -ret : ETIMEDOUT, "%s: %s: entries for %s.", run->call, why,
				  names);
	}
	destroy(run);
	return ret ? ret : worst;
}

static int carry_out(const struct segue_fan *fan, const struct segue_fan_args *what,
		     const char *call)
{
	struct segue_fan_run *run;
	const int ret = begin(fan, what, call, &run);

	return ret ? ret : segue_fan_end(run);
}

int segue_fan_write(const struct segue_fan *fan, const struct segue_local_buf *from,
		    const struct segue_remote_buf *to)
{
	const struct segue_fan_args what = {
		.kind = SEGUE_REQUEST_WRITE, .local = from, .remote = to};

	return carry_out(fan, &what, "segue_fan_write()");
}

int segue_fan_read(const struct segue_fan *fan, const struct segue_local_buf *to,
		   const struct segue_remote_buf *from)
{
	const struct segue_fan_args what = {
		.kind = SEGUE_REQUEST_READ, .local = to, .remote = from};

	return carry_out(fan, &what, "segue_fan_read()");
}

int segue_fan_send(const struct segue_fan *fan, const struct segue_local_buf *from)
{
	const struct segue_fan_args what = {.kind = SEGUE_REQUEST_SEND, .local = from};

	return carry_out(fan, &what, "segue_fan_send()");
}

int segue_fan_send_same(const struct segue_fan *fan, const struct segue_local_buf *from)
{
	const struct segue_fan_args what = {
		.kind = SEGUE_REQUEST_SEND, .local = from, .same = true};

	return carry_out(fan, &what, "segue_fan_send_same()");
}

int segue_fan_fetch_add(const struct segue_fan *fan, const struct segue_local_buf *to,
			const struct segue_remote_buf *at, const uint64_t *add)
{
	const struct segue_fan_args what = {
		.kind = SEGUE_REQUEST_FETCH_ADD, .local = to, .remote = at, .add_or_swap = add};

	return carry_out(fan, &what, "segue_fan_fetch_add()");
}
