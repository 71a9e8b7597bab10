/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A nap ends after a while, though nobody wakes the one who sleeps. With a time-out of its own each
 * nap would set a timer and take it back, which on a virtual machine costs several times what the
 * sleep and the wake-up do. So one timer serves many naps: the first after it went off sets it.
 */
#include "thread.h"

#include <sys/timerfd.h>
#include <unistd.h>

#define NS_PER_S UINT64_C(1000000000)

static int fd = -1;
static uint64_t due_ns;

int softhca_alarm(uint64_t now, uint64_t ns)
{
	struct itimerspec at = {0};

	if (now < due_ns)
		return fd;
	if (fd < 0)
		fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	at.it_value.tv_sec = (time_t)((now + ns) / NS_PER_S);
	at.it_value.tv_nsec = (long)((now + ns) % NS_PER_S);
	/* Setting it makes it unreadable, so nobody has to read it. */
	if (fd < 0 || timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, NULL))
		return -1;
	due_ns = now + ns;
	return fd;
}

void softhca_alarm_fork_child(void)
{
	if (fd >= 0)
		close(fd);
	fd = -1;
	due_ns = 0;
}
