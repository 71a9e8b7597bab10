/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a program does to memory that the device is at: a buffer that is to be sent is the device's
 * until its completion. A sum over it at the post is compared when the completion is written.
 */
#ifndef SOFTHCA_ENGINE_WATCH_H
#define SOFTHCA_ENGINE_WATCH_H

#include <stddef.h>
#include <stdint.h>

struct softhca_msg;
struct softhca_qp;

/* Of a message whose buffer is looked at. */
struct softhca_watch {
	uint64_t sum;
	uint32_t written; /* what the device itself had written by then: softhca_watch_wrote() */
	uint64_t ready_ns; /* with a late gather: not before */
};

/* softhca_watch_post: the message's buffer must stay as it is now, as far as can be seen. */
void softhca_watch_post(struct softhca_qp *qp, struct softhca_msg *msg);
/* softhca_watch_complete: has it? At the completion, or before an answer is written there. Only of
 * what softhca_watch_post() has marked. */
void softhca_watch_complete(struct softhca_qp *qp, const struct softhca_msg *msg);
/* softhca_watch_wrote: the device has written there, for whom is nobody's mistake. */
void softhca_watch_wrote(uint64_t va, size_t len);

#endif
