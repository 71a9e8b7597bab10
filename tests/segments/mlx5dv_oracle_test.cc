/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every work-queue and completion-queue struct that infiniband/mlx5dv.h declares is filled by its
 * own field names, and compared byte by byte with what the generated packers write over dirty
 * memory. The offsets on one side come from the header alone, on the other from the spec alone.
 */
#include <endian.h>
#include <gtest/gtest.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/tm_types.h>

#include <fstream>
#include <iostream>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"
#include "segue/gen/segments.h"
#include "tests/segments/bytes_test.h"

namespace
{

const int kRounds = 2000;
const uint8_t kDirt = 0xAA;

/* Where field values come from. Each value uses all the bits it is given. */
class Values
{
      public:
	virtual ~Values() = default;

	uint64_t Bits(unsigned int width)
	{
		return Next() >> (64 - width);
	}

	/* At least 1. */
	uint64_t Nonzero(unsigned int width)
	{
		const uint64_t value = Bits(width);

		return value ? value : 1;
	}

	template <typename T> T OneOf(std::initializer_list<T> choices)
	{
		return choices.begin()[Next() % choices.size()];
	}

	/* Any combination of the given bits. */
	uint64_t SomeOf(uint64_t mask)
	{
		return Next() & mask;
	}

	void Fill(void *dst, size_t len)
	{
		for (size_t i = 0; i < len; i++)
			static_cast<uint8_t *>(dst)[i] = uint8_t(Bits(8));
	}

      protected:
	virtual uint64_t Next() = 0;
};

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

const auto kOpcodes = {
	uint8_t(MLX5_OPCODE_NOP),
	uint8_t(MLX5_OPCODE_SEND_INVAL),
	uint8_t(MLX5_OPCODE_RDMA_WRITE),
	uint8_t(MLX5_OPCODE_RDMA_WRITE_IMM),
	uint8_t(MLX5_OPCODE_SEND),
	uint8_t(MLX5_OPCODE_SEND_IMM),
	uint8_t(MLX5_OPCODE_TSO),
	uint8_t(MLX5_OPCODE_RDMA_READ),
	uint8_t(MLX5_OPCODE_ATOMIC_CS),
	uint8_t(MLX5_OPCODE_ATOMIC_FA),
	uint8_t(MLX5_OPCODE_ATOMIC_MASKED_CS),
	uint8_t(MLX5_OPCODE_ATOMIC_MASKED_FA),
	uint8_t(MLX5_OPCODE_FMR),
	uint8_t(MLX5_OPCODE_LOCAL_INVAL),
	uint8_t(MLX5_OPCODE_CONFIG_CMD),
	uint8_t(MLX5_OPCODE_SET_PSV),
	uint8_t(MLX5_OPCODE_UMR),
	uint8_t(MLX5_OPCODE_TAG_MATCHING),
	uint8_t(MLX5_OPCODE_FLOW_TBL_ACCESS),
	uint8_t(MLX5_OPCODE_MMO),
};

/*
 * One struct of mlx5dv.h. fill() writes the same values twice: `theirs` comes zeroed and is filled
 * through the header's struct, `ours` comes dirty and is filled by the generated packer. size is
 * what both must agree on.
 */
struct Case {
	const char *theirs;
	const char *ours;
	size_t size;
	void (*fill)(Values &values, uint8_t *theirs, uint8_t *ours);
};

void PrintTo(const Case &c, std::ostream *os)
{
	*os << c.ours << " against struct " << c.theirs;
}

/* The generated functions of one segment or CQE format, as arguments. */
#define CALLS(name) segue_##name##_check, segue_##name##_pack, segue_##name##_unpack

/* Packs v over `ours`, and sends what the header's struct holds through unpack and pack. */
template <typename T>
void Pack(const uint8_t *theirs, uint8_t *ours, const T &v, size_t size,
	  int (*check)(const T *, const char **), void (*pack)(void *, const T *),
	  bool (*unpack)(T *, const void *))
{
	std::vector<uint8_t> again(size, kDirt);
	const char *field = "";
	T back;

	EXPECT_EQ(0, check(&v, &field)) << field;
	pack(ours, &v);
	memset(&back, kDirt, sizeof(back));
	EXPECT_TRUE(unpack(&back, theirs)) << "unpack reports a reserved bit or a constant";
	pack(again.data(), &back);
	EXPECT_EQ(Hex(again), Hex(theirs, size)) << "unpacked and packed again";
}

template <typename T> T *As(uint8_t *bytes)
{
	return reinterpret_cast<T *>(bytes);
}

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
	segue_cqe_cqe64 v = {};

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
	Pack(theirs, ours, v, SEGUE_CQE_CQE64_SIZE, CALLS(cqe_cqe64));

