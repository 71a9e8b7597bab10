/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * End of the process. Packets that a card would have sent by now must still leave, and softhca must
 * do the kernel's work for a dead process.
 */
#include <stdio.h>
#include <sysexits.h>
#include <unistd.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/uverbs/service.h"
#include "tools/softhca/uverbs/trap/trap.h"

#define EXIT_MS	   500
#define GOODBYE_MS 3000 /* time for which a receiver may wait for a processor */

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

/* Reported whatever the program's result is, because a capture that it asked for is incomplete. */
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
