/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw modification and query of queue pairs, made by DEVX or by verbs. */
#include <errno.h>
#include <string.h>

#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/devx/devx_util.h"
#include "tools/softhca/uverbs/devx/prm.h"
#include "tools/softhca/uverbs/uverbs.h"

/* opt_param_mask: optional fields of a transition that apply */
#define OPT_RRE		 (1 << 1)
#define OPT_RAE		 (1 << 2)
#define OPT_RWE		 (1 << 3)
#define OPT_ACCESS	 (OPT_RRE | OPT_RAE | OPT_RWE)
#define OPT_LAG		 (1 << 15) /* RTS to RTS */
#define OPT_DRAIN_SIGERR (1 << 11) /* INIT2INIT */

/* The extension after the context, present if bit 0x40 is set */
static const struct prm_field qpc_ext = {0x40, 1};
static const struct prm_field opt_mask_95_32 = {0x840, 64};
#define QPC_EXT 0x880
static const struct prm_field ext_mmo = {0x2, 1};
static const struct prm_field ext_stream = {0x10, 16};
static const struct prm_field ext_group_requester = {0x20, 32};
static const struct prm_field ext_group_responder = {0x40, 32};
#define OPT32_STREAM (1 << 0)
#define OPT32_GROUP  (1 << 1)
#define OPT32_SPORT  (1 << 2)
#define OPT32_MMO    (1 << 3)

static void read_access(const uint8_t *in, struct ibv_qp_attr *a, int *mask)
{
	a->qp_access_flags = softhca_access_of(false, prm_get(in, QPC, QPC_RRE),
					       prm_get(in, QPC, QPC_RWE),
					       prm_get(in, QPC, QPC_RAE));
	*mask |= IBV_QP_ACCESS_FLAGS;
}

/* With force loopback the peer is on the same port. SPDK leaves the other fields empty. */
static void loop_back(struct softhca_dev *dev, struct ibv_ah_attr *ah)
{
	struct softhca_port_attr port;
	unsigned int type;

	if (softhca_port_query(dev, ah->port_num, &port))
		return;
	ah->dlid = port.lid;
	(void)softhca_gid_query(dev, ah->port_num, ah->grh.sgid_index, &ah->grh.dgid, &type);
}

/* INIT sets the port. The field is usually empty afterwards. */
static uint8_t port_of(struct softhca_qp *qp, const uint8_t *in)
{
	const uint8_t port = (uint8_t)prm_get(in, QPC + QPC_ADS, ADS_PORT);
	struct ibv_qp_attr now = {0};

	if (!port)
		softhca_qp_query(qp, &now);
	return port ? port : now.port_num;
}

/* The caller has set the port. */
static void read_path(struct softhca_dev *dev, const uint8_t *in, struct ibv_ah_attr *ah)
{
	unsigned int base = QPC + QPC_ADS;
	struct softhca_port_attr port;

	ah->dlid = (uint16_t)prm_get(in, base, ADS_RLID);
	ah->sl = (uint8_t)prm_get(in, base, ADS_SL);
	ah->src_path_bits = (uint8_t)prm_get(in, base, ADS_MLID);
	ah->is_global = (uint8_t)prm_get(in, base, ADS_GRH);
	/* On Ethernet there is always a GID, whatever the bit is. */
	if (!softhca_port_query(dev, ah->port_num, &port) && port.link == SOFTHCA_LINK_ROCE)
		ah->is_global = 1;
	memcpy(ah->grh.dgid.raw, in + (base + ADS_RGID) / 8, 16);
	ah->grh.sgid_index = (uint8_t)prm_get(in, base, ADS_SRC_ADDR_INDEX);
	ah->grh.hop_limit = (uint8_t)prm_get(in, base, ADS_HOP_LIMIT);
	ah->grh.traffic_class = (uint8_t)prm_get(in, base, ADS_TCLASS);
	ah->grh.flow_label = (uint32_t)prm_get(in, base, ADS_FLOW_LABEL);
	if (prm_get(in, base, ADS_FL))
		loop_back(dev, ah);
}

