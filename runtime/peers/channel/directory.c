/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Creation of channels at their first use, over DC, where a channel needs no queue. Until then a
 * peer is a record of 48 bytes from the meeting. Channels lie in an array that is found by a shift.
 * The kernel provides its pages when they are written.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"

_Static_assert(sizeof(struct seguei_known) <= 64, "peers that are not used take little");

static size_t channels_size(const struct segue_multi_channel *multi)
{
	return (size_t)multi->count * sizeof(*multi->channels);
}

int seguei_channels_open(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	void *pages = mmap(NULL, channels_size(multi), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint32_t i;
	int ret = 0;

	multi->channels = pages == MAP_FAILED ? NULL : pages;
	if (multi->transport == SEGUE_TRANSPORT_DC && multi->channels) {
		/* otherwise the first channel would take memory for thousands */
		(void)madvise(pages, channels_size(multi), MADV_NOHUGEPAGE);
		more->directory.known = calloc(multi->count, sizeof(*more->directory.known));
		return more->directory.known
			       ? 0
			       : seguei_fail(ENOMEM, "Multi-channel: no memory for %u peers.",
					     multi->count);
	}
	if (!multi->channels)
		return seguei_fail(ENOMEM, "Multi-channel: no memory for %u peers.", multi->count);
	for (i = 0; i < multi->count && !ret; i++)
		ret = seguei_channel_make(multi, i, &(struct segue_channel *){NULL});
	return ret;
}

void seguei_channels_close(struct segue_multi_channel *multi)
{
	for (uint32_t i = 0; multi->channels && i < multi->count && multi->more->directory.n_made;
	     i++) {
		struct seguei_channel_more *more = multi->channels[i].more;

		if (!more)
			continue;
		free(more->reason);
		free(more);
		multi->more->directory.n_made--;
	}
	if (multi->channels)
		(void)munmap(multi->channels, channels_size(multi));
	multi->channels = NULL;
	free(multi->more->directory.known);
}

static struct segue_endpoint endpoint_of(const struct seguei_multi_more *more,
					 const struct seguei_known *known)
{
	struct segue_endpoint endpoint = more->directory.like;
	struct seguei_peer_note note;

	(void)seguei_note_read(endpoint.user, &note);
	note.dc_key = known->dc_key;
	note.flags_addr = known->flags_addr;
	note.flags_rkey = known->flags_rkey;
	note.life = known->life;
	note.credits = known->credits;
	seguei_note_write(&note, endpoint.user);
	endpoint.gid = known->gid;
	endpoint.lid = known->lid;
	endpoint.qpn = known->number;
	return endpoint;
}

static int use_known(struct segue_channel *channel)
{
	struct seguei_multi_more *more = channel->multi->more;
	const struct seguei_known *known = &more->directory.known[channel->index];
	struct segue_endpoint endpoint;

	channel->dci = &more->dcis.all[0]; /* not its own DCI, as its tag shows */
	channel->state = SEGUE_CHANNEL_READY;
	if (known->life)
		channel->more->life = known->life;
	if (!known->met)
		return 0;
	endpoint = endpoint_of(more, known);
	return seguei_channel_connect(channel, &endpoint);
}

int seguei_channel_make(struct segue_multi_channel *multi, uint32_t index,
			struct segue_channel **out)
{
	struct segue_channel *channel = &multi->channels[index];
	int ret = 0;

	*out = channel;
	if (channel->more)
		return 0;
	channel->more = calloc(1, sizeof(*channel->more));
	if (!channel->more)
		return seguei_fail(ENOMEM, "Multi-channel: no memory for peer %u.", index);
	channel->multi = multi;
	channel->index = index;
	channel->tag = seguei_tag_of(index, 1);
	channel->more->life = 1;
	channel->more->next_waiting = SEGUE_PEER_NONE;
	multi->more->directory.n_made++;
	if (multi->transport == SEGUE_TRANSPORT_DC)
		ret = use_known(channel);
	if (!ret)
		return 0;
	free(channel->more);
	memset(channel, 0, sizeof(*channel));
	multi->more->directory.n_made--;
	return ret;
}

int seguei_channels_make_all(struct segue_multi_channel *multi)
{
	struct segue_channel *channel;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < multi->count && !ret; i++)
		ret = seguei_channel_make(multi, i, &channel);
	return ret;
}

struct segue_channel *seguei_by_peer_first(struct segue_multi_channel *multi, uint32_t index)
{
	struct segue_channel *channel;

	if (index >= multi->count || multi->channels[index].more ||
	    seguei_channel_make(multi, index, &channel))
		return NULL;
	return channel->sq ? channel : NULL;
}

/* ---- facts about peers, used or not ---- */

uint32_t seguei_peer_life(const struct segue_multi_channel *multi, uint32_t index)
{
	if (multi->channels[index].more)
		return multi->channels[index].more->life;
	return multi->more->directory.known[index].life ? multi->more->directory.known[index].life
							: 1;
}

void seguei_peer_set_life(struct segue_multi_channel *multi, uint32_t index, uint32_t life)
{
	if (multi->channels[index].more)
		multi->channels[index].more->life = life;
	else
		multi->more->directory.known[index].life = life;
}

uint32_t seguei_peer_tag(const struct segue_multi_channel *multi, uint32_t index)
{
	return multi->channels[index].more ? multi->channels[index].tag : seguei_tag_of(index, 1);
}

enum segue_channel_state seguei_peer_state(const struct segue_multi_channel *multi, uint32_t index)
{
	if (multi->channels[index].more)
		return (enum segue_channel_state)multi->channels[index].state;
	return multi->more->directory.known[index].met ? SEGUE_CHANNEL_UP : SEGUE_CHANNEL_READY;
}

int seguei_peer_connect(struct segue_multi_channel *multi, uint32_t index,
			const struct segue_endpoint *endpoint)
{
	struct segue_path path = multi->more->path;
	struct seguei_peer_note note;
	struct seguei_known *known;
	int ret;

	if (multi->channels[index].more)
		return seguei_channel_connect(&multi->channels[index], endpoint);
	ret = seguei_note_read(endpoint->user, &note);
	if (!ret)
		ret = segue_path_set_peer(&path, endpoint);
	if (ret)
		return seguei_connect_refuse(index, ret);
	known = &multi->more->directory.known[index];
	*known = (struct seguei_known){.gid = endpoint->gid,
				       .lid = endpoint->lid,
				       .number = endpoint->qpn,
				       .dc_key = note.dc_key,
				       .flags_addr = note.flags_addr,
				       .flags_rkey = note.flags_rkey,
				       .life = note.life,
				       .credits = (uint16_t)note.credits,
				       .met = true};
	multi->more->directory.like = *endpoint;
	seguei_learn_epoch(multi, 1, &note);
	return 0;
}
