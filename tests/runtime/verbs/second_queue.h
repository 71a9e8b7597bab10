/* SPDX-License-Identifier: BSD-2-Clause */
/* What tests want to know of the layer's records. */
#ifndef SEGUE_TESTS_VERBS_SECOND_QUEUE_H
#define SEGUE_TESTS_VERBS_SECOND_QUEUE_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The completion queue where queue pairs that are taken complete, or NULL. */
struct ibv_cq *segue_test_second_queue(struct ibv_cq *cq);
bool segue_test_is_taken(struct ibv_qp *qp);
/*
 * From now on, queues of the context poll libmlx5 only for what completes there, as they do above a
 * card. softhca's device has its turns in posts, and by itself.
 */
void segue_test_unwatch(struct ibv_context *context);
/* Locks that calls take. */
uint32_t *segue_test_send_lock(struct ibv_qp *qp);
uint32_t *segue_test_recv_lock(struct ibv_qp *qp);
uint32_t *segue_test_poll_lock(struct ibv_cq *cq);

#ifdef __cplusplus
}
#endif

#endif