/* The counters are set on the way to INIT, the acknowledgements by the requester's step, to RTS. */
static void choose(struct softhca_qp *qp, const uint8_t *in)
{
	struct softhca_qp_choice choice = softhca_qp_choice(qp);

	choice.log_ack_req_freq = (uint8_t)prm_get(in, QPC, QPC_LOG_ACK_REQ_FREQ);
	if (prm_get(in, 0, IN_OPCODE) == PRM_RST2INIT_QP)
		choice.counter_set = (uint8_t)prm_get(in, QPC, QPC_COUNTER_SET);
	softhca_qp_choose(qp, choice);
}

static int to_init(struct softhca_qp *qp, const uint8_t *in)
{
	unsigned int base = QPC + QPC_ADS;
	int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT};
	int err;

	a.pkey_index = (uint16_t)prm_get(in, base, ADS_PKEY_INDEX);
	a.port_num = (uint8_t)prm_get(in, base, ADS_PORT);
	switch (softhca_qp_type_of(qp)) {
	case SOFTHCA_QP_UD:
		a.qkey = (uint32_t)prm_get(in, QPC, QPC_QKEY);
		mask |= IBV_QP_QKEY;
		break;
	case SOFTHCA_QP_DCI:
		break;
	default:
		read_access(in, &a, &mask);
	}
	err = softhca_qp_modify(qp, &a, mask);
	if (err)
		return err;
	softhca_qp_begin_on_lag_port(qp, (uint8_t)prm_get(in, QPC, QPC_LAG_PORT));
	choose(qp, in);
	return 0;
}

static int to_rtr(struct softhca_dev *dev, struct softhca_qp *qp, const uint8_t *in)
{
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_RTR};
	int mask = IBV_QP_STATE;

	switch (softhca_qp_type_of(qp)) {
	case SOFTHCA_QP_UD:
		break;
	case SOFTHCA_QP_DCI:
		a.path_mtu = (enum ibv_mtu)prm_get(in, QPC, QPC_MTU);
		mask |= IBV_QP_PATH_MTU;
		break;
	case SOFTHCA_QP_RC:
		a.max_dest_rd_atomic = (uint8_t)(1u << prm_get(in, QPC, QPC_LOG_RRA_MAX));
		a.min_rnr_timer = (uint8_t)prm_get(in, QPC, QPC_MIN_RNR_NAK);
		mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
		/* fallthrough */
		__attribute__((fallthrough));
	default:
		a.path_mtu = (enum ibv_mtu)prm_get(in, QPC, QPC_MTU);
		a.dest_qp_num = (uint32_t)prm_get(in, QPC, QPC_REMOTE_QPN);
		a.rq_psn = (uint32_t)prm_get(in, QPC, QPC_NEXT_RCV_PSN);
		a.ah_attr.port_num = port_of(qp, in);
		read_path(dev, in, &a.ah_attr);
		mask |= IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_AV;
		if (prm_get(in, 0, QP_OPT_MASK) & OPT_ACCESS)
			read_access(in, &a, &mask);
	}
	return softhca_qp_modify(qp, &a, mask);
}

static int to_rts(struct softhca_qp *qp, const uint8_t *in)
{
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_RTS};
	int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
	enum softhca_qp_type type = softhca_qp_type_of(qp);
	int err;

	a.sq_psn = (uint32_t)prm_get(in, QPC, QPC_NEXT_SEND_PSN);
	if (type == SOFTHCA_QP_RC || type == SOFTHCA_QP_DCI) {
		a.timeout = (uint8_t)prm_get(in, QPC + QPC_ADS, ADS_ACK_TIMEOUT);
		a.retry_cnt = (uint8_t)prm_get(in, QPC, QPC_RETRY_COUNT);
		a.rnr_retry = (uint8_t)prm_get(in, QPC, QPC_RNR_RETRY);
		a.max_rd_atomic = (uint8_t)(1u << prm_get(in, QPC, QPC_LOG_SRA_MAX));
		mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			IBV_QP_MAX_QP_RD_ATOMIC;
	}
	err = softhca_qp_modify(qp, &a, mask);
	if (!err)
		choose(qp, in);
	return err;
}

