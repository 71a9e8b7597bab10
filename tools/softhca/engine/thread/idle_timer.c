/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Timer for naps, which end after a while without a wake-up. With a time-out of its own each nap
 * would set a timer and cancel it, which on a virtual machine costs several times as much as sleep
 * and wake-up. So one timer serves many naps. The first one after its expiry sets it again.
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
	/* Setting it makes it unreadable, so it need not be read. */
	if (the_thread.alarm_fd < 0 ||
	    timerfd_settime(the_thread.alarm_fd, TFD_TIMER_ABSTIME, &at, NULL))
		return -1;
	the_thread.alarm_ns = now + ns;
	return the_thread.alarm_fd;
}
