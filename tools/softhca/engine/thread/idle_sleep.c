/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sleep between checks of the doorbells. With a processor to itself the device thread hardly sleeps
 * while it has work. With too few processors it must sleep, because needless spinning takes the
 * processor from the program that is to ring the next doorbell. Without work, naps get longer with
 * the silence. A wake-up costs more than a check, but little compared with that silence.
 */
#include "thread.h"

#define NAP_FREE_NS  UINT64_C(3000)  /* after work within RECENT_NS */
#define NAP_CROWD_NS UINT64_C(20000) /* if processors are short */
#define RECENT_NS    UINT64_C(2000000)
#define SILENCES     10 /* later a nap adds a tenth to the silence */

uint64_t softhca_nap_ns(uint64_t idle, bool crowded)
{
	const uint64_t ns = idle / SILENCES;

	if (idle < RECENT_NS)
		return crowded ? NAP_CROWD_NS : NAP_FREE_NS;
	return ns < SOFTHCA_NAP_MAX_NS ? ns : SOFTHCA_NAP_MAX_NS;
}
