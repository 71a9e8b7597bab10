/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * soak TRANSPORT RANKS SECONDS: random requests among so many processes, of which random ones are
 * killed, two at once at times, and come back, or are stopped for a while; held against a ledger
 * that outlives them all. Some requests have a wrong key, so that all four ends come up. By hand
 * for an hour.
 *
 * The ledger is memory that all processes share. It knows each message, from which process to
 * which, what its sender was told of its end, and how often it came: once if it was carried out and
 * its receiver lives, never if it was not, and to nobody else. It counts atomics in the same way;
 * and what a READ finds is what this process or a former one of its place had written there. All
 * deaths are known to all at the end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "segue/gen/peers.h"
#include "tests/runtime/peers/channel/rank.h"
#include "tests/seed/seed.h"

#define WINDOW \
	4096u /* messages of a pair that the ledger knows; those before it have been settled */
#define PIECES	  128u	/* local memory of requests to each, in turn: more than can be in flight */
#define LOOK_MS	  20	/* how often the world is asked */
#define RENEW_MS \
	100 /* what one peer may take that is to come back, before others have their turn */
#define MEET_MS	  20000
#define SETTLE_MS 40000

#define WRONG_EVERY 3000u /* requests, about: what is behind such a one is not carried out */
#define WRONG_KEY   0x5a00u

enum kind { SEND, WRITE, READ, ADD, KINDS, WRONG };

struct message {
	uint32_t from, to, from_life, to_life;
	uint64_t number;
};

struct entry {
	struct message message;
	uint32_t generation;
	uint8_t end;  /* enum segue_outcome and one more; 0: its sender was not told */
	uint8_t came; /* so often */
};

/* Of one rank to another. */
struct pair {
	struct entry entries[WINDOW];
	uint64_t messages, writes;
	/* atomics into the present process: posted, told to be carried out, and told not to be */
	uint64_t adds, adds_sure, adds_none;
	uint32_t adds_life;
};

static struct ledger {
	struct pair pairs[RANKS_MAX][RANKS_MAX]; /* from, to */
	uint32_t lives[RANKS_MAX];		 /* processes that each rank has had */
	bool up[RANKS_MAX];			 /* it has met */
	/*
	 * From the first the second is out of reach: both have to renew. Over RC the second finds
	 * that out by itself; but one DC target is for all peers, so there it has to be told.
	 */
	bool down[RANKS_MAX][RANKS_MAX];
	bool stop, settled[RANKS_MAX];
	uint64_t wrongs[RANKS_MAX];
	uint64_t ends[RANKS_MAX][5], received[RANKS_MAX], named[RANKS_MAX], renewed[RANKS_MAX];
} *ledger;

/* What peers reach of a rank: the first bytes of its memory. */
struct reach {
	uint64_t cells[RANKS_MAX], counters[RANKS_MAX]; /* by who writes */
};

static enum segue_channel_transport over;
static uint64_t state;
static uint32_t lives[RANKS_MAX];     /* of the peers, as this process knows them */
static uint64_t last[RANKS_MAX];      /* message that came of each */
/* to each: the last that was carried out, of this process into that one */
static uint64_t written[RANKS_MAX];
static uint64_t floors[RANKS_MAX * PIECES];
static uint32_t next_piece[RANKS_MAX];
static bool has_box[RANKS_MAX];
static struct message *pieces;
static struct segue_mr *pieces_mr;

static uint32_t dice(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 32) * below >> 32);
}

static struct reach *reach(void)
{
	return (struct reach *)(void *)r.memory;
}

static uint64_t *piece_at(uint32_t at)
{
	return (uint64_t *)(void *)&pieces[at];
}

/* ---- the ledger ---- */

