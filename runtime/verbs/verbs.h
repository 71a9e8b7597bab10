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

/*
 * Parts of a request of any shape. 0, a negative errno, or one of libmlx5's error numbers.
 * seguei_verbs_begin() writes all before the pieces, but leaves room for the address.
 */
int seguei_verbs_begin(struct segue_qp *qp, const struct ibv_send_wr *wr, struct seguei_build *b);
/* The address, in the first block. A DCI's is not in an ibv_send_wr. */
int seguei_verbs_address(const struct segue_qp *qp, const struct ibv_send_wr *wr, uint8_t *start);
/* Adds pieces, or their bytes as inline data. */
#define SEGUEI_VERBS_PIECES 64u
int seguei_verbs_pieces(const struct segue_qp *qp, struct seguei_build *b,
			const struct ibv_sge *sges, size_t count, bool inlined);

/* Makes the prepared copy of an address that libmlx5 made. */
int seguei_verbs_ah(struct ibv_ah *from, struct segue_address_vector *to);

/* Commits a request that changes a key: it binds a window, or invalidates one. */
int seguei_verbs_key(struct segue_qp *qp, const struct ibv_send_wr *wr);

#endif
