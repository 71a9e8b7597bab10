/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Senders of datagrams whose processes end at once: what they sent to a process that is not looking
 * is not lost. usage: sender_exit_client ud|uc
 */
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/softhca/clients/client.h"

#define QKEY	 0x11111111
#define MESSAGES 5
#define SIZE	 200
#define ROOM	 256 /* with the header of a datagram */
#define LIMIT	 3.0 /* seconds that a process waits for others when it ends */
#define TRIES	 10

int failures;

static bool uc;

struct host {
	uint16_t lid;
	uint32_t qpn;
};

struct side {
	struct host me, peer;
	struct ibv_pd *pd;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	struct ibv_cq *sent, *came;
	char memory[ROOM * MESSAGES];
};

/* A process, and pipes to it and from it. */
struct child {
	pid_t pid;
	int to, from;
};

static void modify(struct ibv_qp *qp, struct ibv_qp_attr attr, int mask)
{
	CHECK_RC(ibv_modify_qp(qp, &attr, mask | IBV_QP_STATE), 0);
}

static void open_side(struct side *s)
{
	struct ibv_qp_init_attr init = {.qp_type = uc ? IBV_QPT_UC : IBV_QPT_UD,
					.cap = {.max_send_wr = MESSAGES,
						.max_recv_wr = MESSAGES,
						.max_send_sge = 1,
						.max_recv_sge = 1}};
	struct ibv_context *const ctx = open_first();
	struct ibv_port_attr port;

	s->pd = ibv_alloc_pd(ctx);
	s->sent = ibv_create_cq(ctx, MESSAGES, NULL, NULL, 0);
	s->came = ibv_create_cq(ctx, MESSAGES, NULL, NULL, 0);
	s->mr = ibv_reg_mr(s->pd, s->memory, sizeof(s->memory), IBV_ACCESS_LOCAL_WRITE);
	init.send_cq = s->sent;
	init.recv_cq = s->came;
	s->qp = ibv_create_qp(s->pd, &init);
	NEED(s->pd && s->sent && s->came && s->mr && s->qp);
	CHECK_RC(ibv_query_port(ctx, 1, &port), 0);
	s->me = (struct host){port.lid, s->qp->qp_num};
	modify(s->qp, (struct ibv_qp_attr){.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY},
	       IBV_QP_PKEY_INDEX | IBV_QP_PORT | (uc ? IBV_QP_ACCESS_FLAGS : IBV_QP_QKEY));
	for (int i = 0; i < MESSAGES; i++) {
		struct ibv_sge sge = {(uintptr_t)s->memory + (uint64_t)i * ROOM, ROOM, s->mr->lkey};
		struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;

		CHECK_RC(ibv_post_recv(s->qp, &wr, &bad), 0);
	}
}

static void connect_to_peer(struct side *s)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR,
				   .path_mtu = IBV_MTU_1024,
				   .dest_qp_num = s->peer.qpn,
				   .ah_attr = {.dlid = s->peer.lid, .port_num = 1}};

	modify(s->qp, attr, uc ? IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN : 0);
	modify(s->qp, (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS}, IBV_QP_SQ_PSN);
}

static void say(int fd, const void *bytes, size_t size)
{
	CHECK_EQ(write(fd, bytes, size), size);
}

static void hear(int fd, void *bytes, size_t size)
{
	NEED(read(fd, bytes, size) == (ssize_t)size);
}

static void take_all(struct ibv_cq *cq)
{
	for (int i = 0; i < MESSAGES && !failures; i++)
		CHECK_RC(wait_wc(cq).status, IBV_WC_SUCCESS);
}

