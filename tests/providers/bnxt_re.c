/* SPDX-License-Identifier: BSD-2-Clause */
/* rdma-core's bnxt_re, as its source tree has it: queues are laid out here, entries are written
 * there. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "main.h"
#include "verbs.h"

#include "provider.h"

#define SLOTS 256u

static uint8_t ring[SLOTS * 16], searches[SLOTS * 16];
static struct bnxt_re_wrid wrids[SLOTS];
static uint64_t doorbell[512];

/* What other files of the provider do at the end of a post: nothing that the entry shows. */
void bnxt_re_ring_sq_db(struct bnxt_re_qp *qp)
{
	(void)qp;
}
void bnxt_re_ring_rq_db(struct bnxt_re_qp *qp)
{
	(void)qp;
}
void bnxt_re_ring_srq_db(struct bnxt_re_srq *srq)
{
	(void)srq;
}
void bnxt_re_ring_srq_arm(struct bnxt_re_srq *srq)
{
	(void)srq;
}

static void lay_out(struct bnxt_re_queue *queue, struct bnxt_re_joint_queue *joint, uint32_t number)
{
	memset(ring, 0, sizeof(ring));
	memset(queue, 0, sizeof(*queue));
	queue->va = ring;
	queue->depth = SLOTS;
	queue->stride = 16;
	queue->max_slots = 16;
	queue->pad = searches;
	queue->pad_stride_log2 = 3;
	queue->msn_tbl_sz = SLOTS;
	queue->dbtail = &queue->tail;
	pthread_spin_init(&queue->qlock, PTHREAD_PROCESS_PRIVATE);
	memset(wrids, 0, sizeof(wrids));
	if (joint) {
		joint->hwque = queue;
		joint->swque = wrids;
		joint->start_idx = number % SLOTS;
	}
}

static int entry_of(const struct bnxt_re_queue *queue, uint8_t *entry)
{
	memcpy(entry, ring, 16u * queue->tail);
	return (int)(16u * queue->tail);
}

static int post_recv(const struct provider_request *r, struct ibv_sge *sges, uint8_t *entry)
{
	struct bnxt_re_joint_queue joint = {0};
	struct bnxt_re_queue queue;
	struct bnxt_re_srq srq = {0};
	struct bnxt_re_qp qp = {0};
	struct ibv_recv_wr wr = {.sg_list = sges, .num_sge = (int)r->n_sge}, *bad;
	int ret;

	lay_out(&queue, &joint, r->number);
	qp.jrqq = &joint;
	qp.cap.max_rsge = srq.cap.max_sge = PROVIDER_SGES;
	srq.srqq = &queue;
	srq.srwrid = wrids;
	srq.start_idx = (int)(r->number % SLOTS);
	srq.last_idx = srq.start_idx + 1;
	ret = r->queue == PROVIDER_SRQ ? bnxt_re_post_srq_recv(&srq.ibvsrq, &wr, &bad)
				       : bnxt_re_post_recv(&qp.vqp.qp, &wr, &bad);
	if (ret)
		return -ret;
	queue.tail = ring[2]; /* the ring moves on by the size of the largest entry */
	return entry_of(&queue, entry);
}

int provider_post(const struct provider_request *r, uint8_t *entry)
{
	struct bnxt_re_context context = {0};
	struct bnxt_re_joint_queue joint = {0};
	struct bnxt_re_ah ah = {.avid = r->av};
	struct bnxt_re_queue queue;
	struct bnxt_re_qp qp = {0};
	struct ibv_sge sges[PROVIDER_SGES] = {{0}};
	struct ibv_send_wr wr = {.opcode = (enum ibv_wr_opcode)r->op,
				 .send_flags = r->flags,
				 .sg_list = sges},
			   *bad;
	int ret;

	for (uint32_t i = 0; i < r->n_sge; i++)
		sges[i] = (struct ibv_sge){r->sge[i].addr, r->sge[i].length, r->sge[i].lkey};
	if (r->queue == PROVIDER_RQ || r->queue == PROVIDER_SRQ)
		return post_recv(r, sges, entry);
	lay_out(&queue, &joint, r->number);
	qp.cntx = &context;
	qp.cctx = &context.cctx;
	qp.jsqq = &joint;
	qp.udpi = &(struct bnxt_re_dpi){.dbpage = doorbell};
	qp.cap = (struct bnxt_re_qpcap){.max_swr = SLOTS,
					.max_ssge = PROVIDER_SGES,
					.max_inline = BNXT_RE_MAX_INLINE_SIZE,
					.is_atomic_cap = 1};
	qp.qpmode = BNXT_RE_WQE_MODE_VARIABLE;
	qp.mtu = 1024;
	qp.qptyp = r->queue == PROVIDER_UD ? IBV_QPT_UD : IBV_QPT_RC;
	qp.vqp.qp.qp_type = qp.qptyp;
	wr.num_sge = (int)r->n_sge;
	if (r->flags & IBV_SEND_INLINE) {
		sges[0] = (struct ibv_sge){(uintptr_t)r->payload, r->n_payload, 0};
		wr.num_sge = 1;
	}
	wr.imm_data = htobe32(r->imm);
	if (r->op == IBV_WR_ATOMIC_CMP_AND_SWP || r->op == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = r->remote;
		wr.wr.atomic.compare_add = r->compare_add;
		wr.wr.atomic.swap = r->swap;
		wr.wr.atomic.rkey = r->rkey;
	} else if (r->queue == PROVIDER_UD) {
		wr.wr.ud.ah = &ah.ibvah;
		wr.wr.ud.remote_qpn = r->qpn;
		wr.wr.ud.remote_qkey = r->qkey;
	} else {
		wr.wr.rdma.remote_addr = r->remote;
		wr.wr.rdma.rkey = r->rkey;
	}
	ret = bnxt_re_post_send(&qp.vqp.qp, &wr, &bad);
	return ret ? -ret : entry_of(&queue, entry);
}
