/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a completion and a receive cost: TSC cycles of ours beside libmlx5's, in one run, on the same entries.
 *
 * Nothing is sent. The entries are written into the ring of a completion queue that the device does not touch, and into a plain
 * ring of ours; receives are posted to a queue pair in INIT. So it runs on any mlx5 device, softhca included, and shows what the
 * CPU does with everything in its caches: no PCIe, no DMA. The smallest of many runs is printed; on a virtual machine the TSC
 * is not a count of core cycles. Try MLX5_SINGLE_THREADED=1, too: it takes libmlx5's locks away.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "segue/cq.h"
#include "segue/errmsg.h"
#include "segue/gen/builders.h"

#define ENTRIES 4096u
#define ROUND	1024u /* operations per run */
#define RUNS	41
#define BATCH	16
#define WAIT_MS 10000

static uint64_t now(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

__attribute__((noreturn)) static void die(const char *what)
{
	fprintf(stderr, "polling: %s: %s\n", what, errno ? strerror(errno) : segue_errmsg());
	exit(1);
}

static void must(int ret, const char *what)
{
	if (ret) {
		errno = ret > 0 ? ret : 0;
		die(what);
	}
}

/* The verbs side. */
static struct {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;  /* entries are written by us */
	struct ibv_cq *own; /* by the device */
	struct ibv_qp *qp;
	struct mlx5dv_cq ring;
	uint32_t uidx; /* by which libmlx5 finds the queue pair */
	uint32_t pi;   /* entries written */
} theirs;

/* Ours: plain memory. */
static struct {
	_Alignas(64) uint8_t cqes[ENTRIES * SEGUE_CQE_SIZE];
	_Alignas(64) uint8_t sends[ENTRIES * 64];
	_Alignas(64) uint8_t receives[ENTRIES * 16];
	_Alignas(512) uint64_t uar[512];
	struct segue_sq_slot slots[ENTRIES];
	uint64_t wr_ids[ENTRIES];
	uint32_t dbrec[4];
	struct segue_cq cq;
	struct segue_rc_sq sq;
	struct segue_rq rq;
	uint32_t pi;
} ours;

static void to(enum ibv_qp_state state)
{
	struct ibv_qp_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.qp_state = state;
	attr.port_num = 1;
	must(ibv_modify_qp(theirs.qp, &attr, state == IBV_QPS_INIT ? IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS
								   : IBV_QP_STATE),
	     "ibv_modify_qp");
}

static void post_theirs(void)
{
	struct ibv_sge sge = {.addr = 0x1000, .length = 64, .lkey = 1};
	struct ibv_recv_wr wr = {.wr_id = 1, .sg_list = &sge, .num_sge = 1}, *bad;

	must(ibv_post_recv(theirs.qp, &wr, &bad), "ibv_post_recv");
}

static void describe(struct ibv_cq *cq, struct mlx5dv_cq *dv)
{
	struct mlx5dv_obj obj;

	memset(&obj, 0, sizeof(obj));
	memset(dv, 0, sizeof(*dv));
	obj.cq.in = cq;
	obj.cq.out = dv;
	must(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ), "mlx5dv_init_obj");
}

/* A receive that the device flushes tells the index. */
static void learn(void)
{
	const struct timespec moment = {.tv_sec = 0, .tv_nsec = 1000000};
	struct segue_cqe_err_cqe cqe;
	struct mlx5dv_cq dv;
	int ms;

	describe(theirs.own, &dv);
	to(IBV_QPS_INIT);
	post_theirs();
	to(IBV_QPS_ERR);
	for (ms = 0; ms < WAIT_MS; ms++) {
		(void)segue_cqe_err_cqe_unpack(&cqe, (uint8_t *)dv.buf + dv.cqe_size - SEGUE_CQE_ERR_CQE_SIZE);
		if (cqe.opcode == SEGUE_CQE_OPCODE_RESP_ERR)
			break;
		nanosleep(&moment, NULL);
	}
	if (ms == WAIT_MS)
		die("the device does not flush");
	theirs.uidx = cqe.srqn;
	to(IBV_QPS_RESET);
	to(IBV_QPS_INIT);
}

