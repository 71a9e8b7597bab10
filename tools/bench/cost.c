/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an operation costs: ours beside libmlx5's, in one run, on the same requests and entries. cost.sh runs it.
 *
 * Nothing is sent: libmlx5 posts to a queue pair that the device has reset, we post to a plain ring, and both ring the same
 * doorbell page with 8 bytes. Completions are written into the ring of a completion queue that the device does not touch, and
 * into a plain one. So it runs on any mlx5 device, softhca included, and shows what the CPU does with everything in its caches:
 * no PCIe, no DMA. The smallest of many runs is printed; on a virtual machine the TSC is no count of core cycles.
 *
 * cost --count does all a few times, for an instrument that counts within measured() up to counted(), and says each time what it was.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <rdma/ib_user_verbs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "segue/cq.h"
#include "segue/cq_payload.h"
#include "segue/errmsg.h"
#include "segue/gen/builders.h"

#define ENTRIES 4096u
#define ROUND	1024u /* operations per run */
#define RUNS	41
#define COUNTED 4 /* runs, when instructions are counted */
#define BATCH	16
#define INLINE_BYTES 28u
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
	fprintf(stderr, "cost: %s: %s\n", what, errno ? strerror(errno) : segue_errmsg());
	exit(1);
}

static void must(int ret, const char *what)
{
	if (ret) {
		errno = ret > 0 ? ret : 0;
		die(what);
	}
}

/*
 * softhca puts functions of its own before some of libibverbs', and then runs the device within the program's calls. No card does, so
 * what is measured is asked for by name.
 */
