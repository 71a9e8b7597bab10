/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the sender of a message if its queue pair does not determine it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"

static uint32_t slot_of(const struct seguei_multi_more *more, uint32_t qpn)
{
	return (qpn * 0x9e3779b1u >> 8) & more->senders.mask;
}

static int make_table(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t size = 4;

	while (size < 2 * multi->count)
		size *= 2;
	more->senders.indices = malloc(size * sizeof(*more->senders.indices));
	if (!more->senders.indices)
		return seguei_fail(ENOMEM, "Multi-channel: no memory for the numbers of %u peers.",
				   multi->count);
	memset(more->senders.indices, 0xff,
	       size * sizeof(*more->senders.indices)); /* SEGUE_PEER_NONE */
	more->senders.mask = size - 1;
	return 0;
}

int seguei_senders_add(struct segue_multi_channel *multi, uint32_t index)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t at;
	int ret = more->senders.indices ? 0 : make_table(multi);

	if (ret)
		return ret;
	at = slot_of(more, multi->channels[index].number);
	while (more->senders.indices[at] != SEGUE_PEER_NONE && more->senders.indices[at] != index)
		at = (at + 1) & more->senders.mask;
	more->senders.indices[at] = index;
	return 0;
}

size_t seguei_senders_bytes(const struct segue_multi_channel *multi)
{
	const struct seguei_multi_more *more = multi->more;

	return more->senders.indices
		       ? ((size_t)more->senders.mask + 1) * sizeof(*more->senders.indices)
		       : 0;
}

/*
 * Must be called before the channel's number changes. Later entries move up, so that no search ends
 * early. (at - home) is the distance an entry has moved.
 */
void seguei_senders_remove(struct segue_multi_channel *multi, uint32_t index)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t gap, at, home;

	if (!more->senders.indices)
		return;
	gap = slot_of(more, multi->channels[index].number);
	while (more->senders.indices[gap] != index) {
		if (more->senders.indices[gap] == SEGUE_PEER_NONE)
			return;
		gap = (gap + 1) & more->senders.mask;
	}
	for (at = (gap + 1) & more->senders.mask; more->senders.indices[at] != SEGUE_PEER_NONE;
	     at = (at + 1) & more->senders.mask) {
		home = slot_of(more, multi->channels[more->senders.indices[at]].number);
		if (((at - home) & more->senders.mask) < ((at - gap) & more->senders.mask))
			continue;
		more->senders.indices[gap] = more->senders.indices[at];
		gap = at;
	}
	more->senders.indices[gap] = SEGUE_PEER_NONE;
}

static bool is_from(const struct segue_multi_channel *multi, const struct segue_channel *channel,
		    const struct segue_path *path)
{
	if (channel->number != path->dest_qpn)
		return false;
	if (multi->more->path.link == SEGUE_LINK_ROCE)
		return !memcmp(&channel->more->gid, &path->way.roce.route.dgid,
			       sizeof(channel->more->gid));
	return channel->more->lid == path->way.ib.dlid;
}

/*
 * Searches by number and address. Both come from the network, and the queue key keeps strangers
 * out.
 */
static uint32_t sender_of_datagram(const struct segue_multi_channel *multi, const uint8_t *cqe,
				   uint64_t wr_id)
{
	struct seguei_multi_more *more = multi->more;
	struct segue_path path = more->path;
	uint32_t at, tries;

	if (!more->senders.indices ||
	    segue_path_reply(&path, cqe, (const uint8_t *)(uintptr_t)wr_id))
		return 0;
	at = slot_of(more, path.dest_qpn);
	for (tries = 0; tries <= more->senders.mask && more->senders.indices[at] != SEGUE_PEER_NONE;
	     tries++) {
		if (is_from(multi, &multi->channels[more->senders.indices[at]], &path))
			return multi->channels[more->senders.indices[at]].tag;
		at = (at + 1) & more->senders.mask;
	}
	return 0;
}

static uint32_t sender_by_imm(const struct segue_multi_channel *multi, uint32_t imm)
{
	const uint32_t index = imm & SEGUEI_TAG_INDEX, life = imm >> SEGUEI_TAG_SHIFT;

	if (index >= multi->count ||
	    (life && life != (seguei_peer_life(multi, index) & SEGUEI_LIFE_MASK)))
		return 0;
	return seguei_peer_tag(multi, index);
}

uint32_t seguei_imm_of(uint32_t index, uint32_t life)
{
	return (life & SEGUEI_LIFE_MASK) << SEGUEI_TAG_SHIFT | index;
}

uint32_t seguei_multi_sender(const struct segue_multi_channel *multi, const uint8_t *cqe,
			     uint64_t wr_id)
{
	struct segue_cqe64 fields;

	if (multi->transport == SEGUE_TRANSPORT_UD)
		return sender_of_datagram(multi, cqe, wr_id);
	if (multi->transport != SEGUE_TRANSPORT_DC || !multi->more->options.imm_names_sender)
		return 0;
	/*
	 * A CQE over DC contains the sender's DCI, which changes hands, so the message itself must
	 * identify its sender.
	 */
	(void)segue_cqe64_unpack(&fields, cqe);
	return seguei_wc_flags(fields.opcode) & SEGUE_WC_IMM
		       ? sender_by_imm(multi, fields.imm_inval_pkey)
		       : 0;
}