static void open_theirs(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_qp_init_attr attr;
	int i;

	for (i = 0; list && list[i] && !mlx5dv_is_supported(list[i]); i++)
		;
	if (!list || !list[i])
		die("no mlx5 device; run it below tools/softhca/softhca");
	theirs.context = ibv_open_device(list[i]);
	printf("%s, ", ibv_get_device_name(list[i]));
	ibv_free_device_list(list);
	if (!theirs.context)
		die("ibv_open_device");
	theirs.pd = ibv_alloc_pd(theirs.context);
	theirs.cq = ibv_create_cq(theirs.context, (int)ENTRIES - 1, NULL, NULL, 0);
	theirs.own = ibv_create_cq(theirs.context, (int)ENTRIES - 1, NULL, NULL, 0);
	if (!theirs.pd || !theirs.cq || !theirs.own)
		die("ibv_create_cq");
	memset(&attr, 0, sizeof(attr));
	attr.qp_type = IBV_QPT_RC;
	attr.send_cq = theirs.own;
	attr.recv_cq = theirs.own;
	attr.cap.max_send_wr = ROUND;
	attr.cap.max_recv_wr = ROUND;
	attr.cap.max_send_sge = 1;
	attr.cap.max_recv_sge = 1;
	theirs.qp = ibv_create_qp(theirs.pd, &attr);
	if (!theirs.qp)
		die("ibv_create_qp");
	describe(theirs.cq, &theirs.ring);
	if (theirs.ring.cqe_cnt != ENTRIES || theirs.ring.cqe_size != SEGUE_CQE_SIZE)
		die("the completion queue has another form than asked for");
	learn();
}

static void open_ours(void)
{
	const struct segue_cq_attr cq = {.buf = ours.cqes, .cqe_cnt = ENTRIES, .cqe_size = SEGUE_CQE_SIZE, .dbrec = ours.dbrec};
	const struct segue_sq_attr sq = {.buf = ours.sends, .wqe_cnt = ENTRIES, .max_wqe_units = 16, .dbrec = &ours.dbrec[2],
					 .bf_reg = ours.uar, .qpn = theirs.qp->qp_num, .slots = ours.slots};
	const struct segue_rq_attr rq = {.buf = ours.receives, .wqe_cnt = ENTRIES, .stride = 16, .dbrec = &ours.dbrec[3],
					 .qpn = theirs.qp->qp_num, .wr_ids = ours.wr_ids};
	const struct segue_cq_queue queue = {.qpn = theirs.qp->qp_num, .sq = &ours.sq.sq, .rq = &ours.rq};

	memset(ours.cqes, SEGUE_CQE_OPCODE_INVALID << 4, sizeof(ours.cqes));
	if (segue_cq_init(&ours.cq, &cq) || segue_sq_init(&ours.sq.sq, &sq) || segue_rq_init(&ours.rq, &rq) ||
	    segue_cq_attach(&ours.cq, &queue))
		die("our queues");
}

/* A round of entries into both rings. */
static void complete(uint8_t opcode, uint32_t first)
{
	struct segue_cqe_cqe64 cqe;
	uint32_t i;

	memset(&cqe, 0, sizeof(cqe));
	cqe.opcode = opcode;
	cqe.qpn = theirs.qp->qp_num;
	cqe.srqn_uidx = theirs.uidx;
	cqe.byte_cnt = 64;
	cqe.s_wqe_opcode = SEGUE_OPCODE_RDMA_WRITE;
	for (i = 0; i < ROUND; i++) {
		cqe.wqe_counter = (uint16_t)(first + i);
		cqe.owner = theirs.pi / ENTRIES & 1;
		segue_cqe_cqe64_pack((uint8_t *)theirs.ring.buf + theirs.pi++ % ENTRIES * SEGUE_CQE_SIZE, &cqe);
		cqe.owner = ours.pi / ENTRIES & 1;
		segue_cqe_cqe64_pack(ours.cqes + ours.pi++ % ENTRIES * SEGUE_CQE_SIZE, &cqe);
	}
}

