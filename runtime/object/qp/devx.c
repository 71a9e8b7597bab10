/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RC queue pairs that are created by raw commands, for completion queues that are, or in memory of
 * the program's. The kernel's part, from the states' commands to the path, is done here.
 *
 * Source: UCX src/uct/ib/mlx5/dv/ib_mlx5_dv.c (uct_ib_mlx5_devx_create_qp_common()),
 * rc/rc_mlx5_devx.c (uct_rc_mlx5_iface_common_devx_connect_qp()); Linux
 * drivers/infiniband/hw/mlx5/qp.c (mlx5_set_path(), __mlx5_ib_modify_qp()).
 */
#include <errno.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/command.h"
#include "runtime/object/device/pd.h"
#include "runtime/object/qp/cross_channel.h"
#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

/*
 * Logarithm of a number of READs and atomics, rounded up. 0 counts as 1, because the device cannot
 * have none.
 */
static uint8_t log_depth(uint8_t depth)
{
	uint8_t log = 0;

	while (1u << log < depth)
		log++;
	return log;
}

/* Logarithm, rounded down. 0 gives 0. */
static uint8_t log_of(uint32_t n)
{
	return n ? (uint8_t)(31 - __builtin_clz(n)) : 0;
}

int seguei_qp_devx_create(struct segue_qp *qp, struct segue_pd *pd,
			  const struct segue_qp_options *options, uint32_t *number)
{
	struct seguei_cross *cross = qp->cross;
	struct segue_seg_qp_context_in command = {
		.opcode = SEGUE_COMMAND_CREATE_QP,
		.log_rq_size = log_of(cross->rq_entries),
		.log_rq_stride = log_of(cross->rq_stride / SEGUE_WQE_UNIT_SIZE),
		.log_sq_size = log_of(cross->sq_blocks),
		.ts_format = SEGUE_QPC_TS_FORMAT_DEFAULT,
		.uar_page = cross->devx.uar->page_id,
		.user_index = qp->names_indices ? SEGUE_USER_INDEX_NOBODYS : SEGUE_USER_INDEX_NONE,
		.cqn_snd = options->send_cq->cqn,
		.cqn_rcv = options->recv_cq->cqn,
		.rq_type = cross->rq_entries ? SEGUE_QPC_RQ_TYPE_REGULAR : SEGUE_QPC_RQ_TYPE_NONE,
		.dbr_umem_id = cross->devx.umem->umem_id,
		.dbr_addr = seguei_cross_record_at(cross),
		.wq_umem_id = cross->devx.umem->umem_id,
	};
	uint8_t in[SEGUE_SEG_QP_CONTEXT_IN_SIZE];

	if (seguei_pd_number(pd, &command.pd))
		return EOPNOTSUPP;
	segue_seg_qp_context_in_pack(in, &command);
	return -seguei_devx_make(&cross->devx, pd->pd->context, in, sizeof(in), number);
}

/* Sets the rights for READs and atomics only if some are served, as the kernel's driver does. */
static void fill_access(const struct seguei_cross *cross, bool depth,
			struct segue_seg_qp_context_in *command)
{
	command->rwe = (cross->access & IBV_ACCESS_REMOTE_WRITE) != 0;
	command->rre = depth && cross->access & IBV_ACCESS_REMOTE_READ;
	command->rae = depth && cross->access & IBV_ACCESS_REMOTE_ATOMIC;
}

/*
 * Queries the whole path, with the neighbour resolved, from an address vector that libmlx5 makes
 * for datagrams.
 */
static int ask_way(const struct seguei_cross *cross, const struct ibv_qp_attr *attr,
		   struct segue_seg_av_ud *way)
{
	struct ibv_ah_attr ah_attr = attr->ah_attr; /* verbs may change it */
	struct ibv_ah *ah = ibv_create_ah(cross->verbs.pd, &ah_attr);
	struct mlx5dv_ah dv = {0};
	struct mlx5dv_obj obj = {.ah = {.in = ah, .out = &dv}};
	int ret;

	if (!ah)
		return errno ? errno : EIO;
	ret = mlx5dv_init_obj(&obj, MLX5DV_OBJ_AH);
	if (!ret)
		(void)segue_seg_av_ud_unpack(way, dv.av);
	(void)ibv_destroy_ah(ah);
	return ret ? EIO : 0;
}

