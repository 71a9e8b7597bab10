/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a program may not do while a card is at it; each that is told to happens here, once or some times.
 * usage: hazard_client WHAT
 * Prints what became of it: "arrived old" or "arrived new", for example.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
	CHECK(old + new == (int)len);
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
		CHECK(wait_wc(l.cq).status == IBV_WC_SUCCESS);
	memset(mine, 'n', len);
	if (!late)
		CHECK(wait_wc(l.cq).status == IBV_WC_SUCCESS);
	arrived(len);
}

static void changes(bool late, int flags)
{
	for (int i = 0; i < ROUNDS; i++)
		change(i % 2 ? SIZE : 300, late, flags);
}

/* The device itself writes what it has to send: a READ into the buffer of a WRITE, which is nobody's business but the program's. */
static void written_by_device(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_sge sge = sge_of(mine, SIZE, mine_mr->lkey);

		memset(theirs, 'x', SIZE);
		post((struct ibv_send_wr){.opcode = IBV_WR_RDMA_WRITE,
					  .sg_list = &sge,
					  .num_sge = 1,
					  .wr.rdma = {(uint64_t)(uintptr_t)theirs + SIZE, theirs_mr->rkey}});
		CHECK(rdma(&l, IBV_WR_RDMA_READ, sge, (uint64_t)(uintptr_t)theirs, theirs_mr->rkey) ==
		      IBV_WC_SUCCESS);
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
		post((struct ibv_send_wr){.opcode = IBV_WR_RDMA_READ,
					  .sg_list = &sge,
					  .num_sge = 1,
					  .send_flags = IBV_SEND_SIGNALED,
					  .wr.rdma = {(uint64_t)(uintptr_t)theirs, theirs_mr->rkey}});
		memset(mine, 'n', SIZE);
		CHECK(wait_wc(l.cq).status == IBV_WC_SUCCESS);
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

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {
		{"changed", changed},	{"changed-unsignaled", changed_unsignaled},
		{"read-target", read_target}, {"in-time", in_time},	{"inlined", inlined},
		{"device", written_by_device}, {"destroyed", destroyed},
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
