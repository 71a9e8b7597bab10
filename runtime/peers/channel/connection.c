/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Connects channels to their peers.
 *
 * Both sides ask for a queue pair on demand (segue_multi_channel_meet_peer()). Otherwise each peer
 * would have to listen on another transport all the time.
 */
#include <errno.h>

#include "runtime/object/seam/seam.h"
#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"

/* A process that came in place of another learns the epoch from the survivors. */
void seguei_learn_epoch(struct segue_multi_channel *multi, uint32_t generation,
			const struct seguei_peer_note *note)
{
	struct seguei_multi_more *more = multi->more;

	if (more->options.life > 1 && generation == 1 && note->barrier_epoch > more->barriers.epoch)
		more->barriers.epoch = note->barrier_epoch;
}

static void keep(struct segue_channel *channel, const struct segue_endpoint *endpoint,
		 const struct seguei_peer_note *note)
{
	channel->more->gid = endpoint->gid;
	channel->more->lid = endpoint->lid;
	channel->more->flags_addr = note->flags_addr;
	channel->more->flags_rkey = note->flags_rkey;
	channel->more->life = note->life;
	seguei_credits_begin(channel, note);
	seguei_learn_epoch(channel->multi, channel->tag >> SEGUEI_TAG_SHIFT, note);
}

/* The two sides connect without having heard each other's offer before. */
static int connect_rc(struct segue_channel *channel, const struct segue_path *path,
		      const struct segue_ece *theirs)
{
	struct segue_qp *qp = channel->more->qp;
	const int ret = seguei_qp_agree_ece(qp, &channel->multi->more->queues.ece, theirs);

	return ret ? ret : segue_qp_connect(qp, path);
}

/* UD and DC: each request contains the path. */
static int make_address(struct segue_channel *channel, const struct segue_path *path)
{
	struct segue_ah *address;
	const int ret = segue_ah_open(channel->multi->more->pd, path, &address);

	if (ret)
		return ret;
	(void)segue_ah_close(channel->more->address);
	channel->more->address = address;
	channel->av = *segue_ah_av(address);
	return 0;
}

void seguei_channel_show(struct segue_channel *channel)
{
	struct segue_multi_channel *multi = channel->multi;

	channel->state = SEGUE_CHANNEL_UP;
	if (channel->tag >> SEGUEI_TAG_SHIFT > 1)
		seguei_channel_note_change(channel);
	switch (multi->transport) {
	case SEGUE_TRANSPORT_RC:
		channel->sq = channel->more->owner.sq;
		break;
	case SEGUE_TRANSPORT_DC:
		channel->sq = channel->dci->sq;
		break;
	default:
		channel->sq = multi->more->queues.ud_owner.sq;
		break;
	}
}

void seguei_channel_hide(struct segue_channel *channel)
{
	channel->sq = NULL;
	channel->state = SEGUE_CHANNEL_READY;
}

int seguei_connect_refuse(uint32_t index, int ret)
{
	return seguei_fail(-ret, "Peer %u cannot be connected: %s", index, segue_errmsg());
}

int seguei_channel_connect(struct segue_channel *channel, const struct segue_endpoint *endpoint)
{
	struct segue_multi_channel *multi = channel->multi;
	struct segue_path path = multi->more->path;
	struct seguei_peer_note note;
	int ret;

	ret = seguei_note_read(endpoint->user, &note);
	path.sq_psn = seguei_channel_psn(channel);
	if (!ret)
		ret = segue_path_set_peer(&path, endpoint);
	if (!ret)
		ret = multi->transport == SEGUE_TRANSPORT_RC ? connect_rc(channel, &path, &note.ece)
							     : make_address(channel, &path);
	if (ret)
		return seguei_connect_refuse(channel->index, ret);
	keep(channel, endpoint, &note);
	if (multi->transport == SEGUE_TRANSPORT_UD)
		seguei_senders_remove(multi, channel->index);
	channel->number = endpoint->qpn;
	if (multi->transport == SEGUE_TRANSPORT_DC)
		channel->key = note.dc_key;
	if (multi->transport == SEGUE_TRANSPORT_UD) {
		channel->key = endpoint->qkey;
		ret = seguei_senders_add(multi, channel->index);
	}
	if (ret)
		channel->sq = NULL;
	else
		seguei_channel_show(channel);
	return ret;
}

int segue_multi_channel_connect_peer(struct segue_multi_channel *multi, uint32_t index,
				     const struct segue_endpoint *endpoint)
{
	int ret = seguei_multi_check_index(multi, "segue_multi_channel_connect_peer()", index);

	if (!ret && seguei_peer_state(multi, index) != SEGUE_CHANNEL_READY)
		ret = seguei_fail(EINVAL,
				  "segue_multi_channel_connect_peer(): peer %u is %s; call "
				  "segue_multi_channel_restart_peer() first.",
				  index, segue_channel_state_name(seguei_peer_state(multi, index)));
	if (!ret)
		ret = seguei_endpoint_check(multi, index, endpoint);
	return ret ? ret : seguei_peer_connect(multi, index, endpoint);
}

