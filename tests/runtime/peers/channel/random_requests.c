/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * random TRANSPORT OPERATIONS: random requests among a few multi-channels of one process, on a wire
 * that loses, repeats and reorders packets, while sides die, come back, and cut their channels;
 * held against a ledger.
 *
 * The ledger knows, of each request, who posted it to which process of whom, and what the library
 * said of its end. Memory of all sides can be looked at, so whatever is said is compared with what
 * is there: what was carried out has been, once; what failed or was not carried out has not been;
 * what is unknown may have been, once. A completion names its peer and generation, and comes once.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/device.h"
#include "segue/gen/peers.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "tests/seed/seed.h"

#define SIDES	    4u
#define CELLS	    16u   /* that each side writes to in each other's memory */
#define PIECES	    4096u /* local memory of requests, in turn */
#define WAIT_MS	    10000
#define MULTIPLE    6364136223846793005u
#define DEATH_EVERY 20000u /* requests, about */
#define CUT_EVERY   10000u
#define WRONG_EVERY 3000u

enum kind { SEND, WRITE, WRITE_IMM, READ, ADD, KINDS };

struct request {
	uint8_t kind, from, to;
	uint8_t end;  /* enum segue_outcome and one more; 0: none yet */
	uint8_t came; /* messages: so often */
	uint8_t cell;
	bool silent, wrong, lost; /* lost: its side died before it was told */
	uint16_t generation;
	uint32_t from_life, to_life;
	/* piece of local memory 63:48; READ: what was there when it was posted 47:0 */
	uint64_t floor;
};

/* What peers reach of a side. */
struct memory {
	uint64_t cells[SIDES][CELLS];	/* by who writes */
	uint64_t imm_cells[SIDES];
	uint64_t counters[SIDES];
	uint64_t pieces[PIECES];
};

static struct side {
	struct segue_pd *pd;
	struct segue_mr *mr;
	struct segue_multi_channel *multi;
	struct memory *memory;
	struct segue_remote_buf remote;
	uint32_t index, life, next_piece;
	bool dead;
	uint32_t life_of[SIDES];	 /* of the peer, as this side knows it */
	uint64_t last_message[SIDES];    /* id of the last one that came from each */
	/* WRITE_IMM messages that came from each present process */
	uint64_t imms[SIDES];
	uint64_t imms_sure[SIDES], imms_perhaps[SIDES]; /* of those to each, from this process */
	uint64_t adds_sure[SIDES], adds_perhaps[SIDES]; /* from each, into this process */
	uint64_t last_add[SIDES];
} sides[SIDES];

static struct request *requests;
static uint64_t n_requests, wanted, ends[5], deaths, cuts, wrongs, busy, late;
static struct segue_device *device;
static enum segue_channel_transport over;
static uint64_t state;

