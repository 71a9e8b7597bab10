/* SPDX-License-Identifier: BSD-2-Clause */
/* What tests want to know of the layer's records. */
#ifndef SEGUE_TESTS_VERBS_SECOND_QUEUE_H
#define SEGUE_TESTS_VERBS_SECOND_QUEUE_H

#include <infiniband/verbs.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The completion queue where queue pairs that are taken complete, or NULL. */
struct ibv_cq *segue_test_second_queue(struct ibv_cq *cq);
bool segue_test_is_taken(struct ibv_qp *qp);

#ifdef __cplusplus
}
#endif

#endif
