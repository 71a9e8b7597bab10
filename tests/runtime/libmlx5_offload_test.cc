/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * As libmlx5_keys_test.cc, for keys with block signatures and encryption:
 * mlx5dv_wr_mkey_configure() with any choice and order of its setters, on keys of each kind, with
 * what libmlx5 remembers of a key from request to request; and the SET_PSVs behind it. The numbers
 * of protection signature values and data encryption keys, which libmlx5 keeps to itself, are
 * learned once per key. The device executes everything: in the end the queue pair must not have
 * failed.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/runtime/libmlx5_twin.h"

namespace
{

constexpr uint32_t kMaxEntries = 16; /* of a key; strided layouts take one for themselves */
constexpr uint32_t kBatch = 24;
constexpr uint32_t kBlocks = 12;       /* of the largest request with its SET_PSVs */
constexpr uint32_t kBatchesPerKey = 50; /* then new ones, which start from nothing */

enum Kind { SIG, CRYPTO, BOTH, KINDS };
enum Layout { KEEP, LIST, STRIDED };
enum State { INIT, RESET, UPDATED, SET }; /* libmlx5's, of a key's settings */

/* What libmlx5 wants pointers to. */
struct Domain {
	bool on;
	mlx5dv_sig_t10dif dif;
	mlx5dv_sig_crc crc;
	mlx5dv_sig_block_domain dv;
};

struct Request {
	Kind kind;
	Layout layout;
	bool signaled, fence, small_fence, set_access, reset, set_sig, set_crypto;
	uint32_t access, n, repeat;
	ibv_sge pieces[kMaxEntries];
	mlx5dv_mr_interleaved strides[kMaxEntries];
	Domain mem, wire;
	uint32_t sig_flags;
	uint8_t check, copy;
	mlx5dv_crypto_attr crypto;
	std::vector<int> order; /* of the setters */
};

/* A key, and what is known of it. */
struct Key {
	mlx5dv_mkey *dv = nullptr;
	State sig = INIT, crypto = INIT;
	bool told = false; /* how many signature errors there were */
	Request last_sig = {}, last_crypto = {};
	uint32_t mem_psv = 0, wire_psv = 0;
};

bool SameStructure(const Request &r)
{
	if (!r.mem.on || !r.wire.on || r.mem.dv.sig_type != r.wire.dv.sig_type ||
	    r.mem.dv.block_size != r.wire.dv.block_size)
		return false;
	return r.mem.dv.sig_type == MLX5DV_SIG_TYPE_T10DIF || r.mem.crc.type == r.wire.crc.type;
}

uint8_t Selector(mlx5dv_block_size size)
{
	switch (size) {
	case MLX5DV_BLOCK_SIZE_512:
		return SEGUE_BSF_BLOCK_SIZE_B512;
	case MLX5DV_BLOCK_SIZE_520:
		return SEGUE_BSF_BLOCK_SIZE_B520;
	case MLX5DV_BLOCK_SIZE_4048:
		return SEGUE_BSF_BLOCK_SIZE_B4048;
	case MLX5DV_BLOCK_SIZE_4096:
		return SEGUE_BSF_BLOCK_SIZE_B4096;
	default:
		return SEGUE_BSF_BLOCK_SIZE_B4160;
	}
}

/* ---- our settings ---- */

uint8_t Checksum(const Domain &d)
{
	const unsigned more = SEGUE_BSF_BFS_CRC_REPEAT |
			      (d.crc.seed ? 0u : unsigned(SEGUE_BSF_BFS_CRC_SEED));

	if (!d.on || d.dv.sig_type != MLX5DV_SIG_TYPE_CRC)
		return 0;
	switch (d.crc.type) {
	case MLX5DV_SIG_CRC_TYPE_CRC32:
		return uint8_t(SEGUE_BSF_BFS_CRC32 | more);
	case MLX5DV_SIG_CRC_TYPE_CRC32C:
		return uint8_t(SEGUE_BSF_BFS_CRC32C | more);
	default:
		return uint8_t(SEGUE_BSF_BFS_CRC64_XP10 | more);
	}
}

void Inline(const Domain &d, uint8_t *out)
{
	segue_seg_bsf_inl inl = {};

	if (!d.on || d.dv.sig_type != MLX5DV_SIG_TYPE_T10DIF)
		return;
	inl.vld_refresh = SEGUE_BSF_INL_VALID_INL_VALID | SEGUE_BSF_INL_VALID_REFRESH_DIF;
	inl.dif_apptag = d.dif.app_tag;
	inl.dif_reftag = d.dif.ref_tag;
	inl.sig_type = d.dif.bg_type == MLX5DV_SIG_T10DIF_CRC ? SEGUE_T10DIF_CRC
							      : SEGUE_T10DIF_IPCS;
	inl.rp_inv_seed = uint8_t(SEGUE_BSF_RP_INV_SEED_REPEAT_BLOCK |
				  (d.dif.bg ? unsigned(SEGUE_BSF_RP_INV_SEED_SEED) : 0));
	if (d.dif.flags & MLX5DV_SIG_T10DIF_FLAG_REF_REMAP)
		inl.dif_inc_ref_guard_check |= SEGUE_BSF_DIF_FLAG_INC_REFTAG;
	if (d.dif.flags & MLX5DV_SIG_T10DIF_FLAG_APP_REF_ESCAPE)
		inl.dif_inc_ref_guard_check |= SEGUE_BSF_DIF_FLAG_APPREF_ESCAPE;
	else if (d.dif.flags & MLX5DV_SIG_T10DIF_FLAG_APP_ESCAPE)
		inl.dif_inc_ref_guard_check |= SEGUE_BSF_DIF_FLAG_APPTAG_ESCAPE;
	inl.dif_app_bitmask_check = 0xffff;
	segue_seg_bsf_inl_pack(out, &inl);
}

/* Which bytes of a signature the device copies. */
uint8_t CopyMask(const Request &r)
{
	const mlx5dv_sig_t10dif &m = r.mem.dif, &w = r.wire.dif;

	if (r.sig_flags & MLX5DV_SIG_BLOCK_ATTR_FLAG_COPY_MASK)
		return r.copy;
	if (r.mem.dv.sig_type == MLX5DV_SIG_TYPE_CRC)
		return r.mem.crc.type == MLX5DV_SIG_CRC_TYPE_CRC64_XP10 ? SEGUE_SIG_MASK_CRC64_XP10
									: SEGUE_SIG_MASK_CRC32;
	return uint8_t((m.bg_type == w.bg_type && m.bg == w.bg ? SEGUE_SIG_MASK_T10DIF_GUARD : 0) |
		       (m.app_tag == w.app_tag ? SEGUE_SIG_MASK_T10DIF_APPTAG : 0) |
		       (m.ref_tag == w.ref_tag ? SEGUE_SIG_MASK_T10DIF_REFTAG : 0));
}

segue_seg_bsf Bsf(const Key &key)
{
	const Request &r = key.last_sig;
	segue_seg_bsf bsf = {};

	bsf.raw_data_size = UINT32_MAX;
	bsf.check_byte_mask = r.mem.on || r.wire.on ? r.check : 0;
	bsf.m_bfs = Checksum(r.mem);
	bsf.w_bfs = Checksum(r.wire);
	Inline(r.mem, bsf.m_inl);
	Inline(r.wire, bsf.w_inl);
	if (r.mem.on) {
		bsf.m_psv = key.mem_psv;
		bsf.m_bs_selector = Selector(r.mem.dv.block_size);
	}
	if (r.wire.on) {
		bsf.w_psv = key.wire_psv;
		bsf.sbs = SameStructure(r);
		bsf.w_bs_or_copy_mask = bsf.sbs ? CopyMask(r) : Selector(r.wire.dv.block_size);
	}
	return bsf;
}

/* The tweak is big-endian on a device for several data units. */
segue_seg_crypto_bsf CryptoBsf(const mlx5dv_crypto_attr &attr, uint32_t dek)
{
	const bool after = attr.signature_crypto_order ==
			   MLX5DV_SIGNATURE_CRYPTO_ORDER_SIGNATURE_AFTER_CRYPTO_ON_TX;
	segue_seg_crypto_bsf bsf = {};

	if (attr.encrypt_on_tx)
		bsf.enc_order = after ? SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_WIRE
				      : SEGUE_CRYPTO_ORDER_ENCRYPTED_WIRE_SIGNATURE;
	else
		bsf.enc_order = after ? SEGUE_CRYPTO_ORDER_ENCRYPTED_MEMORY_SIGNATURE
				      : SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_MEMORY;
	bsf.enc_standard = SEGUE_CRYPTO_STANDARD_AES_XTS;
	bsf.raw_data_size = UINT32_MAX;
	bsf.bs_pointer = Selector(attr.data_unit_size);
	std::reverse_copy(attr.initial_tweak, attr.initial_tweak + sizeof(attr.initial_tweak),
			  bsf.xts_init_tweak);
	bsf.dek_ptr = dek;
	memcpy(bsf.keytag, attr.keytag, sizeof(bsf.keytag));
	return bsf;
}

uint64_t Start(const Domain &d)
{
	if (d.dv.sig_type == MLX5DV_SIG_TYPE_T10DIF)
		return uint64_t(d.dif.bg) << 48 | uint64_t(d.dif.app_tag) << 32 | d.dif.ref_tag;
	return d.crc.type == MLX5DV_SIG_CRC_TYPE_CRC64_XP10 ? d.crc.seed : d.crc.seed << 32;
}

/* ---- the comparison ---- */

class Twin : public TwinQp
{
      public:
	Twin() : TwinQp(IBV_QPT_RC) {}