/* All that is to be known of it is known: what this process was told, and what came of it. */
static void check_entry(const struct entry *entry, bool over_now)
{
	const struct message *m = &entry->message;
	const bool same = m->to_life == ledger->lives[m->to];

	MUST(entry->came <= 1);
	if (entry->end == SEGUE_OUTCOME_FAILED + 1 || entry->end == SEGUE_OUTCOME_NOT_EXECUTED + 1)
		MUST(!entry->came);
	if (m->from_life != lives[r.self])
		return; /* its sender has died: it came, or not */
	if (over_now && !entry->end)
		fprintf(stderr,
			"rank %u: message %" PRIu64 " to life %u of %u, generation %u, has no end; "
			"it came %u times; channel %s\n",
			r.self, m->number, m->to_life, m->to, entry->generation,
			(unsigned int)entry->came,
			segue_channel_reason(segue_multi_channel_at(r.multi, m->to)));
	MUST(entry->end || !over_now);
	/* One that dies now may have had it, and may be counted as dead a moment later. */
	if (entry->end == SEGUE_OUTCOME_EXECUTED + 1 && same && m->to_life == lives[m->to] &&
	    over_now)
		MUST(entry->came == 1);
}

static void note_end(uint32_t to, uint64_t number, uint32_t generation, enum segue_outcome end)
{
	struct entry *entry = &ledger->pairs[r.self][to].entries[number % WINDOW];

	MUST(entry->message.number == number && entry->message.from_life == lives[r.self]);
	MUST(entry->generation == generation && !entry->end);
	entry->end = (uint8_t)(end + 1);
}

static void note_message(const struct segue_wc *wc)
{
	struct message m;
	struct entry *entry;
	bool former;

	memcpy(&m, segue_multi_channel_payload(r.multi, wc), sizeof(m));
	MUST(m.from < r.count && m.to == r.self && m.to_life == lives[r.self]);
	/* From whom it says; over DC one of a former process may be under way when its place is
	 * taken: it is nobody's, then. */
	former = over == SEGUE_TRANSPORT_DC && wc->peer.index == SEGUE_PEER_NONE &&
		 m.from_life < ledger->lives[m.from];
	MUST(former || m.from == wc->peer.index);
	entry = &ledger->pairs[m.from][r.self].entries[m.number % WINDOW];
	MUST(!memcmp(&entry->message, &m, sizeof(m)));
	MUST(former || m.number > last[m.from]); /* in order */
	last[m.from] = former ? last[m.from] : m.number;
	MUST(!__atomic_fetch_add(&entry->came, 1, __ATOMIC_ACQ_REL));
	ledger->received[r.self]++;
}

static void note_add(uint32_t to, uint32_t life, enum segue_outcome end)
{
	struct pair *pair = &ledger->pairs[r.self][to];

	if (life != pair->adds_life)
		return;
	pair->adds_sure += end == SEGUE_OUTCOME_EXECUTED;
	pair->adds_none += end == SEGUE_OUTCOME_FAILED || end == SEGUE_OUTCOME_NOT_EXECUTED;
}

/* wr_id: kind, peer, 12 bits of the peer's life, and a number. */
static uint64_t id_of(enum kind kind, uint32_t to, uint64_t number)
{
	return (uint64_t)kind << 60 | (uint64_t)to << 52 | (uint64_t)(lives[to] & 0xfff) << 40 |
	       number;
}

static void on_completion(const struct segue_wc *wc, void *arg)
{
	const uint64_t number = wc->wr_id & 0xffffffffff;
	const uint32_t to = wc->wr_id >> 52 & 0xff, life = wc->wr_id >> 40 & 0xfff;
	enum segue_outcome end;

	(void)arg;
	if (segue_wc_is_receive(wc)) {
		if (!wc->syndrome)
			note_message(wc);
		segue_multi_channel_give_back(r.multi, wc);
		return;
	}
	end = segue_multi_channel_outcome(r.multi, wc);
	MUST(wc->peer.index == to && (wc->syndrome != 0) == (end != SEGUE_OUTCOME_EXECUTED));
	ledger->ends[r.self][end]++;
	switch ((enum kind)(wc->wr_id >> 60)) {
	case SEND:
		note_end(to, number, wc->peer.generation, end);
		break;
	case WRITE:
		if (end == SEGUE_OUTCOME_EXECUTED && life == lives[to])
			written[to] = number;
		break;
	case WRONG:
		MUST(end != SEGUE_OUTCOME_EXECUTED);
		break;
	case READ:
		if (end == SEGUE_OUTCOME_EXECUTED && life == lives[to])
			MUST(*piece_at((uint32_t)number) >= floors[number] &&
			     *piece_at((uint32_t)number) <= ledger->pairs[r.self][to].writes);
		break;
	default:
		note_add(to, life, end);
	}
}

