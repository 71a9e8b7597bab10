/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/segments by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
/*
 * Writing one segment of a send WQE: into its place in the ring, in range, and within the largest
 * WQE. The typed builders of each transport say when; this is how. `wraps` says that the segment
 * may start at the end of the ring.
 */
#ifndef SEGUE_GEN_PUT_H
#define SEGUE_GEN_PUT_H

#include "segue/build.h"
#include "segue/gen/segments.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#ifdef __cplusplus
extern "C" {
#endif

SEGUE_INLINE void seguei_put_atomic(struct seguei_build *b, bool wraps,
				    const struct segue_seg_atomic *v)
{
	seguei_fits(b, SEGUE_SEG_ATOMIC_DS);
	segue_seg_atomic_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_ATOMIC_DS);
}

SEGUE_INLINE void seguei_put_atomic_add(struct seguei_build *b, bool wraps,
					const struct segue_seg_atomic_add *v)
{
	seguei_fits(b, SEGUE_SEG_ATOMIC_ADD_DS);
	segue_seg_atomic_add_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_ATOMIC_ADD_DS);
}

SEGUE_INLINE void seguei_put_av_dc_prepared(struct seguei_build *b, bool wraps,
					    const struct segue_ah *ah, uint32_t dqp_dct,
					    uint64_t dc_key)
{
	seguei_fits(b, SEGUE_SEG_AV_DC_DS);
	segue_seg_av_dc_pack_prepared(seguei_here_or_wrapped(b, wraps), ah, dqp_dct, dc_key);
	seguei_refuse_outside(b, dqp_dct, 0x0u, 0xffffffu);
	seguei_advance(b, SEGUE_SEG_AV_DC_DS);
}

SEGUE_INLINE void seguei_put_av_dc_compact_prepared(struct seguei_build *b, bool wraps,
						    const struct segue_ah_compact *ah_compact,
						    uint32_t dqp_dct, uint64_t dc_key)
{
	seguei_fits(b, SEGUE_SEG_AV_DC_COMPACT_DS);
	segue_seg_av_dc_compact_pack_prepared(seguei_here_or_wrapped(b, wraps), ah_compact, dqp_dct,
					      dc_key);
	seguei_refuse_outside(b, dqp_dct, 0x0u, 0xffffffu);
	seguei_advance(b, SEGUE_SEG_AV_DC_COMPACT_DS);
}

SEGUE_INLINE void seguei_put_av_ud_prepared(struct seguei_build *b, bool wraps,
					    const struct segue_ah *ah, uint32_t dqp_dct,
					    uint32_t qkey)
{
	seguei_fits(b, SEGUE_SEG_AV_UD_DS);
	segue_seg_av_ud_pack_prepared(seguei_here_or_wrapped(b, wraps), ah, dqp_dct, qkey);
	seguei_refuse_outside(b, dqp_dct, 0x0u, 0xffffffu);
	seguei_advance(b, SEGUE_SEG_AV_UD_DS);
}

SEGUE_INLINE void seguei_put_av_ud_compact_prepared(struct seguei_build *b, bool wraps,
						    const struct segue_ah_compact *ah_compact,
						    uint32_t dqp_dct, uint32_t qkey)
{
	seguei_fits(b, SEGUE_SEG_AV_UD_COMPACT_DS);
	segue_seg_av_ud_compact_pack_prepared(seguei_here_or_wrapped(b, wraps), ah_compact, dqp_dct,
					      qkey);
	seguei_refuse_outside(b, dqp_dct, 0x0u, 0xffffffu);
	seguei_advance(b, SEGUE_SEG_AV_UD_COMPACT_DS);
}

SEGUE_INLINE void seguei_put_bind_klm(struct seguei_build *b, bool wraps,
				      const struct segue_seg_bind_klm *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_BIND_KLM_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_BIND_KLM_DS)) {
		uint8_t packed[SEGUE_SEG_BIND_KLM_SIZE];

		segue_seg_bind_klm_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_BIND_KLM_DS);
		return;
	}
	segue_seg_bind_klm_pack(p, v);
	seguei_refuse_outside(b, v->byte_count, 0x1u, 0x80000000u);
	seguei_advance(b, SEGUE_SEG_BIND_KLM_DS);
}