	~Twin()
	{
		DestroyKeys();
		if (dek_)
			mlx5dv_dek_destroy(dek_);
	}

	/* False if the device cannot do both, in any length, or wants its keys wrapped. */
	bool Open()
	{
		mlx5dv_context caps = {};

		caps.comp_mask = MLX5DV_CONTEXT_MASK_CRYPTO_OFFLOAD |
				 MLX5DV_CONTEXT_MASK_SIGNATURE_OFFLOAD;
		EXPECT_EQ(0, mlx5dv_query_device(Device::Get().context, &caps));
		if (!caps.sig_caps.block_prot || caps.crypto_caps.wrapped_import_method ||
		    !(caps.crypto_caps.crypto_engines &
		      MLX5DV_CRYPTO_ENGINES_CAP_AES_XTS_MULTI_BLOCK))
			return false;
		return TwinQp::Open(MLX5DV_QP_EX_WITH_MKEY_CONFIGURE) && CreateDek();
	}

	void Run(uint32_t count)
	{
		uint32_t done = 0;

		for (uint32_t batches = 0; done < count && !testing::Test::HasFailure();
		     batches++) {
			std::vector<Request> batch(1 + Below(kBatch));

			if (batches % kBatchesPerKey == 0)
				CreateKeys();
			for (Request &request : batch)
				Draw(&request);
			batch.back().signaled = true;
			Clear(kBatch * kBlocks);
			ibv_wr_start(qpx_);
			for (Request &request : batch)
				Theirs(request);
			ASSERT_EQ(0, ibv_wr_complete(qpx_));
			for (size_t i = 0; i < batch.size(); i++) {
				SCOPED_TRACE(Name(batch[i]) + ", request " + std::to_string(i) +
					     " of " + std::to_string(batch.size()));
				batch[i].small_fence = small_fence_;
				small_fence_ = true;
				ASSERT_NO_FATAL_FAILURE(Ours(batch[i]));
			}
			ASSERT_NO_FATAL_FAILURE(Drain(last_));
			done += uint32_t(batch.size());
		}
		printf("%u requests, %u blocks, %u with signatures, %u with encryption, %u with "
		       "both\n",
		       done, sq_.pi, written_[1], written_[2], written_[3]);
		ExpectAlive();
	}

