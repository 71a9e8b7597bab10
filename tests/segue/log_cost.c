// SPDX-License-Identifier: BSD-2-Clause
/* What segue explain does with the text of standard input, up to the answer. */
#include <stdlib.h>

#include "tools/segue/log/log.h"

int main(void)
{
	struct find *const find = malloc(sizeof(*find));
	const int failed = !find || log_find(stdin, 0, find);

	free(find);
	return failed;
}
