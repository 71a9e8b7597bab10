/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two processes, each requester and responder at once, over plain libibverbs:
 * a stream of sends, writes, reads and atomics of random sizes. Every byte, every
 * immediate and every atomic result is checked, every completion must come exactly
 * once and in order. Run it below a fault plan to see what the device makes of it.
 *
 * usage: softhca [--faults PLAN] soak_verbs rc|xrc|dc OPERATIONS SEED [DEVICE]
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEPTH	 64u
#define SLOT	 131072u
#define DC_KEY	 0x1234abcd
#define DEADLINE 600 /* seconds without any completion */

enum mode { RC, XRC, DC };
enum kind { SEND, SEND_IMM, WRITE, WRITE_IMM, READ, ADD, SWAP, KINDS };

struct op {
	enum kind kind;
	uint32_t len;
	uint64_t expect;
};

/* What both processes see of one side: its registered memory. */
struct memory {
	uint8_t local[DEPTH][SLOT];
	uint8_t written[DEPTH][SLOT]; /* target of the peer's writes */
	uint8_t received[DEPTH][SLOT];
	uint8_t fixed[2 * SLOT]; /* source of the peer's reads */
	uint64_t cells[2];
};

struct hello {
	uint64_t base;
	uint32_t rkey, qpn, tgt_qpn, srqn, psn;
	uint16_t lid;
	union ibv_gid gid;
};

struct side {
	enum mode mode;
	struct memory *mine, *peers;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct ibv_cq *send_cq, *recv_cq;
	struct ibv_srq *srq;
	struct ibv_xrcd *xrcd;
	struct ibv_qp *qp, *tgt;
	struct ibv_ah *ah;
	bool roce;
	struct hello me, peer;
	uint64_t my_random, peer_random;
	struct op ops[DEPTH];
	uint64_t next, done, added, swapped;
	uint64_t recv_posted, recv_done, recv_stream;
	bool peer_stream_over;
};

static void die(const char *what)
{
	fprintf(stderr, "soak_verbs: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void check(bool ok, const char *what, uint64_t n)
{
	if (ok)
		return;
	fprintf(stderr, "soak_verbs: operation %" PRIu64 ": %s\n", n, what);
	exit(1);
}

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static void fill(uint8_t *p, uint32_t len, uint64_t id)
{
	uint64_t x = id + 1;

	for (uint32_t i = 0; i < len; i += 8) {
		const uint64_t v = next_random(&x);

		memcpy(p + i, &v, len - i < 8 ? len - i : 8);
	}
}

static bool filled(const uint8_t *p, uint32_t len, uint64_t id)
{
	uint64_t x = id + 1;

	for (uint32_t i = 0; i < len; i += 8) {
		const uint64_t v = next_random(&x);

		if (memcmp(p + i, &v, len - i < 8 ? len - i : 8))
			return false;
	}
	return true;
}

/* The stream of one side's operations; the peer draws the same one to know what must arrive. */
static struct op draw(uint64_t *random)
{
	const uint64_t r = next_random(random);
	struct op op = {.kind = (enum kind)(r % KINDS)};

	if (op.kind >= ADD)
		op.len = 8;
	else if (r >> 8 & 7)
		op.len = (uint32_t)(r >> 16) % 257;
	else
		op.len = (uint32_t)(r >> 16) % (r >> 11 & 15 ? 16384 : SLOT);
	return op;
}

/* ---- setting up ---- */

static void create_xrc(struct side *s)
{
	struct ibv_xrcd_init_attr xi = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1, /* nobody else joins it */
		.oflags = O_CREAT,
	};
	struct ibv_srq_init_attr_ex si = {
		.attr = {.max_wr = DEPTH, .max_sge = 1},
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_XRCD |
			     IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_PD,
		.srq_type = IBV_SRQT_XRC,
		.pd = s->pd,
		.cq = s->recv_cq,
	};
	struct ibv_qp_init_attr_ex qi = {
		.qp_type = IBV_QPT_XRC_SEND,
		.send_cq = s->send_cq,
		.cap = {.max_send_wr = DEPTH, .max_send_sge = 1},
		.sq_sig_all = 1,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = s->pd,
	};
	struct ibv_qp_init_attr_ex ti = {
		.qp_type = IBV_QPT_XRC_RECV,
		.comp_mask = IBV_QP_INIT_ATTR_XRCD,
	};

	s->xrcd = ibv_open_xrcd(s->ctx, &xi);
	if (!s->xrcd)
		die("ibv_open_xrcd");
	si.xrcd = ti.xrcd = s->xrcd;
	s->srq = ibv_create_srq_ex(s->ctx, &si);
	s->qp = ibv_create_qp_ex(s->ctx, &qi);
	s->tgt = ibv_create_qp_ex(s->ctx, &ti);
	if (!s->srq || !s->qp || !s->tgt || ibv_get_srq_num(s->srq, &s->me.srqn))
		die("XRC queues");
}

static void create_dc(struct side *s)
{
	struct ibv_srq_init_attr si = {.attr = {.max_wr = DEPTH, .max_sge = 1}};
	struct ibv_qp_init_attr_ex qi = {
		.qp_type = IBV_QPT_DRIVER,
		.send_cq = s->send_cq,
		.recv_cq = s->send_cq,
		.cap = {.max_send_wr = DEPTH, .max_send_sge = 1},
		.sq_sig_all = 1,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = s->pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM |
				  IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
				  IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
				  IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD,
	};
	struct mlx5dv_qp_init_attr di = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
		.dc_init_attr = {.dc_type = MLX5DV_DCTYPE_DCI},
	};
	struct ibv_qp_init_attr_ex ti = {
		.qp_type = IBV_QPT_DRIVER,
		.send_cq = s->recv_cq,
		.recv_cq = s->recv_cq,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = s->pd,
	};
	struct mlx5dv_qp_init_attr dt = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
		.dc_init_attr = {.dc_type = MLX5DV_DCTYPE_DCT, .dct_access_key = DC_KEY},
	};

	s->srq = ibv_create_srq(s->pd, &si);
	if (!s->srq)
		die("ibv_create_srq");
	ti.srq = s->srq;
	s->qp = mlx5dv_create_qp(s->ctx, &qi, &di);
	s->tgt = mlx5dv_create_qp(s->ctx, &ti, &dt);
	if (!s->qp || !s->tgt)
		die("DC queues");
}

