/* SPDX-License-Identifier: BSD-2-Clause */
/* Sleeping until queues or the world have an event. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "runtime/peers/channel/multi_channel.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

int seguei_multi_events_open(struct seguei_multi_more *more)
{
	more->events.epoll = -1;
	return more->options.events ? segue_comp_channel_open(more->device, &more->events.channel)
				    : 0;
}

/* Must be called after the completion queue was closed. */
int seguei_multi_events_close(struct seguei_multi_more *more)
{
	const int ret = segue_comp_channel_close(more->events.channel);

	if (!ret)
		more->events.channel = NULL;
	if (more->events.channel || more->events.epoll < 0)
		return ret;
	(void)close(more->events.epoll);
	more->events.epoll = -1;
	return 0;
}

static int check(const struct segue_multi_channel *multi, const char *call)
{
	return multi->more->events.channel
		       ? 0
		       : seguei_fail(EINVAL, "%s: the multi-channel was opened without `events`.",
				     call);
}

static int watch(struct seguei_multi_more *more, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data = {.fd = fd}};

	if (!epoll_ctl(more->events.epoll, EPOLL_CTL_ADD, fd, &event) || errno == EEXIST)
		return 0;
	return seguei_fail(errno, "segue_multi_channel_fd(): descriptor %d cannot be watched: %s.",
			   fd, strerror(errno));
}

int segue_multi_channel_fd(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	const bool asks = more->options.ask_world_ms && more->rendezvous.world;
	int ret = check(multi, "segue_multi_channel_fd()");

	if (ret)
		return ret;
	if (more->events.epoll < 0)
		more->events.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (more->events.epoll < 0)
		return seguei_fail(errno, "segue_multi_channel_fd(): no epoll: %s.",
				   strerror(errno));
	ret = watch(more, segue_comp_channel_fd(more->events.channel));
	more->events.world_fd = asks ? seguei_world_fd(more->rendezvous.world) : -1;
	if (!ret && more->events.world_fd >= 0)
		ret = watch(more, more->events.world_fd);
	return ret ? ret : more->events.epoll;
}

int segue_multi_channel_arm(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	struct segue_cq *cq;
	int ret = check(multi, "segue_multi_channel_arm()");

	if (ret)
		return ret;
	while ((ret = segue_comp_channel_wait(more->events.channel, SEGUE_NOW, &cq)) > 0)
		;
	if (ret)
		return ret;
	if (multi->due & ~SEGUEI_DUE_KEPT)
		seguei_multi_see_to(multi);
	/* A lost world would stay readable for ever. */
	if (more->options.ask_world_ms && more->rendezvous.world && seguei_multi_ask_world(multi) &&
	    more->events.epoll >= 0 && more->events.world_fd >= 0) {
		(void)epoll_ctl(more->events.epoll, EPOLL_CTL_DEL, more->events.world_fd, NULL);
		more->events.world_fd = -1;
	}
	ret = segue_cq_arm(more->queues.cq, SEGUE_CQ_ARM_CMD_ANY);
	if (ret)
		return ret;
	return more->backlog.count || more->changes.first != SEGUE_PEER_NONE ||
	       seguei_cq_new(more->queues.cq, seguei_cq_look(more->queues.cq));
}
