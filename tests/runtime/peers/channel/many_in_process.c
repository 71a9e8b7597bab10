/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crowd rc|dc all SIDES: so many multi-channels in one process, each with all others as peers;
 * everybody writes to everybody and sends everybody messages. crowd rc|dc pair PEERS: two
 * multi-channels that are so many peers to each other; what set-up takes, in time and in memory by
 * who has allocated it, and what traffic to peers in random order takes. Over DC with so many DCIs,
 * if a number is given.
 *
 * In `pair` one side plays all the peers of the other: its endpoints say that they are another
 * peer's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/device.h"
#include "segue/gen/peers.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "tests/seed/seed.h"

#define WAIT_MS	  60000
#define MULTIPLE  6364136223846793005u
#define TRAFFIC	  20000u
#define CROWD	  1000u
#define PAGE	  4096u
#define NOTE_FROM 4 /* in an endpoint's user bytes: from whom, for whom */
#define NOTE_TO	  8

#define MUST(condition)                                                            \
	do {                                                                       \
		if (!(condition)) {                                                \
			fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition, \
				segue_errmsg());                                   \
			exit(1);                                                   \
		}                                                                  \
	} while (0)

/* ---- who allocates ---- */

enum owner { OURS, RINGS, RDMA_CORE, OTHERS, OWNERS };

static long long live[OWNERS];
static uintptr_t program_begin, program_end, mlx5_begin, mlx5_end, verbs_begin, verbs_end;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

extern char __executable_start, etext;

static enum owner owner_of(const void *caller)
{
	const uintptr_t at = (uintptr_t)caller;

	if (at >= program_begin && at < program_end)
		return OURS;
	return (at >= mlx5_begin && at < mlx5_end) || (at >= verbs_begin && at < verbs_end)
		       ? RDMA_CORE
		       : OTHERS;
}

static void *note_of(void *memory, enum owner owner)
{
	if (memory)
		__atomic_fetch_add(&live[owner], (long long)malloc_usable_size(memory),
				   __ATOMIC_RELAXED);
	return memory;
}

static void *note(void *memory, const void *caller)
{
	return note_of(memory, owner_of(caller));
}

/* Pages are rings, of whoever frees. */
static void note_free(void *memory, const void *caller)
{
	const enum owner owner = owner_of(caller);

	if (memory)
		__atomic_fetch_sub(
			&live[owner == RDMA_CORE && (uintptr_t)memory % PAGE == 0 ? RINGS : owner],
			(long long)malloc_usable_size(memory), __ATOMIC_RELAXED);
}

void *malloc(size_t size)
{
	return note(__libc_malloc(size), __builtin_return_address(0));
}

void *calloc(size_t count, size_t size)
{
	return note(__libc_calloc(count, size), __builtin_return_address(0));
}

void *realloc(void *memory, size_t size)
{
	note_free(memory, __builtin_return_address(0));
	return note(__libc_realloc(memory, size), __builtin_return_address(0));
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
	const enum owner owner = owner_of(__builtin_return_address(0));
	void *memory = note_of(__libc_memalign(alignment, size),
			       owner == RDMA_CORE && alignment >= PAGE ? RINGS : owner);

	if (!memory)
		return 12; /* ENOMEM */
	*out = memory;
	return 0;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return note(__libc_memalign(alignment, size), __builtin_return_address(0));
}

void free(void *memory)
{
	note_free(memory, __builtin_return_address(0));
	__libc_free(memory);
}

/* Where a library's code lies, from the maps of the process. */
static void find_library(const char *name, uintptr_t *begin, uintptr_t *end)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char line[512];

	MUST(maps);
	while (fgets(line, sizeof(line), maps))
		if (strstr(line, name) && sscanf(line, "%lx-%lx", &from, &to) == 2) {
			*begin = *begin ? *begin : from;
			*end = to;
		}
	fclose(maps);
	MUST(*begin);
}

static void find_libraries(void)
{
	program_begin = (uintptr_t)&__executable_start;
	program_end = (uintptr_t)&etext;
	find_library("libmlx5", &mlx5_begin, &mlx5_end);
	find_library("libibverbs.so", &verbs_begin, &verbs_end);
}