	segue_cqe_cqe64 back;
	memset(&back, kDirt, sizeof(back));
	EXPECT_TRUE(segue_cqe_cqe64_unpack(&back, theirs));
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
	segue_cqe_cqe_inline32 v = {};

	r.Fill(v.data, sizeof(v.data));
	memcpy(theirs, v.data, offsetof(mlx5_cqe64, srqn_uidx));
	FillCqe(r, t, &v, MLX5_CQE_REQ, MLX5_INLINE_SCATTER_32 >> 2);
	Pack(theirs, ours, v, SEGUE_CQE_CQE_INLINE32_SIZE, CALLS(cqe_cqe_inline32));
}

void TmCqe(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_cqe64>(theirs);
	segue_cqe_tm_cqe v = {};

	v.success = uint8_t(r.Bits(1));
	v.hw_phase_cnt = uint16_t(r.Bits(16));
	v.app = SEGUE_CQE_APP_TAG_MATCHING;
	v.app_op = r.OneOf({uint8_t(5), uint8_t(6), uint8_t(7)});
	t->tm_cqe.success = v.success ? htobe32(MLX5_TMC_SUCCESS) : 0;
	t->tm_cqe.hw_phase_cnt = htobe16(v.hw_phase_cnt);
	FillCqe(r, t, &v, MLX5_CQE_NO_PACKET, 0);
	Pack(theirs, ours, v, SEGUE_CQE_TM_CQE_SIZE, CALLS(cqe_tm_cqe));
}

void TmMatchCqe(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_cqe64>(theirs);
	segue_cqe_tm_match_cqe v = {};

	t->tmh.opcode = IBV_TMH_EAGER;
	t->tmh.app_ctx = htobe32(uint32_t(r.Bits(32)));
	t->tmh.tag = htobe64(r.Bits(64));
	memcpy(v.tmh, &t->tmh, sizeof(v.tmh));
	v.app = SEGUE_CQE_APP_TAG_MATCHING;
	v.app_op = r.OneOf(
		{uint8_t(1), uint8_t(2), uint8_t(9), uint8_t(10), uint8_t(11), uint8_t(12)});
	v.format = r.OneOf({uint8_t(0), uint8_t(2)});
	FillCqe(r, t, &v, MLX5_CQE_RESP_SEND, v.format);
	Pack(theirs, ours, v, SEGUE_CQE_TM_MATCH_CQE_SIZE, CALLS(cqe_tm_match_cqe));
}

void ErrCqe(Values &r, uint8_t *theirs, uint8_t *ours)
{
	auto *t = As<mlx5_err_cqe>(theirs);
	segue_cqe_err_cqe v = {};

	v.srqn = uint32_t(r.Bits(24));
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
	t->srqn = htobe32(v.srqn);
	t->vendor_err_synd = v.vendor_err_synd;
	t->syndrome = v.syndrome;
	t->s_wqe_opcode_qpn = htobe32(uint32_t(v.s_wqe_opcode) << 24 | v.qpn);
	t->wqe_counter = htobe16(v.wqe_counter);
	t->signature = v.signature;
	t->op_own = uint8_t(v.opcode << 4 | v.se << 1 | v.owner);
	Pack(theirs, ours, v, SEGUE_CQE_ERR_CQE_SIZE, CALLS(cqe_err_cqe));
}

const Case kCases[] = {
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
	{"mlx5_cqe64", "cqe64", sizeof(mlx5_cqe64), Cqe64},
	{"mlx5_cqe64", "cqe_inline32", sizeof(mlx5_cqe64), CqeInline32},
	{"mlx5_tm_cqe", "tm_cqe", sizeof(mlx5_cqe64), TmCqe},
	{"mlx5_cqe64", "tm_match_cqe", sizeof(mlx5_cqe64), TmMatchCqe},
	{"mlx5_err_cqe", "err_cqe", sizeof(mlx5_err_cqe), ErrCqe},
	{"ibv_tmh", "tmh", sizeof(ibv_tmh), Tmh},
	{"ibv_rvh", "rvh", sizeof(ibv_rvh), Rvh},
};

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