static uint64_t total; /* so that nothing is optimised away */

static void sum(const struct segue_wc *wc, void *arg)
{
	*(uint64_t *)arg += wc->wr_id + wc->syndrome + wc->byte_len;
}

enum { EMPTY, SEND, SEND_BATCH, RECEIVE, POST_RECEIVE, KINDS };

static const char *const names[KINDS] = {"empty poll", "poll one send", "poll 16 sends, each", "poll one receive", "post one receive"};
static double best[KINDS][2];

static void note(int kind, int side, uint64_t cycles)
{
	const double each = (double)cycles / ROUND;

	if (best[kind][side] == 0 || each < best[kind][side])
		best[kind][side] = each;
}

static void poll_theirs(int kind, uint32_t batch)
{
	struct ibv_wc wc[BATCH];
	uint64_t start = now();
	uint32_t i;
	int j, got;

	for (i = 0; i < ROUND; i += batch) {
		got = ibv_poll_cq(theirs.cq, (int)batch, wc);
		for (j = 0; j < got; j++)
			total += wc[j].wr_id + wc[j].status + wc[j].byte_len;
		if ((kind == EMPTY) != (got == 0))
			die("libmlx5 finds another number of completions");
	}
	note(kind, 0, now() - start);
}

static void poll_ours(int kind, int batch)
{
	uint64_t start = now();
	uint32_t i;

	for (i = 0; i < ROUND; i += (uint32_t)batch)
		if (segue_cq_poll(&ours.cq, batch, sum, &total) != (kind == EMPTY ? 0 : batch))
			die("we find another number of completions");
	note(kind, 1, now() - start);
}

static void run(void)
{
	uint64_t start;
	uint32_t i, kind;

	poll_theirs(EMPTY, 1);
	poll_ours(EMPTY, 1);
	for (kind = SEND; kind <= SEND_BATCH; kind++) {
		const uint32_t first = ours.sq.sq.pi;

		for (i = 0; i < ROUND; i++)
			must(segue_commit(segue_nop(&ours.sq, i, SEGUE_SIGNALED)), "segue_commit");
		complete(SEGUE_CQE_OPCODE_REQ, first);
		poll_theirs((int)kind, kind == SEND ? 1 : BATCH);
		poll_ours((int)kind, kind == SEND ? 1 : BATCH);
	}
	start = now();
	for (i = 0; i < ROUND; i++)
		post_theirs();
	note(POST_RECEIVE, 0, now() - start);
	start = now();
	for (i = 0; i < ROUND; i++)
		must(segue_post(segue_sge(segue_recv_rq(&ours.rq, 1), 0x1000, 64, 1)), "segue_post");
	note(POST_RECEIVE, 1, now() - start);
	complete(SEGUE_CQE_OPCODE_RESP_SEND, 0);
	poll_theirs(RECEIVE, 1);
	poll_ours(RECEIVE, 1);
}

int main(void)
{
	int i;

	open_theirs();
	open_ours();
	for (i = 0; i < RUNS; i++)
		run();
#if defined(__x86_64__)
	printf("TSC cycles, smallest of %d runs of %u\n", RUNS, ROUND);
#else
	printf("nanoseconds, smallest of %d runs of %u\n", RUNS, ROUND);
#endif
	printf("%-22s %8s %8s\n", "", "libmlx5", "segue");
	for (i = 0; i < KINDS; i++)
		printf("%-22s %8.1f %8.1f\n", names[i], best[i][0], best[i][1]);
	segue_cq_fini(&ours.cq);
	ibv_destroy_qp(theirs.qp);
	ibv_destroy_cq(theirs.cq);
	ibv_destroy_cq(theirs.own);
	ibv_dealloc_pd(theirs.pd);
	ibv_close_device(theirs.context);
	return total == 0;
}