      private:
	void ExpectAlive()
	{
		ibv_qp_init_attr init;
		ibv_qp_attr attr;

		EXPECT_EQ(0, ibv_query_qp(qp_, &attr, IBV_QP_STATE, &init));
		EXPECT_EQ(IBV_QPS_RTS, attr.qp_state) << "the device refused a request";
	}

	bool CreateDek()
	{
		mlx5dv_dek_init_attr attr = {};

		attr.key_purpose = MLX5DV_CRYPTO_KEY_PURPOSE_AES_XTS;
		attr.key_size = MLX5DV_CRYPTO_KEY_SIZE_256;
		attr.pd = Device::Get().pd;
		attr.comp_mask = MLX5DV_DEK_INIT_ATTR_CRYPTO_LOGIN;
		dek_ = mlx5dv_dek_create(Device::Get().context, &attr);
		EXPECT_NE(nullptr, dek_);
		return dek_;
	}

	void CreateKeys()
	{
		static const uint32_t flags[KINDS] = {MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE,
						      MLX5DV_MKEY_INIT_ATTR_FLAGS_CRYPTO,
						      MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE |
							      MLX5DV_MKEY_INIT_ATTR_FLAGS_CRYPTO};

		DestroyKeys();
		for (int kind = 0; kind < KINDS; kind++) {
			mlx5dv_mkey_init_attr attr = {};

			attr.pd = Device::Get().pd;
			attr.create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT | flags[kind];
			attr.max_entries = kMaxEntries;
			keys_[kind].dv = mlx5dv_create_mkey(&attr);
			ASSERT_NE(nullptr, keys_[kind].dv);
		}
	}

