/* SPDX-License-Identifier: BSD-2-Clause */
/* Signature and crypto settings of a key: parsing of a UMR's bytes, arithmetic of positions. */
#include "tools/softhca/engine/offload/bsf.h"

#include <string.h>

#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

#define OCTOWORDS (SEGUE_SEG_BSF_SIZE / 16u) /* of each of the two formats */

static int refuse(struct softhca_qp *qp, enum softhca_rule rule, const char *why)
{
	softhca_referee(qp, rule, "the UMR's byte stream format: %s", why);
	return SOFTHCA_LOCAL_QP_OP;
}

/* 0: no blocks, or a size that is not modelled. */
static uint32_t block_size(uint8_t selector)
{
	switch (selector) {
	case SEGUE_BSF_BLOCK_SIZE_B512:
		return 512;
	case SEGUE_BSF_BLOCK_SIZE_B520:
		return 520;
	case SEGUE_BSF_BLOCK_SIZE_B4048:
		return 4048;
	case SEGUE_BSF_BLOCK_SIZE_B4096:
		return 4096;
	case SEGUE_BSF_BLOCK_SIZE_B4160:
		return 4160;
	default:
		return 0;
	}
}

static const char *parse_dif(struct softhca_sig_side *side, const struct segue_seg_bsf_inl *inl)
{
	const uint8_t flags = inl->dif_inc_ref_guard_check;

	if (inl->sig_type != SEGUE_T10DIF_CRC && inl->sig_type != SEGUE_T10DIF_IPCS)
		return "the type of a T10-DIF guard is 1 (CRC) or 2 (Internet checksum)";
	if (!(inl->rp_inv_seed & SEGUE_BSF_RP_INV_SEED_REPEAT_BLOCK))
		return "a T10-DIF signature that does not repeat per block is not modelled";
	side->kind = inl->sig_type == SEGUE_T10DIF_CRC ? SOFTHCA_SIG_DIF_CRC : SOFTHCA_SIG_DIF_SUM;
	side->size = 8;
	side->ones = inl->rp_inv_seed & SEGUE_BSF_RP_INV_SEED_SEED;
	side->app_tag = inl->dif_apptag;
	side->app_mask = inl->dif_app_bitmask_check;
	side->ref_tag = inl->dif_reftag;
	side->ref_grows = flags & SEGUE_BSF_DIF_FLAG_INC_REFTAG;
	side->app_escape = flags & SEGUE_BSF_DIF_FLAG_APPTAG_ESCAPE;
	side->app_ref_escape = flags & SEGUE_BSF_DIF_FLAG_APPREF_ESCAPE;
	return NULL;
}

static const char *parse_crc(struct softhca_sig_side *side, uint8_t bfs)
{
	switch (bfs & ~(SEGUE_BSF_BFS_CRC_SEED | SEGUE_BSF_BFS_CRC_REPEAT)) {
	case SEGUE_BSF_BFS_CRC32:
		side->kind = SOFTHCA_SIG_CRC32;
		break;
	case SEGUE_BSF_BFS_CRC32C:
		side->kind = SOFTHCA_SIG_CRC32C;
		break;
	case SEGUE_BSF_BFS_CRC64_XP10:
		side->kind = SOFTHCA_SIG_CRC64;
		break;
	default:
		return "the block format selector names no checksum";
	}
	if (!(bfs & SEGUE_BSF_BFS_CRC_REPEAT))
		return "a CRC that does not repeat per block is not modelled";
	side->size = side->kind == SOFTHCA_SIG_CRC64 ? 8 : 4;
	side->ones = !(bfs & SEGUE_BSF_BFS_CRC_SEED);
	return NULL;
}

/* Parses one domain. `selector` is its block size. */
static const char *parse_side(struct softhca_sig_side *side, const uint8_t *inl_raw, uint8_t bfs,
			      uint8_t selector)
{
	struct segue_seg_bsf_inl inl;
	const char *why = NULL;

	segue_seg_bsf_inl_unpack(&inl, inl_raw);
	if (inl.vld_refresh & SEGUE_BSF_INL_VALID_INL_VALID)
		why = parse_dif(side, &inl);
	else if (bfs)
		why = parse_crc(side, bfs);
	if (why || side->kind == SOFTHCA_SIG_NONE)
		return why;
	side->block = block_size(selector);
	return side->block ? NULL
			   : "a signature needs blocks of 512, 520, 4048, 4096 or 4160 bytes";
}

static const char *parse_sig(struct softhca_bsf *bsf, const uint8_t *raw)
{
	struct segue_seg_bsf seg;
	const char *why;

	segue_seg_bsf_unpack(&seg, raw);
	if (seg.t_init_gen_pro_size || seg.rsvd_epi_size || seg.w_tfs_psv || seg.m_tfs_psv)
		return "signatures of whole transactions are not modelled";
	why = parse_side(&bsf->mem, seg.m_inl, seg.m_bfs, seg.m_bs_selector);
	why = why ? why
		  : parse_side(&bsf->wire, seg.w_inl, seg.w_bfs,
			       seg.sbs ? seg.m_bs_selector : seg.w_bs_or_copy_mask);
	if (why)
		return why;
	bsf->mem.psv = seg.m_psv;
	bsf->wire.psv = seg.w_psv;
	bsf->check = seg.check_byte_mask;
	bsf->copy = seg.sbs ? seg.w_bs_or_copy_mask : 0;
	if (seg.sbs && bsf->mem.size != bsf->wire.size)
		return "the same block structure with signatures that differ in size";
	return NULL;
}

