/* SPDX-License-Identifier: BSD-2-Clause */
/* What a library exports in which posts.h was compiled without libsegue. */
#ifndef SEGUE_TESTS_ALONE_ELSEWHERE_H
#define SEGUE_TESTS_ALONE_ELSEWHERE_H

#include <stddef.h>

struct posts;
struct polls;

#ifdef __cplusplus
extern "C" {
#endif

/* Zeroed memory that both can reach, at the same address; NULL if there is none. */
void *posts_memory(size_t bytes);
void posts_memory_free(void *memory);
/* posts_run(). 0, or what went wrong as a number of its own. */
int posts_elsewhere(struct posts *posts);
/* polls_run(), or -1 where completion queues of the host are out of reach. */
int polls_elsewhere(struct polls *polls);

#ifdef __cplusplus
}
#endif

#endif
