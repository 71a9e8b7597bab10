/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records what libmlx5 writes into a send ring for each kind of request, as little programs for
 * engine_fuzz. Nothing is sent, for the queues are not connected. Keys and addresses are
 * placeholders that engine_fuzz replaces by its own.
 *
 * usage: softhca corpus_client DIRECTORY
 */
#include <endian.h>

#include "tests/softhca/clients/client.h"
#include "tests/softhca/clients/corpus.h"

int failures;

#define ADDRESS(offset) (CORPUS_ADDRESS | (offset))
#define SIZE		100

static const char *directory;
static unsigned int recorded;

struct queue {
	enum corpus_pair pair;
	struct ibv_pd *pd;
	struct ibv_qp_ex *qp;
	struct mlx5dv_qp_ex *dv;
	struct ibv_ah *ah;
	struct mlx5dv_qp ring;
};

/* Two receives for it, the request, and some turns of the device. */
static void record(struct queue *q, const char *name)
{
	const uint8_t *const wqe = q->ring.sq.buf;
	const uint8_t units = wqe[7] & 0x3f;
	/* Their fields are the same in whichever order they are read. */
	const uint8_t before[] = {(uint8_t)q->pair, CORPUS_RECEIVE,  0,	  SIZE, SIZE, 0,
				  CORPUS_RECEIVE,   0,		     SIZE, SIZE, 0,
				  CORPUS_REQUEST,   CORPUS_RECORDED, units};
	const uint8_t after[] = {CORPUS_TURNS, 3, CORPUS_TURNS, 3};
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%u-%s", directory, (unsigned int)q->pair, name);
	f = fopen(path, "w");
	NEED(f);
	NEED(fwrite(before, sizeof(before), 1, f) == 1);
	NEED(fwrite(wqe, units * 16u, 1, f) == 1);
	NEED(fwrite(after, sizeof(after), 1, f) == 1);
	fclose(f);
	recorded++;
}

/* ---- requests ---- */

static void send_plain(struct queue *q)
{
	ibv_wr_send(q->qp);
}

static void send_imm(struct queue *q)
{
	ibv_wr_send_imm(q->qp, htobe32(0x01020304));
}

static void send_inv(struct queue *q)
{
	ibv_wr_send_inv(q->qp, CORPUS_KEY | 2);
}

static void write_plain(struct queue *q)
{
	ibv_wr_rdma_write(q->qp, CORPUS_KEY, ADDRESS(0x1000));
}

static void write_imm(struct queue *q)
{
	ibv_wr_rdma_write_imm(q->qp, CORPUS_KEY, ADDRESS(0x1000), htobe32(5));
}

static void read_plain(struct queue *q)
{
	ibv_wr_rdma_read(q->qp, CORPUS_KEY, ADDRESS(0x1000));
}

static void compare_swap(struct queue *q)
{
	ibv_wr_atomic_cmp_swp(q->qp, CORPUS_KEY, ADDRESS(0x1000), 1, 2);
}

static void fetch_add(struct queue *q)
{
	ibv_wr_atomic_fetch_add(q->qp, CORPUS_KEY, ADDRESS(0x1000), 3);
}

static void local_invalidate(struct queue *q)
{
	ibv_wr_local_inv(q->qp, CORPUS_KEY | 2);
}

enum data { NONE = 1, ONE = 2, LIST = 4, INLINE = 8, EIGHT = 16 };

static const struct {
	const char *name;
	void (*begin)(struct queue *q);
	uint64_t operation;
	unsigned int pairs; /* which have it */
	unsigned int data;
} requests[] = {
#define ON(pair)  (1u << CORPUS_##pair)
#define CONNECTED (ON(RC) | ON(UC) | ON(XRC) | ON(DC))
#define RELIABLE  (ON(RC) | ON(XRC) | ON(DC))
	{"send", send_plain, IBV_QP_EX_WITH_SEND, CONNECTED | ON(UD), ONE | LIST | INLINE},
	{"send_imm", send_imm, IBV_QP_EX_WITH_SEND_WITH_IMM, CONNECTED | ON(UD), ONE | INLINE},
	{"send_inv", send_inv, IBV_QP_EX_WITH_SEND_WITH_INV, ON(RC), ONE},
	{"write", write_plain, IBV_QP_EX_WITH_RDMA_WRITE, CONNECTED, ONE | LIST | INLINE},
	{"write_imm", write_imm, IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM, CONNECTED, ONE | INLINE},
	{"read", read_plain, IBV_QP_EX_WITH_RDMA_READ, RELIABLE, ONE | LIST},
	{"compare_swap", compare_swap, IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP, RELIABLE, EIGHT},
	{"fetch_add", fetch_add, IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD, RELIABLE, EIGHT},
	{"local_invalidate", local_invalidate, IBV_QP_EX_WITH_LOCAL_INV, ON(RC), NONE},
};
#define REQUESTS (sizeof(requests) / sizeof(requests[0]))

