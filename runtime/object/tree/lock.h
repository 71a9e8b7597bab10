/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Locks of the control path that belong to no object. If another thread held one during a fork, the
 * child would wait for it for ever. So a fork takes all of them, in the order in which they nest.
 */
#ifndef SEGUE_RUNTIME_LOCK_H
#define SEGUE_RUNTIME_LOCK_H

enum seguei_lock {
	SEGUEI_LOCK_VERBS_SRQS,	 /* libmlx5's table of shared receive queues (srq.c) */
	SEGUEI_LOCK_RING_DOMAIN, /* the devices' ring_pd */
	SEGUEI_LOCK_RING_MEMORY, /* the devices' ring_blocks */
	SEGUEI_LOCK_TREE,	 /* the innermost one (object.h) */
	SEGUEI_LOCKS,
};

void seguei_lock(enum seguei_lock which);
void seguei_unlock(enum seguei_lock which);

/* Forks between this process and the one that took a lock first. */
unsigned int seguei_forks(void);

#endif
