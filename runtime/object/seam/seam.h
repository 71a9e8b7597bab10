/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of the library segue that segue_peers uses, in addition to the public headers and
 * runtime/base/. No other header of the core is included by runtime/peers/, and the core uses
 * nothing of it.
 */
#ifndef SEGUE_RUNTIME_SEAM_H
#define SEGUE_RUNTIME_SEAM_H

#include "runtime/object/tree/object.h"
#include "runtime/ring/cq/geometry.h"
#include "segue/qp.h"

struct segue_device;
struct segue_pool;
struct segue_srq;
struct seguei_srq_object;

extern const struct seguei_kind seguei_pd_kind;

/* Bytes of a struct segue_qp, and of a struct segue_ah. */
extern const size_t seguei_qp_size, seguei_ah_size;

/* The tree object that is the first member of an object of the core. */
static inline struct seguei_object *seguei_object_of(const void *object)
{
	return (struct seguei_object *)object;
}

/* The device that an object belongs to. */
struct segue_device *seguei_device_of(struct seguei_object *object);

/* The object of a ring. NULL gives NULL. */
struct seguei_srq_object *seguei_srq_object_of(const struct segue_srq *srq);

/* The object around a pool. */
struct seguei_object *seguei_pool_object_of(struct segue_pool *pool);

/* Its send queue, of any transport. */
struct segue_sq *seguei_qp_sq(struct segue_qp *qp);

/* Stands for a queue pair that is not made: nothing is in flight. */
extern struct segue_qp seguei_qp_none;

/* Entries of a completion queue for all sends that the options allow, one for each block. */
uint32_t seguei_qp_send_entries(const struct segue_qp_options *options);

/* Moves it to ERR, even from a handler. Its completion queues are not changed. */
int seguei_qp_fail(struct segue_qp *qp);

/*
 * Posts a hidden request that completes after a tail of unsignaled requests. Repeated calls cost
 * little.
 */
void seguei_qp_end_tail(struct segue_qp *qp);

/*
 * ece.c: for two sides that send their offers at the same time. seguei_qp_offer_ece() returns the
 * offer of a new queue pair. It names no vendor if the offer cannot be queried.
 * seguei_qp_agree_ece() sets the options that both sides offer, before RTR.
 */
int seguei_qp_offer_ece(struct segue_qp *qp, struct segue_ece *offer);
int seguei_qp_agree_ece(struct segue_qp *qp, const struct segue_ece *mine,
			const struct segue_ece *theirs);

#endif
