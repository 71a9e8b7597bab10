/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queues made by raw device commands, for one program: completion queues, receive pools, queue
 * pairs. Positions in commands are written down once more here, from Linux
 * include/linux/mlx5/mlx5_ifc.h: the first bit from the start of the command, and the width.
 */
#ifndef SOFTHCA_TESTS_DEVX_LIB_H
#define SOFTHCA_TESTS_DEVX_LIB_H

#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/softhca/clients/check.h"
#include "tests/softhca/clients/prm_lib.h"

#define ENTRIES	 4    /* of every ring here */
#define QPC	 0xc0 /* where contexts begin */
#define DC_KEY	 0x1234567
#define DEADLINE 30000 /* ms, for what takes microseconds on an idle machine */

static struct ibv_context *ctx;
static struct ibv_pd *pd;
static uint32_t pdn, eqn;
static struct mlx5dv_devx_uar *uar;
static struct mlx5dv_devx_umem *umem;
static struct ibv_mr *mr;
static struct ibv_port_attr port;

/* All rings, records and messages lie in one registered piece, given out from its start. */
static uint8_t *memory;
static size_t used;
#define MEMORY (1 << 20)

static inline void *take(size_t size)
{
	void *p = memory + used;

	used += (size + 4095) & ~(size_t)4095;
	if (used > MEMORY)
		abort();
	return p;
}

static inline uint64_t offset_of(const void *p)
{
	return (uint64_t)((const uint8_t *)p - memory);
}

/* ---- completion queues ---- */

struct cq {
	struct mlx5dv_devx_obj *obj;
	uint32_t cqn, ci, sn;
	uint8_t *ring;
	uint32_t *db;
};

static inline void cq_open(struct cq *cq)
{
	struct command c = command(0x400, 0x880, 0x80);

	memset(cq, 0, sizeof(*cq));
	cq->ring = take(16 * 64);
	cq->db = take(8);
	for (int i = 0; i < 16; i++)
		cq->ring[i * 64 + 63] = MLX5_CQE_INVALID << 4 | 1;
	set(&c, 0x80 + 0x63, 5, 4);
	set(&c, 0x80 + 0x68, 24, uar->page_id);
	set(&c, 0x80 + 0xa0, 32, eqn);
	set(&c, 0x80 + 0x20, 32, umem->umem_id);
	set(&c, 0x80 + 0x1c0, 64, offset_of(cq->db));
	set(&c, 0x280, 64, offset_of(cq->ring));
	set(&c, 0x2c0, 32, umem->umem_id);
	cq->obj = create(ctx, &c);
	CHECK(cq->obj);
	cq->cqn = number_in(&c);
}

static inline void cq_arm(struct cq *cq)
{
	uint32_t value = htobe32(cq->sn++ % 4 << 28 | (cq->ci & 0xffffff));
	uint64_t bell = value | (uint64_t)htobe32(cq->cqn) << 32;

	__atomic_store_n(&cq->db[1], value, __ATOMIC_RELEASE);
	__atomic_store_n((uint64_t *)((char *)uar->base_addr + 0x20), bell, __ATOMIC_RELEASE);
}

/* The next entry, or NULL when it does not come. */
static inline const struct mlx5_cqe64 *cq_wait(struct cq *cq)
{
	const struct mlx5_cqe64 *cqe = (void *)(cq->ring + cq->ci % 16 * 64);
	const struct timespec nap = {.tv_nsec = 100000};

	for (int i = 0; i < DEADLINE * 10; i++) {
		uint8_t op_own = __atomic_load_n(&cqe->op_own, __ATOMIC_ACQUIRE);

		if (op_own >> 4 != MLX5_CQE_INVALID && (op_own & 1) == (cq->ci >> 4 & 1)) {
			cq->ci++;
			__atomic_store_n(&cq->db[0], htobe32(cq->ci & 0xffffff), __ATOMIC_RELEASE);
			return cqe;
		}
		nanosleep(&nap, NULL);
	}
	fprintf(stderr, "no completion\n");
	failures++;
	return NULL;
}

/* ---- receive pools ---- */

struct rmp {
	struct mlx5dv_devx_obj *obj;
	uint32_t rmpn;
	uint8_t *ring;
	uint32_t *db;
	uint8_t *buffer[ENTRIES];
};

enum { LIST = 0, CYCLIC = 1 };