SEGUE_INLINE void seguei_put_bsf(struct seguei_build *b, bool wraps, const struct segue_seg_bsf *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_BSF_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_BSF_DS)) {
		uint8_t packed[SEGUE_SEG_BSF_SIZE];

		segue_seg_bsf_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_BSF_DS);
		return;
	}
	segue_seg_bsf_pack(p, v);
	seguei_refuse_outside(b, v->bsf_size, 0x0u, 0x3u);
	seguei_refuse_outside(b, v->sbs, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->w_psv, 0x0u, 0xffffffu);
	seguei_refuse_outside(b, v->m_psv, 0x0u, 0xffffffu);
	seguei_advance(b, SEGUE_SEG_BSF_DS);
}

SEGUE_INLINE void seguei_put_check_psv(struct seguei_build *b, bool wraps,
				       const struct segue_seg_check_psv *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_CHECK_PSV_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_CHECK_PSV_DS)) {
		uint8_t packed[SEGUE_SEG_CHECK_PSV_SIZE];

		segue_seg_check_psv_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_CHECK_PSV_DS);
		return;
	}
	segue_seg_check_psv_pack(p, v);
	seguei_advance(b, SEGUE_SEG_CHECK_PSV_DS);
}

SEGUE_INLINE void seguei_put_crypto_bsf(struct seguei_build *b, bool wraps,
					const struct segue_seg_crypto_bsf *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_CRYPTO_BSF_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_CRYPTO_BSF_DS)) {
		uint8_t packed[SEGUE_SEG_CRYPTO_BSF_SIZE];

		segue_seg_crypto_bsf_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_CRYPTO_BSF_DS);
		return;
	}
	segue_seg_crypto_bsf_pack(p, v);
	seguei_refuse_outside(b, v->bsf_size, 0x0u, 0x3u);
	seguei_refuse_outside(b, v->enc_order, 0x0u, 0xfu);
	seguei_refuse_outside(b, v->enc_standard, 0x0u, 0xfu);
	seguei_refuse_outside(b, v->dek_ptr, 0x0u, 0xffffffu);
	seguei_advance(b, SEGUE_SEG_CRYPTO_BSF_DS);
}

SEGUE_INLINE void seguei_put_data(struct seguei_build *b, bool wraps,
				  const struct segue_seg_data *v)
{
	seguei_fits(b, SEGUE_SEG_DATA_DS);
	segue_seg_data_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_refuse_outside(b, v->byte_count, 0x1u, 0x7fffffffu);
	seguei_advance(b, SEGUE_SEG_DATA_DS);
}

/* Entries one behind the other, each where the ring goes on. */
SEGUE_INLINE void seguei_put_data_array(struct seguei_build *b, const struct segue_seg_data *list,
					uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		seguei_put_data(b, true, &list[i]);
	}
}

SEGUE_INLINE void seguei_put_data_end(struct seguei_build *b, bool wraps,
				      const struct segue_seg_data_end *v)
{
	seguei_fits(b, SEGUE_SEG_DATA_END_DS);
	segue_seg_data_end_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_DATA_END_DS);
}

