/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * t10dif_store: blocks get their protection information (T10-DIF) on their way into memory, and
 * lose it, checked, on their way out.
 *
 * When to use it: storage that keeps 8 bytes behind each block: a checksum, and tags that say which
 * block it is. The peer writes and reads plain blocks; the processor computes nothing. What the
 * card must have: segue_caps.signature, and DEVX for this program. What it costs: a key that is
 * prepared by one request (and one more for its starting value) and then serves any number of
 * transfers; nothing per byte. What to mind: a block that is wrong is delivered all the same. What
 * is wrong comes as a completion of its own, before that of the request, and the key reports the
 * next one when a UMR has told it that this one was seen.
 */
#include <string.h>

#include "pair.h"
#include "segue/mkey.h"
#include "segue/qp.h"

#define BLOCK  512u
#define BLOCKS 8u
#define DIF    8u /* guard 2, application tag 2, reference tag 4 bytes; big-endian */
#define STORED (BLOCKS * (BLOCK + DIF))
#define APP    0x5347u
#define FIRST  4711u /* number of the first block: its reference tag */

static struct {
	uint8_t plain[BLOCKS * BLOCK];
	uint8_t store[STORED];
	uint8_t back[BLOCKS * BLOCK];
} memory;

/* CRC-16 with T10's polynomial, bit by bit: for the check, not for the data path. */
static uint16_t guard(const uint8_t *bytes, size_t length)
{
	uint32_t crc = 0;
	int bit;

	while (length--) {
		crc ^= (uint32_t)*bytes++ << 8;
		for (bit = 0; bit < 8; bit++)
			crc = crc << 1 ^ (crc & 0x8000 ? 0x8bb7 : 0);
		crc &= 0xffff;
	}
	return (uint16_t)crc;
}

/* The key names the store; its addresses begin at 0 and count plain bytes. */
static void prepare(struct pair *p, const struct segue_mkey *mkey, const struct segue_sigval *value,
		    uint32_t errors_seen)
{
	const uint32_t key = segue_mkey_lkey(mkey).lkey;
	const uint64_t mask = SEGUE_MKEY_MASK_FREE | SEGUE_MKEY_MASK_MKEY | SEGUE_MKEY_MASK_LEN |
			      SEGUE_MKEY_MASK_BSF_ENABLE | SEGUE_MKEY_MASK_SIG_ERR |
			      SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE |
			      SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE |
			      SEGUE_MKEY_MASK_ACCESS_REMOTE_READ;
	const struct segue_seg_klm piece = {.byte_count = STORED,
					    .mkey = segue_mr_lkey(p->mr).lkey,
					    .address = (uintptr_t)memory.store};
	const struct segue_seg_mkey_context context = {
		.qpn = 0xffffff, /* any queue pair */
		.mkey_7_0 = (uint8_t)key,
		.len = STORED,
		.bsf_en = 1,
		.expected_sigerr_count = (errors_seen + 1) & 1,
		.access_flags = SEGUE_MKEY_ACCESS_LOCAL_WRITE | SEGUE_MKEY_ACCESS_REMOTE_WRITE |
				SEGUE_MKEY_ACCESS_REMOTE_READ};
	const struct segue_seg_bsf_inl tags = {
		.vld_refresh = SEGUE_BSF_INL_VALID_INL_VALID | SEGUE_BSF_INL_VALID_REFRESH_DIF,
		.dif_apptag = APP,
		.dif_reftag = FIRST,
		.sig_type = SEGUE_T10DIF_CRC,
		.rp_inv_seed = SEGUE_BSF_RP_INV_SEED_REPEAT_BLOCK,
		.dif_inc_ref_guard_check = SEGUE_BSF_DIF_FLAG_INC_REFTAG,
		.dif_app_bitmask_check = 0xffff};
	struct segue_seg_bsf settings = {.check_byte_mask = SEGUE_SIG_MASK_T10DIF_GUARD |
							    SEGUE_SIG_MASK_T10DIF_APPTAG |
							    SEGUE_SIG_MASK_T10DIF_REFTAG,
					 .m_bs_selector = SEGUE_BSF_BLOCK_SIZE_B512,
					 .m_psv = segue_sigval_number(value),
					 .raw_data_size = UINT32_MAX};
	struct segue_rc_sq *sq = segue_qp_rc_sq(p->a);

	segue_seg_bsf_inl_pack(settings.m_inl, &tags);
	must(segue_post(segue_bsf(
		segue_klm_list(segue_mkey_context(segue_umr_ctrl(segue_umr_list_sig(sq, 1, 0, key),
								 0, 4, mask),
						  &context),
			       &piece, 1),
		&settings)));
	must(segue_post(segue_psv(segue_set_psv(sq, 2, SEGUE_SIGNALED), segue_sigval_number(value),
				  (uint64_t)APP << 32 | FIRST)));
	pair_complete(p, 1);
}

