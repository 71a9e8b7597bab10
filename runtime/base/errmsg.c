/* SPDX-License-Identifier: BSD-2-Clause */
#include "segue/errmsg.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[512];

const char *segue_errmsg(void)
{
	return message;
}

int seguei_fail(int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return -err;
}
