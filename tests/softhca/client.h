/* SPDX-License-Identifier: BSD-2-Clause */
/* For test programs that use verbs and know nothing of softhca. */
#ifndef SOFTHCA_TESTS_CLIENT_H
#define SOFTHCA_TESTS_CLIENT_H

#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int failures;

#define CHECK(cond)                                                                       \
	do {                                                                              \
		if (!(cond)) {                                                            \
			fprintf(stderr, "%s:%d: %s: not true (errno %d, %s)\n", __func__, \
				__LINE__, #cond, errno, strerror(errno));                 \
			failures++;                                                       \
		}                                                                         \
	} while (0)

/* For verbs that return the error number. */
#define CHECK_RC(call, want)                                                                     \
	do {                                                                                     \
		int got_ = (call);                                                               \
		if (got_ != (want)) {                                                            \
			fprintf(stderr, "%s:%d: %s: %d (%s), expected %d\n", __func__, __LINE__, \
				#call, got_, strerror(got_), (want));                            \
			failures++;                                                              \
		}                                                                                \
	} while (0)

/* For verbs that return NULL and set errno. */
#define CHECK_NULL(call, want)                                                               \
	do {                                                                                 \
		errno = 0;                                                                   \
		if ((call) != NULL || errno != (want)) {                                     \
			fprintf(stderr, "%s:%d: %s: errno %d (%s), expected %d\n", __func__, \
				__LINE__, #call, errno, strerror(errno), (want));            \
			failures++;                                                          \
		}                                                                            \
	} while (0)

/* Without it nothing that follows makes sense. */
#define NEED(ptr)                                                                          \
	do {                                                                               \
		if (!(ptr)) {                                                              \
			fprintf(stderr, "%s:%d: %s is missing (errno %d, %s)\n", __func__, \
				__LINE__, #ptr, errno, strerror(errno));                   \
			exit(1);                                                           \
		}                                                                          \
	} while (0)

static inline struct ibv_context *open_first(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx;

	NEED(list && list[0]);
	ctx = ibv_open_device(list[0]);
	NEED(ctx);
	ibv_free_device_list(list);
	return ctx;
}

static inline double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The next completion, or one with status -1 when none came for a long time. */
static inline struct ibv_wc wait_wc(struct ibv_cq *cq)
{
	struct ibv_wc wc = {.status = (enum ibv_wc_status) - 1};
	const double end = seconds() + 30;

	while (!ibv_poll_cq(cq, 1, &wc))
		if (seconds() > end)
			break;
	return wc;
}

#endif