static int plain_state(struct softhca_qp *qp, enum ibv_qp_state state)
{
	struct ibv_qp_attr a = {.qp_state = state};

	return softhca_qp_modify(qp, &a, IBV_QP_STATE);
}

/* Attaches the scheduling element that limits a queue's sending. 0: none. */
static int attach(struct uv_mailbox *mb, struct softhca_qp *qp, struct softhca_dev *dev,
		  uint32_t id)
{
	struct softhca_sched *leaf = id ? softhca_sched_find(dev, id) : NULL;

	if (id && !leaf)
		return uv_prm_fail(mb, PRM_BAD_RES);
	return uv_prm_errno(mb, softhca_qp_set_sched(qp, leaf));
}

/* Requester and responder send through one queue, so the responder's element only has to exist. */
static int attach_both(struct uv_mailbox *mb, struct softhca_qp *qp, struct softhca_dev *dev)
{
	const uint32_t resp = (uint32_t)prm_get(mb->in, QPC_EXT, ext_group_responder);

	if (resp && !softhca_sched_find(dev, resp))
		return uv_prm_fail(mb, PRM_BAD_RES);
	return attach(mb, qp, dev, (uint32_t)prm_get(mb->in, QPC_EXT, ext_group_requester));
}

/* Modifications within a state that change only fields after the classic context. */
static int extension(struct uv_mailbox *mb, struct softhca_qp *qp, struct softhca_dev *dev)
{
	uint64_t mask;

	if (!prm_get(mb->in, 0, qpc_ext))
		return 0;
	if (mb->in_len * 8 < QPC_EXT + 0x60)
		return uv_prm_fail(mb, PRM_BAD_INP_LEN);
	mask = prm_get(mb->in, 0, opt_mask_95_32);
	if (mask & ~(uint64_t)(OPT32_STREAM | OPT32_MMO | OPT32_GROUP))
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	if (mask & OPT32_GROUP)
		return attach_both(mb, qp, dev);
	if (mask & OPT32_STREAM)
		return uv_prm_errno(
			mb, softhca_qp_reset_stream(
				    qp, (unsigned int)prm_get(mb->in, QPC_EXT, ext_stream)));
	if (mask & OPT32_MMO)
		softhca_qp_allow_mmo(qp, prm_get(mb->in, QPC_EXT, ext_mmo));
	return 0;
}

/* RTS to RTS: fields in the classic context, then those after it. */
static int within_rts(struct uv_mailbox *mb, struct softhca_qp *qp, struct softhca_dev *dev)
{
	int err = 0;

	if (prm_get(mb->in, 0, QP_OPT_MASK) & OPT_LAG)
		err = softhca_qp_set_lag_port(qp, (uint8_t)prm_get(mb->in, QPC, QPC_LAG_PORT));
	if (!err && !prm_get(mb->in, 0, qpc_ext) && mb->in_len * 8 >= QPC_EXT &&
	    prm_get(mb->in, 0, opt_mask_95_32) == OPT32_SPORT)
		err = softhca_qp_set_udp_sport(
			qp, (uint16_t)prm_get(mb->in, QPC + QPC_ADS, ADS_UDP_SPORT));
	return err ? uv_prm_errno(mb, err) : extension(mb, qp, dev);
}

/* The two queues of a raw packet queue pair, which have their own numbers on a card. */
static int modify_tis(struct uv_mailbox *mb, struct softhca_qp *qp)
{
	int err = uv_prm_begin(mb, TISC + TISC_BITS, 0x80);

	if (err || !prm_get(mb->in, 0, TIS_MASK_LAG))
		return err;
	return uv_prm_errno(
		mb, softhca_qp_set_lag_port(qp, (uint8_t)prm_get(mb->in, TISC, TISC_LAG_PORT)));
}

int uv_devx_query_tis(struct uv_mailbox *mb, struct softhca_qp *qp)
{
	int err = uv_prm_begin(mb, 0x80, TISC_OUT + TISC_BITS);

	if (!err && softhca_qp_type_of(qp) != SOFTHCA_QP_RAW)
		err = -EINVAL;
	if (!err)
		prm_set(mb->out, TISC_OUT, TISC_LAG_PORT, softhca_qp_lag_port(qp));
	return err;
}

