/* SPDX-License-Identifier: BSD-2-Clause */
/* Queue pairs: creation, attributes, errors. */
#include "qp_state.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/migration.h"
#include "tools/softhca/engine/queue/dump.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/transport.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>

static bool power_of_two(uint32_t n)
{
	return !(n & (n - 1));
}

bool softhca_qp_has_sq(enum softhca_qp_type type)
{
	return type != SOFTHCA_QP_XRC_TGT && type != SOFTHCA_QP_DCT && type != SOFTHCA_QP_RWQ;
}

bool softhca_qp_has_rq(enum softhca_qp_type type)
{
	return type == SOFTHCA_QP_RC || type == SOFTHCA_QP_UC || type == SOFTHCA_QP_UD ||
	       type == SOFTHCA_QP_RAW || type == SOFTHCA_QP_RWQ;
}

static int check_type(const struct softhca_dev *dev, const struct softhca_qp_create *c)
{
	bool xrc = c->type == SOFTHCA_QP_XRC_INI || c->type == SOFTHCA_QP_XRC_TGT;
	bool dc = c->type == SOFTHCA_QP_DCI || c->type == SOFTHCA_QP_DCT;

	if ((xrc && !dev->cfg.xrc) || (dc && !dev->cfg.dc) ||
	    (c->type == SOFTHCA_QP_RAW && !dev->cfg.raw_packet))
		return softhca_fail(-EOPNOTSUPP, "%s does not have this transport", dev->cfg.name);
	if (c->type == SOFTHCA_QP_RAW && !softhca_dev_permits(dev, CAP_NET_RAW))
		return softhca_fail(-EPERM, "a raw packet queue pair needs CAP_NET_RAW");
	if (c->type == SOFTHCA_QP_XRC_TGT ? !c->xrcd : !c->pd && !c->rss)
		return softhca_fail(-EINVAL, "the queue pair needs %s",
				    c->pd ? "an XRC domain" : "a protection domain");
	if (c->pd && c->pd->dev != dev)
		return softhca_fail(-EINVAL, "the PD belongs to another device");
	if (c->rss &&
	    (c->type != SOFTHCA_QP_RAW || !c->rss->table || c->srq || c->send_cq || c->recv_cq))
		return softhca_fail(-EINVAL, "only a raw packet queue pair without queues of its "
					     "own can spread over others");
	if (softhca_qp_has_sq(c->type) && !c->rss && !c->send_cq)
		return softhca_fail(-EINVAL, "the queue pair needs a send CQ");
	if (c->type == SOFTHCA_QP_DCT && (!c->srq || !c->recv_cq))
		return softhca_fail(-EINVAL, "a DCT needs an SRQ and a CQ");
	if (c->srq && c->type != SOFTHCA_QP_DCT && !softhca_qp_has_rq(c->type))
		return softhca_fail(-EINVAL, "this type cannot use an SRQ");
	if (c->srq && c->srq->tm && c->type != SOFTHCA_QP_RC && c->type != SOFTHCA_QP_DCT)
		return softhca_fail(-EINVAL, "SRQ 0x%x matches tags, for RC and DC only",
				    c->srq->srqn);
	if (c->srq && c->srq->attr.type == IBV_SRQT_XRC && c->type != SOFTHCA_QP_DCT)
		return softhca_fail(-EINVAL, "SRQ 0x%x is for XRC", c->srq->srqn);
	return 0;
}

/* Cross-channel queues work only with completions of their own page. */
static int check_page(const struct softhca_qp_create *c)
{
	const struct softhca_cq *const cqs[] = {c->send_cq, c->recv_cq};

	for (size_t i = 0; c->cross_master && c->uar && i < 2; i++)
		if (cqs[i] && cqs[i]->attr.uar && cqs[i]->attr.uar != c->uar)
			return softhca_fail(-EINVAL,
					    "a queue pair that controls others must use the UAR of "
					    "its CQ 0x%x",
					    cqs[i]->cqn);
	return 0;
}

