/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a program may not do while a card is at it; each that is told to happens here, once or some
 * times. usage: hazard_client WHAT Prints what became of it: "arrived old" or "arrived new", for
 * example.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/softhca/clients/loop.h"

#define SIZE   8192u
#define ROUNDS 50

int failures;

static struct loop l;
static char *mine, *theirs;
static struct ibv_mr *mine_mr, *theirs_mr;

static void post(struct ibv_send_wr wr)
{
	struct ibv_send_wr *bad;

	CHECK_RC(ibv_post_send(l.qp, &wr, &bad), 0);
}

static void post_write(uint32_t len, int flags)
{
	struct ibv_sge sge = sge_of(mine, len, mine_mr->lkey);

	post((struct ibv_send_wr){.opcode = IBV_WR_RDMA_WRITE,
				  .sg_list = &sge,
				  .num_sge = 1,
				  .send_flags = (unsigned int)flags,
				  .wr.rdma = {(uint64_t)(uintptr_t)theirs, theirs_mr->rkey}});
}

static void arrived(uint32_t len)
{
	int old = 0, new = 0;

	for (uint32_t i = 0; i < len; i++) {
		old += theirs[i] == 'o';
		new += theirs[i] == 'n';
	}
	CHECK_EQ(old + new, (int)len);
	printf("arrived %s\n", new ? "new" : "old");
}

/* One round: what is sent is changed `late` or too early. */
static void change(uint32_t len, bool late, int flags)
{
	memset(mine, 'o', len);
	post_write(len, flags);
	if (!(flags & IBV_SEND_SIGNALED))
		post_write(0, IBV_SEND_SIGNALED);
	if (late)
		CHECK_EQ(wait_wc(l.cq).status, IBV_WC_SUCCESS);
	memset(mine, 'n', len);
	if (!late)
		CHECK_EQ(wait_wc(l.cq).status, IBV_WC_SUCCESS);
	arrived(len);
}

static void changes(bool late, int flags)
{
	for (int i = 0; i < ROUNDS; i++)
		change(i % 2 ? SIZE : 300, late, flags);
}

/* The device itself writes what it has to send: a READ into the buffer of a WRITE, which is
 * nobody's business but the program's. */
static void written_by_device(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_sge sge = sge_of(mine, SIZE, mine_mr->lkey);

		memset(theirs, 'x', SIZE);
		post((struct ibv_send_wr){
			.opcode = IBV_WR_RDMA_WRITE,
			.sg_list = &sge,
			.num_sge = 1,
			.wr.rdma = {(uint64_t)(uintptr_t)theirs + SIZE, theirs_mr->rkey}});
		CHECK(rdma(&l, IBV_WR_RDMA_READ, sge, (uint64_t)(uintptr_t)theirs,
			   theirs_mr->rkey) == IBV_WC_SUCCESS);
		memset(mine, 'y', SIZE);
	}
}

static void changed(void)
{
	changes(false, IBV_SEND_SIGNALED);
}

static void changed_unsignaled(void)
{
	changes(false, 0);
}

/* What a READ is to fill is cleared after the post. */
static void read_target(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_sge sge = sge_of(mine, SIZE, mine_mr->lkey);

		memset(mine, 'o', SIZE);
		post((struct ibv_send_wr){
			.opcode = IBV_WR_RDMA_READ,
			.sg_list = &sge,
			.num_sge = 1,
			.send_flags = IBV_SEND_SIGNALED,
			.wr.rdma = {(uint64_t)(uintptr_t)theirs, theirs_mr->rkey}});
		memset(mine, 'n', SIZE);
		CHECK_EQ(wait_wc(l.cq).status, IBV_WC_SUCCESS);
	}
}

static void in_time(void)
{
	changes(true, IBV_SEND_SIGNALED);
	changes(true, 0);
}

static void inlined(void)
{
	for (int i = 0; i < ROUNDS; i++)
		change(16, false, IBV_SEND_SIGNALED | IBV_SEND_INLINE);
}

/* ---- registrations whose memory goes ---- */

#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

static char *map_at(void *at, int flags)
{
	char *const p = mmap(at, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);

	NEED(p != MAP_FAILED && (!at || p == at));
	return p;
}

