/* SPDX-License-Identifier: BSD-2-Clause */
/* The completion-queue entries of infiniband/mlx5dv.h, filled by its own field names. */
#include "tests/segments/mlx5dv_oracle.h"

namespace
{

/* The second half of every 64-byte entry. */
template <typename T> void FillCqe(Values &r, mlx5_cqe64 *t, T *v, uint8_t opcode, uint8_t format)
{
	v->lro_num_seg = uint8_t(r.Bits(8));
	v->srqn_uidx = uint32_t(r.Bits(24));
	v->imm_inval_pkey = uint32_t(r.Bits(32));
	v->app_info = uint16_t(r.Bits(16));
	v->byte_cnt = uint32_t(r.Bits(32));
	v->timestamp = r.Bits(64);
	v->s_wqe_opcode = r.OneOf(kOpcodes);
	v->qpn = uint32_t(r.Bits(24));
	v->wqe_counter = uint16_t(r.Bits(16));
	v->signature = uint8_t(r.Bits(8));
	v->opcode = opcode;
	v->se = uint8_t(r.Bits(1));
	v->owner = uint8_t(r.Bits(1));
	t->srqn_uidx = htobe32(uint32_t(v->lro_num_seg) << 24 | v->srqn_uidx);
	t->imm_inval_pkey = htobe32(v->imm_inval_pkey);
	t->app = v->app;
	t->app_op = v->app_op;
	t->app_info = htobe16(v->app_info);
	t->byte_cnt = htobe32(v->byte_cnt);
	t->timestamp = htobe64(v->timestamp);
	t->sop_drop_qpn = htobe32(uint32_t(v->s_wqe_opcode) << 24 | v->qpn);
	t->wqe_counter = htobe16(v->wqe_counter);
	t->signature = v->signature;
	t->op_own = uint8_t(opcode << 4 | format << 2 | v->se << 1 | v->owner);
	EXPECT_EQ(v->opcode, mlx5dv_get_cqe_opcode(t));
	EXPECT_EQ(v->se, mlx5dv_get_cqe_se(t));
	EXPECT_EQ(v->owner, mlx5dv_get_cqe_owner(t));
	EXPECT_EQ(format, mlx5dv_get_cqe_format(t));
}

void Cqe64(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_cqe64>(theirs);
	segue_cqe64 v = {};

	v.wqe_id = uint16_t(r.Bits(16));
	v.ml_path = uint8_t(r.Bits(8));
	v.slid = uint16_t(r.Bits(16));
	v.grh = r.OneOf({uint8_t(0), uint8_t(1), uint8_t(2)});
	v.sl = uint8_t(r.Bits(4));
	v.rqpn = uint32_t(r.Bits(24));
	v.hds_ip_ext = uint8_t(r.Bits(5));
	v.l2_ok = uint8_t(r.Bits(1));
	v.l3_ok = uint8_t(r.Bits(1));
	v.l4_ok = uint8_t(r.Bits(1));
	v.ip_frag = uint8_t(r.Bits(1));
	v.l4_hdr_type = r.OneOf({uint8_t(0), uint8_t(1), uint8_t(2), uint8_t(3), uint8_t(4)});
	v.l3_hdr_type = r.OneOf({uint8_t(MLX5_CQE_L3_HDR_TYPE_NONE),
				 uint8_t(MLX5_CQE_L3_HDR_TYPE_IPV6),
				 uint8_t(MLX5_CQE_L3_HDR_TYPE_IPV4)});
	v.ip_ext_opts = uint8_t(r.Bits(1));
	v.vlan_stripped = uint8_t(r.Bits(1));
	v.vlan_info = uint16_t(r.Bits(16));
	v.app = uint8_t(r.Bits(1));
	v.app_op = r.OneOf({uint8_t(0), uint8_t(3), uint8_t(4)});
	v.format = r.OneOf({uint8_t(0), uint8_t(2)});
	t->wqe_id = htobe16(v.wqe_id);
	t->ml_path = v.ml_path;
	t->slid = htobe16(v.slid);
	t->flags_rqpn = htobe32(uint32_t(v.grh) << 28 | uint32_t(v.sl) << 24 | v.rqpn);
	t->hds_ip_ext = uint8_t(v.hds_ip_ext << 3 | (v.l2_ok ? MLX5_CQE_L2_OK : 0) |
				(v.l3_ok ? MLX5_CQE_L3_OK : 0) | (v.l4_ok ? MLX5_CQE_L4_OK : 0));
	t->l4_hdr_type_etc = uint8_t(v.ip_frag << 7 | v.l4_hdr_type << 4 | v.l3_hdr_type << 2 |
				     v.ip_ext_opts << 1 | v.vlan_stripped);
	t->vlan_info = htobe16(v.vlan_info);
	FillCqe(r, t, &v,
		r.OneOf({uint8_t(MLX5_CQE_REQ), uint8_t(MLX5_CQE_RESP_WR_IMM),
			 uint8_t(MLX5_CQE_RESP_SEND), uint8_t(MLX5_CQE_RESP_SEND_IMM),
			 uint8_t(MLX5_CQE_RESP_SEND_INV), uint8_t(MLX5_CQE_RESIZE_CQ),
			 uint8_t(MLX5_CQE_NO_PACKET)}),
		v.format);
	Pack(theirs, ours, v, SEGUE_CQE64_SIZE, CALLS(cqe64));

	segue_cqe64 back;
	memset(&back, kDirt, sizeof(back));
	EXPECT_TRUE(segue_cqe64_unpack(&back, theirs));
	EXPECT_EQ(back.wqe_id, v.wqe_id);
	EXPECT_EQ(back.ml_path, v.ml_path);
	EXPECT_EQ(back.slid, v.slid);
	EXPECT_EQ(back.grh, v.grh);
	EXPECT_EQ(back.sl, v.sl);
	EXPECT_EQ(back.rqpn, v.rqpn);
	EXPECT_EQ(back.l3_hdr_type, v.l3_hdr_type);
	EXPECT_EQ(back.l4_hdr_type, v.l4_hdr_type);
	EXPECT_EQ(back.vlan_info, v.vlan_info);
	EXPECT_EQ(back.srqn_uidx, v.srqn_uidx);
	EXPECT_EQ(back.imm_inval_pkey, v.imm_inval_pkey);
	EXPECT_EQ(back.app_op, v.app_op);
	EXPECT_EQ(back.app_info, v.app_info);
	EXPECT_EQ(back.byte_cnt, v.byte_cnt);
	EXPECT_EQ(back.timestamp, v.timestamp);
	EXPECT_EQ(back.s_wqe_opcode, v.s_wqe_opcode);
	EXPECT_EQ(back.qpn, v.qpn);
	EXPECT_EQ(back.wqe_counter, v.wqe_counter);
	EXPECT_EQ(back.opcode, v.opcode);
	EXPECT_EQ(back.format, v.format);
	EXPECT_EQ(back.se, v.se);
	EXPECT_EQ(back.owner, v.owner);
}

/* Payload lies over the first fields. */
void CqeInline32(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_cqe64>(theirs);
	segue_cqe_inline32 v = {};

	r.Fill(v.data, sizeof(v.data));
	memcpy(theirs, v.data, offsetof(mlx5_cqe64, srqn_uidx));
	FillCqe(r, t, &v, MLX5_CQE_REQ, MLX5_INLINE_SCATTER_32 >> 2);
	Pack(theirs, ours, v, SEGUE_CQE_INLINE32_SIZE, CALLS(cqe_inline32));
}

void TmCqe(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_cqe64>(theirs);
	segue_tm_cqe v = {};

	v.success = uint8_t(r.Bits(1));
	v.hw_phase_cnt = uint16_t(r.Bits(16));
	v.app = SEGUE_CQE_APP_TAG_MATCHING;
	v.app_op = r.OneOf({uint8_t(5), uint8_t(6), uint8_t(7)});
	t->tm_cqe.success = v.success ? htobe32(MLX5_TMC_SUCCESS) : 0;
	t->tm_cqe.hw_phase_cnt = htobe16(v.hw_phase_cnt);
	FillCqe(r, t, &v, MLX5_CQE_NO_PACKET, 0);
	Pack(theirs, ours, v, SEGUE_TM_CQE_SIZE, CALLS(tm_cqe));
}

void TmMatchCqe(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_cqe64>(theirs);
	segue_tm_match_cqe v = {};

	t->tmh.opcode = IBV_TMH_EAGER;
	t->tmh.app_ctx = htobe32(uint32_t(r.Bits(32)));
	t->tmh.tag = htobe64(r.Bits(64));
	memcpy(v.tmh, &t->tmh, sizeof(v.tmh));
	v.app = SEGUE_CQE_APP_TAG_MATCHING;
	v.app_op = r.OneOf(
		{uint8_t(1), uint8_t(2), uint8_t(9), uint8_t(10), uint8_t(11), uint8_t(12)});
	v.format = r.OneOf({uint8_t(0), uint8_t(2)});
	FillCqe(r, t, &v, MLX5_CQE_RESP_SEND, v.format);
	Pack(theirs, ours, v, SEGUE_TM_MATCH_CQE_SIZE, CALLS(tm_match_cqe));
}

void ErrCqe(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_err_cqe>(theirs);
	segue_err_cqe v = {};

	v.srqn_uidx = uint32_t(r.Bits(24));
	v.vendor_err_synd = uint8_t(r.Bits(8));
	v.syndrome = r.OneOf(
		{uint8_t(MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR),
		 uint8_t(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR),
		 uint8_t(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR), uint8_t(MLX5_CQE_SYNDROME_WR_FLUSH_ERR),
		 uint8_t(MLX5_CQE_SYNDROME_MW_BIND_ERR), uint8_t(MLX5_CQE_SYNDROME_BAD_RESP_ERR),
		 uint8_t(MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR),
		 uint8_t(MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR),
		 uint8_t(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR),
		 uint8_t(MLX5_CQE_SYNDROME_REMOTE_OP_ERR),
		 uint8_t(MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR),
		 uint8_t(MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR),
		 uint8_t(MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR)});
	v.s_wqe_opcode = r.OneOf(kOpcodes);
	v.qpn = uint32_t(r.Bits(24));
	v.wqe_counter = uint16_t(r.Bits(16));
	v.signature = uint8_t(r.Bits(8));
	v.opcode = r.OneOf({uint8_t(MLX5_CQE_REQ_ERR), uint8_t(MLX5_CQE_RESP_ERR)});
	v.se = uint8_t(r.Bits(1));
	v.owner = uint8_t(r.Bits(1));
	t->srqn = htobe32(v.srqn_uidx);
	t->vendor_err_synd = v.vendor_err_synd;
	t->syndrome = v.syndrome;
	t->s_wqe_opcode_qpn = htobe32(uint32_t(v.s_wqe_opcode) << 24 | v.qpn);
	t->wqe_counter = htobe16(v.wqe_counter);
	t->signature = v.signature;
	t->op_own = uint8_t(v.opcode << 4 | v.se << 1 | v.owner);
	Pack(theirs, ours, v, SEGUE_ERR_CQE_SIZE, CALLS(err_cqe));
}

} // namespace

std::vector<Case> CqeCases()
{
	return {
		{"mlx5_cqe64", "cqe64", sizeof(mlx5_cqe64), Cqe64},
		{"mlx5_cqe64", "cqe_inline32", sizeof(mlx5_cqe64), CqeInline32},
		{"mlx5_tm_cqe", "tm_cqe", sizeof(mlx5_cqe64), TmCqe},
		{"mlx5_cqe64", "tm_match_cqe", sizeof(mlx5_cqe64), TmMatchCqe},
		{"mlx5_err_cqe", "err_cqe", sizeof(mlx5_err_cqe), ErrCqe},
	};
}
