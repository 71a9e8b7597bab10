/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program that behaves badly: threads create, use and destroy everything at random, pull
 * registered memory from under the device (PROT_NONE, read-only, beyond the end of a file,
 * replaced), reset queue pairs in the middle of traffic and take the command fd away, while another
 * thread forks children, which open devices of their own, are stopped, and end or are killed.
 * Commands may fail and completions may be errors; nothing may crash or hang, and when all is over
 * a well-behaved program must still work.
 *
 * usage: chaos_client [SECONDS]
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/seed/seed.h"
#include "tests/softhca/clients/loop.h"

int failures;

#define WORKERS	  6
#define QPS	  8
#define ROUNDS	  40
#define MAX_PAGES 16
#define PAGE	  4096u
#define EVERYTHING (REMOTE | IBV_ACCESS_REMOTE_ATOMIC)

static struct ibv_context *shared;
/* libibverbs' list of devices has a lock, which a forked child would find taken for ever. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
/* libmlx5 takes the lock of a context's table of SRQs in mlx5_create_srq(), and not in
 * mlx5_destroy_srq(): of two threads that destroy theirs, both may free the table (rdma-core 44 to
 * 65). */
static pthread_mutex_t srqs = PTHREAD_MUTEX_INITIALIZER;
static unsigned int seed;
static bool over;
static unsigned long posted, completed;

/* What one worker has at a time. Any of it may be missing. */
struct world {
	unsigned int random;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct ibv_qp *qp[QPS];
	unsigned int qps;
	struct ibv_mr *mr;
	uint8_t *memory;
	size_t size;
};

static unsigned int draw(struct world *w, unsigned int below)
{
	return (unsigned int)rand_r(&w->random) % below;
}

static bool is_over(void)
{
	return __atomic_load_n(&over, __ATOMIC_ACQUIRE);
}

static bool create(struct world *w)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1},
	};
	struct ibv_srq_init_attr srq = {.attr = {.max_wr = 32, .max_sge = 1}};

	w->pd = ibv_alloc_pd(w->ctx);
	w->channel = draw(w, 2) ? ibv_create_comp_channel(w->ctx) : NULL;
	w->cq = ibv_create_cq(w->ctx, 16 + (int)draw(w, 200), NULL, w->channel, 0);
	w->size = PAGE * (1 + draw(w, MAX_PAGES));
	w->memory = mmap(NULL, w->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	NEED(w->memory != MAP_FAILED);
	if (!w->pd || !w->cq)
		return false;
	pthread_mutex_lock(&srqs);
	w->srq = draw(w, 3) ? NULL : ibv_create_srq(w->pd, &srq);
	pthread_mutex_unlock(&srqs);
	w->mr = ibv_reg_mr(w->pd, w->memory, w->size, EVERYTHING);
	init.send_cq = init.recv_cq = w->cq;
	init.srq = w->srq;
	for (w->qps = 0; w->qps <= draw(w, QPS) && w->qps < QPS; w->qps++) {
		w->qp[w->qps] = ibv_create_qp(w->pd, &init);
		if (!w->qp[w->qps])
			break;
	}
	for (unsigned int i = 0; i < w->qps; i++)
		connect_to(w->qp[i], w->ctx, w->qp[draw(w, w->qps)]->qp_num);
	return w->qps && w->mr;
}

static void destroy(struct world *w)
{
	if (w->mr && !draw(w, 4)) { /* not in order, for once */
		ibv_dereg_mr(w->mr);
		w->mr = NULL;
	}
	while (w->qps)
		ibv_destroy_qp(w->qp[--w->qps]);
	pthread_mutex_lock(&srqs);
	if (w->srq)
		ibv_destroy_srq(w->srq);
	pthread_mutex_unlock(&srqs);
	if (w->mr)
		ibv_dereg_mr(w->mr);
	if (w->cq)
		ibv_destroy_cq(w->cq);
	if (w->channel)
		ibv_destroy_comp_channel(w->channel);
	if (w->pd)
		ibv_dealloc_pd(w->pd);
	munmap(w->memory, w->size);
	*w = (struct world){.random = w->random, .ctx = w->ctx};
}

static void post(struct world *w, struct ibv_qp *qp)
{
	struct ibv_sge sge = {(uintptr_t)w->memory + draw(w, (unsigned int)w->size), draw(w, 256),
			      w->mr->lkey};
	struct ibv_send_wr send = {.sg_list = &sge, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED},
			   *bad_send;
	struct ibv_recv_wr recv = {.sg_list = &sge, .num_sge = 1}, *bad_recv;
	const uint64_t remote = (uintptr_t)w->memory + draw(w, (unsigned int)w->size);

	if (w->srq)
		ibv_post_srq_recv(w->srq, &recv, &bad_recv);
	else
		ibv_post_recv(qp, &recv, &bad_recv);
	send.opcode = (enum ibv_wr_opcode)draw(w, IBV_WR_ATOMIC_FETCH_AND_ADD + 1);
	if (send.opcode >= IBV_WR_ATOMIC_CMP_AND_SWP) {
		sge.length = 8;
		send.wr.atomic.remote_addr = remote & ~7ull;
		send.wr.atomic.rkey = w->mr->rkey;
	} else {
		send.wr.rdma.remote_addr = remote;
		send.wr.rdma.rkey = w->mr->rkey;
	}
	if (!ibv_post_send(qp, &send, &bad_send))
		__atomic_fetch_add(&posted, 1, __ATOMIC_RELAXED);
}

