/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pingpong KIND PORT SIZE ROUNDS [HOST]: the other side of rdma-core's ibv_KIND_pingpong, built on
 * Segue. KIND is rc, uc, ud, srq or xsrq; without HOST it is the server.
 *
 * rdma-core's programs receive into the buffer that they send from. So each message that comes back
 * must be the one that was sent before, and every message has a pattern of its own; the first one
 * of theirs holds 0x7b, or 0 with an SRQ. The client begins, but with xsrq the server does. Source:
 * rdma-core libibverbs/examples/rc_pingpong.c, srq_pingpong.c (pp_client_exch_dest(),
 * pp_server_exch_dest()), ud_pingpong.c, xsrq_pingpong.c (send_local_dest(), connect_qps()).
 */
#define _GNU_SOURCE
#include "segue/ah.h"
#include "segue/device.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "segue/srq.h"
#include "tests/pairs/rendezvous.h"

#define RECEIVES   16u
#define GRH	   40u /* in front of a datagram */
#define QKEY	   0x11111111u
#define THEIR_FILL 0x7b
#define SRQ_LINES  256 /* the SRQ program tells of so many queue pairs, though it uses fewer */

struct address {
	unsigned int lid, qpn, psn;
	unsigned int send_qpn, srqn; /* xsrq: qpn is the target's */
	struct segue_gid gid;
};

#define LINE	  sizeof("0000:000000:000000:00000000000000000000000000000000")
#define XSRQ_LINE sizeof("0000:000000:000000:000000:000000:00000000000000000000000000000000")

struct side {
	const char *kind;
	uint32_t size;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct segue_mr *mr;
	struct segue_srq *srq;
	struct segue_qp *qp, *target; /* xsrq: what is sent goes by one, and comes by the other */
	struct segue_ah *to;
	struct segue_path path;
	int fd;
	struct address mine, theirs;
	uint8_t *memory; /* what is sent, then a buffer per receive */
};

static bool is(const struct side *s, const char *kind)
{
	return !strcmp(s->kind, kind);
}

static uint32_t in_front(const struct side *s)
{
	return is(s, "ud") ? GRH : 0;
}

/* ---- the exchange of addresses ---- */

static void tell(int fd, const struct side *s)
{
	const struct address none = {0};
	const int lines = is(s, "srq") ? SRQ_LINES : 1;
	char line[XSRQ_LINE];
	int i, j, at;

	for (i = 0; i < lines; i++) {
		const struct address *a = i ? &none : &s->mine;

		if (is(s, "xsrq"))
			at = snprintf(line, sizeof(line), "%04x:%06x:%06x:%06x:%06x:", a->lid,
				      a->qpn, a->send_qpn, a->psn, a->srqn);
		else
			at = snprintf(line, sizeof(line), "%04x:%06x:%06x:", a->lid, a->qpn,
				      a->psn);
		for (j = 0; j < (int)sizeof(a->gid.bytes); j++)
			at += snprintf(line + at, sizeof(line) - (size_t)at, "%02x",
				       a->gid.bytes[j]);
		put(fd, line, (size_t)at + 1);
	}
}