/* ---- requests ---- */

static int post_message(uint32_t to, uint32_t piece, const struct segue_seg_data *entry)
{
	struct pair *pair = &ledger->pairs[r.self][to];
	struct entry *e = &pair->entries[(pair->messages + 1) % WINDOW];
	const struct message m = {r.self, to, lives[r.self], lives[to], pair->messages + 1};
	const struct segue_peer_send_imm_args args = {.wr_id = id_of(SEND, to, m.number),
						      .flags = SEGUE_SIGNALED,
						      .sges = entry,
						      .sge_count = 1,
						      .imm = segue_multi_channel_imm(r.multi)};
	int ret;

	if (e->message.number)
		check_entry(e, true);
	memset(e, 0, sizeof(*e));
	e->message = m;
	e->generation = segue_channel_peer(segue_multi_channel_at(r.multi, to)).generation;
	memcpy(piece_at(piece), &m, sizeof(m));
	ret = segue_peer_send_imm(r.multi, to, &args);
	if (ret)
		memset(e, 0, sizeof(*e));
	else
		pair->messages++;
	return ret;
}

static int post_write(uint32_t to, uint32_t piece, uint64_t cell,
		      const struct segue_seg_data *entry)
{
	struct pair *pair = &ledger->pairs[r.self][to];
	const struct segue_peer_rdma_write_args args = {.wr_id = id_of(WRITE, to, pair->writes + 1),
							.flags = SEGUE_SIGNALED,
							.remote_addr = cell,
							.rkey = r.boxes[to].key.rkey,
							.sges = entry,
							.sge_count = 1};

	*piece_at(piece) = ++pair->writes; /* a number that is not used does no harm */
	return segue_peer_rdma_write(r.multi, to, &args);
}

/* It names a region that there is not, and would write a number that nobody has. */
static int post_wrong(uint32_t to, uint32_t piece, uint64_t cell,
		      const struct segue_seg_data *entry)
{
	const struct segue_peer_rdma_write_args args = {.wr_id = id_of(WRONG, to, 0),
							.flags = SEGUE_SIGNALED,
							.remote_addr = cell,
							.rkey = r.boxes[to].key.rkey ^ WRONG_KEY,
							.sges = entry,
							.sge_count = 1};
	int ret;

	*piece_at(piece) = UINT64_MAX;
	ret = segue_peer_rdma_write(r.multi, to, &args);
	ledger->wrongs[r.self] += !ret;
	return ret;
}

static int post_read(uint32_t to, uint32_t piece, uint64_t cell, const struct segue_seg_data *entry)
{
	const struct segue_peer_rdma_read_args args = {.wr_id = id_of(READ, to, piece),
						       .flags = SEGUE_SIGNALED,
						       .remote_addr = cell,
						       .rkey = r.boxes[to].key.rkey,
						       .sges = entry,
						       .sge_count = 1};

	floors[piece] = written[to];
	return segue_peer_rdma_read(r.multi, to, &args);
}

static int post_add(uint32_t to, uint64_t counter, const struct segue_seg_data *entry)
{
	struct pair *pair = &ledger->pairs[r.self][to];
	const struct segue_peer_atomic_fa_args args = {.wr_id = id_of(ADD, to, 0),
						       .flags = SEGUE_SIGNALED,
						       .remote_addr = counter,
						       .swap_add = 1,
						       .rkey = r.boxes[to].key.rkey,
						       .addr = entry->addr,
						       .byte_count = 8,
						       .lkey = entry->lkey};
	int ret;

	if (pair->adds_life != lives[to])
		pair->adds = pair->adds_sure = pair->adds_none = 0;
	pair->adds_life = lives[to];
	pair->adds++;
	ret = segue_peer_atomic_fa(r.multi, to, &args);
	pair->adds -= ret != 0;
	return ret;
}

