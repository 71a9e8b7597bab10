/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of this folder: libibverbs' calls on Segue's objects, without locks. */
#ifndef SEGUE_RUNTIME_VERBS_VERBS_H
#define SEGUE_RUNTIME_VERBS_VERBS_H

#include <infiniband/verbs.h>
#include <stdint.h>

#include "segue/cq.h"
#include "segue/detail/build.h"
#include "segue/qp.h"
#include "segue/verbs.h"

/*
 * The error number that libmlx5 returns for a request that Segue has refused. @ret: the negative
 * errno
 */
int seguei_verbs_send_errno(const struct segue_qp *qp, int ret);
int seguei_verbs_recv_errno(int ret);

/* Marks a fast path that copies inline data through arrays which need no stack protector. */
#define SEGUEI_VERBS_COPIES __attribute__((noinline, no_stack_protector))

/* Writes the address vector of a UD request. */
void seguei_verbs_put_av(uint8_t *at, struct ibv_ah *ah, uint32_t qpn, uint32_t qkey);

/* Commits a request that changes a key: it binds a window, or invalidates one. */
int seguei_verbs_key(struct segue_qp *qp, const struct ibv_send_wr *wr);

#endif