/* ---- sides ---- */

struct side {
	struct segue_multi_channel *multi;
	struct segue_mr *mr;
	struct segue_remote_buf remote;
	uint64_t *memory; /* a word for each peer that comes in, and one that goes out */
	uint32_t self, count;
	uint32_t messages, done;
	uint32_t *done_of; /* by peer; `pair` */
};

static struct segue_device *device;
static struct segue_pd *pd;
static enum segue_channel_transport over;
static uint32_t dcis; /* 0: as many as usual */

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static uint64_t word_of(uint32_t from, uint32_t to)
{
	return ((uint64_t)from << 32 | to) * 0x9e3779b97f4a7c15u + 1;
}

static void on_completion(const struct segue_wc *wc, void *arg)
{
	struct side *side = arg;
	uint64_t word;

	MUST(!wc->syndrome);
	if (!segue_wc_is_receive(wc)) {
		MUST(wc->peer.index == wc->wr_id && wc->peer.generation == 1);
		side->done++;
		if (side->done_of)
			side->done_of[wc->peer.index]++;
		return;
	}
	memcpy(&word, segue_multi_channel_payload(side->multi, wc), sizeof(word));
	MUST(segue_multi_channel_payload_size(side->multi, wc) == sizeof(word) &&
	     word == word_of(wc->peer.index, side->self));
	side->messages++;
	segue_multi_channel_give_back(side->multi, wc);
}

static void open_side(struct side *side, uint32_t self, uint32_t count, uint32_t send_wr)
{
	const struct segue_multi_channel_options options = {.transport = over,
							    .peers = count,
							    .self = self,
							    .handler = on_completion,
							    .max_send_wr = send_wr,
							    .receive_size = 64,
							    .dcis = dcis,
							    .imm_names_sender = over ==
										SEGUE_TRANSPORT_DC,
							    .arg = side};

	side->self = self;
	side->count = count;
	MUST(!segue_multi_channel_open(pd, &options, &side->multi));
}

static void open_memory(struct side *side)
{
	struct segue_mr_options attr = {.length = 2 * (size_t)side->count * sizeof(uint64_t),
					.access = SEGUE_ACCESS_LOCAL_WRITE |
						  SEGUE_ACCESS_REMOTE_WRITE};
	uint32_t i;

	side->memory = attr.addr = calloc(2 * (size_t)side->count, sizeof(uint64_t));
	MUST(side->memory && !segue_mr_open(pd, &attr, &side->mr));
	MUST(!segue_mr_remote_buf(side->mr, 0, attr.length, &side->remote));
	for (i = 0; i < side->count; i++)
		side->memory[side->count + i] = word_of(side->self, i);
}

static struct segue_seg_data outgoing(const struct side *side, uint32_t peer)
{
	const struct segue_seg_data entry = {.byte_count = 8,
					     .lkey = segue_mr_lkey(side->mr).lkey,
					     .addr = (uintptr_t)&side->memory[side->count + peer]};

	return entry;
}

static int write_to(struct side *side, uint32_t peer, const struct segue_remote_buf *box,
		    uint32_t at)
{
	const struct segue_seg_data entry = outgoing(side, peer);
	const struct segue_peer_rdma_write_args args = {.wr_id = peer,
							.flags = SEGUE_SIGNALED,
							.remote_addr = box->addr + 8 * (uint64_t)at,
							.rkey = box->key.rkey,
							.sges = &entry,
							.sge_count = 1};

	return segue_peer_rdma_write(side->multi, peer, &args);
}

static int send_to(struct side *side, uint32_t peer)
{
	const struct segue_seg_data entry = outgoing(side, peer);
	const struct segue_peer_send_imm_args args = {.wr_id = peer,
						      .flags = SEGUE_SIGNALED,
						      .imm = segue_multi_channel_imm(side->multi),
						      .sges = &entry,
						      .sge_count = 1};

	return segue_peer_send_imm(side->multi, peer, &args);
}

static void poll_side(struct side *side)
{
	const int ret = segue_multi_channel_poll_each(side->multi, 64, on_completion, side);

	MUST(ret >= 0);
	if (!ret) /* others have something to do */
		sched_yield();
}

