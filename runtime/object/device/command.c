/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Raw DEVX queries: capabilities, queue pair contexts and user indices, which verbs do not report.
 */
#include "runtime/object/device/command.h"

#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

/*
 * Sizes of whole answers, of which the spec describes the beginning. Firmware may refuse less room.
 * Capabilities: a header of 16 bytes, and 4 KiB. DCT: 16, and a context of 64 bytes. SQ: 32, a
 * context of 48 bytes and a work queue of 192. XRC SRQ: 16, a context of 64 bytes, and 192 up to
 * the pages.
 */
#define HCA_CAP_ANSWER (16 + 4096)
#define DCT_ANSWER     (16 + 64)
#define SQ_ANSWER      (32 + 48 + 192)
#define XRC_SRQ_ANSWER (16 + 64 + 192)

int seguei_command_errno(int ret)
{
	if (ret == -1)
		return errno ? -errno : -EIO;
	return ret > 0 ? -ret : ret;
}

int seguei_command_result(int ret, const uint8_t *out)
{
	struct segue_seg_create_object_out answer;

	(void)segue_seg_create_object_out_unpack(&answer, out);
	return ret ? seguei_command_errno(ret) : answer.status ? -EIO : 0;
}

void seguei_command_pack(uint8_t *in, uint16_t opcode, uint16_t op_mod, uint32_t number)
{
	const struct segue_seg_command_in command = {
		.opcode = opcode,
		.op_mod = op_mod,
		.number = number,
	};

	segue_seg_command_in_pack(in, &command);
}

/* Queries one group of capabilities. */
static int query_caps(struct ibv_context *context, uint16_t op_mod, uint8_t out[HCA_CAP_ANSWER])
{
	uint8_t in[SEGUE_SEG_COMMAND_IN_SIZE];

	memset(out, 0, HCA_CAP_ANSWER);
	seguei_command_pack(in, SEGUE_COMMAND_QUERY_HCA_CAP, op_mod, 0);
	return seguei_command_result(
		mlx5dv_devx_general_cmd(context, in, sizeof(in), out, HCA_CAP_ANSWER), out);
}

int seguei_command_general_caps(struct ibv_context *context,
				struct segue_seg_query_hca_cap_out *caps)
{
	uint8_t out[HCA_CAP_ANSWER];
	const int ret = query_caps(context, SEGUE_QUERY_HCA_CAP_OP_MOD_GENERAL_CURRENT, out);

	(void)segue_seg_query_hca_cap_out_unpack(caps, out);
	return ret;
}

int seguei_command_atomic_caps(struct ibv_context *context,
			       struct segue_seg_query_hca_cap_atomic_out *caps)
{
	uint8_t out[HCA_CAP_ANSWER];
	const int ret = query_caps(context, SEGUE_QUERY_HCA_CAP_OP_MOD_ATOMIC_CURRENT, out);

	(void)segue_seg_query_hca_cap_atomic_out_unpack(caps, out);
	return ret;
}

/* Queries a queue pair, or a queue within it. */
static int query_qp(struct ibv_qp *qp, uint16_t command, uint8_t *out, size_t size)
{
	uint8_t in[SEGUE_SEG_COMMAND_IN_SIZE];

	memset(out, 0, size);
	seguei_command_pack(in, command, 0, qp->qp_num);
	return seguei_command_result(mlx5dv_devx_qp_query(qp, in, sizeof(in), out, size), out);
}

int seguei_command_dct_index(struct ibv_qp *dct, uint32_t *user_index)
{
	uint8_t out[DCT_ANSWER];
	struct segue_seg_query_dct_out answer;
	const int ret = query_qp(dct, SEGUE_COMMAND_QUERY_DCT, out, sizeof(out));

	(void)segue_seg_query_dct_out_unpack(&answer, out);
	*user_index = answer.user_index;
	return ret;
}

int seguei_command_qp(struct ibv_qp *qp, struct segue_seg_query_qp_out *answer)
{
	uint8_t out[SEGUEI_QP_ANSWER];
	const int ret = query_qp(qp, SEGUE_COMMAND_QUERY_QP, out, sizeof(out));

	(void)segue_seg_query_qp_out_unpack(answer, out);
	return ret;
}

int seguei_command_sq_index(struct ibv_qp *qp, uint32_t *user_index)
{
	uint8_t out[SQ_ANSWER];
	struct segue_seg_query_sq_out answer;
	const int ret = query_qp(qp, SEGUE_COMMAND_QUERY_SQ, out, sizeof(out));

	(void)segue_seg_query_sq_out_unpack(&answer, out);
	*user_index = answer.user_index;
	return ret;
}

int seguei_command_xrc_srq_index(struct ibv_srq *srq, uint32_t srqn, uint32_t *user_index)
{
	uint8_t in[SEGUE_SEG_COMMAND_IN_SIZE], out[XRC_SRQ_ANSWER];
	struct segue_seg_query_xrc_srq_out answer;
	int ret;

	memset(out, 0, sizeof(out));
	seguei_command_pack(in, SEGUE_COMMAND_QUERY_XRC_SRQ, 0, srqn);
	ret = seguei_command_result(mlx5dv_devx_srq_query(srq, in, sizeof(in), out, sizeof(out)),
				    out);
	(void)segue_seg_query_xrc_srq_out_unpack(&answer, out);
	*user_index = answer.user_index;
	return ret;
}
