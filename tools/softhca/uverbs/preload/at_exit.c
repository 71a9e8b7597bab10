/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The end of the process: what a card would have sent by now must leave all the same, and what the
 * kernel does for a dead process has to be done by itself.
 */
#include <stdio.h>
#include <sysexits.h>
#include <unistd.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/uverbs/service.h"
#include "tools/softhca/uverbs/trap/trap.h"

#define EXIT_MS	   500
#define GOODBYE_MS 3000 /* as long a receiver may wait for a processor */

static void say_goodbye(void)
{
	uv_services_goodbye();
	softhca_transport_goodbye();
	(void)softhca_poll_all(uv_trap_on(), NULL);
	for (int ms = 0; softhca_wire_goodbye() && ms < GOODBYE_MS; ms++) {
		usleep(1000);
		(void)softhca_poll_all(uv_trap_on(), NULL);
	}
}

/* Whatever the program made of it: a capture that it asked for is not whole. */
__attribute__((destructor)) static void at_exit(void)
{
	if (!softhca_dev_by_index(0) || !softhca_lock_soon(EXIT_MS))
		return;
	say_goodbye();
	softhca_unlock();
	if (!softhca_output_incomplete())
		return;
	(void)fflush(NULL);
	_exit(EX_IOERR);
}
