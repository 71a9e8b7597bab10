/* SPDX-License-Identifier: BSD-2-Clause */
/* Transitions of queue pairs, and the attributes that each needs and allows, with the checks of the
 * kernel (ib_core and mlx5). */
#include "qp_state.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/scheduler.h"

#include <errno.h>

#define PKEY  IBV_QP_PKEY_INDEX
#define PORT  IBV_QP_PORT
#define QKEY  IBV_QP_QKEY
#define ACC   IBV_QP_ACCESS_FLAGS
#define ALT   IBV_QP_ALT_PATH
#define CUR   IBV_QP_CUR_STATE
#define MIG   IBV_QP_PATH_MIG_STATE
#define RNRT  IBV_QP_MIN_RNR_TIMER
#define DEST  (IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN)
#define RDEST (DEST | IBV_QP_MAX_DEST_RD_ATOMIC | RNRT)
#define SEND                                                                    \
	(IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | \
	 IBV_QP_MAX_QP_RD_ATOMIC)
#define RATE	IBV_QP_RATE_LIMIT
#define SQDX	(PORT | IBV_QP_AV | ALT | ACC | PKEY | MIG)

#define RESET	IBV_QPS_RESET
#define INIT	IBV_QPS_INIT
#define RTR	IBV_QPS_RTR
#define RTS	IBV_QPS_RTS
#define SQD	IBV_QPS_SQD
#define SQE	IBV_QPS_SQE
#define ERR	IBV_QPS_ERR

#define T(type) (1u << SOFTHCA_QP_##type)
#define CONN	(T(RC) | T(UC) | T(XRC_INI) | T(XRC_TGT))
#define VERBS	(CONN | T(UD) | T(RAW))
#define EVERY	(VERBS | T(DCI))

struct transition {
	enum ibv_qp_state from, to;
	unsigned types;
	int need, may;
};

