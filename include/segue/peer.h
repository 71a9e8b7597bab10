/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of peers. A peer has an index, which is its place, and a generation, which counts its
 * connections. A peer that comes back after a failure has the same index and the next generation.
 * Requests of an earlier generation are never reported as of a later one.
 *
 * Owner: values. Nothing is owned.
 * Threads: any.
 * Errors: cannot fail.
 * Source: Segue's own.
 */
#ifndef SEGUE_PEER_H
#define SEGUE_PEER_H

#include <stdint.h>

#include "segue/detail/compiler.h"

#include "segue/detail/begin.h"

/** Most peers of a multi-channel. */
#define SEGUE_PEERS_MAX (1u << 20)

/** Index of no peer: the completion belongs to none, or to an unknown one. */
#define SEGUE_PEER_NONE UINT32_MAX

/** Name of a peer in completions. */
struct segue_peer_id {
	uint32_t index;      /* from 0, or SEGUE_PEER_NONE */
	uint32_t generation; /* from 1, in 12 bits */
};

/*
 * Index and generation in 32 bits, stored beside a wr_id. Generations are 1 to 0xffe. 0 means no
 * peer, so a tag has both parts, or neither.
 */
#define SEGUEI_TAG_SHIFT      20
#define SEGUEI_TAG_INDEX      (SEGUE_PEERS_MAX - 1)
#define SEGUEI_GENERATION_MAX 0xffeu

SEGUEI_HOT_FUNCTION struct segue_peer_id seguei_peer_nobody(void)
{
	const struct segue_peer_id peer = {SEGUE_PEER_NONE, 0};

	return peer;
}

SEGUEI_HOT_FUNCTION struct segue_peer_id seguei_peer_of_tag(uint32_t tag)
{
	struct segue_peer_id peer;

	peer.index = SEGUEI_LIKELY(tag != 0) ? tag & SEGUEI_TAG_INDEX : SEGUE_PEER_NONE;
	peer.generation = tag >> SEGUEI_TAG_SHIFT;
	return peer;
}

#include "segue/detail/end.h"

#endif