	void DestroyKeys()
	{
		for (Key &key : keys_) {
			if (key.dv) {
				EXPECT_EQ(0, mlx5dv_destroy_mkey(key.dv));
			}
			key = {};
		}
		drawn_sig_ = drawn_crypto_ = {};
	}

	/* ---- dice ---- */

	void Draw(Domain *d)
	{
		static const mlx5dv_block_size sizes[] = {
			MLX5DV_BLOCK_SIZE_512, MLX5DV_BLOCK_SIZE_520, MLX5DV_BLOCK_SIZE_4048,
			MLX5DV_BLOCK_SIZE_4096, MLX5DV_BLOCK_SIZE_4160};
		static const mlx5dv_sig_crc_type crcs[] = {MLX5DV_SIG_CRC_TYPE_CRC32,
							   MLX5DV_SIG_CRC_TYPE_CRC32C,
							   MLX5DV_SIG_CRC_TYPE_CRC64_XP10};
		const bool ones = OneIn(2);

		d->on = !OneIn(4);
		d->dv.sig_type = OneIn(2) ? MLX5DV_SIG_TYPE_T10DIF : MLX5DV_SIG_TYPE_CRC;
		d->dv.block_size = sizes[Below(5)];
		d->crc.type = crcs[Below(3)];
		d->crc.seed = !ones					      ? 0
			      : d->crc.type == MLX5DV_SIG_CRC_TYPE_CRC64_XP10 ? UINT64_MAX
									      : UINT32_MAX;
		d->dif.bg_type = OneIn(2) ? MLX5DV_SIG_T10DIF_CRC : MLX5DV_SIG_T10DIF_CSUM;
		d->dif.bg = ones ? 0xffff : 0;
		d->dif.app_tag = uint16_t(dice_());
		d->dif.ref_tag = uint32_t(dice_());
		d->dif.flags = uint16_t(Below(8)); /* all three of them */
	}

	void DrawSig(Request *r)
	{
		do {
			Draw(&r->mem);
			Draw(&r->wire);
		} while (!r->mem.on && !r->wire.on);
		if (OneIn(3)) { /* the same but for some tag */
			r->wire = r->mem;
			r->wire.on = r->mem.on = true;
			r->wire.dif.app_tag = OneIn(2) ? r->mem.dif.app_tag : uint16_t(dice_());
			r->wire.dif.ref_tag = OneIn(2) ? r->mem.dif.ref_tag : uint32_t(dice_());
		}
		r->check = uint8_t(dice_());
		r->copy = uint8_t(dice_());
		r->sig_flags = SameStructure(*r) && OneIn(2) ? MLX5DV_SIG_BLOCK_ATTR_FLAG_COPY_MASK
							     : 0;
	}