uint64_t Seed()
{
	const char *given = getenv("SEGUE_TEST_SEED");

	return given ? strtoull(given, nullptr, 0) : std::random_device()();
}

TEST_P(Mlx5dvOracle, RandomValues)
{
	const uint64_t seed = Seed();
	Random values(seed);

	std::cout << "seed " << seed << " (repeat with SEGUE_TEST_SEED=" << seed << ")\n";
	for (int round = 0; round < kRounds && !HasFailure(); round++) {
		SCOPED_TRACE("round " + std::to_string(round));
		Compare(values);
	}
}

INSTANTIATE_TEST_SUITE_P(All, Mlx5dvOracle, testing::ValuesIn(kCases),
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

	if (!header)
		GTEST_SKIP() << "infiniband/mlx5dv.h is not under /usr/include";
	while (std::getline(header, line)) {
		if (std::regex_match(line, match, declaration))
			declared.insert(match[2]);
	}
	for (const Case &c : kCases)
		covered.insert(c.theirs);
	EXPECT_GE(declared.size(), 20u) << "the header was not understood";
	for (const std::string &name : declared)
		EXPECT_EQ(1u, covered.count(name))
			<< "struct " << name << " of mlx5dv.h is compared with nothing";
}

/* EXPECT_EQ on enums of different headers. */
#define SAME(theirs, ours) EXPECT_EQ(uint64_t(theirs), uint64_t(ours)) << #ours

/* Members of enums that mlx5dv.h names too have its values. */
TEST(Mlx5dvHeader, Opcodes)
{
	SAME(MLX5_OPCODE_NOP, SEGUE_OPCODE_NOP);
	SAME(MLX5_OPCODE_SEND_INVAL, SEGUE_OPCODE_SEND_INVAL);
	SAME(MLX5_OPCODE_RDMA_WRITE, SEGUE_OPCODE_RDMA_WRITE);
	SAME(MLX5_OPCODE_RDMA_WRITE_IMM, SEGUE_OPCODE_RDMA_WRITE_IMM);
	SAME(MLX5_OPCODE_SEND, SEGUE_OPCODE_SEND);
	SAME(MLX5_OPCODE_SEND_IMM, SEGUE_OPCODE_SEND_IMM);
	SAME(MLX5_OPCODE_TSO, SEGUE_OPCODE_TSO);
	SAME(MLX5_OPCODE_RDMA_READ, SEGUE_OPCODE_RDMA_READ);
	SAME(MLX5_OPCODE_ATOMIC_CS, SEGUE_OPCODE_ATOMIC_CS);
	SAME(MLX5_OPCODE_ATOMIC_FA, SEGUE_OPCODE_ATOMIC_FA);
	SAME(MLX5_OPCODE_ATOMIC_MASKED_CS, SEGUE_OPCODE_ATOMIC_MASKED_CS);
	SAME(MLX5_OPCODE_ATOMIC_MASKED_FA, SEGUE_OPCODE_ATOMIC_MASKED_FA);
	SAME(MLX5_OPCODE_FMR, SEGUE_OPCODE_FMR);
	SAME(MLX5_OPCODE_LOCAL_INVAL, SEGUE_OPCODE_LOCAL_INVAL);
	SAME(MLX5_OPCODE_CONFIG_CMD, SEGUE_OPCODE_CONFIG_CMD);
	SAME(MLX5_OPCODE_SET_PSV, SEGUE_OPCODE_SET_PSV);
	SAME(MLX5_OPCODE_UMR, SEGUE_OPCODE_UMR);
	SAME(MLX5_OPCODE_TAG_MATCHING, SEGUE_OPCODE_TAG_MATCHING);
	SAME(MLX5_OPCODE_FLOW_TBL_ACCESS, SEGUE_OPCODE_FLOW_TBL_ACCESS);
	SAME(MLX5_OPCODE_MMO, SEGUE_OPCODE_MMO);
}

