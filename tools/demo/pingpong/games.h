/* SPDX-License-Identifier: BSD-2-Clause */
/* The game: messages go back and forth, and every one of them is checked. */
#ifndef PINGPONG_GAMES_H
#define PINGPONG_GAMES_H

#include "side.h"

enum kind {
	KIND_WRITE_IMM, /* RDMA WRITE with immediate, into the peer's inbox */
	KIND_STREAM,	/* RDMA WRITEs in a row, the last one with immediate */
	KIND_SEND,	/* SEND with the message inside of the request */
	KINDS,
};

/* True if messages of this size can be of this kind. */
static inline bool kind_takes(enum kind kind, uint32_t size)
{
	return kind != KIND_SEND || size <= INLINE_MAX;
}

/* A number of messages of one size and kind. */
struct set {
	enum kind kind;
	uint32_t size;	/* bytes */
	uint32_t count; /* timed round trips, or WRITEs of a stream */
};

/* Messages before and after these, with contents that are checked byte by byte. */
#define PROOFS 2u

/* Round trips of a set of this size, for the number chosen for the smallest. */
uint32_t play_count(const struct side *side, uint32_t size);

/*
 * Plays a set as the caller, which begins. Fills times[] with `count` round trips, or times[0] with
 * all of a stream, in nanoseconds. 0, or a negative errno with side->why or segue_errmsg().
 */
int play_call(struct side *side, const struct set *set, uint64_t *times);

/* Plays it as the answering side. */
int play_answer(struct side *side, const struct set *set);

/*
 * Writes with a key that the peer never gave out, and copies the explanation of the failure to
 * `sentence`. The queue pair is useless afterwards. -EPROTO if it does not fail as it must.
 */
int play_mistake(struct side *side, char *sentence, size_t size);

#endif
