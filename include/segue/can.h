/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A check whether a queue pair can carry out a request, before one is posted.
 *
 * Owner: nothing is kept.
 * Threads: any.
 * Errors: negative errno with segue_errmsg(), which gives the reason.
 * Source: the spec's automata (segue/gen/machines.h) and `creatable` of its work requests, and
 *   struct segue_caps. Its members have sources of their own.
 */
#ifndef SEGUE_CAN_H
#define SEGUE_CAN_H

#include "segue/detail/function.h"

#include "segue/detail/begin.h"

struct segue_qp;

/**
 * segue_qp_supports() - test whether a queue pair can carry out a request.
 * @qp: queue pair, in any state
 * @request: name of a work request of the send queue, as its builder has it after segue_:
 *   "rdma_write", "umr_list", …
 *
 * Returns 0, or -EINVAL if the spec has no such request. Returns -ENOTSUP if the type of the queue
 * pair does not have it, the device lacks a capability, rdma-core makes no queue for it, or the
 * queue pair was opened for smaller requests (max_wqe_units). Keys, rights and the peer are not
 * checked. Control path.
 */
SEGUEI_MUST_CHECK int segue_qp_supports(struct segue_qp *qp, const char *request);

#include "segue/detail/end.h"

#endif
