/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/runtime/verbs/second_queue.h"

#include "runtime/verbs/layer.h"

struct ibv_cq *segue_test_second_queue(struct ibv_cq *cq)
{
	const struct seguei_layer_cq *c = seguei_layer_find(cq);

	return c ? c->own : NULL;
}

bool segue_test_is_taken(struct ibv_qp *qp)
{
	return seguei_layer_find(qp);
}

void segue_test_unwatch(struct ibv_context *context)
{
	seguei_layer_context_of(context)->watched = false;
}

static struct seguei_layer_qp *record_of(struct ibv_qp *qp)
{
	return seguei_layer_find(qp);
}

uint32_t *segue_test_send_lock(struct ibv_qp *qp)
{
	return &record_of(qp)->send_lock;
}

uint32_t *segue_test_recv_lock(struct ibv_qp *qp)
{
	return &record_of(qp)->recv_lock;
}

uint32_t *segue_test_poll_lock(struct ibv_cq *cq)
{
	struct seguei_layer_cq *c = seguei_layer_find(cq);

	return &c->lock;
}
