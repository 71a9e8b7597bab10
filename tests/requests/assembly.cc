// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/assembly.h"

#include <infiniband/mlx5dv.h>
#include <string.h>

#include "segue/gen/enums.h"

namespace requests {
namespace {

struct Opcode {
	const char *request;
	uint8_t opcode;
};

constexpr Opcode OPCODES[] = {
	{"nop", MLX5_OPCODE_NOP},
	{"send", MLX5_OPCODE_SEND},
	{"send_imm", MLX5_OPCODE_SEND_IMM},
	{"send_inv", MLX5_OPCODE_SEND_INVAL},
	{"rdma_write", MLX5_OPCODE_RDMA_WRITE},
	{"rdma_write_imm", MLX5_OPCODE_RDMA_WRITE_IMM},
	{"rdma_read", MLX5_OPCODE_RDMA_READ},
	{"atomic_cs", MLX5_OPCODE_ATOMIC_CS},
	{"atomic_fa", MLX5_OPCODE_ATOMIC_FA},
	{"bind_mw", MLX5_OPCODE_UMR},
	{"bind_mw_type1", MLX5_OPCODE_UMR},
	{"unbind_mw_type1", MLX5_OPCODE_UMR},
	{"local_inv", MLX5_OPCODE_UMR},
	{"umr_pointer", MLX5_OPCODE_UMR},
	{"tso", MLX5_OPCODE_TSO},
};

// Values of one segment, in the order of the request.
struct Values {
	const Posted &posted;
	const char *segment;
	size_t nth;

