/* SPDX-License-Identifier: BSD-2-Clause */
/* rdma-core's ionic, as its source tree has it: queues are laid out here, entries are written
 * there. */
#include <endian.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "ionic.h"
#include "ionic_fw.h"

#include "provider.h"

#define ENTRIES	     256u
#define STRIDE_SHIFT 9u

static uint8_t ring[ENTRIES << STRIDE_SHIFT];
static struct ionic_sq_meta sq_meta[ENTRIES];
static struct ionic_rq_meta rq_meta[ENTRIES];
static uint16_t numbers[ENTRIES];
static uint64_t doorbell[512];
static const struct verbs_context_ops *calls;

/* The provider's post functions have no name of their own: it hands them over here. */
void verbs_set_ops(struct verbs_context *context, const struct verbs_context_ops *ops)
{
	(void)context;
	calls = ops;
}
void __verbs_log(struct verbs_context *context, uint32_t level, const char *format, ...)
{
	(void)context;
	(void)level;
	(void)format;
}

/* What ionic_v1_use_spec_sge() makes of a queue and its firmware: most pieces with their lengths in
 * front of them. */
static int listed(const struct provider_request *r)
{
	static const int most[] = {0, 2, 8, 16};

	return most[r->number / (2 * ENTRIES) % 4];
}

/* The smallest entry that takes the request. */
static uint8_t stride_shift(const struct provider_request *r)
{
	const uint32_t list = listed(r) > 2 ? 32 : 0;
	const uint32_t bytes = 32 +
			       (r->flags & IBV_SEND_INLINE ? r->n_payload : list + 16 * r->n_sge);
	uint8_t shift = 6;

	while (bytes > 1u << shift)
		shift++;
	return shift;
}

static void lay_out(struct ionic_queue *queue, const struct provider_request *r)
{
	memset(ring, 0, sizeof(ring));
	queue->ptr = ring;
	queue->size = sizeof(ring);
	queue->mask = ENTRIES - 1;
	queue->depth_log2 = 8;
	queue->stride_log2 = stride_shift(r);
	queue->prod = queue->cons = r->number % ENTRIES;
}

static void fill(struct ibv_send_wr *wr, const struct provider_request *r, struct ibv_ah *ah)
{
	wr->imm_data = htobe32(r->imm);
	if (r->op == IBV_WR_SEND_WITH_INV || r->op == IBV_WR_LOCAL_INV)
		wr->invalidate_rkey = r->imm;
	if (r->op == IBV_WR_ATOMIC_CMP_AND_SWP || r->op == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr->wr.atomic.remote_addr = r->remote;
		wr->wr.atomic.compare_add = r->compare_add;
		wr->wr.atomic.swap = r->swap;
		wr->wr.atomic.rkey = r->rkey;
	} else if (r->queue == PROVIDER_UD) {
		wr->wr.ud.ah = ah;
		wr->wr.ud.remote_qpn = r->qpn;
		wr->wr.ud.remote_qkey = r->qkey;
	} else {
		wr->wr.rdma.remote_addr = r->remote;
		wr->wr.rdma.rkey = r->rkey;
	}
}

static int post_recv(struct ionic_qp *qp, const struct provider_request *r, struct ibv_sge *sges)
{
	struct ibv_recv_wr wr = {.sg_list = sges, .num_sge = (int)r->n_sge}, *bad;

	lay_out(&qp->rq.queue, r);
	qp->has_rq = true;
	qp->rq.spec = listed(r);
	qp->rq.meta = rq_meta;
	qp->rq.meta_head = rq_meta;
	qp->rq.meta_idx = numbers;
	memset(rq_meta, 0, sizeof(rq_meta));
	return calls->post_recv(&qp->vqp.qp, &wr, &bad);
}

static int post_send(struct ionic_qp *qp, const struct provider_request *r, struct ibv_sge *sges)
{
	struct ionic_ah ah = {.ahid = r->av};
	struct ibv_mw window = {.rkey = r->imm, .type = IBV_MW_TYPE_2};
	struct ibv_mr region = {.lkey = r->qkey};
	struct ibv_send_wr wr = {.opcode = (enum ibv_wr_opcode)r->op,
				 .send_flags = r->flags,
				 .sg_list = sges,
				 .num_sge = (int)r->n_sge},
			   *bad;

	lay_out(&qp->sq.queue, r);
	qp->has_sq = true;
	qp->sq.spec = listed(r);
	qp->sq.meta = sq_meta;
	qp->sq.msn_idx = numbers;
	qp->sq.color = !(r->number & ENTRIES);
	if (r->flags & IBV_SEND_INLINE) {
		sges[0] = (struct ibv_sge){(uintptr_t)r->payload, r->n_payload, 0};
		wr.num_sge = 1;
	}
	fill(&wr, r, &ah.ibah);
	if (r->op == IBV_WR_BIND_MW) {
		wr.bind_mw.mw = &window;
		wr.bind_mw.rkey = r->rkey;
		wr.bind_mw.bind_info.mr = &region;
		wr.bind_mw.bind_info.addr = r->remote;
		wr.bind_mw.bind_info.length = r->compare_add;
		wr.bind_mw.bind_info.mw_access_flags = r->av;
	}
	return calls->post_send(&qp->vqp.qp, &wr, &bad);
}

int provider_post(const struct provider_request *r, uint8_t *entry)
{
	struct ionic_ctx context = {.version = 2, .dbpage = doorbell, .udma_count = 1};
	struct ionic_vcq cq = {.cq[0] = {.lockfree = true, .reserve = 1000}};
	struct ionic_qp qp = {.lockfree = true};
	struct ibv_sge sges[PROVIDER_SGES] = {{0}};
	int ret;

	if (!calls)
		ionic_verbs_set_ops(&context);
	for (uint32_t i = 0; i < r->n_sge; i++)
		sges[i] = (struct ibv_sge){r->sge[i].addr, r->sge[i].length, r->sge[i].lkey};
	cq.cq[0].vcq = &cq;
	qp.vqp.qp.context = &context.vctx.context;
	qp.vqp.qp.send_cq = qp.vqp.qp.recv_cq = &cq.vcq.cq;
	qp.vqp.qp.state = IBV_QPS_RTS;
	qp.vqp.qp.qp_type = r->queue == PROVIDER_UD ? IBV_QPT_UD : IBV_QPT_RC;
	ret = r->queue == PROVIDER_RQ ? post_recv(&qp, r, sges) : post_send(&qp, r, sges);
	if (ret)
		return -ret;
	memcpy(entry, ring + ((r->number % ENTRIES) << stride_shift(r)), 1u << stride_shift(r));
	return 1 << stride_shift(r);
}
