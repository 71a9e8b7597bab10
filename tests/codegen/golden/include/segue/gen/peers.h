/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/*
 * One-call posts by peer: the same call goes to the peer's queue pair over RC, to a DCI with the peer's
 * address vector over DC, or to the queue pair of all peers with the peer's address over UD.
 *
 * Each returns 0 or a negative errno:
 *
 * - -EINVAL if there is no such peer
 * - -ENOTCONN with the reason if it is not up
 * - -ENOTSUP if its transport has no such request
 * - -EAGAIN if its DCI is busy for others, and -ENOSPC if its queue is full (poll, and post again)
 * - an error of the transport's own post
 */
#ifndef SEGUE_GEN_BY_PEER_H
#define SEGUE_GEN_BY_PEER_H

#include "segue/gen/rc.h"
#include "segue/peers/multi_channel.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

/** segue_peer_load_table() posts it to a peer, by index. Returns 0 or a negative errno, see above. */
SEGUEI_BUILD int segue_peer_load_table(struct segue_multi_channel *multi, uint32_t peer,
		const struct segue_peer_load_table_args *args)
{
	struct segue_channel *channel = seguei_by_peer(multi, peer);

	if (SEGUE_CHECKED)
		seguei_note_caller(NULL, 0);
	if (SEGUEI_UNLIKELY(!channel))
		return seguei_by_peer_refuse(multi, peer);
	if (SEGUEI_LIKELY(multi->transport == SEGUE_TRANSPORT_RC)) {
		return seguei_rc_post_load_table((struct segue_rc_sq *)(void *)channel->sq, args);
	}
	return seguei_by_peer_unknown(multi, "load_table");
}

/** segue_peer_mix() posts it to a peer, by index. Returns 0 or a negative errno, see above. */
SEGUEI_BUILD int segue_peer_mix(struct segue_multi_channel *multi, uint32_t peer,
		const struct segue_peer_mix_args *args)
{
	struct segue_channel *channel = seguei_by_peer(multi, peer);

	if (SEGUE_CHECKED)
		seguei_note_caller(NULL, 0);
	if (SEGUEI_UNLIKELY(!channel))
		return seguei_by_peer_refuse(multi, peer);
	if (SEGUEI_LIKELY(multi->transport == SEGUE_TRANSPORT_RC)) {
		return seguei_rc_post_mix((struct segue_rc_sq *)(void *)channel->sq, args);
	}
	return seguei_by_peer_unknown(multi, "mix");
}

/** segue_peer_nop() posts it to a peer, by index. Returns 0 or a negative errno, see above. */
SEGUEI_BUILD int segue_peer_nop(struct segue_multi_channel *multi, uint32_t peer,
		const struct segue_peer_nop_args *args)
{
	struct segue_channel *channel = seguei_by_peer(multi, peer);

	if (SEGUE_CHECKED)
		seguei_note_caller(NULL, 0);
	if (SEGUEI_UNLIKELY(!channel))
		return seguei_by_peer_refuse(multi, peer);
	if (SEGUEI_LIKELY(multi->transport == SEGUE_TRANSPORT_RC)) {
		return seguei_rc_post_nop((struct segue_rc_sq *)(void *)channel->sq, args);
	}
	return seguei_by_peer_unknown(multi, "nop");
}

/** segue_peer_send() posts it to a peer, by index. Returns 0 or a negative errno, see above. */
SEGUEI_BUILD int segue_peer_send(struct segue_multi_channel *multi, uint32_t peer,
		const struct segue_peer_send_args *args)
{
	struct segue_channel *channel = seguei_by_peer(multi, peer);

	if (SEGUE_CHECKED)
		seguei_note_caller(NULL, 0);
	if (SEGUEI_UNLIKELY(!channel))
		return seguei_by_peer_refuse(multi, peer);
	if (SEGUEI_LIKELY(multi->transport == SEGUE_TRANSPORT_RC)) {
		return seguei_rc_post_send((struct segue_rc_sq *)(void *)channel->sq, args);
	}
	return seguei_by_peer_unknown(multi, "send");
}

/** segue_peer_write() posts it to a peer, by index. Returns 0 or a negative errno, see above. */
SEGUEI_BUILD int segue_peer_write(struct segue_multi_channel *multi, uint32_t peer,
		const struct segue_peer_write_args *args)
{
	struct segue_channel *channel = seguei_by_peer(multi, peer);

	if (SEGUE_CHECKED)
		seguei_note_caller(NULL, 0);
	if (SEGUEI_UNLIKELY(!channel))
		return seguei_by_peer_refuse(multi, peer);
	if (SEGUEI_LIKELY(multi->transport == SEGUE_TRANSPORT_RC)) {
		return seguei_rc_post_write((struct segue_rc_sq *)(void *)channel->sq, args);
	}
	return seguei_by_peer_unknown(multi, "write");
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
