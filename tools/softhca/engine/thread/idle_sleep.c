/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sleeping between looks at the doorbells. With a processor to itself the device thread hardly
 * sleeps while something happens. With too few of them it must: whoever spins without need takes
 * the processor from the program that is to ring the next doorbell. Once nothing happens, naps get
 * longer with the silence, as waking up costs more than a look: who rings was silent far longer.
 */
#include "thread.h"

#define NAP_FREE_NS  UINT64_C(3000)  /* something happened within RECENT_NS */
#define NAP_CROWD_NS UINT64_C(20000) /* and processors are short */
#define RECENT_NS    UINT64_C(2000000)
#define SILENCES     10 /* later a nap adds a tenth to the silence */

uint64_t softhca_nap_ns(uint64_t idle, bool crowded)
{
	const uint64_t ns = idle / SILENCES;

	if (idle < RECENT_NS)
		return crowded ? NAP_CROWD_NS : NAP_FREE_NS;
	return ns < SOFTHCA_NAP_MAX_NS ? ns : SOFTHCA_NAP_MAX_NS;
}
