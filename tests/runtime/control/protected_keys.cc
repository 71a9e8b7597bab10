// SPDX-License-Identifier: BSD-2-Clause
// Keys with signatures and encryption, through builders alone. docs/protected-keys.md shows parts
// of this.
#include <algorithm>

#include "fixture.h"
#include "segue/gen/cqes.h"
#include "segue/mkey.h"

namespace {

constexpr uint32_t kBlock = 512, kBlocks = 3, kData = kBlocks * kBlock, kCrc = 4,
		   kCoded = kData + kBlocks * kCrc;

// Bit by bit.
uint32_t Crc32c(const uint8_t *p, size_t n)
{
	uint32_t crc = ~0u;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

class Protect : public Control {
protected:
	void SetUp() override
	{
		Control::SetUp();
		for (size_t i = 0; i < sizeof(plain); i++)
			plain[i] = (uint8_t)(i * i >> 3);
		plain_mr = share(plain, sizeof(plain));
		coded_mr = share(coded, sizeof(coded));
		back_mr = share(back, sizeof(back));
		a = open_for_umr();
		b = open(SEGUE_QP_RC);
		connect(a, b);
	}

	// Control, key context, four pieces and settings have 16 units.
	segue_qp *open_for_umr()
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);
		segue_qp *qp = nullptr;

		options.max_wqe_units = 16;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		return qp;
	}

	void expect_good(size_t n)
	{
		for (const segue_wc &wc : take(n))
			EXPECT_EQ(0, wc.syndrome) << "opcode " << (int)wc.opcode;
	}

	// What a UMR changes of the key, and that it gets settings.
	segue_seg_mkey_context context(uint32_t length)
	{
		segue_seg_mkey_context key = {};

		key.qpn = 0xffffff;
		key.mkey_7_0 = (uint8_t)segue_mkey_lkey(mkey).lkey;
		key.access_flags = SEGUE_MKEY_ACCESS_LOCAL_WRITE | SEGUE_MKEY_ACCESS_REMOTE_WRITE |
				   SEGUE_MKEY_ACCESS_REMOTE_READ;
		key.len = length;
		key.bsf_en = 1;
		key.expected_sigerr_count = (errors_seen + 1) & 1;
		return key;
	}

	static constexpr uint64_t mask = SEGUE_MKEY_MASK_FREE | SEGUE_MKEY_MASK_MKEY |
					 SEGUE_MKEY_MASK_LEN | SEGUE_MKEY_MASK_BSF_ENABLE |
					 SEGUE_MKEY_MASK_SIG_ERR |
					 SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE |
					 SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE |
					 SEGUE_MKEY_MASK_ACCESS_REMOTE_READ;

	segue_seg_klm piece_of(uint32_t length)
	{
		segue_seg_klm piece = {};

		piece.byte_count = length;
		piece.mkey = segue_mr_lkey(coded_mr).lkey;
		piece.address = (uintptr_t)coded;
		return piece;
	}

	// CRC32C behind every 512 bytes in memory, nothing on the wire.
	void sign()
	{
		const segue_seg_mkey_context key = context(kCoded);
		const segue_seg_klm piece = piece_of(kCoded);
		segue_seg_bsf bsf = {};

		bsf.check_byte_mask = SEGUE_SIG_MASK_CRC32;
		bsf.m_bs_selector = SEGUE_BSF_BLOCK_SIZE_B512;
		bsf.m_bfs = SEGUE_BSF_BFS_CRC32C | SEGUE_BSF_BFS_CRC_REPEAT;
		bsf.m_psv = segue_sigval_number(psv);
		bsf.raw_data_size = UINT32_MAX;
		ASSERT_OK(segue_post(segue_bsf(
			segue_klm_list(segue_mkey_context(
					       segue_umr_ctrl(segue_umr_list_sig(
								      segue_qp_rc_sq(a), 1, 0,
								      segue_mkey_lkey(mkey).lkey),
							      0, 4, mask),
					       &key),
				       &piece, 1),
			&bsf)));
		ASSERT_OK(segue_post(segue_psv(segue_set_psv(segue_qp_rc_sq(a), 2, SEGUE_SIGNALED),
					       segue_sigval_number(psv),
					       UINT64_C(0xffffffff) << 32)));
		expect_good(1);
	}

	// Encrypted in memory, plain on the wire.
	void encrypt(uint64_t tag)
	{
		const segue_seg_mkey_context key = context(kData);
		const segue_seg_klm piece = piece_of(kData);
		segue_seg_crypto_bsf bsf = {};

		bsf.enc_order = SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_MEMORY;
		bsf.raw_data_size = UINT32_MAX;
		bsf.bs_pointer = SEGUE_BSF_BLOCK_SIZE_B512;
		bsf.xts_init_tweak[15] = 5; // big-endian
		bsf.dek_ptr = segue_dek_number(dek);
		memcpy(bsf.keytag, &tag, sizeof(tag));
		ASSERT_OK(segue_post(segue_crypto_bsf(
			segue_klm_list(
				segue_mkey_context(
					segue_umr_ctrl(segue_umr_list_crypto(
							       segue_qp_rc_sq(a), 1, SEGUE_SIGNALED,
							       segue_mkey_lkey(mkey).lkey),
						       0, 4, mask & ~SEGUE_MKEY_MASK_SIG_ERR),
					&key),
				&piece, 1),
			&bsf)));
		expect_good(1);
	}