/* A source of its own, full of 'o'. */
static void other_source(int flags)
{
	CHECK_RC(ibv_dereg_mr(mine_mr), 0);
	mine = map_at(NULL, flags);
	memset(mine, 'o', SIZE);
	mine_mr = ibv_reg_mr(l.pd, mine, SIZE, REMOTE);
	NEED(mine_mr);
}

/* What a card takes of the registration by now, and that it writes there as well. */
static void send_it(char *from)
{
	mine = from;
	memset(theirs, 'x', SIZE);
	post_write(SIZE, IBV_SEND_SIGNALED);
	CHECK_EQ(wait_wc(l.cq).status, IBV_WC_SUCCESS);
	arrived(SIZE);
}

static void unmapped(void)
{
	other_source(ANON);
	CHECK_RC(munmap(mine, SIZE), 0);
	memset(map_at(mine, ANON | MAP_FIXED_NOREPLACE), 'n', SIZE);
	send_it(mine);
	memset(theirs, 'z', SIZE);
	CHECK(rdma(&l, IBV_WR_RDMA_WRITE, sge_of(theirs, SIZE, theirs_mr->lkey),
		   (uint64_t)(uintptr_t)mine, mine_mr->rkey) == IBV_WC_SUCCESS);
	CHECK(mine[0] == 'n' && mine[SIZE - 1] == 'n'); /* the program's pages are others */
	CHECK_RC(munmap(mine, SIZE), 0);
}

static void replaced(void)
{
	other_source(ANON);
	/* changes nothing */
	CHECK(mmap(mine, SIZE, PROT_READ, MAP_PRIVATE | MAP_FIXED, -1, 0) == MAP_FAILED);
	CHECK(mine[0] == 'o' && mine[SIZE - 1] == 'o');
	memset(map_at(mine, ANON | MAP_FIXED), 'n', SIZE);
	send_it(mine);
}

static void discarded(void)
{
	other_source(ANON);
	CHECK_RC(madvise(mine, SIZE, MADV_DONTNEED), 0);
	CHECK(!mine[0] && !mine[SIZE - 1]);
	memset(mine, 'n', SIZE);
	send_it(mine);
}

/* Half of it goes; the first is what it was. */
static void half_gone(void)
{
	other_source(ANON);
	CHECK_RC(munmap(mine + SIZE / 2, SIZE / 2), 0);
	send_it(mine);
	CHECK_RC(munmap(mine, SIZE / 2), 0);
	send_it(mine);
}

