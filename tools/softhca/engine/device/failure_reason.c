/* SPDX-License-Identifier: BSD-2-Clause */
/* Reasons of the last failure of each thread, in words. */
#include "tools/softhca/engine/scheduler.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char why[256];

const char *softhca_why(void)
{
	return why;
}

void softhca_why_clear(void)
{
	why[0] = '\0';
}

int softhca_fail(int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return err;
}
