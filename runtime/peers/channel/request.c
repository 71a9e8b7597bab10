/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library's own requests. Each has a place in a table. Its wr_id contains the place and a
 * number, so a completion finds the waiting call, or none if the request was abandoned.
 */
#include "segue/peers/channel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"
#include "segue/peers/multi_channel.h"
#include "segue/peers/post.h"

/* wr_id: SEGUE_WR_ID_LIMIT in the upper 12 bits, then a number, then the place in the table. */
#define PLACE_BITS 24u
#define NO_PLACE   ((1u << PLACE_BITS) - 1)
#define PLACES_MIN 16u

/* SGEs of one request, on the stack. */
#define PIECES_MAX 32u

/* ---- the table ---- */

uint64_t seguei_wr_id_of_nobody(void)
{
	return SEGUE_WR_ID_LIMIT | NO_PLACE;
}

static int grow(struct seguei_multi_more *more)
{
	const uint32_t room = more->requests.room ? 2 * more->requests.room : PLACES_MIN;
	struct seguei_request_place *places = NULL;
	uint32_t i;

	if (room < NO_PLACE)
		places = realloc(more->requests.places, room * sizeof(*places));
	if (!places)
		return seguei_fail(ENOMEM, "Multi-channel: no memory for %u requests.", room);
	for (i = more->requests.room; i < room; i++)
		places[i] = (struct seguei_request_place){.wr_id = SEGUE_WR_ID_LIMIT | i,
							  .next_free = i + 1};
	more->requests.places = places;
	more->requests.first_free = more->requests.room;
	more->requests.room = room;
	return 0;
}

int seguei_request_open(struct segue_request *request, struct segue_multi_channel *multi,
			uint32_t peer, uint32_t *pending)
{
	struct seguei_multi_more *more = multi->more;
	struct seguei_request_place *place;

	memset(request, 0, sizeof(*request));
	request->end = SEGUE_OUTCOME_NOT_EXECUTED;
	request->peer = peer;
	request->pending = pending;
	if (more->requests.first_free == more->requests.room && grow(more))
		return -ENOMEM;
	place = &more->requests.places[more->requests.first_free];
	more->requests.first_free = place->next_free;
	place->request = request;
	/* The next number. Carries out of it are cut off. */
	place->wr_id = SEGUE_WR_ID_LIMIT | (place->wr_id + (1u << PLACE_BITS));
	request->multi = multi;
	request->wr_id = place->wr_id;
	return 0;
}

static void leave_table(struct segue_request *request)
{
	struct seguei_multi_more *more = request->multi->more;
	const uint32_t at = request->wr_id & NO_PLACE;

	more->requests.places[at].request = NULL;
	more->requests.places[at].next_free = more->requests.first_free;
	more->requests.first_free = at;
}

void segue_request_forget(struct segue_request *request)
{
	if (request->multi && !request->done)
		leave_table(request);
	request->multi = NULL;
}

void seguei_request_over(struct segue_request *request, uint8_t syndrome, enum segue_outcome end)
{
	leave_table(request);
	request->done = true;
	request->syndrome = syndrome;
	request->end = end;
	if (request->pending)
		--*request->pending;
}

struct segue_request *seguei_request_of(const struct segue_multi_channel *multi, uint64_t wr_id)
{
	const struct seguei_multi_more *more = multi->more;
	const uint32_t at = wr_id & NO_PLACE;

	return at < more->requests.room && more->requests.places[at].wr_id == wr_id
		       ? more->requests.places[at].request
		       : NULL;
}

/* Its queues are gone, so the results of their requests are not known. */
void seguei_requests_close(struct seguei_multi_more *more)
{
	uint32_t i;

	for (i = 0; i < more->requests.room; i++) {
		struct segue_request *request = more->requests.places[i].request;

		if (!request)
			continue;
		seguei_request_over(request, SEGUE_CQE_SYNDROME_WR_FLUSH_ERR,
				    SEGUE_OUTCOME_UNKNOWN);
		request->multi = NULL;
	}
	free(more->requests.places);
	more->requests.places = NULL;
	more->requests.room = 0;
}

