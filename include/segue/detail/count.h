/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters in a queue. Sources compiled with SEGUE_COUNTERS=1 count their posts and polls, at the
 * cost of an instruction for each counter. Others do not. segue/counters.h reads them.
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

/* Counters of a send or receive queue. */
struct seguei_counts {
	uint64_t posted;  /* requests committed or posted */
	uint64_t rung;	  /* doorbells, including copies to BlueFlame registers */
	uint64_t refused; /* refused requests */
	uint64_t forced;  /* requests that the queue has made to complete */
};

/* Counters of a completion queue. */
struct seguei_poll_counts {
	uint64_t polls;
	uint64_t empty; /* polls that found no entry */
	uint32_t errors[SEGUE_COUNTED_SYNDROMES];
};

/* Counts if the present source does. */
#define SEGUEI_COUNT(counter)        \
	do {                         \
		if (SEGUE_COUNTERS)  \
			(counter)++; \
	} while (0)

/* A function of the library that continues work of the present source, and counts if that does. */
#if SEGUE_COUNTERS
#define SEGUEI_COUNTED(function) function##_counted
#else
#define SEGUEI_COUNTED(function) function
#endif

/* Counts in the library, for work of a source that counts, unless the library counts anyhow. */
#define SEGUEI_COUNT_FOR_PROGRAM(counter) \
	do {                              \
		if (!SEGUE_COUNTERS)      \
			(counter)++;      \
	} while (0)

#endif
