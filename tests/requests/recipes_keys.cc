// SPDX-License-Identifier: BSD-2-Clause
// Keys of several pieces, listed or walked in turn, plain, signed, encrypted or both. A peer writes
// through the key: what then lies in memory is what libcrypto and ISA-L make of it. Then it reads
// back what it has written.
#include "segue/detail/bytes.h"
#include "segue/mkey.h"
#include "tests/requests/keys.h"
#include "tests/requests/refusal.h"
#include "tests/softhca/sig_oracle.h"

namespace requests {
namespace {

constexpr uint32_t PIECES = 3, ROUNDS = 8, STORED = 1040; // bytes that the key names
constexpr uint64_t PSV_ID = 60, PEER_ID = 61;

struct Block {
	size_t at;
	uint32_t length, stride;
};

// Out of order, and with gaps.
constexpr Block LISTED[PIECES] = {{9000, 300, 0}, {700, 500, 0}, {20000, 240, 0}};
constexpr Block WALKED[PIECES] = {{4096, 80, 100}, {12001, 30, 30}, {16000, 20, 1000}};

// The key's bytes in the order of its addresses, as pieces of memory.
std::vector<Block> in_order(bool strided)
{
	std::vector<Block> all;

	for (uint32_t round = 0; round < (strided ? ROUNDS : 1); round++)
		for (const Block &b : strided ? WALKED : LISTED)
			all.push_back({b.at + (size_t)round * b.stride, b.length, 0});
	return all;
}

void store(Memory &m, bool strided, const oracle::Bytes &bytes)
{
	size_t from = 0;

	ASSERT_EQ(STORED, bytes.size());
	for (const Block &b : in_order(strided)) {
		m.put(b.at, bytes.data() + from, b.length);
		from += b.length;
	}
}

template <bool STRIDED, bool SIG, bool CRYPTO> struct Request;

#define REQUEST(strided, sig, crypto, name)                                    \
	template <> struct Request<strided, sig, crypto> {                     \
		using Args = segue_rc_##name##_args;                           \
		static auto begin(segue_rc_sq *sq, uint32_t key)               \
		{                                                              \
			return segue_##name(sq, SEND_ID, SEGUE_SIGNALED, key); \
		}                                                              \
		static int call(segue_rc_sq *sq, const Args *args)             \
		{                                                              \
			return segue_post_##name(sq, args);                    \
		}                                                              \
	};
REQUEST(false, false, false, umr_list)
REQUEST(false, true, false, umr_list_sig)
REQUEST(false, false, true, umr_list_crypto)
REQUEST(false, true, true, umr_list_sig_crypto)
REQUEST(true, false, false, umr_interleaved)
REQUEST(true, true, false, umr_interleaved_sig)
REQUEST(true, false, true, umr_interleaved_crypto)
REQUEST(true, true, true, umr_interleaved_sig_crypto)

// T10-DIF behind each 512 bytes in memory and nothing on the wire; AES-XTS with 520 bytes per unit,
// encrypted in memory.
template <bool STRIDED, bool SIG, bool CRYPTO> oracle::Settings settings(Ends<Rc> &r)
{
	oracle::Settings s;

	if (SIG) {
		segue_sigval *psv = nullptr;

		EXPECT_OK(segue_sigval_open(r.pd, &psv));
		s.mem.kind = STRIDED ? oracle::DIF_SUM : oracle::DIF_CRC;
		s.mem.block = 512;
		s.mem.app = 0x1234;
		s.mem.ref = 77;
		s.mem.grows = true;
		s.mem.psv = psv ? segue_sigval_number(psv) : 0;
	}
	if (CRYPTO) {
		segue_dek_options options = {};
		segue_dek *dek = nullptr;

		s.crypto.on = true;
		s.crypto.unit = 520;
		s.crypto.key = oracle::Bytes(r.here.bytes, r.here.bytes + 64);
		s.crypto.tweak = {1, 2, 3};
		options.bits = 256;
		options.key = s.crypto.key.data();
		options.key_length = s.crypto.key.size();
		EXPECT_OK(segue_dek_open(r.pd, &options, &dek));
		s.crypto.dek = dek ? segue_dek_number(dek) : 0;
	}
	return s;
}

template <bool STRIDED, bool SIG, bool CRYPTO> struct Parts {
	explicit Parts(Ends<Rc> &r) : s(settings<STRIDED, SIG, CRYPTO>(r))
	{
		const oracle::Bytes bytes = s.Bsf(SIG);

		EXPECT_OK(open_mkey(r.pd, 8,
				    (SIG ? SEGUE_MKEY_SIGNATURE : 0) |
					    (CRYPTO ? SEGUE_MKEY_CRYPTO : 0),
				    &mkey));
		key = segue_mkey_lkey(mkey).lkey;
		context = key_context(key, STORED);
		if (SIG) {
			EXPECT_TRUE(segue_seg_bsf_unpack(&bsf, bytes.data()));
		}
		if (CRYPTO) {
			EXPECT_TRUE(segue_seg_crypto_bsf_unpack(&crypto_bsf,
								bytes.data() + (SIG ? 64 : 0)));
		}
		// the builder sees to it: nothing may pass through in plain because it was
		// forgotten
		context.bsf_en = SIG && !CRYPTO;
		context.expected_sigerr_count = SIG;
		for (uint32_t i = 0; i < PIECES; i++) {
			klms[i] = {LISTED[i].length, r.there.lkey(), r.there.at(LISTED[i].at)};
			entries[i] = {(uint16_t)WALKED[i].stride, (uint16_t)WALKED[i].length,
				      r.there.lkey(), r.there.at(WALKED[i].at)};
		}
	}
	template <class B> int finish(B b)
	{
		if constexpr (SIG && CRYPTO)
			return segue_post(segue_crypto_bsf(segue_bsf(b, &bsf), &crypto_bsf));
		else if constexpr (SIG)
			return segue_post(segue_bsf(b, &bsf));
		else if constexpr (CRYPTO)
			return segue_post(segue_crypto_bsf(b, &crypto_bsf));
		else
			return segue_post(b);
	}
	template <class Q> int build(Q *sq)
	{
		auto w = segue_mkey_context(
			segue_umr_ctrl(Request<STRIDED, SIG, CRYPTO>::begin(sq, key), 0, 4, mask),
			&context);

		if constexpr (STRIDED)
			return finish(segue_repeat_ent_list(
				segue_repeat_block(w, STORED / ROUNDS, ROUNDS, PIECES), entries,
				PIECES));
		else
			return finish(segue_klm_list(w, klms, PIECES));
	}
	template <class A> void fill(A &args)
	{
		args.mkey = key;
		args.klm_octowords = 4;
		args.mkey_mask = mask;
		args.mkey_context = &context;
		if constexpr (STRIDED) {
			args.byte_count = STORED / ROUNDS, args.repeat_count = ROUNDS,
			args.num_ent = PIECES;
			args.repeat_ents = entries, args.repeat_ent_count = PIECES;
		} else {
			args.klms = klms, args.klm_count = PIECES;
		}
		if constexpr (SIG)
			args.bsf = &bsf;
		if constexpr (CRYPTO)
			args.crypto_bsf = &crypto_bsf;
	}

	static constexpr uint64_t mask = KEY_MASK |
					 (SIG || CRYPTO ? SEGUE_MKEY_MASK_BSF_ENABLE : 0) |
					 (SIG ? SEGUE_MKEY_MASK_SIG_ERR : 0);
	const oracle::Settings s;
	segue_mkey *mkey = nullptr;
	uint32_t key = 0;
	segue_seg_mkey_context context;
	segue_seg_bsf bsf = {};
	segue_seg_crypto_bsf crypto_bsf = {};
	segue_seg_klm klms[PIECES];
	segue_seg_repeat_ent entries[PIECES];
};

// The peer writes through the key, and reads back.
void pass_through(Ends<Rc> &r, uint32_t key, const oracle::Settings &s, bool strided, uint32_t size)
{
	const oracle::Bytes data(r.here.bytes + 1000, r.here.bytes + 1000 + size);

	ASSERT_OK(segue_post(segue_sge(
		segue_raddr(segue_rdma_write(segue_qp_rc_sq(r.b), PEER_ID, SEGUE_SIGNALED), 0, key),
		r.here.at(1000), size, r.here.lkey())));
	r.complete({PEER_ID});
	ASSERT_NO_FATAL_FAILURE(store(r.there, strided, s.Memory(data, false)));
	r.compare();
	ASSERT_OK(segue_post(segue_sge(
		segue_raddr(segue_rdma_read(segue_qp_rc_sq(r.b), PEER_ID, SEGUE_SIGNALED), 0, key),
		r.here.at(5000), size, r.here.lkey())));
	r.complete({PEER_ID});
	r.here.put(5000, data.data(), size);
	r.compare();
}

template <bool STRIDED, bool SIG, bool CRYPTO> void layout(Ends<Rc> &r)
{
	Parts<STRIDED, SIG, CRYPTO> parts(r);

	r.settings = &parts.s;
	r.post<typename Request<STRIDED, SIG, CRYPTO>::Args>(
		[&](auto *sq) { return parts.build(sq); }, [&](auto &args) { parts.fill(args); },
		Request<STRIDED, SIG, CRYPTO>::call);
	r.complete({SEND_ID});
	if (SIG) {
		ASSERT_OK(segue_post(segue_psv(
			segue_set_psv(segue_qp_rc_sq(r.a), PSV_ID, SEGUE_SIGNALED), parts.s.mem.psv,
			(uint64_t)parts.s.mem.app << 32 | parts.s.mem.ref)));
		r.complete({PSV_ID});
	}
	pass_through(r, parts.key, parts.s, STRIDED, SIG ? 1024 : STORED);
}

// A region's key is no indirect one.
template <bool STRIDED, bool SIG, bool CRYPTO> void for_a_region(Ends<Rc> &r)
{
	Parts<STRIDED, SIG, CRYPTO> parts(r);

	parts.key = r.here.lkey();
	parts.context.mkey_7_0 = (uint8_t)parts.key;
	fails(
		r, [&](auto *sq) { return parts.build(sq); }, SEGUE_CQE_SYNDROME_MW_BIND_ERR,
		"may be changed by UMR");
}

// The same with a list in memory.
void pointer_for_a_region(Ends<Rc> &r)
{
	const uint32_t key = r.there.lkey();
	const segue_seg_mkey_context context = key_context(key, STORED);

	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_list_pointer(
				segue_mkey_context(
					segue_umr_ctrl(
						segue_umr_pointer(sq, SEND_ID, SEGUE_SIGNALED, key),
						0, 4, 0, KEY_MASK),
					&context),
				r.here.at(8192), r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_MW_BIND_ERR, "may be changed by UMR");
}

// The list itself is in memory.
void pointer(Ends<Rc> &r)
{
	const uint32_t key = segue_mkey_lkey(open_key(r)).lkey;
	const segue_seg_mkey_context context = key_context(key, STORED);
	uint8_t list[64] = {};

	for (uint32_t i = 0; i < PIECES; i++) {
		segue_put_be32(list + 16 * i, LISTED[i].length);
		segue_put_be32(list + 16 * i + 4, r.there.lkey());
		segue_put_be64(list + 16 * i + 8, r.there.at(LISTED[i].at));
	}
	r.here.store(8192, list, sizeof(list));
	r.post<segue_rc_umr_pointer_args>(
		[&](auto *sq) {
			return segue_post(segue_list_pointer(
				segue_mkey_context(
					segue_umr_ctrl(
						segue_umr_pointer(sq, SEND_ID, SEGUE_SIGNALED, key),
						0, 4, 0, KEY_MASK),
					&context),
				r.here.at(8192), r.here.lkey()));
		},
		[&](auto &args) {
			args.mkey = key, args.klm_octowords = 4, args.mkey_mask = KEY_MASK,
			args.mkey_context = &context;
			args.address = r.here.at(8192), args.list_pointer_mkey = r.here.lkey();
		},
		[](auto *sq, auto *args) { return segue_post_umr_pointer(sq, args); });
	r.complete({SEND_ID});
	pass_through(r, key, oracle::Settings(), false, STORED);
}

// The start of a running checksum: the CRC behind the first block is made from it.
void set_psv(Ends<Rc> &r)
{
	constexpr uint32_t FLAGS = SEGUE_SIGNALED | SEGUE_INITIATOR_SMALL_FENCE; // behind the UMR

	for (const bool ones : {true, false}) {
		oracle::Settings s;
		segue_sigval *psv;

		ASSERT_OK(segue_sigval_open(r.pd, &psv));
		s.mem.kind = oracle::CRC32C;
		s.mem.block = 512;
		s.mem.ones = ones;
		s.mem.psv = segue_sigval_number(psv);

		segue_seg_bsf bsf;
		segue_mkey *mkey;

		ASSERT_TRUE(segue_seg_bsf_unpack(&bsf, s.Bsf().data()));
		ASSERT_OK(open_mkey(r.pd, 4, SEGUE_MKEY_SIGNATURE, &mkey));
		const uint32_t key = segue_mkey_lkey(mkey).lkey;
		const segue_seg_klm piece = {1032, r.there.lkey(), r.there.at(3000)};
		segue_seg_mkey_context context = key_context(key, 1032);

		context.bsf_en = context.expected_sigerr_count = 1;
		ASSERT_OK(segue_post(segue_bsf(
			segue_klm_list(
				segue_mkey_context(
					segue_umr_ctrl(segue_umr_list_sig(r.sq(), 1, 0, key), 0, 4,
						       KEY_MASK | SEGUE_MKEY_MASK_BSF_ENABLE |
							       SEGUE_MKEY_MASK_SIG_ERR),
					&context),
				&piece, 1),
			&bsf)));
		const uint64_t start = ones ? UINT64_C(0xffffffff) << 32 : 0;

		r.settings = &s;
		r.post<segue_rc_set_psv_args>(
			[&](auto *sq) {
				return segue_post(segue_psv(segue_set_psv(sq, SEND_ID, FLAGS),
							    s.mem.psv, start));
			},
			[&](auto &args) {
				args.psv_index = s.mem.psv, args.transient_signature = start;
			},
			[](auto *sq, auto *args) { return segue_post_set_psv(sq, args); }, FLAGS);
		r.complete({SEND_ID});
		EXPECT_EQ(0, write_through(r, r.b, key, 1024));
		const oracle::Bytes want = s.Memory(
			oracle::Bytes(r.here.bytes, r.here.bytes + 1024), false);

		ASSERT_EQ(1032u, want.size());
		r.there.put(3000, want.data(), want.size());
		r.compare();
	}
}

/*
 * Values come back as SET_PSV has set them: 16 bytes each, the signature in the second half. What
 * stands first is the device's.
 */
void get_psv(Ends<Rc> &r)
{
	const uint64_t starts[2] = {UINT64_C(0x1122334455667788), UINT64_C(0x99aabbccddeeff01)};
	segue_seg_get_psv get = {};

	get.num_psv = 2;
	get.l_key = r.here.lkey();
	get.va = r.here.at(8192);
	for (int i = 0; i < 2; i++) {
		segue_sigval *psv;

		ASSERT_OK(segue_sigval_open(r.pd, &psv));
		(i ? get.psv_index_1 : get.psv_index_0) = segue_sigval_number(psv);
		ASSERT_OK(segue_post(segue_psv(segue_set_psv(r.sq(), PSV_ID, SEGUE_SIGNALED),
					       segue_sigval_number(psv), starts[i])));
		r.complete({PSV_ID});
	}
	r.post<segue_rc_get_psv_args>(
		[&](auto *sq) {
			return segue_post(
				segue_psv_get(segue_get_psv(sq, SEND_ID, SEGUE_SIGNALED), &get));
		},
		[&](auto &args) { args.get_psv = &get; },
		[](auto *sq, auto *args) { return segue_post_get_psv(sq, args); });
	r.complete({SEND_ID});
	for (int i = 0; i < 2; i++) {
		uint8_t value[8];

		segue_put_be64(value, starts[i]);
		r.here.put(8192 + 16 * i, r.here.bytes + 8192 + 16 * i, 8);
		r.here.put(8200 + 16 * i, value, sizeof(value));
	}
	r.compare();
}

const bool added =
	(Entries<Rc>()
		 .add("get_psv", {}, get_psv)
		 .by({MLX5DV})
		 .add("umr_pointer", {}, pointer)
		 .by({LIBMLX5})
		 .add("umr_list", {}, layout<false, false, false>)
		 .add("umr_interleaved", {}, layout<true, false, false>)
		 // a sum of words, which is arithmetic
		 .add("umr_interleaved_sig", {}, layout<true, true, false>)
		 .by({ISAL, LIBMLX5})
		 .add("umr_list_sig", {}, layout<false, true, false>)
		 .add("set_psv", {}, set_psv)
		 .by({LIBCRYPTO, LIBMLX5})
		 .add("umr_list_crypto", {}, layout<false, false, true>)
		 .add("umr_interleaved_crypto", {}, layout<true, false, true>)
		 .add("umr_interleaved_sig_crypto", {}, layout<true, true, true>)
		 .by({ISAL, LIBCRYPTO, LIBMLX5})
		 .add("umr_list_sig_crypto", {}, layout<false, true, true>),
	 Entries<Rc>()
		 .refused()
		 .add("umr_list", {}, for_a_region<false, false, false>, false)
		 .add("umr_interleaved", {}, for_a_region<true, false, false>, false)
		 .add("umr_list_sig", {}, for_a_region<false, true, false>, false)
		 .add("umr_interleaved_sig", {}, for_a_region<true, true, false>, false)
		 .add("umr_list_crypto", {}, for_a_region<false, false, true>, false)
		 .add("umr_interleaved_crypto", {}, for_a_region<true, false, true>, false)
		 .add("umr_list_sig_crypto", {}, for_a_region<false, true, true>, false)
		 .add("umr_interleaved_sig_crypto", {}, for_a_region<true, true, true>, false)
		 .add("umr_pointer", {}, pointer_for_a_region, false),
	 true);

} // namespace
} // namespace requests
