/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/*
 * One-call posts by peer: the same call goes to the peer's queue pair over RC, to a DCI with the peer's
 * address vector over DC, or to the queue pair of all peers with the peer's address over UD.
 *
 * Each returns 0; -EINVAL if there is no such peer; -ENOTCONN with the reason if it is not up; -ENOTSUP if
 * its transport has no such request; -EAGAIN if its DCI is busy for others and -ENOSPC if its queue is full
 * (poll, and post again); and what the transport's own post returns.
 */
#ifndef SEGUE_GEN_BY_PEER_H
#define SEGUE_GEN_BY_PEER_H

#include "segue/gen/rc.h"
#include "segue/multi_channel.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

/** Arguments of segue_peer_load_table(). Loads a table of up to 16 entries. */
struct segue_peer_load_table_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t entries; /* Length of the table with its padding. */
	const uint8_t *owner; /* Name of the owner. */
	const struct segue_seg_entry *entrys; /* the entries */
	uint32_t entry_count; /* entries */
};

/** segue_peer_load_table() posts it to a peer, by index. Returns 0 or a negative errno; see above. */
SEGUEI_BUILD int segue_peer_load_table(struct segue_multi_channel *multi, uint32_t peer,
		const struct segue_peer_load_table_args *args)
{
	struct segue_channel *channel = seguei_by_peer(multi, peer);

	if (SEGUE_CHECKED)
		seguei_note_caller(NULL, 0);
	if (SEGUEI_UNLIKELY(!channel))
		return seguei_by_peer_refuse(multi, peer);
	if (SEGUEI_LIKELY(multi->over == SEGUE_TRANSPORT_RC)) {
		struct segue_rc_load_table_args with;

		with.wr_id = args->wr_id;
		with.flags = args->flags;
		with.entries = args->entries;
		with.owner = args->owner;
		with.entrys = args->entrys;
		with.entry_count = args->entry_count;
		return seguei_rc_post_load_table((struct segue_rc_sq *)(void *)channel->sq, &with);
	}
	return seguei_by_peer_unknown(multi, "load_table");
}

/** Arguments of segue_peer_mix(). Has what the other requests do not have. */
struct segue_peer_mix_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t cookie; /* Comes back with the completion. */
	uint64_t remote_addr; /* First byte of the target. */
	uint32_t rkey; /* Key of the target. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries, 1 to 2 */
	const void *inline_data; /* payload, copied; NULL: left out */
	uint32_t inline_data_byte_count; /* Length. */
};

/** segue_peer_mix() posts it to a peer, by index. Returns 0 or a negative errno; see above. */
SEGUEI_BUILD int segue_peer_mix(struct segue_multi_channel *multi, uint32_t peer,
		const struct segue_peer_mix_args *args)
{
	struct segue_channel *channel = seguei_by_peer(multi, peer);

	if (SEGUE_CHECKED)
		seguei_note_caller(NULL, 0);
	if (SEGUEI_UNLIKELY(!channel))
		return seguei_by_peer_refuse(multi, peer);
	if (SEGUEI_LIKELY(multi->over == SEGUE_TRANSPORT_RC)) {
		struct segue_rc_mix_args with;

		with.wr_id = args->wr_id;
		with.flags = args->flags;
		with.cookie = args->cookie;
		with.remote_addr = args->remote_addr;
		with.rkey = args->rkey;
		with.sges = args->sges;
		with.sge_count = args->sge_count;
		with.inline_data = args->inline_data;
		with.inline_data_byte_count = args->inline_data_byte_count;
		return seguei_rc_post_mix((struct segue_rc_sq *)(void *)channel->sq, &with);
	}
	return seguei_by_peer_unknown(multi, "mix");
}

/** Arguments of segue_peer_nop(). Does nothing. */
struct segue_peer_nop_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
};

/** segue_peer_nop() posts it to a peer, by index. Returns 0 or a negative errno; see above. */
SEGUEI_BUILD int segue_peer_nop(struct segue_multi_channel *multi, uint32_t peer,
		const struct segue_peer_nop_args *args)
{
	struct segue_channel *channel = seguei_by_peer(multi, peer);

	if (SEGUE_CHECKED)
		seguei_note_caller(NULL, 0);
	if (SEGUEI_UNLIKELY(!channel))
		return seguei_by_peer_refuse(multi, peer);
	if (SEGUEI_LIKELY(multi->over == SEGUE_TRANSPORT_RC)) {
		struct segue_rc_nop_args with;

		with.wr_id = args->wr_id;
		with.flags = args->flags;
		return seguei_rc_post_nop((struct segue_rc_sq *)(void *)channel->sq, &with);
	}
	return seguei_by_peer_unknown(multi, "nop");
}

/** Arguments of segue_peer_send(). Sends a message, with immediate data. */
struct segue_peer_send_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t imm; /* Immediate data. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

/** segue_peer_send() posts it to a peer, by index. Returns 0 or a negative errno; see above. */
SEGUEI_BUILD int segue_peer_send(struct segue_multi_channel *multi, uint32_t peer,
		const struct segue_peer_send_args *args)
{
	struct segue_channel *channel = seguei_by_peer(multi, peer);

	if (SEGUE_CHECKED)
		seguei_note_caller(NULL, 0);
	if (SEGUEI_UNLIKELY(!channel))
		return seguei_by_peer_refuse(multi, peer);
	if (SEGUEI_LIKELY(multi->over == SEGUE_TRANSPORT_RC)) {
		struct segue_rc_send_args with;

		with.wr_id = args->wr_id;
		with.flags = args->flags;
		with.imm = args->imm;
		with.sges = args->sges;
		with.sge_count = args->sge_count;
		return seguei_rc_post_send((struct segue_rc_sq *)(void *)channel->sq, &with);
	}
	return seguei_by_peer_unknown(multi, "send");
}

/** Arguments of segue_peer_write(). Writes to the peer's memory. */
struct segue_peer_write_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint64_t remote_addr; /* First byte of the target. */
	uint32_t rkey; /* Key of the target. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

/** segue_peer_write() posts it to a peer, by index. Returns 0 or a negative errno; see above. */
SEGUEI_BUILD int segue_peer_write(struct segue_multi_channel *multi, uint32_t peer,
		const struct segue_peer_write_args *args)
{
	struct segue_channel *channel = seguei_by_peer(multi, peer);

	if (SEGUE_CHECKED)
		seguei_note_caller(NULL, 0);
	if (SEGUEI_UNLIKELY(!channel))
		return seguei_by_peer_refuse(multi, peer);
	if (SEGUEI_LIKELY(multi->over == SEGUE_TRANSPORT_RC)) {
		struct segue_rc_write_args with;

		with.wr_id = args->wr_id;
		with.flags = args->flags;
		with.remote_addr = args->remote_addr;
		with.rkey = args->rkey;
		with.sges = args->sges;
		with.sge_count = args->sge_count;
		return seguei_rc_post_write((struct segue_rc_sq *)(void *)channel->sq, &with);
	}
	return seguei_by_peer_unknown(multi, "write");
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
