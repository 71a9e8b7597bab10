/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cost of posting to one of many peers, and of finding the peer of a completion, beside the same on
 * a queue at hand.
 *
 * peer_posts WHAT PEERS [WHAT PEERS]... prints how often it did each within measured(), for an
 * instrument that counts there up to counted(). WHAT: rc, dc, poll are by peer. rc-direct,
 * dc-direct, poll-direct are not. Peers come in random order. Over DC each has its DCI already, so
 * finding one is not measured. Rings are plain memory and completions are written by hand, so it
 * runs without any device.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/gen/peers.h"

#define ENTRIES	 4096u
#define ROUNDS	 2048u
#define BATCH	 16u /* operations per round, limited by one queue's room */
#define BLOCKS	 64u
#define FIRST	 0x1234u
#define MULTIPLE 6364136223846793005u

union any_sq {
	struct segue_rc_sq rc;
	struct segue_dci_sq dci;
	struct segue_sq sq;
};

struct peer {
	union any_sq queue;
	struct seguei_dci dci;
	struct seguei_owner owner;
	struct segue_sq_slot slots[BLOCKS];
	uint32_t dbrec;
};

static struct {
	_Alignas(64) uint8_t cqes[ENTRIES * SEGUE_CQE_SIZE];
	_Alignas(64) uint8_t ring[BLOCKS * 64]; /* all queues build there, because it is never
						   read */
	uint64_t uar[8];
	uint32_t dbrec[2];
	struct segue_cq cq;
	struct segue_pool pool; /* without buffers that wait to be posted */
	uint32_t pi;
} memory;

static struct segue_multi_channel multi;
static struct peer *peers;
static uint32_t order[BATCH];
static uint64_t total; /* so that nothing is optimised away */

/* Not known to the compiler, as in a program. */
static volatile struct {
	uint64_t addr, remote_addr;
	uint32_t length, lkey, rkey;
} request = {0x1000, 0x2000, 64, 1, 2};

__attribute__((noreturn)) static void die(const char *what)
{
	fprintf(stderr, "peer_posts: %s: %s\n", what, segue_errmsg());
	exit(1);
}

static uint64_t state;

static uint32_t dice(uint32_t below)
{
	state = state * MULTIPLE + 1;
	return (uint32_t)((state >> 32) * below >> 32);
}

static void open_all(enum segue_channel_transport over, uint32_t count)
{
	const struct segue_cq_init_options attr = {.buf = memory.cqes,
						   .cqe_cnt = ENTRIES,
						   .cqe_size = SEGUE_CQE_SIZE,
						   .dbrec = memory.dbrec};

	memset(&memory, 0, sizeof(memory));
	memset(&multi, 0, sizeof(multi));
	state = 1;
	memset(memory.cqes, SEGUE_CQE_OPCODE_INVALID << 4, sizeof(memory.cqes));
	peers = calloc(count, sizeof(*peers));
	multi.channels = calloc(count, sizeof(*multi.channels));
	if (!peers || !multi.channels || segue_cq_init(&memory.cq, &attr))
		die("memory");
	multi.count = count;
	multi.transport = over;
	multi.cq = &memory.cq;
	multi.pool = &memory.pool;
}

static void open_peer(uint32_t i)
{
	struct peer *peer = &peers[i];
	struct segue_channel *channel = &multi.channels[i];
	const struct segue_sq_init_options attr = {.buf = memory.ring,
						   .wqe_cnt = BLOCKS,
						   .max_wqe_units = 8,
						   .dbrec = &peer->dbrec,
						   .bf_reg = memory.uar,
						   .qpn = FIRST + i,
						   .slots = peer->slots};
	const struct segue_cq_queue queue = {
		.number = FIRST + i, .sq = &peer->queue.sq, .context = &peer->owner};

	if (segue_sq_init(&peer->queue.sq, &attr) || segue_cq_attach(&memory.cq, &queue))
		die("queue pair");
	channel->sq = &peer->queue.sq;
	channel->index = i;
	channel->tag = 1u << SEGUEI_TAG_SHIFT | i;
	channel->multi = &multi;
	channel->dci = &peer->dci;
	channel->number = i;
	channel->key = i;
	peer->dci.sq = &peer->queue.sq;
	peer->dci.tag = channel->tag;
	peer->owner.multi = &multi;
	peer->owner.channel = channel;
	peer->owner.tag = multi.transport == SEGUE_TRANSPORT_RC ? channel->tag : 0;
	peer->owner.sq = &peer->queue.sq;
	if (multi.transport == SEGUE_TRANSPORT_RC)
		seguei_multi_tag_all(&peer->queue.sq, channel->tag);
}

static void must(int ret)
{
	if (ret)
		die("post");
}

static struct segue_seg_data entry(void)
{
	const struct segue_seg_data entry = {
		.byte_count = request.length, .lkey = request.lkey, .addr = request.addr};

	return entry;
}

static void post_by_peer(void)
{
	for (uint32_t i = 0; i < BATCH; i++) {
		const struct segue_seg_data sge = entry();
		const struct segue_peer_rdma_write_args args = {.wr_id = i,
								.flags = SEGUE_SIGNALED,
								.remote_addr = request.remote_addr,
								.rkey = request.rkey,
								.sges = &sge,
								.sge_count = 1};

		must(segue_peer_rdma_write(&multi, order[i], &args));
	}
}

static void post_rc(void)
{
	for (uint32_t i = 0; i < BATCH; i++) {
		const struct segue_seg_data sge = entry();
		const struct segue_rc_rdma_write_args args = {.wr_id = i,
							      .flags = SEGUE_SIGNALED,
							      .remote_addr = request.remote_addr,
							      .rkey = request.rkey,
							      .sges = &sge,
							      .sge_count = 1};

		must(seguei_rc_post_rdma_write(&peers[order[i]].queue.rc, &args));
	}
}

