/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Handshake of two processes of a world over a new connection. Both prove that they know the token.
 */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_HANDSHAKE_H
#define SEGUE_RUNTIME_PEERS_WORLD_HANDSHAKE_H

#include "runtime/peers/world/frames.h"
#include "segue/base.h"

/* Time that a caller waits for a connection, and then for the challenge, before it calls again. */
#define SEGUEI_ASKED_MS 5000

/*
 * Seconds without an answer after which rank 0 gives up a rank, and after which a rank gives up
 * rank 0. The kernel of the side that gives up resets the connection. If the other side hears that,
 * it looks like a death, so rank 0 is the first.
 */
#define SEGUEI_SILENCE_S      15
#define SEGUEI_RANK_SILENCE_S 21

/* The deadline, or the time in so many milliseconds if that is earlier. */
static inline segue_deadline seguei_sooner(segue_deadline deadline, uint64_t ms)
{
	const segue_deadline other = segue_deadline_in_ms(ms);

	return other < deadline ? other : deadline;
}

/*
 * The caller's half. 0, -EAGAIN if it is refused for now, -EACCES if it is refused for good or the
 * other side proves nothing, -ETIMEDOUT without a challenge or an answer, -ECONNRESET if the other
 * side closes.
 */
int seguei_greet(int fd, const struct seguei_hello *hello, const char *token,
		 segue_deadline deadline, struct seguei_welcome *welcome);

/*
 * The listener's half, which serves one caller at a time: 0 and the caller's rank, or an errno.
 */
int seguei_be_greeted(int fd, const struct seguei_hello *expected, const char *token,
		      segue_deadline deadline, uint32_t *rank);

#endif
