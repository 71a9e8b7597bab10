/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of this folder: libibverbs' calls on Segue's objects, without locks. */
#ifndef SEGUE_RUNTIME_VERBS_VERBS_H
#define SEGUE_RUNTIME_VERBS_VERBS_H

#include <infiniband/verbs.h>
#include <stdint.h>

#include "segue/detail/build.h"
#include "segue/cq.h"
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

/* Adds inline data of several pieces. Returns 0, or ENOMEM if they are too long for the queue. */
int seguei_verbs_inline(const struct segue_qp *qp, struct seguei_build *b,
			const struct ibv_sge *sges, uint32_t count);

/* Makes the prepared copy of an address that libmlx5 made. */
int seguei_verbs_ah(struct ibv_ah *from, struct segue_address_vector *to);

/*
 * Stores the completion opcode of a request that changes a key in its slot, in the place of a
 * peer's tag.
 */
void seguei_verbs_note(struct segue_sq *sq, enum ibv_wc_opcode opcode);

/*
 * Commits a request that binds or unbinds a window. Positive errors are libmlx5's error numbers.
 */
struct seguei_verbs_bind {
	uint64_t wr_id;
	uint32_t flags;
	struct ibv_mw *mw;
	uint32_t rkey;
	const struct ibv_mw_bind_info *info;
};
int seguei_verbs_bind(struct segue_qp *qp, const struct seguei_verbs_bind *bind);
int seguei_verbs_local_inv(struct segue_qp *qp, uint64_t wr_id, uint32_t flags, uint32_t rkey);

#endif
