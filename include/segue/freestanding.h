/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Builders and rings without the library, for code that cannot link it, such as a GPU's.
 *
 *	#define SEGUE_FUNCTION static inline __device__
 *	#define SEGUE_FREESTANDING __device__
 *	#include "segue/gen/builders.h"
 *	#include "segue/freestanding.h"
 *
 * A file that is compiled for the host as well writes __host__ __device__ in both, and has one
 * source for both sides. Without __host__ the declarations are not for the host, so the GPU's code
 * needs a file of its own. If several files of one program include this, SEGUE_FREESTANDING has
 * `static`, too. This header comes after all others of Segue.
 *
 * The host has made the queue, in memory that the host and the GPU reach, and has mapped its
 * register to the GPU. One of the two posts to it at a time. Segments, cqes.h, builders (rings.h
 * and blocks of other devices, too), patterns.h, peers.h, polls (cq.h) and segue_sq_retire() are
 * as on the host, with these differences:
 *
 * - A refusal is a negative errno without a sentence.
 * - BlueFlame is a doorbell.
 * - Constants out of range are refused when they are posted, if nvcc compiles. It cannot
 *   distinguish the compiler's constants from other values.
 * - Checked builds and counters are missing.
 * - A pattern is kept by the host, and repeated on either side: segue_pattern_...() is -ENOTSUP.
 * - Polls take the completions listed in segue/detail/freestanding_poll.h. The map of a completion
 *   queue's queue pairs is ordinary memory of the host, so a GPU that reaches only registered
 *   memory needs a poll of its own.
 * - Posts by peer go to peers that are up: see segue/detail/freestanding_peer.h.
 * - A split queue has no half that polls.
 * - A queue that its first request puts on a list of the host (segue/peers/) takes the slow path,
 *   and stays off that list until the host posts to it.
 *
 * Owner: as in the headers that declare them.
 * Threads: that of the queue.
 * Errors: negative errno.
 * Source: Segue's own.
 */
#ifndef SEGUE_FREESTANDING_H
#define SEGUE_FREESTANDING_H

#include <errno.h>

#include "segue/detail/count.h"
#include "segue/detail/device/block.h"

#ifndef SEGUE_FREESTANDING
#error "define SEGUE_FREESTANDING before any header of Segue: how its functions are declared"
#endif



#if SEGUE_CHECKED
#error "checked builds need the library: SEGUE_CHECKED is 0 where there is none"
#endif

#if SEGUE_COUNTERS
#error "counters need the library: SEGUE_COUNTERS is 0 where there is none"
#endif

#include "segue/detail/begin.h"

SEGUEI_OF_LIBRARY int seguei_block_refuse(const struct seguei_block *b,
					  const struct segue_machine *machine)
{
	(void)machine;
	return -seguei_block_refusal(b);
}

SEGUEI_OF_LIBRARY int seguei_no_argument(const char *call, const char *member)
{
	(void)call;
	(void)member;
	return -EINVAL;
}

SEGUEI_OF_LIBRARY int seguei_wrong_count(const char *call, const char *member, uint32_t count,
					 uint32_t least, uint32_t most)
{
	(void)call;
	(void)member;
	(void)count;
	(void)least;
	(void)most;
	return -EINVAL;
}

SEGUEI_OF_LIBRARY void seguei_note_null(const char *call, const char *member)
{
	(void)call;
	(void)member;
}

/*
 * The functions from here to the next part belong to checked builds. They have no callers, but -G
 * keeps the calls.
 */
SEGUEI_OF_LIBRARY void seguei_note_caller(const char *file, int line)
{
	(void)file;
	(void)line;
}

SEGUEI_OF_LIBRARY void seguei_check_value(uint32_t field, uint64_t value)
{
	(void)field;
	(void)value;
}

SEGUEI_OF_LIBRARY void seguei_check_flags(const char *request, uint32_t flags, uint32_t legal)
{
	(void)request;
	(void)flags;
	(void)legal;
}

SEGUEI_OF_LIBRARY void seguei_check_clash(const char *request, uint32_t flags)
{
	(void)request;
	(void)flags;
}

SEGUEI_OF_LIBRARY void seguei_block_check(const struct seguei_block *b,
					  const struct segue_machine *machine)
{
	(void)b;
	(void)machine;
}

/*
 * Compiled only if the builders included before have a send queue and a receive queue of Segue's.
 */
#ifdef SEGUE_DETAIL_COMMIT_H
SEGUEI_OF_LIBRARY int seguei_sq_refuse_form(const struct segue_sq *sq, struct seguei_form form,
					    int32_t bad, const struct segue_machine *machine)
{
	(void)machine;
	return -seguei_ring_refusal(bad, form.why & SEGUEI_TOO_LONG, sq->postable);
}

