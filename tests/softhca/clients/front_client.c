/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a program sees of the kernel side: argument checks with their errnos, busy objects,
 * duplicated and closed command fds, fork, threads. Knows nothing of softhca; on a real card it
 * should pass as well.
 */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/ib_user_verbs.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/softhca/clients/client.h"

int failures;

/* ---- errnos ---------------------------------------------------------------------------------- */

static struct ibv_qp *make_qp(struct ibv_pd *pd, struct ibv_cq *cq, enum ibv_qp_type type,
			      struct ibv_srq *srq)
{
	struct ibv_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.srq = srq,
		.qp_type = type,
		.cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1},
	};

	return ibv_create_qp(pd, &init);
}

static int to_init(struct ibv_qp *qp, int port)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = (uint8_t)port};

	return ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

static void test_memory(struct ibv_context *ctx)
{
	static char buf[8192];
	struct ibv_pd *pd = ibv_alloc_pd(ctx), *other = ibv_alloc_pd(ctx);
	struct ibv_mr *mr;

	CHECK(pd && other);
	CHECK_NULL(ibv_reg_mr(pd, buf, sizeof(buf), IBV_ACCESS_REMOTE_WRITE), EINVAL);
	CHECK_NULL(ibv_reg_mr(pd, buf, sizeof(buf), IBV_ACCESS_REMOTE_ATOMIC), EINVAL);
	CHECK_NULL(ibv_reg_mr(pd, (void *)16, 4096, IBV_ACCESS_LOCAL_WRITE), EFAULT);
	mr = ibv_reg_mr(pd, buf, sizeof(buf), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
	CHECK(mr != NULL);
	CHECK_EQ(mr->lkey, mr->rkey);
	CHECK_RC(ibv_dealloc_pd(pd), EBUSY);
	CHECK_RC(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_PD, other, NULL, 0, 0), 0);
	CHECK_RC(ibv_dealloc_pd(pd), 0);
	CHECK_RC(ibv_dealloc_pd(other), EBUSY);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(ibv_dealloc_pd(other), 0);
}