static void create_rc(struct side *s)
{
	struct ibv_qp_init_attr qi = {
		.qp_type = IBV_QPT_RC,
		.send_cq = s->send_cq,
		.recv_cq = s->recv_cq,
		.cap = {.max_send_wr = DEPTH,
			.max_recv_wr = DEPTH,
			.max_send_sge = 1,
			.max_recv_sge = 1},
		.sq_sig_all = 1,
	};

	s->qp = ibv_create_qp(s->pd, &qi);
	if (!s->qp)
		die("ibv_create_qp");
}

static void open_device(struct side *s, const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	const int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
			   IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
	struct mlx5dv_context_attr dv = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
	struct ibv_port_attr port;
	int i = 0;

	while (list && list[i] && name && strcmp(ibv_get_device_name(list[i]), name))
		i++;
	if (!list || !list[i])
		die("no such device");
	s->ctx = s->mode == DC ? mlx5dv_open_device(list[i], &dv) : ibv_open_device(list[i]);
	ibv_free_device_list(list);
	if (!s->ctx || ibv_query_port(s->ctx, 1, &port))
		die("open");
	s->roce = port.link_layer == IBV_LINK_LAYER_ETHERNET;
	s->me.lid = port.lid;
	if (ibv_query_gid(s->ctx, 1, s->roce ? 3 : 0, &s->me.gid))
		die("ibv_query_gid");
	s->pd = ibv_alloc_pd(s->ctx);
	if (!s->pd)
		die("ibv_alloc_pd");
	s->mr = ibv_reg_mr(s->pd, s->mine, sizeof(*s->mine), access);
	s->send_cq = ibv_create_cq(s->ctx, 2 * DEPTH, NULL, NULL, 0);
	s->recv_cq = ibv_create_cq(s->ctx, 2 * DEPTH, NULL, NULL, 0);
	if (!s->mr || !s->send_cq || !s->recv_cq)
		die("memory or completion queues");
}

static struct ibv_ah_attr path(const struct side *s)
{
	struct ibv_ah_attr ah = {.port_num = 1, .dlid = s->peer.lid};

	if (s->roce) {
		ah.is_global = 1;
		ah.grh.dgid = s->peer.gid;
		ah.grh.sgid_index = 3;
		ah.grh.hop_limit = 64;
	}
	return ah;
}

static void to_init(struct side *s, struct ibv_qp *qp)
{
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
				   IBV_ACCESS_REMOTE_ATOMIC,
	};
	int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;

	if (s->mode != DC || qp == s->tgt)
		mask |= IBV_QP_ACCESS_FLAGS;
	errno = ibv_modify_qp(qp, &a, mask);
	if (errno)
		die("to INIT");
}

