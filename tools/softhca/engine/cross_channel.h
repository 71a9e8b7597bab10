/* SPDX-License-Identifier: BSD-2-Clause */
/* Queues that wait for each other (cross_channel.c). */
#ifndef SOFTHCA_CROSS_CHANNEL_H
#define SOFTHCA_CROSS_CHANNEL_H

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

/* WAIT that holds a send queue (cross_channel.c). */
struct softhca_wait {
	enum softhca_wait_for what;
	uint8_t syndrome; /* of the last WAIT that was checked */
	uint32_t cqn, index;
	uint64_t since, look_at; /* ns */
	struct softhca_qp *next;
};

/* softhca_wait_end: ends a wait after a reset, after a flush, or when its condition holds. */
void softhca_wait_end(struct softhca_qp *qp);
/* softhca_wait_wake: the CQ has new entries or was destroyed. Its waiting queues check again. */
void softhca_wait_wake(struct softhca_cq *cq);
/* softhca_wait_run: lets the queues check again at their time. It lowers *next_ns to the time of
 * the next one, and returns the number of queues that went on. */
int softhca_wait_run(struct softhca_dev *dev, uint64_t now, uint64_t *next_ns);

#endif
