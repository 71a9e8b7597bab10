/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/softhca/uverbs/preload/rdmacm_front.h"

#include <errno.h>

#include "tools/softhca/rdmacm/rdmacm.h"
#include "tools/softhca/uverbs/preload/trap.h"
#include "tools/softhca/uverbs/uverbs.h"

int uv_rdmacm_open(int flags)
{
	struct stat st;
	int fd;

	if (!uv_num_devices())
		return -ENOENT;
	/* Messages and time-outs need it before any device file is open. */
	softhca_thread_start(uv_trap_on());
	fd = rdmacm_open(flags, &st);
	if (fd < 0)
		return fd;
	softhca_lock();
	fd = uv_open_other(fd, &st, UV_INDEX_RDMACM, rdmacm_closed);
	softhca_unlock();
	return fd;
}

int uv_rdmacm_close(int fd)
{
	return uv_close_other(fd, rdmacm_closed);
}

#define EXIT_MS 500

/*
 * What a card would have sent by now must leave although the process ends, and what the kernel does
 * for a dead process has to be done by itself.
 */
__attribute__((destructor)) static void at_exit(void)
{
	if (!softhca_dev_by_index(0) || !softhca_lock_soon(EXIT_MS))
		return;
	rdmacm_goodbye();
	(void)softhca_poll_all(uv_trap_on(), NULL);
	softhca_unlock();
}
