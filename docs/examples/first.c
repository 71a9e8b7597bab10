/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * first: a whole first program. One process writes 64 bytes from one RC queue pair to another.
 *
 * Each function is a step that verbs programs have, too. Two processes differ in one point: each
 * sends the other its endpoint, and where to write to (segue/endpoint.h; step 4 of the tutorial).
 */
#include <errno.h>
#include <stdio.h>

#include "segue/segue.h"

#define SIZE 64u

static char out[SIZE] = "written by one queue pair, read behind the other", in[SIZE];

struct side {
	struct segue_qp *qp;
	struct segue_path path;
	struct segue_endpoint endpoint; /* what the other side must know */
};

/* The first device with an active port, a protection domain, and a completion queue. */
static int open_device(struct segue_device **device, struct segue_pd **pd, struct segue_cq **cq)
{
	const struct segue_cq_options options = {.entries = 16, .grow = true};
	int ret = segue_device_open(NULL, device);

	if (!ret)
		ret = segue_pd_open(*device, pd);
	return ret ? ret : segue_cq_open(*device, &options, cq);
}

/* Names `out` by its local key, and `in` by the key that peers use. */
static int register_memory(struct segue_pd *pd, struct segue_local_buf *from,
			   struct segue_remote_buf *to)
{
	const struct segue_mr_options source = {.addr = out, .length = SIZE};
	const struct segue_mr_options target = {
		.addr = in, .length = SIZE, .access = SEGUE_ACCESS_REMOTE_WRITE};
	struct segue_mr *local, *shared;
	int ret = segue_mr_open(pd, &source, &local);

	if (!ret)
		ret = segue_mr_open(pd, &target, &shared);
	if (!ret)
		ret = segue_mr_local_buf(local, 0, SIZE, from);
	return ret ? ret : segue_mr_remote_buf(shared, 0, SIZE, to);
}

static int open_side(struct segue_device *device, struct segue_pd *pd, struct segue_cq *cq,
		     struct side *side)
{
	const struct segue_qp_options options = {
		.type = SEGUE_QP_RC,
		.send_cq = cq,
		.recv_cq = cq,
		.max_send_wr = 4,
		.max_send_sge = 1,
	};
	int ret = segue_qp_open(pd, &options, &side->qp);

	if (!ret)
		ret = segue_path_init(&side->path, device, 1); /* port 1 */
	return ret ? ret : segue_endpoint_describe(&side->endpoint, side->qp, &side->path);
}

/* To a peer that is known by its endpoint: INIT, RTR, RTS. */
static int connect_to(struct side *side, const struct segue_endpoint *peer)
{
	int ret = segue_path_set_peer(&side->path, peer);

	return ret ? ret : segue_qp_connect(side->qp, &side->path);
}

/* One signaled RDMA WRITE, and its doorbell. */
static int write_once(struct side *side, const struct segue_local_buf *from,
		      const struct segue_remote_buf *to)
{
	struct segue_rc_sq *sq = segue_qp_rc_sq(side->qp);

	return segue_post(segue_sge(
		segue_raddr(segue_rdma_write(sq, 7, SEGUE_SIGNALED), to->addr, to->key.rkey),
		from->addr, SIZE, from->key.lkey));
}

/* The next completion. 0 if it is good; if not, says why. */
static int wait_for_one(struct segue_cq *cq)
{
	const segue_deadline deadline = segue_deadline_in_ms(10000);
	char why[512] = "nothing has completed for 10 s";
	struct segue_wc wc;
	int got;

	do
		got = segue_cq_poll(cq, 1, &wc);
	while (!got && segue_deadline_left_ms(deadline));
	if (got < 0)
		return got;
	if (got && !wc.syndrome)
		return 0; /* of the request with this wc.wr_id */
	if (got)
		segue_wc_explain(&wc, NULL, why, sizeof(why));
	fprintf(stderr, "%s\n", why);
	return -EIO;
}

int main(void)
{
	struct segue_device *device = NULL;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct segue_remote_buf to;
	struct segue_local_buf from;
	struct side one, other;
	int ret = open_device(&device, &pd, &cq);

	if (!ret)
		ret = register_memory(pd, &from, &to);
	if (!ret)
		ret = open_side(device, pd, cq, &one);
	if (!ret)
		ret = open_side(device, pd, cq, &other);
	if (!ret)
		ret = connect_to(&one, &other.endpoint);
	if (!ret)
		ret = connect_to(&other, &one.endpoint);
	if (!ret)
		ret = write_once(&one, &from, &to);
	if (!ret)
		ret = wait_for_one(cq);
	if (ret)
		fprintf(stderr, "first: %s\n", segue_errmsg());
	else
		printf("%s\n", in);
	(void)segue_device_close(device); /* and all that was opened on it */
	return ret ? 1 : 0;
}