SEGUE_INLINE void seguei_put_eth(struct seguei_build *b, const struct segue_seg_eth *fields,
				 const void *data, uint32_t length)
{
	struct segue_seg_eth v = *fields;
	uint32_t units;
	uint8_t *p;

	if (SEGUE_UNLIKELY(length - 0u > SEGUE_SEG_ETH_INLINE_HDR_SZ_MAX - 0u)) {
		seguei_refuse_if(b, true);
		return; /* with length 0, data may be NULL */
	}
	units = (uint32_t)segue_seg_eth_bytes(length) / SEGUEI_UNIT;
	if (SEGUE_UNLIKELY(!seguei_fits(b, units))) {
		length = 0;
		units = (uint32_t)segue_seg_eth_bytes(length) / SEGUEI_UNIT;
	}
	v.inline_hdr_sz = (uint16_t)length;
	p = seguei_here_or_wrapped(b, true);
	if (seguei_in_one_piece(b, p, units)) {
		if ((SEGUE_SEG_ETH_TAIL + length) % SEGUEI_UNIT)
			seguei_zero_unit(p + (size_t)(units - 1) * SEGUEI_UNIT);
		segue_seg_eth_pack(p, &v);
		memcpy(p + SEGUE_SEG_ETH_TAIL, data, length);
	} else {
		uint8_t packed[SEGUE_SEG_ETH_SIZE];
		struct seguei_tailed tailed;

		segue_seg_eth_pack(packed, &v);
		tailed.fields = packed;
		tailed.at = SEGUE_SEG_ETH_TAIL;
		tailed.data = data;
		tailed.length = length;
		tailed.units = units;
		seguei_put_across(b->sq, p, &tailed);
	}
	seguei_advance_across(b, units);
}

SEGUE_INLINE void seguei_put_eth_pad(struct seguei_build *b, bool wraps,
				     const struct segue_seg_eth_pad *v)
{
	seguei_fits(b, SEGUE_SEG_ETH_PAD_DS);
	segue_seg_eth_pad_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_ETH_PAD_DS);
}

SEGUE_INLINE void seguei_put_eth_vlan(struct seguei_build *b, bool wraps,
				      const struct segue_seg_eth_vlan *v)
{
	seguei_fits(b, SEGUE_SEG_ETH_VLAN_DS);
	segue_seg_eth_vlan_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_refuse_outside(b, v->svlan, 0x0u, 0x1u);
	seguei_advance(b, SEGUE_SEG_ETH_VLAN_DS);
}

SEGUE_INLINE void seguei_put_filler(struct seguei_build *b, bool wraps,
				    const struct segue_seg_filler *v)
{
	seguei_fits(b, SEGUE_SEG_FILLER_DS);
	segue_seg_filler_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_FILLER_DS);
}

/* Entries one behind the other, each where the ring goes on. */
SEGUE_INLINE void seguei_put_filler_array(struct seguei_build *b,
					  const struct segue_seg_filler *list, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		seguei_put_filler(b, true, &list[i]);
	}
}

SEGUE_INLINE void seguei_put_flow_update_ctrl(struct seguei_build *b, bool wraps,
					      const struct segue_seg_flow_update_ctrl *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_FLOW_UPDATE_CTRL_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_FLOW_UPDATE_CTRL_DS)) {
		uint8_t packed[SEGUE_SEG_FLOW_UPDATE_CTRL_SIZE];

		segue_seg_flow_update_ctrl_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_FLOW_UPDATE_CTRL_DS);
		return;
	}
	segue_seg_flow_update_ctrl_pack(p, v);
	seguei_refuse_outside(b, v->op, 0x0u, 0xfu);
	seguei_refuse_outside(b, v->direct_index, 0x0u, 0xfffffffu);
	seguei_advance(b, SEGUE_SEG_FLOW_UPDATE_CTRL_DS);
}

SEGUE_INLINE void seguei_put_get_psv(struct seguei_build *b, bool wraps,
				     const struct segue_seg_get_psv *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_GET_PSV_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_GET_PSV_DS)) {
		uint8_t packed[SEGUE_SEG_GET_PSV_SIZE];

		segue_seg_get_psv_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_GET_PSV_DS);
		return;
	}
	segue_seg_get_psv_pack(p, v);
	seguei_advance(b, SEGUE_SEG_GET_PSV_DS);
}

SEGUE_INLINE void seguei_put_header_modify_argument_update(
	struct seguei_build *b, bool wraps, const struct segue_seg_header_modify_argument_update *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_HEADER_MODIFY_ARGUMENT_UPDATE_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_HEADER_MODIFY_ARGUMENT_UPDATE_DS)) {
		uint8_t packed[SEGUE_SEG_HEADER_MODIFY_ARGUMENT_UPDATE_SIZE];

		segue_seg_header_modify_argument_update_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_HEADER_MODIFY_ARGUMENT_UPDATE_DS);
		return;
	}
	segue_seg_header_modify_argument_update_pack(p, v);
	seguei_advance(b, SEGUE_SEG_HEADER_MODIFY_ARGUMENT_UPDATE_DS);
}

