/* SPDX-License-Identifier: BSD-2-Clause */
#include "segue/wc.h"

#include <string.h>

/* ml_path: the bit above the path bits is of multicast (libmlx5: 0x7f). */
#define PATH_BITS 0x7fu

/* True if the request brings bytes back. Others leave byte_cnt as they like. */
static bool returns_bytes(uint8_t s_wqe_opcode)
{
	switch (s_wqe_opcode) {
	case SEGUE_OPCODE_RDMA_READ:
	case SEGUE_OPCODE_ATOMIC_CS:
	case SEGUE_OPCODE_ATOMIC_FA:
	case SEGUE_OPCODE_ATOMIC_MASKED_CS:
	case SEGUE_OPCODE_ATOMIC_MASKED_FA:
		return true;
	default:
		return false;
	}
}

/* Those return 8 bytes, whatever the entry says (libmlx5: handle_good_req()). */
static bool is_plain_atomic(uint8_t s_wqe_opcode)
{
	return s_wqe_opcode == SEGUE_OPCODE_ATOMIC_CS || s_wqe_opcode == SEGUE_OPCODE_ATOMIC_FA;
}

/* What lies in the half of the CQE that payload may take. */
static void get_packet(const struct segue_cqe_cqe64 *cqe, bool compressed, struct segue_wc_details *out)
{
	out->valid |= SEGUE_WC_HAS_SOURCE;
	out->src_qp = cqe->rqpn;
	out->slid = cqe->slid;
	out->sl = cqe->sl;
	out->path_bits = cqe->ml_path & PATH_BITS;
	out->grh = cqe->grh != SEGUE_CQE_GRH_NONE;
	if (cqe->l3_hdr_type != SEGUE_CQE_L3_HDR_TYPE_NONE) {
		out->valid |= SEGUE_WC_HAS_CHECKSUM;
		out->l3_ok = cqe->l3_ok;
		out->l4_ok = cqe->l4_ok;
	}
	if (cqe->vlan_stripped) {
		out->valid |= SEGUE_WC_HAS_VLAN;
		out->vlan = cqe->vlan_info;
	}
	if (cqe->rss_hash_type && !compressed) {
		out->valid |= SEGUE_WC_HAS_RSS_HASH;
		out->rss_hash = cqe->rss_hash_result;
	}
}

static void get_signature(const struct segue_wc *wc, struct segue_wc_details *out)
{
	if (wc->opcode != SEGUE_CQE_OPCODE_SIG_ERR)
		return;
	out->valid = SEGUE_WC_HAS_SIGNATURE;
	(void)segue_cqe_sig_err_cqe_unpack(&out->signature, wc->cqe);
}

void segue_wc_get_details(const struct segue_wc *wc, struct segue_wc_details *out)
{
	const bool compressed = wc->flags & SEGUE_WC_COMPRESSED;
	const bool receive = segue_wc_is_receive(wc);
	struct segue_cqe_cqe64 cqe;

	memset(out, 0, sizeof(*out));
	if (wc->syndrome) {
		get_signature(wc, out);
		return;
	}
	(void)segue_cqe_cqe64_unpack(&cqe, wc->cqe);
	if (!compressed) {
		out->valid |= SEGUE_WC_HAS_TIMESTAMP;
		out->timestamp = cqe.timestamp;
	}
	if (receive || returns_bytes(wc->s_wqe_opcode)) {
		out->valid |= SEGUE_WC_HAS_BYTE_LEN;
		out->byte_len = !receive && is_plain_atomic(wc->s_wqe_opcode) ? (uint32_t)sizeof(uint64_t) : wc->byte_len;
	}
	if (wc->flags & SEGUE_WC_IMM) {
		out->valid |= SEGUE_WC_HAS_IMM;
		out->imm = wc->imm;
	}
	if (wc->flags & SEGUE_WC_INVALIDATED) {
		out->valid |= SEGUE_WC_HAS_INVALIDATED;
		out->invalidated_key = wc->imm;
	}
	if (receive && cqe.format != SEGUE_CQE_FORMAT_INLINE_32)
		get_packet(&cqe, compressed, out);
}
