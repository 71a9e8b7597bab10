/* SPDX-License-Identifier: BSD-2-Clause */
/* The queues of soak_verbs, of each transport, and their connection. */
#include "soak.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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
		.cap = {.max_send_wr = DEPTH, .max_send_sge = 1, .max_inline_data = MAX_INLINE},
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
		soak_die("ibv_open_xrcd");
	si.xrcd = ti.xrcd = s->xrcd;
	s->srq = ibv_create_srq_ex(s->ctx, &si);
	s->qp = ibv_create_qp_ex(s->ctx, &qi);
	s->tgt = ibv_create_qp_ex(s->ctx, &ti);
	if (!s->srq || !s->qp || !s->tgt || ibv_get_srq_num(s->srq, &s->me.srqn))
		soak_die("XRC queues");
}

static void create_dc(struct side *s)
{
	struct ibv_qp_init_attr_ex qi = {
		.qp_type = IBV_QPT_DRIVER,
		.send_cq = s->send_cq,
		.recv_cq = s->send_cq,
		.cap = {.max_send_wr = DEPTH, .max_send_sge = 1, .max_inline_data = MAX_INLINE},
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

	ti.srq = s->srq;
	s->qp = mlx5dv_create_qp(s->ctx, &qi, &di);
	s->tgt = mlx5dv_create_qp(s->ctx, &ti, &dt);
	if (!s->qp || !s->tgt)
		soak_die("DC queues");
}

static struct ibv_srq *shared_queue(struct side *s)
{
	struct ibv_srq_init_attr si = {.attr = {.max_wr = DEPTH, .max_sge = 1}};
	struct ibv_srq *const srq = ibv_create_srq(s->pd, &si);

	if (!srq)
		soak_die("ibv_create_srq");
	return srq;
}

/* With raw WQEs, for what libibverbs has no call. */
static void create_rc(struct side *s)
{
	struct ibv_qp_init_attr_ex qi = {
		.qp_type = IBV_QPT_RC,
		.send_cq = s->send_cq,
		.recv_cq = s->recv_cq,
		.srq = s->srq,
		.cap = {.max_send_wr = 2 * DEPTH,
			.max_recv_wr = s->srq ? 0 : DEPTH,
			.max_send_sge = 1,
			.max_recv_sge = s->srq ? 0 : 1,
			.max_inline_data = MAX_INLINE},
		.sq_sig_all = 1,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = s->pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND,
	};
	struct mlx5dv_qp_init_attr di = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS,
		.send_ops_flags = MLX5DV_QP_EX_WITH_RAW_WQE,
	};

	s->qp = mlx5dv_create_qp(s->ctx, &qi, &di);
	if (!s->qp)
		soak_die("mlx5dv_create_qp");
	for (uint32_t i = 0; i < WINDOWS; i++) {
		s->mw[i] = ibv_alloc_mw(s->pd, IBV_MW_TYPE_2);
		if (!s->mw[i])
			soak_die("ibv_alloc_mw");
	}
}

static void create_unreliable(struct side *s)
{
	struct ibv_qp_init_attr qi = {
		.qp_type = s->mode == UC ? IBV_QPT_UC : IBV_QPT_UD,
		.send_cq = s->send_cq,
		.recv_cq = s->recv_cq,
		.cap = {.max_send_wr = DEPTH,
			.max_recv_wr = DEPTH,
			.max_send_sge = 1,
			.max_recv_sge = 1,
			.max_inline_data = MAX_INLINE},
		.sq_sig_all = 1,
	};

	s->qp = ibv_create_qp(s->pd, &qi);
	if (!s->qp)
		soak_die("ibv_create_qp");
}

void soak_create(struct side *s)
{
	if (s->mode == SRQ || s->mode == DC)
		s->srq = shared_queue(s);
	if (s->mode == RC || s->mode == SRQ)
		create_rc(s);
	else if (s->mode == XRC)
		create_xrc(s);
	else if (s->mode == DC)
		create_dc(s);
	else
		create_unreliable(s);
}