#define MUST(condition)                                                                      \
	do {                                                                                 \
		if (!(condition)) {                                                          \
			fprintf(stderr, "line %d, request %llu: %s: %s\n", __LINE__,         \
				(unsigned long long)n_requests, #condition, segue_errmsg()); \
			exit(1);                                                             \
		}                                                                            \
	} while (0)

static uint32_t dice(uint32_t below)
{
	state = state * MULTIPLE + 1442695040888963407u;
	return (uint32_t)((state >> 32) * below >> 32);
}

static segue_deadline soon(void)
{
	return segue_deadline_in_ms(WAIT_MS);
}

static void inject(const char *line)
{
	int (*call)(const char *);

	*(void **)&call = dlsym(RTLD_DEFAULT, "softhca_inject");
	MUST(call && !call(line));
}

/* ---- the ledger ---- */

/* The process that it was posted to still lives. */
static bool is_same(const struct request *q)
{
	return !sides[q->to].dead && sides[q->to].life == q->to_life;
}

static uint64_t *cell_of(const struct request *q)
{
	struct memory *memory = sides[q->to].memory;

	return q->kind == WRITE_IMM ? &memory->imm_cells[q->from]
				    : &memory->cells[q->from][q->cell];
}

static uint64_t piece_of(uint64_t id)
{
	return sides[requests[id].from].memory->pieces[requests[id].floor >> 48];
}

static void check_write(uint64_t id, enum segue_outcome end)
{
	const struct request *q = &requests[id];

	if (!is_same(q))
		return;
	if (end == SEGUE_OUTCOME_EXECUTED)
		MUST(*cell_of(q) >= id); /* numbers grow, and a queue writes in order */
	if (end == SEGUE_OUTCOME_FAILED || end == SEGUE_OUTCOME_NOT_EXECUTED)
		MUST(*cell_of(q) != id);
}

static void note_add(uint64_t id, enum segue_outcome end)
{
	struct request *q = &requests[id];
	struct side *to = &sides[q->to];

	if (!is_same(q))
		return;
	if (end == SEGUE_OUTCOME_UNKNOWN)
		to->adds_perhaps[q->from]++;
	if (end != SEGUE_OUTCOME_EXECUTED)
		return;
	to->adds_sure[q->from]++;
	if (q->silent)
		return;
	/* Each found what those before had left. */
	MUST(piece_of(id) + 1 > to->last_add[q->from]);
	to->last_add[q->from] = piece_of(id) + 1;
}

static void note_end(uint64_t id, enum segue_outcome end)
{
	struct request *q = &requests[id];

	MUST(!q->end && !q->lost);
	q->end = (uint8_t)(end + 1);
	ends[end]++;
	MUST(!(q->wrong && end == SEGUE_OUTCOME_EXECUTED));
	if (q->wrong)
		return;
	if (q->kind == WRITE || q->kind == WRITE_IMM)
		check_write(id, end);
	if (q->kind == WRITE_IMM && is_same(q)) {
		sides[q->from].imms_sure[q->to] += end == SEGUE_OUTCOME_EXECUTED;
		sides[q->from].imms_perhaps[q->to] += end == SEGUE_OUTCOME_UNKNOWN;
	}
	/* A WRITE behind an unfenced READ may be there first (IBTA vol. 1, 10.8.3.3), above all if
	 * the READ is repeated. */
	if (q->kind == READ && end == SEGUE_OUTCOME_EXECUTED && !q->silent && is_same(q))
		MUST(piece_of(id) >= (q->floor & 0xffffffffffff) && piece_of(id) < n_requests);
	if (q->kind == ADD)
		note_add(id, end);
}

static bool is_of_former(const struct side *side, uint32_t imm)
{
	return (imm & SEGUEI_TAG_INDEX) < SIDES && imm >> SEGUEI_TAG_SHIFT &&
	       imm >> SEGUEI_TAG_SHIFT < side->life_of[imm & SEGUEI_TAG_INDEX];
}

/* A message has come to a side. */
static void note_message(struct side *side, const struct segue_wc *wc)
{
	const uint32_t from = wc->peer.index;
	uint64_t id;

	/* Over DC a message of a former process may be under way when its place is taken: it is
	 * nobody's, not the new one's. */
	if (over == SEGUE_TRANSPORT_DC && from == SEGUE_PEER_NONE && is_of_former(side, wc->imm)) {
		late++;
		return;
	}
	MUST(from < SIDES);
	if (wc->opcode == SEGUE_CQE_OPCODE_RESP_WR_IMM) {
		side->imms[from]++;
		return;
	}
	MUST(wc->byte_len == sizeof(id));
	memcpy(&id, segue_multi_channel_payload(side->multi, wc), sizeof(id));
	MUST(id < n_requests && requests[id].kind == SEND);
	MUST(requests[id].from == from && requests[id].to == side->index);
	MUST(requests[id].to_life == side->life && requests[id].from_life == side->life_of[from]);
	MUST(++requests[id].came == 1);
	MUST(id + 1 > side->last_message[from]); /* in order */
	side->last_message[from] = id + 1;
}

static void on_completion(const struct segue_wc *wc, void *arg)
{
	struct side *side = arg;
	const struct request *q;

	if (segue_wc_is_receive(wc)) {
		if (!wc->syndrome)
			note_message(side, wc);
		segue_multi_channel_give_back(side->multi, wc);
		return;
	}
	MUST(wc->wr_id < n_requests);
	q = &requests[wc->wr_id];
	MUST(q->from == side->index && q->from_life == side->life);
	MUST(wc->peer.index == q->to && wc->peer.generation == q->generation);
	MUST(!q->silent || wc->syndrome);
	note_end(wc->wr_id, segue_multi_channel_outcome(side->multi, wc));
}

/* ---- sides ---- */

static void open_side(struct side *side)
{
	struct segue_multi_channel_options options = {.transport = over,
						      .peers = SIDES,
						      .self = side->index,
						      .life = ++side->life,
						      .max_send_wr = 32,
						      .receives = 64,
						      .receive_size = 64,
						      .imm_names_sender = over ==
									  SEGUE_TRANSPORT_DC,
						      .handler = on_completion,
						      .arg = side};
	struct segue_mr_options attr = {
		.addr = side->memory,
		.length = sizeof(*side->memory),
		.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
			  SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_ATOMIC,
	};
	struct segue_path path;

	memset(side->memory, 0, sizeof(*side->memory));
	memset(side->last_message, 0, sizeof(side->last_message));
	memset(side->imms, 0, sizeof(side->imms));
	memset(side->adds_sure, 0, sizeof(side->adds_sure));
	memset(side->adds_perhaps, 0, sizeof(side->adds_perhaps));
	memset(side->last_add, 0, sizeof(side->last_add));
	memset(side->imms_sure, 0, sizeof(side->imms_sure));
	memset(side->imms_perhaps, 0, sizeof(side->imms_perhaps));
	MUST(!segue_pd_open(device, &side->pd));
	MUST(!segue_mr_open(side->pd, &attr, &side->mr));
	MUST(!segue_mr_remote_buf(side->mr, 0, attr.length, &side->remote));
	MUST(!segue_path_init(&path, device, 1));
	path.timeout = 10; /* 4 ms */
	path.retry_cnt = 7;
	path.rnr_retry = 7;
	path.min_rnr_timer = 1;
	options.path = &path;
	options.dcis = over == SEGUE_TRANSPORT_DC ? 2 : 0;
	MUST(!segue_multi_channel_open(side->pd, &options, &side->multi));
	side->dead = false;
}

/* Both sides know that nothing of the former channel counts any more. */
static void forget_channel(struct side *a, struct side *b)
{
	/* Messages that WRITEs with immediate left are counted by process. */
	if (a->life_of[b->index] == b->life)
		return;
	a->life_of[b->index] = b->life;
	a->last_message[b->index] = 0;
	a->imms[b->index] = 0;
	a->imms_sure[b->index] = a->imms_perhaps[b->index] = 0;
}

static void connect(struct side *a, struct side *b)
{
	struct segue_endpoint of_a, of_b;

	MUST(!segue_multi_channel_endpoint(a->multi, b->index, &of_a));
	MUST(!segue_multi_channel_endpoint(b->multi, a->index, &of_b));
	forget_channel(a, b);
	forget_channel(b, a);
	MUST(!segue_multi_channel_connect_peer(a->multi, b->index, &of_b));
	if (a != b)
		MUST(!segue_multi_channel_connect_peer(b->multi, a->index, &of_a));
}

static void restart(struct side *a, struct side *b)
{
	MUST(!segue_multi_channel_restart_peer(a->multi, b->index, soon()));
	if (a != b)
		MUST(!segue_multi_channel_restart_peer(b->multi, a->index, soon()));
	connect(a, b);
	cuts++;
}

/* As when a process is killed: nobody is told, nothing is waited for. */
static void kill_side(struct side *side)
{
	uint64_t id;

	MUST(!segue_pd_close(side->pd));
	side->dead = true;
	deaths++;
	for (id = 0; id < n_requests; id++)
		if (requests[id].from == side->index && !requests[id].end)
			requests[id].lost = true;
}

static void revive(struct side *side)
{
	uint32_t i;

	open_side(side);
	for (i = 0; i < SIDES; i++) {
		if (sides[i].dead)
			continue;
		if (&sides[i] != side)
			MUST(!segue_multi_channel_restart_peer(sides[i].multi, side->index,
							       soon()));
		connect(side, &sides[i]);
	}
}

static bool is_failed(const struct side *a, const struct side *b)
{
	return segue_channel_state(segue_multi_channel_at(a->multi, b->index)) != SEGUE_CHANNEL_UP;
}

static void heal_pair(struct side *a, struct side *b)
{
	if (!a->dead && !b->dead && (is_failed(a, b) || is_failed(b, a)))
		restart(a, b);
}

static void poll_all(void)
{
	uint32_t i;

	for (i = 0; i < SIDES; i++)
		if (!sides[i].dead)
			MUST(segue_multi_channel_poll_each(sides[i].multi, (int)dice(32) + 1,
							   on_completion, &sides[i]) >= 0);
}

/* ---- requests ---- */

static struct segue_seg_data local_of(struct side *side, uint32_t piece)
{
	const struct segue_seg_data entry = {.byte_count = sizeof(uint64_t),
					     .lkey = segue_mr_lkey(side->mr).lkey,
					     .addr = (uintptr_t)&side->memory->pieces[piece]};

	return entry;
}

static uint64_t there(const struct side *to, const void *what)
{
	return to->remote.addr + (uint64_t)((const uint8_t *)what - (const uint8_t *)to->memory);
}

static int post(struct side *from, struct side *to, uint64_t id, const struct segue_seg_data *entry)
{
	const struct request *q = &requests[id];
	const uint32_t flags = q->silent ? 0 : SEGUE_SIGNALED,
		       rkey = to->remote.key.rkey ^ (q->wrong ? 0x5a00u : 0);
	const uint64_t cell = there(to, cell_of(q));
	const struct segue_peer_send_imm_args send = {.wr_id = id,
						      .flags = flags,
						      .imm = segue_multi_channel_imm(from->multi),
						      .sges = entry,
						      .sge_count = 1};
	const struct segue_peer_rdma_write_args write = {.wr_id = id,
							 .flags = flags,
							 .remote_addr = cell,
							 .rkey = rkey,
							 .sges = entry,
							 .sge_count = 1};
	const struct segue_peer_rdma_write_imm_args write_imm = {.wr_id = id,
								 .flags = flags,
								 .imm = send.imm,
								 .remote_addr = cell,
								 .rkey = rkey,
								 .sges = entry,
								 .sge_count = 1};
	const struct segue_peer_rdma_read_args read = {.wr_id = id,
						       .flags = flags,
						       .remote_addr = cell,
						       .rkey = rkey,
						       .sges = entry,
						       .sge_count = 1};
	const struct segue_peer_atomic_fa_args add = {
		.wr_id = id,
		.flags = flags,
		.remote_addr = there(to, &to->memory->counters[q->from]),
		.rkey = rkey,
		.swap_add = 1,
		.addr = entry->addr,
		.byte_count = 8,
		.lkey = entry->lkey};

	switch (q->kind) {
	case SEND:
		return segue_peer_send_imm(from->multi, to->index, &send);
	case WRITE:
		return segue_peer_rdma_write(from->multi, to->index, &write);
	case WRITE_IMM:
		return segue_peer_rdma_write_imm(from->multi, to->index, &write_imm);
	case READ:
		return segue_peer_rdma_read(from->multi, to->index, &read);
	default:
		return segue_peer_atomic_fa(from->multi, to->index, &add);
	}
}

static void draw(struct request *q, struct side *from, struct side *to)
{
	memset(q, 0, sizeof(*q));
	q->kind = (uint8_t)dice(KINDS);
	q->from = (uint8_t)from->index;
	q->to = (uint8_t)to->index;
	q->cell = (uint8_t)dice(CELLS);
	q->silent = dice(4) == 0;
	q->wrong = q->kind != SEND && dice(WRONG_EVERY) == 0;
	q->from_life = from->life;
	q->to_life = to->life;
	q->generation = (uint16_t)segue_channel_peer(segue_multi_channel_at(from->multi, to->index))
				.generation;
}

/* 0, or what the post says. */
static int one(struct side *from, struct side *to)
{
	const uint32_t piece = from->next_piece;
	const uint64_t id = n_requests;
	struct segue_seg_data entry;
	struct request *q = &requests[id];
	int ret;

	draw(q, from, to);
	from->memory->pieces[piece] = id;
	q->floor = (uint64_t)piece << 48 | (q->kind == READ ? *cell_of(q) : 0);
	entry = local_of(from, piece);
	n_requests++;
	ret = post(from, to, id, &entry);
	if (ret) {
		n_requests--;
		return ret;
	}
	wrongs += q->wrong;
	from->next_piece = (piece + 1) % PIECES;
	return 0;
}

static struct side *living(void)
{
	struct side *side;

	do
		side = &sides[dice(SIDES)];
	while (side->dead);
	return side;
}

static uint32_t count_dead(void)
{
	uint32_t i, dead = 0;

	for (i = 0; i < SIDES; i++)
		dead += sides[i].dead;
	return dead;
}

static struct side *first_dead(void)
{
	uint32_t i;

	for (i = 0; i < SIDES && !sides[i].dead; i++)
		;
	return &sides[i % SIDES];
}

/* What happens beside requests. */
static void fate(void)
{
	if (dice(DEATH_EVERY) == 0 && count_dead() < SIDES - 2)
		kill_side(living());
	if (count_dead() && dice(DEATH_EVERY / 8) == 0)
		revive(first_dead());
	if (dice(CUT_EVERY) == 0)
		restart(living(), living());
	if (dice(50) == 0)
		heal_pair(living(), living());
}

static void one_in_turn(void)
{
	struct side *from = living(), *to = &sides[dice(SIDES)];
	const int ret = one(from, to);

	MUST(!ret || ret == -EAGAIN || ret == -ENOSPC || ret == -ENOTCONN);
	if (ret == -ENOTCONN)
		MUST(is_failed(from, to));
	busy += ret == -EAGAIN || ret == -ENOSPC;
	if (ret || dice(4) == 0)
		poll_all();
	if (!ret || dice(64) == 0) /* where all are stuck, somebody must come back */
		fate();
}

/* ---- the end ---- */

/* Until nothing is in flight. All poll, as who waits for a receive depends on the other. */
static void settle(void)
{
	const segue_deadline deadline = soon();
	uint32_t i;

	for (i = 0; i < SIDES; i++) {
		while (segue_multi_channel_drain(sides[i].multi, SEGUE_NOW)) {
			poll_all();
			if (!segue_deadline_left_ms(deadline))
				MUST(!segue_multi_channel_drain(sides[i].multi, SEGUE_NOW));
		}
	}
	for (i = 0; i < 1000; i++) /* what came with the last completions */
		poll_all();
}

/* Until something that signals, and is not refused, is behind the silent requests from one to
 * another. */
static void post_last(struct side *from, struct side *to)
{
	const segue_deadline deadline = soon();
	int ret = -EAGAIN;

	while (ret || requests[n_requests - 1].silent || requests[n_requests - 1].wrong) {
		MUST(segue_deadline_left_ms(deadline));
		poll_all();
		heal_pair(from, to);
		ret = one(from, to);
		MUST(!ret || ret == -EAGAIN || ret == -ENOSPC || ret == -ENOTCONN);
	}
}

/* A silent request is done if one behind it is that was posted to the same process in the same
 * generation, and nobody said otherwise. */
static void end_silent(void)
{
	static uint32_t carried[SIDES][SIDES], generation[SIDES][SIDES], life[SIDES][SIDES];
	uint64_t id;

	for (id = n_requests; id-- > 0;) {
		struct request *q = &requests[id];
		const bool same = carried[q->from][q->to] &&
				  generation[q->from][q->to] == q->generation &&
				  life[q->from][q->to] == q->from_life;

		if (q->end == SEGUE_OUTCOME_EXECUTED + 1) {
			carried[q->from][q->to] = 1;
			generation[q->from][q->to] = q->generation;
			life[q->from][q->to] = q->from_life;
		} else if (q->silent && !q->end && !q->lost) {
			note_end(id, same ? SEGUE_OUTCOME_EXECUTED : SEGUE_OUTCOME_UNKNOWN);
		}
	}
}

static void check_request(const struct request *q)
{
	MUST(q->end || q->lost);
	if (q->kind != SEND)
		return;
	if (q->end == SEGUE_OUTCOME_FAILED + 1 || q->end == SEGUE_OUTCOME_NOT_EXECUTED + 1)
		MUST(!q->came);
	if (q->end == SEGUE_OUTCOME_EXECUTED + 1 && is_same(q))
		MUST(q->came == 1);
}

static void check_counts(const struct side *a, const struct side *b)
{
	const uint64_t added = a->memory->counters[b->index];

	/* b's into a; those of b's former processes are told by nobody. */
	MUST(b->life == 1 ? added >= a->adds_sure[b->index] &&
				    added <= a->adds_sure[b->index] + a->adds_perhaps[b->index]
			  : added >= a->adds_sure[b->index]);
	MUST(a->imms[b->index] >= b->imms_sure[a->index]);
	MUST(a->imms[b->index] <= b->imms_sure[a->index] + b->imms_perhaps[a->index]);
}

static void check_ledger(void)
{
	uint64_t id;
	uint32_t i;

	end_silent();
	for (id = 0; id < n_requests; id++)
		check_request(&requests[id]);
	for (i = 0; i < SIDES * SIDES; i++)
		check_counts(&sides[i / SIDES], &sides[i % SIDES]);
}

int main(int argc, char **argv)
{
	struct timespec before, now;
	uint32_t i, j;

	if (argc != 3 || (strcmp(argv[1], "rc") && strcmp(argv[1], "dc"))) {
		fprintf(stderr, "usage: random rc|dc OPERATIONS\n");
		return 2;
	}
	state = segue_test_seed();
	over = strcmp(argv[1], "dc") ? SEGUE_TRANSPORT_RC : SEGUE_TRANSPORT_DC;
	wanted = strtoull(argv[2], NULL, 10);
	requests = calloc(wanted + 65536, sizeof(*requests));
	MUST(requests && !segue_device_open(NULL, &device));
	inject("drop 0.1%");
	inject("duplicate 0.1%");
	inject("reorder 0.1% 3");
	inject("delay 0.05% 300us");
	inject("rnr 0.05%");
	clock_gettime(CLOCK_MONOTONIC, &before);
	for (i = 0; i < SIDES; i++) {
		sides[i].index = i;
		sides[i].memory = aligned_alloc(4096, (sizeof(struct memory) + 4095) / 4096 * 4096);
		MUST(sides[i].memory);
		open_side(&sides[i]);
	}
	for (i = 0; i < SIDES; i++)
		for (j = i; j < SIDES; j++)
			connect(&sides[i], &sides[j]);
	while (n_requests < wanted)
		one_in_turn();
	while (count_dead())
		revive(first_dead());
	for (i = 0; i < SIDES * SIDES; i++)
		heal_pair(&sides[i / SIDES], &sides[i % SIDES]);
	for (i = 0; i < SIDES * SIDES; i++)
		post_last(&sides[i / SIDES], &sides[i % SIDES]);
	inject("clear");
	settle();
	check_ledger();
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%llu requests over %s in %.1f s: %llu carried out, %llu failed, %llu not carried "
	       "out, %llu unknown; %llu deaths, %llu cuts, "
	       "%llu wrong keys, %llu times busy, %llu late messages\n",
	       (unsigned long long)n_requests, argv[1],
	       (double)(now.tv_sec - before.tv_sec) + (double)(now.tv_nsec - before.tv_nsec) / 1e9,
	       (unsigned long long)ends[SEGUE_OUTCOME_EXECUTED],
	       (unsigned long long)ends[SEGUE_OUTCOME_FAILED],
	       (unsigned long long)ends[SEGUE_OUTCOME_NOT_EXECUTED],
	       (unsigned long long)ends[SEGUE_OUTCOME_UNKNOWN], (unsigned long long)deaths,
	       (unsigned long long)cuts, (unsigned long long)wrongs, (unsigned long long)busy,
	       (unsigned long long)late);
	MUST(!segue_device_close(device));
	return 0;
}
