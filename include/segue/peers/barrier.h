/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Barriers among any set of peers: dissemination over RDMA WRITEs, with a deadline, and an
 * error that names the missing peer. UD has no WRITEs. There, barriers go through the world that
 * its peers have met over, and take milliseconds, not microseconds.
 *
 * Each barrier of a group has a number, so a rank that is late for one learns that the others gave
 * it up, and is never paired with their next one. If another process takes a peer's place
 * (segue_multi_channel_meet_peer()), the numbers of the whole group start again. If the same
 * process has come back, call segue_barrier_restart().
 *
 * Owner: memory is the multi-channel's.
 * Threads: that of the multi-channel. Over UD it must be the thread of its world, too.
 * Errors: negative errno with segue_errmsg().
 * Source: Hensgen, Finkel, Manber: Two algorithms for barrier synchronization (1988); UCX
 *   src/uct/ib/mlx5/dc/dc_mlx5.c (ooo_sl_mask: placement out of order, by service level).
 */
#ifndef SEGUE_BARRIER_H
#define SEGUE_BARRIER_H

#include "segue/detail/declaration.h"
#include "segue/peers/multi_channel.h"

#include "segue/detail/begin.h"

/**
 * segue_barrier() - wait until every peer of a group has called it.
 * @multi: up. This side's own channel may be among its peers
 * @group: number below SEGUE_BARRIER_GROUPS. A group has the same peers in the same order at all
 *   ranks and in all calls
 * @peers: indices, with this side's own (options.self) among them. NULL means all peers
 * @count: number of peers
 * @deadline: when to give up
 *
 * Ordering over RC: if a WRITE to a peer was posted before the barrier, it is in that peer's memory
 * when the peer's call returns, even if it has not completed here, because packets to one peer are
 * placed in order. A card that places them out of order does not keep that promise. It may do so if
 * the administrator has switched on adaptive routing, which Segue cannot see: the flag of a barrier
 * may be in memory before the data. Then WRITEs are covered only if they have completed. The same
 * holds everywhere for WRITEs to one peer that a third peer reads, for all WRITEs over DC, and for
 * READs and atomics. The last flags that the call sends may still be on their way when it returns.
 * If the multi-channel is closed directly after it, they may be lost. segue_barrier_drained()
 * covers all of these.
 *
 * A rank that gives up takes its flags back, so that a late rank learns of it. If it gives up just
 * as another rank comes, that rank's call may succeed.
 *
 * Returns 0 or a negative errno with segue_errmsg():
 *
 * - -ETIMEDOUT naming the peer that this side waited for (a neighbour, which may be waiting in
 *   turn), or, at a rank that was late, that the others have continued
 * - -ENOTCONN if a peer is known to have failed, with its reason
 * - -EINVAL
 * - -ENOTSUP over UD without a world
 *
 * A barrier that failed is over, too: the next call is the group's next barrier.
 */
SEGUEI_MUST_CHECK int segue_barrier(struct segue_multi_channel *multi, uint32_t group,
				    const uint32_t *peers, uint32_t count, segue_deadline deadline);

/** A barrier that has begun. Programs do not read its members. */
struct segue_barrier_run {
	struct segue_multi_channel *multi;
	const uint32_t *peers;
	uint32_t group, count;
	uint32_t at;     /* index of this side among them */
	uint32_t round;
	uint64_t number; /* 63:32: restarts of the count, 31:0: the count */
	bool told;       /* the flag of this round has been sent */
};

/**
 * segue_barrier_begin() - enter a barrier without waiting.
 * @multi: as for segue_barrier(), like all parameters that follow
 * @group: number
 * @peers: must live until the barrier is over
 * @count: number of peers
 * @out: filled on success
 *
 * Barriers of other groups may begin before this one is over. Returns as segue_barrier().
 */
SEGUEI_MUST_CHECK int segue_barrier_begin(struct segue_multi_channel *multi, uint32_t group,
					  const uint32_t *peers, uint32_t count,
					  struct segue_barrier_run *out);

/**
 * segue_barrier_test() - poll once, and test whether every peer has come.
 * @run: from segue_barrier_begin()
 *
 * The barrier advances only in these calls, and peers wait for that. Returns 0 if every peer has
 * come, or -EAGAIN if not. Any other error is as of segue_barrier(), and the barrier is over.
 */
SEGUEI_MUST_CHECK int segue_barrier_test(struct segue_barrier_run *run);

/**
 * segue_barrier_cancel() - stop waiting. Late ranks learn of it, as after the deadline of
 * segue_barrier(). Cannot fail.
 */
void segue_barrier_cancel(struct segue_barrier_run *run);

/**
 * segue_barrier_drained() - a barrier that covers all requests that were posted before it.
 *
 * Waits until this side's requests have completed, then for the barrier, and then until its own
 * flags have arrived. After that every WRITE of every peer before it is in memory everywhere, and
 * the multi-channel may be closed. Returns as segue_barrier(), or segue_multi_channel_drain().
 */
int segue_barrier_drained(struct segue_multi_channel *multi, uint32_t group, const uint32_t *peers,
			  uint32_t count, segue_deadline deadline);

/**
 * segue_barrier_restart() - restart the numbers of the barriers of all groups.
 * @multi: RC or DC
 * @number: the same at all peers, and larger each time. The number of the program's round will do
 *
 * If a barrier fails though all peers live, it has succeeded at some of them, so that their next
 * barriers do not match. Each peer calls this, and then the next barrier. A process that takes
 * another's place learns the number from the peers that it meets. Returns 0, or -EINVAL if it is
 * smaller than before. The same number changes nothing.
 */
SEGUEI_MUST_CHECK int segue_barrier_restart(struct segue_multi_channel *multi, uint32_t number);

#include "segue/detail/end.h"

#endif