void soak_open(struct side *s)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	const int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
			   IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND;
	struct mlx5dv_context_attr dv = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
	struct ibv_port_attr port;

	if (!list || !list[0])
		soak_die("no device");
	s->ctx = s->mode == DC ? mlx5dv_open_device(list[0], &dv) : ibv_open_device(list[0]);
	ibv_free_device_list(list);
	if (!s->ctx || ibv_query_port(s->ctx, 1, &port))
		soak_die("open");
	s->roce = port.link_layer == IBV_LINK_LAYER_ETHERNET;
	s->me.lid = port.lid;
	if (ibv_query_gid(s->ctx, 1, s->roce ? 3 : 0, &s->me.gid))
		soak_die("ibv_query_gid");
	s->pd = ibv_alloc_pd(s->ctx);
	if (!s->pd)
		soak_die("ibv_alloc_pd");
	s->mr = ibv_reg_mr(s->pd, s->mine, sizeof(*s->mine), access);
	s->send_cq = ibv_create_cq(s->ctx, 4 * DEPTH, NULL, NULL, 0);
	s->recv_cq = ibv_create_cq(s->ctx, 4 * DEPTH, NULL, NULL, 0);
	if (!s->mr || !s->send_cq || !s->recv_cq)
		soak_die("memory or completion queues");
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
		.qkey = Q_KEY,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
				   IBV_ACCESS_REMOTE_ATOMIC,
	};
	int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;

	if (s->mode == UD)
		mask |= IBV_QP_QKEY;
	else if (s->mode != DC || qp == s->tgt)
		mask |= IBV_QP_ACCESS_FLAGS;
	errno = ibv_modify_qp(qp, &a, mask);
	if (errno)
		soak_die("to INIT");
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
	else if (s->mode == UD)
		mask = IBV_QP_STATE;
	else if (s->mode != DC)
		mask |= IBV_QP_AV | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
	if (s->mode == RC || s->mode == SRQ || s->mode == XRC)
		mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	errno = ibv_modify_qp(qp, &a, mask);
	if (errno)
		soak_die("to RTR");
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

	int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;

	if (s->mode != UC && s->mode != UD)
		mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			IBV_QP_MAX_QP_RD_ATOMIC;
	errno = ibv_modify_qp(qp, &a, mask);
	if (errno)
		soak_die("to RTS");
}

void soak_exchange(int fd, const void *mine, void *theirs, size_t size)
{
	if (write(fd, mine, size) != (ssize_t)size || read(fd, theirs, size) != (ssize_t)size)
		soak_die("exchange with the peer");
}

void soak_connect(struct side *s, int fd)
{
	to_init(s, s->qp);
	if (s->tgt)
		to_init(s, s->tgt);
	s->me.base = (uint64_t)(uintptr_t)s->mine;
	s->me.rkey = s->mr->rkey;
	s->me.qpn = s->qp->qp_num;
	s->me.tgt_qpn = s->tgt ? s->tgt->qp_num : s->qp->qp_num;
	soak_exchange(fd, &s->me, &s->peer, sizeof(s->me));
	/* Initiator talks to target, target to initiator. */
	to_rtr(s, s->qp, s->peer.tgt_qpn);
	if (s->tgt)
		to_rtr(s, s->tgt, s->peer.qpn);
	to_rts(s, s->qp);
	if (s->mode == DC || s->mode == UD) {
		struct ibv_ah_attr ah = path(s);

		/* A DCT has its number only now. */
		s->me.tgt_qpn = s->tgt ? s->tgt->qp_num : s->qp->qp_num;
		s->ah = ibv_create_ah(s->pd, &ah);
		if (!s->ah)
			soak_die("ibv_create_ah");
	} else if (s->mode == XRC) {
		to_rts(s, s->tgt);
	}
	soak_exchange(fd, &s->me, &s->peer, sizeof(s->me));
}

void soak_post_receives(struct side *s)
{
	const uint32_t size = s->mode == UD ? GRH + MTU : SLOT;

	while (s->recv_posted - s->recv_done < DEPTH) {
		struct ibv_sge sge = {(uintptr_t)s->mine->received[s->recv_posted % DEPTH], size,
				      s->mr->lkey};
		struct ibv_recv_wr wr = {.wr_id = s->recv_posted, .sg_list = &sge, .num_sge = 1},
				   *bad;

		errno = s->srq ? ibv_post_srq_recv(s->srq, &wr, &bad)
			       : ibv_post_recv(s->qp, &wr, &bad);
		if (errno)
			soak_die("post receive");
		s->recv_posted++;
	}
}