static void post_one(void)
{
	const uint32_t to = dice(r.count);
	const uint32_t piece = to * PIECES + next_piece[to];
	/* Over RC the queue pair fails with it, and nobody renews the one to itself. */
	const enum kind kind = dice(WRONG_EVERY) || to == r.self ? dice(KINDS) : WRONG;
	const uint64_t cell = r.boxes[to].addr + offsetof(struct reach, cells) + 8 * r.self,
		       counter = r.boxes[to].addr + offsetof(struct reach, counters) + 8 * r.self;
	const struct segue_seg_data entry = {.byte_count = kind == SEND ? sizeof(struct message)
									: 8,
					     .lkey = segue_mr_lkey(pieces_mr).lkey,
					     .addr = (uintptr_t)piece_at(piece)};
	int ret;

	if (segue_channel_state(segue_multi_channel_at(r.multi, to)) != SEGUE_CHANNEL_UP ||
	    !has_box[to])
		return;
	if (kind == SEND)
		ret = post_message(to, piece, &entry);
	else if (kind == WRITE)
		ret = post_write(to, piece, cell, &entry);
	else if (kind == WRONG)
		ret = post_wrong(to, piece, cell, &entry);
	else
		ret = kind == READ ? post_read(to, piece, cell, &entry)
				   : post_add(to, counter, &entry);
	MUST(!ret || ret == -EAGAIN || ret == -ENOSPC || ret == -ENOTCONN);
	next_piece[to] = (next_piece[to] + !ret) % PIECES;
}

/* ---- who is there ---- */

/* Its memory is another one; it says where when it has met all. */
static void begin_with(uint32_t peer)
{
	written[peer] = 0;
	has_box[peer] = false;
	ledger->renewed[r.self]++;
}

static void look_for_box(uint32_t peer)
{
	const int ret = segue_multi_channel_find(r.multi, peer, "box", segue_deadline_in_ms(1),
						 &r.boxes[peer]);

	MUST(!ret || ret == -ETIMEDOUT || ret == -ENOTCONN);
	has_box[peer] = !ret;
}

/* A death is named, and a return known by its number. */
static bool look_at(uint32_t peer)
{
	struct segue_channel *channel = segue_multi_channel_at(r.multi, peer);
	char name[32];
	uint32_t life;
	bool gone;

	MUST(!segue_world_query_gone(r.world, peer, &gone, &life));
	if (gone) {
		snprintf(name, sizeof(name), "rank %u has died", peer);
		MUST(strstr(segue_errmsg(), name));
		if (segue_channel_state(channel) != SEGUE_CHANNEL_FAILED)
			MUST(!segue_multi_channel_fail_peer(r.multi, peer, segue_errmsg()));
		return false;
	}
	if (life != lives[peer]) {
		MUST(life > lives[peer]);
		ledger->named[r.self] += life - lives[peer];
		lives[peer] = life;
		return true;
	}
	return segue_channel_state(channel) != SEGUE_CHANNEL_UP ||
	       __atomic_load_n(&ledger->down[peer][r.self], __ATOMIC_ACQUIRE);
}

