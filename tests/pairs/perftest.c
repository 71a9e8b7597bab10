/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perftest KIND PORT SIZE ROUNDS [HOST]: the other side of perftest's ib_write_lat (KIND
 * write_lat), ib_send_lat -c RC, UC or UD (send_rc, send_uc, send_ud) and ib_atomic_bw -A
 * FETCH_AND_ADD (atomic), built on Segue. Without HOST it is the server.
 *
 * perftest fills its memory from rand() and the second in which it starts, or with zeros for
 * write_lat. What comes is compared with that: messages of those bytes; WRITEs of zeros whose last
 * byte counts; additions of 1, all of which have to be there at the end (server), or whose results
 * count (client). Source: perftest 4.5-0.17 src/perftest_communication.c (exchange_versions(),
 * check_sys_data(), check_mtu(), ethernet_write_keys(), xchg_bw_reports(), ctx_close_connection()),
 * write_lat.c, send_lat.c, atomic_bw.c, perftest_resources.c (create_single_mr(),
 * run_iter_lat_write(), run_iter_lat_send()).
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <time.h>

#include "segue/ah.h"
#include "segue/device.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "tests/pairs/rendezvous.h"

#define VERSION	   "6.06"
#define MTU_1024   3 /* enum ibv_mtu, as text */
#define CYCLE	   4096u /* their buffer of counters */
#define QKEY	   0x11111111u
#define GRH	   40u
#define RECEIVES   16u
#define ATOMICS	   16u /* outstanding */
#define UNTOUCHED  0xee
#define KEYS	   59  /* bytes of a line without and with GID */
#define KEYS_GID   108

struct address {
	unsigned int lid, reads, qpn, psn, rkey, srqn;
	unsigned long long vaddr;
	struct segue_gid gid;
};

struct side {
	const char *kind, *host;
	uint32_t size, rounds;
	int fd;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct segue_mr *mr;
	struct segue_qp *qp;
	struct segue_ah *to;
	struct segue_path path;
	struct address mine, theirs;
	uint8_t *memory; /* what is sent; what they reach; a buffer per receive */
	uint32_t area;   /* of each */
	time_t started;  /* the peer's seed */
};

static bool is(const struct side *s, const char *kind)
{
	return !strcmp(s->kind, kind);
}

static bool sends(const struct side *s)
{
	return !strncmp(s->kind, "send_", 5);
}

static struct segue_local_buf area(struct side *s, uint32_t number, uint32_t length)
{
	struct segue_local_buf piece;

	must(segue_mr_local_buf(s->mr, (uint64_t)number * s->area, length, &piece));
	return piece;
}

/* ---- the exchange ---- */

static void shake_hands(struct side *s)
{
	const struct address *a = &s->mine;
	const bool gids = s->path.link == SEGUE_LINK_ROCE;
	char mine[KEYS_GID] = "", theirs[KEYS_GID + 1] = "";
	int i, at;

	at = snprintf(mine, sizeof(mine), "%04x:%04x:%06x:%06x:%08x:%016llx:", a->lid, a->reads,
		      a->qpn, a->psn, a->rkey, a->vaddr);
	for (i = 0; gids && i < 16; i++)
		at += snprintf(mine + at, sizeof(mine) - (size_t)at, "%02x:", a->gid.bytes[i]);
	snprintf(mine + at, sizeof(mine) - (size_t)at, gids ? "%08x:" : "%08x", a->srqn);
	exchange(s->fd, s->host, mine, theirs, gids ? KEYS_GID : KEYS);
	if (sscanf(theirs, "%x:%x:%x:%x:%x:%llx:%n", &s->theirs.lid, &s->theirs.reads,
		   &s->theirs.qpn, &s->theirs.psn, &s->theirs.rkey, &s->theirs.vaddr, &at) != 6)
		fail("the peer's address makes no sense");
	for (i = 0; gids && i < 16; i++)
		s->theirs.gid.bytes[i] = (uint8_t)strtoul(theirs + at + 3 * i, NULL, 16);
}

/* Version, sizes of buffers, packet size; in numbers of the network. */
static void agree(struct side *s)
{
	const uint32_t sizes[2] = {htonl(CYCLE), htonl(64)};
	char version[16] = VERSION, theirs[16], mtu[2] = {'0' + MTU_1024, 0};
	uint32_t their_size;
	int i;

	exchange(s->fd, s->host, version, theirs, sizeof(version));
	for (i = 0; i < 2; i++) {
		exchange(s->fd, s->host, &sizes[i], &their_size, sizeof(their_size));
		if (their_size != sizes[i])
			fail("the peer's buffers have other sizes");
	}
	exchange(s->fd, s->host, mtu, theirs, sizeof(mtu));
	if (theirs[0] < mtu[0])
		fail("the peer wants smaller packets");
}

/* What was measured: size, rounds, and three figures that are nobody's business. */
static void report(struct side *s)
{
	uint64_t mine[5] = {0}, theirs;
	int i;

	for (i = 0; i < 5; i++)
		exchange(s->fd, s->host, &mine[i], &theirs, sizeof(theirs));
}

