// SPDX-License-Identifier: BSD-2-Clause
/* The kit's two ends: queue pairs of each transport, connected to each other, and what hangs on
 * them. */
#include <string.h>

#include "segue/ah.h"
#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "segue/mkey.h"
#include "tools/segue/check/kit.h"
#include "tools/segue/wqe.h"

#define DC_KEY UINT64_C(0x1234567890abcdef)

static const struct {
	const char *queue;
	enum segue_qp_type from, at;
} transports[] = {
	{"rc", SEGUE_QP_RC, SEGUE_QP_RC},
	{"uc", SEGUE_QP_UC, SEGUE_QP_UC},
	{"ud", SEGUE_QP_UD, SEGUE_QP_UD},
	{"xrc_initiator", SEGUE_QP_XRC_INITIATOR, SEGUE_QP_XRC_TARGET},
	{"dci", SEGUE_QP_DCI, SEGUE_QP_DCT},
};

struct segue_sq *kit_sq(struct segue_qp *qp, const char *queue)
{
	if (strcmp(queue, "rc") == 0)
		return &segue_qp_rc_sq(qp)->sq;
	if (strcmp(queue, "uc") == 0)
		return &segue_qp_uc_sq(qp)->sq;
	if (strcmp(queue, "ud") == 0)
		return &segue_qp_ud_sq(qp)->sq;
	return strcmp(queue, "dci") == 0 ? &segue_qp_dci_sq(qp)->sq
					 : &segue_qp_xrc_initiator_sq(qp)->sq;
}

static struct segue_qp_options options_of(struct kit_ends *e, const struct kit_wish *wish,
					  enum segue_qp_type type)
{
	struct segue_qp_options o = {.type = type, .scatter_to_cqe = wish->scatter};
	const bool sends = type != SEGUE_QP_XRC_TARGET && type != SEGUE_QP_DCT;

	if (sends) {
		o.send_cq = wish->send_cq ? wish->send_cq : e->kit->cq;
		o.max_send_wr = wish->many ? wish->many : 8;
		o.max_send_sge = wish->many ? 2 : 4;
		o.max_inline = wish->many ? 60 : 256;
		o.max_wqe_units = wish->many ? 8 : 63;
		o.device_memcpy = (type == SEGUE_QP_RC || type == SEGUE_QP_DCI) && !wish->plain &&
				  segue_device_caps(e->kit->device)->max_memcpy;
	}
	if (type == SEGUE_QP_RC || type == SEGUE_QP_UC || type == SEGUE_QP_UD) {
		o.recv_cq = wish->recv_cq ? wish->recv_cq : e->kit->cq;
		o.max_recv_wr = wish->many ? wish->many : 16;
		o.max_recv_sge = 4;
	}
	if (wish->tagged) {
		o.srq = e->srq;
		o.max_recv_wr = o.max_recv_sge = 0;
	}
	if (type == SEGUE_QP_XRC_TARGET)
		o.xrcd = e->xrcd;
	if (type == SEGUE_QP_DCT) {
		o.recv_cq = e->kit->cq;
		o.srq = e->srq;
		o.dc_key = DC_KEY;
	}
	return o;
}

bool kit_path_to(struct kit *kit, uint32_t qpn, struct segue_path *path)
{
	struct segue_port_info info;
	struct segue_gid_info gid;

	if (segue_path_init(path, kit->device, kit->port) ||
	    segue_device_query_port(kit->device, kit->port, &info) ||
	    segue_device_find_gid(kit->device, kit->port, NULL, &gid))
		return false;
	path->dest_qpn = qpn;
	path->qkey = KIT_QKEY;
	if (path->link == SEGUE_LINK_IB)
		path->way.ib.dlid = info.lid;
	else
		path->way.roce.route.dgid = gid.gid;
	return true;
}

static bool open_shared(struct kit_ends *e, const struct kit_wish *wish, enum segue_qp_type at)
{
	struct segue_srq_options options = {.max_wr = 16, .max_sge = wish->tagged ? 1 : 2};

	if (wish->tagged) {
		options.cq = e->kit->cq;
		options.max_tags = 4;
	}
	if (at == SEGUE_QP_XRC_TARGET) {
		if (segue_xrcd_open(e->kit->device, -1, &e->xrcd))
			return false;
		options.xrcd = e->xrcd;
		options.cq = e->kit->cq;
	}
	return !segue_srq_open(e->kit->pd, &options, &e->srq);
}