/* True if all are up. */
static bool look_at_all(void)
{
	uint32_t peer;
	bool all = true;

	for (peer = 0; peer < r.count; peer++) {
		const struct segue_channel *channel = segue_multi_channel_at(r.multi, peer);
		int ret;

		if (!has_box[peer] && segue_channel_state(channel) == SEGUE_CHANNEL_UP)
			look_for_box(peer);
		if (peer == r.self || !look_at(peer)) {
			all &= segue_channel_state(channel) == SEGUE_CHANNEL_UP;
			continue;
		}
		__atomic_store_n(&ledger->down[r.self][peer], true, __ATOMIC_RELEASE);
		ret = segue_multi_channel_meet_peer(r.multi, r.world, peer,
						    segue_deadline_in_ms(RENEW_MS));
		MUST(!ret || ret == -ETIMEDOUT || ret == -ENOTCONN);
		all &= !ret;
		__atomic_store_n(&ledger->down[r.self][peer], ret != 0, __ATOMIC_RELEASE);
		/* Whoever it has met, of those that have had its place. */
		(void)look_at(peer);
		if (!ret && segue_channel_state(channel) == SEGUE_CHANNEL_UP)
			begin_with(peer);
	}
	return all;
}

static void turn(uint32_t requests)
{
	const int found = segue_multi_channel_poll_each(r.multi, 64, on_completion, NULL);

	MUST(found >= 0);
	while (requests--)
		post_one();
	if (!found)
		sched_yield();
}

/* ---- the end ---- */

static bool all_have(const bool *what)
{
	uint32_t i;

	for (i = 0; i < r.count && __atomic_load_n(&what[i], __ATOMIC_ACQUIRE); i++)
		;
	return i == r.count;
}

/* What was carried out has come, or will. */
static bool all_came(void)
{
	uint32_t to, at;

	for (to = 0; to < r.count; to++)
		for (at = 0; at < WINDOW; at++) {
			const struct entry *e = &ledger->pairs[r.self][to].entries[at];

			if (e->end == SEGUE_OUTCOME_EXECUTED + 1 &&
			    e->message.from_life == lives[r.self] &&
			    e->message.to_life == lives[to] && !e->came)
				return false;
		}
	return true;
}

static void say_what_is_not_over(void)
{
	uint32_t i;

	for (i = 0; i < r.count; i++) {
		const struct segue_channel *channel = segue_multi_channel_at(r.multi, i);

		if (segue_channel_state(channel) != SEGUE_CHANNEL_UP)
			fprintf(stderr, "rank %u: %u is not up: %s\n", r.self, i,
				segue_channel_reason(channel));
	}
	if (segue_multi_channel_drain(r.multi, SEGUE_NOW))
		fprintf(stderr, "rank %u: %s\n", r.self, segue_errmsg());
	MUST(all_came());
	_exit(1);
}

static void settle(void)
{
	const segue_deadline deadline = segue_deadline_in_ms(2 * SETTLE_MS),
			     patience = segue_deadline_in_ms(SETTLE_MS);
	uint32_t to, at;

	while (!look_at_all() || segue_multi_channel_drain(r.multi, SEGUE_NOW) || !all_came()) {
		turn(0);
		if (!segue_deadline_left_ms(patience))
			say_what_is_not_over();
	}
	for (to = 0; to < r.count; to++) {
		MUST(lives[to] == ledger->lives[to]);
		for (at = 0; at < WINDOW; at++)
			if (ledger->pairs[r.self][to].entries[at].message.number)
				check_entry(&ledger->pairs[r.self][to].entries[at], true);
	}
	__atomic_store_n(&ledger->settled[r.self], true, __ATOMIC_RELEASE);
	while (!all_have(ledger->settled)) {
		turn(0);
		(void)look_at_all(); /* somebody may have been out of reach of somebody else */
		MUST(segue_deadline_left_ms(deadline));
	}
}

static void check_adds(void)
{
	uint32_t from;

	for (from = 0; from < r.count; from++) {
		const struct pair *pair = &ledger->pairs[from][r.self];
		const uint64_t count = reach()->counters[from];

		MUST(reach()->cells[from] <= pair->writes); /* no wrong one has come through */
		if (pair->adds_life != lives[r.self])
			continue;
		MUST(count >= pair->adds_sure && count <= pair->adds - pair->adds_none);
	}
}

