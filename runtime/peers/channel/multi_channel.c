/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opening, closing and querying multi-channels.
 *
 * A rail is a multi-channel (segue/peers/multi_channel.h). Several queue pairs in one channel would
 * add a choice
 * to every post and a table to every completion, even with one port. A peer keeps its rail while
 * that rail is up, because requests on two rails have no order. Rails of several devices would need
 * keys of each device, and are left to the program.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "runtime/object/seam/seam.h"
#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"

#define DEFAULT_SEND_WR	     64
#define DEFAULT_SEND_SGE     4
#define DEFAULT_INLINE	     64
#define DEFAULT_RECEIVES     256
#define DEFAULT_RECEIVE_SIZE 4096
#define DEFAULT_DCIS	     8
#define DEFAULT_QUOTA	     32
#define DCIS_MAX	     256

const char *seguei_over_name(uint32_t over)
{
	static const char *const names[] = {"RC", "DC", "UD"};

	return over < sizeof(names) / sizeof(names[0]) ? names[over] : "no transport";
}

int seguei_multi_check_index(const struct segue_multi_channel *multi, const char *call,
			     uint32_t index)
{
	if (index < multi->count)
		return 0;
	return seguei_fail(EINVAL, "%s: peer %u does not exist, the multi-channel has %u.", call,
			   index, multi->count);
}

static void complete(uint32_t *value, uint32_t otherwise)
{
	if (!*value)
		*value = otherwise;
}

static int check_options(struct segue_multi_channel_options *options)
{
	if (seguei_check_reserved(options->reserved, "Multi-channel"))
		return -EINVAL;
	if (options->transport > SEGUE_TRANSPORT_UD)
		return seguei_fail(
			EINVAL,
			"Multi-channel: over is %d, expected one of enum segue_channel_transport.",
			(int)options->transport);
	if (!options->peers || options->peers > SEGUE_PEERS_MAX)
		return seguei_fail(EINVAL, "Multi-channel: peers is %u, expected 1 to %u.",
				   options->peers, SEGUE_PEERS_MAX);
	if (options->transport != SEGUE_TRANSPORT_DC &&
	    (options->dcis || options->quota || options->imm_names_sender))
		return seguei_fail(EINVAL,
				   "Multi-channel: dcis, quota or imm_names_sender is given, but "
				   "%s has no DCIs.",
				   seguei_over_name(options->transport));
	if (options->transport == SEGUE_TRANSPORT_UD && options->keepalive_ms &&
	    options->keepalive_ms != SEGUE_MS_NEVER)
		return seguei_fail(EINVAL,
				   "Multi-channel: keepalive_ms is %u, but over UD no "
				   "acknowledgement shows that a peer lives; expected 0.",
				   options->keepalive_ms);
	if (options->on_demand && options->transport != SEGUE_TRANSPORT_RC)
		return seguei_fail(EINVAL,
				   "Multi-channel: on_demand is given, but over %s peers share "
				   "queues that are there from the beginning.",
				   seguei_over_name(options->transport));
	if (options->events && options->cq)
		return seguei_fail(EINVAL,
				   "Multi-channel: events and cq are given, but a cq of the "
				   "program has its own channel, or none; leave one out.");
	if (options->dcis > DCIS_MAX)
		return seguei_fail(EINVAL, "Multi-channel: dcis is %u, expected at most %u.",
				   options->dcis, DCIS_MAX);
	return 0;
}

static void complete_options(struct segue_multi_channel_options *options)
{
	complete(&options->max_send_wr, DEFAULT_SEND_WR);
	complete(&options->max_send_sge, DEFAULT_SEND_SGE);
	complete(&options->max_inline, DEFAULT_INLINE);
	complete(&options->receives, DEFAULT_RECEIVES);
	complete(&options->receive_size, DEFAULT_RECEIVE_SIZE);
	if (options->transport == SEGUE_TRANSPORT_DC) {
		complete(&options->dcis, DEFAULT_DCIS);
		complete(&options->quota, DEFAULT_QUOTA);
	}
	complete(&options->life, 1);
	if (options->keepalive_ms == SEGUE_MS_NEVER)
		options->keepalive_ms = 0;
	if (options->ask_world_ms == SEGUE_MS_NEVER)
		options->ask_world_ms = 0;
	if (!options->port)
		options->port = 1;
}

static int fill_path(struct seguei_multi_more *more)
{
	if (!more->options.path)
		return segue_path_init(&more->path, more->device, more->options.port);
	more->path = *more->options.path;
	more->options.path = NULL;
	more->options.port = more->path.port;
	return 0;
}

int seguei_multi_draw(void *out, size_t size)
{
	if (getrandom(out, size, 0) == (ssize_t)size)
		return 0;
	return seguei_fail(EIO, "Multi-channel: the kernel has no random bytes: %s.",
			   strerror(errno));
}

/*
 * Values that strangers must not guess. A queue key's upper bit is for privileged ones, see IBTA
 * vol. 1, 3.5.3.
 */
static int fill_random(struct seguei_multi_more *more)
{
	struct {
		uint64_t dc_key;
		uint32_t seed, qkey;
	} drawn;
	const int ret = seguei_multi_draw(&drawn, sizeof(drawn));

	if (ret)
		return ret;
	more->queues.dc_key = drawn.dc_key;
	more->queues.seed = drawn.seed;
	more->queues.own_qkey = !more->path.qkey;
	if (more->queues.own_qkey)
		more->path.qkey = drawn.qkey >> 1 | 1;
	return 0;
}

