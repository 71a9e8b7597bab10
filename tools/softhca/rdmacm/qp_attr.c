/* SPDX-License-Identifier: BSD-2-Clause */
/* INIT_QP_ATTR: attributes that the application must give its queue pair in each step. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <rdma/ib_user_verbs.h>
#include <string.h>

#include "tools/softhca/rdmacm/id.h"

#define GID_ROCE_V2 1u

static uint8_t gid_index(const struct rcm_id *id, const uint8_t gid[16], bool roce)
{
	union ibv_gid own;
	unsigned int type;

	for (unsigned int i = 0; i < SOFTHCA_GIDS; i++)
		if (!softhca_gid_query(id->dev, id->port, i, &own, &type) &&
		    !memcmp(own.raw, gid, 16) && (!roce || type == GID_ROCE_V2))
			return (uint8_t)i;
	return 0;
}

void rcm_id_ah(const struct rcm_id *id, const struct rcm_path *path, struct ib_uverbs_ah_attr *ah)
{
	const bool roce = softhca_dev_config(id->dev)->link[id->port - 1] == SOFTHCA_LINK_ROCE;

	memset(ah, 0, sizeof(*ah));
	ah->dlid = path->dlid;
	ah->sl = path->sl;
	ah->static_rate = path->rate;
	ah->port_num = (uint8_t)id->port;
	/* Within an InfiniBand subnet the LID is enough. */
	if (!roce && path->hop_limit <= 1)
		return;
	ah->is_global = 1;
	memcpy(ah->grh.dgid, path->dgid, 16);
	ah->grh.flow_label = path->flow_label;
	ah->grh.sgid_index = gid_index(id, path->sgid, roce);
	ah->grh.hop_limit = path->hop_limit;
	ah->grh.traffic_class = path->tclass;
}

/* The peer is not known yet, or (UD) need not be known. */
static int attr_alone(struct rcm_id *id, struct ib_uverbs_qp_attr *a)
{
	int err;

	a->port_num = (uint8_t)id->port;
	a->qp_attr_mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
	if (id->qp_type != IBV_QPT_UD) {
		a->qp_attr_mask |= IBV_QP_ACCESS_FLAGS;
		return 0;
	}
	err = rcm_id_set_qkey(id, 0);
	a->qkey = id->qkey;
	a->qp_attr_mask |= IBV_QP_QKEY;
	return err;
}

static void attr_init(const struct rcm_id *id, struct ib_uverbs_qp_attr *a)
{
	a->qp_attr_mask = IBV_QP_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
	a->qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
	if (id->conn->responder_resources)
		a->qp_access_flags |= IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
	a->port_num = (uint8_t)id->port;
}

static void attr_rtr(const struct rcm_id *id, struct ib_uverbs_qp_attr *a)
{
	const struct rcm_conn *const c = id->conn;

	a->qp_attr_mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			  IBV_QP_RQ_PSN;
	rcm_id_ah(id, &id->path, &a->ah_attr);
	a->path_mtu = c->mtu;
	a->dest_qp_num = c->remote_qpn;
	a->rq_psn = id->psn;
	if (c->qp_type == IBV_QPT_RC || c->qp_type == IBV_QPT_XRC_RECV) {
		a->qp_attr_mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
		a->max_dest_rd_atomic = c->responder_resources;
	}
}

static void attr_rts(const struct rcm_id *id, struct ib_uverbs_qp_attr *a)
{
	const struct rcm_conn *const c = id->conn;

	a->qp_attr_mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
	a->sq_psn = c->sq_psn;
	if (c->qp_type == IBV_QPT_RC || c->qp_type == IBV_QPT_XRC_SEND) {
		a->qp_attr_mask |= IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
		a->retry_cnt = c->retry_count;
		a->rnr_retry = c->rnr_retry_count;
		a->max_rd_atomic = c->initiator_depth;
	}
	if (c->qp_type != IBV_QPT_UC) {
		a->qp_attr_mask |= IBV_QP_TIMEOUT;
		a->timeout = id->ack_timeout_set && id->ack_timeout ? id->ack_timeout
								    : c->ack_timeout;
	}
}

/* The peer's queue pair is known from its request or its reply on. */
static bool peer_known(enum rcm_conn_state state)
{
	return state >= RCM_C_REQ_RCVD && state <= RCM_C_ESTABLISHED;
}

int rcm_id_qp_attr(struct rcm_id *id, uint32_t state, struct ib_uverbs_qp_attr *a)
{
	const enum rcm_conn_state have = id->conn ? id->conn->state : RCM_C_IDLE;

	a->qp_state = state;
	if (!id->conn || id->qp_type == IBV_QPT_UD) {
		if (state == IBV_QPS_RTR)
			a->rq_psn = id->psn;
		return attr_alone(id, a);
	}
	if (state == IBV_QPS_INIT && have >= RCM_C_REQ_SENT && have <= RCM_C_ESTABLISHED)
		attr_init(id, a);
	else if (state == IBV_QPS_RTR && peer_known(have))
		attr_rtr(id, a);
	else if (state == IBV_QPS_RTS && peer_known(have))
		attr_rts(id, a);
	else
		return -EINVAL;
	return 0;
}