SEGUE_INLINE void seguei_put_inline_data(struct seguei_build *b,
					 const struct segue_seg_inline_data *fields,
					 const void *data, uint32_t length)
{
	struct segue_seg_inline_data v = *fields;
	uint32_t units;
	uint8_t *p;

	if (SEGUE_UNLIKELY(length - 1u > SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MAX - 1u)) {
		seguei_refuse_if(b, true);
		return; /* with length 0, data may be NULL */
	}
	units = (uint32_t)segue_seg_inline_data_bytes(length) / SEGUEI_UNIT;
	if (SEGUE_UNLIKELY(!seguei_fits(b, units))) {
		length = 1;
		units = (uint32_t)segue_seg_inline_data_bytes(length) / SEGUEI_UNIT;
	}
	v.byte_count = (uint16_t)length;
	p = seguei_here_or_wrapped(b, true);
	if (seguei_in_one_piece(b, p, units)) {
		if ((SEGUE_SEG_INLINE_DATA_TAIL + length) % SEGUEI_UNIT)
			seguei_zero_unit(p + (size_t)(units - 1) * SEGUEI_UNIT);
		segue_seg_inline_data_pack(p, &v);
		memcpy(p + SEGUE_SEG_INLINE_DATA_TAIL, data, length);
	} else {
		uint8_t packed[SEGUE_SEG_INLINE_DATA_SIZE];
		struct seguei_tailed tailed;

		segue_seg_inline_data_pack(packed, &v);
		tailed.fields = packed;
		tailed.at = SEGUE_SEG_INLINE_DATA_TAIL;
		tailed.data = data;
		tailed.length = length;
		tailed.units = units;
		seguei_put_across(b->sq, p, &tailed);
	}
	seguei_advance_across(b, units);
}

/* As many bytes as an earlier segment announced in `slot`, padded with zeros to `pad`. */
static inline void seguei_put_klm_list(struct seguei_build *b, uint32_t slot, uint32_t pad,
				       const struct segue_seg_klm *list, uint32_t count)
{
	const uint32_t most = b->sq->max_units * SEGUEI_UNIT / SEGUE_SEG_KLM_SIZE;
	const uint32_t counted = count > most ? most + 1 : count;
	const uint32_t bytes = (counted * SEGUE_SEG_KLM_SIZE + pad - 1) / pad * pad;
	uint8_t packed[SEGUE_SEG_KLM_SIZE];
	uint32_t i;

	if (bytes != b->announced[slot]) {
		seguei_refuse_if(b, true);
		return;
	}
	if (!seguei_fits(b, bytes / SEGUEI_UNIT))
		return;
	for (i = 0; i < bytes / SEGUE_SEG_KLM_SIZE; i++) {
		memset(packed, 0, sizeof(packed));
		if (i < count)
			segue_seg_klm_pack(packed, &list[i]);
		seguei_copy_across(b->sq, seguei_here_or_wrapped(b, true), packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_KLM_SIZE / SEGUEI_UNIT);
	}
}

SEGUE_INLINE void seguei_put_list_pad(struct seguei_build *b, bool wraps,
				      const struct segue_seg_list_pad *v)
{
	seguei_fits(b, SEGUE_SEG_LIST_PAD_DS);
	segue_seg_list_pad_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_LIST_PAD_DS);
}

SEGUE_INLINE void seguei_put_masked_cas32(struct seguei_build *b, bool wraps,
					  const struct segue_seg_masked_cas32 *v)
{
	seguei_fits(b, SEGUE_SEG_MASKED_CAS32_DS);
	segue_seg_masked_cas32_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_MASKED_CAS32_DS);
}

