/* SPDX-License-Identifier: BSD-2-Clause */
/* Queue pairs that post as always, to a device that does not read what is posted. */
#ifndef SEGUE_TOOLS_BENCH_THEIRS_UNSEEN_RESET_H
#define SEGUE_TOOLS_BENCH_THEIRS_UNSEEN_RESET_H

#include <infiniband/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Resets a queue pair by a kernel command that libmlx5 does not see. (SQD would do, too, but no
 * command of mlx5's kernel driver leads there.) Returns 0, or -1 with errno.
 */
int bench_unseen_reset(struct ibv_qp *qp);

#ifdef __cplusplus
}
#endif

#endif
