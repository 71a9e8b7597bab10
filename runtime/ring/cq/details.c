/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoding of what a completion holds beyond struct segue_wc. */
#include "segue/wc.h"

#include <string.h>

#include "segue/gen/segments.h"

#define MEMBER(member) offsetof(struct segue_wc, member)

/* One condition each, because clang-16 warns of several where the standard is C2x. */
_Static_assert(MEMBER(opcode) % 8 == 0, "seguei_wc_put_ids() writes them by one store");
_Static_assert(MEMBER(syndrome) == MEMBER(opcode) + 1,
	       "seguei_wc_put_ids() writes them by one store");
_Static_assert(MEMBER(wqe_counter) == MEMBER(opcode) + 2,
	       "seguei_wc_put_ids() writes them by one store");
_Static_assert(MEMBER(qpn) == MEMBER(opcode) + 4, "seguei_wc_put_ids() writes them by one store");
_Static_assert(MEMBER(s_wqe_opcode) % 8 == 0, "seguei_wc_put_kind() likewise");
_Static_assert(MEMBER(vendor_syndrome) == MEMBER(s_wqe_opcode) + 1,
	       "seguei_wc_put_kind() likewise");
_Static_assert(MEMBER(flags) == MEMBER(s_wqe_opcode) + 2, "seguei_wc_put_kind() likewise");
_Static_assert(MEMBER(imm) == MEMBER(s_wqe_opcode) + 4, "seguei_wc_put_kind() likewise");

/*
 * seguei_wc_flags() extracts these flags from what the opcode of a good completion means for imm.
 */
#define FLAGS (SEGUE_WC_IMM | SEGUE_WC_INVALIDATED)
_Static_assert((SEGUE_CQE_OPCODE_REQ & FLAGS) == 0, "a request that was carried out has none");
_Static_assert((SEGUE_CQE_OPCODE_RESP_WR_IMM & FLAGS) == SEGUE_WC_IMM,
	       "a WRITE with immediate data");
_Static_assert((SEGUE_CQE_OPCODE_RESP_SEND & FLAGS) == 0, "a SEND has none");
_Static_assert((SEGUE_CQE_OPCODE_RESP_SEND_IMM & FLAGS) == SEGUE_WC_IMM,
	       "a SEND with immediate data");
_Static_assert((SEGUE_CQE_OPCODE_RESP_SEND_INV & FLAGS) == SEGUE_WC_INVALIDATED,
	       "a SEND that invalidates a key");

/* ml_path: the bit above the path bits marks multicast (libmlx5: 0x7f). */
#define PATH_BITS 0x7fu

/* True for atomics. */
static bool returns_value(uint8_t s_wqe_opcode)
{
	switch (s_wqe_opcode) {
	case SEGUE_OPCODE_ATOMIC_CS:
	case SEGUE_OPCODE_ATOMIC_FA:
	case SEGUE_OPCODE_ATOMIC_MASKED_CS:
	case SEGUE_OPCODE_ATOMIC_MASKED_FA:
		return true;
	default:
		return false;
	}
}

/* True if the request brings bytes back. Others leave byte_cnt undefined. */
static bool returns_bytes(uint8_t s_wqe_opcode)
{
	return s_wqe_opcode == SEGUE_OPCODE_RDMA_READ || returns_value(s_wqe_opcode);
}

/* Fields in the half of the CQE that payload may overwrite. */
static void get_packet(const struct segue_cqe64 *cqe, struct segue_wc_details *out)
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
	if (cqe->rss_hash_type) {
		out->valid |= SEGUE_WC_HAS_RSS_HASH;
		out->rss_hash = cqe->rss_hash_result;
	}
}

/*
 * The result of an atomic is at the start of the half that holds payload, in this entry or in the
 * one before.
 */
static void get_result(const struct segue_wc *wc, const struct segue_cqe64 *cqe,
		       struct segue_wc_details *out)
{
	const bool here = cqe->format == SEGUE_CQE_FORMAT_INLINE_32;
	const uint32_t length = segue_wc_byte_len(wc);