static int check_rings(const struct softhca_dev *dev, const struct softhca_qp_create *c)
{
	bool rq = c->rq_wqes != 0, sq = c->sq_wqes != 0;

	if (!power_of_two(c->rq_wqes) || !power_of_two(c->sq_wqes) || c->rq_wqes > 32768 ||
	    c->sq_wqes > 32768)
		return softhca_fail(-EINVAL, "rings of %u receive and %u send entries", c->rq_wqes,
				    c->sq_wqes);
	if (c->no_record && (!c->uar || c->uar->no_record || c->sq_wqes > SOFTHCA_NO_RECORD_MAX))
		return softhca_fail(-EINVAL,
				    "%u send entries without a doorbell record; up to %u can be, "
				    "for one queue of a doorbell page",
				    c->sq_wqes, SOFTHCA_NO_RECORD_MAX);
	if (rq && (!softhca_qp_has_rq(c->type) || c->srq))
		return softhca_fail(-EINVAL, "this queue pair cannot have a receive queue");
	if (rq && (c->rq_stride < 16 || c->rq_stride > 512 || !power_of_two(c->rq_stride)))
		return softhca_fail(-EINVAL, "receive entries of %u bytes", c->rq_stride);
	if (sq && !softhca_qp_has_sq(c->type))
		return softhca_fail(-EINVAL, "this queue pair cannot have a send queue");
	if (c->cap.max_inline_data > dev->cfg.max_inline)
		return softhca_fail(-EINVAL, "%u bytes of inline data", c->cap.max_inline_data);
	if (!softhca_mapped(c->rq_va, (uint64_t)c->rq_wqes * c->rq_stride) ||
	    !softhca_mapped(c->sq_va, (uint64_t)c->sq_wqes * 64) ||
	    !softhca_mapped(c->db_va, rq || sq ? 8 : 0))
		return softhca_fail(-EFAULT, "a ring or the doorbell record is not mapped");
	return 0;
}

static void hold(struct softhca_qp *qp, int by)
{
	unsigned d = (unsigned)by;

	if (qp->pd)
		qp->pd->refs += d;
	if (qp->send_cq)
		qp->send_cq->refs += d;
	if (qp->recv_cq)
		qp->recv_cq->refs += d;
	if (qp->srq)
		qp->srq->refs += d;
	if (qp->xrcd)
		qp->xrcd->refs += d;
	if (qp->uar)
		qp->uar->users += d;
	if (qp->rss.table)
		qp->rss.table->refs += d;
}

static void fill(struct softhca_qp *qp, struct softhca_dev *dev, const struct softhca_qp_create *c)
{
	qp->dev = dev;
	qp->type = c->type;
	qp->create = *c;
	qp->create.rss = NULL;
	if (c->rss)
		qp->rss = *c->rss;
	qp->pd = c->pd;
	qp->send_cq = softhca_qp_has_sq(c->type) ? c->send_cq : NULL;
	qp->recv_cq = c->recv_cq;
	qp->srq = c->srq;
	qp->xrcd = c->xrcd;
	qp->uar = c->uar;
	qp->state = qp->attr.qp_state = IBV_QPS_RESET;
	qp->attr.cap = c->cap;
	qp->rq.va = c->rq_va;
	qp->rq.db_va = c->db_va;
	qp->rq.wqes = c->rq_wqes;
	qp->rq.stride = c->rq_stride;
	qp->sq.va = c->sq_va;
	qp->sq.db_va = c->managed_send || c->no_record ? 0 : c->db_va;
	qp->sq.wqes = c->sq_wqes;
	qp->sq.tail = &qp->sq.head;
}

static void take_numbers(struct softhca_qp *qp)
{
	if (qp->rqn)
		softhca_table_del(&qp->dev->rqs, qp->rqn);
	if (qp->qpn)
		softhca_table_del(&qp->dev->qps, qp->qpn);
	qp->rqn = qp->qpn = 0;
}

/*
 * The two queues of a raw packet queue pair are separate objects on a card. The send queue's number
 * is the queue pair's. Source: Linux drivers/infiniband/hw/mlx5/qp.c, create_raw_packet_qp().
 */
static int give_numbers(struct softhca_qp *qp)
{
	int err;

	if (qp->type == SOFTHCA_QP_DCT)
		return 0;
	err = softhca_table_add(&qp->dev->qps, qp, &qp->qpn);
	if (!err && qp->type == SOFTHCA_QP_RAW && qp->rq.wqes && qp->sq.wqes)
		err = softhca_table_add(&qp->dev->rqs, qp, &qp->rqn);
	return err;
}

int softhca_qp_create(struct softhca_dev *dev, const struct softhca_qp_create *c,
		      struct softhca_qp **out, uint32_t *qpn)
{
	struct softhca_qp *qp;
	int err;