static inline struct command rmp_command(const struct rmp *rmp, int type)
{
	struct command c = command(0x90c, 0x880, 0x80);
	const unsigned int rmpc = 0x100, wq = rmpc + 0x180;

	set(&c, rmpc + 0x8, 4, 1); /* ready */
	set(&c, wq, 4, (uint64_t)type);
	set(&c, wq + 0x48, 24, pdn);
	set(&c, wq + 0x80, 64, offset_of(rmp->db));
	set(&c, wq + 0x10c, 4, 5); /* 32 bytes */
	set(&c, wq + 0x11b, 5, 2);
	set(&c, wq + 0x140, 32, umem->umem_id);
	set(&c, wq + 0x160, 32, umem->umem_id);
	set(&c, wq + 0x180, 64, offset_of(rmp->ring));
	return c;
}

/* Entries 0, 2, 1, 3 in the order of the links; a cyclic ring does not follow them. */
static inline void rmp_fill(struct rmp *rmp)
{
	static const uint16_t next[ENTRIES] = {2, 3, 1, 0};

	rmp->ring = take(ENTRIES * 32);
	rmp->db = take(4);
	for (int i = 0; i < ENTRIES; i++) {
		struct mlx5_wqe_srq_next_seg *link = (void *)(rmp->ring + i * 32);
		struct mlx5_wqe_data_seg *data = (void *)(link + 1);

		rmp->buffer[i] = take(4096);
		link->next_wqe_index = htobe16(next[i]);
		data->byte_count = htobe32(4096);
		data->lkey = htobe32(mr->lkey);
		data->addr = htobe64((uintptr_t)rmp->buffer[i]);
	}
}

static inline void rmp_open(struct rmp *rmp, int type)
{
	struct command c;

	memset(rmp, 0, sizeof(*rmp));
	rmp_fill(rmp);
	c = rmp_command(rmp, type);
	rmp->obj = create(ctx, &c);
	CHECK(rmp->obj);
	rmp->rmpn = number_in(&c);
	CHECK(rmp->rmpn);
	__atomic_store_n(rmp->db, htobe32(ENTRIES), __ATOMIC_RELEASE);
}

/* ---- queue pairs ---- */

struct qp {
	struct mlx5dv_devx_obj *obj;
	uint32_t qpn, pi;
	uint8_t *sq;
	uint32_t *db;
	bool no_record;
};

enum { MASTER = 1, SLAVE_SEND = 2, SLAVE_RECEIVE = 4 };

/* What queue pairs are created for, in cross-channel operations. */
static uint8_t cross;

/* send_dbr_mode: whether a doorbell record counts requests, or doorbells alone. */
static enum { DBR_VALID, NO_DBR_EXT, NO_DBR_INT } dbr_mode;

static inline struct command qp_command(struct qp *qp, uint8_t st, const struct cq *cq,
					const struct rmp *rmp)
{
	struct command c = command(0x500, 0x880, 0x80);

	memset(qp, 0, sizeof(*qp));
	qp->sq = take(16 * 64);
	qp->db = take(8);
	qp->no_record = dbr_mode == NO_DBR_EXT;
	set(&c, QPC + 0x80, 2, dbr_mode);
	set(&c, QPC + 0x8, 8, st);
	set(&c, QPC + 0x13, 2, 3);
	set(&c, QPC + 0x28, 24, pdn);
	set(&c, QPC + 0x51, 4, 4);
	set(&c, QPC + 0x68, 24, uar->page_id);
	set(&c, QPC + 0x88, 24, 0xabc);
	set(&c, QPC + 0x3e8, 24, cq->cqn);
	set(&c, QPC + 0x49d, 3, cross);
	set(&c, QPC + 0x4e8, 24, cq->cqn);
	set(&c, QPC + 0x500, 64, offset_of(qp->db));
	set(&c, QPC + 0x565, 3, rmp ? 1 : 3);
	set(&c, QPC + 0x568, 24, rmp ? rmp->rmpn : 0);
	set(&c, QPC + 0x720, 32, umem->umem_id);
	set(&c, 0x800, 64, offset_of(qp->sq));
	set(&c, 0x840, 32, umem->umem_id);
	return c;
}

static inline void qp_open(struct qp *qp, uint8_t st, const struct cq *cq, const struct rmp *rmp)
{
	struct command c = qp_command(qp, st, cq, rmp);

	qp->obj = create(ctx, &c);
	CHECK(qp->obj);
	qp->qpn = number_in(&c);
}

static inline int modify(struct mlx5dv_devx_obj *obj, struct command *c)
{
	return mlx5dv_devx_obj_modify(obj, c->in, c->in_len, c->out, c->out_len);
}

