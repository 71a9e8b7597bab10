/* SPDX-License-Identifier: BSD-2-Clause */
/* The sentence of a thread's last error, which segue_errmsg() returns. */
#include "segue/base.h"

#include <errno.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The end of a sentence that was cut off. */
#define CUT "..."

static _Thread_local char message[512];

const char *segue_errmsg(void)
{
	return message;
}

int seguei_fail(int err, const char *format, ...)
{
	char sentence[sizeof(message)]; /* The arguments may include the previous message. */
	va_list args;

	va_start(args, format);
	if (vsnprintf(sentence, sizeof(sentence), format, args) >= (int)sizeof(sentence))
		memcpy(sentence + sizeof(sentence) - sizeof(CUT), CUT, sizeof(CUT));
	va_end(args);
	memcpy(message, sentence, sizeof(message));
	return -err;
}

int seguei_check_reserved(const uint64_t reserved[4], const char *what)
{
	int i;

	for (i = 0; i < 4; i++)
		if (reserved[i])
			return seguei_fail(EINVAL,
					   "%s: reserved[%d] is 0x%llx, expected 0; zero the "
					   "options before they are filled.",
					   what, i, (unsigned long long)reserved[i]);
	return 0;
}
