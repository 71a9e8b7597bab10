/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Automatic path migration (IBTA volume 1, 17.2.8). A connection with an alternate path that both
 * ends have armed moves to it if the primary path fails, or if the peer has moved.
 */
#include "tools/softhca/engine/migration.h"
#include "tools/softhca/engine/transport/transport.h"

static bool has_alternate(const struct softhca_qp *qp)
{
	return qp->attr.alt_port_num && qp->attr.alt_port_num <= qp->dev->cfg.nports;
}

static uint32_t alternate_peer(const struct softhca_qp *qp)
{
	const struct ibv_ah_attr *const ah = &qp->attr.alt_ah_attr;
	const struct softhca_av av = {.dgid = ah->grh.dgid, .dlid = ah->dlid};

	return softhca_tp_av_ip(&qp->dev->port[qp->attr.alt_port_num], &av);
}

void softhca_mig_migrate(struct softhca_qp *qp)
{
	struct softhca_requester *const r = qp->req;
	struct softhca_responder *const s = qp->resp;
	uint32_t ip;

	qp->attr.path_mig_state = IBV_MIG_MIGRATED;
	if (!has_alternate(qp)) {
		softhca_event_qp(qp, IBV_EVENT_PATH_MIG_ERR);
		return;
	}
	ip = alternate_peer(qp);
	qp->attr.port_num = qp->attr.alt_port_num;
	qp->attr.pkey_index = qp->attr.alt_pkey_index;
	qp->attr.timeout = qp->attr.alt_timeout;
	softhca_qp_set_path(qp, &qp->attr.alt_ah_attr);
	s->one.peer_ip = ip;
	for (struct softhca_flow *f = r->all; f; f = f->next) {
		f->peer_ip = ip;
		f->retries = qp->attr.retry_cnt;
	}
	softhca_event_qp(qp, IBV_EVENT_PATH_MIG);
	softhca_req_wake(qp);
}

bool softhca_mig_try(struct softhca_qp *qp)
{
	if (qp->attr.path_mig_state != IBV_MIG_ARMED)
		return false;
	softhca_mig_migrate(qp);
	return true;
}

bool softhca_mig_accepts(struct softhca_qp *qp, const struct softhca_port *port,
			 const struct softhca_pkt *pkt)
{
	if (qp->attr.path_mig_state != IBV_MIG_ARMED || !pkt->migreq || !has_alternate(qp) ||
	    port->num != qp->attr.alt_port_num || pkt->src_ip != alternate_peer(qp))
		return false;
	softhca_mig_migrate(qp);
	return true;
}

void softhca_mig_see(struct softhca_qp *qp, const struct softhca_pkt *pkt)
{
	if (qp->attr.path_mig_state == IBV_MIG_REARM && !pkt->migreq)
		qp->attr.path_mig_state = IBV_MIG_ARMED;
	/* The peer has moved, but to another place than our alternate path's. */
	if (qp->attr.path_mig_state == IBV_MIG_ARMED && pkt->migreq) {
		qp->attr.path_mig_state = IBV_MIG_REARM;
		softhca_event_qp(qp, IBV_EVENT_PATH_MIG_ERR);
	}
}