static void moved(void)
{
	char *const to = map_at(NULL, ANON);
	char *was;

	other_source(ANON);
	was = mine;
	CHECK(mremap(mine, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to);
	memset(to, 'n', SIZE);
	send_it(was);
	CHECK_RC(munmap(to, SIZE), 0);
	send_it(was);
}

/* What is deregistered, shared, or registered anew is as the program has it. */
static void in_order(void)
{
	struct ibv_mr *old;

	other_source(MAP_SHARED | MAP_ANONYMOUS);
	memset(mine, 'n', SIZE);
	CHECK_RC(madvise(mine, SIZE, MADV_DONTNEED), 0);
	send_it(mine);
	other_source(ANON);
	old = mine_mr;
	memset(map_at(mine, ANON | MAP_FIXED), 'n', SIZE);
	mine_mr = ibv_reg_mr(l.pd, mine, SIZE, REMOTE);
	NEED(mine_mr);
	send_it(mine);
	CHECK_RC(ibv_dereg_mr(old), 0);
	send_it(mine);
	for (int i = 0; i < 100; i++) {
		CHECK_RC(ibv_dereg_mr(mine_mr), 0);
		CHECK_RC(munmap(mine, SIZE), 0);
		mine = map_at(NULL, ANON);
		mine_mr = ibv_reg_mr(l.pd, mine, SIZE, REMOTE);
		NEED(mine_mr);
		memset(mine, 'n', SIZE);
		send_it(mine);
	}
}

/* Some at once: when the first completion came, and the last. */
static void timed(void)
{
	const double start = seconds();
	double first = 0;

	for (int i = 0; i < 8; i++)
		post_write(i % 2 ? SIZE : 0, IBV_SEND_SIGNALED);
	for (int i = 0; i < 8; i++) {
		CHECK_EQ(wait_wc(l.cq).status, IBV_WC_SUCCESS);
		first = first ? first : seconds() - start;
	}
	CHECK(rdma(&l, IBV_WR_RDMA_READ, sge_of(mine, SIZE, mine_mr->lkey),
		   (uint64_t)(uintptr_t)theirs, theirs_mr->rkey) == IBV_WC_SUCCESS);
	printf("first %s\n", first >= 0.05 ? "late" : "early");
	printf("all %s\n", seconds() - start >= 0.1 ? "late" : "early");
}

/* Nothing of what was posted has to arrive: the queue pair goes at once. */
static void destroyed(void)
{
	struct ibv_qp_init_attr init = {
		.send_cq = l.cq,
		.recv_cq = l.cq,
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
	};
	struct ibv_qp_attr reset = {.qp_state = IBV_QPS_RESET};
	struct ibv_qp *const peer = ibv_create_qp(l.pd, &init);

	NEED(peer);
	CHECK_RC(connect_to(peer, l.ctx, l.qp->qp_num), 0);
	CHECK_RC(ibv_modify_qp(l.qp, &reset, IBV_QP_STATE), 0);
	CHECK_RC(connect_to(l.qp, l.ctx, peer->qp_num), 0);
	memset(theirs, 'n', SIZE);
	memset(mine, 'o', SIZE);
	post_write(SIZE, IBV_SEND_SIGNALED);
	CHECK_RC(ibv_destroy_qp(l.qp), 0);
	usleep(300000);
	arrived(SIZE);
}

/* What the kernel asks for before it pins memory, or lets a program make frames. */
static void privileges(void)
{
	const struct rlimit limit = {8 * SIZE, 8 * SIZE}; /* of which three are taken */
	struct ibv_qp_init_attr init = {
		.send_cq = l.cq,
		.recv_cq = l.cq,
		.qp_type = IBV_QPT_RAW_PACKET,
		.cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
	};
	struct ibv_mr *mr[2];
	char *const more = aligned_alloc(4096, 4 * SIZE);

	NEED(more && !setrlimit(RLIMIT_MEMLOCK, &limit));
	memset(more, 0, 4 * SIZE);
	mr[0] = ibv_reg_mr(l.pd, more, 4 * SIZE, REMOTE);
	NEED(mr[0]);
	mr[1] = ibv_reg_mr(l.pd, more + 1, 4096, REMOTE); /* two pages, which count again */
	NEED(mr[1]);
	printf("one byte too many: %s\n",
	       ibv_reg_mr(l.pd, more, 1, REMOTE) ? "taken" : strerror(errno));
	CHECK_RC(ibv_dereg_mr(mr[1]), 0);
	CHECK(ibv_reg_mr(l.pd, more, 1, REMOTE) != NULL);
	printf("raw packets: %s\n", ibv_create_qp(l.pd, &init) ? "taken" : strerror(errno));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {
		{"changed", changed},	      {"changed-unsignaled", changed_unsignaled},
		{"read-target", read_target}, {"in-time", in_time},
		{"inlined", inlined},	      {"device", written_by_device},
		{"destroyed", destroyed},     {"unmapped", unmapped},
		{"replaced", replaced},	      {"discarded", discarded},
		{"half-gone", half_gone},     {"moved", moved},
		{"in-order", in_order},	      {"timed", timed},
		{"privileges", privileges},
	};
	struct ibv_context *const ctx = open_first();

	loop_open_inline(&l, ctx, 64);
	mine = aligned_alloc(4096, SIZE);
	theirs = aligned_alloc(4096, 2 * SIZE);
	mine_mr = ibv_reg_mr(l.pd, mine, SIZE, REMOTE);
	theirs_mr = ibv_reg_mr(l.pd, theirs, 2 * SIZE, REMOTE);
	NEED(mine_mr && theirs_mr);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (argc == 2 && !strcmp(argv[1], all[i].name)) {
			all[i].run();
			return failures != 0;
		}
	fprintf(stderr, "usage: hazard_client WHAT\n");
	return 2;
}
