/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Asking whether a queue pair carries a request out, before a completion says that it does not.
 *
 * Owner: nothing is kept.
 * Threads: any.
 * Errors: negative errno with segue_errmsg(), which is the answer in words.
 * Source: the spec's automata (segue/gen/machines.h) and `creatable` of its work requests; struct
 *   segue_caps, whose members name theirs.
 */
#ifndef SEGUE_CAN_H
#define SEGUE_CAN_H

#include "segue/detail/function.h"

#include "segue/detail/begin.h"

struct segue_qp;

/**
 * segue_qp_supports() - ask whether a queue pair carries out a request, and why not.
 * @qp: queue pair, in any state
 * @request: name of a work request of the send queue, as its builder has it behind segue_:
 *   "rdma_write", "umr_list", …
 *
 * Returns 0; -EINVAL if the spec has no such request; -ENOTSUP if the type of the queue pair does
 * not have it, the device lacks what it needs, rdma-core makes no queue for it, or the queue pair
 * was opened for smaller requests (max_wqe_units). Says nothing of keys, rights and the peer.
 * Control path.
 */
SEGUEI_MUST_CHECK int segue_qp_supports(struct segue_qp *qp, const char *request);

#include "segue/detail/end.h"

#endif