	void DrawCrypto(Request *r)
	{
		r->crypto.crypto_standard = MLX5DV_CRYPTO_STANDARD_AES_XTS;
		r->crypto.encrypt_on_tx = OneIn(2);
		r->crypto.signature_crypto_order =
			OneIn(2) ? MLX5DV_SIGNATURE_CRYPTO_ORDER_SIGNATURE_AFTER_CRYPTO_ON_TX
				 : MLX5DV_SIGNATURE_CRYPTO_ORDER_SIGNATURE_BEFORE_CRYPTO_ON_TX;
		r->crypto.data_unit_size = OneIn(2) ? MLX5DV_BLOCK_SIZE_512
						    : MLX5DV_BLOCK_SIZE_4096;
		r->crypto.dek = dek_;
		for (char &byte : r->crypto.initial_tweak)
			byte = char(dice_());
		for (char &byte : r->crypto.keytag)
			byte = char(dice_());
	}

	/* With signatures in both domains half of the orders are refused, whichever of the two is
	 * set first. */
	void MakeLegal(Request *r)
	{
		const Request &sig = r->set_sig ? *r : drawn_sig_;
		const bool both = sig.mem.on && sig.wire.on && (r->set_sig || !r->reset);
		mlx5dv_crypto_attr *c = r->set_crypto ? &r->crypto : &drawn_crypto_.crypto;

		if (r->kind != BOTH || !both || !c->dek)
			return;
		c->signature_crypto_order =
			c->encrypt_on_tx
				? MLX5DV_SIGNATURE_CRYPTO_ORDER_SIGNATURE_BEFORE_CRYPTO_ON_TX
				: MLX5DV_SIGNATURE_CRYPTO_ORDER_SIGNATURE_AFTER_CRYPTO_ON_TX;
		if (r->set_crypto)
			return;
		r->set_crypto = true; /* what was set before may be one of those */
		r->crypto = *c;
	}

	void Draw(Request *r)
	{
		*r = {};
		r->kind = Kind(Below(KINDS));
		r->layout = Layout(Below(3));
		r->signaled = OneIn(2);
		r->fence = OneIn(4);
		r->set_access = OneIn(2);
		r->reset = OneIn(4);
		r->set_sig = r->kind != CRYPTO && OneIn(2);
		r->set_crypto = r->kind != SIG && OneIn(2);
		r->access = Below(16);
		r->n = 1 + Below(kMaxEntries - 1);
		r->repeat = 1 + Below(1000);
		for (ibv_sge &piece : r->pieces)
			piece = {dice_(), 1 + Below(1 << 26), uint32_t(dice_())};
		for (mlx5dv_mr_interleaved &stride : r->strides)
			stride = {dice_(), 1 + Below(0x7fff), Below(0x7fff), uint32_t(dice_())};
		DrawSig(r);
		DrawCrypto(r);
		MakeLegal(r);
		if (r->kind == BOTH && r->reset)
			drawn_sig_ = {};
		if (r->kind == BOTH && r->set_sig)
			drawn_sig_ = *r;
		if (r->kind == BOTH && r->set_crypto)
			drawn_crypto_ = *r;
		for (int setter = 0; setter < 4; setter++)
			r->order.push_back(setter);
		std::shuffle(r->order.begin(), r->order.end(), dice_);
	}

	/* ---- theirs ---- */

	static const mlx5dv_sig_block_domain *Point(Domain *d)
	{
		if (d->dv.sig_type == MLX5DV_SIG_TYPE_T10DIF)
			d->dv.sig.dif = &d->dif;
		else
			d->dv.sig.crc = &d->crc;
		return d->on ? &d->dv : nullptr;
	}

	void Setter(Request &r, int which)
	{
		mlx5dv_sig_block_attr sig = {};

		if (which == 0 && r.set_access)
			mlx5dv_wr_set_mkey_access_flags(
				mqpx_, (r.access & 1 ? IBV_ACCESS_REMOTE_WRITE : 0) |
					       (r.access & 2 ? IBV_ACCESS_REMOTE_READ : 0) |
					       (r.access & 4 ? IBV_ACCESS_LOCAL_WRITE : 0) |
					       (r.access & 8 ? IBV_ACCESS_REMOTE_ATOMIC : 0));
		if (which == 1 && r.layout == LIST)
			mlx5dv_wr_set_mkey_layout_list(mqpx_, uint16_t(r.n), r.pieces);
		if (which == 1 && r.layout == STRIDED)
			mlx5dv_wr_set_mkey_layout_interleaved(mqpx_, r.repeat, uint16_t(r.n),
							      r.strides);
		if (which == 2 && r.set_sig) {
			sig.mem = Point(&r.mem);
			sig.wire = Point(&r.wire);
			sig.flags = r.sig_flags;
			sig.check_mask = r.check;
			sig.copy_mask = r.copy;
			mlx5dv_wr_set_mkey_sig_block(mqpx_, &sig);
		}
		if (which == 3 && r.set_crypto)
			mlx5dv_wr_set_mkey_crypto(mqpx_, &r.crypto);
	}

