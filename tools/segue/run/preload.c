/* SPDX-License-Identifier: BSD-2-Clause */
/* What `segue run` loads into a program: each mlx5 context that it opens is adopted. */
#include <stdlib.h>

#include "runtime/verbs/layer.h"

__attribute__((constructor)) static void begin(void)
{
	seguei_layer_adopt_all();
}

__attribute__((destructor)) static void end(void)
{
	if (getenv("SEGUE_RUN_REPORT"))
		seguei_layer_report(stderr);
}