/* Some of the others may be stopped, or dead: who was not met is met later. */
static void meet(void)
{
	struct segue_multi_channel_options options = {
		.transport = over,
		.max_send_wr = 32,
		.handler = on_completion,
		.keepalive_ms = 500 /* one whose peer begins anew hears of it */};
	struct segue_mr_options attr = {.length = RANKS_MAX * PIECES * sizeof(*pieces),
					.access = SEGUE_ACCESS_LOCAL_WRITE};
	struct segue_remote_buf box;
	int ret;

	open_queues(&options);
	alarm(0);
	attr.addr = pieces = aligned_alloc(4096, attr.length);
	MUST(pieces && !segue_mr_open(r.pd, &attr, &pieces_mr));
	MUST(!segue_mr_remote_buf(r.mr, 0, PARTS * RANKS_MAX * SLOT, &box));
	do
		ret = segue_multi_channel_meet(r.multi, r.world, "soak",
					       segue_deadline_in_ms(MEET_MS));
	while (ret == -ENOTCONN);
	MUST(!ret || (ret == -ETIMEDOUT && segue_world_incarnation(r.world) > 1));
	MUST(!segue_multi_channel_publish(r.multi, "box", &box));
}

static int run_rank(void)
{
	segue_deadline look = SEGUE_NOW;
	uint32_t i;

	r.self = (uint32_t)atoi(getenv("SEGUE_RANK"));
	lives[r.self] = ledger->lives[r.self]; /* messages come as soon as one other has met this */
	meet();
	state = segue_test_seed() * (r.self + 1) + segue_world_incarnation(r.world);
	for (i = 0; i < r.count; i++) {
		bool gone;

		MUST(!segue_world_query_gone(r.world, i, &gone, &lives[i]));
		if (segue_channel_state(segue_multi_channel_at(r.multi, i)) == SEGUE_CHANNEL_UP)
			begin_with(i);
	}
	MUST(lives[r.self] == segue_world_incarnation(r.world));
	__atomic_store_n(&ledger->up[r.self], true, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&ledger->stop, __ATOMIC_ACQUIRE)) {
		if (!segue_deadline_left_ms(look)) {
			(void)look_at_all();
			look = segue_deadline_in_ms(LOOK_MS);
		}
		turn(dice(4));
	}
	settle();
	check_adds();
	MUST(!segue_world_fence(r.world, soon()));
	close_rank();
	return 0;
}

/* ---- fate: the process that starts them ---- */

static pid_t pids[RANKS_MAX];
static uint32_t n_ranks;
static uint64_t kills, stops;

static void fail(const char *what, uint32_t rank, int status)
{
	uint32_t i;

	fprintf(stderr, "rank %u %s, status 0x%x\n", rank, what, (unsigned int)status);
	for (i = 0; i < n_ranks; i++)
		(void)kill(pids[i], SIGKILL);
	exit(1);
}

static void begin_life(uint32_t rank)
{
	__atomic_store_n(&ledger->up[rank], false, __ATOMIC_RELEASE);
	memset(ledger->down[rank], 0, sizeof(ledger->down[rank]));
	ledger->lives[rank]++;
	pids[rank] = start_rank(rank, run_rank);
}

/* Nobody ends by itself. */
static void look_after(void)
{
	uint32_t rank;
	int status;

	for (rank = 0; rank < n_ranks; rank++)
		if (waitpid(pids[rank], &status, WNOHANG) == pids[rank])
			fail("has ended", rank, status);
}

static void await_all_up(void)
{
	/* it says itself whom it misses */
	const segue_deadline deadline = segue_deadline_in_ms(2 * WAIT_MS);
	uint32_t rank;

	for (rank = 0; rank < n_ranks; rank++)
		while (!__atomic_load_n(&ledger->up[rank], __ATOMIC_ACQUIRE)) {
			look_after();
			usleep(1000);
			if (!segue_deadline_left_ms(deadline))
				fail("has not met the others", rank, 0);
		}
}

