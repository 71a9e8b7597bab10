/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tag_matching: messages that the card sorts into the buffers they were meant for.
 *
 * When to use it: receivers that know by a tag which message goes where (MPI). The card compares
 * tags, and a long message lands in its buffer without a copy: the sender announces it, the
 * receiver's card reads it and tells the sender. What the card must have: segue_caps.max_tags, and
 * an InfiniBand port, as libmlx5 opens such queues there only. What to mind: the card looks at
 * messages that come after the buffer was appended. What came before is in a plain receive
 * (UNEXPECTED), so a program searches those first, and appends only if none fits.
 */
#include <string.h>

#include "pair.h"
#include "segue/srq.h"
#include "segue/tags.h"

#define HEADER SEGUE_SEG_TMH_SIZE

enum { APPENDED = 1, FIRST, SECOND, PLAIN, SENT, DONE };

static struct {
	char message[HEADER + 16];
	char announcement[HEADER + SEGUE_SEG_RVH_SIZE];
	char large[20000];
	char first[64], second[20000], plain[256], done[64];
} memory;

static struct segue_local_buf local(struct pair *p, void *at, uint32_t length)
{
	struct segue_local_buf piece;

	must(segue_mr_local_buf(p->mr, (size_t)((char *)at - (char *)&memory), length, &piece));
	return piece;
}

static void header(void *at, uint8_t kind, uint64_t tag)
{
	const struct segue_seg_tmh tmh = {.opcode = kind, .app_ctx = 7, .tag = tag};

	segue_seg_tmh_pack(at, &tmh);
}

static void send(struct pair *p, void *from, uint32_t length)
{
	must(segue_post(segue_sge_buf(segue_send(segue_qp_rc_sq(p->a), SENT, SEGUE_SIGNALED),
				      local(p, from, length))));
}

static void append(struct pair *p, struct segue_srq *srq, uint64_t wr_id, uint64_t tag,
		   struct segue_local_buf buffer)
{
	const struct segue_tag entry = {
		.wr_id = wr_id, .tag = tag, .mask = UINT64_MAX, .buffer = buffer};

	must(segue_tag_append(srq, APPENDED, &entry, NULL));
	pair_complete(p, 1);
}

/* Polls until the completion of a message; what else there is (sends, announcements) is none of
 * them. */
static uint64_t arrived(struct pair *p)
{
	struct segue_wc_details details;
	struct segue_wc wc;

	do {
		wc = pair_next(p, &details);
	} while (!segue_wc_is_receive(&wc));
	return wc.wr_id;
}

static void expect(uint64_t got, uint64_t wanted, const void *data, const void *sent, size_t length)
{
	if (got == wanted && !memcmp(data, sent, length))
		return;
	fprintf(stderr, "Message %llu came in the place of %llu, or with other data.\n",
		(unsigned long long)got, (unsigned long long)wanted);
	exit(1);
}

int main(void)
{
	struct segue_srq_options list = {.max_wr = 8, .max_sge = 1, .max_tags = 16};
	struct segue_qp_options options;
	struct segue_remote_buf large;
	struct segue_srq *srq;
	struct pair p;

	pair_begin(&p, &memory, sizeof(memory));
	list.cq = p.cq;
	must(segue_srq_open(p.pd, &list, &srq));
	options = pair_options(&p);
	must(segue_qp_open(p.pd, &options, &p.a));
	options.srq = srq;
	options.max_recv_wr = options.max_recv_sge = 0;
	must(segue_qp_open(p.pd, &options, &p.b));
	pair_connect(&p);

	/* A message that nobody waits for yet: it goes to a plain receive, with its header. */
	must(segue_post(segue_sge_buf(segue_recv(srq, PLAIN),
				      local(&p, memory.plain, sizeof(memory.plain)))));
	memcpy(memory.message + HEADER, "to whom it fits", 16);
	header(memory.message, SEGUE_TMH_OPCODE_EAGER, 1);
	send(&p, memory.message, sizeof(memory.message));
	expect(arrived(&p), PLAIN, memory.plain, memory.message, sizeof(memory.message));
	must(segue_tag_sync(srq, APPENDED)); /* it was seen: from now on the card may match */
	pair_complete(&p, 1);

	/* Two buffers, and the message for the second one first. It is long: announced by its
	 * address, and read by the card. */
	append(&p, srq, FIRST, 1, local(&p, memory.first, sizeof(memory.first)));
	append(&p, srq, SECOND, 2, local(&p, memory.second, sizeof(memory.second)));
	memset(memory.large, 'x', sizeof(memory.large));
	must(segue_mr_remote_buf(p.mr, (size_t)(memory.large - (char *)&memory),
				 sizeof(memory.large), &large));
	header(memory.announcement, SEGUE_TMH_OPCODE_RNDV, 2);
	segue_seg_rvh_pack((uint8_t *)memory.announcement + HEADER, &(struct segue_seg_rvh){
		.va = large.addr, .rkey = large.key.rkey, .len = sizeof(memory.large)});
	must(segue_post(segue_sge_buf(segue_recv(segue_qp_rq(p.a), DONE),
				      local(&p, memory.done, sizeof(memory.done)))));
	send(&p, memory.announcement, sizeof(memory.announcement));
	expect(arrived(&p), SECOND, memory.second, memory.large, sizeof(memory.large));
	/* the sender may have its memory back */
	expect(arrived(&p), DONE, memory.done + 4, memory.announcement + 4, HEADER - 4);

	send(&p, memory.message, sizeof(memory.message));
	expect(arrived(&p), FIRST, memory.first, memory.message + HEADER,
	       sizeof(memory.message) - HEADER);
	printf("One message waited in a plain receive, two found their buffers.\n");
	pair_close(&p);
	return 0;
}
