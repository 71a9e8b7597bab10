/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive work queues and their indirection tables. */
#include "raw.h"

#include <errno.h>
#include <stdlib.h>

int softhca_wq_create(struct softhca_dev *dev, const struct softhca_wq_attr *attr,
		      struct softhca_qp **wq, uint32_t *wqn)
{
	const struct softhca_qp_create c = {
		.type = SOFTHCA_QP_RWQ,
		.pd = attr->pd,
		.recv_cq = attr->cq,
		.rq_va = attr->buf_va,
		.db_va = attr->db_va,
		.rq_wqes = attr->wqes,
		.rq_stride = attr->stride,
		.user_index = attr->user_index,
		.rq_signature = attr->signature,
		.mprq = attr->mprq,
		.cvlan_strip = attr->cvlan_strip,
		.scatter_fcs = attr->scatter_fcs,
	};

	if (!attr->cq || !attr->wqes)
		return softhca_fail(-EINVAL, "a receive work queue needs a CQ and entries");
	return softhca_qp_create(dev, &c, wq, wqn);
}

enum ibv_wq_state softhca_wq_state(const struct softhca_qp *wq)
{
	switch (wq->state) {
	case IBV_QPS_RESET:
		return IBV_WQS_RESET;
	case IBV_QPS_ERR:
		return IBV_WQS_ERR;
	default:
		return IBV_WQS_RDY;
	}
}

int softhca_wq_modify(struct softhca_qp *wq, enum ibv_wq_state state)
{
	const enum ibv_wq_state now = softhca_wq_state(wq);

	if (wq->dev->fatal)
		return softhca_fail(-EIO, "%s is in fatal state", wq->dev->cfg.name);
	switch (state) {
	case IBV_WQS_RESET:
		softhca_rq_reset(wq);
		wq->state = wq->attr.qp_state = IBV_QPS_RESET;
		return 0;
	case IBV_WQS_RDY:
		if (now == IBV_WQS_ERR)
			break;
		wq->state = wq->attr.qp_state = IBV_QPS_RTR;
		return 0;
	case IBV_WQS_ERR:
		if (now == IBV_WQS_RESET)
			break;
		softhca_qp_error(wq);
		return 0;
	default:
		break;
	}
	return softhca_fail(-EINVAL, "WQ 0x%x cannot go from state %d to %d", wq->qpn, (int)now,
			    (int)state);
}

int softhca_wq_destroy(struct softhca_qp *wq)
{
	if (wq && wq->wq_refs)
		return softhca_fail(-EBUSY, "WQ 0x%x is in %u indirection tables", wq->qpn,
				    wq->wq_refs);
	return softhca_qp_destroy(wq);
}

/* ---- indirection tables ---- */

int softhca_rwq_table_create(struct softhca_dev *dev, struct softhca_qp *const *wqs,
			     unsigned log_size, struct softhca_rwq_table **out, uint32_t *num)
{
	struct softhca_rwq_table *table;
	int err;

	if (log_size > SOFTHCA_MAX_LOG_TABLE)
		return softhca_fail(-EINVAL, "a table of 2^%u entries; 2^%u is the limit", log_size,
				    SOFTHCA_MAX_LOG_TABLE);
	table = calloc(1, sizeof(*table));
	if (!table)
		return softhca_fail(-ENOMEM, "out of memory");
	table->wq = calloc(1u << log_size, sizeof(struct softhca_qp *));
	err = table->wq ? softhca_table_add(&dev->rwq_tables, table, &table->num)
			: softhca_fail(-ENOMEM, "out of memory");
	if (err) {
		free(table->wq);
		free(table);
		return err;
	}
	table->dev = dev;
	table->log_size = log_size;
	for (unsigned i = 0; i < 1u << log_size; i++) {
		table->wq[i] = wqs[i];
		wqs[i]->wq_refs++;
	}
	*out = table;
	*num = table->num;
	return 0;
}

int softhca_rwq_table_destroy(struct softhca_rwq_table *table)
{
	if (!table)
		return 0;
	if (table->refs)
		return softhca_fail(-EBUSY, "indirection table %u is used by %u queue pairs",
				    table->num, table->refs);
	for (unsigned i = 0; i < 1u << table->log_size; i++)
		table->wq[i]->wq_refs--;
	softhca_table_del(&table->dev->rwq_tables, table->num);
	free(table->wq);
	free(table);
	return 0;
}

unsigned softhca_rwq_table_log_size(const struct softhca_rwq_table *table)
{
	return table->log_size;
}
