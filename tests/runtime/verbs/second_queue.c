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