static void test_queues(struct ibv_context *ctx)
{
	struct ibv_pd *pd = ibv_alloc_pd(ctx);
	struct ibv_cq *cq = ibv_create_cq(ctx, 10, NULL, NULL, 0);
	struct ibv_srq_init_attr srq_init = {.attr = {.max_wr = 8, .max_sge = 1}};
	struct ibv_srq *srq = ibv_create_srq(pd, &srq_init);
	struct ibv_qp *qp, *qp2;
	struct ibv_qp_attr attr;
	struct ibv_qp_init_attr init;

	CHECK(pd && cq && srq);
	CHECK(cq->cqe >= 10);
	CHECK_NULL(ibv_create_cq(ctx, 10, NULL, NULL, ctx->num_comp_vectors), EINVAL);
	CHECK_NULL(ibv_create_cq(ctx, 0x7fffffff, NULL, NULL, 0), EINVAL);
	qp = make_qp(pd, cq, IBV_QPT_RC, srq);
	qp2 = make_qp(pd, cq, IBV_QPT_RC, NULL);
	CHECK(qp && qp2 && qp->qp_num != qp2->qp_num);
	CHECK_RC(ibv_destroy_cq(cq), EBUSY);
	CHECK_RC(ibv_destroy_srq(srq), EBUSY);
	CHECK_RC(to_init(qp, 0), EINVAL);
	CHECK_RC(to_init(qp, 77), EINVAL);
	CHECK_RC(to_init(qp, 1), 0);
	memset(&attr, 0, sizeof(attr));
	attr.qp_state = IBV_QPS_RTR;
	CHECK_RC(ibv_modify_qp(qp, &attr, IBV_QP_STATE), EINVAL);
	attr.qp_state = IBV_QPS_RTS;
	CHECK_RC(ibv_modify_qp(qp, &attr, IBV_QP_STATE), EINVAL);
	CHECK_RC(ibv_query_qp(qp, &attr, IBV_QP_STATE, &init), 0);
	CHECK_EQ(attr.qp_state, IBV_QPS_INIT);
	attr.qp_state = IBV_QPS_ERR;
	CHECK_RC(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_RC(ibv_destroy_qp(qp2), 0);
	CHECK_RC(ibv_destroy_srq(srq), 0);
	CHECK_RC(ibv_destroy_cq(cq), 0);
	CHECK_RC(ibv_dealloc_pd(pd), 0);
}

static void test_ports(struct ibv_context *ctx)
{
	struct ibv_port_attr port;
	union ibv_gid gid, again;
	struct ibv_gid_entry entries[64];
	ssize_t n;

	CHECK_RC(ibv_query_port(ctx, 1, &port), 0);
	CHECK(ibv_query_port(ctx, 0, &port) != 0);
	CHECK(ibv_query_port(ctx, 99, &port) != 0);
	CHECK_EQ(ibv_query_gid(ctx, 1, 0, &gid), 0);
	CHECK(ibv_query_gid(ctx, 1, 9999, &again) != 0);
	n = ibv_query_gid_table(ctx, entries, 64, 0);
	CHECK(n >= 1);
	CHECK(n < 1 || !memcmp(&entries[0].gid, &gid, sizeof(gid)));
}

/* ---- the command fd
 * ------------------------------------------------------------------------------ */

static void test_stat(struct ibv_context *ctx)
{
	struct stat st;

	CHECK(!fstat(ctx->cmd_fd, &st) && S_ISCHR(st.st_mode));
}

/* Two contexts; a duplicate keeps a device alive after the original fd was closed by hand. */
static void test_dup(void)
{
	struct ibv_context *a = open_first(), *b = open_first();
	struct ibv_pd *pd = ibv_alloc_pd(a);
	int copy = dup(a->cmd_fd), number = a->cmd_fd;

	CHECK(pd && copy >= 0);
	CHECK(!close(number));
	CHECK_EQ(dup2(copy, number), number);
	CHECK(!close(copy));
	CHECK_RC(ibv_dealloc_pd(pd), 0);
	pd = ibv_alloc_pd(b);
	CHECK_RC(ibv_dealloc_pd(pd), 0);
	CHECK_RC(ibv_close_device(a), 0);
	CHECK_RC(ibv_close_device(b), 0);
}

static int lowest_free_fd(void)
{
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	return fd;
}

/* LeakSanitizer, in a program that is built with it. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static void test_open_close(void)
{
	int before = lowest_free_fd();

	/* libmlx5's own memory of what is not destroyed stays. */
	if (__lsan_disable)
		__lsan_disable();
	for (int i = 0; i < 50; i++) {
		struct ibv_context *ctx = open_first();
		struct ibv_comp_channel *ch = ibv_create_comp_channel(ctx);
		struct ibv_pd *pd = ibv_alloc_pd(ctx);
		struct ibv_cq *cq = ibv_create_cq(ctx, 4, NULL, ch, 0);

		CHECK(ch && pd && cq && make_qp(pd, cq, IBV_QPT_UD, NULL));
		/* Nothing is destroyed: closing must do it. */
		close(ch->fd);
		CHECK_RC(ibv_close_device(ctx), 0);
	}
	if (__lsan_enable)
		__lsan_enable();
	/* No fd is left behind. The device's thread, if linked in, may hold one for a moment. */
	for (int i = 0; i < 200 && lowest_free_fd() != before; i++)
		usleep(10000);
	CHECK_EQ(lowest_free_fd(), before);
}

/* ---- data, in one process
 * --------------------------------------------------------------------------- */

struct loop {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_comp_channel *ch;
	struct ibv_cq *cq;
	struct ibv_qp *qp[2];
	struct ibv_mr *mr;
	char *buf;
};

static void connect_to(struct loop *l, struct ibv_qp *qp, uint32_t dest)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ,
	};
	struct ibv_port_attr port;
	union ibv_gid gid;

	CHECK_RC(ibv_query_port(l->ctx, 1, &port), 0);
	CHECK(!ibv_query_gid(l->ctx, 1, 0, &gid));
	CHECK_RC(
		ibv_modify_qp(qp, &attr,
			      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
		0);
	memset(&attr, 0, sizeof(attr));
	attr.qp_state = IBV_QPS_RTR;
	attr.path_mtu = IBV_MTU_1024;
	attr.dest_qp_num = dest;
	attr.max_dest_rd_atomic = 1;
	attr.min_rnr_timer = 12;
	attr.ah_attr.dlid = port.lid;
	attr.ah_attr.port_num = 1;
	if (port.link_layer == IBV_LINK_LAYER_ETHERNET) {
		attr.ah_attr.is_global = 1;
		attr.ah_attr.grh.dgid = gid;
		attr.ah_attr.grh.hop_limit = 64;
	}
	CHECK_RC(ibv_modify_qp(qp, &attr,
			       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				       IBV_QP_MIN_RNR_TIMER),
		 0);
	memset(&attr, 0, sizeof(attr));
	attr.qp_state = IBV_QPS_RTS;
	attr.timeout = 14;
	attr.retry_cnt = 7;
	attr.rnr_retry = 7;
	attr.max_rd_atomic = 1;
	CHECK_RC(ibv_modify_qp(qp, &attr,
			       IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				       IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC),
		 0);
}