static void post_dc(void)
{
	for (uint32_t i = 0; i < BATCH; i++) {
		const struct segue_channel *channel = &multi.channels[order[i]];
		const struct segue_seg_data sge = entry();
		const struct segue_dci_rdma_write_args args = {.wr_id = i,
							       .flags = SEGUE_SIGNALED,
							       .address_vector = &channel->av,
							       .dqp_dct = channel->number,
							       .dc_key = channel->key,
							       .remote_addr = request.remote_addr,
							       .rkey = request.rkey,
							       .sges = &sge,
							       .sge_count = 1};

		must(seguei_dci_post_rdma_write(&peers[order[i]].queue.dci, &args));
	}
}

static void sum(const struct segue_wc *wc, void *arg)
{
	*(uint64_t *)arg += wc->wr_id + wc->syndrome;
}

static void sum_peers(const struct segue_wc *wc, void *arg)
{
	*(uint64_t *)arg += wc->wr_id + wc->syndrome + wc->peer.index;
}

static void poll_direct(void)
{
	for (uint32_t i = 0; i < BATCH; i++)
		if (segue_cq_poll_each(&memory.cq, 1, sum, &total) != 1)
			die("another number of completions than were written");
}

static void poll_by_peer(void)
{
	for (uint32_t i = 0; i < BATCH; i++)
		if (segue_multi_channel_poll_each(&multi, 1, sum_peers, &total) != 1)
			die("another number of completions than were written");
}

/* The place that an instrument counts in. */
__attribute__((noinline)) static void measured(void (*what)(void))
{
	what();
	__asm__ volatile("");
}

/* The instrument records the counts since the last call here. */
__attribute__((noinline)) static void counted(void)
{
	__asm__ volatile("");
}

/* Completes all posted requests, in order, with a CQE each. */
static void complete(void)
{
	uint32_t done[BATCH], i, j;

	for (i = 0; i < BATCH; i++) {
		const struct segue_sq *sq = multi.channels[order[i]].sq;
		uint32_t at = seguei_sq_ci(sq);

		for (done[i] = 0, j = 0; j < i; j++)
			done[i] += order[j] == order[i];
		for (j = 0; j < done[i]; j++)
			at = seguei_sq_behind(sq, &sq->slots[at & sq->mask]);
		const struct segue_cqe64 cqe = {.opcode = SEGUE_CQE_OPCODE_REQ,
						.qpn = sq->qpn,
						.wqe_counter = (uint16_t)at,
						.owner = (uint8_t)(memory.pi / ENTRIES & 1)};

		segue_cqe64_pack(memory.cqes + memory.pi++ % ENTRIES * SEGUE_CQE_SIZE, &cqe);
	}
}

static void one_round(void (*post)(void), void (*poll)(void), bool polls)
{
	for (uint32_t i = 0; i < BATCH; i++)
		order[i] = dice(multi.count);
	if (polls)
		post();
	else
		measured(post);
	complete();
	if (polls)
		measured(poll);
	else
		poll();
}

static const struct {
	const char *name;
	enum segue_channel_transport over;
	void (*post)(void);
	void (*poll)(void);
	bool polls;
} kinds[] = {
	{"rc", SEGUE_TRANSPORT_RC, post_by_peer, poll_direct, false},
	{"rc-direct", SEGUE_TRANSPORT_RC, post_rc, poll_direct, false},
	{"dc", SEGUE_TRANSPORT_DC, post_by_peer, poll_direct, false},
	{"dc-direct", SEGUE_TRANSPORT_DC, post_dc, poll_direct, false},
	{"poll", SEGUE_TRANSPORT_RC, post_by_peer, poll_by_peer, true},
	{"poll-direct", SEGUE_TRANSPORT_RC, post_by_peer, poll_direct, true},
	{"poll-dc", SEGUE_TRANSPORT_DC, post_by_peer, poll_by_peer, true},
};

/* The kind of that name, or the number of kinds if there is none. */
static size_t kind_of(const char *name)
{
	size_t kind;

	for (kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]) && strcmp(name, kinds[kind].name);
	     kind++)
		;
	return kind;
}

static uint32_t peers_of(const char *text)
{
	const unsigned long count = strtoul(text, NULL, 10);

	return count <= SEGUE_PEERS_MAX ? (uint32_t)count : 0;
}

static void measure(size_t kind, uint32_t count)
{
	open_all(kinds[kind].over, count);
	for (uint32_t i = 0; i < count; i++)
		open_peer(i);
	for (uint32_t i = 0; i < ROUNDS; i++)
		one_round(kinds[kind].post, kinds[kind].poll, kinds[kind].polls);
	counted();
	printf("%s %" PRIu32 " %" PRIu32 "\n", kinds[kind].name, count, ROUNDS * BATCH);
	segue_cq_fini(&memory.cq);
	free(multi.channels);
	free(peers);
}

int main(int argc, char **argv)
{
	bool usable = argc >= 3 && argc % 2;

	for (int i = 1; usable && i < argc; i += 2)
		usable = kind_of(argv[i]) < sizeof(kinds) / sizeof(kinds[0]) &&
			 peers_of(argv[i + 1]);
	if (!usable) {
		fprintf(stderr,
			"usage: peer_posts rc|rc-direct|dc|dc-direct|poll|poll-dc|poll-direct "
			"PEERS (1 to %u) [...]\n",
			SEGUE_PEERS_MAX);
		return 2;
	}
	for (int i = 1; i < argc; i += 2)
		measure(kind_of(argv[i]), peers_of(argv[i + 1]));
	return 0;
}