	if (dev->fatal)
		return softhca_fail(-EIO, "%s is in fatal state", dev->cfg.name);
	err = check_type(dev, c);
	err = err ? err : check_page(c);
	err = err ? err : check_rings(dev, c);
	if (err)
		return err;
	qp = calloc(1, sizeof(*qp));
	if (!qp)
		return softhca_fail(-ENOMEM, "out of memory");
	fill(qp, dev, c);
	err = give_numbers(qp);
	if (!err)
		err = softhca_transport_qp_init(qp);
	if (err)
		goto err_numbers;
	hold(qp, 1);
	if (qp->uar)
		softhca_uar_add(qp->uar, qp);
	*out = qp;
	*qpn = qp->qpn;
	return 0;

err_numbers:
	take_numbers(qp);
	free(qp);
	return err;
}

static void unlink_qp(struct softhca_qp *qp)
{
	struct softhca_qp **p;

	if (qp->uar)
		softhca_uar_remove(qp->uar, qp);
	for (p = &qp->dev->run_list; qp->on_run_list && *p; p = &(*p)->run_next)
		if (*p == qp) {
			*p = qp->run_next;
			break;
		}
}

/*
 * A card executes a WQE within a microsecond after its doorbell, but the device thread may not have
 * seen that yet. Programs that send a last datagram and destroy the queue pair rely on a card's
 * speed.
 */
void softhca_qp_catch_up(struct softhca_qp *qp)
{
	if (qp->state != IBV_QPS_RTS || qp->dev->fatal)
		return;
	softhca_uar_look_for(qp);
	/* Once around the ring, unless the queue has to wait. */
	for (uint32_t n = 0; n < qp->sq.wqes && qp->state == IBV_QPS_RTS; n++) {
		const uint16_t before = qp->sq.ci;

		softhca_sq_run(qp);
		if (qp->sq.ci == before || qp->sq.ci == qp->sq.pi)
			return;
	}
}

int softhca_qp_destroy(struct softhca_qp *qp)
{
	if (!qp)
		return 0;
	if (qp->shares) {
		qp->shares--;
		return 0;
	}
	if (qp->type == SOFTHCA_QP_RAW && qp->wq_refs)
		return softhca_fail(-EBUSY, "QP 0x%x has %u steering rules", qp->qpn, qp->wq_refs);
	if (softhca_mcast_count(qp))
		return softhca_fail(-EBUSY, "QP 0x%x is attached to a multicast group", qp->qpn);
	softhca_qp_catch_up(qp);
	softhca_judge_unannounced(qp);
	softhca_dump_qp(qp);
	qp->state = qp->attr.qp_state = IBV_QPS_RESET; /* nothing is reported any more */
	softhca_sq_reset(qp);
	softhca_transport_qp_fini(qp);
	softhca_pace_forget(qp);
	unlink_qp(qp);
	take_numbers(qp);
	hold(qp, -1);
	free(qp);
	return 0;
}

int softhca_qp_share(struct softhca_qp *qp, const struct softhca_xrcd *xrcd)
{
	if (qp->type != SOFTHCA_QP_XRC_TGT || qp->xrcd != xrcd)
		return softhca_fail(-EINVAL, "QP 0x%x is no XRC target of this domain", qp->qpn);
	qp->shares++;
	return 0;
}

/* ---- modify ---- */

/* The alternate path belongs to the same device, and names its port in two fields. */
static int check_alternate(const struct softhca_qp *qp, const struct ibv_qp_attr *attr)
{
	if (!attr->alt_port_num || attr->alt_port_num > qp->dev->cfg.nports ||
	    attr->alt_ah_attr.port_num != attr->alt_port_num)
		return softhca_fail(-EINVAL, "alternate port %u, and %u in its path; %s has %u",
				    attr->alt_port_num, attr->alt_ah_attr.port_num,
				    qp->dev->cfg.name, qp->dev->cfg.nports);
	if (attr->alt_pkey_index >= SOFTHCA_PKEYS || attr->alt_timeout > 31)
		return softhca_fail(-EINVAL, "P_Key index %u or time-out %u of an alternate path",
				    attr->alt_pkey_index, attr->alt_timeout);
	return softhca_ah_check(qp->dev, &attr->alt_ah_attr);
}

