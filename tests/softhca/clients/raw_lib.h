/* SPDX-License-Identifier: BSD-2-Clause */
/* What programs with raw packets have in common: a queue pair with memory, UDP datagrams. */
#ifndef SOFTHCA_TESTS_RAW_LIB_H
#define SOFTHCA_TESTS_RAW_LIB_H

#include "tests/softhca/clients/client.h"

#define FRAME 100u

struct side {
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	uint8_t buf[64 * 2048];
};

static struct ibv_context *ctx;
static struct ibv_pd *pd;

static inline struct ibv_qp *raw_qp(struct ibv_cq *cq)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RAW_PACKET,
		.send_cq = cq,
		.recv_cq = cq,
		.cap = {.max_send_wr = 64, .max_recv_wr = 64, .max_send_sge = 2, .max_recv_sge = 1},
	};
	struct ibv_qp *qp = ibv_create_qp(pd, &init);
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = 1};

	NEED(qp);
	CHECK_RC(ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_PORT), 0);
	a.qp_state = IBV_QPS_RTR;
	CHECK_RC(ibv_modify_qp(qp, &a, IBV_QP_STATE), 0);
	a.qp_state = IBV_QPS_RTS;
	CHECK_RC(ibv_modify_qp(qp, &a, IBV_QP_STATE), 0);
	return qp;
}

static inline void side_open(struct side *s)
{
	s->cq = ibv_create_cq(ctx, 256, NULL, NULL, 0);
	NEED(s->cq);
	s->qp = raw_qp(s->cq);
	s->mr = ibv_reg_mr(pd, s->buf, sizeof(s->buf), IBV_ACCESS_LOCAL_WRITE);
	NEED(s->mr);
}

static inline void side_close(struct side *s)
{
	CHECK_RC(ibv_destroy_qp(s->qp), 0);
	CHECK_RC(ibv_dereg_mr(s->mr), 0);
	CHECK_RC(ibv_destroy_cq(s->cq), 0);
}

/* A UDP datagram from 10.0.0.`from` to port `port`. IBV_SEND_IP_CSUM makes its checksums. */
static inline void send_frame_as(struct side *s, uint8_t from, uint16_t port, unsigned int flags)
{
	static const uint8_t
		head[42] =
			{
				0x0c, 0, 0,  0,		 0, 2,		0x0c, 0, 0,  0,
				0,    1, 8,  0, /* Ethernet
						 */
				0x45, 0, 0,  FRAME - 14, 0, 0,		0,    0, 64, 17,
				0,    0, 10, 0,		 0, 0,		10,   0, 0,  99,
				0x10, 0, 0,  0,		 0, FRAME - 34, 0,    0, /* UDP */
			};
	struct ibv_sge sge = {(uint64_t)(uintptr_t)s->buf, FRAME, s->mr->lkey};
	struct ibv_send_wr wr = {.sg_list = &sge,
				 .num_sge = 1,
				 .opcode = IBV_WR_SEND,
				 .send_flags = IBV_SEND_SIGNALED | flags},
			   *bad;

	memcpy(s->buf, head, sizeof(head));
	s->buf[29] = from;
	s->buf[36] = (uint8_t)(port >> 8);
	s->buf[37] = (uint8_t)port;
	memset(s->buf + 42, from, FRAME - 42);
	CHECK_RC(ibv_post_send(s->qp, &wr, &bad), 0);
	CHECK_EQ(wait_wc(s->cq).status, IBV_WC_SUCCESS);
}

static inline void send_frame(struct side *s, uint8_t from, uint16_t port)
{
	send_frame_as(s, from, port, IBV_SEND_IP_CSUM);
}

static inline void post_recv(struct side *s, unsigned int slot)
{
	struct ibv_sge sge = {(uint64_t)(uintptr_t)(s->buf + slot * 2048), 2048, s->mr->lkey};
	struct ibv_recv_wr wr = {.wr_id = slot, .sg_list = &sge, .num_sge = 1}, *bad;

	CHECK_RC(ibv_post_recv(s->qp, &wr, &bad), 0);
}

#endif