SEGUE_INLINE void seguei_put_masked_cas64(struct seguei_build *b, bool wraps,
					  const struct segue_seg_masked_cas64 *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_MASKED_CAS64_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_MASKED_CAS64_DS)) {
		uint8_t packed[SEGUE_SEG_MASKED_CAS64_SIZE];

		segue_seg_masked_cas64_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_MASKED_CAS64_DS);
		return;
	}
	segue_seg_masked_cas64_pack(p, v);
	seguei_advance(b, SEGUE_SEG_MASKED_CAS64_DS);
}

SEGUE_INLINE void seguei_put_masked_fa32(struct seguei_build *b, bool wraps,
					 const struct segue_seg_masked_fa32 *v)
{
	seguei_fits(b, SEGUE_SEG_MASKED_FA32_DS);
	segue_seg_masked_fa32_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_MASKED_FA32_DS);
}

SEGUE_INLINE void seguei_put_masked_fa64(struct seguei_build *b, bool wraps,
					 const struct segue_seg_masked_fa64 *v)
{
	seguei_fits(b, SEGUE_SEG_MASKED_FA64_DS);
	segue_seg_masked_fa64_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_MASKED_FA64_DS);
}

SEGUE_INLINE void seguei_put_mkey_bind(struct seguei_build *b, bool wraps,
				       const struct segue_seg_mkey_bind *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_MKEY_BIND_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_MKEY_BIND_DS)) {
		uint8_t packed[SEGUE_SEG_MKEY_BIND_SIZE];

		segue_seg_mkey_bind_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_MKEY_BIND_DS);
		return;
	}
	segue_seg_mkey_bind_pack(p, v);
	seguei_refuse_outside(b, v->qpn, 0x0u, 0xffffffu);
	seguei_refuse_outside(b, v->len, UINT64_C(0x1), UINT64_C(0x80000000));
	seguei_advance(b, SEGUE_SEG_MKEY_BIND_DS);
}

SEGUE_INLINE void seguei_put_mkey_context(struct seguei_build *b, bool wraps,
					  const struct segue_seg_mkey_context *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_MKEY_CONTEXT_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_MKEY_CONTEXT_DS)) {
		uint8_t packed[SEGUE_SEG_MKEY_CONTEXT_SIZE];

		segue_seg_mkey_context_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_MKEY_CONTEXT_DS);
		return;
	}
	segue_seg_mkey_context_pack(p, v);
	seguei_refuse_outside(b, v->free, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->access_mode_4_2, 0x0u, 0x7u);
	seguei_refuse_outside(b, v->relaxed_ordering_write, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->small_fence, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->qpn, 0x0u, 0xffffffu);
	seguei_refuse_outside(b, v->length64, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->bsf_en, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->sync_umr, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->expected_sigerr_count, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->en_rinval, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->pd, 0x0u, 0xffffffu);
	seguei_refuse_outside(b, v->order_read_after_write, 0x0u, 0x3u);
	seguei_refuse_outside(b, v->relaxed_ordering_read, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->log_page_size, 0x0u, 0x3fu);
	seguei_refuse_outside(b, v->crypto_en, 0x0u, 0x3u);
	seguei_advance(b, SEGUE_SEG_MKEY_CONTEXT_DS);
}

SEGUE_INLINE void seguei_put_mkey_invalidate(struct seguei_build *b, bool wraps,
					     const struct segue_seg_mkey_invalidate *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_MKEY_INVALIDATE_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_MKEY_INVALIDATE_DS)) {
		uint8_t packed[SEGUE_SEG_MKEY_INVALIDATE_SIZE];

		segue_seg_mkey_invalidate_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_MKEY_INVALIDATE_DS);
		return;
	}
	segue_seg_mkey_invalidate_pack(p, v);
	seguei_advance(b, SEGUE_SEG_MKEY_INVALIDATE_DS);
}

SEGUE_INLINE void seguei_put_mmo_data(struct seguei_build *b, bool wraps,
				      const struct segue_seg_mmo_data *v)
{
	seguei_fits(b, SEGUE_SEG_MMO_DATA_DS);
	segue_seg_mmo_data_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_refuse_outside(b, v->byte_count, 0x1u, 0x80000000u);
	seguei_advance(b, SEGUE_SEG_MMO_DATA_DS);
}