#define SQ_MODIFY_GROUP (1 << 2)

static int modify_sq(struct uv_mailbox *mb, struct softhca_qp *qp, struct softhca_dev *dev)
{
	int err = uv_prm_begin(mb, SQC + SQC_BITS, 0x80);

	if (err || !(prm_get(mb->in, 0, SQ_MODIFY_MASK) & SQ_MODIFY_GROUP))
		return err;
	return attach(mb, qp, dev, (uint32_t)prm_get(mb->in, SQC, SQC_QUEUE_GROUP));
}

static int modify_half(struct uv_mailbox *mb, struct softhca_qp *qp, struct softhca_dev *dev)
{
	if (softhca_qp_type_of(qp) != SOFTHCA_QP_RAW)
		return -EINVAL;
	return prm_get(mb->in, 0, IN_OPCODE) == PRM_MODIFY_TIS ? modify_tis(mb, qp)
							       : modify_sq(mb, qp, dev);
}

int uv_devx_modify_qp(struct uv_obj *obj, struct uv_mailbox *mb, struct softhca_qp *qp)
{
	uint64_t opcode = prm_get(mb->in, 0, IN_OPCODE);
	bool bare = opcode == PRM_2ERR_QP || opcode == PRM_2RST_QP; /* they have no context */
	struct softhca_dev *dev = obj->file->hca->dev;
	int err;

	if (opcode == PRM_MODIFY_TIS || opcode == PRM_MODIFY_SQ)
		return modify_half(mb, qp, dev);
	err = uv_prm_begin(mb, bare ? 0x80 : QPC + QPC_BITS, 0x80);
	if (err)
		return err;
	switch (opcode) {
	case PRM_RST2INIT_QP:
		return uv_prm_errno(mb, to_init(qp, mb->in));
	case PRM_INIT2RTR_QP:
		return uv_prm_errno(mb, to_rtr(dev, qp, mb->in));
	case PRM_RTR2RTS_QP:
		return uv_prm_errno(mb, to_rts(qp, mb->in));
	case PRM_2ERR_QP:
		return uv_prm_errno(mb, plain_state(qp, IBV_QPS_ERR));
	case PRM_2RST_QP:
		return uv_prm_errno(mb, plain_state(qp, IBV_QPS_RESET));
	case PRM_SQERR2RTS_QP:
		return uv_prm_errno(mb, plain_state(qp, IBV_QPS_RTS));
	case PRM_INIT2INIT_QP:
		if (prm_get(mb->in, 0, QP_OPT_MASK) & OPT_DRAIN_SIGERR) {
			err = softhca_qp_drain_sigerr(qp, prm_get(mb->in, QPC, QPC_DRAIN_SIGERR));
			if (err)
				return uv_prm_errno(mb, err);
		}
		return extension(mb, qp, dev);
	case PRM_RTS2RTS_QP:
		return within_rts(mb, qp, dev);
	default:
		return -EINVAL;
	}
}

/* SQD with requests under way */
#define STATE_DRAINING 7

static unsigned int state_code(enum ibv_qp_state s)
{
	static const uint8_t codes[] = {
		[IBV_QPS_INIT] = 1, [IBV_QPS_RTR] = 2, [IBV_QPS_RTS] = 3,
		[IBV_QPS_SQE] = 4,  [IBV_QPS_SQD] = 5, [IBV_QPS_ERR] = 6,
	};

	return s < sizeof(codes) ? codes[s] : 0;
}

static unsigned int log_of(uint32_t n)
{
	return n ? 31 - (unsigned int)__builtin_clz(n) : 0;
}

/* Depths that are not powers of two are rounded up, as in Linux (fls_long() in its qp.c). */
static unsigned int log_up(uint32_t n)
{
	return n > 1 ? log_of(n - 1) + 1 : 0;
}

