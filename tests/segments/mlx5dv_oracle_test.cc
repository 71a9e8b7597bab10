/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every work-queue and completion-queue struct that infiniband/mlx5dv.h declares is filled by its
 * own field names, and compared byte by byte with what the generated packers write over dirty
 * memory. The offsets on one side come from the header alone, on the other from the spec alone.
 */
#include <fstream>
#include <iostream>
#include <random>
#include <regex>
#include <set>
#include <string>

#include "tests/seed/seed.h"
#include "tests/segments/mlx5dv_oracle.h"

void PrintTo(const Case &c, std::ostream *os)
{
	*os << c.ours << " against struct " << c.theirs;
}

namespace
{

const int kRounds = 2000;

/* Neighbouring values differ in every byte, so a swapped or shifted field shows. */
class Distinct : public Values
{
	uint64_t Next() override
	{
		uint64_t value = 0;

		for (int i = 0; i < 8; i++)
			value = value << 8 | (byte_ += 0x3b);
		return value;
	}

	uint8_t byte_ = 0x80;
};

class Random : public Values
{
      public:
	explicit Random(uint64_t seed) : engine_(seed)
	{
	}

      private:
	uint64_t Next() override
	{
		/* Now and then all zeros or all ones: the edges of every field. */
		switch (engine_() % 8) {
		case 0:
			return 0;
		case 1:
			return UINT64_MAX;
		default:
			return engine_();
		}
	}

