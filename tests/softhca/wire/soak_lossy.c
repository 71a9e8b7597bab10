/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traffic of UC and UD below faults. Messages may get lost, and overtake each other. What must
 * hold:
 *
 *  - each send completes once, in order, with success;
 *  - each receive completion is one message of the peer's stream, whole: its length, its immediate,
 *    every byte;
 *  - no message comes twice, unless the plan duplicates packets: neither UC nor UD tells a message
 *    of one packet from its copy, so then it comes twice at most;
 *  - most of them come, and without faults all of them: on this wire nothing gets lost by itself.
 *
 * The sender stays close behind the receiver, so that nothing is lost for want of a receive.
 */
#include "soak.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define AHEAD	 32u  /* messages the sender may be ahead of what was received */
#define STALL_MS 1000 /* so many in a row were lost: go on */
#define QUIET_MS 500  /* nothing more will come */

struct message {
	enum kind kind;
	uint32_t len;
	uint32_t came;
};

struct lossy {
	struct side *s;
	struct message *expected; /* the peer's stream */
	uint64_t count, limit;	  /* limit: how far the sender may go */
	uint64_t came, notified;  /* messages that came; that should */
	uint64_t progress_ms;	  /* when the peer's receiver last got on */
	uint64_t newest;
	unsigned int most;
	bool all; /* every message must come */
};

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/* Now and then the receiver must hear of something. */
static struct op draw(const struct side *s, uint64_t *random, uint64_t id)
{
	struct op op = soak_draw(s->mode, random);

	op.id = id;
	if (op.kind == WRITE && id % 8 == 7)
		op.kind = WRITE_IMM;
	return op;
}

/* Each message says who it is. */
static void fill(uint8_t *p, uint32_t len, uint64_t id)
{
	soak_fill(p, len, id);
	memcpy(p, &id, sizeof(id));
}

static bool filled(const uint8_t *p, uint32_t len, uint64_t id)
{
	uint8_t want[SLOT];

	fill(want, len, id);
	return !memcmp(p, want, len);
}

static void post(struct lossy *l)
{
	struct side *const s = l->s;
	const uint32_t slot = (uint32_t)(s->next % DEPTH);
	const struct op op = draw(s, &s->my_random, s->next);
	struct ibv_sge sge = {(uintptr_t)s->mine->local[slot], op.len, s->mr->lkey};
	struct ibv_send_wr wr =
				   {
					   .wr_id = s->next,
					   .sg_list = &sge,
					   .num_sge = 1,
					   .imm_data = htobe32((uint32_t)op.id),
					   .send_flags = op.is_inline ? IBV_SEND_INLINE : 0,
				   },
			   *bad;
	static const enum ibv_wr_opcode opcodes[] = {IBV_WR_SEND, IBV_WR_SEND_WITH_IMM,
						     IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM};

	fill(s->mine->local[slot], op.len, op.id);
	wr.opcode = opcodes[op.kind];
	if (s->mode == UD) {
		wr.wr.ud.ah = s->ah;
		wr.wr.ud.remote_qpn = s->peer.qpn;
		wr.wr.ud.remote_qkey = Q_KEY;
	} else {
		wr.wr.rdma.remote_addr = soak_remote(s, s->peers->written[slot]);
		wr.wr.rdma.rkey = s->peer.rkey;
	}
	soak_check(!ibv_post_send(s->qp, &wr, &bad), "ibv_post_send", op.id);
	s->next++;
}

/*
 * What an announced write left. A later, or a late earlier write to the same place may have come
 * since, perhaps in part: then its first packet at least is right.
 */
static bool written(const struct side *s, uint64_t id, const struct lossy *l)
{
	const uint8_t *const at = s->mine->written[id % DEPTH];
	const uint32_t len = l->expected[id].len;
	uint64_t other;

	if (filled(at, len, id))
		return true;
	usleep(1000); /* not in the middle of a packet */
	memcpy(&other, at, sizeof(other));
	if (other == id || other >= l->count || other % DEPTH != id % DEPTH)
		return other == id && filled(at, len, id);
	return filled(at, l->expected[other].len < MTU ? l->expected[other].len : MTU, other);
}

static uint64_t message_of(const struct side *s, const struct ibv_wc *wc, const uint8_t *data)
{
	uint64_t id;

	if (wc->wc_flags & IBV_WC_WITH_IMM)
		return be32toh(wc->imm_data);
	soak_check(wc->byte_len >= sizeof(id), "receive: too short", s->recv_done);
	memcpy(&id, data, sizeof(id));
	return id;
}

