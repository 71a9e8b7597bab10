/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cost of a queue pair's life among few and among many. RC queue pairs are opened, connected to
 * themselves, and closed, for each number of them, in three orders. tests/bench/qp_lifetime.sh runs
 * it. Prints microseconds per queue pair, the least of several runs, with system calls of the
 * kernel or of softhca.
 *
 * qp_lifetime QUEUE_PAIRS RUNS
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/device.h"
#include "segue/gen/enums.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "segue/qp.h"

#define QPS_MAX 65536
#define ORDERS	3

enum order { OLDEST_FIRST, NEWEST_FIRST, WITH_DOMAIN };

struct bench {
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct segue_path path;
	struct segue_qp **qps;
	uint32_t count;
};

/* Microseconds per queue pair. */
struct costs {
	double open, connect, close[ORDERS];
};

static void must(int ret)
{
	if (!ret)
		return;
	fprintf(stderr, "qp_lifetime: %s\n", segue_errmsg());
	exit(1);
}

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void find_itself(struct bench *b)
{
	struct segue_port_info port;
	struct segue_gid_info gid;

	must(segue_path_init(&b->path, b->device, 1));
	must(segue_device_query_port(b->device, 1, &port));
	if (b->path.link == SEGUE_LINK_IB) {
		b->path.way.ib.dlid = port.lid;
		return;
	}
	must(segue_device_find_gid(b->device, 1, NULL, &gid));
	b->path.way.roce.route.dgid = gid.gid;
}

static void open_all(struct bench *b)
{
	const struct segue_qp_options options = {
		.type = SEGUE_QP_RC,
		.send_cq = b->cq,
		.recv_cq = b->cq,
		.max_send_wr = 1,
		.max_send_sge = 1,
	};
	uint32_t i;

	for (i = 0; i < b->count; i++)
		must(segue_qp_open(b->pd, &options, &b->qps[i]));
}

static void connect_all(struct bench *b)
{
	uint32_t i;

	for (i = 0; i < b->count; i++) {
		b->path.dest_qpn = segue_qp_number(b->qps[i]);
		must(segue_qp_connect(b->qps[i], &b->path));
	}
}

static void close_all(struct bench *b, enum order order)
{
	uint32_t i;

	if (order == WITH_DOMAIN) {
		must(segue_pd_close(b->pd));
		b->pd = NULL;
		return;
	}
	for (i = 0; i < b->count; i++)
		must(segue_qp_close(b->qps[order == OLDEST_FIRST ? i : b->count - 1 - i]));
}

static void keep_least(double *least, double us, uint32_t count)
{
	if (!*least || us / count < *least)
		*least = us / count;
}

/* Instruments find the end of a life by this name. */
__attribute__((noinline)) static void live(struct bench *b, enum order order, struct costs *costs)
{
	double at[4];

	if (!b->pd)
		must(segue_pd_open(b->device, &b->pd));
	at[0] = now_us();
	open_all(b);
	at[1] = now_us();
	connect_all(b);
	at[2] = now_us();
	close_all(b, order);
	at[3] = now_us();
	keep_least(&costs->open, at[1] - at[0], b->count);
	keep_least(&costs->connect, at[2] - at[1], b->count);
	keep_least(&costs->close[order], at[3] - at[2], b->count);
}

int main(int argc, char **argv)
{
	struct segue_cq_options cq_options = {.entries = 1};
	struct bench b = {.count = argc > 1 ? (uint32_t)atoi(argv[1]) : 64};
	struct costs costs = {0};
	int run, runs = argc > 2 ? atoi(argv[2]) : 3;

	if (!b.count || b.count > QPS_MAX) {
		fprintf(stderr, "qp_lifetime: expected 1 to %d queue pairs\n", QPS_MAX);
		return 2;
	}
	b.qps = calloc(b.count, sizeof(struct segue_qp *));
	if (!b.qps)
		return 1;
	must(segue_device_open(NULL, &b.device));
	cq_options.entries = 4 * b.count;
	must(segue_cq_open(b.device, &cq_options, &b.cq));
	find_itself(&b);
	for (run = 0; run < ORDERS * runs; run++)
		live(&b, (enum order)(run % ORDERS), &costs);
	printf("%.1f %.1f %.1f %.1f %.1f\n", costs.open, costs.connect, costs.close[OLDEST_FIRST],
	       costs.close[NEWEST_FIRST], costs.close[WITH_DOMAIN]);
	must(segue_device_close(b.device));
	free(b.qps);
	return 0;
}
