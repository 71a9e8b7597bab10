/* SPDX-License-Identifier: BSD-2-Clause */
/* For test programs that use verbs and know nothing of softhca. */
#ifndef SOFTHCA_TESTS_CLIENT_H
#define SOFTHCA_TESTS_CLIENT_H

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <time.h>

#include "tests/softhca/clients/check.h"

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