static void check_recv(struct lossy *l, const struct ibv_wc *wc)
{
	struct side *const s = l->s;
	const uint32_t grh = s->mode == UD ? GRH : 0;
	const uint8_t *const data = s->mine->received[wc->wr_id % DEPTH] + grh;
	struct message *m;
	uint64_t id;

	soak_check(!wc->status, "receive failed", s->recv_done);
	soak_check(wc->wr_id == s->recv_done, "receive out of order, missing or twice", wc->wr_id);
	s->recv_done++;
	id = message_of(s, wc, data);
	soak_check(id < l->count, "receive: no message of the peer's", id);
	m = &l->expected[id];
	soak_check(wc->byte_len == m->len + grh, "receive: wrong length", id);
	soak_check((m->kind == SEND) == !(wc->wc_flags & IBV_WC_WITH_IMM) && m->kind != WRITE &&
			   (m->kind == WRITE_IMM) == (wc->opcode == IBV_WC_RECV_RDMA_WITH_IMM),
		   "receive: wrong kind of completion", id);
	if (s->mode == UD)
		soak_check(wc->src_qp == s->peer.qpn, "receive: from another queue pair", id);
	if (m->kind == WRITE_IMM)
		soak_check(written(s, id, l), "write: wrong bytes", id);
	else
		soak_check(filled(data, m->len, id), "send: wrong bytes", id);
	l->came += !m->came;
	soak_check(++m->came <= l->most, "a message came too often", id);
	if (id >= l->newest) {
		l->newest = id + 1;
		__atomic_store_n(&s->mine->newest, l->newest, __ATOMIC_RELEASE);
	}
}

static int poll_both(struct lossy *l)
{
	struct side *const s = l->s;
	struct ibv_wc wc[32];
	int n = ibv_poll_cq(s->send_cq, 32, wc), total = n;

	for (int i = 0; i < n; i++) {
		soak_check(!wc[i].status, "send failed", wc[i].wr_id);
		soak_check(wc[i].wr_id == s->done, "completion out of order, missing or twice",
			   wc[i].wr_id);
		s->done++;
	}
	n = ibv_poll_cq(s->recv_cq, 32, wc);
	for (int i = 0; i < n; i++)
		check_recv(l, &wc[i]);
	if (n > 0)
		soak_post_receives(s);
	return total + n;
}

static void look_at_receiver(struct lossy *l)
{
	const uint64_t limit = __atomic_load_n(&l->s->peers->newest, __ATOMIC_ACQUIRE) + AHEAD;

	if (limit > l->limit) {
		l->limit = limit;
		l->progress_ms = now_ms();
	} else if (!l->all && now_ms() - l->progress_ms > STALL_MS) {
		l->limit += AHEAD;
		l->progress_ms = now_ms();
	}
}

static void expect(struct lossy *l)
{
	l->expected = calloc(l->count, sizeof(*l->expected));
	if (!l->expected)
		soak_die("memory");
	for (uint64_t id = 0; id < l->count; id++) {
		const struct op op = draw(l->s, &l->s->peer_random, id);

		l->expected[id] = (struct message){.kind = op.kind, .len = op.len};
		l->notified += op.kind != WRITE;
	}
}

/* Which ones are missing tells why: without faults it should be none. */
static void say(const struct lossy *l)
{
	uint64_t first = l->count, last = 0;

	for (uint64_t id = 0; id < l->count; id++) {
		if (l->expected[id].came || l->expected[id].kind == WRITE)
			continue;
		first = first < id ? first : id;
		last = id;
	}
	printf("%" PRIu64 " of %" PRIu64 " messages came", l->came, l->notified);
	if (l->came < l->notified)
		printf("; the first missing is %" PRIu64 ", the last %" PRIu64, first, last);
	printf("\n");
	fflush(stdout);
}

/* A side is through with the peer's messages when nothing more comes, or all have come. */
static bool received(const struct lossy *l, uint64_t last)
{
	if (l->all)
		return l->came == l->notified;
	return __atomic_load_n(&l->s->peers->over, __ATOMIC_ACQUIRE) &&
	       now_ms() - last >= QUIET_MS;
}

void soak_lossy(struct side *s, uint64_t count, enum soak_wire wire)
{
	struct lossy l = {.s = s,
			  .count = count,
			  .most = wire == WIRE_DUPLICATES ? 2 : 1,
			  .all = wire == WIRE_PERFECT};
	uint64_t last = now_ms();

	expect(&l);
	l.progress_ms = last;
	while (s->done < count || !received(&l, last)) {
		look_at_receiver(&l);
		while (s->next < count && s->next < l.limit && s->next - s->done < DEPTH)
			post(&l);
		if (s->done == count)
			__atomic_store_n(&s->mine->over, true, __ATOMIC_RELEASE);
		if (poll_both(&l))
			last = now_ms();
		else
			usleep(20);
		soak_check(now_ms() - last < DEADLINE * 1000u, "nothing completes any more",
			   s->done);
	}
	say(&l);
	soak_check(l.came * 2 >= l.notified, "half of the messages were lost", l.came);
	free(l.expected);
}