/* The addresses stay taken, lest another thread's memory comes there. */
static void pull_memory(struct world *w)
{
	const int fixed = MAP_FIXED | MAP_NORESERVE, anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
	int fd;

	switch (draw(w, 6)) {
	case 0:
		mmap(w->memory, w->size, PROT_NONE, anonymous | fixed, -1, 0);
		return;
	case 1:
		mprotect(w->memory, w->size, PROT_READ);
		return;
	case 2:
		madvise(w->memory, w->size, MADV_DONTNEED);
		return;
	case 3: /* beyond the end of its file: SIGBUS */
		fd = memfd_create("chaos", MFD_CLOEXEC);
		if (fd < 0)
			return;
		mmap(w->memory, w->size, PROT_READ | PROT_WRITE, MAP_SHARED | fixed, fd, 0);
		close(fd);
		return;
	default:
		mmap(w->memory, w->size, PROT_READ | PROT_WRITE, anonymous | fixed, -1, 0);
		return;
	}
}

static void use(struct world *w)
{
	struct ibv_qp_attr state = {.qp_state = draw(w, 2) ? IBV_QPS_RESET : IBV_QPS_ERR};
	struct ibv_qp *const qp = w->qp[draw(w, w->qps)];
	struct ibv_wc wc[8];
	int n;

	post(w, qp);
	switch (draw(w, 12)) {
	case 0:
		pull_memory(w);
		break;
	case 1:
		ibv_modify_qp(qp, &state, IBV_QP_STATE);
		connect_to(qp, w->ctx, qp->qp_num);
		break;
	case 2:
		ibv_req_notify_cq(w->cq, 0);
		break;
	}
	n = ibv_poll_cq(w->cq, 8, wc);
	if (n > 0)
		__atomic_fetch_add(&completed, (unsigned long)n, __ATOMIC_RELAXED);
}

static struct ibv_context *open_gated(void)
{
	struct ibv_context *ctx;

	pthread_mutex_lock(&gate);
	ctx = open_first();
	pthread_mutex_unlock(&gate);
	return ctx;
}

static void close_gated(struct ibv_context *ctx)
{
	pthread_mutex_lock(&gate);
	ibv_close_device(ctx);
	pthread_mutex_unlock(&gate);
}

/* Something else stands where the device was; the number stays taken. */
static void take_fd_away(struct ibv_context *ctx)
{
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(null, ctx->cmd_fd);
	close(null);
}

static void *worker(void *arg)
{
	const unsigned int number = (unsigned int)(uintptr_t)arg;
	struct world w = {.random = seed + number};
	const bool own = number % 2;

	w.ctx = own ? open_gated() : shared;
	while (!is_over()) {
		if (create(&w))
			for (int i = 0; i < ROUNDS && !is_over(); i++)
				use(&w);
		destroy(&w);
		if (own && !draw(&w, 10)) {
			if (!draw(&w, 3))
				take_fd_away(w.ctx);
			close_gated(w.ctx);
			w.ctx = open_gated();
		}
	}
	if (own)
		close_gated(w.ctx);
	return NULL;
}

static void child(bool dies)
{
	struct world w = {.random = seed, .ctx = open_first()};

	if (create(&w))
		for (int i = 0; i < ROUNDS; i++)
			use(&w);
	if (dies)
		raise(SIGKILL);
	_exit(failures != 0);
}

static void *fork_children(void *arg)
{
	struct world w = {.random = seed ^ 0x5a5a5a};

	(void)arg;
	while (!is_over()) {
		const bool dies = draw(&w, 2);
		pid_t pid;
		int status;

		pthread_mutex_lock(&gate);
		pthread_mutex_lock(&srqs);
		pid = fork();
		pthread_mutex_unlock(&srqs);
		if (!pid)
			child(dies);
		pthread_mutex_unlock(&gate);
		NEED(pid > 0);
		if (!draw(&w, 3)) {
			kill(pid, SIGSTOP);
			usleep(3000);
			kill(pid, SIGCONT);
		}
		CHECK_EQ(waitpid(pid, &status, 0), pid);
		CHECK(dies ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL : !status);
	}
	return NULL;
}

/* Good manners, and it works. */
static void sane(void)
{
	struct ibv_context *const ctx = open_first();
	char memory[128] = "still alive";
	struct ibv_mr *mr;
	struct loop l;

	loop_open(&l, ctx);
	mr = ibv_reg_mr(l.pd, memory, sizeof(memory), REMOTE);
	NEED(mr);
	CHECK_RC(rdma(&l, IBV_WR_RDMA_WRITE, sge_of(memory, 12, mr->lkey), (uintptr_t)memory + 64,
		      mr->rkey),
		 IBV_WC_SUCCESS);
	CHECK(!strcmp(memory + 64, "still alive"));
	CHECK_RC(ibv_dereg_mr(mr), 0);
	loop_close(&l);
	CHECK_RC(ibv_close_device(ctx), 0);
}

int main(int argc, char **argv)
{
	const double end = seconds() + (argc > 1 ? atof(argv[1]) : 2);
	pthread_t threads[WORKERS + 1];

	seed = (unsigned int)segue_test_seed();
	/* Data in a completion is copied by libmlx5, which is not prepared for memory that is gone.
	 */
	setenv("MLX5_SCATTER_TO_CQE", "0", 1);
	shared = open_first();
	for (uintptr_t i = 0; i < WORKERS; i++)
		NEED(!pthread_create(&threads[i], NULL, worker, (void *)i));
	NEED(!pthread_create(&threads[WORKERS], NULL, fork_children, NULL));
	while (seconds() < end)
		usleep(10000);
	__atomic_store_n(&over, true, __ATOMIC_RELEASE);
	for (int i = 0; i <= WORKERS; i++)
		pthread_join(threads[i], NULL);
	CHECK_RC(ibv_close_device(shared), 0);
	sane();
	printf("%lu posted, %lu completed, %d failures\n", posted, completed, failures);
	return failures != 0;
}
