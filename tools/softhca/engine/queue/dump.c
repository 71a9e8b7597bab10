/* SPDX-License-Identifier: BSD-2-Clause */
/* Dumps of rings to files that `segue decode` reads. */
#include "tools/softhca/engine/queue/dump.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/proc/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 64u

/* Name of the queue for `segue decode --queue`. */
static const char *queue_of(const struct softhca_qp *qp)
{
	switch (qp->type) {
	case SOFTHCA_QP_RC:
		return "rc";
	case SOFTHCA_QP_UC:
		return "uc";
	case SOFTHCA_QP_UD:
		return "ud";
	case SOFTHCA_QP_XRC_INI:
		return "xrc_initiator";
	case SOFTHCA_QP_DCI:
		return "dci";
	default:
		return "raw_packet";
	}
}

static bool is_blank(const uint8_t *bytes, size_t len)
{
	return !len || (!bytes[0] && !memcmp(bytes, bytes + 1, len - 1));
}

/* Writes a ring to DIR/DEVICE-PID-`name`, unless it was never written to. Reports failures. */
static void write_ring(const struct softhca_dev *dev, const char *name, uint64_t va, size_t len)
{
	uint8_t *const bytes = len ? malloc(len) : NULL;
	char path[512];
	FILE *file;
	bool whole;

	if (!bytes)
		return;
	if (!softhca_copy_in(bytes, va, len) && !is_blank(bytes, len)) {
		snprintf(path, sizeof(path), "%s/%s-%d-%s", dev->cfg.dump, dev->cfg.name,
			 (int)getpid(), name);
		file = fopen(path, "we");
		whole = file && fwrite(bytes, len, 1, file) == 1;
		whole = file && !fclose(file) && whole;
		if (!whole) {
			fprintf(stderr, "softhca: cannot write the ring to %s: %s\n", path,
				softhca_strerror(errno));
			(void)unlink(path);
			the_engine.incomplete = true;
		}
	}
	free(bytes);
}

void softhca_dump_qp(const struct softhca_qp *qp)
{
	char name[80];

	if (!qp->dev->cfg.dump)
		return;
	snprintf(name, sizeof(name), "sq-0x%x-%s", qp->qpn, queue_of(qp));
	write_ring(qp->dev, name, qp->sq.va, (size_t)qp->sq.wqes * BLOCK);
	snprintf(name, sizeof(name), "%s-0x%x-stride-%u",
		 qp->create.mprq.log_strides ? "mprq" : "rq", softhca_rq_num(qp), qp->rq.stride);
	write_ring(qp->dev, name, qp->rq.va, (size_t)qp->rq.wqes * qp->rq.stride);
}

void softhca_dump_srq(const struct softhca_srq *srq)
{
	const struct softhca_srq_attr *const attr = &srq->attr;
	char name[80];

	if (!srq->dev->cfg.dump)
		return;
	snprintf(name, sizeof(name), "%s-0x%x-stride-%u", attr->bare ? "rq" : "srq", srq->srqn,
		 1u << attr->wqe_shift);
	write_ring(srq->dev, name, attr->buf_va, (size_t)attr->wqes << attr->wqe_shift);
}

void softhca_dump_cq(const struct softhca_cq *cq)
{
	char name[80];

	if (!cq->dev->cfg.dump)
		return;
	snprintf(name, sizeof(name), "cq-0x%x-size-%u", cq->cqn, cq->attr.cqe_size);
	write_ring(cq->dev, name, cq->attr.buf_va, (size_t)cq->attr.cqes * cq->attr.cqe_size);
}
