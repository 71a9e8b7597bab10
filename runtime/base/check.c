/* SPDX-License-Identifier: BSD-2-Clause */
/* Aborts of checked builds. The message names the program's line that broke a rule. */
#include "segue/detail/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static __thread struct {
	const char *file;
	int line;
} caller;

void seguei_note_caller(const char *file, int line)
{
	caller.file = file;
	caller.line = line;
}

int seguei_caller(const char **file)
{
	*file = caller.file;
	return caller.line;
}

void seguei_die_at_caller(const char *sentence, ...)
{
	va_list args;

	(void)fputs("segue: ", stderr);
	if (caller.file)
		(void)fprintf(stderr, "%s:%d: ", caller.file, caller.line);
	va_start(args, sentence);
	(void)vfprintf(stderr, sentence, args);
	va_end(args);
	(void)fputc('\n', stderr);
	abort();
}

void seguei_check_failed(const char *condition, const char *file, int line)
{
	(void)fprintf(stderr, "segue: %s:%d: check failed: %s\n", file, line, condition);
	abort();
}
