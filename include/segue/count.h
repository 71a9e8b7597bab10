/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a queue counts. What happens off the straight path is counted always. Posts, doorbells and
 * polls are on it, and cost an instruction each: sources compiled with SEGUE_COUNTERS=1 count them,
 * others are as if there were no counters. segue/counters.h reads them.
 *
 * Both kinds can be linked together, and with either library.
 */
#ifndef SEGUE_COUNT_H
#define SEGUE_COUNT_H

#include <stdint.h>

#ifndef SEGUE_COUNTERS
#define SEGUE_COUNTERS 0
#endif

/** Syndromes of failed completions below this are counted one by one; 0 stands for all beyond. */
#define SEGUE_COUNTED_SYNDROMES 64u

/* Of a send or receive queue. */
struct seguei_counts {
	uint64_t posted;  /* requests committed or posted */
	uint64_t rung;	  /* doorbells, copies to BlueFlame registers among them */
	uint64_t refused; /* requests */
	uint64_t forced;  /* requests that the queue has made to complete */
	uint32_t errors[SEGUE_COUNTED_SYNDROMES]; /* failed completions */
};

/* Of a completion queue. */
struct seguei_poll_counts {
	uint64_t polls;
	uint64_t empty; /* of those, that found no entry */
	uint32_t errors[SEGUE_COUNTED_SYNDROMES];
};

/* On the straight path, in the program's own code. */
#define SEGUEI_COUNT(counter)        \
	do {                         \
		if (SEGUE_COUNTERS)  \
			(counter)++; \
	} while (0)

/* The same where the library goes on with it: unless it has counted by the macro above. */
#define SEGUEI_COUNT_FOR_PROGRAM(counter) \
	do {                              \
		if (!SEGUE_COUNTERS)      \
			(counter)++;      \
	} while (0)

/* Which of the errors a syndrome is counted as. */
#define SEGUEI_COUNTED_AS(syndrome) ((syndrome) < SEGUE_COUNTED_SYNDROMES ? (syndrome) : 0u)

#endif