static int check_values(const struct softhca_qp *qp, const struct ibv_qp_attr *attr, int mask)
{
	const struct softhca_config *cfg = &qp->dev->cfg;
	unsigned port = mask & IBV_QP_PORT ? attr->port_num : qp->attr.port_num;

	if (mask & IBV_QP_PORT && (!attr->port_num || attr->port_num > cfg->nports))
		return softhca_fail(-EINVAL, "port %u; %s has %u", attr->port_num, cfg->name,
				    cfg->nports);
	if (mask & IBV_QP_PKEY_INDEX && attr->pkey_index >= SOFTHCA_PKEYS)
		return softhca_fail(-EINVAL, "pkey index %u; there are %u", attr->pkey_index,
				    SOFTHCA_PKEYS);
	if (mask & IBV_QP_MAX_QP_RD_ATOMIC && attr->max_rd_atomic > cfg->max_qp_init_rd_atom)
		return softhca_fail(-EINVAL, "max_rd_atomic %u; the limit is %u",
				    attr->max_rd_atomic, cfg->max_qp_init_rd_atom);
	if (mask & IBV_QP_MAX_DEST_RD_ATOMIC && attr->max_dest_rd_atomic > cfg->max_qp_rd_atom)
		return softhca_fail(-EINVAL, "max_dest_rd_atomic %u; the limit is %u",
				    attr->max_dest_rd_atomic, cfg->max_qp_rd_atom);
	if (mask & IBV_QP_PATH_MTU &&
	    (attr->path_mtu < IBV_MTU_256 || attr->path_mtu > IBV_MTU_4096 ||
	     attr->path_mtu > qp->dev->port[port].active_mtu))
		return softhca_fail(-EINVAL, "path MTU %d; the port's is %d", (int)attr->path_mtu,
				    (int)qp->dev->port[port].active_mtu);
	if ((mask & IBV_QP_TIMEOUT && attr->timeout > 31) ||
	    (mask & IBV_QP_RETRY_CNT && attr->retry_cnt > 7) ||
	    (mask & IBV_QP_RNR_RETRY && attr->rnr_retry > 7) ||
	    (mask & IBV_QP_MIN_RNR_TIMER && attr->min_rnr_timer > 31))
		return softhca_fail(-EINVAL, "a timer or retry count is wider than its field");
	if (mask & IBV_QP_DEST_QPN && attr->dest_qp_num > SOFTHCA_NUM_MASK)
		return softhca_fail(-EINVAL, "destination QP 0x%x is no QP number",
				    attr->dest_qp_num);
	if (mask & IBV_QP_PATH_MIG_STATE && (unsigned)attr->path_mig_state > IBV_MIG_ARMED)
		return softhca_fail(-EINVAL, "path migration state %d does not exist",
				    (int)attr->path_mig_state);
	if (mask & IBV_QP_ALT_PATH) {
		int err = check_alternate(qp, attr);

		if (err)
			return err;
	}
	if (mask & IBV_QP_AV) {
		struct ibv_ah_attr ah = attr->ah_attr;

		if (!ah.port_num)
			ah.port_num = (uint8_t)port;
		/*
		 * A target has no peer, and an initiator has one per request. UCX gives both no
		 * destination (dc_mlx5.c: dci_connect, create_dct).
		 */
		if (qp->type == SOFTHCA_QP_DCI || qp->type == SOFTHCA_QP_DCT)
			return softhca_ah_check_source(qp->dev, &ah);
		return softhca_ah_check(qp->dev, &ah);
	}
	return 0;
}

void softhca_qp_set_path(struct softhca_qp *qp, const struct ibv_ah_attr *ah)
{
	const struct ibv_ah_attr copy = *ah; /* it may be one of the QP's own */
	struct softhca_av *av = &qp->av;

	memset(av, 0, sizeof(*av));
	av->port = qp->attr.port_num;
	av->grh = ah->is_global;
	av->dgid = ah->grh.dgid;
	av->sgid_index = ah->grh.sgid_index;
	av->flow_label = ah->grh.flow_label;
	av->hop_limit = ah->grh.hop_limit;
	av->tclass = ah->grh.traffic_class;
	av->dlid = ah->dlid;
	av->sl = ah->sl & 0xf;
	av->path_bits = ah->src_path_bits & 0x7f;
	av->static_rate = ah->static_rate;
	qp->attr.ah_attr = copy;
}

#define STORE(bit, member)                         \
	do {                                       \
		if (mask & (bit))                  \
			to->member = from->member; \
	} while (0)