#define LOOP_BYTES (1 << 16)

/* All but the context and the protection domain. */
static void loop_make(struct loop *l)
{
	l->ch = ibv_create_comp_channel(l->ctx);
	l->cq = ibv_create_cq(l->ctx, 64, NULL, l->ch, 0);
	if (posix_memalign((void **)&l->buf, 4096, LOOP_BYTES))
		exit(1);
	l->mr = ibv_reg_mr(l->pd, l->buf, LOOP_BYTES,
			   IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
				   IBV_ACCESS_REMOTE_READ);
	for (int i = 0; i < 2; i++)
		l->qp[i] = make_qp(l->pd, l->cq, IBV_QPT_RC, NULL);
	CHECK(l->pd && l->ch && l->cq && l->mr && l->qp[0] && l->qp[1]);
	for (int i = 0; i < 2; i++)
		connect_to(l, l->qp[i], l->qp[!i]->qp_num);
}

static void loop_open(struct loop *l)
{
	memset(l, 0, sizeof(*l));
	l->ctx = open_first();
	l->pd = ibv_alloc_pd(l->ctx);
	loop_make(l);
}

static void loop_break(struct loop *l)
{
	for (int i = 0; i < 2; i++)
		CHECK_RC(ibv_destroy_qp(l->qp[i]), 0);
	CHECK_RC(ibv_dereg_mr(l->mr), 0);
	CHECK_RC(ibv_destroy_cq(l->cq), 0);
	CHECK_RC(ibv_destroy_comp_channel(l->ch), 0);
	free(l->buf);
}

static void loop_close(struct loop *l)
{
	loop_break(l);
	CHECK_RC(ibv_dealloc_pd(l->pd), 0);
	CHECK_RC(ibv_close_device(l->ctx), 0);
}

static int write_once(struct loop *l, struct ibv_qp *qp, size_t from, size_t to, uint32_t len)
{
	struct ibv_sge sge = {(uintptr_t)l->buf + from, len, l->mr->lkey};
	struct ibv_send_wr *bad, wr = {
					 .sg_list = &sge,
					 .num_sge = 1,
					 .opcode = IBV_WR_RDMA_WRITE,
					 .send_flags = IBV_SEND_SIGNALED,
				 };

	wr.wr.rdma.remote_addr = (uintptr_t)l->buf + to;
	wr.wr.rdma.rkey = l->mr->rkey;
	return ibv_post_send(qp, &wr, &bad);
}

static int loop_wc(struct loop *l, struct ibv_wc *wc)
{
	for (int i = 0; i < 1000000; i++) {
		int n = ibv_poll_cq(l->cq, 1, wc);

		if (n)
			return n;
		if (i > 1000)
			usleep(50);
	}
	return 0;
}

static void test_write(struct loop *l)
{
	struct ibv_wc wc;

	memset(l->buf, 0x5a, 4096);
	memset(l->buf + 8192, 0, 4096);
	CHECK_RC(write_once(l, l->qp[0], 0, 8192, 4096), 0);
	CHECK(loop_wc(l, &wc) == 1 && wc.status == IBV_WC_SUCCESS);
	CHECK(!memcmp(l->buf, l->buf + 8192, 4096));
}

