// SPDX-License-Identifier: BSD-2-Clause
/*
 * Measures operations on this card with this processor: the rows of the performance table, in
 * nanoseconds of the calling thread, with the doorbell's page and the completion queue where they
 * really are, and the time of an answer. Nothing is assumed of the results.
 */
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "tools/segue/check/kit.h"

#define ROUND  64u /* operations of a run */
#define RUNS   101
#define PING   500
#define INLINE 28u

struct times {
	struct kit *kit;
	struct segue_rc_sq *sq;
	struct segue_rq *rq; /* of b */
	struct segue_cq *send_cq, *recv_cq;
	uint64_t here, there;
	uint32_t lkey, there_lkey, rkey;
	unsigned int came; /* completions that a poll has handed over */
};

/* ---- operations, each a round ---- */

static int write_one(struct times *t, uint32_t flags)
{
	return segue_commit(
		segue_sge(segue_raddr(segue_rdma_write(t->sq, 1, flags), t->there, t->rkey),
			  t->here, 64, t->lkey));
}

static bool writes(struct times *t)
{
	unsigned int i;

	for (i = 0; i < ROUND; i++)
		if (segue_post(segue_sge(segue_raddr(segue_rdma_write(t->sq, i, SEGUE_SIGNALED),
						     t->there, t->rkey),
					 t->here, 64, t->lkey)))
			return false;
	return true;
}

static bool batches(struct times *t)
{
	unsigned int i;

	for (i = 0; i < ROUND; i++) {
		if (write_one(t, SEGUE_SIGNALED))
			return false;
		if (i % 16 == 15)
			segue_ring_doorbell(t->sq);
	}
	return true;
}

static bool inlined(struct times *t)
{
	static const uint8_t bytes[INLINE];
	unsigned int i;

	for (i = 0; i < ROUND; i++)
		if (segue_post(segue_inline_data(
			    segue_raddr(segue_rdma_write(t->sq, i, SEGUE_SIGNALED), t->there,
					t->rkey),
			    bytes, INLINE)))
			return false;
	return true;
}

static bool receives(struct times *t)
{
	unsigned int i;

	for (i = 0; i < ROUND; i++)
		if (segue_post(segue_sge(segue_recv(t->rq, i), t->there, 64, t->there_lkey)))
			return false;
	return true;
}

static bool sends(struct times *t)
{
	unsigned int i;

	for (i = 0; i < ROUND; i++)
		if (segue_post(
			    segue_sge(segue_send(t->sq, i, SEGUE_SIGNALED), t->here, 64, t->lkey)))
			return false;
	return true;
}

static void count(const struct segue_wc *wc, void *arg)
{
	unsigned int *const came = arg;

	*came += wc->syndrome == 0;
}

/* Polls until so many have come. Not measured. */
static bool drain(struct times *t, struct segue_cq *cq, unsigned int n)
{
	const segue_deadline deadline = segue_deadline_in_ms(3000);

	t->came = 0;
	while (t->came < n) {
		if (segue_cq_poll_each(cq, (int)ROUND, count, &t->came) < 0)
			return kit_say(t->kit, "%s", segue_errmsg());
		if (segue_deadline_left_ms(deadline) == 0)
			return kit_say(t->kit, "completions did not come within 3 s");
	}
	return true;
}

/* A message for each receive, with all sends complete. */
static bool sends_all(struct times *t)
{
	return sends(t) && drain(t, t->send_cq, ROUND);
}

static void let_all_complete(void)
{
	const uint64_t until = kit_ns() + 2000000;

	while (kit_ns() < until)
		;
}

/* One by one, with all of them there. */
static bool polled(struct times *t, struct segue_cq *cq, uint64_t *ns)
{
	uint64_t start;
	unsigned int i;

	let_all_complete();
	t->came = 0;
	start = kit_ns();
	for (i = 0; i < ROUND; i++)
		(void)segue_cq_poll_each(cq, 1, count, &t->came);
	*ns = kit_ns() - start;
	return t->came == ROUND ||
	       drain(t, cq,
		     ROUND - t->came); /* a slow device: this run does not count as the smallest */
}

/* ---- rows ---- */

static void row(struct kit *kit, const char *name, double ns, const char *of)
{
	char seen[sizeof(kit->why)];

	if (ns > 0)
		snprintf(seen, sizeof(seen), "%.1f ns, %s", ns, of);
	else
		snprintf(seen, sizeof(seen), "%s", kit->why);
	kit_line(kit, &(struct kit_line){.kind = "time",
					 .name = name,
					 .seen = seen,
					 .verdict = ns > 0 ? KIT_MEASURED : KIT_NOT_SEEN});
}

