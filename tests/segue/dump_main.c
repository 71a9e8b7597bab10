// SPDX-License-Identifier: BSD-2-Clause
/* Prints the bytes that tools/segue/dump.c reads from standard input, as hex digits without blanks.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/segue/dump.h"

int main(int argc, char **argv)
{
	struct dump dump;
	char why[256];
	size_t i;

	if (dump_read(stdin, argc > 1 ? argv[1] : "auto", &dump, why, sizeof(why))) {
		puts(why);
		return 1;
	}
	for (i = 0; i < dump.len; i++)
		printf("%02x", dump.bytes[i]);
	puts("");
	free(dump.bytes);
	return 0;
}