/* ---- everybody with everybody ---- */

static void connect_everybody(struct side *sides, uint32_t count)
{
	struct segue_endpoint *endpoints = calloc(count, sizeof(*endpoints));
	uint32_t i, j;

	MUST(endpoints);
	for (i = 0; i < count; i++) {
		for (j = 0; j < count; j++)
			MUST(!segue_multi_channel_endpoint(sides[j].multi, i, &endpoints[j]));
		MUST(!segue_multi_channel_connect(sides[i].multi, endpoints, count));
	}
	free(endpoints);
}

/* What `post` does to each peer, in an order of its own for each side, until all have completed. */
static void all_to_all(struct side *sides, uint32_t count, bool writes)
{
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
	uint32_t *next = calloc(count, sizeof(*next)), left = count * count, i;

	MUST(next);
	for (i = 0; i < count; i++)
		sides[i].done = 0;
	while (left) {
		for (i = left = 0; i < count; i++) {
			struct side *side = &sides[i];

			while (next[i] < count) {
				const uint32_t peer = (i + next[i]) % count;
				const int ret = writes ? write_to(side, peer, &sides[peer].remote,
								  i)
						       : send_to(side, peer);

				MUST(!ret || ret == -EAGAIN || ret == -ENOSPC);
				if (ret)
					break;
				next[i]++;
			}
			poll_side(side);
			left += count - side->done;
		}
		MUST(segue_deadline_left_ms(deadline));
	}
	free(next);
}

static int play_all(uint32_t count)
{
	struct side *sides = calloc(count, sizeof(*sides));
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
	uint32_t i, j;
	double begun = now_ms(), up;

	MUST(sides);
	for (i = 0; i < count; i++) {
		open_side(&sides[i], i, count, 8);
		open_memory(&sides[i]);
	}
	connect_everybody(sides, count);
	up = now_ms();
	all_to_all(sides, count, true);
	all_to_all(sides, count, false);
	for (i = 0; i < count; i++) {
		while (sides[i].messages < count && segue_deadline_left_ms(deadline))
			poll_side(&sides[i]);
		MUST(sides[i].messages == count);
		for (j = 0; j < count; j++)
			MUST(sides[i].memory[j] == word_of(j, i));
	}
	printf("%u sides, all with all over %s: up in %.0f ms, %u writes and messages in %.0f ms, "
	       "every byte right\n",
	       count, over == SEGUE_TRANSPORT_RC ? "RC" : "DC", up - begun, 2 * count * count,
	       now_ms() - up);
	for (i = 0; i < count; i++)
		MUST(!segue_multi_channel_close(sides[i].multi));
	return 0;
}

/* ---- two sides, many peers ---- */

static void connect_pair(struct side *to, struct side *of)
{
	uint32_t i;

	for (i = 0; i < to->count; i++) {
		struct segue_endpoint endpoint;

		MUST(!segue_multi_channel_endpoint(of->multi, i, &endpoint));
		segue_put_be32(endpoint.user + NOTE_FROM, i);
		segue_put_be32(endpoint.user + NOTE_TO, to->self);
		MUST(!segue_multi_channel_connect_peer(to->multi, i, &endpoint));
	}
}

/* What one side of a pair takes. */
struct taken {
	long long bytes[OWNERS];
	double opened_ms, connected_ms;
};

static void count_bytes(struct taken *taken, int sign)
{
	int i;

	for (i = 0; i < OWNERS; i++)
		taken->bytes[i] += sign * live[i];
}

static struct taken open_pair(struct side *a, struct side *b, uint32_t count)
{
	struct taken taken = {.opened_ms = 0};
	double begun;

	count_bytes(&taken, -1);
	begun = now_ms();
	open_side(a, 0, count, 16);
	taken.opened_ms = now_ms() - begun;
	count_bytes(&taken, 1);
	open_side(b, 0, count, 16);
	open_memory(a);
	open_memory(b);
	count_bytes(&taken, -1);
	begun = now_ms();
	connect_pair(a, b);
	taken.connected_ms = now_ms() - begun;
	count_bytes(&taken, 1);
	return taken;
}