static inline void qp_connect(struct qp *qp, uint32_t peer)
{
	struct command c = command(0x502, 0x880, 0x80);

	set(&c, 0x48, 24, qp->qpn);
	set(&c, QPC + 0x13, 2, 3);
	set(&c, QPC + 0xc0 + 0x128, 8, 1);
	set(&c, QPC + 0x491, 1, 1);
	CHECK(!modify(qp->obj, &c));
	c = command(0x503, 0x880, 0x80);
	set(&c, 0x48, 24, qp->qpn);
	set(&c, QPC + 0x13, 2, 3);
	set(&c, QPC + 0x40, 3, IBV_MTU_1024);
	set(&c, QPC + 0x43, 5, 30);
	set(&c, QPC + 0xa8, 24, peer);
	set(&c, QPC + 0xc0 + 0x30, 16, port.lid);
	set(&c, QPC + 0xc0 + 0x128, 8, 1);
	set(&c, QPC + 0x4a3, 5, 12);
	CHECK(!modify(qp->obj, &c));
	c = command(0x504, 0x880, 0x80);
	set(&c, 0x48, 24, qp->qpn);
	set(&c, QPC + 0xc0 + 0x40, 5, 18);
	set(&c, QPC + 0x38d, 3, 7);
	set(&c, QPC + 0x390, 3, 7);
	CHECK(!modify(qp->obj, &c));
}

static inline int qp_to_error(struct qp *qp)
{
	struct command c = command(0x507, 0x80, 0x80);

	set(&c, 0x48, 24, qp->qpn);
	return modify(qp->obj, &c);
}

/* Shows the device everything up to the producer index. */
static inline void qp_ring(struct qp *qp, const void *wqe)
{
	void *reg = qp->no_record ? (char *)uar->base_addr + 0x600 : uar->reg_addr;
	const uint16_t index = qp->no_record ? 7 : (uint16_t)qp->pi;
	uint64_t bell;

	__atomic_store_n(&qp->db[MLX5_SND_DBR], htobe32(index), __ATOMIC_RELEASE);
	memcpy(&bell, wqe, sizeof(bell));
	__atomic_store_n((uint64_t *)reg, bell, __ATOMIC_RELEASE);
}

/* Sends `len` bytes from `from`; to a DC target if there is one. */
static inline void send_to(struct qp *qp, const void *from, uint32_t len, uint32_t dctn)
{
	uint8_t *wqe = qp->sq + qp->pi % 16 * 64;
	struct mlx5_wqe_ctrl_seg *ctrl = (void *)wqe;
	struct mlx5_wqe_data_seg *data = (void *)(ctrl + 1);

	memset(wqe, 0, dctn ? 128 : 64);
	if (dctn) {
		struct mlx5_wqe_av *av = (void *)(ctrl + 1);

		av->key.dc_key = htobe64(DC_KEY);
		av->dqp_dct = htobe32(dctn | MLX5_EXTENDED_UD_AV);
		av->rlid = htobe16(port.lid);
		data = (void *)(av + 1);
	}
	mlx5dv_set_ctrl_seg(ctrl, (uint16_t)qp->pi, MLX5_OPCODE_SEND, 0, qp->qpn,
			    MLX5_WQE_CTRL_CQ_UPDATE, dctn ? 5 : 2, 0, 0);
	mlx5dv_set_data_seg(data, len, mr->lkey, (uintptr_t)from);
	qp->pi += dctn ? 2 : 1;
	qp_ring(qp, ctrl);
}

/* WAIT or SEND_EN, on what has that number, up to that index. */
static inline void chain(struct qp *qp, uint8_t opcode, uint32_t number, uint32_t index)
{
	uint8_t *wqe = qp->sq + qp->pi % 16 * 64;
	struct mlx5_wqe_ctrl_seg *ctrl = (void *)wqe;
	uint32_t seg[4] = {0, 0, htobe32(index), htobe32(number)};

	memset(wqe, 0, 64);
	mlx5dv_set_ctrl_seg(ctrl, (uint16_t)qp->pi, opcode, 0, qp->qpn, MLX5_WQE_CTRL_CQ_UPDATE, 2,
			    0, 0);
	memcpy(ctrl + 1, seg, sizeof(seg));
	qp->pi++;
	qp_ring(qp, ctrl);
}

#endif /* SOFTHCA_TESTS_DEVX_LIB_H */