int uv_devx_query_qp(struct uv_mailbox *mb, struct softhca_qp *qp)
{
	struct ibv_qp_attr a = {0};
	int err = uv_prm_begin(mb, 0x80, QPC + QPC_BITS);

	if (err)
		return err;
	err = softhca_qp_query(qp, &a);
	if (err)
		return uv_prm_errno(mb, err);
	prm_set(mb->out, QPC, QPC_STATE, a.sq_draining ? STATE_DRAINING : state_code(a.qp_state));
	prm_set(mb->out, QPC, QPC_LAG_PORT, softhca_qp_lag_port(qp));
	prm_set(mb->out, QPC + QPC_ADS, ADS_UDP_SPORT, softhca_qp_udp_sport(qp));
	prm_set(mb->out, QPC, QPC_HW_SQ_COUNTER, softhca_qp_sent(qp));
	prm_set(mb->out, QPC, QPC_MTU, a.path_mtu);
	prm_set(mb->out, QPC, QPC_LOG_RQ_SIZE, log_of(a.cap.max_recv_wr));
	prm_set(mb->out, QPC, QPC_REMOTE_QPN, a.dest_qp_num);
	prm_set(mb->out, QPC, QPC_NEXT_SEND_PSN, a.sq_psn);
	prm_set(mb->out, QPC, QPC_NEXT_RCV_PSN, a.rq_psn);
	prm_set(mb->out, QPC, QPC_QKEY, a.qkey);
	prm_set(mb->out, QPC, QPC_MIN_RNR_NAK, a.min_rnr_timer);
	prm_set(mb->out, QPC, QPC_COUNTER_SET, softhca_qp_choice(qp).counter_set);
	prm_set(mb->out, QPC, QPC_LOG_ACK_REQ_FREQ, softhca_qp_choice(qp).log_ack_req_freq);
	prm_set(mb->out, QPC, QPC_LOG_SRA_MAX, log_up(a.max_rd_atomic));
	prm_set(mb->out, QPC, QPC_LOG_RRA_MAX, log_up(a.max_dest_rd_atomic));
	prm_set(mb->out, QPC, QPC_RETRY_COUNT, a.retry_cnt);
	prm_set(mb->out, QPC, QPC_RNR_RETRY, a.rnr_retry);
	prm_set(mb->out, QPC, QPC_RRE, !!(a.qp_access_flags & IBV_ACCESS_REMOTE_READ));
	prm_set(mb->out, QPC, QPC_RWE, !!(a.qp_access_flags & IBV_ACCESS_REMOTE_WRITE));
	prm_set(mb->out, QPC, QPC_RAE, !!(a.qp_access_flags & IBV_ACCESS_REMOTE_ATOMIC));
	prm_set(mb->out, QPC + QPC_ADS, ADS_PKEY_INDEX, a.pkey_index);
	prm_set(mb->out, QPC + QPC_ADS, ADS_ACK_TIMEOUT, a.timeout);
	prm_set(mb->out, QPC + QPC_ADS, ADS_RLID, a.ah_attr.dlid);
	prm_set(mb->out, QPC + QPC_ADS, ADS_SL, a.ah_attr.sl);
	prm_set(mb->out, QPC + QPC_ADS, ADS_MLID, a.ah_attr.src_path_bits);
	prm_set(mb->out, QPC + QPC_ADS, ADS_GRH, a.ah_attr.is_global);
	prm_set(mb->out, QPC + QPC_ADS, ADS_SRC_ADDR_INDEX, a.ah_attr.grh.sgid_index);
	prm_set(mb->out, QPC + QPC_ADS, ADS_HOP_LIMIT, a.ah_attr.grh.hop_limit);
	prm_set(mb->out, QPC + QPC_ADS, ADS_TCLASS, a.ah_attr.grh.traffic_class);
	prm_set(mb->out, QPC + QPC_ADS, ADS_FLOW_LABEL, a.ah_attr.grh.flow_label);
	prm_set(mb->out, QPC + QPC_ADS, ADS_PORT, a.port_num);
	memcpy(mb->out + (QPC + QPC_ADS + ADS_RGID) / 8, a.ah_attr.grh.dgid.raw, 16);
	return 0;
}
