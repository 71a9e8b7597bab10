/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters of queues: requests posted, rung, refused and polled, and failures by syndrome.
 *
 * Sources that are compiled with SEGUE_COUNTERS=1 count, at the cost of an instruction for each
 * counter. Posts and polls of other sources are not counted, and cost nothing. Failed completions
 * are always counted, by completion queue. The library's own requests, and segue_cq_poll_details(),
 * are counted only if the library is compiled so, too. segue_device_query_counter() reads the
 * counters of a port (segue/device.h).
 *
 * Owner: the structs are the caller's. Counters live as long as their queue. RESET does not touch
 *   them, so take differences.
 * Threads: that of the queue.
 * Errors: none.
 * Source: Segue's own, and the spec's enum cqe_syndrome.
 */
#ifndef SEGUE_COUNTERS_H
#define SEGUE_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "segue/cq.h"
#include "segue/detail/count.h"
#include "segue/rq.h"
#include "segue/sq.h"

#include "segue/detail/begin.h"

struct segue_qp;

/** Counters of one queue. Members that its kind does not have are 0. */
struct segue_counters {
	/* requests committed or posted, including those that were taken back */
	uint64_t posted;
	uint64_t rung;	  /* doorbells, including copies to BlueFlame registers */
	uint64_t refused; /* requests that were refused, each time */
	uint64_t forced;  /* unsignaled requests that the queue has made to complete */
	uint64_t polls;	  /* calls that poll for completions */
	uint64_t empty;	  /* polls that found nothing */
	/* entries that a completion queue has handed out or dropped, modulo 2^32 */
	uint32_t entries;
	/*
	 * failed completions of a completion queue by enum segue_cqe_syndrome, modulo 2^32.
	 * Signature errors are not among them
	 */
	uint32_t errors[SEGUE_COUNTED_SYNDROMES];
};

/** segue_sq_get_counters() reads the counters of a send queue. */
void segue_sq_get_counters(const struct segue_sq *sq, struct segue_counters *out);

/** segue_rq_get_counters() reads the counters of a receive queue. */
void segue_rq_get_counters(const struct segue_rq *rq, struct segue_counters *out);

/** segue_srq_get_counters() reads the counters of a shared receive queue. */
void segue_srq_get_counters(const struct segue_srq *srq, struct segue_counters *out);

/** segue_cq_get_counters() reads the counters of a completion queue. */
void segue_cq_get_counters(const struct segue_cq *cq, struct segue_counters *out);

/**
 * segue_qp_get_counters() - read the counters of a queue pair's own queues.
 * @qp: queue pair
 * @sends: set to those of its send queue, all 0 if it has none. May be NULL
 * @receives: the same for its receive queue. A shared one has counters of its own
 */
void segue_qp_get_counters(const struct segue_qp *qp, struct segue_counters *sends,
			   struct segue_counters *receives);

/**
 * segue_counters_print() - write counters as one line: name=value, those that are 0 left out.
 * @counters: any of the above
 * @out: text, NUL-terminated if @outlen is not 0
 * @outlen: bytes at @out
 *
 * Errors are named as enum segue_cqe_syndrome has them, all others OTHER_ERR. Returns the length of
 * the whole line, as snprintf().
 */
size_t segue_counters_print(const struct segue_counters *counters, char *out, size_t outlen);

#include "segue/detail/end.h"

#endif