static void hear(int fd, struct side *s)
{
	const int lines = is(s, "srq") ? SRQ_LINES : 1;
	const bool xsrq = is(s, "xsrq");
	const size_t length = xsrq ? XSRQ_LINE : LINE;
	char line[XSRQ_LINE];
	int i, j;

	for (i = 0; i < lines; i++) {
		struct address a = {0};
		char gid[33] = "";

		get(fd, line, length);
		line[length - 1] = '\0';
		if (xsrq ? sscanf(line, "%x:%x:%x:%x:%x:%32s", &a.lid, &a.qpn, &a.send_qpn, &a.psn,
				  &a.srqn, gid) != 6
			 : sscanf(line, "%x:%x:%x:%32s", &a.lid, &a.qpn, &a.psn, gid) != 4)
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

static struct segue_local_buf buffer(struct side *s, uint32_t number)
{
	const uint32_t each = s->size + GRH;
	struct segue_local_buf piece;

	must(segue_mr_local_buf(s->mr, (uint64_t)number * each,
				number ? s->size + in_front(s) : s->size, &piece));
	return piece;
}

static void post_receive(struct side *s, uint64_t number)
{
	if (s->srq)
		must(segue_post(
			segue_sge_buf(segue_recv(s->srq, number), buffer(s, (uint32_t)number))));
	else
		must(segue_post(segue_sge_buf(segue_recv(segue_qp_rq(s->qp), number),
					      buffer(s, (uint32_t)number))));
}

/* Where messages for an XRC shared receive queue come to. */
static void open_target(struct side *s, struct segue_srq_options srq)
{
	struct segue_qp_options target = {.type = SEGUE_QP_XRC_TARGET};

	must(segue_xrcd_open(s->device, -1, &target.xrcd));
	srq.xrcd = target.xrcd;
	srq.cq = s->cq;
	must(segue_srq_open(s->pd, &srq, &s->srq));
	must(segue_qp_open(s->pd, &target, &s->target));
}

static void open_side(struct side *s)
{
	struct segue_cq_options cq = {.entries = 128};
	struct segue_qp_options qp = {.type = SEGUE_QP_RC,
				      .max_send_wr = 8,
				      .max_send_sge = 1,
				      .max_recv_wr = RECEIVES,
				      .max_recv_sge = 1};
	struct segue_srq_options srq = {.max_wr = RECEIVES, .max_sge = 1};
	const size_t bytes = (size_t)(s->size + GRH) * (RECEIVES + 1);

	s->memory = calloc(1, bytes);
	if (!s->memory)
		fail("no memory");
	must(segue_device_open(NULL, &s->device));
	must(segue_pd_open(s->device, &s->pd));
	must(segue_cq_open(s->device, &cq, &s->cq));
	must(segue_mr_open(s->pd,
			   &(struct segue_mr_options){.addr = s->memory,
						      .length = bytes,
						      .access = SEGUE_ACCESS_LOCAL_WRITE},
			   &s->mr));
	if (is(s, "srq")) {
		must(segue_srq_open(s->pd, &srq, &s->srq));
		qp.srq = s->srq;
		qp.max_recv_wr = qp.max_recv_sge = 0;
	}
	if (is(s, "xsrq"))
		open_target(s, srq);
	qp.type = is(s, "uc")	? SEGUE_QP_UC
		  : is(s, "ud") ? SEGUE_QP_UD
		  : s->target	? SEGUE_QP_XRC_INITIATOR
				: SEGUE_QP_RC;
	qp.send_cq = s->cq;
	if (s->target)
		qp.max_recv_wr = qp.max_recv_sge = 0;
	else
		qp.recv_cq = s->cq;
	must(segue_qp_open(s->pd, &qp, &s->qp));
	must(segue_path_init(&s->path, s->device, 1));
	s->path.mtu = 1024; /* theirs, unless asked for another */
	s->path.rd_atomic = s->path.dest_rd_atomic = 1;
	s->path.qkey = QKEY;
	s->mine.psn = s->path.sq_psn = 0x123456;
	s->mine.qpn = segue_qp_number(s->target ? s->target : s->qp);
	s->mine.send_qpn = segue_qp_number(s->qp);
	s->mine.srqn = s->target ? segue_srq_number(s->srq) : 0;
	own_place(s->device, &s->path, &s->mine.lid, &s->mine.gid);
}

static void connect_side(struct side *s)
{
	struct segue_path *path = &s->path;
	uint64_t number;

	lead_to(path, s->theirs.lid, &s->theirs.gid);
	path->dest_qpn = s->theirs.qpn;
	path->rq_psn = s->theirs.psn;
	if (s->target) {
		struct segue_path back = *path;

		back.dest_qpn = s->theirs.send_qpn;
		must(segue_qp_connect(s->target, &back));
	}
	must(segue_qp_modify_to(s->qp, SEGUE_QP_STATE_INIT, path));
	for (number = 1; number <= RECEIVES; number++)
		post_receive(s, number);
	must(segue_qp_connect(s->qp, path));
	if (is(s, "ud"))
		must(segue_ah_open(s->pd, path, &s->to));
}

static void meet(struct side *s, const char *port, const char *host)
{
	const int fd = host ? client_socket(host, port) : server_socket(port);
	char done[sizeof("done")];

	s->fd = fd;

	if (host)
		tell(fd, s);
	hear(fd, s);
	connect_side(s);
	if (!host)
		tell(fd, s);
	if (s->target)
		return; /* they part when all is done */
	if (host)
		put(fd, "done", sizeof("done"));
	else
		get(fd, done, sizeof(done));
}

static void part(struct side *s, const char *host)
{
	char end[sizeof("END")];

	if (s->target)
		exchange(s->fd, host, "END", end, sizeof(end));
	close(s->fd);
}

/* ---- messages ---- */

static uint8_t pattern(uint32_t round, uint32_t at)
{
	return (uint8_t)(round * 31 + at * 7 + (at >> 8));
}

static void send_round(struct side *s, uint32_t round)
{
	const struct segue_local_buf piece = buffer(s, 0);
	uint32_t i;

	for (i = 0; i < s->size; i++)
		s->memory[i] = pattern(round, i);
	if (is(s, "ud"))
		must(segue_post(
			segue_sge_buf(segue_av(segue_send(segue_qp_ud_sq(s->qp), 0, SEGUE_SIGNALED),
					       segue_ah_av(s->to), s->theirs.qpn, QKEY),
				      piece)));
	else if (is(s, "uc"))
		must(segue_post(segue_sge_buf(segue_send(segue_qp_uc_sq(s->qp), 0, SEGUE_SIGNALED),
					      piece)));
	else if (s->target)
		must(segue_post(segue_sge_buf(
			segue_xrc(segue_send(segue_qp_xrc_initiator_sq(s->qp), 0, SEGUE_SIGNALED),
				  s->theirs.srqn),
			piece)));
	else
		must(segue_post(segue_sge_buf(segue_send(segue_qp_rc_sq(s->qp), 0, SEGUE_SIGNALED),
					      piece)));
}

static struct segue_wc next(struct side *s)
{
	return next_completion(s->cq, s->qp);
}

/* `round` that was sent before, or their own first one. */
static void check(const struct side *s, const struct segue_wc *wc, bool first, uint32_t round)
{
	const uint8_t first_fill = s->srq ? 0 : THEIR_FILL;
	const uint8_t *data = s->memory + wc->wr_id * (s->size + GRH) + in_front(s);
	uint32_t i;

	if (wc->byte_len != s->size + in_front(s))
		fail("a message of another length came");
	for (i = 0; i < s->size; i++)
		if (data[i] != (first ? first_fill : pattern(round, i)))
			fail("a message with other data came");
}

static void play(struct side *s, uint32_t rounds, bool begins)
{
	uint32_t round, sent = 0, received = 0;

	for (round = 0; round < rounds; round++) {
		bool sending;

		if (begins)
			send_round(s, round);
		for (sending = begins; sending || received == round;) {
			const struct segue_wc wc = next(s);

			if (!segue_wc_is_receive(&wc)) {
				sending = false;
				sent++;
				continue;
			}
			received++;
			check(s, &wc, !begins && !round, begins ? round : round - 1);
			post_receive(s, wc.wr_id);
		}
		if (!begins)
			send_round(s, round);
	}
	while (sent < rounds) {
		const struct segue_wc wc = next(s);

		sent += !segue_wc_is_receive(&wc);
	}
	printf("%s %s: %u messages of %u bytes there and back, all as they were sent\n", s->kind,
	       begins ? "first" : "second", rounds, s->size);
}

int main(int argc, char **argv)
{
	const char *const host = argc > 5 ? argv[5] : NULL;
	struct side s = {0};

	if (argc < 5)
		fail("usage: pingpong rc|uc|ud|srq|xsrq PORT SIZE ROUNDS [HOST]");
	s.kind = argv[1];
	s.size = (uint32_t)strtoul(argv[3], NULL, 0);
	open_side(&s);
	meet(&s, argv[2], host);
	play(&s, (uint32_t)strtoul(argv[4], NULL, 0), is(&s, "xsrq") ? !host : !!host);
	part(&s, host);
	must(segue_device_close(s.device));
	free(s.memory);
	return 0;
}
