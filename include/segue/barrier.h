/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Barriers among any set of peers: dissemination over RDMA WRITEs, with a deadline that names who is missing.
 *
 * Each barrier of a group has a number, so a rank that is late for one is told that the others gave it up, and is never paired with
 * their next one. When another process has taken a peer's place (segue_multi_channel_renew()), numbers begin anew for all of the group; when the
 * same one has come back, by segue_barrier_restart().
 *
 * Owner: memory is the multi-channel's.
 * Threads: that of the multi-channel.
 * Errors: negative errno with segue_errmsg().
 * Source: Hensgen, Finkel, Manber: Two algorithms for barrier synchronization (1988).
 */
#ifndef SEGUE_BARRIER_H
#define SEGUE_BARRIER_H

#include "segue/multi_channel.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * segue_barrier() - wait until every peer of a group has come here.
 * @multi: up; RC or DC, with this side's own channel among its peers or not
 * @group: number below SEGUE_BARRIER_GROUPS; those of one group are the same peers in the same order, everywhere and always
 * @peers: indices, this side's own (options.self) among them; NULL: all
 * @count: number of peers
 * @deadline: when to give up
 *
 * Returns 0; -ETIMEDOUT naming who this side waited for (a neighbour, who may be waiting in turn) or, for a rank that was late, that the
 * others have gone on; -ENOTCONN if one of them is known to have failed, with its reason; -EINVAL; -ENOTSUP over UD. One that failed is over all the
 * same: the next call is the group's next barrier.
 */
int segue_barrier(struct segue_multi_channel *multi, uint32_t group, const uint32_t *peers, uint32_t count, segue_deadline deadline);

/**
 * segue_barrier_restart() - count the barriers of all groups anew.
 * @multi: RC or DC
 * @epoch: the same at all peers, larger each time: a number of a round that the program has, say
 *
 * When a barrier has failed though everybody lives, some were through it and some were not, so that their next ones do not match. Each
 * calls this, and then the next barrier. A process that takes another's place learns the epoch from those that it meets. Returns 0, or
 * -EINVAL if the epoch goes back; the same again changes nothing.
 */
int segue_barrier_restart(struct segue_multi_channel *multi, uint32_t epoch);

#ifdef __cplusplus
}
#endif

#endif