TEST(Mlx5dvHeader, PostingConstants)
{
	SAME(MLX5_WQE_CTRL_CQ_UPDATE, SEGUE_SIGNALED);
	SAME(MLX5_WQE_CTRL_SOLICITED, SEGUE_SOLICITED);
	SAME(MLX5_WQE_CTRL_FENCE, SEGUE_FENCE);
	SAME(MLX5_WQE_CTRL_INITIATOR_SMALL_FENCE, SEGUE_INITIATOR_SMALL_FENCE);
	SAME(MLX5_SEND_WQE_BB, SEGUE_WQE_BLOCK_SIZE);
	SAME(MLX5_SEND_WQE_SHIFT, SEGUE_WQE_BLOCK_SHIFT);
	SAME(MLX5_INVALID_LKEY, SEGUE_LKEY_INVALID);
	SAME(MLX5_RCV_DBR, SEGUE_DBREC_RCV);
	SAME(MLX5_SND_DBR, SEGUE_DBREC_SND);
	SAME(MLX5_CQ_DOORBELL, SEGUE_UAR_CQ_DOORBELL);
	SAME(MLX5_CQ_DB_REQ_NOT_SOL, SEGUE_CQ_ARM_CMD_SOLICITED << 24);
	SAME(MLX5_CQ_DB_REQ_NOT, SEGUE_CQ_ARM_CMD_ANY << 24);
	SAME(MLX5_ETH_WQE_L3_CSUM, SEGUE_ETH_CS_FLAG_L3_CSUM);
	SAME(MLX5_ETH_WQE_L4_CSUM, SEGUE_ETH_CS_FLAG_L4_CSUM);
}

TEST(Mlx5dvHeader, CqeConstants)
{
	SAME(MLX5_CQE_OWNER_MASK, SEGUE_CQE_OP_OWN_OWNER_MASK);
	SAME(MLX5_INLINE_SCATTER_32, SEGUE_CQE_OP_OWN_INLINE_SCATTER_32);
	SAME(MLX5_INLINE_SCATTER_64, SEGUE_CQE_OP_OWN_INLINE_SCATTER_64);
	SAME(MLX5_CQE_REQ, SEGUE_CQE_OPCODE_REQ);
	SAME(MLX5_CQE_RESP_WR_IMM, SEGUE_CQE_OPCODE_RESP_WR_IMM);
	SAME(MLX5_CQE_RESP_SEND, SEGUE_CQE_OPCODE_RESP_SEND);
	SAME(MLX5_CQE_RESP_SEND_IMM, SEGUE_CQE_OPCODE_RESP_SEND_IMM);
	SAME(MLX5_CQE_RESP_SEND_INV, SEGUE_CQE_OPCODE_RESP_SEND_INV);
	SAME(MLX5_CQE_RESIZE_CQ, SEGUE_CQE_OPCODE_RESIZE_CQ);
	SAME(MLX5_CQE_NO_PACKET, SEGUE_CQE_OPCODE_NO_PACKET);
	SAME(MLX5_CQE_SIG_ERR, SEGUE_CQE_OPCODE_SIG_ERR);
	SAME(MLX5_CQE_REQ_ERR, SEGUE_CQE_OPCODE_REQ_ERR);
	SAME(MLX5_CQE_RESP_ERR, SEGUE_CQE_OPCODE_RESP_ERR);
	SAME(MLX5_CQE_INVALID, SEGUE_CQE_OPCODE_INVALID);
	SAME(MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR, SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR);
	SAME(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR);
	SAME(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR);
	SAME(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, SEGUE_CQE_SYNDROME_WR_FLUSH_ERR);
	SAME(MLX5_CQE_SYNDROME_MW_BIND_ERR, SEGUE_CQE_SYNDROME_MW_BIND_ERR);
	SAME(MLX5_CQE_SYNDROME_BAD_RESP_ERR, SEGUE_CQE_SYNDROME_BAD_RESP_ERR);
	SAME(MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR, SEGUE_CQE_SYNDROME_LOCAL_ACCESS_ERR);
	SAME(MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR);
	SAME(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR);
	SAME(MLX5_CQE_SYNDROME_REMOTE_OP_ERR, SEGUE_CQE_SYNDROME_REMOTE_OP_ERR);
	SAME(MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR);
	SAME(MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR, SEGUE_CQE_SYNDROME_RNR_RETRY_EXC_ERR);
	SAME(MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR, SEGUE_CQE_SYNDROME_REMOTE_ABORTED_ERR);
	SAME(MLX5_CQE_VENDOR_SYNDROME_ODP_PFAULT, SEGUE_VENDOR_SYNDROME_ODP_PFAULT);
	SAME(MLX5_CQE_L3_HDR_TYPE_NONE, SEGUE_CQE_L3_HDR_TYPE_NONE);
	SAME(MLX5_CQE_L3_HDR_TYPE_IPV6, SEGUE_CQE_L3_HDR_TYPE_IPV6);
	SAME(MLX5_CQE_L3_HDR_TYPE_IPV4, SEGUE_CQE_L3_HDR_TYPE_IPV4);
	SAME(MLX5DV_CQE_RES_FORMAT_HASH, SEGUE_CQE_COMP_RES_FORMAT_HASH);
	SAME(MLX5DV_CQE_RES_FORMAT_CSUM, SEGUE_CQE_COMP_RES_FORMAT_CSUM);
	SAME(MLX5DV_CQE_RES_FORMAT_CSUM_STRIDX, SEGUE_CQE_COMP_RES_FORMAT_CSUM_STRIDX);
	SAME(IBV_TMH_NO_TAG, SEGUE_TMH_OPCODE_NO_TAG);
	SAME(IBV_TMH_RNDV, SEGUE_TMH_OPCODE_RNDV);
	SAME(IBV_TMH_FIN, SEGUE_TMH_OPCODE_FIN);
	SAME(IBV_TMH_EAGER, SEGUE_TMH_OPCODE_EAGER);
}