static struct seguei_multi_more *more_of(struct segue_multi_channel *multi)
{
	return multi ? (struct seguei_multi_more *)(void *)((char *)multi -
							    offsetof(struct seguei_multi_more,
								     multi))
		     : NULL;
}

static int release_multi(struct seguei_object *object)
{
	struct seguei_multi_more *more = (struct seguei_multi_more *)object;
	struct segue_multi_channel *multi = &more->multi;
	const int ret = seguei_multi_release(multi);

	seguei_scopes_forget(multi);
	if (ret) /* some objects could not be closed */
		return ret;
	seguei_requests_close(more);
	free(more->scopes.posted.entries);
	seguei_channels_close(multi);
	free(more->senders.indices);
	free(more->dcis.all);
	free(more->backlog.kept);
	free(more->barriers.flags);
	return 0;
}

static const struct seguei_kind multi_kind = {"multi-channel", SEGUEI_RANK_MULTI_CHANNEL,
					      release_multi};

int segue_multi_channel_open(struct segue_pd *pd, const struct segue_multi_channel_options *options,
			     struct segue_multi_channel **out)
{
	struct segue_multi_channel *multi;
	struct seguei_multi_more *more;
	int ret = seguei_object_check(seguei_object_of(pd), &seguei_pd_kind,
				      "segue_multi_channel_open()");

	if (ret)
		return ret;
	more = seguei_object_alloc(sizeof(*more), "Multi-channel");
	if (!more)
		return -ENOMEM;
	seguei_object_open(&more->object, &multi_kind, seguei_object_of(pd), seguei_key_of(more));
	multi = &more->multi;
	multi->more = more;
	more->pd = pd;
	more->device = seguei_device_of(seguei_object_of(pd));
	more->options = *options;
	more->dcis.first_waiting = more->dcis.last_waiting = SEGUE_PEER_NONE;
	more->events.epoll = more->events.world_fd = -1;
	more->changes.first = more->changes.last = more->first_owing = SEGUE_PEER_NONE;
	seguei_kept_begin(more);
	ret = check_options(&more->options);
	if (!ret)
		ret = seguei_receives_check(&more->options, pd);
	complete_options(&more->options);
	if (!ret)
		ret = seguei_credits_check(&more->options);
	if (!ret)
		ret = fill_path(more);
	if (!ret)
		ret = fill_random(more);
	multi->transport = more->options.transport;
	multi->imm = seguei_imm_of(more->options.self, more->options.life);
	multi->count = ret ? 0 : more->options.peers;
	if (!ret)
		ret = seguei_channels_open(multi);
	if (!ret)
		ret = seguei_multi_prepare(multi);
	multi->keeps_alive = more->options.keepalive_ms != 0;
	multi->counts_credits = more->options.credits != 0;
	if (ret) {
		char why[256];

		(void)snprintf(why, sizeof(why), "%s", segue_errmsg());
		(void)segue_multi_channel_close(multi);
		return seguei_fail(-ret, "%s", why);
	}
	*out = multi;
	return 0;
}

int segue_multi_channel_close(struct segue_multi_channel *multi)
{
	return seguei_object_close((struct seguei_object *)more_of(multi), &multi_kind);
}

void segue_multi_channel_hand_over(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t i;

	for (i = 0; i < multi->count && multi->transport == SEGUE_TRANSPORT_RC; i++)
		if (multi->channels[i].more->qp)
			segue_sq_hand_over(multi->channels[i].more->owner.sq);
	for (i = 0; i < more->options.dcis; i++)
		segue_sq_hand_over(more->dcis.all[i].sq);
	if (more->queues.ud)
		segue_sq_hand_over(more->queues.ud_owner.sq);
	if (more->receives.srq)
		segue_srq_hand_over(more->receives.srq);
	if (more->queues.own_cq)
		segue_cq_hand_over(more->queues.cq);
	segue_cq_hand_over(&more->backlog.no_cq);
}

struct segue_channel *segue_multi_channel_at(struct segue_multi_channel *multi, uint32_t index)
{
	struct segue_channel *channel;

	if (seguei_multi_check_index(multi, "segue_multi_channel_at()", index) ||
	    seguei_channel_make(multi, index, &channel))
		return NULL;
	return channel;
}

const char *segue_channel_reason(const struct segue_channel *channel)
{
	return channel->more && channel->more->reason ? channel->more->reason : "";
}

const char *segue_channel_state_name(enum segue_channel_state state)
{
	static const char *const names[] = {"made", "ready", "up", "failed", "closed"};

	return (unsigned int)state < sizeof(names) / sizeof(names[0]) ? names[state]
								      : "in no known state";
}

void *segue_multi_channel_payload(const struct segue_multi_channel *multi,
				  const struct segue_wc *wc)
{
	return (uint8_t *)(uintptr_t)wc->wr_id +
	       (multi->transport == SEGUE_TRANSPORT_UD ? SEGUE_GRH_SIZE : 0);
}

uint32_t segue_multi_channel_payload_size(const struct segue_multi_channel *multi,
					  const struct segue_wc *wc)
{
	const uint32_t header = multi->transport == SEGUE_TRANSPORT_UD ? SEGUE_GRH_SIZE : 0;

	return wc->byte_len > header ? wc->byte_len - header : 0;
}
