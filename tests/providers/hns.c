/* SPDX-License-Identifier: BSD-2-Clause */
/* rdma-core's hns, as its source tree has it: queues are laid out here, entries are written
 * there. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hns_roce_u.h"
#include "hns_roce_u_hw_v2.h"

#include "provider.h"

#define ENTRIES 64u  /* of the send queue */
#define UNITS	256u /* of its second ring */
#define ENTRY	64u
#define UNIT	16u

extern const struct hns_roce_u_hw hns_roce_u_hw_v2;

static uint8_t rings[ENTRIES * ENTRY + UNITS * UNIT];
static unsigned long ids[ENTRIES], bitmap[1];
static uint32_t numbers[ENTRIES];
static uint64_t doorbell[512];
static uint8_t uar[4096];

static int atomic(const struct provider_request *r)
{
	return r->op == IBV_WR_ATOMIC_CMP_AND_SWP || r->op == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

static int post_recv(const struct provider_request *r, struct ibv_sge *sges, uint8_t *entry)
{
	struct hns_roce_context context = {.uar = uar};
	const unsigned int end = r->number & 1; /* version 2 of the device */
	struct ibv_recv_wr wr = {.sg_list = sges, .num_sge = (int)r->n_sge}, *bad;
	struct hns_roce_srq srq = {.wqe_buf.buf = rings,
				   .idx_que = {.buf.buf = numbers,
					       .entry_shift = 2,
					       .bitmap = bitmap,
					       .bitmap_cnt = 1},
				   .wrid = ids,
				   .wqe_cnt = ENTRIES / 2,
				   .max_gs = PROVIDER_SGES + 1,
				   .rsv_sge = end,
				   .wqe_shift = 9};
	struct hns_roce_qp qp = {.buf.buf = rings,
				 .rq = {.wrid = ids,
					.wqe_cnt = 2,
					.max_post = 2,
					.max_gs = PROVIDER_SGES + 1,
					.rsv_sge = end,
					.wqe_shift = 9}};
	unsigned int used = end;
	int ret;

	bitmap[0] = 1;
	qp.verbs_qp.qp.context = srq.verbs_srq.srq.context = &context.ibv_ctx.context;
	qp.verbs_qp.qp.state = IBV_QPS_RTS;
	ret = r->queue == PROVIDER_SRQ
		      ? hns_roce_u_hw_v2.hw_ops.post_srq_recv(&srq.verbs_srq.srq, &wr, &bad)
		      : hns_roce_u_hw_v2.hw_ops.post_recv(&qp.verbs_qp.qp, &wr, &bad);
	for (uint32_t i = 0; i < r->n_sge; i++)
		used += sges[i].length != 0;
	memcpy(entry, rings, (size_t)used * UNIT);
	return ret ? -ret : (int)(used * UNIT);
}

/* The other way to post, which alone leaves out what a payload within the entry does not need. */
static int post_by_calls(struct hns_roce_qp *qp, const struct provider_request *r)
{
	struct ibv_qp_init_attr_ex attr = {.qp_type = IBV_QPT_RC,
					   .comp_mask = IBV_QP_INIT_ATTR_SEND_OPS_FLAGS};
	struct ibv_qp_ex *x = &qp->verbs_qp.qp_ex;
	int ret = hns_roce_attach_qp_ex_ops(&attr, qp);

	if (ret)
		return ret;
	ibv_wr_start(x);
	x->wr_flags = r->flags & ~(unsigned int)IBV_SEND_INLINE;
	if (r->op == IBV_WR_SEND)
		ibv_wr_send(x);
	else if (r->op == IBV_WR_SEND_WITH_IMM)
		ibv_wr_send_imm(x, htobe32(r->imm));
	else if (r->op == IBV_WR_SEND_WITH_INV)
		ibv_wr_send_inv(x, r->imm);
	else if (r->op == IBV_WR_RDMA_WRITE)
		ibv_wr_rdma_write(x, r->rkey, r->remote);
	else
		ibv_wr_rdma_write_imm(x, r->rkey, r->remote, htobe32(r->imm));
	ibv_wr_set_inline_data(x, (void *)(uintptr_t)r->payload, r->n_payload);
	return ibv_wr_complete(x);
}

static void fill(struct ibv_send_wr *wr, const struct provider_request *r, struct ibv_ah *ah)
{
	wr->imm_data = htobe32(r->imm);
	if (r->op == IBV_WR_SEND_WITH_INV)
		wr->invalidate_rkey = r->imm;
	if (atomic(r)) {
		const int longer = r->n_payload != 0, swaps = r->op == IBV_WR_ATOMIC_CMP_AND_SWP;
		const uint64_t first = (uintptr_t)r->payload, second = first + r->n_payload / 2;

		wr->wr.atomic.remote_addr = r->remote;
		wr->wr.atomic.rkey = r->rkey;
		wr->wr.atomic.compare_add = !longer ? r->compare_add : swaps ? second : first;
		wr->wr.atomic.swap = longer ? first : r->swap;
	} else if (r->queue == PROVIDER_UD) {
		wr->wr.ud.ah = ah;
		wr->wr.ud.remote_qpn = r->qpn;
		wr->wr.ud.remote_qkey = r->qkey;
	} else {
		wr->wr.rdma.remote_addr = r->remote;
		wr->wr.rdma.rkey = r->rkey;
	}
}

/* The entry, and behind it what lies in the second ring. */
static int entry_of(const struct hns_roce_qp *qp, const struct provider_request *r, uint8_t *entry)
{
	const unsigned int first = r->number >> 8 & (UNITS - 1), units = qp->next_sge - first;
	unsigned int bytes = units * UNIT;

	memcpy(entry, rings + (r->number & (ENTRIES - 1)) * ENTRY, ENTRY);
	for (unsigned int i = 0; i < units; i++)
		memcpy(entry + ENTRY + i * UNIT,
		       rings + ENTRIES * ENTRY + ((first + i) & (UNITS - 1)) * UNIT, UNIT);
	if (bytes && r->flags & IBV_SEND_INLINE)
		bytes = r->n_payload;
	return (int)(ENTRY + bytes);
}

int provider_post(const struct provider_request *r, uint8_t *entry)
{
	struct hns_roce_context context = {.uar = uar};
	struct hns_roce_pd pd = {.pdn = r->rkey >> 8};
	struct hns_roce_ah ah = {.ibv_ah.pd = &pd.ibv_pd,
				 .av = {.gid_index = (uint8_t)(r->av >> 24),
					.hop_limit = (uint8_t)(r->av >> 16),
					.tclass = (uint8_t)(r->av >> 8),
					.sl = r->av & 7,
					.flowlabel = r->rkey & 0xfffff,
					.udp_sport = (uint16_t)r->number}};
	struct hns_roce_qp qp = {
		.buf.buf = rings,
		.max_inline_data = 1024,
		.sq = {.wrid = ids,
		       .wqe_cnt = ENTRIES,
		       .max_post = ENTRIES,
		       .head = r->number,
		       .tail = r->number,
		       .max_gs = 64,
		       .ext_sge_cnt = UNITS,
		       .wqe_shift = 6,
		       .shift = 6,
		       .db_reg = doorbell},
		.ex_sge = {.offset = ENTRIES * ENTRY, .sge_cnt = UNITS, .sge_shift = 4},
		.next_sge = r->number >> 8 & (UNITS - 1),
		.qkey = r->qkey,
		.path_mtu = IBV_MTU_4096};
	struct ibv_sge sges[PROVIDER_SGES] = {{0}};
	struct ibv_send_wr wr = {.opcode = (enum ibv_wr_opcode)r->op,
				 .send_flags = r->flags,
				 .sg_list = sges,
				 .num_sge = (int)r->n_sge},
			   *bad;
	int ret;

	memset(rings, 0, sizeof(rings));
	for (uint32_t i = 0; i < r->n_sge; i++)
		sges[i] = (struct ibv_sge){r->sge[i].addr, r->sge[i].length, r->sge[i].lkey};
	if (r->queue == PROVIDER_RQ || r->queue == PROVIDER_SRQ)
		return post_recv(r, sges, entry);
	memcpy(ah.av.mac, &r->remote, sizeof(ah.av.mac));
	memcpy(ah.av.dgid, &r->compare_add, 8);
	memcpy(ah.av.dgid + 8, &r->swap, 8);
	qp.verbs_qp.qp.context = &context.ibv_ctx.context;
	qp.verbs_qp.qp.state = IBV_QPS_RTS;
	qp.verbs_qp.qp.qp_type = r->queue == PROVIDER_UD ? IBV_QPT_UD : IBV_QPT_RC;
	if (r->flags & IBV_SEND_INLINE) {
		sges[0] = (struct ibv_sge){(uintptr_t)r->payload, r->n_payload, 0};
		wr.num_sge = 1;
	}
	fill(&wr, r, &ah.ibv_ah);
	ret = r->queue == PROVIDER_RC && r->flags & IBV_SEND_INLINE &&
			      r->n_payload <= HNS_ROCE_MAX_RC_INL_INN_SZ
		      ? post_by_calls(&qp, r)
		      : hns_roce_u_v2_post_send(&qp.verbs_qp.qp, &wr, &bad);
	return ret ? -ret : entry_of(&qp, r, entry);
}