/* Rank 0 has the rendezvous: it is not killed, but stopped as any other. */
static void kill_some(uint32_t count)
{
	uint32_t victims[2], i;
	int status;

	victims[0] = 1 + dice(n_ranks - 1);
	victims[1] = 1 + victims[0] % (n_ranks - 1);
	for (i = 0; i < count; i++)
		(void)kill(pids[victims[i]], SIGKILL);
	for (i = 0; i < count; i++)
		if (waitpid(pids[victims[i]], &status, 0) != pids[victims[i]] ||
		    !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
			fail("ended before it was killed", victims[i], status);
	usleep(dice(300000));
	for (i = 0; i < count; i++)
		begin_life(victims[i]);
	kills += count;
}

static void stop_one(void)
{
	const uint32_t rank = dice(n_ranks);

	(void)kill(pids[rank], SIGSTOP);
	usleep(10000 + dice(dice(8) ? 200000 : 2000000));
	(void)kill(pids[rank], SIGCONT);
	stops++;
}

static void one_fate(void)
{
	usleep(dice(1000000));
	look_after();
	switch (dice(4)) {
	case 0:
		kill_some(2);
		break;
	case 1:
		kill_some(1);
		break;
	default:
		stop_one();
		return;
	}
	await_all_up();
}

static void report(uint64_t seconds)
{
	uint64_t ends[5] = {0}, received = 0, named = 0, renewed = 0, wrongs = 0;
	uint32_t rank, i;

	for (rank = 0; rank < n_ranks; rank++) {
		for (i = 0; i < 5; i++)
			ends[i] += ledger->ends[rank][i];
		wrongs += ledger->wrongs[rank];
		received += ledger->received[rank];
		named += ledger->named[rank];
		renewed += ledger->renewed[rank];
	}
	/* Each end has come up, so what the books say is true of each. */
	if (wrongs && (!ends[SEGUE_OUTCOME_FAILED] || !ends[SEGUE_OUTCOME_NOT_EXECUTED]))
		fail("and the others had none that failed, or was not carried out", 0, 0);
	printf("%u ranks, %llu s: %llu requests carried out, %llu failed, %llu not carried out, "
	       "%llu unknown; %llu wrong keys; %llu messages came; %llu deaths, known "
	       "%llu times; %llu stops; %llu times met; none lost, doubled or of somebody else\n",
	       n_ranks, (unsigned long long)seconds,
	       (unsigned long long)ends[SEGUE_OUTCOME_EXECUTED],
	       (unsigned long long)ends[SEGUE_OUTCOME_FAILED],
	       (unsigned long long)ends[SEGUE_OUTCOME_NOT_EXECUTED],
	       (unsigned long long)ends[SEGUE_OUTCOME_UNKNOWN], (unsigned long long)wrongs,
	       (unsigned long long)received, (unsigned long long)kills, (unsigned long long)named,
	       (unsigned long long)stops, (unsigned long long)renewed);
}

int main(int argc, char **argv)
{
	uint32_t rank;
	uint64_t seconds;
	segue_deadline end;
	int status;

	if (argc != 4 || atoi(argv[2]) < 3 || atoi(argv[2]) > RANKS_MAX) {
		fprintf(stderr, "usage: soak rc|dc RANKS SECONDS; 3 to %d ranks\n", RANKS_MAX);
		return 2;
	}
	over = strcmp(argv[1], "dc") ? SEGUE_TRANSPORT_RC : SEGUE_TRANSPORT_DC;
	n_ranks = (uint32_t)atoi(argv[2]);
	seconds = strtoull(argv[3], NULL, 10);
	state = segue_test_seed();
	ledger = mmap(NULL, sizeof(*ledger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (ledger == MAP_FAILED || prepare_world(n_ranks))
		return 2;
	for (rank = 0; rank < n_ranks; rank++)
		begin_life(rank);
	await_all_up();
	for (end = segue_deadline_in_ms(seconds * 1000); segue_deadline_left_ms(end);)
		one_fate();
	await_all_up();
	__atomic_store_n(&ledger->stop, true, __ATOMIC_RELEASE);
	for (rank = 0; rank < n_ranks; rank++)
		if (waitpid(pids[rank], &status, 0) != pids[rank] || status)
			fail("ended badly", rank, status);
	report(seconds);
	return 0;
}
