/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pingpong KIND PORT SIZE ROUNDS [HOST]: the other side of rdma-core's ibv_KIND_pingpong, built on Segue. KIND is rc, uc, ud or srq; without HOST it is
 * the server.
 *
 * rdma-core's programs receive into the buffer that they send from. So each message that comes back must be the one that was sent before, and every
 * message has a pattern of its own; the first one of their client holds 0x7b, or 0 with an SRQ.
 * Source: rdma-core libibverbs/examples/rc_pingpong.c, srq_pingpong.c (pp_client_exch_dest(), pp_server_exch_dest()), ud_pingpong.c.
 */
#define _GNU_SOURCE
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "segue/ah.h"
#include "segue/cq_object.h"
#include "segue/deadline.h"
#include "segue/device.h"
#include "segue/errmsg.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "segue/qp.h"
#include "segue/srq_object.h"

#define RECEIVES   16u
#define GRH	   40u /* in front of a datagram */
#define QKEY	   0x11111111u
#define THEIR_FILL 0x7b
#define SRQ_LINES  256 /* the SRQ program tells of so many queue pairs, though it uses fewer */

struct address {
	unsigned int lid, qpn, psn;
	struct segue_gid gid;
};

#define LINE sizeof("0000:000000:000000:00000000000000000000000000000000")

struct side {
	const char *kind;
	uint32_t size;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct segue_mr *mr;
	struct segue_srq *srq;
	struct segue_qp *qp;
	struct segue_address *to;
	struct segue_path path;
	struct address mine, theirs;
	uint8_t *memory; /* what is sent, then a buffer per receive */
};

static void fail(const char *what)
{
	fprintf(stderr, "pingpong: %s\n", what);
	exit(1);
}

static void must(int ret)
{
	if (ret < 0)
		fail(segue_errmsg());
}

static bool is(const struct side *s, const char *kind)
{
	return !strcmp(s->kind, kind);
}

static uint32_t in_front(const struct side *s)
{
	return is(s, "ud") ? GRH : 0;
}

/* ---- the exchange of addresses over TCP ---- */

static int client_socket(const char *host, const char *port)
{
	const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
	struct addrinfo *found;
	int fd;

	if (getaddrinfo(host, port, &hints, &found))
		fail("the host is not known");
	fd = socket(found->ai_family, found->ai_socktype, 0);
	if (fd < 0 || connect(fd, found->ai_addr, found->ai_addrlen))
		fail("the server does not answer");
	freeaddrinfo(found);
	return fd;
}

static int server_socket(const char *port)
{
	const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	const int one = 1;
	struct addrinfo *found;
	int listener, fd;

	if (getaddrinfo(NULL, port, &hints, &found))
		fail("no such port");
	listener = socket(found->ai_family, found->ai_socktype, 0);
	if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(listener, found->ai_addr, found->ai_addrlen) || listen(listener, 1))
		fail("the port is taken");
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		fail("nobody came");
	close(listener);
	freeaddrinfo(found);
	return fd;
}

static void put(int fd, const void *bytes, size_t length)
{
	if (write(fd, bytes, length) != (ssize_t)length)
		fail("the peer has hung up");
}

static void get(int fd, void *bytes, size_t length)
{
	if (recv(fd, bytes, length, MSG_WAITALL) != (ssize_t)length)
		fail("the peer has hung up");
}

static void tell(int fd, const struct side *s)
{
	const struct address none = {0};
	const int lines = is(s, "srq") ? SRQ_LINES : 1;
	char line[LINE];
	int i, j;

	for (i = 0; i < lines; i++) {
		const struct address *a = i ? &none : &s->mine;
		int at = snprintf(line, sizeof(line), "%04x:%06x:%06x:", a->lid, a->qpn, a->psn);

		for (j = 0; j < (int)sizeof(a->gid.bytes); j++)
			at += snprintf(line + at, sizeof(line) - (size_t)at, "%02x", a->gid.bytes[j]);
		put(fd, line, sizeof(line));
	}
}