static void send_all(struct side *s)
{
	struct ibv_ah_attr way = {.dlid = s->peer.lid, .port_num = 1};
	struct ibv_sge sge = {(uintptr_t)s->memory, SIZE, s->mr->lkey};
	struct ibv_send_wr wr = {.sg_list = &sge,
				 .num_sge = 1,
				 .opcode = IBV_WR_SEND,
				 .send_flags = IBV_SEND_SIGNALED},
			   *bad;

	if (!uc) {
		wr.wr.ud.ah = ibv_create_ah(s->pd, &way);
		NEED(wr.wr.ud.ah);
		wr.wr.ud.remote_qpn = s->peer.qpn;
		wr.wr.ud.remote_qkey = QKEY;
	}
	for (int i = 0; i < MESSAGES; i++)
		CHECK_RC(ibv_post_send(s->qp, &wr, &bad), 0);
	take_all(s->sent);
}

static void meet(struct side *s, int in, int out)
{
	open_side(s);
	say(out, &s->me, sizeof(s->me));
	hear(in, &s->peer, sizeof(s->peer));
	connect_to_peer(s);
}

/* Halts before anything can come, and takes it when it goes on. */
static int receiver(int in, int out)
{
	static struct side s;

	meet(&s, in, out);
	raise(SIGSTOP);
	take_all(s.came);
	return failures;
}

/* Ends as soon as its sends have completed. */
static int sender(int in, int out)
{
	static struct side s;
	char now;

	meet(&s, in, out);
	hear(in, &now, 1);
	send_all(&s);
	say(out, "", 1);
	return failures;
}

static struct child begin(int (*run)(int in, int out))
{
	struct child c;
	int there[2], back[2];

	CHECK(!pipe(there) && !pipe(back));
	c.pid = fork();
	if (!c.pid)
		exit(run(there[0], back[1]));
	c.to = there[1];
	c.from = back[0];
	close(there[0]);
	close(back[1]);
	return c;
}

/* Each is told the other's place. */
static void introduce(const struct child *a, const struct child *b)
{
	struct host of_a, of_b;

	hear(a->from, &of_a, sizeof(of_a));
	hear(b->from, &of_b, sizeof(of_b));
	say(a->to, &of_b, sizeof(of_b));
	say(b->to, &of_a, sizeof(of_a));
}

static void expect_end(const struct child *c)
{
	int status;

	NEED(waitpid(c->pid, &status, 0) == c->pid);
	CHECK_EQ(status, 0);
	close(c->to);
	close(c->from);
}

static void expect_halt(const struct child *c)
{
	int status;

	NEED(waitpid(c->pid, &status, WUNTRACED) == c->pid);
	NEED(WIFSTOPPED(status));
}

/* @gone: the sender has ended, because it waits no longer, before the receiver goes on */
static void to_one_that_halts(bool gone)
{
	const struct child r = begin(receiver), s = begin(sender);
	double since;
	char byte;

	introduce(&r, &s);
	expect_halt(&r);
	since = seconds();
	say(s.to, "", 1);
	hear(s.from, &byte, 1);
	if (gone) {
		expect_end(&s);
		CHECK(seconds() - since > LIMIT - 1);
		kill(r.pid, SIGKILL);
		NEED(waitpid(r.pid, &(int){0}, 0) == r.pid);
		return;
	}
	usleep(500000);
	kill(r.pid, SIGCONT);
	expect_end(&r);
	expect_end(&s);
}

/* Seconds until both have ended. */
static double to_each_other(void)
{
	const struct child a = begin(sender), b = begin(sender);
	double since;

	introduce(&a, &b);
	since = seconds();
	say(a.to, "", 1);
	say(b.to, "", 1);
	expect_end(&a);
	expect_end(&b);
	return seconds() - since;
}

/* Two that wait for each other's end take the limit each time, others only on a busy machine. */
static void neither_waits(void)
{
	double least = to_each_other();

	for (int i = 1; i < TRIES && least >= LIMIT; i++) {
		const double took = to_each_other();

		least = took < least ? took : least;
	}
	CHECK(least < LIMIT);
}

int main(int argc, char **argv)
{
	uc = argc > 1 && !strcmp(argv[1], "uc");
	to_one_that_halts(false);
	neither_waits();
	to_one_that_halts(true);
	return failures != 0;
}