static void set_data(struct queue *q, enum data data)
{
	struct ibv_sge list[] = {{ADDRESS(0x100), 40, CORPUS_KEY},
				 {ADDRESS(0x200), 30, CORPUS_KEY},
				 {ADDRESS(0x300), 20, CORPUS_KEY}};
	static char bytes[50];

	switch (data) {
	case ONE:
	case EIGHT:
		ibv_wr_set_sge(q->qp, CORPUS_KEY, ADDRESS(0x100), data == EIGHT ? 8 : SIZE / 2);
		return;
	case LIST:
		ibv_wr_set_sge_list(q->qp, 3, list);
		return;
	case INLINE:
		ibv_wr_set_inline_data(q->qp, bytes, sizeof(bytes));
		return;
	default:
		return;
	}
}

static void set_destination(struct queue *q)
{
	if (q->pair == CORPUS_UD)
		ibv_wr_set_ud_addr(q->qp, q->ah, 1, 1);
	else if (q->pair == CORPUS_DC)
		mlx5dv_wr_set_dc_addr(q->dv, q->ah, 1, 1);
	else if (q->pair == CORPUS_XRC)
		ibv_wr_set_xrc_srqn(q->qp, 1);
}

static void request(struct queue *q, size_t which, enum data data)
{
	static const char *const forms[] = {[NONE] = "none",
					    [ONE] = "one",
					    [LIST] = "list",
					    [INLINE] = "inline",
					    [EIGHT] = "8"};
	char name[64];

	q->qp->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_start(q->qp);
	requests[which].begin(q);
	if (data != NONE)
		set_destination(q);
	set_data(q, data);
	/* Without a connection libmlx5 takes back what it has written, and leaves it where it is.
	 */
	CHECK_RC(ibv_wr_complete(q->qp), EINVAL);
	snprintf(name, sizeof(name), "%s-%s", requests[which].name, forms[data]);
	record(q, name);
}

/* ---- queues ---- */

static struct ibv_ah *make_ah(struct ibv_pd *pd)
{
	struct ibv_ah_attr attr = {.port_num = 1, .dlid = 1, .is_global = 1};

	attr.grh.hop_limit = 1;
	CHECK(!ibv_query_gid(pd->context, 1, 0, &attr.grh.dgid));
	return ibv_create_ah(pd, &attr);
}

static void open_queue(struct queue *q, struct ibv_context *ctx, enum corpus_pair pair)
{
	static const enum ibv_qp_type types[] = {[CORPUS_RC] = IBV_QPT_RC,
						 [CORPUS_UC] = IBV_QPT_UC,
						 [CORPUS_UD] = IBV_QPT_UD,
						 [CORPUS_XRC] = IBV_QPT_XRC_SEND,
						 [CORPUS_DC] = IBV_QPT_DRIVER};
	struct ibv_cq *const cq = ibv_create_cq(ctx, 1024, NULL, NULL, 0);
	struct ibv_qp_init_attr_ex init = {
		.send_cq = cq,
		.recv_cq = cq,
		.qp_type = types[pair],
		.cap = {.max_send_wr = 256, .max_send_sge = 3, .max_inline_data = 64},
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
	};
	struct mlx5dv_qp_init_attr dv = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
		.dc_init_attr = {.dc_type = MLX5DV_DCTYPE_DCI},
	};
	struct mlx5dv_obj obj = {.qp = {.out = &q->ring}};
	struct ibv_qp *qp;

	q->pair = pair;
	init.pd = q->pd = ibv_alloc_pd(ctx);
	NEED(cq && q->pd);
	for (size_t i = 0; i < REQUESTS; i++)
		if (requests[i].pairs & 1u << pair)
			init.send_ops_flags |= requests[i].operation;
	qp = mlx5dv_create_qp(ctx, &init, pair == CORPUS_DC ? &dv : NULL);
	NEED(qp);
	q->qp = ibv_qp_to_qp_ex(qp);
	q->dv = mlx5dv_qp_ex_from_ibv_qp_ex(q->qp);
	q->ah = make_ah(q->pd);
	NEED(q->ah);
	obj.qp.in = qp;
	CHECK_RC(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP), 0);
}

int main(int argc, char **argv)
{
	struct ibv_context *ctx;

	if (argc != 2) {
		fprintf(stderr, "usage: softhca corpus_client DIRECTORY\n");
		return 2;
	}
	directory = argv[1];
	ctx = open_first();
	for (int pair = CORPUS_RC; pair <= CORPUS_DC; pair++) {
		struct queue q = {0};

		open_queue(&q, ctx, (enum corpus_pair)pair);
		for (size_t i = 0; i < REQUESTS; i++)
			for (unsigned int data = NONE; data <= EIGHT; data <<= 1)
				if (requests[i].pairs & 1u << pair && requests[i].data & data)
					request(&q, i, (enum data)data);
	}
	printf("%u requests\n", recorded);
	return failures != 0;
}
