/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Is there a processor for everybody who wants one? Two signs: the kernel counts more runnable
 * threads than it has processors, or a sleep of the device thread ended much later than it should.
 * Either is believed for a while, so that the answer does not flicker.
 */
#include "thread.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define LOOK_NS	   UINT64_C(500000)
#define BELIEVE_NS UINT64_C(20000000)
#define LATE_NS	   UINT64_C(150000)
#define SURE_NS	   UINT64_C(50000000) /* lateness is rare and certain */

/* Programs that sleep and wake each other are now and then more than processors, those that spin
 * always. */
#define IN_A_ROW   16

static uint64_t crowded_until, next_look;
static unsigned looks_in_a_row;

/* "0.52 0.58 0.59 3/467 1234": three threads run or want to. */
static int runnable(void)
{
	char text[128];
	int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC), n = 0;
	ssize_t len;

	if (fd < 0)
		return 0;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	return sscanf(text, "%*s %*s %*s %d/", &n) == 1 ? n : 0;
}

static void believe(uint64_t until)
{
	if (until > crowded_until)
		crowded_until = until;
}

void softhca_crowd_slept(uint64_t now, uint64_t too_long)
{
	if (too_long > LATE_NS)
		believe(now + SURE_NS);
}

bool softhca_crowded(uint64_t now)
{
	static long processors;

	if (now >= next_look) {
		next_look = now + LOOK_NS;
		if (!processors)
			processors = sysconf(_SC_NPROCESSORS_ONLN);
		looks_in_a_row = runnable() > processors ? looks_in_a_row + 1 : 0;
		if (looks_in_a_row >= IN_A_ROW)
			believe(now + BELIEVE_NS);
	}
	return now < crowded_until;
}