static void store(struct softhca_qp *qp, const struct ibv_qp_attr *from, int mask)
{
	struct ibv_qp_attr *to = &qp->attr;

	STORE(IBV_QP_EN_SQD_ASYNC_NOTIFY, en_sqd_async_notify);
	STORE(IBV_QP_ACCESS_FLAGS, qp_access_flags);
	STORE(IBV_QP_PKEY_INDEX, pkey_index);
	STORE(IBV_QP_PORT, port_num);
	STORE(IBV_QP_QKEY, qkey);
	if (mask & IBV_QP_AV)
		softhca_qp_set_path(qp, &from->ah_attr);
	STORE(IBV_QP_PATH_MTU, path_mtu);
	STORE(IBV_QP_TIMEOUT, timeout);
	STORE(IBV_QP_RETRY_CNT, retry_cnt);
	STORE(IBV_QP_RNR_RETRY, rnr_retry);
	if (mask & IBV_QP_RQ_PSN)
		to->rq_psn = from->rq_psn & SOFTHCA_NUM_MASK;
	STORE(IBV_QP_MAX_QP_RD_ATOMIC, max_rd_atomic);
	if (mask & IBV_QP_ALT_PATH) {
		to->alt_ah_attr = from->alt_ah_attr;
		to->alt_pkey_index = from->alt_pkey_index;
		to->alt_port_num = from->alt_port_num;
		to->alt_timeout = from->alt_timeout;
	}
	STORE(IBV_QP_MIN_RNR_TIMER, min_rnr_timer);
	if (mask & IBV_QP_SQ_PSN)
		to->sq_psn = from->sq_psn & SOFTHCA_NUM_MASK;
	STORE(IBV_QP_MAX_DEST_RD_ATOMIC, max_dest_rd_atomic);
	STORE(IBV_QP_PATH_MIG_STATE, path_mig_state);
	STORE(IBV_QP_DEST_QPN, dest_qp_num);
	STORE(IBV_QP_RATE_LIMIT, rate_limit);
}

static void to_reset(struct softhca_qp *qp)
{
	struct ibv_qp_cap cap = qp->attr.cap;

	softhca_sq_reset(qp);
	softhca_rq_reset(qp);
	memset(&qp->attr, 0, sizeof(qp->attr));
	memset(&qp->av, 0, sizeof(qp->av));
	qp->attr.cap = cap;
	qp->referee_told = 0;
	qp->comm_est_told = false;
	qp->lag_port = 0;
	memset(&qp->choice, 0, sizeof(qp->choice));
	softhca_pace_forget(qp);
	qp->drain_sigerr = false;
	qp->mmo_allowed = false;
}

int softhca_qp_modify(struct softhca_qp *qp, const struct ibv_qp_attr *attr, int mask)
{
	const bool armed = qp->attr.path_mig_state == IBV_MIG_ARMED;
	enum ibv_qp_state from, to;
	int err;

	if (qp->dev->fatal)
		return softhca_fail(-EIO, "%s is in fatal state", qp->dev->cfg.name);
	/* A doorbell before the command reached the device before it. */
	softhca_uar_look_for(qp);
	from = qp->state;
	to = mask & IBV_QP_STATE ? attr->qp_state : from;
	err = softhca_qp_check_transition(qp, attr, mask);
	err = err ? err : check_values(qp, attr, mask);
	if (err)
		return err;
	if (qp->type == SOFTHCA_QP_DCT && to == IBV_QPS_RTR && !qp->qpn) {
		err = softhca_table_add(&qp->dev->qps, qp, &qp->qpn);
		if (err)
			return err;
	}
	if (to == IBV_QPS_RESET || to == IBV_QPS_ERR) {
		softhca_qp_catch_up(qp);
		softhca_judge_unannounced(qp);
	}
	if (to == IBV_QPS_RESET)
		to_reset(qp);
	else
		store(qp, attr, mask);
	if (to == IBV_QPS_ERR)
		softhca_qp_error(qp);
	qp->state = qp->attr.qp_state = to;
	softhca_transport_qp_modify(qp, from, mask);
	/* Migration on request. */
	if (armed && mask & IBV_QP_PATH_MIG_STATE && attr->path_mig_state == IBV_MIG_MIGRATED)
		softhca_mig_migrate(qp);
	if (to == IBV_QPS_SQD && from != to) {
		qp->sq.drain_told = !attr->en_sqd_async_notify;
		softhca_sq_drained(qp);
	}
	if (to == IBV_QPS_RTS)
		softhca_sq_schedule(qp);
	return 0;
}

int softhca_qp_query(struct softhca_qp *qp, struct ibv_qp_attr *attr)
{
	*attr = qp->attr;
	attr->qp_state = attr->cur_qp_state = qp->state;
	/*
	 * Until INIT names a port, a queue pair has its function's port. SPDK queries it before
	 * INIT.
	 */
	if (qp->state == IBV_QPS_RESET && !attr->port_num)
		attr->port_num = 1;
	attr->sq_draining = qp->state == IBV_QPS_SQD && qp->sq.head;
	return 0;
}

