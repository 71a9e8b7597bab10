/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A server, and clients that come and go. Each call takes a free place among the server's peers.
 * The caller learns its index and generation at the server, and puts them into its messages.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>

#include "runtime/base/socket.h"
#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"
#include "segue/peers/exchange.h"

/* Time limit for a caller's proof and its endpoint, whatever the deadline. */
#define CALL_MS 2000

static int check(const struct segue_multi_channel *multi, const char *call)
{
	if (multi->more->options.own_numbers)
		return 0;
	return seguei_fail(EINVAL,
			   "%s: the multi-channel was opened without own_numbers, which a server "
			   "and its clients have.",
			   call);
}

static bool is_free(const struct segue_multi_channel *multi, uint32_t index)
{
	const enum segue_channel_state state = seguei_peer_state(multi, index);

	return state != SEGUE_CHANNEL_UP && state != SEGUE_CHANNEL_CLOSED;
}

/* Places are used in turn, so that one that has just become free is used last. */
static int find_place(struct segue_multi_channel *multi, uint32_t *index)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t i;

	for (i = 0; i < multi->count; i++) {
		*index = (more->directory.next_place + i) % multi->count;
		if (is_free(multi, *index))
			return 0;
	}
	return seguei_fail(ENOSPC,
			   "segue_multi_channel_accept(): all %u peers are up; "
			   "call segue_multi_channel_fail_peer() for those that have left.",
			   multi->count);
}

static int describe(struct segue_multi_channel *multi, uint32_t index, segue_deadline deadline,
		    struct segue_endpoint *mine)
{
	int ret = 0;

	if (seguei_peer_state(multi, index) != SEGUE_CHANNEL_READY)
		ret = segue_multi_channel_restart_peer(multi, index, deadline);
	return ret ? ret : segue_multi_channel_endpoint(multi, index, mine);
}

/* -ETIMEDOUT if no client calls. */
static int wait_for_call(int listener, segue_deadline deadline)
{
	const int ret = seguei_socket_wait(listener, POLLIN, deadline);

	if (ret < 0)
		return seguei_fail(-ret,
				   "segue_multi_channel_accept(): listener %d cannot be "
				   "waited for.",
				   listener);
	return ret ? 0
		   : seguei_fail(ETIMEDOUT,
				 "segue_multi_channel_accept(): no client has called in time.");
}

int segue_multi_channel_accept(struct segue_multi_channel *multi, int listener,
			       segue_deadline deadline, uint32_t *index)
{
	struct segue_endpoint mine, theirs;
	struct segue_channel *channel;
	int ret = check(multi, "segue_multi_channel_accept()");

	if (!ret)
		ret = wait_for_call(listener, deadline);
	if (!ret)
		ret = find_place(multi, index);
	deadline = segue_deadline_in_ms(CALL_MS);
	if (!ret)
		ret = describe(multi, *index, deadline, &mine);
	if (!ret)
		ret = segue_exchange_accept(listener, &mine, deadline, &theirs);
	if (!ret)
		ret = seguei_channel_make(multi, *index, &channel);
	if (!ret)
		ret = segue_multi_channel_connect_peer(multi, *index, &theirs);
	if (ret)
		return ret;
	channel->more->life = channel->tag >> SEGUEI_TAG_SHIFT; /* as in its messages */
	multi->more->directory.next_place = (*index + 1) % multi->count;
	return 0;
}

int segue_multi_channel_connect_host(struct segue_multi_channel *multi, uint32_t index,
				     const char *host, const char *service, segue_deadline deadline)
{
	struct segue_endpoint mine, theirs;
	struct seguei_peer_note note;
	int ret = check(multi, "segue_multi_channel_connect_host()");

	if (!ret)
		ret = seguei_multi_check_index(multi, "segue_multi_channel_connect_host()", index);
	if (!ret)
		ret = describe(multi, index, deadline, &mine);
	if (!ret)
		ret = segue_exchange_connect(host, service, &mine, deadline, &theirs);
	if (!ret)
		ret = segue_multi_channel_connect_peer(multi, index, &theirs);
	if (!ret)
		ret = seguei_note_read(theirs.user, &note);
	if (!ret)
		multi->imm = note.to;
	return ret;
}