/* Each event that was read must be acknowledged before the CQ goes; unread ones must not count. */
static void test_events(struct loop *l)
{
	struct pollfd pfd = {.fd = l->ch->fd, .events = POLLIN};
	struct ibv_cq *cq;
	struct ibv_wc wc;
	void *arg;

	CHECK_RC(ibv_req_notify_cq(l->cq, 0), 0);
	CHECK_EQ(poll(&pfd, 1, 20), 0);
	CHECK_RC(write_once(l, l->qp[0], 0, 4096, 64), 0);
	CHECK_EQ(poll(&pfd, 1, 5000), 1);
	CHECK(!ibv_get_cq_event(l->ch, &cq, &arg) && cq == l->cq);
	ibv_ack_cq_events(l->cq, 1);
	CHECK_EQ(loop_wc(l, &wc), 1);
	/* Armed, fired, never read: loop_close() must not hang on it. */
	CHECK_RC(ibv_req_notify_cq(l->cq, 0), 0);
	CHECK_RC(write_once(l, l->qp[0], 0, 4096, 64), 0);
	CHECK_EQ(poll(&pfd, 1, 5000), 1);
	CHECK_EQ(loop_wc(l, &wc), 1);
}

/* Parent and forked child allocate from the same device at the same time, and never the same bytes.
 */
static void test_device_memory(struct loop *l, bool child)
{
	struct ibv_alloc_dm_attr attr = {.length = 8192};

	for (int i = 0; i < 300; i++) {
		struct ibv_dm *dm = ibv_alloc_dm(l->ctx, &attr);
		int mine[2] = {child, i}, back[2];

		CHECK(dm);
		if (!dm)
			return;
		CHECK_RC(ibv_memcpy_to_dm(dm, 4096, mine, sizeof(mine)), 0);
		sched_yield();
		CHECK_RC(ibv_memcpy_from_dm(back, dm, 4096, sizeof(back)), 0);
		CHECK(!memcmp(mine, back, sizeof(mine)));
		CHECK_RC(ibv_free_dm(dm), 0);
	}
}

/* A key that is none: the peer's queue pair says so to whoever reads the events of the context. */
static void test_async(struct loop *l)
{
	struct pollfd pfd = {.fd = l->ctx->async_fd, .events = POLLIN};
	struct ibv_mr wrong = *l->mr, *const right = l->mr;
	struct ibv_async_event event;
	struct ibv_wc wc;

	wrong.rkey = 1;
	l->mr = &wrong;
	CHECK_RC(write_once(l, l->qp[0], 0, 4096, 64), 0);
	l->mr = right;
	CHECK(loop_wc(l, &wc) == 1 && wc.status == IBV_WC_REM_ACCESS_ERR);
	CHECK_EQ(poll(&pfd, 1, 5000), 1);
	CHECK(!ibv_get_async_event(l->ctx, &event) && event.event_type == IBV_EVENT_QP_ACCESS_ERR &&
	      event.element.qp == l->qp[1]);
	ibv_ack_async_event(&event);
}

static void *domains(void *arg)
{
	struct loop *const l = arg;

	for (int i = 0; i < 20; i++) {
		struct ibv_pd *const pd = ibv_alloc_pd(l->ctx);

		CHECK(pd);
		CHECK_RC(ibv_dealloc_pd(pd), 0);
	}
	return NULL;
}

/* In a forked child ThreadSanitizer (gcc 12) takes the parent's threads for living, and ends at a
 * new one in the place of one of them. */
#ifdef __SANITIZE_THREAD__
enum { FIRST_THREADS = 0 };
#else
enum { FIRST_THREADS = 4 };
#endif

/* What a forked child makes over the context of its parent, in the domain of its parent and in its
 * own, works. */
static void test_inherited(struct loop *l)
{
	struct loop own = {.ctx = l->ctx, .pd = l->pd};
	pthread_t id[4];

	for (int i = 0; i < FIRST_THREADS; i++) /* whose command comes first? */
		CHECK(!pthread_create(&id[i], NULL, domains, l));
	for (int i = 0; i < FIRST_THREADS; i++)
		pthread_join(id[i], NULL);
	for (int i = 0; i < 2; i++) {
		loop_make(&own);
		test_write(&own);
		test_events(&own);
		test_async(&own);
		loop_break(&own);
		own.pd = i ? own.pd : ibv_alloc_pd(l->ctx);
	}
	CHECK_RC(ibv_dealloc_pd(own.pd), 0);
	CHECK_RC(ibv_dealloc_pd(l->pd), EBUSY); /* the parent's objects are in it */
}