	void write_to_key()
	{
		ASSERT_OK(segue_post(segue_sge(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(b), 3, SEGUE_SIGNALED), 0,
				    segue_mkey_rkey(mkey).rkey),
			(uintptr_t)plain, kData, segue_mr_lkey(plain_mr).lkey)));
		expect_good(1);
	}

	void write_from_key()
	{
		segue_remote_buf remote;

		ASSERT_OK(segue_mr_remote_buf(back_mr, 0, kData, &remote));
		ASSERT_OK(segue_post(segue_sge(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), 4, SEGUE_SIGNALED),
				    remote.addr, remote.key.rkey),
			0, kData, segue_mkey_lkey(mkey).lkey)));
	}

	segue_dek_options key_options()
	{
		segue_dek_options options = {};

		for (size_t i = 0; i < sizeof(secret); i++)
			secret[i] = (uint8_t)(i + 1);
		options.bits = 256;
		options.has_keytag = 1;
		options.key = secret;
		options.key_length = sizeof(secret);
		return options;
	}

	uint8_t plain[kData], coded[4096] = {}, back[4096] = {}, secret[72];
	segue_mr *plain_mr, *coded_mr, *back_mr;
	segue_qp *a, *b;
	segue_mkey *mkey = nullptr;
	segue_sigval *psv = nullptr;
	segue_dek *dek = nullptr;
	uint8_t errors_seen = 0;
};

TEST_F(Protect, SignaturesAreMadeAndChecked)
{
	segue_sig_err_cqe error;
	uint32_t crc;

	ASSERT_OK(open_mkey(pd, 4, SEGUE_MKEY_SIGNATURE, &mkey));
	ASSERT_OK(segue_sigval_open(pd, &psv));
	ASSERT_NO_FATAL_FAILURE(sign());
	ASSERT_NO_FATAL_FAILURE(write_to_key());
	for (uint32_t i = 0; i < kBlocks; i++) {
		const uint8_t *block = coded + i * (kBlock + kCrc);

		EXPECT_EQ(0, memcmp(plain + i * kBlock, block, kBlock)) << i;
		memcpy(&crc, block + kBlock, sizeof(crc));
		EXPECT_EQ(Crc32c(block, kBlock), crc) << i;
	}
	ASSERT_NO_FATAL_FAILURE(write_from_key());
	expect_good(1);
	EXPECT_EQ(0, memcmp(plain, back, kData));

	coded[kBlock + kCrc + 7] ^= 1;
	ASSERT_NO_FATAL_FAILURE(write_from_key());
	const std::vector<segue_wc> got = take(2); // the data pass all the same
	ASSERT_EQ((uint32_t)SEGUE_CQE_OPCODE_SIG_ERR, got[0].opcode);
	EXPECT_EQ((uint32_t)SEGUE_CQE_OPCODE_REQ, got[1].opcode);
	ASSERT_TRUE(segue_sig_err_cqe_unpack(&error, got[0].cqe));
	EXPECT_EQ(segue_mkey_lkey(mkey).lkey, error.mkey);
	EXPECT_EQ((uint32_t)SEGUE_SIG_ERR_SYNDROME_GUARD, error.syndrome);
	EXPECT_EQ(kBlock + kCrc, error.sig_err_offset);
	EXPECT_EQ(Crc32c(coded + kBlock + kCrc, kBlock), error.actual_trans_sig);
	EXPECT_EQ(segue_qp_number(a), error.qpn);
	errors_seen = 1; // the key reports the next one when a UMR has told it so
	ASSERT_NO_FATAL_FAILURE(sign());
	ASSERT_NO_FATAL_FAILURE(write_from_key());
	EXPECT_EQ((uint32_t)SEGUE_CQE_OPCODE_SIG_ERR, take(2)[0].opcode);
}

TEST_F(Protect, DataAreEncryptedInMemory)
{
	const segue_dek_options options = key_options();
	uint64_t tag;

	memcpy(&tag, secret + 64, sizeof(tag));
	ASSERT_OK(open_mkey(pd, 4, SEGUE_MKEY_CRYPTO, &mkey));
	ASSERT_OK(segue_dek_open(pd, &options, &dek));
	ASSERT_NO_FATAL_FAILURE(encrypt(tag));
	ASSERT_NO_FATAL_FAILURE(write_to_key());
	EXPECT_NE(0, memcmp(plain, coded, 16));
	ASSERT_NO_FATAL_FAILURE(write_from_key());
	expect_good(1);
	EXPECT_EQ(0, memcmp(plain, back, kData));
}

TEST_F(Protect, OptionsThatMakeNoSense)
{
	segue_dek_options options = key_options();
	segue_sigval *other;

	EXPECT_EQ(-EINVAL, open_mkey(pd, 4, 4, &mkey));
	EXPECT_SAYS("flags are 0x4");
	options.bits = 192;
	EXPECT_EQ(-EINVAL, segue_dek_open(pd, &options, &dek));
	EXPECT_SAYS("bits is 192");
	options = key_options();
	options.key_length = 71;
	EXPECT_EQ(-EINVAL, segue_dek_open(pd, &options, &dek));
	EXPECT_SAYS("expected 72");
	options.key_length = 129;
	EXPECT_EQ(-EINVAL, segue_dek_open(pd, &options, &dek));
	options.key = nullptr;
	EXPECT_EQ(-EINVAL, segue_dek_open(pd, &options, &dek));
	ASSERT_OK(segue_sigval_open(pd, &psv));
	ASSERT_OK(segue_sigval_open(pd, &other));
	EXPECT_NE(segue_sigval_number(psv), segue_sigval_number(other));
	EXPECT_OK(segue_sigval_close(other));
	EXPECT_OK(segue_sigval_close(nullptr));
	EXPECT_OK(segue_dek_close(nullptr));
}

} // namespace