int segue_multi_channel_connect(struct segue_multi_channel *multi,
				const struct segue_endpoint *endpoints, uint32_t count)
{
	uint32_t i;
	int ret = 0;

	if (count != multi->count)
		return seguei_fail(EINVAL,
				   "segue_multi_channel_connect(): %u endpoints are given for %u "
				   "peers; expected one each, by index.",
				   count, multi->count);
	for (i = 0; i < count && !ret; i++) {
		if (seguei_peer_state(multi, i) != SEGUE_CHANNEL_READY)
			return seguei_fail(
				EINVAL,
				"segue_multi_channel_connect(): peer %u is %s already; see "
				"segue_multi_channel_restart_peer().",
				i, segue_channel_state_name(seguei_peer_state(multi, i)));
		ret = seguei_endpoint_check(multi, i, &endpoints[i]);
	}
	for (i = 0; i < count && !ret; i++)
		ret = seguei_peer_connect(multi, i, &endpoints[i]);
	return ret;
}

static int not_up(const struct segue_channel *channel)
{
	if (channel->state == SEGUE_CHANNEL_MADE)
		return seguei_fail(ENOTCONN,
				   "Peer %u has no queue pair yet; call "
				   "segue_multi_channel_meet_peer() on both sides.",
				   channel->index);
	if (channel->more->reason) /* the reason names the world's sentence */
		return seguei_fail(ENOTCONN, "The channel has failed: %s", channel->more->reason);
	return seguei_fail(ENOTCONN, "Peer %u is %s, generation %u.", channel->index,
			   segue_channel_state_name((enum segue_channel_state)channel->state),
			   channel->tag >> SEGUEI_TAG_SHIFT);
}

static int other_transport(const struct segue_channel *channel, const char *wanted)
{
	return seguei_fail(EINVAL, "Peer %u is reached over %s, not %s.", channel->index,
			   seguei_over_name(channel->multi->transport), wanted);
}

int seguei_by_peer_refuse(struct segue_multi_channel *multi, uint32_t index)
{
	struct segue_channel *channel;
	int ret = seguei_multi_check_index(multi, "Request by peer", index);

	if (!ret)
		ret = seguei_channel_make(multi, index, &channel);
	return ret ? ret : not_up(channel);
}

int seguei_by_peer_unknown(const struct segue_multi_channel *multi, const char *request)
{
	return seguei_fail(ENOTSUP, "%s has no request %s.", seguei_over_name(multi->transport),
			   request);
}

struct segue_rc_sq *segue_channel_rc_sq(struct segue_channel *channel)
{
	if (channel->multi->transport != SEGUE_TRANSPORT_RC)
		(void)other_transport(channel, "RC");
	else if (!channel->sq)
		(void)not_up(channel);
	else
		return segue_qp_rc_sq(channel->more->qp);
	return NULL;
}

int segue_channel_dci_sender(struct segue_channel *channel, struct segue_dci_sender *out)
{
	int ret;

	if (channel->multi->transport != SEGUE_TRANSPORT_DC)
		return other_transport(channel, "DC");
	if (!channel->sq)
		return not_up(channel);
	ret = seguei_by_peer_dci(channel);
	if (ret)
		return ret;
	seguei_by_peer_tag(channel->sq, channel->tag);
	out->sq = segue_qp_dci_sq(channel->dci->qp);
	out->ah = &channel->av;
	out->dctn = channel->number;
	out->dc_key = channel->key;
	return 0;
}

struct segue_qp *segue_channel_qp(struct segue_channel *channel)
{
	if (!channel->sq) {
		(void)not_up(channel);
		return NULL;
	}
	switch (channel->multi->transport) {
	case SEGUE_TRANSPORT_RC:
		return channel->more->qp;
	case SEGUE_TRANSPORT_UD:
		return channel->multi->more->queues.ud;
	default:
		if (channel->dci->tag == channel->tag)
			return channel->dci->qp;
		(void)seguei_fail(
			EAGAIN, "Peer %u has no DCI now; segue_channel_dci_sender() gives it one.",
			channel->index);
		return NULL;
	}
}

int segue_channel_ud_sender(struct segue_channel *channel, struct segue_ud_sender *out)
{
	if (channel->multi->transport != SEGUE_TRANSPORT_UD)
		return other_transport(channel, "UD");
	if (!channel->sq)
		return not_up(channel);
	seguei_by_peer_tag(channel->sq, channel->tag);
	out->sq = segue_qp_ud_sq(channel->multi->more->queues.ud);
	out->ah = &channel->av;
	out->qpn = channel->number;
	out->qkey = (uint32_t)channel->key;
	return 0;
}
