/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared receive queues: a list of entries in a ring, linked by the driver. */
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/queue/dump.h"
#include "tools/softhca/engine/tm.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

static int check(const struct softhca_dev *dev, const struct softhca_srq_attr *attr)
{
	if (!attr->pd || attr->pd->dev != dev)
		return softhca_fail(-EINVAL, "the SRQ names no PD of this device");
	if (attr->type == IBV_SRQT_XRC && (!attr->xrcd || !attr->cq))
		return softhca_fail(-EINVAL, "an XRC SRQ needs a domain and a CQ");
	if (attr->type == IBV_SRQT_TM && !dev->cfg.tag_matching)
		return softhca_fail(-EOPNOTSUPP, "%s does not match tags", dev->cfg.name);
	if (attr->type == IBV_SRQT_TM &&
	    (!attr->cq || !attr->max_tags || attr->max_tags > 1u << SOFTHCA_LOG_MAX_TAGS))
		return softhca_fail(-EINVAL, "tag matching needs a CQ and 1 to %u tags",
				    1u << SOFTHCA_LOG_MAX_TAGS);
	if (!attr->wqes || attr->wqes & (attr->wqes - 1) || attr->wqes > 65536 ||
	    attr->max_wr > dev->cfg.max_srq_wr)
		return softhca_fail(-EINVAL, "an SRQ cannot have %u entries", attr->wqes);
	if (attr->wqe_shift < (attr->bare ? 4u : 5u) || attr->wqe_shift > 9 ||
	    attr->max_sge > dev->cfg.max_srq_sge)
		return softhca_fail(-EINVAL, "SRQ entries of %u bytes are not possible",
				    1u << (attr->wqe_shift & 31));
	if (!softhca_mapped(attr->buf_va, (uint64_t)attr->wqes << attr->wqe_shift) ||
	    !softhca_mapped(attr->db_va, 1))
		return softhca_fail(-EFAULT, "the SRQ's buffer or doorbell record is not mapped");
	return 0;
}

int softhca_srq_create(struct softhca_dev *dev, const struct softhca_srq_attr *attr,
		       struct softhca_srq **out, uint32_t *srqn)
{
	struct softhca_srq *srq;
	int err;

	if (dev->fatal)
		return softhca_fail(-EIO, "%s is in fatal state", dev->cfg.name);
	err = check(dev, attr);
	if (err)
		return err;
	srq = calloc(1, sizeof(*srq));
	if (!srq)
		return softhca_fail(-ENOMEM, "out of memory");
	srq->dev = dev;
	srq->attr = *attr;
	err = softhca_tm_init(srq);
	err = err ? err : softhca_table_add(&dev->srqs, srq, &srq->srqn);
	if (err) {
		softhca_tm_fini(srq);
		free(srq);
		return err;
	}
	srq->pd = attr->pd;
	srq->cq = attr->cq;
	srq->xrcd = attr->type == IBV_SRQT_XRC ? attr->xrcd : NULL;
	srq->limit = attr->limit;
	srq->pd->refs++;
	if (srq->cq)
		srq->cq->refs++;
	if (srq->xrcd)
		srq->xrcd->refs++;
	*out = srq;
	*srqn = srq->srqn;
	return 0;
}

int softhca_srq_destroy(struct softhca_srq *srq)
{
	if (!srq)
		return 0;
	if (srq->refs)
		return softhca_fail(-EBUSY, "SRQ 0x%x is used by %u queue pairs", srq->srqn,
				    srq->refs);
	softhca_dump_srq(srq);
	softhca_table_del(&srq->dev->srqs, srq->srqn);
	srq->pd->refs--;
	if (srq->cq)
		srq->cq->refs--;
	if (srq->xrcd)
		srq->xrcd->refs--;
	softhca_tm_fini(srq);
	free(srq);
	return 0;
}

int softhca_srq_modify(struct softhca_srq *srq, const struct ibv_srq_attr *attr, int mask)
{
	if (mask & ~(IBV_SRQ_MAX_WR | IBV_SRQ_LIMIT) || mask & IBV_SRQ_MAX_WR)
		return softhca_fail(-EINVAL, "an SRQ of this device cannot be resized");
	if (mask & IBV_SRQ_LIMIT) {
		if (attr->srq_limit >= srq->attr.wqes)
			return softhca_fail(-EINVAL,
					    "limit %u is not below the %u entries of the SRQ",
					    attr->srq_limit, srq->attr.wqes);
		srq->limit = attr->srq_limit;
		softhca_srq_check_limit(srq);
	}
	return 0;
}

