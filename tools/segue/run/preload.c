/* SPDX-License-Identifier: BSD-2-Clause */
/* Library that `segue run` loads into a program: it adopts each mlx5 context that the program
 * opens. */
#include <stdlib.h>

#include "runtime/verbs/layer.h"
#include "tools/bench/saved.h" /* from recorded rows */

__attribute__((constructor)) static void begin(void)
{
	seguei_layer_adopts_all = true;
}

__attribute__((destructor)) static void end(void)
{
	if (getenv("SEGUE_RUN_REPORT"))
		seguei_layer_report(stderr, SAVED_BY_POST, SAVED_BY_COMPLETION);
}
