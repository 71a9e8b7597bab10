/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Endpoints of multi-channels. They are plain endpoints with the indices of their sender and their
 * addressee in the user bytes.
 */
#include <errno.h>
#include <string.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"

#define NOTE_MAGIC 0x53474d31u /* "SGM1" */
#define PSN_MASK   0xffffffu

/* Offsets in segue_endpoint.user[], big-endian. Unnamed bytes are zero. */
enum note_at {
	NOTE_AT_MAGIC = 0,
	NOTE_AT_FROM = 4,
	NOTE_AT_TO = 8,
	NOTE_AT_PEERS = 12,
	NOTE_AT_SEED = 16,
	NOTE_AT_DC_KEY = 20,
	NOTE_AT_FLAGS_ADDR = 28,
	NOTE_AT_FLAGS_RKEY = 36,
	NOTE_AT_LIFE = 40,
	NOTE_AT_BARRIER_EPOCH = 44,
	NOTE_AT_CREDITS = 48,
	NOTE_AT_ECE_VENDOR = 52,
	NOTE_AT_ECE_OPTIONS = 56,
};

void seguei_note_write(const struct seguei_peer_note *note, uint8_t user[SEGUE_ENDPOINT_USER_SIZE])
{
	memset(user, 0, SEGUE_ENDPOINT_USER_SIZE);
	segue_put_be32(user + NOTE_AT_MAGIC, NOTE_MAGIC);
	segue_put_be32(user + NOTE_AT_FROM, note->from);
	segue_put_be32(user + NOTE_AT_TO, note->to);
	segue_put_be32(user + NOTE_AT_PEERS, note->peers);
	segue_put_be32(user + NOTE_AT_SEED, note->seed);
	segue_put_be64(user + NOTE_AT_DC_KEY, note->dc_key);
	segue_put_be64(user + NOTE_AT_FLAGS_ADDR, note->flags_addr);
	segue_put_be32(user + NOTE_AT_FLAGS_RKEY, note->flags_rkey);
	segue_put_be32(user + NOTE_AT_LIFE, note->life);
	segue_put_be32(user + NOTE_AT_BARRIER_EPOCH, note->barrier_epoch);
	segue_put_be32(user + NOTE_AT_CREDITS, note->credits);
	segue_put_be32(user + NOTE_AT_ECE_VENDOR, note->ece.vendor_id);
	segue_put_be32(user + NOTE_AT_ECE_OPTIONS, note->ece.options);
}

int seguei_note_read(const uint8_t user[SEGUE_ENDPOINT_USER_SIZE], struct seguei_peer_note *note)
{
	if (segue_get_be32(user + NOTE_AT_MAGIC) != NOTE_MAGIC)
		return seguei_fail(EINVAL, "it is no multi-channel's endpoint, or missing");
	note->from = segue_get_be32(user + NOTE_AT_FROM);
	note->to = segue_get_be32(user + NOTE_AT_TO);
	note->peers = segue_get_be32(user + NOTE_AT_PEERS);
	note->seed = segue_get_be32(user + NOTE_AT_SEED);
	note->dc_key = segue_get_be64(user + NOTE_AT_DC_KEY);
	note->flags_addr = segue_get_be64(user + NOTE_AT_FLAGS_ADDR);
	note->flags_rkey = segue_get_be32(user + NOTE_AT_FLAGS_RKEY);
	note->life = segue_get_be32(user + NOTE_AT_LIFE);
	note->barrier_epoch = segue_get_be32(user + NOTE_AT_BARRIER_EPOCH);
	note->credits = segue_get_be32(user + NOTE_AT_CREDITS);
	note->ece.vendor_id = segue_get_be32(user + NOTE_AT_ECE_VENDOR);
	note->ece.options = segue_get_be32(user + NOTE_AT_ECE_OPTIONS);
	return 0;
}

/*
 * Queue pair numbers are reused, so a new connection starts at another PSN, where packets of the
 * last one do not fit. (SplitMix64's mix.)
 */
uint32_t seguei_psn(uint32_t seed, uint32_t to, uint32_t number)
{
	uint64_t z = ((uint64_t)seed << 32 | number << SEGUEI_TAG_SHIFT | to) + 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)(z ^ z >> 31) & PSN_MASK;
}

uint32_t seguei_channel_psn(const struct segue_channel *channel)
{
	return seguei_psn(channel->multi->more->queues.seed, channel->index,
			  (channel->tag >> SEGUEI_TAG_SHIFT) + channel->more->redraws);
}

static struct segue_qp *queue_for(const struct segue_multi_channel *multi, uint32_t index)
{
	switch (multi->transport) {
	case SEGUE_TRANSPORT_RC:
		return multi->channels[index].more->qp;
	case SEGUE_TRANSPORT_DC:
		return multi->more->queues.dct;
	default:
		return multi->more->queues.ud;
	}
}