SEGUEI_OF_LIBRARY int seguei_sq_bad_completion(const struct segue_sq *sq, uint16_t wqe_counter)
{
	(void)sq;
	(void)wqe_counter;
	return -EINVAL;
}

SEGUEI_OF_LIBRARY void seguei_sq_blueflame(struct segue_sq *sq, uint32_t pi)
{
	sq->committed = pi;
	seguei_sq_ring_committed(sq);
}

SEGUEI_OF_LIBRARY void seguei_check_step(struct segue_sq *sq, uint32_t step, const char *what)
{
	(void)sq;
	(void)step;
	(void)what;
}

SEGUEI_OF_LIBRARY void seguei_check_begin(struct segue_sq *sq)
{
	(void)sq;
}

SEGUEI_OF_LIBRARY void seguei_check_no_batch(const struct segue_sq *sq)
{
	(void)sq;
}

SEGUEI_OF_LIBRARY void seguei_check_wqe(const struct segue_machine *machine,
					const struct segue_sq *sq, const uint8_t *start,
					uint32_t units)
{
	(void)machine;
	(void)sq;
	(void)start;
	(void)units;
}
#endif

#ifdef SEGUE_PATTERN_H
SEGUEI_OF_LIBRARY int seguei_pattern_keep(struct seguei_build *b,
					  const struct segue_machine *machine,
					  struct seguei_pattern *pattern, const char *expected,
					  const struct seguei_stop *stops, size_t count)
{
	(void)b;
	(void)machine;
	(void)pattern;
	(void)expected;
	(void)stops;
	(void)count;
	return -ENOTSUP;
}

SEGUEI_OF_LIBRARY int seguei_pattern_refuse_entry(const struct seguei_pattern *pattern,
						  uint64_t entry)
{
	(void)pattern;
	(void)entry;
	return -ERANGE;
}

SEGUEI_OF_LIBRARY void seguei_check_repeat(struct seguei_pattern *pattern, uint32_t set)
{
	(void)pattern;
	(void)set;
}
#endif

#ifdef SEGUE_RQ_H
SEGUEI_OF_LIBRARY int seguei_rq_bad_completion(const struct seguei_recv_ring *ring)
{
	(void)ring;
	return -EINVAL;
}

SEGUEI_OF_LIBRARY int seguei_srq_bad_completion(const struct seguei_recv_ring *ring,
						uint16_t wqe_counter)
{
	(void)ring;
	(void)wqe_counter;
	return -EINVAL;
}

SEGUEI_OF_LIBRARY int seguei_mprq_refuse_short(const struct seguei_recv_ring *ring, int64_t spare)
{
	(void)ring;
	(void)spare;
	return -ERANGE;
}

SEGUEI_OF_LIBRARY int seguei_recv_refused(const struct seguei_recv_ring *ring, uint8_t *start,
					  uint32_t bytes, uint32_t why,
					  const struct segue_machine *machine, int32_t bad)
{
	(void)start;
	(void)bytes;
	(void)machine;
	return -seguei_ring_refusal(bad, why & SEGUEI_TOO_LONG, seguei_recv_is_postable(ring));
}

SEGUEI_OF_LIBRARY int seguei_rq_refused(struct seguei_recv_ring *ring, uint64_t wr_id,
					uint32_t bytes, uint32_t why,
					const struct segue_machine *machine, int32_t bad)
{
	(void)wr_id;
	return seguei_recv_refused(ring, ring->buf, bytes, why, machine, bad);
}

SEGUEI_OF_LIBRARY void seguei_recv_check_step(struct seguei_recv_ring *ring, uint32_t step,
					      const char *what)
{
	(void)ring;
	(void)step;
	(void)what;
}

SEGUEI_OF_LIBRARY void seguei_recv_check_begin(struct seguei_recv_ring *ring)
{
	(void)ring;
}

SEGUEI_OF_LIBRARY void seguei_recv_check_wqe(const struct segue_machine *machine,
					     const struct seguei_recv *b)
{
	(void)machine;
	(void)b;
}
#endif

#include "segue/detail/end.h"

#ifdef SEGUE_DETAIL_COMMIT_H
#include "segue/detail/sq_slow_path.h"
#endif
#ifdef SEGUE_PATTERN_H
#include "segue/detail/pattern_slow_path.h"
#endif
#ifdef SEGUE_CQ_H
#include "segue/detail/freestanding_poll.h"
#endif
#ifdef SEGUE_MULTI_CHANNEL_H
#include "segue/detail/freestanding_peer.h"
#endif

#endif