	std::mt19937_64 engine_;
};

void Ctrl(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_ctrl_seg>(theirs);
	segue_seg_ctrl v = {};

	v.opmod = uint8_t(r.Bits(8));
	v.wqe_index = uint16_t(r.Bits(16));
	v.opcode = r.OneOf(kOpcodes);
	v.qpn = uint32_t(r.Bits(24));
	v.ds = uint8_t(r.Nonzero(6));
	v.signature = uint8_t(r.Bits(8));
	v.dci_stream_channel_id = uint16_t(r.Bits(16));
	v.fm = r.OneOf({uint8_t(0), uint8_t(1), uint8_t(2), uint8_t(3), uint8_t(4)});
	v.ce = uint8_t(r.Bits(2));
	v.se = uint8_t(r.Bits(1));
	v.imm = uint32_t(r.Bits(32));
	t->opmod_idx_opcode = htobe32(uint32_t(v.opmod) << 24 | uint32_t(v.wqe_index) << 8 |
				      v.opcode);
	t->qpn_ds = htobe32(v.qpn << 8 | v.ds);
	t->signature = v.signature;
	t->dci_stream_channel_id = htobe16(v.dci_stream_channel_id);
	t->fm_ce_se = uint8_t(v.fm << 5 | v.ce << 2 | v.se << 1);
	t->imm = htobe32(v.imm);
	Pack(theirs, ours, v, SEGUE_SEG_CTRL_SIZE, CALLS(seg_ctrl));
}

/* The same through mlx5dv's own function, with the flags it names. */
void CtrlBySetter(Values &r, uint8_t *theirs, uint8_t *ours)
{
	segue_seg_ctrl v = {};
	uint8_t fm_ce_se = 0;

	v.opmod = uint8_t(r.Bits(8));
	v.wqe_index = uint16_t(r.Bits(16));
	v.opcode = r.OneOf(kOpcodes);
	v.qpn = uint32_t(r.Bits(24));
	v.ds = uint8_t(r.Nonzero(6));
	v.signature = uint8_t(r.Bits(8));
	v.imm = uint32_t(r.Bits(32));
	switch (r.Bits(2)) {
	case 1:
		v.fm = SEGUE_FENCE_SMALL_AND_FENCE;
		fm_ce_se |= MLX5_WQE_CTRL_FENCE;
		break;
	case 2:
		v.fm = SEGUE_FENCE_INITIATOR_SMALL;
		fm_ce_se |= MLX5_WQE_CTRL_INITIATOR_SMALL_FENCE;
		break;
	default:
		break;
	}
	if (r.Bits(1)) {
		v.ce = SEGUE_COMPLETION_MODE_ALWAYS;
		fm_ce_se |= MLX5_WQE_CTRL_CQ_UPDATE;
	}
	if (r.Bits(1)) {
		v.se = 1;
		fm_ce_se |= MLX5_WQE_CTRL_SOLICITED;
	}
	mlx5dv_set_ctrl_seg(As<mlx5_wqe_ctrl_seg>(theirs), v.wqe_index, v.opcode, v.opmod, v.qpn,
			    fm_ce_se, v.ds, v.signature, htobe32(v.imm));
	Pack(theirs, ours, v, SEGUE_SEG_CTRL_SIZE, CALLS(seg_ctrl));
}

template <typename T> void FillPath(Values &r, mlx5_wqe_av *t, T *v)
{
	v->dqp_dct = uint32_t(r.Bits(24));
	v->stat_rate = uint8_t(r.Bits(4));
	v->sl = uint8_t(r.Bits(4));
	v->fl = uint8_t(r.Bits(1));
	v->mlid = uint8_t(r.Bits(7));
	v->rlid = uint16_t(r.Bits(16));
	r.Fill(v->rmac, sizeof(v->rmac));
	v->tclass = uint8_t(r.Bits(8));
	v->hop_limit = uint8_t(r.Bits(8));
	v->grh = uint8_t(r.Bits(1));
	v->sgid_index = uint8_t(r.Bits(8));
	v->flow_label = uint32_t(r.Bits(20));
	r.Fill(v->rgid, sizeof(v->rgid));
	t->dqp_dct = htobe32(v->dqp_dct | MLX5_EXTENDED_UD_AV);
	t->stat_rate_sl = uint8_t(v->stat_rate << 4 | v->sl);
	t->fl_mlid = uint8_t(v->fl << 7 | v->mlid);
	t->rlid = htobe16(v->rlid);
	memcpy(t->rmac, v->rmac, sizeof(t->rmac));
	t->tclass = v->tclass;
	t->hop_limit = v->hop_limit;
	t->grh_gid_fl = htobe32(uint32_t(v->grh) << 30 | uint32_t(v->sgid_index) << 20 |
				v->flow_label);
	memcpy(t->rgid, v->rgid, sizeof(t->rgid));
}

void AvUd(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_av>(theirs);
	segue_seg_av_ud v = {};

	v.qkey = uint32_t(r.Bits(32));
	t->key.qkey.qkey = htobe32(v.qkey);
	FillPath(r, t, &v);
	Pack(theirs, ours, v, SEGUE_SEG_AV_UD_SIZE, CALLS(seg_av_ud));
}

void AvDc(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = &As<mlx5_wqe_datagram_seg>(theirs)->av;
	segue_seg_av_dc v = {};

	v.dc_key = r.Bits(64);
	t->key.dc_key = htobe64(v.dc_key);
	FillPath(r, t, &v);
	Pack(theirs, ours, v, SEGUE_SEG_AV_DC_SIZE, CALLS(seg_av_dc));
}

/* mlx5dv.h declares no short vector; it is the full one up to its first reserved bytes. */
const size_t kShortAv = offsetof(mlx5_wqe_av, reserved0);

template <typename T> void FillShortPath(Values &r, mlx5_wqe_av *t, T *v)
{
	v->dqp_dct = uint32_t(r.Bits(24));
	v->stat_rate = uint8_t(r.Bits(4));
	v->sl = uint8_t(r.Bits(4));
	v->fl = uint8_t(r.Bits(1));
	v->mlid = uint8_t(r.Bits(7));
	v->rlid = uint16_t(r.Bits(16));
	t->dqp_dct = htobe32(v->dqp_dct);
	t->stat_rate_sl = uint8_t(v->stat_rate << 4 | v->sl);
	t->fl_mlid = uint8_t(v->fl << 7 | v->mlid);
	t->rlid = htobe16(v->rlid);
}

void AvUdCompact(Values &r, uint8_t *theirs, uint8_t *ours)
{
	mlx5_wqe_av t = {};
	segue_seg_av_ud_compact v = {};

	v.qkey = uint32_t(r.Bits(32));
	t.key.qkey.qkey = htobe32(v.qkey);
	FillShortPath(r, &t, &v);
	memcpy(theirs, &t, kShortAv);
	Pack(theirs, ours, v, SEGUE_SEG_AV_UD_COMPACT_SIZE, CALLS(seg_av_ud_compact));
}

void AvDcCompact(Values &r, uint8_t *theirs, uint8_t *ours)
{
	mlx5_wqe_av t = {};
	segue_seg_av_dc_compact v = {};

	v.dc_key = r.Bits(64);
	t.key.dc_key = htobe64(v.dc_key);
	FillShortPath(r, &t, &v);
	memcpy(theirs, &t, kShortAv);
	Pack(theirs, ours, v, SEGUE_SEG_AV_DC_COMPACT_SIZE, CALLS(seg_av_dc_compact));
}

void Raddr(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_raddr_seg>(theirs);
	segue_seg_raddr v = {};

	v.remote_addr = r.Bits(64);
	v.rkey = uint32_t(r.Bits(32));
	t->raddr = htobe64(v.remote_addr);
	t->rkey = htobe32(v.rkey);
	Pack(theirs, ours, v, SEGUE_SEG_RADDR_SIZE, CALLS(seg_raddr));
}

void Atomic(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_atomic_seg>(theirs);
	segue_seg_atomic v = {};

	v.swap_add = r.Bits(64);
	v.compare = r.Bits(64);
	t->swap_add = htobe64(v.swap_add);
	t->compare = htobe64(v.compare);
	Pack(theirs, ours, v, SEGUE_SEG_ATOMIC_SIZE, CALLS(seg_atomic));
}

void AtomicAdd(Values &r, uint8_t *theirs, uint8_t *ours)
{
	segue_seg_atomic_add v = {};

	v.swap_add = r.Bits(64);
	As<mlx5_wqe_atomic_seg>(theirs)->swap_add = htobe64(v.swap_add);
	Pack(theirs, ours, v, SEGUE_SEG_ATOMIC_ADD_SIZE, CALLS(seg_atomic_add));
}

uint32_t Lkey(Values &r)
{
	const uint32_t lkey = uint32_t(r.Bits(32));

	return lkey == MLX5_INVALID_LKEY ? lkey + 1 : lkey;
}

void Data(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_data_seg>(theirs);
	segue_seg_data v = {};

	v.byte_count = uint32_t(r.Nonzero(31));
	v.lkey = Lkey(r);
	v.addr = r.Bits(64);
	t->byte_count = htobe32(v.byte_count);
	t->lkey = htobe32(v.lkey);
	t->addr = htobe64(v.addr);
	Pack(theirs, ours, v, SEGUE_SEG_DATA_SIZE, CALLS(seg_data));
}

void DataBySetter(Values &r, uint8_t *theirs, uint8_t *ours)
{
	segue_seg_data v = {};

	v.byte_count = uint32_t(r.Nonzero(31));
	v.lkey = Lkey(r);
	v.addr = r.Bits(64);
	mlx5dv_set_data_seg(As<mlx5_wqe_data_seg>(theirs), v.byte_count, v.lkey, uintptr_t(v.addr));
	Pack(theirs, ours, v, SEGUE_SEG_DATA_SIZE, CALLS(seg_data));
}

void DataEnd(Values &, uint8_t *theirs, uint8_t *ours)
{
	segue_seg_data_end v = {};

	As<mlx5_wqe_data_seg>(theirs)->lkey = htobe32(MLX5_INVALID_LKEY);
	Pack(theirs, ours, v, SEGUE_SEG_DATA_END_SIZE, CALLS(seg_data_end));
}

void MmoData(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_data_seg>(theirs);
	segue_seg_mmo_data v = {};

	v.byte_count = r.Bits(3) ? uint32_t(r.Nonzero(31)) : UINT32_C(0x80000000);
	v.lkey = uint32_t(r.Bits(32));
	v.addr = r.Bits(64);
	t->byte_count = htobe32(v.byte_count == UINT32_C(0x80000000) ? 0 : v.byte_count);
	t->lkey = htobe32(v.lkey);
	t->addr = htobe64(v.addr);
	Pack(theirs, ours, v, SEGUE_SEG_MMO_DATA_SIZE, CALLS(seg_mmo_data));
}

void InlineData(Values &r, uint8_t *theirs, uint8_t *ours)
{
	segue_seg_inline_data v = {};

	v.byte_count = uint16_t(r.Nonzero(10));
	/* The struct is in host order; libmlx5 stores htobe32(). */
	As<mlx5_wqe_inl_data_seg>(theirs)->byte_count = htobe32(v.byte_count | MLX5_INLINE_SEG);
	Pack(theirs, ours, v, SEGUE_SEG_INLINE_DATA_SIZE, CALLS(seg_inline_data));
}

void Eth(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_eth_seg>(theirs);
	uint8_t header[sizeof(t->inline_hdr_start) + sizeof(t->inline_hdr)];
	const char *field = "";
	segue_seg_eth v = {}, back;

	r.Fill(header, sizeof(header));
	v.cs_flags = uint8_t(r.SomeOf(MLX5_ETH_WQE_L3_CSUM | MLX5_ETH_WQE_L4_CSUM));
	v.mss = uint16_t(r.Bits(16));
	v.inline_hdr_sz = sizeof(header);
	t->cs_flags = v.cs_flags;
	t->mss = htobe16(v.mss);
	t->inline_hdr_sz = htobe16(v.inline_hdr_sz);
	memcpy(t->inline_hdr_start, header, sizeof(t->inline_hdr_start));
	memcpy(t->inline_hdr, header + sizeof(t->inline_hdr_start), sizeof(t->inline_hdr));
	EXPECT_EQ(0, segue_seg_eth_check(&v, &field)) << field;
	EXPECT_EQ(sizeof(*t), segue_seg_eth_bytes(sizeof(header)));
	segue_seg_eth_pack(ours, &v);
	memcpy(ours + SEGUE_SEG_ETH_TAIL, header, sizeof(header));
	EXPECT_TRUE(segue_seg_eth_unpack(&back, theirs)) << "headers taken for reserved bits";
	EXPECT_EQ(back.inline_hdr_sz, v.inline_hdr_sz);
	EXPECT_EQ(back.mss, v.mss);
	EXPECT_EQ(back.cs_flags, v.cs_flags);
}

void Tm(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_tm_seg>(theirs);
	segue_seg_tm v = {};

	v.opcode = r.OneOf({uint8_t(0), uint8_t(1), uint8_t(2)});
	v.flags = uint8_t(r.SomeOf(0x80 | 0x40));
	v.index = uint16_t(r.Bits(16));
	v.sw_cnt = uint16_t(r.Bits(16));
	v.append_tag = r.Bits(64);
	v.append_mask = r.Bits(64);
	t->opcode = uint8_t(v.opcode << 4);
	t->flags = v.flags;
	t->index = htobe16(v.index);
	t->sw_cnt = htobe16(v.sw_cnt);
	t->append_tag = htobe64(v.append_tag);
	t->append_mask = htobe64(v.append_mask);
	Pack(theirs, ours, v, SEGUE_SEG_TM_SIZE, CALLS(seg_tm));
}

const uint64_t kMkeyMask = MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN |
			   MLX5_WQE_UMR_CTRL_MKEY_MASK_START_ADDR |
			   MLX5_WQE_UMR_CTRL_MKEY_MASK_SIG_ERR |
			   MLX5_WQE_UMR_CTRL_MKEY_MASK_BSF_ENABLE |
			   MLX5_WQE_UMR_CTRL_MKEY_MASK_MKEY | MLX5_WQE_UMR_CTRL_MKEY_MASK_QPN |
			   MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_LOCAL_WRITE |
			   MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_READ |
			   MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_WRITE |
			   MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_ATOMIC |
			   MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE;

/* `offset`: the union's other name for the same two bytes. */
void UmrCtrlWith(Values &r, uint8_t *theirs, uint8_t *ours, bool offset)
{
	auto *t = As<mlx5_wqe_umr_ctrl_seg>(theirs);
	segue_seg_umr_ctrl v = {};

	v.is_inline = uint8_t(r.Bits(1));
	v.check_free = uint8_t(r.Bits(1));
	v.translation_offset_en = offset;
	v.check_qpn = uint8_t(r.Bits(1));
	v.klm_octowords = uint16_t(r.Bits(16));
	v.bsf_octowords = uint16_t(r.Bits(16));
	v.mkey_mask = r.SomeOf(kMkeyMask);
	t->flags = uint8_t((v.is_inline ? MLX5_WQE_UMR_CTRL_FLAG_INLINE : 0) |
			   (v.check_free ? MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE : 0) |
			   (offset ? MLX5_WQE_UMR_CTRL_FLAG_TRNSLATION_OFFSET : 0) |
			   (v.check_qpn ? MLX5_WQE_UMR_CTRL_FLAG_CHECK_QPN : 0));
	t->klm_octowords = htobe16(v.klm_octowords);
	if (offset)
		t->translation_offset = htobe16(v.bsf_octowords);
	else
		t->bsf_octowords = htobe16(v.bsf_octowords);
	t->mkey_mask = htobe64(v.mkey_mask);
	Pack(theirs, ours, v, SEGUE_SEG_UMR_CTRL_SIZE, CALLS(seg_umr_ctrl));
}

void UmrCtrl(Values &r, uint8_t *theirs, uint8_t *ours)
{
	UmrCtrlWith(r, theirs, ours, false);
}

void UmrCtrlOffset(Values &r, uint8_t *theirs, uint8_t *ours)
{
	UmrCtrlWith(r, theirs, ours, true);
}

void MkeyContext(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_mkey_context_seg>(theirs);
	segue_seg_mkey_context v = {};

	v.free = uint8_t(r.Bits(1));
	v.access_flags = uint8_t(r.SomeOf(MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_ATOMIC |
					  MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_WRITE |
					  MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_READ |
					  MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_LOCAL_WRITE |
					  MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_LOCAL_READ));
	v.sf = uint8_t(r.Bits(8));
	v.qpn = uint32_t(r.Bits(24));
	v.mkey_7_0 = uint8_t(r.Bits(8));
	v.pd = uint32_t(r.Bits(24));
	v.start_addr = r.Bits(64);
	v.len = r.Bits(64);
	v.bsf_octword_size = uint32_t(r.Bits(32));
	v.translations_octword_size = uint32_t(r.Bits(32));
	v.log_page_size = uint8_t(r.Bits(6));
	t->free = v.free ? MLX5_WQE_MKEY_CONTEXT_FREE : 0;
	t->access_flags = v.access_flags;
	t->sf = v.sf;
	t->qpn_mkey = htobe32(v.qpn << 8 | v.mkey_7_0);
	t->flags_pd = htobe32(v.pd);
	t->start_addr = htobe64(v.start_addr);
	t->len = htobe64(v.len);
	t->bsf_octword_size = htobe32(v.bsf_octword_size);
	t->translations_octword_size = htobe32(v.translations_octword_size);
	t->log_page_size = v.log_page_size;
	Pack(theirs, ours, v, SEGUE_SEG_MKEY_CONTEXT_SIZE, CALLS(seg_mkey_context));
}

void Klm(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = &As<mlx5_wqe_umr_inline_seg>(theirs)->klm;
	segue_seg_klm v = {};

	v.byte_count = r.Bits(3) ? uint32_t(r.Bits(31)) : UINT32_C(0x80000000);
	v.mkey = uint32_t(r.Bits(32));
	v.mkey += v.mkey == 0x400; /* would read as a repeat block */
	v.address = r.Bits(64);
	t->byte_count = htobe32(v.byte_count);
	t->mkey = htobe32(v.mkey);
	t->address = htobe64(v.address);
	Pack(theirs, ours, v, SEGUE_SEG_KLM_SIZE, CALLS(seg_klm));
}

void RepeatBlock(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_umr_repeat_block_seg>(theirs);
	segue_seg_repeat_block v = {};

	v.byte_count = uint32_t(r.Bits(32));
	v.repeat_count = uint32_t(r.Bits(32));
	v.num_ent = uint16_t(r.Bits(16));
	t->byte_count = htobe32(v.byte_count);
	t->op = htobe32(0x400);
	t->repeat_count = htobe32(v.repeat_count);
	t->num_ent = htobe16(v.num_ent);
	Pack(theirs, ours, v, SEGUE_SEG_REPEAT_BLOCK_SIZE, CALLS(seg_repeat_block));
}

void RepeatEnt(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_umr_repeat_ent_seg>(theirs);
	segue_seg_repeat_ent v = {};

	v.stride = uint16_t(r.Bits(16));
	v.byte_count = uint16_t(r.Bits(16));
	v.memkey = uint32_t(r.Bits(32));
	v.va = r.Bits(64);
	t->stride = htobe16(v.stride);
	t->byte_count = htobe16(v.byte_count);
	t->memkey = htobe32(v.memkey);
	t->va = htobe64(v.va);
	Pack(theirs, ours, v, SEGUE_SEG_REPEAT_ENT_SIZE, CALLS(seg_repeat_ent));
}

void SrqNext(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_wqe_srq_next_seg>(theirs);
	segue_seg_srq_next v = {};

	v.next_wqe_index = uint16_t(r.Bits(16));
	v.signature = uint8_t(r.Bits(8));
	t->next_wqe_index = htobe16(v.next_wqe_index);
	t->signature = v.signature;
	Pack(theirs, ours, v, SEGUE_SEG_SRQ_NEXT_SIZE, CALLS(seg_srq_next));
}

/* A striding receive WQE is two segments in a row. */
void MprqWqe(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_mprq_wqe>(theirs);

	SrqNext(r, As<uint8_t>(reinterpret_cast<uint8_t *>(&t->nseg)), ours);
	Data(r, As<uint8_t>(reinterpret_cast<uint8_t *>(&t->dseg)), ours + SEGUE_SEG_SRQ_NEXT_SIZE);
}

void Tmh(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<ibv_tmh>(theirs);
	segue_seg_tmh v = {};

	v.opcode = r.OneOf({uint8_t(IBV_TMH_NO_TAG), uint8_t(IBV_TMH_RNDV), uint8_t(IBV_TMH_FIN),
			    uint8_t(IBV_TMH_EAGER)});
	v.app_ctx = uint32_t(r.Bits(32));
	v.tag = r.Bits(64);
	t->opcode = v.opcode;
	t->app_ctx = htobe32(v.app_ctx);
	t->tag = htobe64(v.tag);
	Pack(theirs, ours, v, SEGUE_SEG_TMH_SIZE, CALLS(seg_tmh));
}

void Rvh(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<ibv_rvh>(theirs);
	segue_seg_rvh v = {};

	v.va = r.Bits(64);
	v.rkey = uint32_t(r.Bits(32));
	v.len = uint32_t(r.Bits(32));
	t->va = htobe64(v.va);
	t->rkey = htobe32(v.rkey);
	t->len = htobe32(v.len);
	Pack(theirs, ours, v, SEGUE_SEG_RVH_SIZE, CALLS(seg_rvh));
}

const Case kQueueCases[] = {
	{"mlx5_wqe_ctrl_seg", "ctrl", sizeof(mlx5_wqe_ctrl_seg), Ctrl},
	{"mlx5_wqe_ctrl_seg", "ctrl_by_setter", sizeof(mlx5_wqe_ctrl_seg), CtrlBySetter},
	{"mlx5_wqe_av", "av_ud", sizeof(mlx5_wqe_av), AvUd},
	{"mlx5_wqe_datagram_seg", "av_dc", sizeof(mlx5_wqe_datagram_seg), AvDc},
	{"mlx5_wqe_av", "av_ud_compact", kShortAv, AvUdCompact},
	{"mlx5_wqe_av", "av_dc_compact", kShortAv, AvDcCompact},
	{"mlx5_wqe_raddr_seg", "raddr", sizeof(mlx5_wqe_raddr_seg), Raddr},
	{"mlx5_wqe_atomic_seg", "atomic", sizeof(mlx5_wqe_atomic_seg), Atomic},
	{"mlx5_wqe_atomic_seg", "atomic_add", sizeof(mlx5_wqe_atomic_seg), AtomicAdd},
	{"mlx5_wqe_data_seg", "data", sizeof(mlx5_wqe_data_seg), Data},
	{"mlx5_wqe_data_seg", "data_by_setter", sizeof(mlx5_wqe_data_seg), DataBySetter},
	{"mlx5_wqe_data_seg", "data_end", sizeof(mlx5_wqe_data_seg), DataEnd},
	{"mlx5_wqe_data_seg", "mmo_data", sizeof(mlx5_wqe_data_seg), MmoData},
	{"mlx5_wqe_inl_data_seg", "inline_data", sizeof(mlx5_wqe_inl_data_seg), InlineData},
	{"mlx5_wqe_eth_seg", "eth", sizeof(mlx5_wqe_eth_seg), Eth},
	{"mlx5_wqe_tm_seg", "tm", sizeof(mlx5_wqe_tm_seg), Tm},
	{"mlx5_wqe_umr_ctrl_seg", "umr_ctrl", sizeof(mlx5_wqe_umr_ctrl_seg), UmrCtrl},
	{"mlx5_wqe_umr_ctrl_seg", "umr_ctrl_offset", sizeof(mlx5_wqe_umr_ctrl_seg), UmrCtrlOffset},
	{"mlx5_wqe_mkey_context_seg", "mkey_context", sizeof(mlx5_wqe_mkey_context_seg),
	 MkeyContext},
	{"mlx5_wqe_umr_klm_seg", "klm", sizeof(mlx5_wqe_umr_klm_seg), Klm},
	{"mlx5_wqe_umr_inline_seg", "klm_in_union", sizeof(mlx5_wqe_umr_inline_seg), Klm},
	{"mlx5_wqe_umr_repeat_block_seg", "repeat_block", sizeof(mlx5_wqe_umr_repeat_block_seg),
	 RepeatBlock},
	{"mlx5_wqe_umr_repeat_ent_seg", "repeat_ent", sizeof(mlx5_wqe_umr_repeat_ent_seg),
	 RepeatEnt},
	{"mlx5_wqe_srq_next_seg", "srq_next", sizeof(mlx5_wqe_srq_next_seg), SrqNext},
	{"mlx5_mprq_wqe", "mprq_wqe", sizeof(mlx5_mprq_wqe), MprqWqe},
	{"ibv_tmh", "tmh", sizeof(ibv_tmh), Tmh},
	{"ibv_rvh", "rvh", sizeof(ibv_rvh), Rvh},
};

std::vector<Case> AllCases()
{
	std::vector<Case> all(std::begin(kQueueCases), std::end(kQueueCases));

	for (const Case &c : CqeCases())
		all.push_back(c);
	return all;
}

class Mlx5dvOracle : public testing::TestWithParam<Case>
{
      protected:
	void Compare(Values &values)
	{
		const Case &c = GetParam();
		/* Room for structs that need alignment, and a margin that must stay dirty. */
		std::vector<uint8_t> theirs(c.size + 64, 0), ours(c.size + 64, kDirt);

		c.fill(values, theirs.data(), ours.data());
		EXPECT_EQ(Hex(ours.data(), c.size), Hex(theirs.data(), c.size))
			<< "struct " << c.theirs;
		for (size_t i = c.size; i < ours.size(); i++)
			ASSERT_EQ(kDirt, ours[i])
				<< "byte " << i << " behind the segment was written";
	}
};

TEST_P(Mlx5dvOracle, DistinctValues)
{
	Distinct values;

	Compare(values);
}

TEST_P(Mlx5dvOracle, RandomValues)
{
	Random values(segue_test_seed());

	for (int round = 0; round < kRounds && !HasFailure(); round++) {
		SCOPED_TRACE("round " + std::to_string(round));
		Compare(values);
	}
}

INSTANTIATE_TEST_SUITE_P(All, Mlx5dvOracle, testing::ValuesIn(AllCases()),
			 [](const testing::TestParamInfo<Case> &info) {
				 return std::string(info.param.ours);
			 });

/* The table above leaves out no struct of the header that describes queue memory. */
TEST(Mlx5dvHeader, EveryStructHasACase)
{
	std::ifstream header("/usr/include/infiniband/mlx5dv.h");
	const std::regex declaration("^(struct|union) (mlx5_[a-z0-9_]+) \\{.*");
	std::set<std::string> declared, covered;
	std::smatch match;
	std::string line;

	ASSERT_TRUE(header) << "infiniband/mlx5dv.h is not under /usr/include";
	while (std::getline(header, line)) {
		if (std::regex_match(line, match, declaration))
			declared.insert(match[2]);
	}
	for (const Case &c : AllCases())
		covered.insert(c.theirs);
	EXPECT_GE(declared.size(), 20u) << "the header was not understood";
	for (const std::string &name : declared)
		EXPECT_EQ(1u, covered.count(name))
			<< "struct " << name << " of mlx5dv.h is compared with nothing";
}
} // namespace