static void part(struct side *s)
{
	char done[sizeof("done")];

	if (!is(s, "write_lat")) { /* which ends without a word */
		shake_hands(s);
		put(s->fd, "done", sizeof("done"));
		get(s->fd, done, sizeof(done));
	}
	close(s->fd);
}

/* ---- queues ---- */

static void post_receive(struct side *s, uint64_t number)
{
	const uint32_t length = s->size + (s->to || is(s, "send_ud") ? GRH : 0);

	memset(s->memory + (2 + number) * s->area, UNTOUCHED, s->area);
	must(segue_post(segue_sge_buf(segue_recv(segue_qp_rq(s->qp), number),
				      area(s, 2 + (uint32_t)number, length))));
}

static void open_side(struct side *s)
{
	struct segue_cq_options cq = {.entries = 256};
	struct segue_qp_options qp = {.type = SEGUE_QP_RC,
				      .max_send_wr = 16,
				      .max_send_sge = 1,
				      .max_recv_wr = RECEIVES,
				      .max_recv_sge = 1};
	struct segue_mr_options attr = {.access = SEGUE_ACCESS_LOCAL_WRITE |
						  SEGUE_ACCESS_REMOTE_WRITE |
						  SEGUE_ACCESS_REMOTE_ATOMIC};
	struct segue_remote_buf remote;

	s->area = (s->size + GRH + CYCLE - 1) / CYCLE * CYCLE;
	attr.length = (size_t)s->area * (2 + RECEIVES);
	attr.addr = s->memory = aligned_alloc(CYCLE, attr.length);
	if (!s->memory)
		fail("no memory");
	memset(s->memory, 0, attr.length);
	must(segue_device_open(NULL, &s->device));
	must(segue_pd_open(s->device, &s->pd));
	must(segue_cq_open(s->device, &cq, &s->cq));
	must(segue_mr_open(s->pd, &attr, &s->mr));
	must(segue_mr_remote_buf(s->mr, s->area, s->area, &remote));
	qp.type = is(s, "send_uc") ? SEGUE_QP_UC : is(s, "send_ud") ? SEGUE_QP_UD : SEGUE_QP_RC;
	qp.send_cq = qp.recv_cq = s->cq;
	must(segue_qp_open(s->pd, &qp, &s->qp));
	must(segue_path_init(&s->path, s->device, 1));
	s->mine = (struct address){.reads = ATOMICS,
				   .qpn = segue_qp_number(s->qp),
				   .psn = 0x234567,
				   .rkey = remote.key.rkey,
				   .vaddr = remote.addr};
	own_place(s->device, &s->path, &s->mine.lid, &s->mine.gid);
}

static void connect_side(struct side *s)
{
	struct segue_path *path = &s->path;
	uint64_t number;

	path->mtu = 1024;
	path->qkey = QKEY;
	path->access_flags = SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_REMOTE_ATOMIC;
	path->rd_atomic = (uint8_t)s->theirs.reads;
	path->dest_rd_atomic = ATOMICS;
	path->sq_psn = s->mine.psn;
	path->rq_psn = s->theirs.psn;
	path->dest_qpn = s->theirs.qpn;
	lead_to(path, s->theirs.lid, &s->theirs.gid);
	must(segue_qp_modify_to(s->qp, SEGUE_QP_STATE_INIT, path));
	for (number = 0; sends(s) && number < RECEIVES; number++)
		post_receive(s, number);
	must(segue_qp_connect(s->qp, path));
	if (is(s, "send_ud"))
		must(segue_ah_open(s->pd, path, &s->to));
}

static void meet(struct side *s, const char *port)
{
	int i;

	s->fd = s->host ? client_socket(s->host, port) : server_socket(port);
	agree(s);
	for (i = 0; i < (is(s, "write_lat") ? 2 : 1); i++)
		shake_hands(s);
	connect_side(s);
	for (i = 0; i < (sends(s) ? 3 : 2); i++)
		shake_hands(s);
}

/* ---- rounds ---- */

static void send_message(struct side *s)
{
	const struct segue_local_buf piece = area(s, 0, s->size);

	if (s->to)
		must(segue_post(segue_sge_buf(
			segue_av(segue_send(segue_qp_ud_sq(s->qp), RECEIVES, SEGUE_SIGNALED),
				 segue_ah_av(s->to), s->theirs.qpn, QKEY),
			piece)));
	else if (is(s, "send_uc"))
		must(segue_post(segue_sge_buf(
			segue_send(segue_qp_uc_sq(s->qp), RECEIVES, SEGUE_SIGNALED), piece)));
	else
		must(segue_post(segue_sge_buf(
			segue_send(segue_qp_rc_sq(s->qp), RECEIVES, SEGUE_SIGNALED), piece)));
}