/* Its parent's objects it has not (docs/reliability.md), and tries to use them change nothing. */
static void test_of_parent(struct loop *l)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
	struct ibv_qp_init_attr init;
	struct ibv_modify_cq_attr pace = {.attr_mask = IBV_CQ_ATTR_MODERATE, .moderate = {1, 1}};

	CHECK_RC(ibv_query_qp(l->qp[0], &attr, IBV_QP_STATE, &init), EINVAL);
	CHECK_RC(ibv_modify_qp(l->qp[0], &attr, IBV_QP_STATE), EINVAL);
	CHECK_RC(ibv_modify_cq(l->cq, &pace), EINVAL);
	CHECK_RC(ibv_resize_cq(l->cq, 4000), EINVAL);
	CHECK_RC(ibv_destroy_qp(l->qp[0]), ENOENT);
	CHECK_RC(ibv_destroy_cq(l->cq), ENOENT);
	CHECK_RC(ibv_dereg_mr(l->mr), ENOENT);
}

/* So does what its own child makes. */
static void test_grandchild(struct loop *l)
{
	int status = -1;
	const pid_t pid = fork();

	if (!pid) {
		failures = 0;
		test_inherited(l);
		_exit(failures ? 1 : 0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* What the kernel says to write() of a process that has not opened the file. */
static void test_written(struct loop *l)
{
	struct ib_uverbs_cmd_hdr hdr = {
		.command = IB_USER_VERBS_CMD_QUERY_DEVICE, .in_words = 2, .out_words = 2};

	CHECK(write(l->ctx->cmd_fd, &hdr, sizeof(hdr)) < 0 && errno == EACCES);
}

static void test_fork(struct loop *l)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		struct ibv_device_attr attr;
		struct ibv_port_attr port;
		struct ibv_context *own;

		failures = 0;
		test_written(l);
		test_device_memory(l, true);
		test_inherited(l);
		CHECK_RC(ibv_query_device(l->ctx, &attr), 0);
		CHECK_RC(ibv_query_port(l->ctx, 1, &port), 0);
		test_of_parent(l);
		test_grandchild(l);
		test_written(l);
		test_device_memory(l, true);
		close(l->ctx->cmd_fd);
		own = open_first();
		CHECK(ibv_alloc_pd(own) != NULL);
		_exit(failures ? 1 : 0);
	}
	test_device_memory(l, false);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	test_write(l);
}

struct worker {
	struct loop *l;
	int index, done;
};

static void *work(void *arg)
{
	struct worker *w = arg;

	for (int i = 0; i < 200; i++) {
		struct ibv_pd *pd = ibv_alloc_pd(w->l->ctx);
		struct ibv_mr *mr = ibv_reg_mr(pd, w->l->buf, 4096, IBV_ACCESS_LOCAL_WRITE);
		struct ibv_cq *cq = ibv_create_cq(w->l->ctx, 16, NULL, NULL, 0);
		struct ibv_qp *qp = make_qp(pd, cq, IBV_QPT_RC, NULL);

		if (!pd || !mr || !cq || !qp || ibv_destroy_qp(qp) || ibv_destroy_cq(cq) ||
		    ibv_dereg_mr(mr) || ibv_dealloc_pd(pd))
			return NULL;
	}
	w->done = 1;
	return NULL;
}

static void test_threads(struct loop *l)
{
	struct worker w[4];
	pthread_t id[4];

	for (int i = 0; i < 4; i++) {
		w[i] = (struct worker){l, i, 0};
		CHECK(!pthread_create(&id[i], NULL, work, &w[i]));
	}
	for (int i = 0; i < 50; i++)
		test_write(l);
	for (int i = 0; i < 4; i++) {
		pthread_join(id[i], NULL);
		CHECK(w[i].done);
	}
}

/* A program's own SIGSEGV handler must still be called for its own faults. */
static volatile sig_atomic_t segv_seen;

static void on_segv(int sig)
{
	(void)sig;
	segv_seen = 1;
	_exit(7);
}

static void test_signal(struct loop *l)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		volatile char *nobodys = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
					      -1, 0);

		signal(SIGSEGV, on_segv);
		*nobodys = 1;
		_exit(1);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7);
	test_write(l);
}

int main(void)
{
	struct ibv_context *ctx = open_first();
	struct loop l;

	test_stat(ctx);
	test_memory(ctx);
	test_queues(ctx);
	test_ports(ctx);
	ibv_close_device(ctx);
	test_dup();
	test_open_close();
	loop_open(&l);
	test_write(&l);
	test_events(&l);
	test_fork(&l);
	test_signal(&l);
	test_threads(&l);
	loop_close(&l);
	printf("%s\n", failures ? "FAILED" : "all good");
	return failures ? 1 : 0;
}