	uint64_t operator()(const char *field) const { return posted.value(segment, field, nth); }
};

using Bytes = std::vector<uint8_t>;

template <class S> void append(Bytes *out, const S &segment, size_t size = sizeof(S))
{
	const uint8_t *const bytes = reinterpret_cast<const uint8_t *>(&segment);

	out->insert(out->end(), bytes, bytes + size);
}

void append_payload(const Posted &posted, const char *segment, size_t pad, Bytes *out)
{
	size_t length;
	const uint8_t *const payload = posted.payload(segment, &length);

	out->insert(out->end(), payload, payload + length);
	out->resize((out->size() + pad - 1) / pad * pad);
}

void ctrl(const Values &v, Bytes *out)
{
	mlx5_wqe_ctrl_seg seg = {};
	uint8_t flags = 0, opcode = 0;

	for (const Opcode &o : OPCODES)
		if (v.posted.request == o.request)
			opcode = o.opcode;
	flags |= v("ce") == SEGUE_COMPLETION_MODE_ALWAYS ? MLX5_WQE_CTRL_CQ_UPDATE : 0;
	flags |= v("se") ? MLX5_WQE_CTRL_SOLICITED : 0;
	flags |= v("fm") == SEGUE_FENCE_INITIATOR_SMALL ? MLX5_WQE_CTRL_INITIATOR_SMALL_FENCE : 0;
	mlx5dv_set_ctrl_seg(&seg, (uint16_t)v("wqe_index"), opcode, 0, (uint32_t)v("qpn"), flags,
			    (uint8_t)(v.posted.bytes.size() / 16), 0, htobe32((uint32_t)v("imm")));
	append(out, seg);
}

// The first third, without the mark that more follows; the path is that of libmlx5's own address
// handle.
void short_address(const Values &v, uint64_t key, Bytes *out)
{
	mlx5_wqe_datagram_seg seg = {};
	mlx5dv_ah ah = {};
	mlx5dv_obj object = {};
	uint8_t nothing[16] = {};

	object.ah.in = v.posted.to;
	object.ah.out = &ah;
	if (mlx5dv_init_obj(&object, MLX5DV_OBJ_AH))
		return;
	mlx5dv_set_dgram_seg(&seg, key, (uint32_t)v("dqp_dct"), 0, ah.av->stat_rate_sl,
			     ah.av->fl_mlid, be16toh(ah.av->rlid), nothing, 0, 0, 0, nothing);
	append(out, seg, offsetof(mlx5_wqe_av, reserved0));
}

void data(const Values &v, Bytes *out)
{
	mlx5_wqe_data_seg seg = {};

	mlx5dv_set_data_seg(&seg, (uint32_t)v("byte_count"), (uint32_t)v("lkey"), v("addr"));
	append(out, seg);
}

void data_end(const Values &, Bytes *out)
{
	mlx5_wqe_data_seg seg = {};

	mlx5dv_set_data_seg(&seg, 0, MLX5_INVALID_LKEY, 0);
	append(out, seg);
}

// Linux and UCC point to a list by what is a piece of memory to mlx5dv.h.
void umr_pointer(const Values &v, Bytes *out)
{
	mlx5_wqe_data_seg seg = {};

	mlx5dv_set_data_seg(&seg, (uint32_t)v("byte_count"), (uint32_t)v("mkey"), v("address"));
	append(out, seg);
}

void inline_data(const Values &v, Bytes *out)
{
	mlx5_wqe_inl_data_seg seg = {};

	seg.byte_count = htobe32((uint32_t)v("byte_count") | MLX5_INLINE_SEG);
	append(out, seg);
	append_payload(v.posted, v.segment, 16, out);
}

void raddr(const Values &v, Bytes *out)
{
	mlx5_wqe_raddr_seg seg = {};

	seg.raddr = htobe64(v("remote_addr"));
	seg.rkey = htobe32((uint32_t)v("rkey"));
	append(out, seg);
}

void atomic(const Values &v, Bytes *out)
{
	mlx5_wqe_atomic_seg seg = {};

	seg.swap_add = htobe64(v("swap_add"));
	seg.compare = strcmp(v.segment, "atomic") ? 0 : htobe64(v("compare"));
	append(out, seg);
}

void eth(const Values &v, Bytes *out)
{
	mlx5_wqe_eth_seg seg = {};

	seg.cs_flags =
		(uint8_t)((v("cs_flags") & SEGUE_ETH_CS_FLAG_L3_CSUM ? MLX5_ETH_WQE_L3_CSUM : 0) |
			  (v("cs_flags") & SEGUE_ETH_CS_FLAG_L4_CSUM ? MLX5_ETH_WQE_L4_CSUM : 0));
	seg.mss = htobe16((uint16_t)v("mss"));
	seg.inline_hdr_sz = htobe16((uint16_t)v("inline_hdr_sz"));
	append(out, seg, offsetof(mlx5_wqe_eth_seg, inline_hdr_start));
	append_payload(v.posted, v.segment, 16, out);
}

void xrc(const Values &v, Bytes *out)
{
	const uint32_t seg[4] = {htobe32((uint32_t)v("xrc_srqn"))};

	append(out, seg);
}

void umr_ctrl(const Values &v, Bytes *out)
{
	mlx5_wqe_umr_ctrl_seg seg = {};

	seg.flags = (uint8_t)((v("is_inline") ? MLX5_WQE_UMR_CTRL_FLAG_INLINE : 0) |
			      (v("check_free") == SEGUE_UMR_CHECK_FREE
				       ? MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE
				       : 0) |
			      (v("translation_offset_en") ? MLX5_WQE_UMR_CTRL_FLAG_TRNSLATION_OFFSET
							  : 0) |
			      (v("check_qpn") ? MLX5_WQE_UMR_CTRL_FLAG_CHECK_QPN : 0));
	seg.klm_octowords = htobe16((uint16_t)v("klm_octowords"));
	seg.mkey_mask = htobe64(v("mkey_mask"));
	append(out, seg);
}

uint8_t access(const Values &v)
{
	const uint64_t flags = v("access_flags");

	return (uint8_t)((flags & SEGUE_MKEY_ACCESS_LOCAL_WRITE
				  ? MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_LOCAL_WRITE
				  : 0) |
			 (flags & SEGUE_MKEY_ACCESS_REMOTE_READ
				  ? MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_READ
				  : 0) |
			 (flags & SEGUE_MKEY_ACCESS_REMOTE_WRITE
				  ? MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_WRITE
				  : 0) |
			 (flags & SEGUE_MKEY_ACCESS_ATOMIC
				  ? MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_ATOMIC
				  : 0));
}

// Of a key, or of a window.
void mkey(const Values &v, Bytes *out)
{
	mlx5_wqe_mkey_context_seg seg = {};

	seg.access_flags = access(v);
	seg.qpn_mkey = htobe32((uint32_t)(v("qpn") << 8 | v("mkey_7_0")));
	seg.start_addr = htobe64(v("start_addr"));
	seg.len = htobe64(v("len"));
	append(out, seg);
}

void mkey_invalidate(const Values &v, Bytes *out)
{
	mlx5_wqe_mkey_context_seg seg = {};

	seg.free = MLX5_WQE_MKEY_CONTEXT_FREE;
	seg.qpn_mkey = htobe32(0xffffff00u | (uint32_t)v("mkey_7_0"));
	append(out, seg);
}

void bind_klm(const Values &v, Bytes *out)
{
	mlx5_wqe_umr_klm_seg seg = {};

	seg.byte_count = htobe32((uint32_t)v("byte_count"));
	seg.mkey = htobe32((uint32_t)v("mkey"));
	seg.address = htobe64(v("address"));
	append(out, seg);
	out->resize(out->size() + 64 - sizeof(seg)); // lists are of whole 64 bytes
}

void srq_next(const Values &, Bytes *out)
{
	append(out, mlx5_wqe_srq_next_seg()); // of a queue that is not linked
}

// Anything; nobody looks at it.
/* It means nothing, so whatever it holds is right. */
void filler(const Values &v, Bytes *out)
{
	size_t nth = v.nth;

	for (const Part &part : v.posted.parts) {
		const size_t size = part.segment->size, entries = part.size / size;

		if (strcmp(part.segment->name, v.segment))
			continue;
		if (nth < entries) {
			const uint8_t *const from = v.posted.bytes.data() + part.at + nth * size;

			out->insert(out->end(), from, from + size);
			return;
		}
		nth -= entries;
	}
	ADD_FAILURE() << v.posted.request << " has no " << v.nth << "th " << v.segment;
}

void av_dc_compact(const Values &v, Bytes *out)
{
	short_address(v, v("dc_key"), out);
}

void av_ud_compact(const Values &v, Bytes *out)
{
	short_address(v, v("qkey") << 32, out);
}

struct Piece {
	const char *segment;
	void (*put)(const Values &, Bytes *);
};

constexpr Piece PIECES[] = {
	{"ctrl", ctrl},
	{"av_dc_compact", av_dc_compact},
	{"av_ud_compact", av_ud_compact},
	{"data", data},
	{"data_end", data_end},
	{"umr_pointer", umr_pointer},
	{"inline_data", inline_data},
	{"raddr", raddr},
	{"atomic", atomic},
	{"atomic_add", atomic},
	{"eth", eth},
	{"xrc", xrc},
	{"umr_ctrl", umr_ctrl},
	{"mkey_context", mkey},
	{"mkey_bind", mkey},
	{"mkey_invalidate", mkey_invalidate},
	{"bind_klm", bind_klm},
	{"srq_next", srq_next},
	{"filler", filler},
};

const Piece *piece_for(const Part &part)
{
	for (const Piece &piece : PIECES)
		if (!strcmp(piece.segment, part.segment->name))
			return &piece;
	return nullptr;
}

} // namespace

bool mlx5dv_assembles(const Posted &posted)
{
	bool known = posted.request == "recv_mprq";

	for (const Opcode &o : OPCODES)
		known |= posted.request == o.request;
	for (const Part &part : posted.parts)
		known &= piece_for(part) != nullptr;
	return known;
}

std::vector<uint8_t> as_mlx5dv_assembles(const Posted &posted)
{
	std::string before;
	size_t nth = 0;
	Bytes out;

	for (const Part &part : posted.parts) {
		nth = before == part.segment->name ? nth : 0;
		before = part.segment->name;
		for (size_t at = 0; at < part.size;
		     at += part.segment->has_tail ? part.size : part.segment->size)
			piece_for(part)->put({posted, part.segment->name, nth++}, &out);
	}
	if (posted.request == "recv_mprq" && out.size() < posted.bytes.size())
		data_end({posted, "", 0}, &out);
	out.resize(posted.bytes.size());
	return out;
}

} // namespace requests