SEGUE_INLINE void seguei_put_mmo_metadata(struct seguei_build *b, bool wraps,
					  const struct segue_seg_mmo_metadata *v)
{
	seguei_fits(b, SEGUE_SEG_MMO_METADATA_DS);
	segue_seg_mmo_metadata_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_MMO_METADATA_DS);
}

SEGUE_INLINE void seguei_put_raddr(struct seguei_build *b, bool wraps,
				   const struct segue_seg_raddr *v)
{
	seguei_fits(b, SEGUE_SEG_RADDR_DS);
	segue_seg_raddr_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_RADDR_DS);
}

SEGUE_INLINE void seguei_put_repeat_block(struct seguei_build *b, bool wraps,
					  const struct segue_seg_repeat_block *v)
{
	seguei_fits(b, SEGUE_SEG_REPEAT_BLOCK_DS);
	segue_seg_repeat_block_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_REPEAT_BLOCK_DS);
}

/* As many bytes as an earlier segment announced in `slot`, padded with zeros to `pad`. */
static inline void seguei_put_repeat_ent_list(struct seguei_build *b, uint32_t slot, uint32_t pad,
					      const struct segue_seg_repeat_ent *list,
					      uint32_t count)
{
	const uint32_t most = b->sq->max_units * SEGUEI_UNIT / SEGUE_SEG_REPEAT_ENT_SIZE;
	const uint32_t counted = count > most ? most + 1 : count;
	const uint32_t bytes = (counted * SEGUE_SEG_REPEAT_ENT_SIZE + pad - 1) / pad * pad;
	uint8_t packed[SEGUE_SEG_REPEAT_ENT_SIZE];
	uint32_t i;

	if (bytes != b->announced[slot]) {
		seguei_refuse_if(b, true);
		return;
	}
	if (!seguei_fits(b, bytes / SEGUEI_UNIT))
		return;
	for (i = 0; i < bytes / SEGUE_SEG_REPEAT_ENT_SIZE; i++) {
		memset(packed, 0, sizeof(packed));
		if (i < count)
			segue_seg_repeat_ent_pack(packed, &list[i]);
		seguei_copy_across(b->sq, seguei_here_or_wrapped(b, true), packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_REPEAT_ENT_SIZE / SEGUEI_UNIT);
	}
}

SEGUE_INLINE void seguei_put_send_en(struct seguei_build *b, bool wraps,
				     const struct segue_seg_send_en *v)
{
	seguei_fits(b, SEGUE_SEG_SEND_EN_DS);
	segue_seg_send_en_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_refuse_outside(b, v->qpn, 0x0u, 0xffffffu);
	seguei_advance(b, SEGUE_SEG_SEND_EN_DS);
}

SEGUE_INLINE void seguei_put_set_psv(struct seguei_build *b, bool wraps,
				     const struct segue_seg_set_psv *v)
{
	seguei_fits(b, SEGUE_SEG_SET_PSV_DS);
	segue_seg_set_psv_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_refuse_outside(b, v->psv_index, 0x0u, 0xffffffu);
	seguei_advance(b, SEGUE_SEG_SET_PSV_DS);
}

SEGUE_INLINE void seguei_put_tm(struct seguei_build *b, bool wraps, const struct segue_seg_tm *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_TM_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_TM_DS)) {
		uint8_t packed[SEGUE_SEG_TM_SIZE];

		segue_seg_tm_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_TM_DS);
		return;
	}
	segue_seg_tm_pack(p, v);
	seguei_refuse_outside(b, v->opcode, 0x0u, 0xfu);
	seguei_advance(b, SEGUE_SEG_TM_DS);
}

SEGUE_INLINE void seguei_put_transpose(struct seguei_build *b, bool wraps,
				       const struct segue_seg_transpose *v)
{
	seguei_fits(b, SEGUE_SEG_TRANSPOSE_DS);
	segue_seg_transpose_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_refuse_outside(b, v->num_cols, 0x0u, 0x7fu);
	seguei_refuse_outside(b, v->num_rows, 0x0u, 0x7fu);
	seguei_advance(b, SEGUE_SEG_TRANSPOSE_DS);
}

