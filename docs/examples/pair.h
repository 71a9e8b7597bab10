/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the examples of single requests stand on: two connected RC queue pairs of one process, on
 * the first active port, and a piece of memory that both may use. How endpoints travel between
 * processes is in the tutorial.
 */
#ifndef SEGUE_EXAMPLES_PAIR_H
#define SEGUE_EXAMPLES_PAIR_H

#include <stdio.h>
#include <stdlib.h>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/device.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "segue/qp.h"

struct pair {
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct segue_mr *mr;
	struct segue_qp *a, *b;
};

/* An example ends where something fails, and says what. */
static inline void must(int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "%s\n", segue_errmsg());
	exit(1);
}

/* To a queue pair of the same port. */
static inline struct segue_path path_here(struct pair *p, uint32_t qpn)
{
	struct segue_port_info port;
	struct segue_gid_info gid;
	struct segue_path path;

	must(segue_path_init(&path, p->device, 1));
	must(segue_device_query_port(p->device, 1, &port));
	must(segue_device_find_gid(p->device, 1, NULL, &gid));
	path.dest_qpn = qpn;
	if (path.link == SEGUE_LINK_IB)
		path.way.ib.dlid = port.lid;
	else
		path.way.roce.route.dgid = gid.gid;
	return path;
}

/* Everything but the queue pairs. */
static inline void pair_begin(struct pair *p, void *memory, size_t size)
{
	struct segue_cq_options cq = {.entries = 512}; /* room for all that can be in flight */
	struct segue_mr_options mr = {.addr = memory, .length = size};

	must(segue_device_open(NULL, &p->device));
	must(segue_pd_open(p->device, &p->pd));
	must(segue_cq_open(p->device, &cq, &p->cq));
	mr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
		    SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_ATOMIC;
	must(segue_mr_open(p->pd, &mr, &p->mr));
}

static inline struct segue_qp_options pair_options(struct pair *p)
{
	struct segue_qp_options qp = {.type = SEGUE_QP_RC,
				      .max_send_wr = 16,
				      .max_send_sge = 2,
				      .max_recv_wr = 16,
				      .max_recv_sge = 1};

	qp.send_cq = qp.recv_cq = p->cq;
	/* room for requests that change keys: 16 */
	qp.max_wqe_units = 4 + SEGUE_RC_UMR_LIST_SIG_UNITS;
	return qp;
}

/* One to the other. */
static inline void pair_connect(struct pair *p)
{
	struct segue_path to_a = path_here(p, segue_qp_number(p->a)),
			  to_b = path_here(p, segue_qp_number(p->b));

	to_a.sq_psn = to_b.rq_psn = 1000;
	to_b.sq_psn = to_a.rq_psn = 2000;
	must(segue_qp_connect(p->a, &to_b));
	must(segue_qp_connect(p->b, &to_a));
}

static inline void pair_open(struct pair *p, void *memory, size_t size)
{
	struct segue_qp_options qp;

	pair_begin(p, memory, size);
	qp = pair_options(p);
	must(segue_qp_open(p->pd, &qp, &p->a));
	must(segue_qp_open(p->pd, &qp, &p->b));
	pair_connect(p);
}

static inline void pair_close(struct pair *p)
{
	must(segue_device_close(p->device)); /* and everything on it */
}

/* The next completion, which has to be a good one. */
static inline struct segue_wc pair_next(struct pair *p, struct segue_wc_details *details)
{
	const segue_deadline deadline = segue_deadline_in_ms(30000);
	struct segue_wc wc;
	int got;

	do {
		got = segue_cq_poll_details(p->cq, 1, &wc, details);
		must(got);
		if (!got && segue_deadline_left_ms(deadline) <= 0) {
			fprintf(stderr, "Nothing completed for 30 s.\n");
			exit(1);
		}
	} while (!got);
	if (wc.syndrome) {
		fprintf(stderr, "Request %llu failed with syndrome 0x%02x.\n",
			(unsigned long long)wc.wr_id, wc.syndrome);
		exit(1);
	}
	return wc;
}

/* Polls until so many requests have completed. */
static inline void pair_complete(struct pair *p, int count)
{
	struct segue_wc_details details;

	while (count-- > 0)
		(void)pair_next(p, &details);
}

#endif
