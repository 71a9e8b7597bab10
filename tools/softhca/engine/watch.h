/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Detection of a program's writes to memory that the device uses. A buffer to be sent belongs to
 * the device until its completion. Its sum at the post is compared at the completion.
 */
#ifndef SOFTHCA_ENGINE_WATCH_H
#define SOFTHCA_ENGINE_WATCH_H

#include <stddef.h>
#include <stdint.h>

struct softhca_msg;
struct softhca_qp;

/* Watch of a message's buffer. */
struct softhca_watch {
	uint64_t sum;
	uint32_t written; /* number of the device's own writes then: softhca_watch_wrote() */
	uint64_t ready_ns; /* with a late gather: earliest time */
};

/* softhca_watch_post: the message's buffer must not change from now on. */
void softhca_watch_post(struct softhca_qp *qp, struct softhca_msg *msg);
/* softhca_watch_complete: checks that the buffer has not changed. Called at the completion, or
 * before an answer is written to the buffer, and only for messages that softhca_watch_post() has
 * marked. */
void softhca_watch_complete(struct softhca_qp *qp, const struct softhca_msg *msg);
/* softhca_watch_wrote: the device has written there, so the program has made no mistake. */
void softhca_watch_wrote(uint64_t va, size_t len);

#endif
