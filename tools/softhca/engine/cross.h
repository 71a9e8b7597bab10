/* SPDX-License-Identifier: BSD-2-Clause */
/* Queues that wait for each other (cross.c). */
#ifndef SOFTHCA_CROSS_H
#define SOFTHCA_CROSS_H

#include <stdint.h>

struct softhca_cq;
struct softhca_dev;
struct softhca_qp;

enum softhca_wait_for {
	SOFTHCA_WAIT_NOTHING,
	SOFTHCA_WAIT_CQ,
	SOFTHCA_WAIT_DATA,
	SOFTHCA_WAIT_TIME,
};

/* cross.c: the WAIT that holds a send queue. */
struct softhca_wait {
	enum softhca_wait_for what;
	uint8_t syndrome; /* of the last WAIT that was looked at */
	uint32_t cqn, index;
	uint64_t since, look_at; /* ns */
	struct softhca_qp *next;
};

/* softhca_wait_end: the queue waits no more: reset, flushed, or what it waited for has come. */
void softhca_wait_end(struct softhca_qp *qp);
/* softhca_wait_wake: the CQ has new entries, or is no more: who waits for it looks again. */
void softhca_wait_wake(struct softhca_cq *cq);
/* softhca_wait_run: lets those look again whose time has come; *next_ns becomes at most the time of
 * the next one. Returns how many went on. */
int softhca_wait_run(struct softhca_dev *dev, uint64_t now, uint64_t *next_ns);

#endif