	void Theirs(Request &r)
	{
		const uint8_t setters = uint8_t(r.set_access + (r.layout != KEEP) + r.set_sig +
						r.set_crypto);
		mlx5dv_mkey_conf_attr conf = {};

		qpx_->wr_id = wr_id_++;
		qpx_->wr_flags = IBV_SEND_INLINE | (r.signaled ? IBV_SEND_SIGNALED : 0) |
				 (r.fence ? IBV_SEND_FENCE : 0);
		conf.conf_flags = r.reset ? MLX5DV_MKEY_CONF_FLAG_RESET_SIG_ATTR : 0;
		mlx5dv_wr_mkey_configure(mqpx_, keys_[r.kind].dv, setters, &conf);
		for (int which : r.order)
			Setter(r, which);
	}

	/* ---- ours ---- */

	/* What becomes of what libmlx5 remembers. */
	static void Remember(Key *key, const Request &r)
	{
		if (r.kind != CRYPTO && r.reset) {
			key->last_sig = {};
			key->sig = RESET;
		} else if (key->sig == UPDATED) {
			key->sig = SET;
		} else if (key->sig == RESET) {
			key->sig = INIT;
		}
		if (key->crypto == UPDATED)
			key->crypto = SET;
		if (r.set_sig) {
			key->last_sig = r;
			key->sig = UPDATED;
		}
		if (r.set_crypto) {
			key->last_crypto = r;
			key->crypto = UPDATED;
		}
	}

	uint32_t Flags(const Request &r, bool signaled, bool small_fence) const
	{
		return (signaled ? SEGUE_SIGNALED : 0) |
		       (r.fence	      ? SEGUE_FENCE
			: small_fence ? SEGUE_INITIATOR_SMALL_FENCE
				      : 0);
	}

	void Commit(int err)
	{
		ASSERT_EQ(0, err) << segue_errmsg();
	}

	/* Behind the list: no settings, those of signatures, of encryption, of both. */
	template <class W> int Finish(W w) { return segue_commit(w); }
	template <class W> int Signed(W w) { return segue_commit(segue_bsf(w, &bsf_)); }
	template <class W> int Encrypted(W w)
	{
		return segue_commit(segue_crypto_bsf(w, &crypto_bsf_));
	}
	template <class W> int SignedEncrypted(W w)
	{
		return segue_commit(segue_crypto_bsf(segue_bsf(w, &bsf_), &crypto_bsf_));
	}

	template <class W> auto Listed(W w, const Request &r)
	{
		const uint32_t n = r.layout == LIST ? r.n : 0;

		for (uint32_t i = 0; i < n; i++)
			klms_[i] = {r.pieces[i].length, r.pieces[i].lkey, r.pieces[i].addr};
		return segue_klm_list(
			segue_mkey_context(segue_umr_ctrl(w, 0, Octowords(n), mask_), &context_),
			klms_, n);
	}

	template <class W> auto Strided(W w, const Request &r)
	{
		uint32_t bytes = 0;

		for (uint32_t i = 0; i < r.n; i++) {
			entries_[i] = {};
			entries_[i].stride = uint16_t(r.strides[i].bytes_count +
						      r.strides[i].bytes_skip);
			entries_[i].byte_count = uint16_t(r.strides[i].bytes_count);
			entries_[i].memkey = r.strides[i].lkey;
			entries_[i].va = r.strides[i].addr;
			bytes += r.strides[i].bytes_count;
		}
		return segue_repeat_ent_list(
			segue_repeat_block(
				segue_mkey_context(segue_umr_ctrl(w, 0, Octowords(r.n + 1), mask_),
						   &context_),
				bytes, r.repeat, uint16_t(r.n)),
			entries_, r.n);
	}