static void row_of_runs(struct kit *kit, const char *name, uint64_t best)
{
	row(kit, name, (double)best / ROUND, "smallest of 101 runs of 64");
}

static void smallest(uint64_t *best, uint64_t ns)
{
	if (!*best || ns < *best)
		*best = ns;
}

/* Measures posts, and the polls of what they complete: on their way out, or after `between`.
 * @polls: the name of the polls' row, or NULL for none. */
static void posts(struct times *t, const char *name, bool (*round)(struct times *),
		  bool (*between)(struct times *), const char *polls)
{
	uint64_t best = 0, best_poll = 0, start, ns;
	int run;

	for (run = 0; run < RUNS && kit_time(t->kit); run++) {
		start = kit_ns();
		if (!round(t)) {
			(void)kit_say(t->kit, "%s", segue_errmsg());
			break;
		}
		smallest(&best, kit_ns() - start);
		if ((between && !between(t)) ||
		    !polled(t, between ? t->recv_cq : t->send_cq, &ns)) {
			best = best_poll = 0;
			break;
		}
		smallest(&best_poll, ns);
	}
	row_of_runs(t->kit, name, best);
	if (polls)
		row_of_runs(t->kit, polls, best_poll);
}

static void empty(struct times *t)
{
	uint64_t best = 0, start;
	unsigned int i;
	int run;

	for (run = 0; run < RUNS; run++) {
		start = kit_ns();
		for (i = 0; i < ROUND; i++)
			(void)segue_cq_poll_each(t->recv_cq, 1, count, &t->came);
		smallest(&best, kit_ns() - start);
	}
	row_of_runs(t->kit, "poll that finds nothing", best);
}

/* A WRITE with immediate until both sides know of it: half a round trip, and all that the processor
 * does for it. */
static void answers(struct times *t)
{
	uint64_t total = 0, best = 0, start, ns;
	int i;

	for (i = 0; i < PING && kit_time(t->kit); i++) {
		start = kit_ns();
		if (segue_post(segue_sge(segue_recv(t->rq, 1), t->there, 64, t->there_lkey)) ||
		    segue_post(
			    segue_sge(segue_raddr(segue_rdma_write_imm(t->sq, 1, SEGUE_SIGNALED, 7),
						  t->there, t->rkey),
				      t->here, 8, t->lkey))) {
			(void)kit_say(t->kit, "%s", segue_errmsg());
			break;
		}
		if (!drain(t, t->recv_cq, 1) || !drain(t, t->send_cq, 1))
			break;
		ns = kit_ns() - start;
		total += ns;
		smallest(&best, ns);
	}
	row(t->kit, "one way: WRITE with immediate, both completions, receive posted again",
	    i ? (double)total / i : 0, "mean of 500");
	row(t->kit, "the same, at best", (double)best, "smallest of 500");
}

/* ---- */

static bool open_times(struct kit *kit, struct kit_ends *e, struct times *t)
{
	const struct segue_cq_options options = {.entries = 1024};

	memset(e, 0, sizeof(*e));
	*t = (struct times){.kit = kit};
	if (segue_cq_open(kit->device, &options, &t->send_cq) ||
	    segue_cq_open(kit->device, &options, &t->recv_cq))
		return kit_say(kit, "%s", segue_errmsg());
	if (!kit_open_ends(kit,
			   &(struct kit_wish){.queue = "rc",
					      .send_cq = t->send_cq,
					      .recv_cq = t->recv_cq,
					      .many = ROUND},
			   e))
		return false;
	t->sq = segue_qp_rc_sq(e->a);
	t->rq = segue_qp_rq(e->b);
	t->here = (uintptr_t)kit->here.bytes;
	t->there = (uintptr_t)kit->there.bytes;
	t->lkey = kit->here.lkey;
	t->there_lkey = kit->there.lkey;
	t->rkey = kit->there.rkey;
	return true;
}

void check_times(struct kit *kit)
{
	struct kit_ends ends;
	struct times t;

	kit_begin(kit);
	if (open_times(kit, &ends, &t)) {
		empty(&t);
		posts(&t, "RDMA WRITE of one piece, own doorbell", writes, NULL,
		      "poll of a send's completion");
		posts(&t, "one of 16 WRITEs with one doorbell", batches, NULL, NULL);
		posts(&t, "WRITE of 28 bytes inline", inlined, NULL, NULL);
		posts(&t, "post of a receive", receives, sends_all,
		      "poll of a receive's completion");
		answers(&t);
	} else {
		row(kit, "all rows", 0, "");
	}
	kit_close_ends(&ends);
	(void)segue_cq_close(t.send_cq);
	(void)segue_cq_close(t.recv_cq);
}