static void to_rtr(struct side *s, struct ibv_qp *qp, uint32_t dest)
{
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = dest,
		.rq_psn = s->peer.psn,
		.max_dest_rd_atomic = 16,
		.min_rnr_timer = 1,
		.ah_attr = path(s),
	};
	int mask = IBV_QP_STATE | IBV_QP_PATH_MTU;

	if (s->mode == DC && qp == s->tgt)
		mask |= IBV_QP_AV | IBV_QP_MIN_RNR_TIMER;
	else if (s->mode != DC)
		mask |= IBV_QP_AV | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
			IBV_QP_MIN_RNR_TIMER;
	errno = ibv_modify_qp(qp, &a, mask);
	if (errno)
		die("to RTR");
}

static void to_rts(struct side *s, struct ibv_qp *qp)
{
	struct ibv_qp_attr a = {
		.qp_state = IBV_QPS_RTS,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.sq_psn = s->me.psn,
		.max_rd_atomic = 16,
	};

	errno = ibv_modify_qp(qp, &a,
			      IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				      IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
	if (errno)
		die("to RTS");
}

static void exchange(int fd, const void *mine, void *theirs, size_t size)
{
	if (write(fd, mine, size) != (ssize_t)size || read(fd, theirs, size) != (ssize_t)size)
		die("exchange with the peer");
}

static void connect_sides(struct side *s, int fd)
{
	to_init(s, s->qp);
	if (s->tgt)
		to_init(s, s->tgt);
	s->me.base = (uint64_t)(uintptr_t)s->mine;
	s->me.rkey = s->mr->rkey;
	s->me.qpn = s->qp->qp_num;
	s->me.tgt_qpn = s->tgt ? s->tgt->qp_num : s->qp->qp_num;
	exchange(fd, &s->me, &s->peer, sizeof(s->me));
	/* Initiator talks to target, target to initiator. */
	to_rtr(s, s->qp, s->peer.tgt_qpn);
	if (s->tgt)
		to_rtr(s, s->tgt, s->peer.qpn);
	to_rts(s, s->qp);
	if (s->mode == DC) {
		struct ibv_ah_attr ah = path(s);

		/* A DCT has its number only now. */
		s->me.tgt_qpn = s->tgt->qp_num;
		s->ah = ibv_create_ah(s->pd, &ah);
		if (!s->ah)
			die("ibv_create_ah");
	} else if (s->mode == XRC) {
		to_rts(s, s->tgt);
	}
	exchange(fd, &s->me, &s->peer, sizeof(s->me));
}

/* ---- posting ---- */

static void post_receives(struct side *s)
{
	while (s->recv_posted - s->recv_done < DEPTH) {
		struct ibv_sge sge = {(uintptr_t)s->mine->received[s->recv_posted % DEPTH], SLOT,
				      s->mr->lkey};
		struct ibv_recv_wr wr = {.wr_id = s->recv_posted, .sg_list = &sge, .num_sge = 1},
				   *bad;

		errno = s->srq ? ibv_post_srq_recv(s->srq, &wr, &bad)
			       : ibv_post_recv(s->qp, &wr, &bad);
		if (errno)
			die("post receive");
		s->recv_posted++;
	}
}

static uint64_t remote(const struct side *s, const void *in_peers_memory)
{
	return s->peer.base +
	       (uint64_t)((const uint8_t *)in_peers_memory - (const uint8_t *)s->peers);
}

static const enum ibv_wr_opcode opcodes[] = {
	[SEND] = IBV_WR_SEND,
	[SEND_IMM] = IBV_WR_SEND_WITH_IMM,
	[WRITE] = IBV_WR_RDMA_WRITE,
	[WRITE_IMM] = IBV_WR_RDMA_WRITE_WITH_IMM,
	[READ] = IBV_WR_RDMA_READ,
	[ADD] = IBV_WR_ATOMIC_FETCH_AND_ADD,
	[SWAP] = IBV_WR_ATOMIC_CMP_AND_SWP,
};

static void post_dc(struct side *s, const struct ibv_send_wr *wr, const struct op *op)
{
	struct ibv_qp_ex *const qp = ibv_qp_to_qp_ex(s->qp);
	const uint32_t rkey = s->peer.rkey;

	ibv_wr_start(qp);
	qp->wr_id = wr->wr_id;
	qp->wr_flags = IBV_SEND_SIGNALED;
	switch (op->kind) {
	case SEND:
		ibv_wr_send(qp);
		break;
	case SEND_IMM:
		ibv_wr_send_imm(qp, wr->imm_data);
		break;
	case WRITE:
		ibv_wr_rdma_write(qp, rkey, wr->wr.rdma.remote_addr);
		break;
	case WRITE_IMM:
		ibv_wr_rdma_write_imm(qp, rkey, wr->wr.rdma.remote_addr, wr->imm_data);
		break;
	case READ:
		ibv_wr_rdma_read(qp, rkey, wr->wr.rdma.remote_addr);
		break;
	case ADD:
		ibv_wr_atomic_fetch_add(qp, rkey, wr->wr.atomic.remote_addr,
					wr->wr.atomic.compare_add);
		break;
	default:
		ibv_wr_atomic_cmp_swp(qp, rkey, wr->wr.atomic.remote_addr,
				      wr->wr.atomic.compare_add, wr->wr.atomic.swap);
		break;
	}
	mlx5dv_wr_set_dc_addr(mlx5dv_qp_ex_from_ibv_qp_ex(qp), s->ah, s->peer.tgt_qpn, DC_KEY);
	ibv_wr_set_sge(qp, wr->sg_list->lkey, wr->sg_list->addr, wr->sg_list->length);
	errno = ibv_wr_complete(qp);
	if (errno)
		die("ibv_wr_complete");
}

static void set_target(struct side *s, struct ibv_send_wr *wr, struct op *op, uint32_t slot)
{
	struct memory *const p = s->peers;

	if (op->kind == ADD) {
		wr->wr.atomic.remote_addr = remote(s, &p->cells[0]);
		wr->wr.atomic.compare_add = 3;
		op->expect = s->added;
		s->added += 3;
	} else if (op->kind == SWAP) {
		wr->wr.atomic.remote_addr = remote(s, &p->cells[1]);
		wr->wr.atomic.compare_add = s->swapped;
		wr->wr.atomic.swap = s->swapped + 1;
		op->expect = s->swapped++;
	} else {
		wr->wr.rdma.remote_addr = op->kind == READ ? remote(s, p->fixed + s->next % SLOT)
							   : remote(s, p->written[slot]);
	}
	if (op->kind >= ADD)
		wr->wr.atomic.rkey = s->peer.rkey;
	else
		wr->wr.rdma.rkey = s->peer.rkey;
}

static void post_one(struct side *s)
{
	const uint32_t slot = (uint32_t)(s->next % DEPTH);
	struct op *const op = &s->ops[slot];
	struct ibv_sge sge = {(uintptr_t)s->mine->local[slot], 0, s->mr->lkey};
	struct ibv_send_wr wr = {.wr_id = s->next, .sg_list = &sge, .num_sge = 1}, *bad;

	*op = draw(&s->my_random);
	sge.length = op->len;
	wr.opcode = opcodes[op->kind];
	wr.imm_data = htobe32((uint32_t)s->next);
	if (op->kind <= WRITE_IMM)
		fill(s->mine->local[slot], op->len, s->next);
	else
		memset(s->mine->local[slot], 0, op->len);
	set_target(s, &wr, op, slot);
	if (s->mode == DC) {
		post_dc(s, &wr, op);
	} else {
		wr.qp_type.xrc.remote_srqn = s->peer.srqn;
		errno = ibv_post_send(s->qp, &wr, &bad);
		if (errno)
			die("ibv_post_send");
	}
	s->next++;
}

/* ---- checking ---- */

static void check_send(struct side *s, const struct ibv_wc *wc)
{
	const uint32_t slot = (uint32_t)(wc->wr_id % DEPTH);
	const struct op *const op = &s->ops[slot];
	const uint8_t *const local = s->mine->local[slot];
	uint64_t value;

	if (wc->status)
		fprintf(stderr, "soak_verbs: %s, vendor %#x\n", ibv_wc_status_str(wc->status),
			wc->vendor_err);
	check(!wc->status, "failed", wc->wr_id);
	check(wc->wr_id == s->done, "completion out of order, missing or twice", wc->wr_id);
	s->done++;
	if (op->kind == WRITE || op->kind == WRITE_IMM)
		check(!memcmp(local, s->peers->written[slot], op->len), "write: wrong bytes",
		      wc->wr_id);
	if (op->kind == READ)
		check(!memcmp(local, s->peers->fixed + wc->wr_id % SLOT, op->len),
		      "read: wrong bytes", wc->wr_id);
	if (op->kind >= ADD) {
		memcpy(&value, local, sizeof(value));
		check(value == op->expect, "atomic: wrong old value", wc->wr_id);
	}
}

static void check_recv(struct side *s, const struct ibv_wc *wc)
{
	struct op op;
	uint64_t id;

	/* The next of the peer's operations that takes a receive. */
	do {
		op = draw(&s->peer_random);
		id = s->recv_stream++;
	} while (op.kind != SEND && op.kind != SEND_IMM && op.kind != WRITE_IMM);
	check(!wc->status, "receive failed", id);
	check(wc->wr_id == s->recv_done, "receive out of order, missing or twice", id);
	check(wc->byte_len == op.len, "receive: wrong length", id);
	if (op.kind != SEND)
		check(wc->imm_data == htobe32((uint32_t)id), "wrong immediate", id);
	if (op.kind != WRITE_IMM)
		check(filled(s->mine->received[s->recv_done % DEPTH], op.len, id),
		      "send: wrong bytes", id);
	s->recv_done++;
}

static int poll_both(struct side *s)
{
	struct ibv_wc wc[32];
	int n = ibv_poll_cq(s->send_cq, 32, wc), total = n;

	for (int i = 0; i < n; i++)
		check_send(s, &wc[i]);
	n = ibv_poll_cq(s->recv_cq, 32, wc);
	for (int i = 0; i < n; i++)
		check_recv(s, &wc[i]);
	if (n > 0)
		post_receives(s);
	return total + n;
}

/* How many receives the peer's `count` operations take. */
static uint64_t receives_of(uint64_t random, uint64_t count)
{
	uint64_t n = 0;

	while (count--) {
		const enum kind k = draw(&random).kind;

		n += k == SEND || k == SEND_IMM || k == WRITE_IMM;
	}
	return n;
}

static void run(struct side *s, uint64_t count)
{
	const uint64_t receives = receives_of(s->peer_random, count);
	uint64_t batch_random = s->my_random ^ 1;
	time_t last = time(NULL);

	while (s->done < count || s->recv_done < receives) {
		uint64_t batch = next_random(&batch_random) % 17;

		while (batch-- && s->next < count && s->next - s->done < DEPTH)
			post_one(s);
		if (poll_both(s))
			last = time(NULL);
		else
			usleep(20);
		check(time(NULL) - last < DEADLINE, "nothing completes any more", s->done);
	}
	for (int i = 0; i < 1000; i++)
		check(!poll_both(s), "a completion too many", s->done);
}

static int one_side(struct side *s, int fd, uint64_t count, const char *device)
{
	char sync = 0;

	open_device(s, device);
	if (s->mode == RC)
		create_rc(s);
	else if (s->mode == XRC)
		create_xrc(s);
	else
		create_dc(s);
	connect_sides(s, fd);
	post_receives(s);
	exchange(fd, &sync, &sync, 1);
	run(s, count);
	/* The peer may still need our answers. */
	exchange(fd, &sync, &sync, 1);
	check(s->mine->cells[0] % 3 == 0, "the counter is not a multiple of its increments", 0);
	return 0;
}

int main(int argc, char **argv)
{
	struct memory *both = mmap(NULL, 2 * sizeof(*both), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct timespec t0, t1;
	struct side s = {0};
	uint64_t count, seed;
	int fds[2], status;
	pid_t child;

	if (argc < 4)
		return fprintf(stderr, "usage: soak_verbs rc|xrc|dc OPERATIONS SEED [DEVICE]\n"), 2;
	s.mode = argv[1][0] == 'x' ? XRC : argv[1][0] == 'd' ? DC : RC;
	count = strtoull(argv[2], NULL, 0);
	seed = strtoull(argv[3], NULL, 0);
	if (both == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		die("preparing");
	fill(both[0].fixed, sizeof(both[0].fixed), 1u << 30);
	fill(both[1].fixed, sizeof(both[1].fixed), 2u << 30);
	clock_gettime(CLOCK_MONOTONIC, &t0);
	child = fork();
	if (child < 0)
		die("fork");
	s.mine = child ? &both[0] : &both[1];
	s.peers = child ? &both[1] : &both[0];
	s.my_random = seed + (child ? 1 : 1000003);
	s.peer_random = seed + (child ? 1000003 : 1);
	s.me.psn = (uint32_t)s.my_random * 2654435761u & 0xffffff;
	if (!child)
		_exit(one_side(&s, fds[1], count, argc > 4 ? argv[4] : NULL));
	one_side(&s, fds[0], count, argc > 4 ? argv[4] : NULL);
	if (waitpid(child, &status, 0) != child || status) {
		fprintf(stderr, "soak_verbs: the other side failed\n");
		return 1;
	}
	clock_gettime(CLOCK_MONOTONIC, &t1);
	printf("%s: 2 x %" PRIu64 " operations in %.1f s, seed %" PRIu64
	       ": every byte right, every completion once\n",
	       argv[1], count,
	       (double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec) / 1e9, seed);
	return 0;
}
