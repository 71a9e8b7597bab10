/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How fast queues may send: the rate of a queue pair of its own, and the tree of scheduling
 * elements whose leaves queue pairs are attached to. A limit is a clock that each byte sent puts
 * forward; who wants to send waits until real time has caught up with all clocks above him.
 */
#ifndef SOFTHCA_ENGINE_PACE_H
#define SOFTHCA_ENGINE_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct softhca_dev;
struct softhca_qp;

struct softhca_pace {
	uint64_t kbps;	  /* 0: no limit */
	uint32_t burst;	  /* bytes that may be sent at once after a pause */
	uint64_t free_at; /* ns */
};

struct softhca_sched {
	struct softhca_dev *dev;
	struct softhca_sched *parent;
	uint32_t id;
	unsigned users; /* elements below it, queue pairs */
	bool leaf;
	struct softhca_pace pace;
};

/* softhca_pace_ready - may the queue pair send now? If not it is scheduled when it may. */
bool softhca_pace_ready(struct softhca_qp *qp);
void softhca_pace_spend(struct softhca_qp *qp, size_t bytes);
/* softhca_pace_run - who waited long enough; *next_ns becomes at most the time of the next one. */
int softhca_pace_run(struct softhca_dev *dev, uint64_t now_ns, uint64_t *next_ns);
/* softhca_pace_forget - the queue pair is reset: no limits, and it does not wait any more. */
void softhca_pace_forget(struct softhca_qp *qp);

#endif
