/* SPDX-License-Identifier: BSD-2-Clause */
#include "segue/check.h"

#include <stdio.h>
#include <stdlib.h>

void segue_check_failed(const char *condition, const char *file, int line)
{
	(void)fprintf(stderr, "segue: %s:%d: check failed: %s\n", file, line, condition);
	abort();
}
