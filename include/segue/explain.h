/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Failed completions explained in sentences, not for the fast path. If the queue pair is at hand,
 * segue_qp_explain() is simpler, and names the peer, too.
 *
 * Owner: text and completion are the caller's. Nothing is kept.
 * Threads: any, on its own objects.
 * Errors: cannot fail. Text that does not fit is cut as by snprintf().
 * Source: the spec's enums cqe_syndrome and vendor_syndrome. Their members have sources of their
 *   own.
 */
#ifndef SEGUE_EXPLAIN_H
#define SEGUE_EXPLAIN_H

#include <stddef.h>

#include "segue/cq.h"

#include "segue/detail/begin.h"

/**
 * segue_wc_explain() - explain a completion.
 * @wc: completion, from a handler or segue_cq_poll()
 * @queue: the queues of its queue pair, as attached to the completion queue. NULL if not at hand
 * @out: text, NUL-terminated if @outlen is not 0
 * @outlen: bytes at @out
 *
 * The line has the failed operation and its queue pair, the syndrome with its meaning, the vendor
 * syndrome with its meaning if that is known, the request's addresses and keys if its WQE is still
 * in the ring, and the next step. Call it before posting again, because a post may overwrite the
 * WQE. Returns the length of the whole line, as snprintf(). Source: the enums cqe_syndrome and
 * vendor_syndrome of the spec. Their members have sources of their own.
 */
size_t segue_wc_explain(const struct segue_wc *wc, const struct segue_cq_queue *queue, char *out,
			size_t outlen);

/* Queue pairs that a flood distinguishes. */
#define SEGUE_FLOOD_QPNS 8

/** Flushed completions since the last error that was printed. Zero it before first use. */
struct segue_flood {
	uint64_t flushed;                   /* not reported yet */
	/* number of their queue pairs. SEGUE_FLOOD_QPNS stands for more, too */
	uint32_t n_qpns;
	uint32_t qpns[SEGUE_FLOOD_QPNS];
};

/**
 * segue_wc_explain_flood() - as segue_wc_explain(), but flushes are counted and not printed.
 * @flood: counts so far
 *
 * Pass every failed completion, of any number of queue pairs. A flushed completion gives an empty
 * text and returns 0. The next completion that failed otherwise has the number of flushes before
 * it, and their queue pairs, in front of its text. NULL as @wc returns the count alone.
 */
size_t segue_wc_explain_flood(struct segue_flood *flood, const struct segue_wc *wc,
			      const struct segue_cq_queue *queue, char *out, size_t outlen);

#include "segue/detail/end.h"

#endif
