/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernel commands for flags that libibverbs does not pass on. Source: Linux
 * include/uapi/rdma/ib_user_verbs.h.
 */
#ifndef SEGUE_RUNTIME_UVERBS_H
#define SEGUE_RUNTIME_UVERBS_H

#include <infiniband/verbs.h>
#include <stddef.h>

/*
 * Writes a command, header first. It contains the address of its answer. 0 or an error number,
 * without a sentence.
 */
int seguei_uverbs_write(const struct ibv_context *context, const void *command, size_t bytes);

#endif
