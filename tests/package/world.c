/* SPDX-License-Identifier: BSD-2-Clause */
/* Who started this, and with how many. */
#include <stdio.h>

#include "segue/base.h"
#include "segue/peers/world.h"

int main(void)
{
	const segue_deadline deadline = segue_deadline_in_ms(20000);
	struct segue_world *world;

	if (segue_world_open(NULL, deadline, &world) || segue_world_fence(world, deadline)) {
		fprintf(stderr, "world: %s\n", segue_errmsg());
		return 1;
	}
	printf("%s\n", segue_world_describe(world));
	return segue_world_close(world, deadline) ? 1 : 0;
}