SEGUE_INLINE void seguei_put_umr_ctrl(struct seguei_build *b, bool wraps,
				      const struct segue_seg_umr_ctrl *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_UMR_CTRL_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_UMR_CTRL_DS)) {
		uint8_t packed[SEGUE_SEG_UMR_CTRL_SIZE];

		segue_seg_umr_ctrl_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_UMR_CTRL_DS);
		return;
	}
	segue_seg_umr_ctrl_pack(p, v);
	seguei_refuse_outside(b, v->is_inline, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->check_free, 0x0u, 0x3u);
	seguei_refuse_outside(b, v->translation_offset_en, 0x0u, 0x1u);
	seguei_refuse_outside(b, v->check_qpn, 0x0u, 0x1u);
	seguei_advance(b, SEGUE_SEG_UMR_CTRL_DS);
}

SEGUE_INLINE void seguei_put_umr_pointer(struct seguei_build *b, bool wraps,
					 const struct segue_seg_umr_pointer *v)
{
	seguei_fits(b, SEGUE_SEG_UMR_POINTER_DS);
	segue_seg_umr_pointer_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_UMR_POINTER_DS);
}

SEGUE_INLINE void seguei_put_wait_cq(struct seguei_build *b, bool wraps,
				     const struct segue_seg_wait_cq *v)
{
	seguei_fits(b, SEGUE_SEG_WAIT_CQ_DS);
	segue_seg_wait_cq_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_refuse_outside(b, v->max_index, 0x0u, 0xffffffu);
	seguei_refuse_outside(b, v->cqn, 0x0u, 0xffffffu);
	seguei_advance(b, SEGUE_SEG_WAIT_CQ_DS);
}

SEGUE_INLINE void seguei_put_wait_on_data(struct seguei_build *b, bool wraps,
					  const struct segue_seg_wait_on_data *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_WAIT_ON_DATA_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_WAIT_ON_DATA_DS)) {
		uint8_t packed[SEGUE_SEG_WAIT_ON_DATA_SIZE];

		segue_seg_wait_on_data_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_WAIT_ON_DATA_DS);
		return;
	}
	segue_seg_wait_on_data_pack(p, v);
	seguei_refuse_outside(b, v->operation, 0x0u, 0xfu);
	seguei_refuse_outside(b, v->invert, 0x0u, 0x1u);
	seguei_advance(b, SEGUE_SEG_WAIT_ON_DATA_DS);
}

SEGUE_INLINE void seguei_put_wait_on_time(struct seguei_build *b, bool wraps,
					  const struct segue_seg_wait_on_time *v)
{
	uint8_t *p;

	seguei_fits(b, SEGUE_SEG_WAIT_ON_TIME_DS);
	p = seguei_here_or_wrapped(b, wraps);
	if (!seguei_in_one_piece(b, p, SEGUE_SEG_WAIT_ON_TIME_DS)) {
		uint8_t packed[SEGUE_SEG_WAIT_ON_TIME_SIZE];

		segue_seg_wait_on_time_pack(packed, v);
		seguei_copy_across(b->sq, p, packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_WAIT_ON_TIME_DS);
		return;
	}
	segue_seg_wait_on_time_pack(p, v);
	seguei_refuse_outside(b, v->operation, 0x0u, 0xfu);
	seguei_refuse_outside(b, v->invert, 0x0u, 0x1u);
	seguei_advance(b, SEGUE_SEG_WAIT_ON_TIME_DS);
}

SEGUE_INLINE void seguei_put_xrc(struct seguei_build *b, bool wraps, const struct segue_seg_xrc *v)
{
	seguei_fits(b, SEGUE_SEG_XRC_DS);
	segue_seg_xrc_pack(seguei_here_or_wrapped(b, wraps), v);
	seguei_refuse_outside(b, v->xrc_srqn, 0x0u, 0xffffffu);
	seguei_advance(b, SEGUE_SEG_XRC_DS);
}

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
