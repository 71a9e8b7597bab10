/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rate of RDMA WRITEs of 8 bytes by one process: two RC queue pairs of one device, with the writes
 * posted in batches of 16, the last of each signaled, by plain ibv_post_send(). With one batch in
 * flight the figure is mostly latency. With several it is the device's rate.
 *
 * usage: softhca message_rate [SECONDS [BATCHES_UNDER_WAY]]
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH	   16u
#define SIZE	   8u
#define MAX_DEPTH  64u
#define GIVE_UP_S  30.0
#define GID_ROCEV2 3

struct side {
	struct ibv_qp *qp;
	struct ibv_cq *cq;
};

struct bench {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct ibv_port_attr port;
	union ibv_gid gid;
	struct side a, b;
	uint64_t buf[2][MAX_DEPTH * BATCH];
};

static void die(const char *what)
{
	fprintf(stderr, "message_rate: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void open_all(struct bench *t)
{
	struct ibv_device **list = ibv_get_device_list(NULL);

	if (!list || !list[0])
		die("no RDMA device");
	t->ctx = ibv_open_device(list[0]);
	ibv_free_device_list(list);
	if (!t->ctx || ibv_query_port(t->ctx, 1, &t->port))
		die("open");
	if (t->port.link_layer == IBV_LINK_LAYER_ETHERNET &&
	    ibv_query_gid(t->ctx, 1, GID_ROCEV2, &t->gid))
		die("ibv_query_gid");
	t->pd = ibv_alloc_pd(t->ctx);
	if (!t->pd)
		die("ibv_alloc_pd");
	t->mr = ibv_reg_mr(t->pd, t->buf, sizeof(t->buf),
			   IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	if (!t->mr)
		die("ibv_reg_mr");
}

static void create(struct bench *t, struct side *s)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = MAX_DEPTH * BATCH,
			.max_recv_wr = 1,
			.max_send_sge = 1,
			.max_recv_sge = 1},
	};
	struct ibv_qp_attr init = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};

	s->cq = ibv_create_cq(t->ctx, 2 * MAX_DEPTH, NULL, NULL, 0);
	if (!s->cq)
		die("ibv_create_cq");
	attr.send_cq = attr.recv_cq = s->cq;
	s->qp = ibv_create_qp(t->pd, &attr);
	if (!s->qp)
		die("ibv_create_qp");
	errno = ibv_modify_qp(s->qp, &init,
			      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
	if (errno)
		die("to INIT");
}

static void connect_to(const struct bench *t, const struct side *s, const struct side *peer)
{
	struct ibv_qp_attr rtr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = peer->qp->qp_num,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 12,
		.ah_attr = {.port_num = 1, .dlid = t->port.lid},
	};
	struct ibv_qp_attr rts = {
		.qp_state = IBV_QPS_RTS,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.max_rd_atomic = 1,
	};

	if (t->port.link_layer == IBV_LINK_LAYER_ETHERNET) {
		rtr.ah_attr.is_global = 1;
		rtr.ah_attr.grh.dgid = t->gid;
		rtr.ah_attr.grh.sgid_index = GID_ROCEV2;
		rtr.ah_attr.grh.hop_limit = 1;
	}
	errno = ibv_modify_qp(s->qp, &rtr,
			      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				      IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				      IBV_QP_MIN_RNR_TIMER);
	if (errno)
		die("to RTR");
	errno = ibv_modify_qp(s->qp, &rts,
			      IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				      IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
	if (errno)
		die("to RTS");
}

/* Batch `n` writes its own number, and its place in the batch, into its own part of the target. */
static void post_batch(struct bench *t, uint64_t n, unsigned int depth)
{
	uint64_t *const from = t->buf[0] + n % depth * BATCH, *const to = t->buf[1] +
									  n % depth * BATCH;
	struct ibv_sge sge[BATCH];
	struct ibv_send_wr wr[BATCH], *bad;

	memset(wr, 0, sizeof(wr));
	for (unsigned int i = 0; i < BATCH; i++) {
		from[i] = n * BATCH + i;
		sge[i] = (struct ibv_sge){(uintptr_t)&from[i], SIZE, t->mr->lkey};
		wr[i].wr_id = n;
		wr[i].next = i + 1 < BATCH ? &wr[i + 1] : NULL;
		wr[i].sg_list = &sge[i];
		wr[i].num_sge = 1;
		wr[i].opcode = IBV_WR_RDMA_WRITE;
		wr[i].send_flags = i + 1 < BATCH ? 0 : IBV_SEND_SIGNALED;
		wr[i].wr.rdma.remote_addr = (uintptr_t)&to[i];
		wr[i].wr.rdma.rkey = t->mr->rkey;
	}
	errno = ibv_post_send(t->a.qp, wr, &bad);
	if (errno)
		die("ibv_post_send");
}

static void check_batch(const struct bench *t, const struct ibv_wc *wc, uint64_t done,
			unsigned int depth)
{
	const uint64_t *const to = t->buf[1] + done % depth * BATCH;

	errno = EIO;
	if (wc->status || wc->wr_id != done)
		die(wc->status ? ibv_wc_status_str(wc->status) : "completions out of order");
	for (unsigned int i = 0; i < BATCH; i++)
		if (to[i] != done * BATCH + i)
			die("a write left wrong bytes");
}

static double run(struct bench *t, double seconds, unsigned int depth)
{
	const double start = now();
	double at = start, last = start;
	uint64_t posted = 0, done = 0;
	struct ibv_wc wc[16];

	for (;;) {
		const bool more = at - start < seconds;
		int n;

		while (more && posted - done < depth)
			post_batch(t, posted++, depth);
		if (!more && posted == done)
			return (double)(done * BATCH) / (at - start);
		n = ibv_poll_cq(t->a.cq, 16, wc);
		if (n < 0)
			die("ibv_poll_cq");
		for (int i = 0; i < n; i++)
			check_batch(t, &wc[i], done++, depth);
		at = now();
		if (n)
			last = at;
		errno = ETIMEDOUT;
		if (at - last > GIVE_UP_S)
			die("nothing completes any more");
	}
}

int main(int argc, char **argv)
{
	const double seconds = argc > 1 ? strtod(argv[1], NULL) : 3.0;
	const unsigned long depth = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
	static struct bench t;

	if (argc > 3 || seconds <= 0 || !depth || depth > MAX_DEPTH) {
		fprintf(stderr, "usage: message_rate [SECONDS [BATCHES_UNDER_WAY, 1 to %u]]\n",
			MAX_DEPTH);
		return 2;
	}
	open_all(&t);
	create(&t, &t.a);
	create(&t, &t.b);
	connect_to(&t, &t.a, &t.b);
	connect_to(&t, &t.b, &t.a);
	printf("%.0f messages/s\n", run(&t, seconds, (unsigned int)depth));
	return 0;
}