int softhca_srq_query(struct softhca_srq *srq, struct ibv_srq_attr *attr)
{
	attr->max_wr = srq->attr.max_wr;
	attr->max_sge = srq->attr.max_sge;
	attr->srq_limit = srq->limit;
	return 0;
}

struct softhca_srq *softhca_srq_find(struct softhca_dev *dev, uint32_t srqn)
{
	return softhca_table_get(&dev->srqs, srqn);
}

uint32_t softhca_srq_num(const struct softhca_srq *srq)
{
	return srq->srqn;
}

uint16_t softhca_srq_taken(const struct softhca_srq *srq)
{
	return srq->taken;
}

const struct softhca_srq_attr *softhca_srq_attr(const struct softhca_srq *srq)
{
	return &srq->attr;
}

void softhca_srq_set_user(struct softhca_srq *srq, void *user)
{
	srq->user = user;
}

void *softhca_srq_user(const struct softhca_srq *srq)
{
	return srq->user;
}

uint32_t softhca_srq_posted(struct softhca_srq *srq)
{
	uint32_t raw, posted;

	if (srq->dead || softhca_copy_in(&raw, srq->attr.db_va, sizeof(raw)))
		return 0;
	posted = (uint16_t)(be32toh(raw) - srq->taken);
	if (posted > srq->attr.wqes) {
		softhca_referee_srq(srq, SOFTHCA_RULE_RQ_FULL,
				    "%u receives are posted to an SRQ of %u entries", posted,
				    srq->attr.wqes);
		return srq->attr.wqes;
	}
	return posted;
}

void softhca_srq_check_limit(struct softhca_srq *srq)
{
	if (srq->limit && softhca_srq_posted(srq) < srq->limit) {
		srq->limit = 0; /* once per arming */
		softhca_event_srq(srq, IBV_EVENT_SRQ_LIMIT_REACHED);
	}
}

/* The list leads out of the ring, or the ring is gone. This queue never receives again. */
static int broken(struct softhca_srq *srq, const char *why)
{
	srq->dead = true;
	softhca_event_srq(srq, IBV_EVENT_SRQ_ERR);
	return softhca_fail(-EINVAL, "SRQ 0x%x: %s", srq->srqn, why);
}

/* Place of the next entry, as an index into the ring. */
static uint16_t next_entry(const struct softhca_srq *srq)
{
	return srq->attr.cyclic ? (uint16_t)(srq->taken & (srq->attr.wqes - 1)) : srq->head;
}

void softhca_srq_give_back(struct softhca_srq *srq, const struct softhca_rwqe *rwqe)
{
	srq->taken--;
	if (!srq->attr.cyclic)
		srq->head = rwqe->counter;
}

int softhca_srq_take(struct softhca_srq *srq, struct softhca_rwqe *rwqe)
{
	size_t size = (size_t)1 << srq->attr.wqe_shift, skip = sizeof(struct mlx5_wqe_srq_next_seg);
	struct mlx5_wqe_srq_next_seg next;
	uint16_t at = next_entry(srq);
	uint8_t raw[512];

	if (!softhca_srq_posted(srq))
		return srq->dead ? -EINVAL : -EAGAIN;
	if (at >= srq->attr.wqes)
		return broken(srq, "next_wqe_index leads out of the ring");
	if (softhca_copy_in(raw, srq->attr.buf_va + ((uint64_t)at << srq->attr.wqe_shift), size))
		return broken(srq, "its buffer is not mapped");
	rwqe->srq = srq;
	rwqe->counter = srq->attr.cyclic ? srq->taken : at;
	memcpy(&next, raw, sizeof(next));
	srq->head = be16toh(next.next_wqe_index);
	srq->taken++;
	if (srq->attr.bare)
		skip = 0;
	if (softhca_rwqe_parse(rwqe, raw + skip, size - skip)) {
		softhca_referee_srq(
			srq, SOFTHCA_RULE_SEGMENT,
			"entry %u holds an inline segment; only data segments are allowed",
			rwqe->counter);
	} else {
		softhca_judge_srq(srq, at, (unsigned)size, raw);
	}
	softhca_srq_check_limit(srq);
	return 0;
}