static void hear(int fd, struct side *s)
{
	const int lines = is(s, "srq") ? SRQ_LINES : 1;
	char line[LINE];
	int i, j;

	for (i = 0; i < lines; i++) {
		char gid[33] = "";
		struct address a;

		get(fd, line, sizeof(line));
		line[sizeof(line) - 1] = '\0';
		if (sscanf(line, "%x:%x:%x:%32s", &a.lid, &a.qpn, &a.psn, gid) != 4)
			fail("the peer's address makes no sense");
		for (j = 0; j < (int)sizeof(a.gid.bytes); j++) {
			unsigned int byte = 0;

			(void)sscanf(gid + 2 * j, "%2x", &byte);
			a.gid.bytes[j] = (uint8_t)byte;
		}
		if (!i)
			s->theirs = a;
	}
}

/* ---- queues ---- */

static struct segue_local buffer(struct side *s, uint32_t number)
{
	const uint32_t each = s->size + GRH;
	struct segue_local piece;

	must(segue_mr_local(s->mr, (uint64_t)number * each, number ? s->size + in_front(s) : s->size, &piece));
	return piece;
}

static void post_receive(struct side *s, uint64_t number)
{
	if (s->srq)
		must(segue_post(segue_sge_piece(segue_recv_srq(s->srq, number), buffer(s, (uint32_t)number))));
	else
		must(segue_post(segue_sge_piece(segue_recv_rq(segue_qp_rq(s->qp), number), buffer(s, (uint32_t)number))));
}

static void open_side(struct side *s)
{
	struct segue_cq_options cq = {.entries = 128};
	struct segue_qp_options qp = {.type = SEGUE_QP_RC, .max_send_wr = 8, .max_send_sge = 1, .max_recv_wr = RECEIVES, .max_recv_sge = 1};
	struct segue_srq_options srq = {.max_wr = RECEIVES, .max_sge = 1};
	const size_t bytes = (size_t)(s->size + GRH) * (RECEIVES + 1);
	struct segue_port_info port;
	struct segue_gid_info gid;

	s->memory = calloc(1, bytes);
	if (!s->memory)
		fail("no memory");
	must(segue_device_open(NULL, &s->device));
	must(segue_pd_open(s->device, &s->pd));
	must(segue_cq_open(s->device, &cq, &s->cq));
	must(segue_mr_open_local(s->pd, &(struct segue_mr_attr){.addr = s->memory, .length = bytes, .access = SEGUE_ACCESS_LOCAL_WRITE}, &s->mr));
	if (is(s, "srq")) {
		must(segue_srq_open(s->pd, &srq, &s->srq));
		qp.srq = s->srq;
		qp.max_recv_wr = qp.max_recv_sge = 0;
	}
	qp.type = is(s, "uc") ? SEGUE_QP_UC : is(s, "ud") ? SEGUE_QP_UD : SEGUE_QP_RC;
	qp.send_cq = qp.recv_cq = s->cq;
	must(segue_qp_open(s->pd, &qp, &s->qp));
	must(segue_path_init(&s->path, s->device, 1));
	s->path.mtu = 1024; /* theirs, unless asked for another */
	s->path.rd_atomic = s->path.dest_rd_atomic = 1;
	s->path.qkey = QKEY;
	s->mine.psn = s->path.sq_psn = 0x123456;
	s->mine.qpn = segue_qp_number(s->qp);
	must(segue_device_port(s->device, 1, &port));
	s->mine.lid = port.lid;
	if (s->path.link == SEGUE_LINK_ROCE) {
		must(segue_device_best_gid(s->device, 1, &gid));
		s->mine.gid = gid.gid;
	}
}

static void connect_side(struct side *s)
{
	struct segue_path *path = &s->path;
	uint64_t number;

	if (path->link == SEGUE_LINK_IB)
		path->way.ib.dlid = (uint16_t)s->theirs.lid;
	else
		path->way.roce.route.dgid = s->theirs.gid;
	path->dest_qpn = s->theirs.qpn;
	path->rq_psn = s->theirs.psn;
	must(segue_qp_to(s->qp, SEGUE_QP_STATE_INIT, path));
	for (number = 1; number <= RECEIVES; number++)
		post_receive(s, number);
	must(segue_qp_connect(s->qp, path));
	if (is(s, "ud"))
		must(segue_address_open(s->pd, path, &s->to));
}

