/* SPDX-License-Identifier: BSD-2-Clause */
/* Enhanced connection establishment: options beyond the standard that two cards agree on. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <string.h>

#include "runtime/object/qp/qp.h"
#include "segue/base.h"

/* Queries libmlx5. */
static int ask(struct segue_qp *qp, const char *call, struct ibv_ece *ece)
{
	int ret = seguei_qp_enter(qp, call);

	if (ret)
		return ret;
	if (qp->cross)
		return seguei_fail(ENOTSUP,
				   "Queue pair 0x%x: ECE is libmlx5's, which does not know a queue "
				   "pair with cross_channel, managed_send or memory, or on a "
				   "completion queue with compress_enhanced, collapsed or memory.",
				   qp->object.number);
	memset(ece, 0, sizeof(*ece));
	ret = ibv_query_ece(qp->qp, ece); /* returns the error number */
	return ret ? seguei_fail(ret, "Queue pair 0x%x: its ECE options cannot be queried: %s.",
				 qp->object.number, strerror(ret))
		   : 0;
}

int segue_qp_query_ece(struct segue_qp *qp, struct segue_ece *ece)
{
	struct ibv_ece verbs;
	const int ret = ask(qp, "segue_qp_query_ece()", &verbs);

	if (ret)
		return ret;
	ece->vendor_id = verbs.vendor_id;
	ece->options = verbs.options;
	return 0;
}

/*
 * Options of another vendor have other meanings. Without options, or with another vendor's, nothing
 * is agreed. Source: rdma-core librdmacm/cma.c (init_ece(), ucma_process_conn_resp_ece()).
 */
int segue_qp_set_ece(struct segue_qp *qp, const struct segue_ece *theirs)
{
	struct ibv_ece verbs;
	int ret = ask(qp, "segue_qp_set_ece()", &verbs);

	if (ret)
		return ret;
	if (qp->state != SEGUE_QP_STATE_RESET && qp->state != SEGUE_QP_STATE_INIT)
		return seguei_fail(EINVAL,
				   "Queue pair 0x%x is in %s, expected RESET or INIT: ECE options "
				   "are agreed on before RTR.",
				   qp->object.number, seguei_qp_state_name(qp, qp->state));
	verbs.options = theirs->vendor_id == verbs.vendor_id ? theirs->options : 0;
	ret = ibv_set_ece(qp->qp, &verbs); /* returns the error number */
	if (!ret || (ret == EOPNOTSUPP && !verbs.options))
		return 0;
	return seguei_fail(ret,
			   "Queue pair 0x%x: ECE options 0x%x are not set: %s; give options 0 to "
			   "connect without.",
			   qp->object.number, verbs.options, strerror(ret));
}

int seguei_qp_offer_ece(struct segue_qp *qp, struct segue_ece *offer)
{
	*offer = (struct segue_ece){0, 0};
	return qp->cross ? 0 : segue_qp_query_ece(qp, offer);
}

/*
 * A device accepts the options that it has offered, or a part of them. Only the vendor knows the
 * meaning of the others. Both sides set the common options if one of them has offered exactly
 * these. librdmacm comes to the same result, whichever side connects. Source:
 * rdma_get_remote_ece(3), "masked unsupported options".
 */
int seguei_qp_agree_ece(struct segue_qp *qp, const struct segue_ece *mine,
			const struct segue_ece *theirs)
{
	struct segue_ece both = {theirs->vendor_id, mine->options & theirs->options};

	if (both.options != mine->options && both.options != theirs->options)
		both.options = 0;
	return mine->vendor_id ? segue_qp_set_ece(qp, &both) : 0;
}