static void from_libibverbs(const char *name, void *fn)
{
	void *const library = dlopen("libibverbs.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void *const found = library ? dlsym(library, name) : NULL;

	if (!found)
		die(name);
	memcpy(fn, &found, sizeof(found));
}

/* The verbs side. */
static struct {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;  /* entries are written by us */
	struct ibv_cq *own; /* by the device */
	struct ibv_qp *qp;
	struct ibv_qp_ex *qpx;
	struct mlx5dv_cq ring;
	void *doorbell; /* register of the queue pair */
	uint32_t uidx; /* by which libmlx5 finds the queue pair */
	uint32_t pi;   /* entries written */
} theirs;

/* Ours: plain memory. */
static struct {
	_Alignas(64) uint8_t cqes[ENTRIES * SEGUE_CQE_SIZE];
	_Alignas(64) uint8_t sends[ENTRIES * 64];
	_Alignas(64) uint8_t receives[ENTRIES * 16];
	struct segue_sq_slot slots[ENTRIES];
	uint64_t wr_ids[ENTRIES];
	uint32_t dbrec[4];
	struct segue_cq cq;
	struct segue_rc_sq sq;
	struct segue_rq rq;
	uint32_t pi;
} ours;

static void to(enum ibv_qp_state state, int extra)
{
	struct ibv_qp_attr attr;
	union ibv_gid gid;
	struct ibv_port_attr port;
	int (*modify_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);

	from_libibverbs("ibv_modify_qp", &modify_qp);
	must(ibv_query_port(theirs.context, 1, &port), "ibv_query_port");
	if (ibv_query_gid(theirs.context, 1, 0, &gid))
		die("ibv_query_gid");
	memset(&attr, 0, sizeof(attr));
	attr.qp_state = state;
	attr.port_num = 1;
	attr.path_mtu = IBV_MTU_1024; /* to itself */
	attr.dest_qp_num = theirs.qp->qp_num;
	attr.min_rnr_timer = 12;
	attr.ah_attr.is_global = 1;
	attr.ah_attr.grh.dgid = gid;
	attr.ah_attr.grh.hop_limit = 1;
	attr.ah_attr.dlid = port.lid;
	attr.ah_attr.port_num = 1;
	must(modify_qp(theirs.qp, &attr, IBV_QP_STATE | extra), "ibv_modify_qp");
}

static void to_init(void)
{
	to(IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

/*
 * Where libmlx5 posts as always, and the device does not look at what is posted: the kernel is told to reset the queue pair, by a
 * command that libmlx5 does not see. (SQD would do, but no command of mlx5's kernel driver leads there.)
 */
static void to_deaf_rts(void)
{
	struct {
		struct ib_uverbs_cmd_hdr header;
		struct ib_uverbs_modify_qp modify;
	} command;

	to(IBV_QPS_RTR, IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
	to(IBV_QPS_RTS, IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
	memset(&command, 0, sizeof(command));
	command.header.command = IB_USER_VERBS_CMD_MODIFY_QP;
	command.header.in_words = sizeof(command) / 4;
	command.modify.qp_handle = theirs.qp->handle;
	command.modify.attr_mask = IBV_QP_STATE;
	command.modify.qp_state = IBV_QPS_RESET;
	if (write(theirs.context->cmd_fd, &command, sizeof(command)) != sizeof(command))
		die("reset by the kernel");
}

/* Where payload inside completions is copied to. */
static uint8_t landing[2][64];

static void post_theirs(void)
{
	struct ibv_sge sge = {.addr = (uintptr_t)landing[0], .length = sizeof(landing[0]), .lkey = 1};
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
	to_init();
	post_theirs();
	to(IBV_QPS_ERR, 0);
	for (ms = 0; ms < WAIT_MS; ms++) {
		(void)segue_cqe_err_cqe_unpack(&cqe, (uint8_t *)dv.buf + dv.cqe_size - SEGUE_CQE_ERR_CQE_SIZE);
		if (cqe.opcode == SEGUE_CQE_OPCODE_RESP_ERR)
			break;
		nanosleep(&moment, NULL);
	}
	if (ms == WAIT_MS)
		die("the device does not flush");
	theirs.uidx = cqe.srqn;
	to(IBV_QPS_RESET, 0);
	to_init();
	to_deaf_rts();
}

static void open_theirs(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *(*open_device)(struct ibv_device *device);
	struct ibv_qp_init_attr_ex attr;
	struct mlx5dv_obj obj;
	struct mlx5dv_qp dv;
	int i;

	for (i = 0; list && list[i] && !mlx5dv_is_supported(list[i]); i++)
		;
	if (!list || !list[i])
		die("no mlx5 device; run it below tools/softhca/softhca");
	from_libibverbs("ibv_open_device", &open_device);
	theirs.context = open_device(list[i]);
	fprintf(stderr, "cost: on %s\n", ibv_get_device_name(list[i]));
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
	attr.cap.max_inline_data = INLINE_BYTES;
	attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	attr.pd = theirs.pd;
	attr.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_SEND;
	theirs.qp = ibv_create_qp_ex(theirs.context, &attr);
	if (!theirs.qp)
		die("ibv_create_qp_ex");
	theirs.qpx = ibv_qp_to_qp_ex(theirs.qp);
	memset(&obj, 0, sizeof(obj));
	memset(&dv, 0, sizeof(dv));
	obj.qp.in = theirs.qp;
	obj.qp.out = &dv;
	must(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP), "mlx5dv_init_obj");
	theirs.doorbell = dv.bf.reg;
	describe(theirs.cq, &theirs.ring);
	if (theirs.ring.cqe_cnt != ENTRIES || theirs.ring.cqe_size != SEGUE_CQE_SIZE)
		die("the completion queue has another form than asked for");
	learn();
}

static void open_ours(void)
{
	const struct segue_cq_attr cq = {.buf = ours.cqes, .cqe_cnt = ENTRIES, .cqe_size = SEGUE_CQE_SIZE, .dbrec = ours.dbrec};
	const struct segue_sq_attr sq = {.buf = ours.sends, .wqe_cnt = ENTRIES, .max_wqe_units = 16, .dbrec = &ours.dbrec[2],
					 .bf_reg = theirs.doorbell, .qpn = theirs.qp->qp_num, .slots = ours.slots};
	const struct segue_rq_attr rq = {.buf = ours.receives, .wqe_cnt = ENTRIES, .stride = 16, .dbrec = &ours.dbrec[3],
					 .qpn = theirs.qp->qp_num, .wr_ids = ours.wr_ids};
	const struct segue_cq_queue queue = {.qpn = theirs.qp->qp_num, .sq = &ours.sq.sq, .rq = &ours.rq};

	memset(ours.cqes, SEGUE_CQE_OPCODE_INVALID << 4, sizeof(ours.cqes));
	if (segue_cq_init(&ours.cq, &cq) || segue_sq_init(&ours.sq.sq, &sq) || segue_rq_init(&ours.rq, &rq) ||
	    segue_cq_attach(&ours.cq, &queue))
		die("our queues");
}

/* A round of entries into both rings. */
static void complete(uint8_t opcode, uint32_t first, uint8_t format)
{
	struct segue_cqe_cqe64 cqe;
	uint32_t i;

	memset(&cqe, 0, sizeof(cqe));
	cqe.opcode = opcode;
	cqe.qpn = theirs.qp->qp_num;
	cqe.srqn_uidx = theirs.uidx;
	cqe.format = format;
	cqe.byte_cnt = format ? INLINE_BYTES : 64;
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

/* What is measured: each a round of operations. */
enum { WRITE, WRITE_OLD, WRITE_BATCH, INLINED, SEND, SEND_BATCH, EMPTY, POST_RECEIVE, RECEIVE, RECEIVE_PAYLOAD, KINDS };

static const struct {
	const char *name, *what;
} kinds[KINDS] = {
	[WRITE] = {"write", "RDMA WRITE, own doorbell (ibv_wr_*)"},
	[WRITE_OLD] = {"write-old", "the same with ibv_post_send()"},
	[WRITE_BATCH] = {"write-16", "one of 16 WRITEs with one doorbell"},
	[INLINED] = {"inline", "28 bytes inline, own doorbell"},
	[SEND] = {"send", "poll one send"},
	[SEND_BATCH] = {"send-16", "one of 16 sends of a poll"},
	[EMPTY] = {"empty", "empty poll"},
	[POST_RECEIVE] = {"post-receive", "post one receive"},
	[RECEIVE] = {"receive", "poll one receive"},
	[RECEIVE_PAYLOAD] = {"receive-payload", "the same, 28 bytes inside"},
};

enum { LIBMLX5, SEGUE, SIDES };

static double best[KINDS][SIDES];
static bool counting;

/* Not known to the compiler, as in a program. */
static volatile struct {
	uint64_t addr, remote_addr;
	uint32_t length, lkey, rkey;
} request = {0x1000, 0x2000, 64, 1, 2};
static uint8_t payload[INLINE_BYTES];

static void write_theirs(uint64_t wr_id, unsigned int flags)
{
	theirs.qpx->wr_id = wr_id;
	theirs.qpx->wr_flags = flags;
	ibv_wr_rdma_write(theirs.qpx, request.rkey, request.remote_addr);
	ibv_wr_set_sge(theirs.qpx, request.lkey, request.addr, request.length);
}

static inline int write_ours(uint64_t wr_id, uint32_t flags)
{
	return segue_commit(segue_sge(segue_raddr(segue_rdma_write(&ours.sq, wr_id, flags), request.remote_addr, request.rkey), request.addr,
				      request.length, request.lkey));
}

static void theirs_write(void)
{
	for (uint32_t i = 0; i < ROUND; i++) {
		ibv_wr_start(theirs.qpx);
		write_theirs(i, IBV_SEND_SIGNALED);
		must(ibv_wr_complete(theirs.qpx), "ibv_wr_complete");
	}
}

static void ours_write(void)
{
	for (uint32_t i = 0; i < ROUND; i++) {
		must(segue_post(segue_sge(segue_raddr(segue_rdma_write(&ours.sq, i, SEGUE_SIGNALED), request.remote_addr, request.rkey),
					  request.addr, request.length, request.lkey)),
		     "segue_post");
	}
}

static void theirs_write_old(void)
{
	struct ibv_send_wr *bad;

	for (uint32_t i = 0; i < ROUND; i++) {
		struct ibv_sge sge = {.addr = request.addr, .length = request.length, .lkey = request.lkey};
		struct ibv_send_wr wr = {.wr_id = i, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
					 .send_flags = IBV_SEND_SIGNALED,
					 .wr.rdma = {.remote_addr = request.remote_addr, .rkey = request.rkey}};

		must(ibv_post_send(theirs.qp, &wr, &bad), "ibv_post_send");
	}
}

static void theirs_write_batch(void)
{
	for (uint32_t i = 0; i < ROUND; i += BATCH) {
		ibv_wr_start(theirs.qpx);
		for (uint32_t j = 0; j < BATCH; j++)
			write_theirs(i + j, j == BATCH - 1 ? IBV_SEND_SIGNALED : 0);
		must(ibv_wr_complete(theirs.qpx), "ibv_wr_complete");
	}
}

static void ours_write_batch(void)
{
	for (uint32_t i = 0; i < ROUND; i += BATCH) {
		for (uint32_t j = 0; j < BATCH - 1; j++)
			must(write_ours(i + j, 0), "segue_commit");
		must(write_ours(i + BATCH - 1, SEGUE_SIGNALED), "segue_commit");
		segue_ring(&ours.sq);
	}
}

static void theirs_inlined(void)
{
	for (uint32_t i = 0; i < ROUND; i++) {
		ibv_wr_start(theirs.qpx);
		theirs.qpx->wr_id = i;
		theirs.qpx->wr_flags = IBV_SEND_SIGNALED;
		ibv_wr_rdma_write(theirs.qpx, request.rkey, request.remote_addr);
		ibv_wr_set_inline_data(theirs.qpx, payload, sizeof(payload));
		must(ibv_wr_complete(theirs.qpx), "ibv_wr_complete");
	}
}

static void ours_inlined(void)
{
	for (uint32_t i = 0; i < ROUND; i++)
		must(segue_post(segue_inline_data(segue_raddr(segue_rdma_write(&ours.sq, i, SEGUE_SIGNALED), request.remote_addr, request.rkey),
						  payload, sizeof(payload))),
		     "segue_post");
}

/* Polls a round; every poll must find so many. */
static inline void poll_theirs(int at_a_time, int expected)
{
	struct ibv_wc wc[BATCH];

	for (uint32_t i = 0; i < ROUND; i += (uint32_t)at_a_time) {
		const int got = ibv_poll_cq(theirs.cq, at_a_time, wc);

		for (int j = 0; j < got; j++)
			total += wc[j].wr_id + wc[j].status + wc[j].byte_len;
		if (got != expected)
			die("libmlx5 finds another number of completions");
	}
}

__attribute__((always_inline)) static inline void poll_ours(int at_a_time, int expected)
{
	for (uint32_t i = 0; i < ROUND; i += (uint32_t)at_a_time)
		if (segue_cq_poll(&ours.cq, at_a_time, sum, &total) != expected)
			die("we find another number of completions");
}

static void ours_poll_payload(void)
{
	for (uint32_t i = 0; i < ROUND; i++)
		if (segue_cq_poll_payload(&ours.cq, 1, sum, &total) != 1)
			die("we find another number of completions");
}

static void theirs_poll(void)
{
	poll_theirs(1, 1);
}

static void ours_poll(void)
{
	poll_ours(1, 1);
}

static void theirs_poll_batch(void)
{
	poll_theirs(BATCH, BATCH);
}

static void ours_poll_batch(void)
{
	poll_ours(BATCH, BATCH);
}

static void theirs_empty(void)
{
	poll_theirs(1, 0);
}

static void ours_empty(void)
{
	poll_ours(1, 0);
}

static void theirs_post_receive(void)
{
	for (uint32_t i = 0; i < ROUND; i++)
		post_theirs();
}

static void ours_post_receive(void)
{
	for (uint32_t i = 0; i < ROUND; i++)
		must(segue_post(segue_sge(segue_recv_rq(&ours.rq, 1), (uintptr_t)landing[1], request.length, request.lkey)), "segue_post");
}

/* The place that an instrument counts in. */
__attribute__((noinline)) static void measured(void (*round)(void))
{
	round();
	__asm__ volatile("");
}

/* Where the instrument writes down what was measured since the last time. */
__attribute__((noinline)) static void counted(void)
{
	__asm__ volatile("");
}

static void side(int kind, int which, void (*round)(void))
{
	uint64_t start;
	double each;

	if (counting) {
		measured(round);
		counted();
		printf("%s %s %u\n", kinds[kind].name, which == LIBMLX5 ? "libmlx5" : "segue", ROUND);
		return;
	}
	start = now();
	round();
	each = (double)(now() - start) / ROUND;
	if (best[kind][which] == 0 || each < best[kind][which])
		best[kind][which] = each;
}

static void both(int kind, void (*of_theirs)(void), void (*of_ours)(void))
{
	side(kind, LIBMLX5, of_theirs);
	side(kind, SEGUE, of_ours);
}

/* Requests of a kind, and polls of a kind for what they complete. */
static void send_round(int kind, void (*of_theirs)(void), void (*of_ours)(void), int poll_kind)
{
	const uint32_t first = ours.sq.sq.pi;

	both(kind, of_theirs, of_ours);
	complete(SEGUE_CQE_OPCODE_REQ, first, SEGUE_CQE_FORMAT_NO_INLINE);
	if (poll_kind == SEND_BATCH)
		both(poll_kind, theirs_poll_batch, ours_poll_batch);
	else
		both(poll_kind, theirs_poll, ours_poll);
}

static void run(void)
{
	both(EMPTY, theirs_empty, ours_empty);
	send_round(WRITE, theirs_write, ours_write, SEND);
	send_round(WRITE_OLD, theirs_write_old, ours_write, SEND);
	send_round(WRITE_BATCH, theirs_write_batch, ours_write_batch, SEND_BATCH);
	send_round(INLINED, theirs_inlined, ours_inlined, SEND);
	both(POST_RECEIVE, theirs_post_receive, ours_post_receive);
	complete(SEGUE_CQE_OPCODE_RESP_SEND, 0, SEGUE_CQE_FORMAT_NO_INLINE);
	both(RECEIVE, theirs_poll, ours_poll);
	both(POST_RECEIVE, theirs_post_receive, ours_post_receive);
	complete(SEGUE_CQE_OPCODE_RESP_SEND, 0, SEGUE_CQE_FORMAT_INLINE_32);
	both(RECEIVE_PAYLOAD, theirs_poll, ours_poll_payload);
}

static void print_cycles(void)
{
	for (int i = 0; i < RUNS; i++)
		run();
#if defined(__x86_64__)
	printf("TSC cycles, smallest of %d runs of %u\n", RUNS, ROUND);
#else
	printf("nanoseconds, smallest of %d runs of %u\n", RUNS, ROUND);
#endif
	printf("%-38s %8s %8s %8s\n", "", "libmlx5", "segue", "factor");
	for (int i = 0; i < KINDS; i++)
		printf("%-38s %8.1f %8.1f %8.1f\n", kinds[i].what, best[i][LIBMLX5], best[i][SEGUE], best[i][LIBMLX5] / best[i][SEGUE]);
}

int main(int argc, char **argv)
{
	counting = argc == 2 && !strcmp(argv[1], "--count");
	if (argc != 1 && !counting) {
		fprintf(stderr, "usage: cost [--count]\n");
		return 2;
	}
	setenv("MLX5_SHUT_UP_BF", "1", 1); /* 8 bytes per doorbell on both sides */
	open_theirs();
	open_ours();
	for (int i = 0; counting && i < COUNTED; i++)
		run();
	if (!counting)
		print_cycles();
	segue_cq_fini(&ours.cq);
	ibv_destroy_qp(theirs.qp);
	ibv_destroy_cq(theirs.cq);
	ibv_destroy_cq(theirs.own);
	ibv_dealloc_pd(theirs.pd);
	ibv_close_device(theirs.context);
	return 0;
}