static void meet(struct side *s, const char *port, const char *host)
{
	const int fd = host ? client_socket(host, port) : server_socket(port);
	char done[sizeof("done")];

	if (host)
		tell(fd, s);
	hear(fd, s);
	connect_side(s);
	if (!host)
		tell(fd, s);
	if (host)
		put(fd, "done", sizeof("done"));
	else
		get(fd, done, sizeof(done));
	close(fd);
}

/* ---- messages ---- */

static uint8_t pattern(uint32_t round, uint32_t at)
{
	return (uint8_t)(round * 31 + at * 7 + (at >> 8));
}

static void send_round(struct side *s, uint32_t round)
{
	const struct segue_local piece = buffer(s, 0);
	uint32_t i;

	for (i = 0; i < s->size; i++)
		s->memory[i] = pattern(round, i);
	if (is(s, "ud"))
		must(segue_post(segue_sge_piece(segue_av(segue_send(segue_qp_ud(s->qp), 0, SEGUE_SIGNALED), segue_address_av(s->to), s->theirs.qpn, QKEY),
						piece)));
	else if (is(s, "uc"))
		must(segue_post(segue_sge_piece(segue_send(segue_qp_uc(s->qp), 0, SEGUE_SIGNALED), piece)));
	else
		must(segue_post(segue_sge_piece(segue_send(segue_qp_rc(s->qp), 0, SEGUE_SIGNALED), piece)));
}

/* The next completion of either kind, which has to be a good one. */
static struct segue_wc next(struct side *s)
{
	const segue_deadline deadline = segue_deadline_in_ms(30000);
	struct segue_wc wc;
	char text[1024];

	while (segue_deadline_left_ms(deadline) > 0) {
		const int got = segue_cq_poll_wc(s->cq, 1, &wc);

		must(got);
		if (!got)
			continue;
		if (!wc.syndrome)
			return wc;
		segue_qp_explain(s->qp, &wc, text, sizeof(text));
		fail(text);
	}
	fail("nothing came for 30 s");
	exit(1);
}

/* `round` that was sent before, or their own first one. */
static void check(const struct side *s, const struct segue_wc *wc, bool first, uint32_t round)
{
	const uint8_t first_fill = is(s, "srq") ? 0 : THEIR_FILL;
	const uint8_t *data = s->memory + wc->wr_id * (s->size + GRH) + in_front(s);
	uint32_t i;

	if (wc->byte_len != s->size + in_front(s))
		fail("a message of another length came");
	for (i = 0; i < s->size; i++)
		if (data[i] != (first ? first_fill : pattern(round, i)))
			fail("a message with other data came");
}

static void play(struct side *s, uint32_t rounds, bool client)
{
	uint32_t round, sent = 0, received = 0;

	for (round = 0; round < rounds; round++) {
		bool sending;

		if (client)
			send_round(s, round);
		for (sending = client; sending || received == round;) {
			const struct segue_wc wc = next(s);

			if (!segue_wc_is_receive(&wc)) {
				sending = false;
				sent++;
				continue;
			}
			received++;
			check(s, &wc, !client && !round, client ? round : round - 1);
			post_receive(s, wc.wr_id);
		}
		if (!client)
			send_round(s, round);
	}
	while (sent < rounds) {
		const struct segue_wc wc = next(s);

		sent += !segue_wc_is_receive(&wc);
	}
	printf("%s %s: %u messages of %u bytes there and back, all as they were sent\n", s->kind, client ? "client" : "server", rounds, s->size);
}

int main(int argc, char **argv)
{
	struct side s = {0};

	if (argc < 5)
		fail("usage: pingpong rc|uc|ud|srq PORT SIZE ROUNDS [HOST]");
	s.kind = argv[1];
	s.size = (uint32_t)strtoul(argv[3], NULL, 0);
	open_side(&s);
	meet(&s, argv[2], argc > 5 ? argv[5] : NULL);
	play(&s, (uint32_t)strtoul(argv[4], NULL, 0), argc > 5);
	must(segue_device_close(s.device));
	free(s.memory);
	return 0;
}