static void close_pair(struct side *a, struct side *b)
{
	MUST(!segue_multi_channel_close(a->multi) && !segue_multi_channel_close(b->multi));
	MUST(!segue_mr_close(a->mr) && !segue_mr_close(b->mr));
	free(a->memory);
	free(b->memory);
}

/* What each peer more takes; what is there for all cancels out. All peers here are at one port, and
 * share its address. */
static void check_bytes(const struct segue_multi_channel *multi, const struct taken *few,
			uint32_t fewer, const struct taken *many)
{
	const uint32_t more = multi->count - fewer;
	const long long ours = (many->bytes[OURS] + many->bytes[RINGS] - few->bytes[OURS] -
				few->bytes[RINGS]) /
			       more;
	const long long said = (long long)segue_multi_channel_bytes_per_peer(multi);

	printf("bytes per peer: %lld with rings, %lld said; rdma-core's own %lld; for all %llu "
	       "said\n",
	       ours, said, (many->bytes[RDMA_CORE] - few->bytes[RDMA_CORE]) / more,
	       (unsigned long long)segue_multi_channel_bytes_shared(multi));
	MUST(over == SEGUE_TRANSPORT_RC || more < CROWD || said <= 64); /* nobody has used one */
	/* The allocator rounds up, pages are whole, and a table of objects grows by doubling: among
	 * few that is much for each. */
	MUST(more < CROWD || (said <= ours + ours / 10 && ours <= said + said / 10));
}

static int play_pair(uint32_t count)
{
	segue_deadline deadline;
	struct side a = {.self = 0}, b = {.self = 0};
	uint64_t state = segue_test_seed();
	uint32_t posted = 0, i, *expected = calloc(count, sizeof(*expected));
	struct taken few, many;
	double done;

	few = open_pair(&a, &b, count / 4);
	connect_pair(&b, &a);
	close_pair(&a, &b);
	many = open_pair(&a, &b, count);
	check_bytes(a.multi, &few, count / 4, &many);
	connect_pair(&b, &a);
	a.done_of = calloc(count, sizeof(*a.done_of));
	MUST(a.done_of && expected);
	done = now_ms();
	deadline = segue_deadline_in_ms(WAIT_MS);
	while (a.done < TRAFFIC) {
		while (posted < TRAFFIC) {
			const uint32_t peer = (uint32_t)((state >> 32) * count >> 32);
			const int ret = write_to(&a, peer, &b.remote, peer);

			MUST(!ret || ret == -EAGAIN || ret == -ENOSPC);
			if (ret)
				break;
			state = state * MULTIPLE + 1;
			expected[peer]++;
			posted++;
		}
		poll_side(&a);
		MUST(segue_deadline_left_ms(deadline));
	}
	done = now_ms() - done;
	for (i = 0; i < count; i++)
		MUST(a.done_of[i] == expected[i] &&
		     b.memory[i] == (expected[i] ? word_of(0, i) : 0));
	printf("%u peers over %s: opened in %.1f ms, connected in %.1f ms; %u writes in %.0f ms\n",
	       count, over == SEGUE_TRANSPORT_RC ? "RC" : "DC", many.opened_ms, many.connected_ms,
	       TRAFFIC, done);
	close_pair(&a, &b);
	free(expected);
	return 0;
}

int main(int argc, char **argv)
{
	uint32_t count;

	if (argc < 4 || argc > 5) {
		fprintf(stderr, "usage: crowd rc|dc all|pair COUNT [DCIS]\n");
		return 2;
	}
	dcis = argc == 5 ? (uint32_t)strtoul(argv[4], NULL, 10) : 0;
	over = strcmp(argv[1], "dc") ? SEGUE_TRANSPORT_RC : SEGUE_TRANSPORT_DC;
	count = (uint32_t)strtoul(argv[3], NULL, 10);
	MUST(!segue_device_open(NULL, &device));
	find_libraries();
	MUST(!segue_pd_open(device, &pd));
	if (strcmp(argv[2], "pair") ? play_all(count) : play_pair(count))
		return 1;
	MUST(!segue_device_close(device));
	return 0;
}
