// SPDX-License-Identifier: BSD-2-Clause
/* What segue explain does with the text of standard input, up to the answer. */
#include <stdlib.h>

#include "tools/segue/log/log.h"

int main(void)
{
	const struct log_begin begin = {.len = 0};
	struct find *const find = malloc(sizeof(*find));
	const int failed = !find || log_find(stdin, &begin, find);

	free(find);
	return failed;
}