static void fill_way(const struct segue_seg_av_ud *way, bool roce,
		     struct segue_seg_qp_context_in *command)
{
	command->src_addr_index = way->sgid_index;
	command->stat_rate = way->stat_rate;
	command->hop_limit = way->hop_limit;
	command->tclass = way->tclass;
	command->flow_label = way->flow_label;
	memcpy(command->rgid_rip, way->rgid, sizeof(command->rgid_rip));
	if (roce) {
		memcpy(command->rmac, way->rmac, sizeof(command->rmac));
		command->udp_sport = way->rlid;
		command->dscp = way->tclass >> 2;
		command->eth_prio = way->sl >> 1;
		return;
	}
	command->grh = way->grh;
	command->mlid = way->mlid;
	command->rlid = way->rlid;
	command->sl = way->sl;
}

/* Opens a queue pair on the port and moves it to INIT through the kernel. NULL with errno. */
static struct ibv_qp *open_twin(const struct seguei_cross *cross, struct ibv_cq *cq, uint8_t port)
{
	struct ibv_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 1, .max_send_sge = 1, .max_recv_wr = 1, .max_recv_sge = 1},
	};
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = port};
	struct ibv_qp *qp = ibv_create_qp(cross->verbs.pd, &init);
	int ret;

	if (!qp)
		return NULL;
	/* returns the error number */
	ret = ibv_modify_qp(qp, &attr,
			    IBV_QP_STATE | IBV_QP_PORT | IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS);
	if (!ret)
		return qp;
	(void)ibv_destroy_qp(qp);
	errno = ret;
	return NULL;
}

/*
 * The kernel assigns counter set and bonded port, and reports them to the device only. A temporary
 * queue pair is created through the kernel, and the device is queried for its values. Bonded ports
 * take turns, so this queue pair takes the turn of the temporary one. Source: UCX
 * src/uct/ib/mlx5/dv/ib_mlx5dv_md.c (uct_ib_mlx5_devx_md_get_counter_set_id()); Linux
 * drivers/infiniband/hw/mlx5/qp.c (get_tx_affinity_rr()).
 */
static int ask_kernels_choice(const struct seguei_cross *cross, uint8_t port,
			      struct segue_seg_query_qp_out *choice)
{
	struct ibv_cq *cq = ibv_create_cq(cross->verbs.context, 1, NULL, NULL, 0);
	struct ibv_qp *twin = cq ? open_twin(cross, cq, port) : NULL;
	const int err = twin ? -seguei_command_qp(twin, choice) : errno ? errno : EIO;

	if (twin)
		(void)ibv_destroy_qp(twin);
	if (cq)
		(void)ibv_destroy_cq(cq);
	return err;
}

/* Moves it to another state: 0 or an error number. */
static int modify(struct seguei_cross *cross, const void *in, size_t size)
{
	uint8_t out[SEGUE_SEG_CREATE_OBJECT_OUT_SIZE] = {0}; /* of all these commands */

	return -seguei_command_errno(
		mlx5dv_devx_obj_modify(cross->devx.obj, in, size, out, sizeof(out)));
}

static int step(struct seguei_cross *cross, const struct segue_seg_qp_context_in *command)
{
	uint8_t in[SEGUE_SEG_QP_CONTEXT_IN_SIZE];

	segue_seg_qp_context_in_pack(in, command);
	return modify(cross, in, sizeof(in));
}

/* The same without a context. */
static int step_bare(struct seguei_cross *cross, uint16_t opcode)
{
	uint8_t in[SEGUE_SEG_COMMAND_IN_SIZE];

	seguei_command_pack(in, opcode, 0, cross->verbs.qp_num);
	return modify(cross, in, sizeof(in));
}

static int to_init(struct seguei_cross *cross, const struct ibv_qp_attr *attr)
{
	struct segue_seg_qp_context_in command = {
		.opcode = SEGUE_COMMAND_RST2INIT_QP,
		.qpn = cross->verbs.qp_num,
		.log_ack_req_freq = SEGUE_QPC_ACK_REQ_FREQ_LINUX,
		.pkey_index = attr->pkey_index,
		.vhca_port_num = attr->port_num,
	};
	struct segue_seg_query_qp_out choice;
	const int err = ask_kernels_choice(cross, attr->port_num, &choice);

	if (err)
		return err;
	command.counter_set_id = choice.counter_set_id;
	command.lag_tx_port_affinity = choice.lag_tx_port_affinity;
	cross->access = (uint32_t)attr->qp_access_flags;
	cross->port = attr->port_num;
	fill_access(cross, false, &command);
	return step(cross, &command);
}