void softhca_qp_allow_mmo(struct softhca_qp *qp, bool allowed)
{
	qp->mmo_allowed = allowed;
}

int softhca_qp_drain_sigerr(struct softhca_qp *qp, bool drain)
{
	if (qp->state != IBV_QPS_INIT || !qp->dev->cfg.sig)
		return softhca_fail(-EINVAL, "QP 0x%x is not in INIT, or has no signature offload",
				    qp->qpn);
	qp->drain_sigerr = drain;
	return 0;
}

uint16_t softhca_qp_sent(const struct softhca_qp *qp)
{
	return qp->sq.ci;
}

/* ---- errors ---- */

void softhca_qp_error(struct softhca_qp *qp)
{
	if (qp->state == IBV_QPS_ERR || qp->state == IBV_QPS_RESET)
		return;
	qp->state = qp->attr.qp_state = IBV_QPS_ERR;
	softhca_resp_stop(qp);
	softhca_rq_flush(qp);
	softhca_sq_flush(qp);
	if (qp->srq)
		softhca_event_qp(qp, IBV_EVENT_QP_LAST_WQE_REACHED);
}

void softhca_qp_fatal(struct softhca_qp *qp, enum ibv_event_type event)
{
	if (qp->state == IBV_QPS_ERR || qp->state == IBV_QPS_RESET)
		return;
	softhca_event_qp(qp, event);
	softhca_qp_error(qp);
}

void softhca_qp_comm_est(struct softhca_qp *qp)
{
	if (qp->state != IBV_QPS_RTR || qp->comm_est_told)
		return;
	qp->comm_est_told = true;
	softhca_event_qp(qp, IBV_EVENT_COMM_EST);
}

/* ---- small things ---- */

struct softhca_qp_choice softhca_qp_choice(const struct softhca_qp *qp)
{
	return qp->choice;
}

void softhca_qp_choose(struct softhca_qp *qp, struct softhca_qp_choice choice)
{
	qp->choice = choice;
}

uint8_t softhca_dev_next_lag_port(struct softhca_dev *dev)
{
	if (dev->cfg.lag_ports < 2)
		return 0;
	dev->next_lag_port = (uint8_t)(dev->next_lag_port % dev->cfg.lag_ports + 1);
	return dev->next_lag_port;
}

void softhca_qp_begin_on_lag_port(struct softhca_qp *qp, uint8_t port)
{
	qp->lag_port = port;
}

uint8_t softhca_qp_lag_port(const struct softhca_qp *qp)
{
	return qp->lag_port;
}

int softhca_qp_set_lag_port(struct softhca_qp *qp, uint8_t port)
{
	if (!port || port > qp->dev->cfg.lag_ports || !qp->lag_port)
		return softhca_fail(-EINVAL, "%s has no bonded port %u", qp->dev->cfg.name, port);
	qp->lag_port = port;
	return 0;
}

uint16_t softhca_qp_udp_sport(const struct softhca_qp *qp)
{
	return qp->av.udp_sport;
}

int softhca_qp_set_udp_sport(struct softhca_qp *qp, uint16_t sport)
{
	if (qp->state != IBV_QPS_RTS || qp->dev->port[qp->attr.port_num].link != SOFTHCA_LINK_ROCE)
		return softhca_fail(-EINVAL, "QP 0x%x is not in RTS on an Ethernet port", qp->qpn);
	qp->av.udp_sport = sport;
	return 0;
}

struct softhca_qp *softhca_qp_find(struct softhca_dev *dev, uint32_t qpn)
{
	return softhca_table_get(&dev->qps, qpn);
}

uint32_t softhca_qp_num(const struct softhca_qp *qp)
{
	return qp->qpn;
}

uint32_t softhca_qp_user_index(const struct softhca_qp *qp)
{
	return qp->create.user_index;
}

uint32_t softhca_rq_num(const struct softhca_qp *qp)
{
	return qp->rqn ? qp->rqn : qp->qpn;
}

enum softhca_qp_type softhca_qp_type_of(const struct softhca_qp *qp)
{
	return qp->type;
}

enum ibv_qp_state softhca_qp_state(const struct softhca_qp *qp)
{
	return qp->state;
}

void softhca_qp_set_user(struct softhca_qp *qp, void *user)
{
	qp->user = user;
}

void *softhca_qp_user(const struct softhca_qp *qp)
{
	return qp->user;
}