static const char *parse_crypto(const struct softhca_dev *dev, struct softhca_bsf *bsf,
				const uint8_t *raw)
{
	const bool both = bsf->mem.kind != SOFTHCA_SIG_NONE && bsf->wire.kind != SOFTHCA_SIG_NONE;
	struct softhca_crypto *c = &bsf->crypto;
	struct segue_seg_crypto_bsf seg;

	segue_seg_crypto_bsf_unpack(&seg, raw);
	c->unit = block_size(seg.bs_pointer);
	if (!c->unit)
		return "data units have 512, 520, 4048, 4096 or 4160 bytes";
	if (seg.enc_standard != SEGUE_CRYPTO_STANDARD_AES_XTS ||
	    seg.enc_order > SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_MEMORY)
		return "no such encryption standard or order";
	if (both && seg.enc_order >= SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_WIRE)
		return "this order does not go with signatures in both domains";
	c->on = true;
	c->encrypt_on_tx = seg.enc_order == SEGUE_CRYPTO_ORDER_ENCRYPTED_WIRE_SIGNATURE ||
			   seg.enc_order == SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_WIRE;
	c->sig_first_on_tx = seg.enc_order == SEGUE_CRYPTO_ORDER_ENCRYPTED_WIRE_SIGNATURE ||
			     seg.enc_order == SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_MEMORY;
	c->dek = seg.dek_ptr;
	memcpy(c->keytag, seg.keytag, sizeof(c->keytag));
	for (unsigned i = 0; i < sizeof(c->tweak); i++)
		c->tweak[i] = seg.xts_init_tweak[dev->cfg.crypto_multi_block ? 15 - i : i];
	return NULL;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

static uint64_t with_signatures(const struct softhca_sig_side *side, uint64_t raw)
{
	return raw + (side->kind != SOFTHCA_SIG_NONE ? raw / side->block * side->size : 0);
}

static void find_strides(struct softhca_bsf *bsf)
{
	const uint64_t m = bsf->mem.kind != SOFTHCA_SIG_NONE ? bsf->mem.block : 1;
	const uint64_t w = bsf->wire.kind != SOFTHCA_SIG_NONE ? bsf->wire.block : 1;
	uint64_t raw = m / gcd(m, w) * w, coded;

	if (bsf->crypto.on) {
		coded = with_signatures(bsf->crypto.sig_first_on_tx ? &bsf->wire : &bsf->mem, raw);
		raw *= bsf->crypto.unit / gcd(coded, bsf->crypto.unit);
	}
	bsf->wire_stride = with_signatures(&bsf->wire, raw);
	bsf->mem_stride = with_signatures(&bsf->mem, raw);
}

static bool is_crypto(const uint8_t *raw)
{
	return (raw[0] & 3) == SEGUE_BSF_TYPE_CRYPTO; /* in both formats, bits 25:24 */
}

static uint8_t announced_size(const uint8_t *raw)
{
	return raw[0] >> 6; /* in both formats, bits 31:30 */
}

int softhca_bsf_parse(struct softhca_qp *qp, struct softhca_bsf *bsf, const uint8_t *raw,
		      unsigned octowords)
{
	const unsigned n = octowords / OCTOWORDS;
	const struct softhca_config *cfg = &qp->dev->cfg;
	const char *why = NULL;

	memset(bsf, 0, sizeof(*bsf));
	if (octowords % OCTOWORDS || n > 2)
		return refuse(qp, SOFTHCA_RULE_DS, "one of 64 bytes, or two, are modelled");
	for (unsigned i = 0; i < n; i++) {
		const uint8_t *one = raw + (size_t)i * SEGUE_SEG_BSF_SIZE;
		const bool crypto = is_crypto(one);

		if (announced_size(one) !=
		    (n == 2 ? SEGUE_BSF_SIZE_SIG_AND_CRYPTO : SEGUE_BSF_SIZE_WITH_INLINE))
			return refuse(qp, SOFTHCA_RULE_DS, "its size is not what it says");
		if ((n == 2 && crypto != (i == 1)) || !(crypto ? cfg->crypto : cfg->sig))
			return refuse(
				qp, SOFTHCA_RULE_SEGMENT,
				"a signature comes before crypto, and the device must have it");
		why = crypto ? parse_crypto(qp->dev, bsf, one) : parse_sig(bsf, one);
		if (why)
			return refuse(qp, SOFTHCA_RULE_VALUE, why);
	}
	find_strides(bsf);
	return SOFTHCA_OK;
}

uint64_t softhca_bsf_mem_of(const struct softhca_bsf *bsf, uint64_t wire)
{
	const struct softhca_sig_side *w = &bsf->wire;
	uint64_t raw = wire;

	if (w->kind != SOFTHCA_SIG_NONE) {
		const uint64_t rest = wire % (w->block + w->size);

		raw = wire / (w->block + w->size) * w->block + (rest < w->block ? rest : w->block);
	}
	return with_signatures(&bsf->mem, raw);
}
