/* SPDX-License-Identifier: BSD-2-Clause */
/* A block in C with a scope in it, and memory that is the block's own. */
#ifndef SEGUE_TESTS_RUNTIME_CHANNEL_SCOPE_BLOCK_H
#define SEGUE_TESTS_RUNTIME_CHANNEL_SCOPE_BLOCK_H

#include "segue/pd.h"
#include "segue/peers/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

enum leave_by { LEAVE_BY_RETURN, LEAVE_BY_BREAK, LEAVE_BY_END };

/* READs of a peer's memory into an array of its own; -E2BIG, with a sentence, when it returns
 * early. */
int read_in_block(struct segue_multi_channel *multi, struct segue_pd *pd, uint32_t peer,
		  const struct segue_remote_buf *from, enum leave_by way, uint64_t *sum);

#ifdef __cplusplus
}
#endif

#endif
