/* SPDX-License-Identifier: BSD-2-Clause */
/* posts.h without the library, on this host. Also compiled as C++. */
#include "tests/freestanding/elsewhere.h"

#include <stdlib.h>
#include <string.h>

#ifndef SEGUE_FREESTANDING
/* Found in this library first, which is linked with -Bsymbolic. */
#define SEGUE_FREESTANDING
#endif

#include "tests/freestanding/polls.h"
/* behind what it goes with */
#include "segue/freestanding.h"

void *posts_memory(size_t bytes)
{
	void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);

	return memory ? memset(memory, 0, bytes) : NULL;
}

void posts_memory_free(void *memory)
{
	free(memory);
}

int posts_elsewhere(struct posts *posts)
{
	posts_run(posts);
	return 0;
}

int polls_elsewhere(struct polls *polls)
{
	polls_run(polls);
	return 0;
}
