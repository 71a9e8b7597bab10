/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limits of sending: the rate of a queue pair, and the tree of scheduling elements with queue pairs
 * at its leaves. A limit is a clock that each sent byte puts forward. A queue pair sends when real
 * time has caught up with all clocks above it.
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
	unsigned users; /* number of elements and queue pairs below it */
	bool leaf;
	struct softhca_pace pace;
};

/* softhca_pace_ready - true if the queue pair may send now. Otherwise it is scheduled. */
bool softhca_pace_ready(struct softhca_qp *qp);
void softhca_pace_spend(struct softhca_qp *qp, size_t bytes);
/* softhca_pace_run - schedules the due queue pairs. Lowers *next_ns to the next one's time. */
int softhca_pace_run(struct softhca_dev *dev, uint64_t now_ns, uint64_t *next_ns);
/* softhca_pace_forget - ends limits and waits of a queue pair that is reset. */
void softhca_pace_forget(struct softhca_qp *qp);

#endif