/* ---- posting ---- */

uint64_t seguei_what_length(const struct segue_request_args *what)
{
	const uint32_t pieces = what->pieces ? what->pieces : 1;
	uint64_t length = 0;
	uint32_t i;

	for (i = 0; i < pieces; i++)
		length += what->local[i].length;
	return length;
}

static bool is_atomic(const struct segue_request_args *what)
{
	return what->kind == SEGUE_REQUEST_FETCH_ADD || what->kind == SEGUE_REQUEST_COMPARE_SWAP;
}

int seguei_what_check(const struct segue_multi_channel *multi, uint32_t peer,
		      const struct segue_request_args *what, const char *call)
{
	const uint32_t sges = multi->more->options.max_send_sge,
		       most = sges < PIECES_MAX ? sges : PIECES_MAX;
	const uint64_t length = seguei_what_length(what);

	if (what->kind != SEGUE_REQUEST_SEND && !what->remote)
		return seguei_fail(EINVAL, "%s: the request to peer %u has no remote memory.", call,
				   peer);
	if (what->pieces > most)
		return seguei_fail(EINVAL,
				   "%s: the request to peer %u has %u pieces, expected at most %u "
				   "(max_send_sge of the multi-channel).",
				   call, peer, what->pieces, most);
	if (is_atomic(what) && (what->pieces > 1 || length != sizeof(uint64_t) ||
				what->remote->addr % sizeof(uint64_t)))
		return seguei_fail(EINVAL,
				   "%s: the atomic at peer %u has %llu bytes of local memory and "
				   "address 0x%llx, expected 8 in one piece and a multiple of 8.",
				   call, peer, (unsigned long long)length,
				   (unsigned long long)what->remote->addr);
	if (what->kind != SEGUE_REQUEST_SEND && length > what->remote->length)
		return seguei_fail(
			ERANGE, "%s: %llu bytes are local, but peer %u's piece has %llu.", call,
			(unsigned long long)length, peer, (unsigned long long)what->remote->length);
	return 0;
}

static int post_write(const struct segue_request *request, const struct segue_remote_buf *to,
		      const struct segue_seg_data *sges, uint32_t count)
{
	const struct segue_peer_rdma_write_args args = {.wr_id = request->wr_id,
							.flags = SEGUE_SIGNALED,
							.remote_addr = to->addr,
							.rkey = to->key.rkey,
							.sges = sges,
							.sge_count = count};

	return segue_peer_rdma_write(request->multi, request->peer, &args);
}

static int post_read(const struct segue_request *request, const struct segue_remote_buf *from,
		     const struct segue_seg_data *sges, uint32_t count)
{
	const struct segue_peer_rdma_read_args args = {.wr_id = request->wr_id,
						       .flags = SEGUE_SIGNALED,
						       .remote_addr = from->addr,
						       .rkey = from->key.rkey,
						       .sges = sges,
						       .sge_count = count};

	if (!count) /* nothing to read, but the peer must exist */
		return post_write(request, from, sges, count);
	return segue_peer_rdma_read(request->multi, request->peer, &args);
}

static int post_send(const struct segue_request *request, const struct segue_seg_data *sges,
		     uint32_t count)
{
	struct segue_channel *channel = &request->multi->channels[request->peer];
	int ret;
	const struct segue_peer_send_imm_args args = {.wr_id = request->wr_id,
						      .flags = SEGUE_SIGNALED,
						      .imm = request->multi->imm,
						      .sges = sges,
						      .sge_count = count};

	if (!segue_channel_credits(channel))
		return seguei_fail(EAGAIN,
				   "Peer %u has given back none of the %u messages that it takes "
				   "at once; poll, and send again.",
				   request->peer, channel->credits);
	ret = segue_peer_send_imm(request->multi, request->peer, &args);
	if (!ret)
		segue_channel_spend_credit(channel);
	return ret;
}

