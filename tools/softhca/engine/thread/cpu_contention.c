/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Detection of a competitor for the device thread's processor. If there is one, a sleep or a yield
 * ends much later than it should. The result is kept for a while, so that it does not flicker. The
 * machine's number of runnable threads is not used, since those on other processors do not matter.
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
