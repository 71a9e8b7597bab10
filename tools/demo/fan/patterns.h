/* SPDX-License-Identifier: BSD-2-Clause */
/* Scatter, gather and multicast among some or all of the crew, each byte checked. */
#ifndef FAN_PATTERNS_H
#define FAN_PATTERNS_H

#include "crew.h"

struct turn {
	struct crew *crew;
	uint32_t way, bytes;
	const uint32_t *peers; /* ranks that play. NULL means all */
	uint32_t count;
	double us; /* set to the duration of this rank's call */
};

/* All ranks that play must make the same calls. 0, or a negative errno with segue_errmsg(). */
int play_scatter_write(struct turn *turn);
int play_gather_read(struct turn *turn);
int play_multicast(struct turn *turn);

#endif
