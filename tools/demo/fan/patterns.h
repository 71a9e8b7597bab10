/* SPDX-License-Identifier: BSD-2-Clause */
/* Scatter, gather and multicast among some or all of the crew, each byte checked. */
#ifndef FAN_PATTERNS_H
#define FAN_PATTERNS_H

#include "crew.h"

struct turn {
	struct crew *crew;
	uint32_t way, bytes;
	const uint32_t *peers; /* who plays: NULL is all of them */
	uint32_t count;
	double us; /* set to what this rank's call has taken */
};

/* All who play call these alike. 0, or a negative errno with segue_errmsg(). */
int play_scatter_write(struct turn *turn);
int play_gather_read(struct turn *turn);
int play_multicast(struct turn *turn);

#endif