	int PostStrided(const Request &r, uint32_t flags, uint32_t settings)
	{
		segue_rc_sq *sq = reinterpret_cast<segue_rc_sq *>(&sq_);
		const uint32_t key = keys_[r.kind].dv->lkey;

		switch (settings) {
		case 1:
			return Signed(Strided(segue_umr_interleaved_sig(sq, 0, flags, key), r));
		case 2:
			return Encrypted(
				Strided(segue_umr_interleaved_crypto(sq, 0, flags, key), r));
		case 3:
			return SignedEncrypted(
				Strided(segue_umr_interleaved_sig_crypto(sq, 0, flags, key), r));
		default:
			return Finish(Strided(segue_umr_interleaved(sq, 0, flags, key), r));
		}
	}

	int PostList(const Request &r, uint32_t flags, uint32_t settings)
	{
		segue_rc_sq *sq = reinterpret_cast<segue_rc_sq *>(&sq_);
		const uint32_t key = keys_[r.kind].dv->lkey;

		switch (settings) {
		case 1:
			return Signed(Listed(segue_umr_list_sig(sq, 0, flags, key), r));
		case 2:
			return Encrypted(Listed(segue_umr_list_crypto(sq, 0, flags, key), r));
		case 3:
			return SignedEncrypted(
				Listed(segue_umr_list_sig_crypto(sq, 0, flags, key), r));
		default:
			return Finish(Listed(segue_umr_list(sq, 0, flags, key), r));
		}
	}

	/* Bit 0: signature settings follow, bit 1: crypto settings. */
	static uint32_t Settings(const Key &key, const Request &r)
	{
		const bool crypto = key.crypto == UPDATED || key.crypto == SET;

		if (r.kind == SIG)
			return key.sig == UPDATED;
		if (key.crypto != UPDATED &&
		    (r.kind == CRYPTO || (key.sig != UPDATED && key.sig != RESET)))
			return 0;
		return (r.kind == BOTH ? 1u : 0) | (crypto ? 2u : 0);
	}

	void Context(Key *key, const Request &r, uint32_t settings)
	{
		const uint64_t access = SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE |
					SEGUE_MKEY_MASK_ACCESS_REMOTE_READ |
					SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE |
					SEGUE_MKEY_MASK_ACCESS_ATOMIC;
		const bool off = r.kind == SIG && key->sig != UPDATED && key->sig != SET;

		mask_ = SEGUE_MKEY_MASK_FREE | SEGUE_MKEY_MASK_MKEY | (r.set_access ? access : 0) |
			(r.layout != KEEP ? uint64_t(SEGUE_MKEY_MASK_LEN) : 0) |
			(settings || off ? uint64_t(SEGUE_MKEY_MASK_BSF_ENABLE) : 0);
		context_ = {};
		context_.qpn = 0xffffff;
		context_.mkey_7_0 = uint8_t(key->dv->lkey);
		context_.bsf_en = settings != 0;
		if (r.set_access)
			context_.access_flags = uint8_t(
				(r.access & 1 ? SEGUE_MKEY_ACCESS_REMOTE_WRITE : 0) |
				(r.access & 2 ? SEGUE_MKEY_ACCESS_REMOTE_READ : 0) |
				(r.access & 4 ? SEGUE_MKEY_ACCESS_LOCAL_WRITE : 0) |
				(r.access & 8 ? SEGUE_MKEY_ACCESS_ATOMIC : 0));
		for (uint32_t i = 0; r.layout == LIST && i < r.n; i++)
			context_.len += r.pieces[i].length;
		for (uint32_t i = 0; r.layout == STRIDED && i < r.n; i++)
			context_.len += uint64_t(r.strides[i].bytes_count) * r.repeat;
		if (r.kind == CRYPTO || key->told)
			return;
		key->told = true;
		mask_ |= SEGUE_MKEY_MASK_SIG_ERR;
		context_.expected_sigerr_count = 1; /* of the error that would come next */
	}

