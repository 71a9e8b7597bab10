/* SPDX-License-Identifier: BSD-2-Clause */
/* How a process greets another one of its world over a new connection, and is greeted: both prove
 * that they know the token. */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_HANDSHAKE_H
#define SEGUE_RUNTIME_PEERS_WORLD_HANDSHAKE_H

#include "runtime/peers/world/frames.h"
#include "segue/deadline.h"

/* How long a caller waits for a connection, and then for the challenge, before it calls again. */
#define SEGUEI_ASKED_MS 5000

/* The deadline, or in so many milliseconds if that is before it. */
static inline segue_deadline seguei_sooner(segue_deadline deadline, uint64_t ms)
{
	const segue_deadline other = segue_deadline_in_ms(ms);

	return other < deadline ? other : deadline;
}

/*
 * The caller's half. 0; -EAGAIN if it is refused for now, -EACCES for good, or if the other side
 * proves nothing; -ETIMEDOUT if that sends no challenge, or no answer; -ECONNRESET if it closes.
 */
int seguei_greet(int fd, const struct seguei_hello *hello, const char *token,
		 segue_deadline deadline, struct seguei_welcome *welcome);

/*
 * The listener's half, which serves no other caller meanwhile: 0 and the caller's rank, or an
 * errno.
 */
int seguei_be_greeted(int fd, const struct seguei_hello *expected, const char *token,
		      segue_deadline deadline, uint32_t *rank);

#endif