static bool drawn(const uint8_t *data, uint32_t length, time_t seed)
{
	uint32_t i = 0;

	srand((unsigned int)seed);
	while (i < length && data[i] == (uint8_t)rand())
		i++;
	return i == length;
}

/* What perftest draws if it has started in one of the last seconds, the same each time; and nothing
 * behind it. */
static void check_message(struct side *s, const struct segue_wc *wc)
{
	const uint32_t in_front = s->to ? GRH : 0;
	const uint8_t *const data = s->memory + (2 + wc->wr_id) * s->area + in_front;
	const time_t now = time(NULL);

	if (wc->byte_len != s->size + in_front)
		fail("a message of another length came");
	if (s->size + in_front < s->area && data[s->size] != UNTOUCHED)
		fail("more than the message came");
	if (!s->started)
		for (s->started = now; s->started > now - 60 && !drawn(data, s->size, s->started);)
			s->started--;
	if (!drawn(data, s->size, s->started))
		fail("a message with other data came");
}

static void play_sends(struct side *s)
{
	uint32_t sent = 0, received = 0, completed = 0;

	memset(s->memory, 0x55, s->size);
	while (received < s->rounds || completed < s->rounds) {
		struct segue_wc wc;

		if (sent < s->rounds && sent < received + (s->host ? 1 : 0)) {
			send_message(s);
			sent++;
		}
		wc = next_completion(s->cq, s->qp);
		if (!segue_wc_is_receive(&wc)) {
			completed++;
			continue;
		}
		check_message(s, &wc);
		received++;
		post_receive(s, wc.wr_id);
	}
}

/* Both write into the other's memory, whose last byte says which round it is; the server begins. */
static void play_writes(struct side *s)
{
	const struct segue_local_buf piece = area(s, 0, s->size);
	volatile uint8_t *const last = s->memory + s->area + s->size - 1;
	uint32_t round, i;

	for (round = 1; round <= s->rounds; round++) {
		const segue_deadline deadline = segue_deadline_in_ms(30000);
		/* The server answers what came in the round before. */
		const uint32_t expected = s->host ? round : round - 1;

		while (expected && *last != (uint8_t)expected)
			if (segue_deadline_left_ms(deadline) <= 0)
				fail("no WRITE came for 30 s");
		s->memory[s->size - 1] = (uint8_t)round;
		must(segue_post(segue_sge_buf(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(s->qp), 0, SEGUE_SIGNALED),
				    s->theirs.vaddr, s->theirs.rkey),
			piece)));
		(void)next_completion(s->cq, s->qp);
		for (i = 0; expected && i + 1 < s->size; i++)
			if (s->memory[s->area + i])
				fail("a WRITE of other data came");
	}
	while (!s->host && *last != (uint8_t)s->rounds)
		;
}

/* Each adds 1 to a counter of theirs, and finds what the one before has left. */
static void play_additions(struct side *s)
{
	const struct segue_local_buf piece = area(s, 0, 8);
	uint64_t round, was, first = 0;

	for (round = 0; round < s->rounds; round++) {
		must(segue_post(segue_sge_buf(
			segue_atomic_add(segue_raddr(segue_atomic_fa(segue_qp_rc_sq(s->qp), 0,
								     SEGUE_SIGNALED),
						     s->theirs.vaddr, s->theirs.rkey),
					 1),
			piece)));
		(void)next_completion(s->cq, s->qp);
		memcpy(&was, s->memory, sizeof(was));
		if (!round)
			first = was;
		if (was != first + round)
			fail("the counter had another value");
	}
}

/* They have added 1 so many times, to one counter or several. */
static void check_additions(struct side *s)
{
	uint64_t sum = 0, word;
	uint32_t i;

	for (i = 0; i < s->area; i += 8) {
		memcpy(&word, s->memory + s->area + i, sizeof(word));
		sum += word;
	}
	if (sum != s->rounds)
		fail("the counters do not hold as many additions as were made");
}

static void play(struct side *s)
{
	if (sends(s))
		play_sends(s);
	else if (is(s, "write_lat"))
		play_writes(s);
	else if (s->host)
		play_additions(s);
	if (is(s, "atomic")) {
		shake_hands(s); /* the client has done */
		report(s);
		if (!s->host)
			check_additions(s);
	}
}

int main(int argc, char **argv)
{
	struct side s = {0};

	if (argc < 5)
		fail("usage: perftest write_lat|send_rc|send_uc|send_ud|atomic PORT SIZE ROUNDS "
		     "[HOST]");
	s.kind = argv[1];
	s.size = (uint32_t)strtoul(argv[3], NULL, 0);
	s.rounds = (uint32_t)strtoul(argv[4], NULL, 0);
	s.host = argc > 5 ? argv[5] : NULL;
	open_side(&s);
	meet(&s, argv[2]);
	play(&s);
	part(&s);
	must(segue_device_close(s.device));
	free(s.memory);
	printf("%s %s: %u rounds of %u bytes, all as they should be\n", s.kind,
	       s.host ? "client" : "server", s.rounds, s.size);
	return 0;
}