TEST(Mlx5dvHeader, MemoryKeyConstants)
{
	SAME(MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE, SEGUE_UMR_CHECK_FREE << 5);
	SAME(MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN, SEGUE_MKEY_MASK_LEN);
	SAME(MLX5_WQE_UMR_CTRL_MKEY_MASK_START_ADDR, SEGUE_MKEY_MASK_START_ADDR);
	SAME(MLX5_WQE_UMR_CTRL_MKEY_MASK_SIG_ERR, SEGUE_MKEY_MASK_SIG_ERR);
	SAME(MLX5_WQE_UMR_CTRL_MKEY_MASK_BSF_ENABLE, SEGUE_MKEY_MASK_BSF_ENABLE);
	SAME(MLX5_WQE_UMR_CTRL_MKEY_MASK_MKEY, SEGUE_MKEY_MASK_MKEY);
	SAME(MLX5_WQE_UMR_CTRL_MKEY_MASK_QPN, SEGUE_MKEY_MASK_QPN);
	SAME(MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_LOCAL_WRITE, SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE);
	SAME(MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_READ, SEGUE_MKEY_MASK_ACCESS_REMOTE_READ);
	SAME(MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_WRITE, SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE);
	SAME(MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_ATOMIC, SEGUE_MKEY_MASK_ACCESS_ATOMIC);
	SAME(MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE, SEGUE_MKEY_MASK_FREE);
	SAME(MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_ATOMIC, SEGUE_MKEY_ACCESS_ATOMIC);
	SAME(MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_WRITE, SEGUE_MKEY_ACCESS_REMOTE_WRITE);
	SAME(MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_READ, SEGUE_MKEY_ACCESS_REMOTE_READ);
	SAME(MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_LOCAL_WRITE, SEGUE_MKEY_ACCESS_LOCAL_WRITE);
	SAME(MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_LOCAL_READ, SEGUE_MKEY_ACCESS_LOCAL_READ);
	SAME(MLX5DV_SIG_MASK_T10DIF_GUARD, SEGUE_SIG_MASK_T10DIF_GUARD);
	SAME(MLX5DV_SIG_MASK_T10DIF_APPTAG, SEGUE_SIG_MASK_T10DIF_APPTAG);
	SAME(MLX5DV_SIG_MASK_T10DIF_REFTAG, SEGUE_SIG_MASK_T10DIF_REFTAG);
	SAME(MLX5DV_SIG_MASK_CRC32, SEGUE_SIG_MASK_CRC32);
	SAME(MLX5DV_SIG_MASK_CRC64_XP10, SEGUE_SIG_MASK_CRC64_XP10);
}

