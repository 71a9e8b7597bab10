/* SPDX-License-Identifier: BSD-2-Clause */
/* One source for both sides: what the host's half posts, a kernel's half posts, too. */
#include "tests/freestanding/device_code.h"

#define SEGUE_FUNCTION static inline __host__ __device__
#define SEGUE_FREESTANDING __host__ __device__

#include "tests/freestanding/host.c"

#ifndef SEGUE_HOST_HALF /* clang's needs CUDA's runtime for a kernel */
__global__ void both_kernel(struct posts *posts, struct polls *polls)
{
	posts_run(posts);
	polls_run(polls);
}
#endif