static const struct transition table[] = {
	{RESET, RESET, EVERY, 0, 0},
	{RESET, INIT, CONN, PKEY | PORT | ACC, 0},
	{RESET, INIT, T(UD), PKEY | PORT | QKEY, 0},
	{RESET, INIT, T(RAW), PORT, 0},
	{RESET, INIT, T(DCI), PKEY | PORT, 0},
	{RESET, INIT, T(DCT), PKEY | PORT | ACC, 0},

	{INIT, RESET, EVERY, 0, 0},
	{INIT, ERR, EVERY, 0, 0},
	{INIT, INIT, CONN, 0, PKEY | PORT | ACC},
	{INIT, INIT, T(UD), 0, PKEY | PORT | QKEY},
	{INIT, INIT, T(RAW), 0, PORT},
	{INIT, INIT, T(DCI), 0, PKEY | PORT},
	{INIT, RTR, T(RC) | T(XRC_TGT), RDEST, ALT | ACC | PKEY},
	{INIT, RTR, T(UC) | T(XRC_INI), DEST, ALT | ACC | PKEY},
	{INIT, RTR, T(UD), 0, PKEY | QKEY},
	{INIT, RTR, T(RAW), 0, 0},
	{INIT, RTR, T(DCI), IBV_QP_PATH_MTU, PKEY | IBV_QP_AV},
	{INIT, RTR, T(DCT), RNRT | IBV_QP_AV | IBV_QP_PATH_MTU, 0},

	{RTR, RESET, EVERY, 0, 0},
	{RTR, ERR, EVERY, 0, 0},
	{RTR, RTS, T(RC), SEND, CUR | ALT | ACC | RNRT | MIG},
	{RTR, RTS, T(XRC_INI), SEND, CUR | ALT | ACC | MIG},
	{RTR, RTS, T(XRC_TGT), IBV_QP_TIMEOUT | IBV_QP_SQ_PSN, CUR | ALT | ACC | RNRT | MIG},
	{RTR, RTS, T(UC), IBV_QP_SQ_PSN, CUR | ALT | ACC | MIG},
	{RTR, RTS, T(UD), IBV_QP_SQ_PSN, CUR | QKEY},
	{RTR, RTS, T(RAW), 0, RATE},
	{RTR, RTS, T(DCI), SEND, RNRT},

	{RTS, RESET, EVERY, 0, 0},
	{RTS, ERR, EVERY, 0, 0},
	{RTS, RTS, T(RC) | T(XRC_TGT), 0, CUR | ACC | ALT | MIG | RNRT},
	{RTS, RTS, T(UC) | T(XRC_INI), 0, CUR | ACC | ALT | MIG},
	{RTS, RTS, T(UD), 0, CUR | QKEY},
	{RTS, RTS, T(RAW), 0, RATE},
	{RTS, RTS, T(DCI), 0, RNRT},
	{RTS, SQD, VERBS, 0, IBV_QP_EN_SQD_ASYNC_NOTIFY},

	{SQD, RESET, VERBS, 0, 0},
	{SQD, ERR, VERBS, 0, 0},
	{SQD, RTS, T(RC) | T(XRC_TGT), 0, CUR | ALT | ACC | RNRT | MIG},
	{SQD, RTS, T(UC) | T(XRC_INI), 0, CUR | ALT | ACC | MIG},
	{SQD, RTS, T(UD), 0, CUR | QKEY},
	{SQD, SQD, T(RC), 0,
	 SQDX | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC |
		 IBV_QP_MAX_DEST_RD_ATOMIC | RNRT},
	{SQD, SQD, T(XRC_INI), 0,
	 SQDX | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC},
	{SQD, SQD, T(XRC_TGT), 0, SQDX | IBV_QP_TIMEOUT | IBV_QP_MAX_DEST_RD_ATOMIC | RNRT},
	{SQD, SQD, T(UC), 0, SQDX & ~PORT},
	{SQD, SQD, T(UD), 0, PKEY | QKEY},

	{SQE, RESET, T(UC) | T(UD) | T(RAW), 0, 0},
	{SQE, ERR, T(UC) | T(UD) | T(RAW), 0, 0},
	{SQE, RTS, T(UC), 0, CUR | ACC},
	{SQE, RTS, T(UD), 0, CUR | QKEY},

	{ERR, RESET, EVERY, 0, 0},
	{ERR, ERR, EVERY, 0, 0},
};

static const char *const state_names[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};

static const char *state_name(enum ibv_qp_state state)
{
	return (unsigned)state <= ERR ? state_names[state] : "?";
}

static const struct transition *find(enum softhca_qp_type type, enum ibv_qp_state from,
				     enum ibv_qp_state to)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].from == from && table[i].to == to && table[i].types & 1u << type)
			return &table[i];
	return NULL;
}

int softhca_qp_check_transition(const struct softhca_qp *qp, const struct ibv_qp_attr *attr,
				int mask)
{
	enum ibv_qp_state to = mask & IBV_QP_STATE ? attr->qp_state : qp->state;
	const struct transition *t;

	if ((unsigned)to > ERR)
		return softhca_fail(-EINVAL, "QP state %d does not exist", (int)to);
	if (mask & CUR && attr->cur_qp_state != qp->state)
		return softhca_fail(-EINVAL, "QP 0x%x is in %s, not in %s as cur_qp_state says",
				    qp->qpn, state_name(qp->state), state_name(attr->cur_qp_state));
	t = find(qp->type, qp->state, to);
	if (!t)
		return softhca_fail(-EINVAL, "QP 0x%x cannot go from %s to %s", qp->qpn,
				    state_name(qp->state), state_name(to));
	if ((mask & t->need) != t->need)
		return softhca_fail(-EINVAL, "%s to %s: attributes 0x%x are missing",
				    state_name(qp->state), state_name(to),
				    (unsigned)(t->need & ~mask));
	if (mask & ~(t->need | t->may | IBV_QP_STATE))
		return softhca_fail(-EINVAL, "%s to %s: attributes 0x%x are not allowed",
				    state_name(qp->state), state_name(to),
				    (unsigned)(mask & ~(t->need | t->may | IBV_QP_STATE)));
	return 0;
}