/* The same for libibverbs' queue-pair states, attributes and access flags. */
TEST(VerbsHeader, Constants)
{
	SAME(IBV_QPS_RESET, SEGUE_QP_STATE_RESET);
	SAME(IBV_QPS_INIT, SEGUE_QP_STATE_INIT);
	SAME(IBV_QPS_RTR, SEGUE_QP_STATE_RTR);
	SAME(IBV_QPS_RTS, SEGUE_QP_STATE_RTS);
	SAME(IBV_QPS_SQD, SEGUE_QP_STATE_SQD);
	SAME(IBV_QPS_SQE, SEGUE_QP_STATE_SQE);
	SAME(IBV_QPS_ERR, SEGUE_QP_STATE_ERR);
	SAME(IBV_QP_STATE, SEGUE_QP_ATTR_STATE);
	SAME(IBV_QP_CUR_STATE, SEGUE_QP_ATTR_CUR_STATE);
	SAME(IBV_QP_EN_SQD_ASYNC_NOTIFY, SEGUE_QP_ATTR_EN_SQD_ASYNC_NOTIFY);
	SAME(IBV_QP_ACCESS_FLAGS, SEGUE_QP_ATTR_ACCESS_FLAGS);
	SAME(IBV_QP_PKEY_INDEX, SEGUE_QP_ATTR_PKEY_INDEX);
	SAME(IBV_QP_PORT, SEGUE_QP_ATTR_PORT);
	SAME(IBV_QP_QKEY, SEGUE_QP_ATTR_QKEY);
	SAME(IBV_QP_AV, SEGUE_QP_ATTR_AV);
	SAME(IBV_QP_PATH_MTU, SEGUE_QP_ATTR_PATH_MTU);
	SAME(IBV_QP_TIMEOUT, SEGUE_QP_ATTR_TIMEOUT);
	SAME(IBV_QP_RETRY_CNT, SEGUE_QP_ATTR_RETRY_CNT);
	SAME(IBV_QP_RNR_RETRY, SEGUE_QP_ATTR_RNR_RETRY);
	SAME(IBV_QP_RQ_PSN, SEGUE_QP_ATTR_RQ_PSN);
	SAME(IBV_QP_MAX_QP_RD_ATOMIC, SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC);
	SAME(IBV_QP_ALT_PATH, SEGUE_QP_ATTR_ALT_PATH);
	SAME(IBV_QP_MIN_RNR_TIMER, SEGUE_QP_ATTR_MIN_RNR_TIMER);
	SAME(IBV_QP_SQ_PSN, SEGUE_QP_ATTR_SQ_PSN);
	SAME(IBV_QP_MAX_DEST_RD_ATOMIC, SEGUE_QP_ATTR_MAX_DEST_RD_ATOMIC);
	SAME(IBV_QP_PATH_MIG_STATE, SEGUE_QP_ATTR_PATH_MIG_STATE);
	SAME(IBV_QP_CAP, SEGUE_QP_ATTR_CAP);
	SAME(IBV_QP_DEST_QPN, SEGUE_QP_ATTR_DEST_QPN);
	SAME(IBV_QP_RATE_LIMIT, SEGUE_QP_ATTR_RATE_LIMIT);
	SAME(IBV_ACCESS_LOCAL_WRITE, SEGUE_ACCESS_FLAGS_LOCAL_WRITE);
	SAME(IBV_ACCESS_REMOTE_WRITE, SEGUE_ACCESS_FLAGS_REMOTE_WRITE);
	SAME(IBV_ACCESS_REMOTE_READ, SEGUE_ACCESS_FLAGS_REMOTE_READ);
	SAME(IBV_ACCESS_REMOTE_ATOMIC, SEGUE_ACCESS_FLAGS_REMOTE_ATOMIC);
	SAME(IBV_ACCESS_MW_BIND, SEGUE_ACCESS_FLAGS_MW_BIND);
	SAME(IBV_ACCESS_ZERO_BASED, SEGUE_ACCESS_FLAGS_ZERO_BASED);
	SAME(IBV_ACCESS_ON_DEMAND, SEGUE_ACCESS_FLAGS_ON_DEMAND);
	SAME(IBV_ACCESS_HUGETLB, SEGUE_ACCESS_FLAGS_HUGETLB);
	SAME(IBV_ACCESS_RELAXED_ORDERING, SEGUE_ACCESS_FLAGS_RELAXED_ORDERING);
}

} // namespace
