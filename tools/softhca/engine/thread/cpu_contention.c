/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does somebody else want the processor of the device thread? Then a sleep, or giving way, ends
 * much later than it should. That is believed for a while, so that the answer does not flicker. How
 * many threads the machine has runnable is not asked: those on other processors do not matter.
 */
#include "thread.h"

#define LATE_NS	   UINT64_C(150000)
#define BELIEVE_NS UINT64_C(10000000)

void softhca_crowd_slept(uint64_t now, uint64_t too_long)
{
	if (too_long > LATE_NS)
		the_thread.crowded_until = now + BELIEVE_NS;
}

bool softhca_crowded(uint64_t now)
{
	return now < the_thread.crowded_until;
}
