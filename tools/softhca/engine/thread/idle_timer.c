/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A nap ends after a while, though nobody wakes the one who sleeps. With a time-out of its own each
 * nap would set a timer and take it back, which on a virtual machine costs several times what the
 * sleep and the wake-up do. So one timer serves many naps: the first after it went off sets it.
 */
#include "thread.h"

#include <sys/timerfd.h>

#define NS_PER_S UINT64_C(1000000000)

int softhca_alarm(uint64_t now, uint64_t ns)
{
	struct itimerspec at = {0};

	if (now < the_thread.alarm_ns)
		return the_thread.alarm_fd;
	if (the_thread.alarm_fd < 0)
		the_thread.alarm_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	at.it_value.tv_sec = (time_t)((now + ns) / NS_PER_S);
	at.it_value.tv_nsec = (long)((now + ns) % NS_PER_S);
	/* Setting it makes it unreadable, so nobody has to read it. */
	if (the_thread.alarm_fd < 0 ||
	    timerfd_settime(the_thread.alarm_fd, TFD_TIMER_ABSTIME, &at, NULL))
		return -1;
	the_thread.alarm_ns = now + ns;
	return the_thread.alarm_fd;
}