static int post_fetch_add(const struct segue_request *request,
			  const struct segue_request_args *what)
{
	const struct segue_peer_atomic_fa_args args = {.wr_id = request->wr_id,
						       .flags = SEGUE_SIGNALED,
						       .remote_addr = what->remote->addr,
						       .rkey = what->remote->key.rkey,
						       .swap_add = what->add_or_swap,
						       .addr = what->local->addr,
						       .byte_count = what->local->length,
						       .lkey = what->local->key.lkey};

	return segue_peer_atomic_fa(request->multi, request->peer, &args);
}

static int post_compare_swap(const struct segue_request *request,
			     const struct segue_request_args *what)
{
	const struct segue_peer_atomic_cs_args args = {.wr_id = request->wr_id,
						       .flags = SEGUE_SIGNALED,
						       .remote_addr = what->remote->addr,
						       .rkey = what->remote->key.rkey,
						       .swap_add = what->add_or_swap,
						       .compare = what->compare,
						       .addr = what->local->addr,
						       .byte_count = what->local->length,
						       .lkey = what->local->key.lkey};

	return segue_peer_atomic_cs(request->multi, request->peer, &args);
}

int seguei_request_post(struct segue_request *request, const struct segue_request_args *what)
{
	const uint32_t pieces = what->pieces ? what->pieces : 1;
	struct segue_seg_data sges[PIECES_MAX];
	uint32_t i, count = 0;
	int ret;

	for (i = 0; i < pieces; i++) /* an entry of length 0 would mean 2^31 bytes */
		if (what->local[i].length)
			sges[count++] = seguei_piece_entry(&what->local[i]);
	switch (what->kind) {
	case SEGUE_REQUEST_WRITE:
		ret = post_write(request, what->remote, sges, count);
		break;
	case SEGUE_REQUEST_READ:
		ret = post_read(request, what->remote, sges, count);
		break;
	case SEGUE_REQUEST_SEND:
		ret = post_send(request, sges, count);
		break;
	case SEGUE_REQUEST_FETCH_ADD:
		ret = post_fetch_add(request, what);
		break;
	case SEGUE_REQUEST_COMPARE_SWAP:
		ret = post_compare_swap(request, what);
		break;
	default:
		return seguei_fail(EINVAL,
				   "Request: kind is %d, expected one of enum "
				   "segue_request_kind.",
				   (int)what->kind);
	}
	request->posted = !ret;
	return ret;
}

int segue_request_begin(struct segue_channel *channel, const struct segue_request_args *what,
			struct segue_request *request)
{
	int ret = seguei_request_open(request, channel->multi, channel->index, NULL);

	if (!ret)
		ret = seguei_what_check(channel->multi, channel->index, what,
					"segue_request_begin()");
	if (!ret)
		ret = seguei_request_post(request, what);
	if (ret)
		segue_request_forget(request);
	return ret;
}

/* ---- waiting ---- */

static int result_of(const struct segue_request *request)
{
	const char *reason = "";

	if (!request->syndrome)
		return 0;
	if (request->peer == SEGUE_PEER_NONE)
		return seguei_fail(EIO, "A datagram to a group was not sent: %s.",
				   seguei_syndrome_name(request->syndrome));
	if (request->multi && request->peer < request->multi->count)
		reason = segue_channel_reason(&request->multi->channels[request->peer]);
	if (reason[0])
		return seguei_fail(EIO, "The request failed: %s", reason);
	return seguei_fail(EIO, "The request to peer %u failed with %s.", request->peer,
			   seguei_syndrome_name(request->syndrome));
}

int segue_request_test(struct segue_request *request)
{
	int ret = 0;

	if (request->done)
		return result_of(request);
	if (!request->multi)
		return seguei_fail(EINVAL, "segue_request_test(): nothing was posted, or it was "
					   "forgotten.");
	ret = seguei_multi_turn(request->multi);
	if (ret)
		return ret;
	return request->done ? result_of(request) : -EAGAIN;
}

int segue_request_wait(struct segue_request *request, segue_deadline deadline)
{
	for (;;) {
		const bool late = !segue_deadline_left_ms(deadline);
		const int ret = segue_request_test(request);

		if (ret != -EAGAIN || request->done)
			return ret;
		if (late)
			return seguei_fail(
				ETIMEDOUT,
				"Peer %u has not answered in time; the request is still under way.",
				request->peer);
	}
}