int segue_multi_channel_endpoint(struct segue_multi_channel *multi, uint32_t index,
				 struct segue_endpoint *out)
{
	struct seguei_multi_more *more = multi->more;
	struct seguei_peer_note note = {.from = more->options.self,
					.to = SEGUE_PEER_NONE,
					.peers = multi->count,
					.seed = more->queues.seed,
					.life = more->options.life,
					.barrier_epoch = more->barriers.epoch,
					.credits = more->options.credits};
	struct segue_path path = more->path;
	struct segue_remote_buf flags;
	int ret = seguei_multi_check_index(multi, "segue_multi_channel_endpoint()", index);

	if (!ret && multi->transport == SEGUE_TRANSPORT_RC &&
	    multi->channels[index].state == SEGUE_CHANNEL_MADE)
		ret = seguei_channel_open_qp(&multi->channels[index]);
	if (!ret)
		ret = segue_mr_remote_buf(
			more->barriers.flags_mr, 0,
			seguei_flags_words(&more->options) * sizeof(*more->barriers.flags), &flags);
	if (ret)
		return ret;
	path.sq_psn = multi->transport == SEGUE_TRANSPORT_DC
			      ? seguei_psn(more->queues.seed, index, 1)
			      : seguei_channel_psn(&multi->channels[index]);
	ret = segue_endpoint_describe(out, queue_for(multi, index), &path);
	if (ret)
		return ret;
	if (multi->transport == SEGUE_TRANSPORT_RC)
		note.to = index;
	if (more->options.own_numbers) /* index of this peer at this side, which its messages
					  contain */
		note.to = seguei_peer_tag(multi, index);
	if (multi->transport == SEGUE_TRANSPORT_DC)
		note.dc_key = more->queues.dc_key;
	note.flags_addr = flags.addr;
	note.flags_rkey = flags.key.rkey;
	note.ece = more->queues.ece; /* not endpoint.ece, because older peers refuse that but ignore
				 this */
	seguei_note_write(&note, out->user);
	return 0;
}

int seguei_endpoint_check(const struct segue_multi_channel *multi, uint32_t index,
			  const struct segue_endpoint *endpoint)
{
	static const enum segue_qp_type types[] = {[SEGUE_TRANSPORT_RC] = SEGUE_QP_RC,
						   [SEGUE_TRANSPORT_DC] = SEGUE_QP_DCT,
						   [SEGUE_TRANSPORT_UD] = SEGUE_QP_UD};
	const uint32_t self = multi->more->options.self;
	struct seguei_peer_note note = {.from = SEGUE_PEER_NONE};
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
	struct segue_endpoint again;

	if (seguei_note_read(endpoint->user, &note))
		return seguei_fail(EINVAL, "Endpoint of peer %u: %s.", index,
				   "it is missing, or no multi-channel's");
	if (endpoint->type != types[multi->transport])
		return seguei_fail(EINVAL,
				   "Endpoint of peer %u: it is of another transport, expected %s.",
				   index, seguei_over_name(multi->transport));
	if (!note.credits != !multi->more->options.credits)
		return seguei_fail(EINVAL,
				   "Endpoint of peer %u: its side has %u credits, this one %u; "
				   "expected some at both, or none.",
				   index, note.credits, multi->more->options.credits);
	if (multi->more->options.own_numbers)
		note = (struct seguei_peer_note){.from = index,
						 .to = SEGUE_PEER_NONE,
						 .peers = multi->count,
						 .life = UINT32_MAX};
	if (note.from != index)
		return seguei_fail(
			EINVAL,
			"Endpoint of peer %u: it is that of peer %u; they are in the wrong order.",
			index, note.from);
	if (note.to != SEGUE_PEER_NONE && note.to != self)
		return seguei_fail(
			EINVAL,
			"Endpoint of peer %u: it is meant for peer %u, but this side is %u.", index,
			note.to, self);
	if (note.peers != multi->count)
		return seguei_fail(EINVAL,
				   "Endpoint of peer %u: its side has %u peers, this one %u.",
				   index, note.peers, multi->count);
	if (multi->transport == SEGUE_TRANSPORT_DC && endpoint->mtu != multi->more->path.mtu)
		return seguei_fail(EINVAL,
				   "Endpoint of peer %u: its MTU is %u, this side's %u; over DC, "
				   "where queues are for all peers, give all the "
				   "smallest in their path.",
				   index, endpoint->mtu, multi->more->path.mtu);
	if (note.life < seguei_peer_life(multi, index))
		return seguei_fail(EINVAL,
				   "Endpoint of peer %u: it is of process %u in that place, but "
				   "process %u has followed.",
				   index, note.life, seguei_peer_life(multi, index));
	segue_endpoint_pack(endpoint, wire);
	if (!segue_endpoint_unpack(wire, sizeof(wire), &again))
		return 0;
	return seguei_fail(EINVAL, "Endpoint of peer %u: %s", index, segue_errmsg());
}
