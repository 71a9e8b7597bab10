/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a queue counts. Sources compiled with SEGUE_COUNTERS=1 count what they post and poll, an
 * instruction for each counter; others are as if there were none. segue/counters.h reads them.
 *
 * Both kinds of sources can be linked together, and with either kind of library.
 */
#ifndef SEGUE_DETAIL_COUNT_H
#define SEGUE_DETAIL_COUNT_H

#include <stdint.h>

#ifndef SEGUE_COUNTERS
#define SEGUE_COUNTERS 0
#endif

/** Failed completions are counted by syndrome, which is a byte. */
#define SEGUE_COUNTED_SYNDROMES 256u

/* Of a send or receive queue. */
struct seguei_counts {
	uint64_t posted;  /* requests committed or posted */
	uint64_t rung;	  /* doorbells, copies to BlueFlame registers among them */
	uint64_t refused; /* requests */
	uint64_t forced;  /* requests that the queue has made to complete */
};

/* Of a completion queue. */
struct seguei_poll_counts {
	uint64_t polls;
	uint64_t empty; /* of those, that found no entry */
	uint32_t errors[SEGUE_COUNTED_SYNDROMES];
};

/* Where the source at hand is to count. */
#define SEGUEI_COUNT(counter)        \
	do {                         \
		if (SEGUE_COUNTERS)  \
			(counter)++; \
	} while (0)

/* What goes on in the library with what the source at hand has begun. */
#if SEGUE_COUNTERS
#define SEGUEI_COUNTED(function) function##_counted
#else
#define SEGUEI_COUNTED(function) function
#endif

/* In the library, where it goes on for a source that counts: unless it counts anyhow. */
#define SEGUEI_COUNT_FOR_PROGRAM(counter) \
	do {                              \
		if (!SEGUE_COUNTERS)      \
			(counter)++;      \
	} while (0)

#endif