	/* Numbers that libmlx5 does not tell stand in its own settings, at the end of the request.
	 */
	void Learn(Key *key, uint32_t settings)
	{
		const uint8_t *ring = static_cast<const uint8_t *>(theirs_.sq.buf);
		const auto block = [&](uint32_t at) {
			return ring + size_t(at % theirs_.sq.wqe_cnt) * 64;
		};
		segue_seg_ctrl ctrl;
		segue_seg_crypto_bsf crypto;
		segue_seg_bsf bsf;
		uint32_t end;

		segue_seg_ctrl_unpack(&ctrl, block(sq_.pi));
		end = sq_.pi + (ctrl.ds + 3u) / 4;
		if (settings & 1) {
			segue_seg_bsf_unpack(&bsf, block(end - (settings == 3 ? 2 : 1)));
			key->mem_psv = key->mem_psv ? key->mem_psv : bsf.m_psv;
			key->wire_psv = key->wire_psv ? key->wire_psv : bsf.w_psv;
		}
		if (settings & 2 && !dek_num_) {
			segue_seg_crypto_bsf_unpack(&crypto, block(end - 1));
			dek_num_ = crypto.dek_ptr;
		}
	}

	void Ours(const Request &r)
	{
		const uint32_t start = sq_.pi;
		Key *key = &keys_[r.kind];
		uint32_t settings, flags;
		bool psvs;

		Remember(key, r);
		settings = Settings(*key, r);
		psvs = r.kind != CRYPTO && key->sig == UPDATED;
		written_[settings]++;
		Learn(key, settings);
		Context(key, r, settings);
		bsf_ = Bsf(*key);
		crypto_bsf_ = CryptoBsf(key->last_crypto.crypto, dek_num_);
		last_ = sq_.pi;
		flags = Flags(r, r.signaled && !psvs, r.small_fence);
		Commit(r.layout == STRIDED ? PostStrided(r, flags, settings)
					   : PostList(r, flags, settings));
		if (psvs && key->last_sig.mem.on)
			Psv(r, key->mem_psv, key->last_sig.mem, !key->last_sig.wire.on);
		if (psvs && key->last_sig.wire.on)
			Psv(r, key->wire_psv, key->last_sig.wire, true);
		Compare(start);
	}

	void Psv(const Request &r, uint32_t num, const Domain &d, bool last)
	{
		segue_rc_sq *sq = reinterpret_cast<segue_rc_sq *>(&sq_);

		last_ = sq_.pi;
		Commit(segue_commit(segue_psv(
			segue_set_psv(sq, 0, Flags(r, r.signaled && last, true)), num, Start(d))));
	}

	static std::string Name(const Request &r)
	{
		static const char *const kinds[] = {"signature key", "crypto key", "key for both"};
		static const char *const layouts[] = {"no layout", "list", "strides"};

		return std::string(kinds[r.kind]) + ", " + layouts[r.layout] +
		       (r.set_access ? ", access" : "") + (r.reset ? ", reset" : "") +
		       (r.set_sig ? ", signatures" : "") + (r.set_crypto ? ", crypto" : "");
	}

	void Compare(uint32_t start)
	{
		std::vector<uint8_t> a, b;

		Take(start, sq_.pi, &a, &b);
		ASSERT_EQ(a, b) << "libmlx5:\n"
				<< Hex(a.data(), a.size()) << "segue:\n"
				<< Hex(b.data(), b.size());
	}

	mlx5dv_dek *dek_ = nullptr;
	Key keys_[KINDS];
	/* of the key for both, ahead of what was posted */
	Request drawn_sig_ = {}, drawn_crypto_ = {};
	uint32_t dek_num_ = 0, last_ = 0, written_[4] = {};
	bool small_fence_ = false;
	/* of the present request */
	uint64_t mask_ = 0;
	segue_seg_mkey_context context_ = {};
	segue_seg_bsf bsf_ = {};
	segue_seg_crypto_bsf crypto_bsf_ = {};
	segue_seg_klm klms_[kMaxEntries];
	segue_seg_repeat_ent entries_[kMaxEntries];
};

TEST(Libmlx5Offload, Keys)
{
	Twin twin;

	setenv("MLX5_DEBUG_FILE", "/dev/null", 0);
	if (!Device::Get().context)
		FAIL() << "no mlx5 device; softhca LIBMLX5_TEST has one";
	if (!twin.Open())
		FAIL() << "the device has no signature and crypto offload";
	twin.Run(Count());
}

} // namespace