static int to_rtr(struct segue_qp *qp, const struct ibv_qp_attr *attr)
{
	struct seguei_cross *cross = qp->cross;
	struct segue_seg_qp_context_in command = {
		.opcode = SEGUE_COMMAND_INIT2RTR_QP,
		.qpn = cross->verbs.qp_num,
		.opt_param_mask = SEGUE_QP_OPTPAR_RRE | SEGUE_QP_OPTPAR_RAE | SEGUE_QP_OPTPAR_RWE,
		.mtu = (uint8_t)attr->path_mtu,
		.remote_qpn = attr->dest_qp_num,
		.vhca_port_num = cross->port,
		.log_ack_req_freq = SEGUE_QPC_ACK_REQ_FREQ_LINUX,
		.log_rra_max = log_depth(attr->max_dest_rd_atomic),
		.atomic_mode = seguei_device_of(&qp->object)->caps.masked_atomics
				       ? SEGUE_QPC_ATOMIC_MODE_UP_TO_8B
				       : SEGUE_QPC_ATOMIC_MODE_IB_SPEC,
		.min_rnr_nak = attr->min_rnr_timer,
		.next_rcv_psn = attr->rq_psn,
	};
	struct segue_seg_av_ud way;
	struct ibv_port_attr port;
	int err = ask_way(cross, attr, &way);

	if (!err)
		err = ibv_query_port(cross->verbs.context, cross->port, &port);
	if (err)
		return err;
	command.log_msg_max = log_of(port.max_msg_sz);
	fill_access(cross, attr->max_dest_rd_atomic, &command);
	fill_way(&way, port.link_layer == IBV_LINK_LAYER_ETHERNET, &command);
	return step(cross, &command);
}

static int to_rts(struct seguei_cross *cross, const struct ibv_qp_attr *attr)
{
	const struct segue_seg_qp_context_in command = {
		.opcode = SEGUE_COMMAND_RTR2RTS_QP,
		.qpn = cross->verbs.qp_num,
		.ack_timeout = attr->timeout,
		.log_ack_req_freq = SEGUE_QPC_ACK_REQ_FREQ_LINUX,
		.log_sra_max = log_depth(attr->max_rd_atomic),
		.retry_count = attr->retry_cnt,
		.rnr_retry = attr->rnr_retry,
		.next_send_psn = attr->sq_psn,
	};

	return step(cross, &command);
}

/* The transitions between states. Changes within a state are not supported. */
int seguei_qp_devx_modify(struct segue_qp *qp, const struct ibv_qp_attr *attr, int mask)
{
	struct seguei_cross *cross = qp->cross;
	const enum ibv_qp_state from = cross->verbs.state, to = attr->qp_state;

	if (!(mask & IBV_QP_STATE) || mask & IBV_QP_ALT_PATH)
		return EOPNOTSUPP;
	if (to == IBV_QPS_RESET)
		return step_bare(cross, SEGUE_COMMAND_TO_RESET_QP);
	if (to == IBV_QPS_ERR)
		return step_bare(cross, SEGUE_COMMAND_TO_ERR_QP);
	if (from == IBV_QPS_RESET && to == IBV_QPS_INIT)
		return to_init(cross, attr);
	if (from == IBV_QPS_INIT && to == IBV_QPS_RTR)
		return to_rtr(qp, attr);
	if (from == IBV_QPS_RTR && to == IBV_QPS_RTS)
		return to_rts(cross, attr);
	return EOPNOTSUPP;
}

int seguei_qp_devx_ask_state(struct seguei_cross *cross, struct ibv_qp_attr *attr)
{
	static const enum ibv_qp_state states[] = {
		[SEGUE_QPC_STATE_RST] = IBV_QPS_RESET,
		[SEGUE_QPC_STATE_INIT] = IBV_QPS_INIT,
		[SEGUE_QPC_STATE_RTR] = IBV_QPS_RTR,
		[SEGUE_QPC_STATE_RTS] = IBV_QPS_RTS,
		[SEGUE_QPC_STATE_SQER] = IBV_QPS_SQE,
		[SEGUE_QPC_STATE_SQ_DRAINED] = IBV_QPS_SQD,
		[SEGUE_QPC_STATE_ERR] = IBV_QPS_ERR,
		[SEGUE_QPC_STATE_SQ_DRAINING] = IBV_QPS_SQD,
	};
	uint8_t in[SEGUE_SEG_COMMAND_IN_SIZE], out[SEGUEI_QP_ANSWER] = {0};
	struct segue_seg_query_qp_out answer;
	int ret;

	seguei_command_pack(in, SEGUE_COMMAND_QUERY_QP, 0, cross->verbs.qp_num);
	ret = seguei_command_result(
		mlx5dv_devx_obj_query(cross->devx.obj, in, sizeof(in), out, sizeof(out)), out);
	if (ret)
		return -ret;
	(void)segue_seg_query_qp_out_unpack(&answer, out);
	if (answer.state >= sizeof(states) / sizeof(states[0]))
		return EIO;
	attr->qp_state = states[answer.state];
	attr->sq_draining = answer.state == SEGUE_QPC_STATE_SQ_DRAINING;
	return 0;
}