	if (!returns_value(wc->s_wqe_opcode) ||
	    (!here && cqe->format != SEGUE_CQE_FORMAT_INLINE_64) ||
	    length > sizeof(out->atomic_result))
		return;
	out->valid |= SEGUE_WC_HAS_ATOMIC_RESULT;
	memcpy(out->atomic_result, here ? wc->cqe : wc->cqe - SEGUE_CQE_INLINE64_SIZE, length);
}

static void get_signature(const struct segue_wc *wc, struct segue_wc_details *out)
{
	if (wc->opcode != SEGUE_CQE_OPCODE_SIG_ERR)
		return;
	out->valid |= SEGUE_WC_HAS_SIGNATURE;
	(void)segue_sig_err_cqe_unpack(&out->signature, wc->cqe);
}

/* The first completion of a message reports the header. EXPECTED is the second one. */
static void get_tag(const struct segue_wc *wc, struct segue_wc_details *out)
{
	struct segue_tm_match_cqe match;
	struct segue_tm_cqe answer;
	struct segue_seg_tmh header;

	(void)segue_tm_match_cqe_unpack(&match, wc->cqe);
	switch (segue_wc_tag_op(wc)) {
	case SEGUE_TM_APP_OP_APPEND:
	case SEGUE_TM_APP_OP_REMOVE:
	case SEGUE_TM_APP_OP_NOOP:
		(void)segue_tm_cqe_unpack(&answer, wc->cqe);
		out->valid |= SEGUE_WC_HAS_TAG_COUNT;
		out->tag_count = answer.hw_phase_cnt;
		return;
	case SEGUE_TM_APP_OP_CONSUMED:
	case SEGUE_TM_APP_OP_CONSUMED_SW_RNDV:
	case SEGUE_TM_APP_OP_CONSUMED_MSG:
	case SEGUE_TM_APP_OP_CONSUMED_MSG_SW_RNDV:
		(void)segue_seg_tmh_unpack(&header, match.tmh);
		out->valid |= SEGUE_WC_HAS_TAG | SEGUE_WC_HAS_TAG_HANDLE;
		out->tag = header.tag;
		out->tag_context = header.app_ctx;
		out->tag_handle = match.app_info;
		return;
	case SEGUE_TM_APP_OP_EXPECTED:
	case SEGUE_TM_APP_OP_MSG_COMPLETION_CANCELED:
		out->valid |= SEGUE_WC_HAS_TAG_HANDLE;
		out->tag_handle = match.app_info;
		return;
	default:
		return;
	}
}

void segue_wc_get_details(const struct segue_wc *wc, struct segue_wc_details *out)
{
	const bool compressed = wc->flags & SEGUE_WC_COMPRESSED;
	const bool receive = segue_wc_is_receive(wc);
	struct segue_cqe64 cqe;

	memset(out, 0, sizeof(*out));
	if (wc->flags & SEGUE_WC_TAG)
		get_tag(wc, out);
	if (wc->syndrome) {
		get_signature(wc, out);
		return;
	}
	(void)segue_cqe64_unpack(&cqe, wc->cqe);
	if (!compressed) {
		out->valid |= SEGUE_WC_HAS_TIMESTAMP;
		out->timestamp = cqe.timestamp;
	}
	if (receive || returns_bytes(wc->s_wqe_opcode)) {
		out->valid |= SEGUE_WC_HAS_BYTE_LEN;
		out->byte_len = segue_wc_byte_len(wc);
	}
	if (!receive)
		get_result(wc, &cqe, out);
	if (wc->flags & SEGUE_WC_IMM) {
		out->valid |= SEGUE_WC_HAS_IMM;
		out->imm = wc->imm;
	}
	if (wc->flags & SEGUE_WC_INVALIDATED) {
		out->valid |= SEGUE_WC_HAS_INVALIDATED;
		out->invalidated_key = wc->imm;
	}
	if (receive && cqe.format != SEGUE_CQE_FORMAT_INLINE_32 &&
	    !(wc->flags & SEGUE_WC_TAG)) /* the header lies there */
		get_packet(&cqe, out);
}
