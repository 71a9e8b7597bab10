/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Barriers among any set of peers: dissemination over RDMA WRITEs, with a deadline that names who
 * is missing. Over UD, which has none, they go through the world that was met over, and take
 * milliseconds, not microseconds.
 *
 * Each barrier of a group has a number, so a rank that is late for one learns that the others gave
 * it up, and is never paired with their next one. Numbers begin anew for all of the group when
 * another process takes a peer's place (segue_multi_channel_meet_peer()); when the same process has
 * come back, call segue_barrier_restart().
 *
 * Owner: memory is the multi-channel's.
 * Threads: that of the multi-channel; over UD also of its world.
 * Errors: negative errno with segue_errmsg().
 * Source: Hensgen, Finkel, Manber: Two algorithms for barrier synchronization (1988); UCX
 *   src/uct/ib/mlx5/dc/dc_mlx5.c (ooo_sl_mask: placement out of order, by service level).
 */
#ifndef SEGUE_BARRIER_H
#define SEGUE_BARRIER_H

#include "segue/detail/function.h"
#include "segue/multi_channel.h"

#include "segue/detail/begin.h"

/**
 * segue_barrier() - wait until every peer of a group has called it.
 * @multi: up, with this side's own channel among its peers or not
 * @group: number below SEGUE_BARRIER_GROUPS; a group is the same peers in the same order,
 *   everywhere and always
 * @peers: indices, this side's own (options.self) among them; NULL: all
 * @count: number of peers
 * @deadline: when to give up
 *
 * What it orders: over RC, a WRITE to a peer that was posted before is in that peer's memory when
 * the peer's call returns, even if it has not completed here: packets to one peer are placed in
 * order. A card that places them out of order does not keep that promise. It may do so where the
 * administrator has switched on adaptive routing, which Segue cannot see: the flag of a barrier may
 * be in memory before the data. There, WRITEs are covered only if they have completed. The same
 * holds everywhere for WRITEs to one peer that a third peer reads, for all WRITEs over DC, and for
 * READs and atomics. The last flags that it sends may still be on their way when it returns, and
 * closing directly behind it may lose them. segue_barrier_drained() covers all of these.
 *
 * A rank that gives up takes its flags back, so that a late rank learns of it. If it gives up just
 * as another rank comes, that rank's call may succeed.
 *
 * Returns 0; -ETIMEDOUT naming the peer that this side waited for (a neighbour, which may be
 * waiting in turn) or, for a rank that was late, that the others have gone on; -ENOTCONN if a peer
 * is known to have failed, with its reason; -EINVAL; -ENOTSUP over UD without a world. A barrier
 * that failed is over all the same: the next call is the group's next barrier.
 */
SEGUEI_MUST_CHECK int segue_barrier(struct segue_multi_channel *multi, uint32_t group,
				    const uint32_t *peers, uint32_t count, segue_deadline deadline);

/** A barrier that was begun. Its members are not for programs. */
struct segue_barrier_run {
	struct segue_multi_channel *multi;
	const uint32_t *peers;
	uint32_t group, count;
	uint32_t at;     /* of this side among them */
	uint32_t round;
	uint64_t number; /* when they began anew 63:32, count 31:0 */
	bool told;       /* in this round */
};

/**
 * segue_barrier_begin() - enter a barrier without waiting.
 * @multi: as for segue_barrier(), like all that follows
 * @group: number
 * @peers: stay until it is over
 * @count: number of peers
 * @out: filled on success
 *
 * Barriers of other groups may be begun meanwhile. Returns 0, or as segue_barrier().
 */
SEGUEI_MUST_CHECK int segue_barrier_begin(struct segue_multi_channel *multi, uint32_t group,
					  const uint32_t *peers, uint32_t count,
					  struct segue_barrier_run *out);

/**
 * segue_barrier_test() - poll once, and look whether every peer has come.
 * @run: begun
 *
 * The barrier advances only in these calls, and peers wait for that. Returns 0 if every peer has
 * come; -EAGAIN if not; otherwise as segue_barrier(), and the barrier is over.
 */
SEGUEI_MUST_CHECK int segue_barrier_test(struct segue_barrier_run *run);

/**
 * segue_barrier_cancel() - stop waiting: late ranks learn of it, as after the deadline of
 * segue_barrier(). Cannot fail.
 */
void segue_barrier_cancel(struct segue_barrier_run *run);

/**
 * segue_barrier_drained() - a barrier that covers all that was posted before it.
 *
 * Waits until what this side has posted has completed, then for the barrier, and then until its own
 * flags have arrived: every WRITE of every peer before it is in memory everywhere, and the
 * multi-channel may be closed. Returns as segue_barrier(), or segue_multi_channel_drain().
 */
int segue_barrier_drained(struct segue_multi_channel *multi, uint32_t group, const uint32_t *peers,
			  uint32_t count, segue_deadline deadline);

/**
 * segue_barrier_restart() - count the barriers of all groups anew.
 * @multi: RC or DC
 * @number: the same at all peers, larger each time: say, that of the program's round
 *
 * When a barrier has failed though all peers live, it succeeded at some of them, so that their next
 * ones do not match. Each peer calls this, and then the next barrier. A process that takes
 * another's place learns it from the peers that it meets. Returns 0, or -EINVAL if it is smaller
 * than before; the same number changes nothing.
 */
SEGUEI_MUST_CHECK int segue_barrier_restart(struct segue_multi_channel *multi, uint32_t number);

#include "segue/detail/end.h"

#endif
