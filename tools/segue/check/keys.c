// SPDX-License-Identifier: BSD-2-Clause
/* Keys and windows of the kit: what is prepared before a request, and what can be done with the key
 * afterwards. */
#include <string.h>

#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "segue/gen/segments.h"
#include "segue/mkey.h"
#include "tools/segue/check/recipes.h"

#define WINDOW 5000 /* there: what a window names */
#define BLOCK  512u
#define BLOCKS 2u

/* ---- checksums, bit by bit ---- */

static uint16_t crc_t10dif(const uint8_t *data, size_t length)
{
	uint32_t crc = 0;
	size_t i;
	int bit;

	for (i = 0; i < length; i++)
		for (bit = 7; bit >= 0; bit--) {
			const uint32_t out = (crc >> 15 ^ data[i] >> bit) & 1;

			crc = (crc << 1 ^ (out ? 0x8bb7u : 0)) & 0xffff;
		}
	return (uint16_t)crc;
}

static void protect(const uint8_t *data, uint8_t *out)
{
	uint32_t block;

	for (block = 0; block < BLOCKS; block++, data += BLOCK, out += BLOCK + 8) {
		memcpy(out, data, BLOCK);
		segue_put_be16(out + BLOCK, crc_t10dif(data, BLOCK));
		segue_put_be16(out + BLOCK + 2, 0x1234);
		segue_put_be32(out + BLOCK + 4, 77 + block);
	}
}