static void peer_writes(struct pair *p, uint32_t rkey)
{
	struct segue_local_buf plain;

	must(segue_mr_local_buf(p->mr, 0, sizeof(memory.plain), &plain));
	must(segue_post(segue_sge_buf(
		segue_raddr(segue_rdma_write(segue_qp_rc_sq(p->b), 3, SEGUE_SIGNALED), 0, rkey),
		plain)));
	pair_complete(p, 1);
}

/* Sends what the key names to `back`; true if every block was what its protection information says,
 * else the first that was not. */
static bool read_back(struct pair *p, const struct segue_mkey *mkey,
		      struct segue_sig_err_cqe *error)
{
	const uint64_t start = (uint64_t)(memory.back - (uint8_t *)&memory);
	struct segue_wc_details details;
	struct segue_remote_buf back;
	bool good = true;
	struct segue_wc wc;

	must(segue_mr_remote_buf(p->mr, start, sizeof(memory.back), &back));
	must(segue_post(
		segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(p->a), 4, SEGUE_SIGNALED),
				      back.addr, back.key.rkey),
			  0, sizeof(memory.back), segue_mkey_lkey(mkey).lkey)));
	for (;;) {
		const int got = segue_cq_poll_details(p->cq, 1, &wc, &details);

		must(got);
		if (got && wc.syndrome == SEGUE_WC_SIGNATURE_ERR) {
			*error = details.signature;
			good = false;
		} else if (got) {
			break;
		}
	}
	if (!wc.syndrome)
		return good;
	fprintf(stderr, "Reading failed with syndrome 0x%02x.\n", wc.syndrome);
	exit(1);
}

static bool stored_right(uint32_t number)
{
	const uint8_t *block = memory.store + number * (BLOCK + DIF), *dif = block + BLOCK;

	return !memcmp(block, memory.plain + number * BLOCK, BLOCK) &&
	       segue_get_be16(dif) == guard(block, BLOCK) && segue_get_be16(dif + 2) == APP &&
	       segue_get_be32(dif + 4) == FIRST + number;
}

int main(void)
{
	struct segue_sig_err_cqe error;
	struct segue_sigval *value;
	const struct segue_mkey_options key_options = {.max_entries = 4,
						       .flags = SEGUE_MKEY_SIGNATURE};
	struct segue_mkey *mkey;
	struct pair p;
	uint32_t i;

	for (i = 0; i < sizeof(memory.plain); i++)
		memory.plain[i] = (uint8_t)(i * 13 + (i >> 7));
	pair_open(&p, &memory, sizeof(memory));
	must(segue_qp_supports(p.a, "umr_list_sig"));
	must(segue_mkey_open(p.pd, &key_options, &mkey));
	must(segue_sigval_open(p.pd, &value));

	prepare(&p, mkey, value, 0);
	peer_writes(&p, segue_mkey_rkey(mkey).rkey);
	for (i = 0; i < BLOCKS; i++)
		if (!stored_right(i)) {
			fprintf(stderr, "Block %u lies there without its protection information.\n",
				i);
			return 1;
		}
	if (!read_back(&p, mkey, &error) ||
	    memcmp(memory.back, memory.plain, sizeof(memory.plain))) {
		fprintf(stderr, "What was stored did not come back.\n");
		return 1;
	}

	memory.store[3 * (BLOCK + DIF) + 100] ^= 1; /* the disk forgets a bit */
	if (read_back(&p, mkey, &error) || error.syndrome != SEGUE_SIG_ERR_SYNDROME_GUARD ||
	    error.sig_err_offset / (BLOCK + DIF) != 3) {
		fprintf(stderr, "Nobody has seen that a bit is wrong.\n");
		return 1;
	}
	memory.store[3 * (BLOCK + DIF) + 100] ^= 1;
	prepare(&p, mkey, value, 1);
	if (!read_back(&p, mkey, &error)) {
		fprintf(stderr, "The block is right again, but the key does not say so.\n");
		return 1;
	}
	printf("%u blocks stored with T10-DIF, checked on their way out; a wrong bit was found in "
	       "block 3.\n",
	       BLOCKS);
	pair_close(&p);
	return 0;
}
