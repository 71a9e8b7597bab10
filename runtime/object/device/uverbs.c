/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes kernel commands that libibverbs cannot express. */
#include "runtime/object/device/uverbs.h"

#include <errno.h>
#include <unistd.h>

int seguei_uverbs_write(const struct ibv_context *context, const void *command, size_t bytes)
{
	errno = 0;
	if (write(context->cmd_fd, command, bytes) == (ssize_t)bytes)
		return 0;
	return errno ? errno : EIO;
}