static bool connect_ends(struct kit_ends *e, const struct kit_wish *wish)
{
	struct segue_path to_b, to_a;

	if (!kit_path_to(e->kit, wish->lost_qpn ? wish->lost_qpn : segue_qp_number(e->b), &to_b) ||
	    !kit_path_to(e->kit, segue_qp_number(e->a), &to_a))
		return false;
	e->kit->psn = (e->kit->psn + 0x10e000) & 0x7fffff;
	to_b.sq_psn = to_a.rq_psn = e->kit->psn;
	to_a.sq_psn = to_b.rq_psn = e->kit->psn + 0x800000;
	if (wish->timeout)
		to_b.timeout = wish->timeout;
	if (wish->impatient) {
		to_b.retry_cnt = wish->retry;
		to_b.rnr_retry = wish->rnr_retry;
	}
	return !segue_qp_connect(e->b, &to_a) && !segue_qp_connect(e->a, &to_b);
}

/* Without a connection: each request has the address. */
static bool address_ends(struct kit_ends *e)
{
	struct segue_path path;

	return kit_path_to(e->kit, 0, &path) && !segue_qp_connect(e->b, &path) &&
	       !segue_qp_connect(e->a, &path) && !segue_ah_open(e->kit->pd, &path, &e->address);
}

static bool open_ends(struct kit_ends *e, const struct kit_wish *wish, enum segue_qp_type from,
		      enum segue_qp_type at)
{
	struct segue_qp_options sends, receives;

	if ((at == SEGUE_QP_XRC_TARGET || at == SEGUE_QP_DCT || wish->tagged) &&
	    !open_shared(e, wish, at))
		return false;
	receives = options_of(e, wish, at);
	sends = options_of(e, wish, from);
	if (segue_qp_open(e->kit->pd, &receives, &e->b) || segue_qp_open(e->kit->pd, &sends, &e->a))
		return false;
	return at == SEGUE_QP_UD || at == SEGUE_QP_DCT ? address_ends(e) : connect_ends(e, wish);
}

bool kit_open_ends(struct kit *kit, const struct kit_wish *wish, struct kit_ends *e)
{
	size_t i;

	memset(e, 0, sizeof(*e));
	e->kit = kit;
	e->machine = wqe_machine(wish->queue);
	e->dc_key = DC_KEY + wish->wrong_dc_key;
	for (i = 0; strcmp(transports[i].queue, wish->queue) != 0; i++)
		;
	if (open_ends(e, wish, transports[i].from, transports[i].at))
		return true;
	(void)kit_say(kit, "%s", segue_errmsg());
	kit_close_ends(e);
	return false;
}

bool kit_with_ends(struct kit *kit, const struct kit_wish *wish, bool (*see)(struct kit_ends *))
{
	struct kit_ends ends = {.kit = kit};
	bool good;

	kit->cannot = wish && !kit_open_ends(kit, wish, &ends);
	good = !kit->cannot && see(&ends);
	kit_close_ends(&ends);
	return good;
}

bool kit_open_witness(struct kit_ends *e)
{
	struct kit_ends pair;

	if (!kit_open_ends(e->kit, &(struct kit_wish){.queue = "rc"}, &pair))
		return false;
	e->witness_a = pair.a;
	e->witness_b = pair.b;
	return true;
}

void kit_close_ends(struct kit_ends *e)
{
	struct segue_qp *const qps[] = {e->a, e->b, e->witness_a, e->witness_b, e->other};
	size_t i;

	for (i = 0; i < sizeof(qps) / sizeof(qps[0]); i++)
		(void)segue_qp_close(qps[i]);
	(void)segue_mw_close(e->mw);
	(void)segue_mkey_close(e->mkey);
	(void)segue_sigval_close(e->psv[0]);
	(void)segue_sigval_close(e->psv[1]);
	(void)segue_dek_close(e->dek);
	(void)segue_ah_close(e->address);
	(void)segue_srq_close(e->srq);
	(void)segue_xrcd_close(e->xrcd);
	(void)segue_cq_close(e->cq);
	memset(e, 0, sizeof(*e));
}

bool kit_receive(struct kit_ends *e, size_t offset, uint32_t length)
{
	const struct kit_memory *const m = &e->kit->there;
	const uint64_t addr = (uintptr_t)(m->bytes + offset);
	const int ret = e->srq ? segue_post(segue_sge(segue_recv(e->srq, KIT_RECEIVE), addr, length,
						      m->lkey))
			       : segue_post(segue_sge(segue_recv(segue_qp_rq(e->b), KIT_RECEIVE),
						      addr, length, m->lkey));

	return ret ? kit_say(e->kit, "a receive: %s", segue_errmsg()) : true;
}
