/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Failed completions in sentences. Not for the fast path; any thread may call these on what
 * it owns. Where the queue pair is at hand, segue_qp_explain() is simpler, and names the peer, too.
 *
 * Owner: text and completion are the caller's; nothing is kept.
 * Threads: any, on what it owns.
 * Errors: cannot fail; text that does not fit is cut as by snprintf().
 * Source: the spec's enums cqe_syndrome and vendor_syndrome, whose members name theirs.
 */
#ifndef SEGUE_EXPLAIN_H
#define SEGUE_EXPLAIN_H

#include <stddef.h>

#include "segue/cq.h"

#include "segue/detail/begin.h"

/**
 * segue_wc_explain() - say what a completion means.
 * @wc: completion, from a handler or segue_cq_poll()
 * @queue: the queues of its queue pair, as attached to the completion queue; NULL if not at hand
 * @out: text, NUL-terminated if @outlen is not 0
 * @outlen: bytes at @out
 *
 * One line: what failed on which queue pair, the syndrome with its meaning, the vendor syndrome
 * (said to be unknown where it is), what the request named (if its WQE is still in the ring), the
 * next step. Call it before posting again, or the WQE may be gone. Returns the length of the whole
 * line, as snprintf(). Source: the enums cqe_syndrome and vendor_syndrome of the spec, whose
 * members carry their sources.
 */
size_t segue_wc_explain(const struct segue_wc *wc, const struct segue_cq_queue *queue, char *out,
			size_t outlen);

/* Queue pairs that a flood tells apart. */
#define SEGUE_FLOOD_QPNS 8

/** Flushed completions since the last error that was worth a line. Zero it before first use. */
struct segue_flood {
	uint64_t flushed;                   /* not reported yet */
	/* of so many queue pairs; SEGUE_FLOOD_QPNS stands for more, too */
	uint32_t n_qpns;
	uint32_t qpns[SEGUE_FLOOD_QPNS];
};

/**
 * segue_wc_explain_flood() - as segue_wc_explain(), but flushes are counted and not printed.
 * @flood: what has been counted so far
 *
 * Hand every failed completion to it, of any number of queue pairs. A completion that was flushed
 * gives an empty text and returns 0; the first of another kind is preceded by how many were, and of
 * which queue pairs. NULL as @wc asks for the count alone.
 */
size_t segue_wc_explain_flood(struct segue_flood *flood, const struct segue_wc *wc,
			      const struct segue_cq_queue *queue, char *out, size_t outlen);

#include "segue/detail/end.h"

#endif