/* @ret: result of a post. Returns 0 if another try is worthwhile */
static int make_way(struct segue_multi_channel *multi, uint32_t peer, int ret,
		    segue_deadline deadline)
{
	if (ret != -EAGAIN && ret != -ENOSPC)
		return ret;
	if (!segue_deadline_left_ms(deadline))
		return seguei_fail(
			ETIMEDOUT,
			"Peer %u: its queue has not become free in time; nothing was posted.",
			peer);
	return seguei_multi_turn(multi);
}

/* The peer's queue, if it takes a request of any length now. */
static int room_of(struct segue_channel *channel)
{
	int ret;

	if (!channel->sq)
		return seguei_by_peer_refuse(channel->multi, channel->index);
	if (channel->multi->transport == SEGUE_TRANSPORT_DC) {
		ret = seguei_by_peer_dci(channel);
		if (ret)
			return ret;
	}
	return segue_sq_room(channel->sq) < channel->sq->blocks ? -ENOSPC : 0;
}

int segue_channel_make_room(struct segue_channel *channel, segue_deadline deadline)
{
	int ret;

	while ((ret = room_of(channel))) {
		ret = make_way(channel->multi, channel->index, ret, deadline);
		if (ret)
			return ret;
	}
	return 0;
}

static int carry_out(struct segue_channel *channel, const struct segue_request_args *what,
		     const char *call, segue_deadline deadline)
{
	struct segue_request request;
	int ret = seguei_what_check(channel->multi, channel->index, what, call);

	if (!ret)
		ret = seguei_request_open(&request, channel->multi, channel->index, NULL);
	if (ret)
		return ret;
	while ((ret = seguei_request_post(&request, what))) {
		ret = make_way(channel->multi, channel->index, ret, deadline);
		if (ret)
			break;
	}
	if (!ret)
		ret = segue_request_wait(&request, deadline);
	segue_request_forget(&request);
	return ret;
}

int segue_channel_write(struct segue_channel *channel, const struct segue_local_buf *from,
			const struct segue_remote_buf *to, segue_deadline deadline)
{
	const struct segue_request_args what = {
		.kind = SEGUE_REQUEST_WRITE, .local = from, .remote = to};

	return carry_out(channel, &what, "segue_channel_write()", deadline);
}

int segue_channel_read(struct segue_channel *channel, const struct segue_local_buf *to,
		       const struct segue_remote_buf *from, segue_deadline deadline)
{
	const struct segue_request_args what = {
		.kind = SEGUE_REQUEST_READ, .local = to, .remote = from};

	return carry_out(channel, &what, "segue_channel_read()", deadline);
}

int segue_channel_send(struct segue_channel *channel, const struct segue_local_buf *from,
		       segue_deadline deadline)
{
	const struct segue_request_args what = {.kind = SEGUE_REQUEST_SEND, .local = from};

	return carry_out(channel, &what, "segue_channel_send()", deadline);
}

int segue_channel_fetch_add(struct segue_channel *channel, const struct segue_local_buf *to,
			    const struct segue_remote_buf *at, uint64_t add,
			    segue_deadline deadline)
{
	const struct segue_request_args what = {
		.kind = SEGUE_REQUEST_FETCH_ADD, .local = to, .remote = at, .add_or_swap = add};

	return carry_out(channel, &what, "segue_channel_fetch_add()", deadline);
}

int segue_channel_compare_swap(struct segue_channel *channel, const struct segue_local_buf *to,
			       const struct segue_remote_buf *at, uint64_t compare, uint64_t swap,
			       segue_deadline deadline)
{
	const struct segue_request_args what = {.kind = SEGUE_REQUEST_COMPARE_SWAP,
						.local = to,
						.remote = at,
						.add_or_swap = swap,
						.compare = compare};

	return carry_out(channel, &what, "segue_channel_compare_swap()", deadline);
}