/* Also of bytes as a known answer is written down. */
uint32_t kit_crc32c(const uint8_t *data, size_t length)
{
	uint32_t crc = UINT32_MAX;
	size_t i;
	int bit;

	for (i = 0; i < length; i++) {
		crc ^= data[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	return ~crc;
}

/* ---- keys ---- */

/* 1040 bytes there, out of order: the pieces of KIT_PIECES, and those of the strided list. */
static const struct piece {
	uint16_t at, length, stride;
} listed[3] = {{9000, 300, 0}, {700, 500, 0}, {20000, 240, 0}},
  walked[3] = {{4096, 80, 100}, {12001, 30, 30}, {16000, 20, 1000}};

/* Wants these bytes in the pieces, or takes theirs, in the order of the key's addresses. */
static void in_pieces(const struct kit_ends *e, bool want, uint8_t *bytes)
{
	const bool strided = e->kit->value[7] != 0;
	const struct piece *const pieces = strided ? walked : listed;
	unsigned int n;

	for (n = 0; n < (strided ? 24 : 3); n++) {
		const struct piece *const p = &pieces[n % 3];
		const size_t at = p->at + (size_t)(n / 3) * p->stride;

		if (want)
			kit_want(&e->kit->there, at, bytes, p->length);
		else
			memcpy(bytes, e->kit->there.bytes + at, p->length);
		bytes += p->length;
	}
}

static bool make_key(struct kit_ends *e, uint32_t flags)
{
	const struct segue_mkey_options options = {.max_entries = 8, .flags = flags};

	if (segue_mkey_open(e->kit->pd, &options, &e->mkey))
		return kit_cannot(e->kit, segue_errmsg());
	e->kit->value[0] = segue_mkey_lkey(e->mkey).lkey;
	e->kit->value[1] = e->kit->value[0] & 0xff;
	return true;
}

bool kit_make_key(struct kit_ends *e)
{
	return make_key(e, 0);
}

/* The settings outlive the call: one thread, one recipe at a time. */
static uint8_t signature_settings[SEGUE_SEG_BSF_SIZE], crypto_settings[SEGUE_SEG_CRYPTO_BSF_SIZE];

static bool make_signature(struct kit_ends *e)
{
	const struct segue_seg_bsf_inl memory = {
		.vld_refresh = SEGUE_BSF_INL_VALID_INL_VALID | SEGUE_BSF_INL_VALID_REFRESH_DIF,
		.dif_apptag = 0x1234,
		.dif_reftag = 77,
		.sig_type = SEGUE_T10DIF_CRC,
		.rp_inv_seed = SEGUE_BSF_RP_INV_SEED_REPEAT_BLOCK,
		.dif_inc_ref_guard_check = SEGUE_BSF_DIF_FLAG_INC_REFTAG,
		.dif_app_bitmask_check = 0xffff,
	};
	struct segue_seg_bsf bsf = {.check_byte_mask = 0xff,
				    .m_bs_selector = SEGUE_BSF_BLOCK_SIZE_B512,
				    .raw_data_size = UINT32_MAX};

	if (segue_sigval_open(e->kit->pd, &e->psv[0]))
		return kit_cannot(e->kit, segue_errmsg());
	e->kit->value[2] = bsf.m_psv = segue_sigval_number(e->psv[0]);
	segue_seg_bsf_inl_pack(bsf.m_inl, &memory);
	segue_seg_bsf_pack(signature_settings, &bsf);
	e->kit->value[3] = (uintptr_t)signature_settings;
	return true;
}

/* AES-XTS with 256 bits and data units of 520 bytes: encrypted in memory, plain on the wire. */
static bool make_encryption(struct kit_ends *e)
{
	struct segue_seg_crypto_bsf bsf = {
		.enc_order = SEGUE_CRYPTO_ORDER_ENCRYPTED_MEMORY_SIGNATURE,
		.raw_data_size = UINT32_MAX,
		.bs_pointer = SEGUE_BSF_BLOCK_SIZE_B520,
		.xts_init_tweak = {[13] = 3, [14] = 2, [15] = 1}};
	struct segue_dek_options options = {.bits = 256, .key_length = 64};
	uint8_t key[64], i;

	for (i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)(i * 5 + 1);
	options.key = key;
	if (segue_dek_open(e->kit->pd, &options, &e->dek))
		return kit_cannot(e->kit, segue_errmsg());
	bsf.dek_ptr = segue_dek_number(e->dek);
	segue_seg_crypto_bsf_pack(crypto_settings, &bsf);
	e->kit->value[4] = (uintptr_t)crypto_settings;
	return true;
}

bool kit_make_signed_key(struct kit_ends *e)
{
	return make_key(e, SEGUE_MKEY_SIGNATURE) && make_signature(e);
}

bool kit_make_encrypted_key(struct kit_ends *e)
{
	return make_key(e, SEGUE_MKEY_CRYPTO) && make_encryption(e);
}

bool kit_make_both_key(struct kit_ends *e)
{
	return make_key(e, SEGUE_MKEY_SIGNATURE | SEGUE_MKEY_CRYPTO) &&
	       make_signature(e) && make_encryption(e);
}

bool kit_set_psv(struct kit_ends *e, uint64_t start)
{
	e->kit->value[6] = start;
	return kit_carry_out(e, e->a, "set_psv", 0, "set_psv psv_index=v2 transient_signature=v6");
}

/* Posts a request of `length` bytes through key v0, and takes so many completions. */
static bool through(struct kit_ends *e, struct segue_qp *by, const char *request, uint32_t length,
		    unsigned int completions)
{
	const bool write = strcmp(request, "rdma_write") == 0;
	const struct kit_post post = {
		.request = request,
		.layout = write ? "raddr remote_addr=v5 rkey=v0; data addr=here+1000 byte_count=v6 "
				  "lkey=here.lkey"
				: "raddr remote_addr=v5 rkey=v0; data addr=here+5000 byte_count=v6 "
				  "lkey=here.lkey",
		.wr_id = KIT_OTHER,
		.flags = SEGUE_SIGNALED};

	e->kit->value[6] = length;
	return kit_post_on(e, by, &post) && kit_take(e->kit, NULL, completions);
}

bool kit_read_failing(struct kit_ends *e, uint32_t length)
{
	return through(e, e->b, "rdma_read", length, 2);
}

int kit_write_through(struct kit_ends *e, struct segue_qp *by, uint32_t length)
{
	return through(e, by, "rdma_write", length, 1) ? e->kit->taken[0].wc.syndrome : -1;
}

/* CRC-32Cs of 1040 bytes as AES-XTS leaves them in memory: libcrypto's for the key, tweak and bytes
 * above. tests/segue/check_test.py asks it. */
#define ENCRYPTED	     0x8fc11567
#define SIGNED_AND_ENCRYPTED 0x3e84ed8d

bool kit_pass(struct kit_ends *e)
{
	const uint32_t length = e->psv[0] ? BLOCKS * BLOCK : 1040,
		       answer = e->psv[0] ? SIGNED_AND_ENCRYPTED : ENCRYPTED;
	uint8_t seen[1040], stored[1040];

	memcpy(stored, e->kit->here.want + 1000, sizeof(stored));
	if (e->psv[0])
		protect(e->kit->here.want + 1000, stored);
	if (e->psv[0] && !kit_set_psv(e, (uint64_t)0x1234 << 32 | 77))
		return false;
	e->kit->value[5] = 0;
	if (kit_write_through(e, e->b, length) != 0)
		return kit_say(e->kit,
			       "a write of the peer through the key failed with syndrome 0x%02x",
			       e->kit->taken[0].wc.syndrome);
	in_pieces(e, false, seen);
	if (e->dek && kit_crc32c(seen, sizeof(seen)) != answer)
		return kit_say(e->kit,
			       "what is in memory is not what AES-XTS makes of the data: its "
			       "CRC-32C is 0x%08x, not 0x%08x",
			       kit_crc32c(seen, sizeof(seen)), answer);
	in_pieces(e, true, e->dek ? seen : stored);
	if (!through(e, e->b, "rdma_read", length, 1) || e->kit->taken[0].wc.syndrome)
		return kit_say(e->kit,
			       "a read of the peer through the key failed with syndrome 0x%02x",
			       e->kit->taken[0].wc.syndrome);
	kit_want(&e->kit->here, 5000, e->kit->here.want + 1000, length);
	return true;
}

/* A list in memory, for umr_pointer. */
bool kit_put_list(struct kit_ends *e)
{
	uint8_t list[64] = {0};
	unsigned int i;

	for (i = 0; i < 3; i++) {
		const struct segue_seg_klm klm = {.byte_count = listed[i].length,
						  .mkey = e->kit->there.lkey,
						  .address = (uintptr_t)e->kit->there.bytes +
							     listed[i].at};

		segue_seg_klm_pack(list + i * SEGUE_SEG_KLM_SIZE, &klm);
	}
	kit_store(&e->kit->here, 8192, list, sizeof(list));
	return kit_make_key(e);
}

/* A key that the peer is to invalidate. It is made and used on a pair of its own, so that this
 * works on every transport. */
bool kit_key_to_invalidate(struct kit_ends *e)
{
	if (!kit_open_witness(e) || !kit_make_key(e) ||
	    !kit_carry_out(e, e->witness_a, "umr_list", (uint32_t)e->kit->value[0],
			   KIT_KEY("", "1040", "") KIT_PIECES))
		return false;
	e->kit->value[5] = 0;
	if (kit_write_through(e, e->witness_b, 64) != 0)
		return kit_say(e->kit, "a key of pieces cannot be written through");
	kit_want(&e->kit->there, 9000, e->kit->here.want + 1000, 64);
	return true;
}

bool kit_key_is_gone(struct kit_ends *e)
{
	const struct kit_wc *const wc = kit_taken(e->kit, KIT_RECEIVE);

	if (wc && (wc->wc.flags != SEGUE_WC_INVALIDATED || wc->wc.imm != e->kit->value[0]))
		return kit_say(e->kit, "the receive names key 0x%x as invalidated, not 0x%x",
			       wc->wc.imm, (unsigned int)e->kit->value[0]);
	if (kit_write_through(e, e->witness_b, 32) == 0)
		return kit_say(e->kit, "the key can still be written through");
	return true;
}

/* ---- windows ---- */

static bool make_window(struct kit_ends *e, int type)
{
	if (segue_mw_open(e->kit->pd, (enum segue_mw_type)type, &e->mw))
		return kit_cannot(e->kit, segue_errmsg());
	e->kit->value[2] = segue_mw_rkey(e->mw).rkey;
	e->kit->value[0] = segue_mw_next_rkey(e->mw).rkey;
	e->kit->value[1] = e->kit->value[0] & 0xff;
	e->kit->value[3] = type == 2 ? segue_qp_number(e->a) : 0xffffff;
	e->kit->value[5] = (uintptr_t)e->kit->there.bytes + WINDOW;
	return type == 2 || kit_open_witness(e);
}

bool kit_window2(struct kit_ends *e)
{
	return make_window(e, 2);
}

bool kit_window1(struct kit_ends *e)
{
	return make_window(e, 1);
}

bool kit_bound1(struct kit_ends *e)
{
	if (!kit_window1(e) ||
	    !kit_carry_out(e, e->a, "bind_mw_type1", (uint32_t)e->kit->value[2], KIT_WINDOW_LAYOUT))
		return false;
	e->kit->value[2] = e->kit->value[0];
	e->kit->value[0] = segue_mw_next_rkey(e->mw).rkey;
	e->kit->value[1] = e->kit->value[0] & 0xff;
	return true;
}

bool kit_bound2(struct kit_ends *e)
{
	return kit_window2(e) &&
	       kit_carry_out(e, e->a, "bind_mw", (uint32_t)e->kit->value[2], KIT_WINDOW_LAYOUT);
}

/* The peer writes into it. On queues over which a peer cannot write, a key that is not free any
 * more is evidence enough. */
bool kit_window_is_open(struct kit_ends *e)
{
	if (e->machine == &segue_rc_machine) {
		if (kit_write_through(e, e->b, 40) != 0)
			return kit_say(e->kit, "the peer cannot write through the window");
		kit_want(&e->kit->there, WINDOW, e->kit->here.want + 1000, 40);
		return true;
	}
	return kit_carry_out(e, e->a, "bind_mw", (uint32_t)e->kit->value[0], KIT_WINDOW_LAYOUT)
		       ? kit_say(e->kit, "a bound window is still free")
		       : e->kit->n_taken != 0;
}

bool kit_window_is_free(struct kit_ends *e)
{
	e->kit->value[2] = e->kit->value[0];
	e->kit->value[0] = segue_mw_next_rkey(e->mw).rkey;
	e->kit->value[1] = e->kit->value[0] & 0xff;
	return kit_carry_out(e, e->a, "bind_mw", (uint32_t)e->kit->value[2], KIT_WINDOW_LAYOUT);
}

bool kit_window1_is_open(struct kit_ends *e)
{
	if (kit_write_through(e, e->witness_b, 40) != 0)
		return kit_say(e->kit, "a peer cannot write through the window");
	kit_want(&e->kit->there, WINDOW, e->kit->here.want + 1000, 40);
	return true;
}

bool kit_window1_is_shut(struct kit_ends *e)
{
	return kit_write_through(e, e->witness_b, 40) != 0 ||
	       kit_say(e->kit, "a peer can still write through the window");
}
