/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Many more processes than processors, all of which spin: one server, the others clients that send
 * a message and poll for its echo. Nobody dies and nothing is faulty, so no request may run out of
 * retries. Each message is its own, and what comes back is checked. usage: crowd_client [PROCESSES
 * [ROUNDS]]
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/softhca/clients/loop.h"

#define MOST 128u
#define SIZE 64u

int failures;

/* What the processes know of each other. */
static struct shared {
	struct {
		uint32_t server_qpn, client_qpn; /* 0: not yet */
		uint16_t lid;
		bool ready;
	} client[MOST];
	uint16_t server_lid;
	unsigned int over;
} *shared;

static void *wait_for(const volatile uint32_t *number)
{
	const double end = seconds() + 240;

	while (!*number && seconds() < end)
		usleep(1000);
	NEED(*number);
	return NULL;
}

static void to_rts(struct ibv_qp *qp, uint32_t qpn, uint16_t lid)
{
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = 1};

	CHECK_RC(
		ibv_modify_qp(qp, &a,
			      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
		0);
	a.qp_state = IBV_QPS_RTR;
	a.path_mtu = IBV_MTU_1024;
	a.dest_qp_num = qpn;
	a.min_rnr_timer = 12;
	a.ah_attr.port_num = 1;
	a.ah_attr.dlid = lid;
	CHECK_RC(ibv_modify_qp(qp, &a,
			       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				       IBV_QP_MIN_RNR_TIMER),
		 0);
	a.qp_state = IBV_QPS_RTS;
	a.timeout = 14;
	a.retry_cnt = 7;
	a.rnr_retry = 7;
	CHECK_RC(ibv_modify_qp(qp, &a,
			       IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				       IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC),
		 0);
}

struct side {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	struct ibv_qp *qp[MOST];
	bool echoes; /* sends what it has received */
	uint8_t memory[2][MOST][SIZE];
};

static void open_side(struct side *s, int cqes)
{
	s->ctx = open_first();
	s->pd = ibv_alloc_pd(s->ctx);
	s->cq = ibv_create_cq(s->ctx, cqes, NULL, NULL, 0);
	NEED(s->pd && s->cq);
	s->mr = ibv_reg_mr(s->pd, s->memory, sizeof(s->memory), IBV_ACCESS_LOCAL_WRITE);
	NEED(s->mr);
}

static void make_qp(struct side *s, unsigned int i)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.send_cq = s->cq,
		.recv_cq = s->cq,
		.cap = {.max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1},
	};

	s->qp[i] = ibv_create_qp(s->pd, &init);
	NEED(s->qp[i]);
}

static void post(struct side *s, unsigned int i, bool send)
{
	struct ibv_sge sge = sge_of(s->memory[send || s->echoes ? 0 : 1][i], SIZE, s->mr->lkey);
	struct ibv_recv_wr recv = {.wr_id = i, .sg_list = &sge, .num_sge = 1}, *bad_recv;
	struct ibv_send_wr wr = {.wr_id = i,
				 .sg_list = &sge,
				 .num_sge = 1,
				 .opcode = IBV_WR_SEND,
				 .send_flags = IBV_SEND_SIGNALED},
			   *bad;

	if (send)
		CHECK_RC(ibv_post_send(s->qp[i], &wr, &bad), 0);
	else
		CHECK_RC(ibv_post_recv(s->qp[i], &recv, &bad_recv), 0);
}

/* Polls, spinning, and says how a request failed. */
static bool next(struct side *s, struct ibv_wc *wc)
{
	if (!ibv_poll_cq(s->cq, 1, wc))
		return false;
	if (wc->status != IBV_WC_SUCCESS) {
		fprintf(stderr, "%d: client %u: %s, vendor 0x%x\n", getpid(),
			(unsigned int)wc->wr_id, ibv_wc_status_str(wc->status), wc->vendor_err);
		failures++;
	}
	return true;
}

static void serve(unsigned int clients)
{
	static struct side s;
	struct ibv_port_attr port;
	struct ibv_wc wc;

	s.echoes = true;
	open_side(&s, 1024);
	NEED(!ibv_query_port(s.ctx, 1, &port));
	shared->server_lid = port.lid;
	for (unsigned int i = 0; i < clients; i++) {
		make_qp(&s, i);
		shared->client[i].server_qpn = s.qp[i]->qp_num;
	}
	for (unsigned int i = 0; i < clients; i++) {
		wait_for(&shared->client[i].client_qpn);
		to_rts(s.qp[i], shared->client[i].client_qpn, shared->client[i].lid);
		post(&s, i, false);
		__atomic_store_n(&shared->client[i].ready, true, __ATOMIC_RELEASE);
	}
	while (__atomic_load_n(&shared->over, __ATOMIC_ACQUIRE) < clients)
		if (next(&s, &wc) && wc.status == IBV_WC_SUCCESS)
			post(&s, (unsigned int)wc.wr_id, wc.opcode == IBV_WC_RECV);
}

static void ask(unsigned int i, unsigned int rounds)
{
	static struct side s;
	struct ibv_port_attr port;
	struct ibv_wc wc;

	open_side(&s, 16);
	NEED(!ibv_query_port(s.ctx, 1, &port));
	make_qp(&s, i);
	wait_for(&shared->client[i].server_qpn);
	shared->client[i].lid = port.lid;
	__atomic_store_n(&shared->client[i].client_qpn, s.qp[i]->qp_num, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&shared->client[i].ready, __ATOMIC_ACQUIRE))
		usleep(1000);
	to_rts(s.qp[i], shared->client[i].server_qpn, shared->server_lid);
	for (unsigned int r = 0; r < rounds && !failures; r++) {
		memset(s.memory[0][i], (int)(i + r), SIZE);
		post(&s, i, false);
		post(&s, i, true);
		for (int got = 0; got < 2 && !failures;)
			got += next(&s, &wc);
		CHECK(failures || !memcmp(s.memory[0][i], s.memory[1][i], SIZE));
	}
}

int main(int argc, char **argv)
{
	const unsigned int processes = argc > 1 ? (unsigned int)atoi(argv[1]) : 64,
			   clients = processes - 1;
	const unsigned int rounds = argc > 2 ? (unsigned int)atoi(argv[2]) : 20;
	int status;

	NEED(clients && clients <= MOST);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	NEED(shared != MAP_FAILED);
	for (unsigned int i = 0; i < clients; i++)
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			ask(i, rounds);
			__atomic_fetch_add(&shared->over, 1, __ATOMIC_ACQ_REL);
			/* A device that is gone answers nobody. */
			while (__atomic_load_n(&shared->over, __ATOMIC_ACQUIRE) < clients)
				usleep(10000);
			_exit(failures != 0);
		}
	serve(clients);
	while (wait(&status) > 0)
		failures += !WIFEXITED(status) || WEXITSTATUS(status);
	printf("%u processes, %d failures\n", processes, failures);
	return failures != 0;
}
