/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * encrypted_store: data are encrypted (AES-XTS) on their way into memory and decrypted on their way
 * out.
 *
 * When to use it: storage whose memory, or disk behind it, must not see plain data, while peers
 * send and read them plain; or the other way round, with plain memory and encrypted data on the
 * wire (SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_WIRE). What the card must have: segue_caps.crypto, and
 * DEVX for this program. A card that takes keys wrapped wants a login first
 * (mlx5dv_crypto_login(3)).
 * What it costs: one request that prepares a key, which then serves any number of transfers;
 * nothing per byte. What to mind: a transfer is whole data units, as the tweak of a unit follows
 * from its place behind the start of the key. The key's bytes should not stay in the program's
 * memory.
 */
#include <openssl/evp.h>
#include <string.h>

#include "pair.h"
#include "segue/mkey.h"
#include "segue/qp.h"

#define UNIT  512u
#define UNITS 8u
#define FIRST 3u /* the tweak of the first unit */

static struct {
	uint8_t plain[UNITS * UNIT];
	uint8_t store[UNITS * UNIT];
	uint8_t back[UNITS * UNIT];
} memory;

/* Two keys of 256 bits, for the data and for the tweak. A real one is random. */
static uint8_t secret[64];

/* The key names the store; its addresses begin at 0. */
static void prepare(struct pair *p, const struct segue_mkey *mkey, const struct segue_dek *dek)
{
	const uint32_t key = segue_mkey_lkey(mkey).lkey;
	const uint64_t mask = SEGUE_MKEY_MASK_FREE | SEGUE_MKEY_MASK_MKEY | SEGUE_MKEY_MASK_LEN |
			      SEGUE_MKEY_MASK_BSF_ENABLE | SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE |
			      SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE |
			      SEGUE_MKEY_MASK_ACCESS_REMOTE_READ;
	const struct segue_seg_klm piece = {.byte_count = sizeof(memory.store),
					    .mkey = segue_mr_lkey(p->mr).lkey,
					    .address = (uintptr_t)memory.store};
	const struct segue_seg_mkey_context context = {
		.qpn = 0xffffff, /* any queue pair */
		.mkey_7_0 = (uint8_t)key,
		.len = sizeof(memory.store),
		.bsf_en = 1,
		.access_flags = SEGUE_MKEY_ACCESS_LOCAL_WRITE | SEGUE_MKEY_ACCESS_REMOTE_WRITE |
				SEGUE_MKEY_ACCESS_REMOTE_READ};
	const struct segue_seg_crypto_bsf settings = {
		.enc_order = SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_MEMORY,
		.raw_data_size = UINT32_MAX,
		.bs_pointer = SEGUE_BSF_BLOCK_SIZE_B512,
		/* big-endian on cards that take several units per key */
		.xts_init_tweak = {[15] = FIRST},
		.dek_ptr = segue_dek_number(dek)};

	must(segue_post(segue_crypto_bsf(
		segue_klm_list(segue_mkey_context(
				       segue_umr_ctrl(segue_umr_list_crypto(segue_qp_rc_sq(p->a), 1,
									    SEGUE_SIGNALED, key),
						      0, 4, mask),
				       &context),
			       &piece, 1),
		&settings)));
	pair_complete(p, 1);
}

/* What must lie in the store, from a library that has nothing to do with the card. */
static void encrypt(uint8_t *out)
{
	EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
	uint32_t unit;
	int length;

	for (unit = 0; unit < UNITS; unit++) {
		const uint8_t tweak[16] = {(uint8_t)(FIRST + unit)};

		if (!cipher ||
		    !EVP_EncryptInit_ex(cipher, EVP_aes_256_xts(), NULL, secret, tweak) ||
		    !EVP_EncryptUpdate(cipher, out + unit * UNIT, &length,
				       memory.plain + unit * UNIT, UNIT)) {
			fprintf(stderr, "OpenSSL does not encrypt.\n");
			exit(1);
		}
	}
	EVP_CIPHER_CTX_free(cipher);
}

int main(void)
{
	const struct segue_dek_options options = {
		.bits = 256, .key = secret, .key_length = sizeof(secret)};
	uint8_t expected[sizeof(memory.store)];
	struct segue_local_buf plain, back;
	const struct segue_mkey_options key_options = {.max_entries = 4,
						       .flags = SEGUE_MKEY_CRYPTO};
	struct segue_mkey *mkey;
	struct segue_dek *dek;
	struct pair p;
	uint32_t i;

	for (i = 0; i < sizeof(secret); i++)
		secret[i] = (uint8_t)(i * 7 + 1);
	for (i = 0; i < sizeof(memory.plain); i++)
		memory.plain[i] = (uint8_t)(i * 13 + (i >> 7));
	pair_open(&p, &memory, sizeof(memory));
	must(segue_qp_supports(p.a, "umr_list_crypto"));
	must(segue_mkey_open(p.pd, &key_options, &mkey));
	must(segue_dek_open(p.pd, &options, &dek));
	prepare(&p, mkey, dek);

	/* The peer writes plain data ... */
	must(segue_mr_local_buf(p.mr, 0, sizeof(memory.plain), &plain));
	must(segue_post(
		segue_sge_buf(segue_raddr(segue_rdma_write(segue_qp_rc_sq(p.b), 2, SEGUE_SIGNALED),
					  0, segue_mkey_rkey(mkey).rkey),
			      plain)));
	pair_complete(&p, 1);
	encrypt(expected);
	if (memcmp(memory.store, expected, sizeof(expected))) {
		fprintf(stderr, "The store does not hold what OpenSSL makes of the data.\n");
		return 1;
	}
	/* ... and reads the last two units as plain data again. */
	must(segue_mr_local_buf(p.mr, sizeof(memory.plain) + sizeof(memory.store), 2 * UNIT,
				&back));
	must(segue_post(
		segue_sge_buf(segue_raddr(segue_rdma_read(segue_qp_rc_sq(p.b), 3, SEGUE_SIGNALED),
					  (UNITS - 2) * UNIT, segue_mkey_rkey(mkey).rkey),
			      back)));
	pair_complete(&p, 1);
	if (memcmp(memory.back, memory.plain + (UNITS - 2) * UNIT, 2 * UNIT)) {
		fprintf(stderr, "What was stored does not come back.\n");
		return 1;
	}
	printf("%u bytes lie encrypted, as OpenSSL would have made them; peers saw them plain.\n",
	       (unsigned int)sizeof(memory.store));
	pair_close(&p);
	return 0;
}
