// SPDX-License-Identifier: BSD-2-Clause
/*
 * RC that writes through keys with signatures, with encryption, or with both, and reads back
 * through them. What lies in memory then is what libcrypto and ISA-L make of it. Now and then a
 * byte of that memory is changed: the device must say so, once, and give the data all the same.
 */
#include "segue/mkey.h"
#include "tests/requests/mixed/pairs.h"
#include "tests/softhca/sig_oracle.h"

namespace requests {
namespace {

constexpr uint32_t KEYS = 4, UNITS = 2, DATA = 512, SIGNED = DATA + 8, PIECES = 3, ROUNDS = 8,
		   VALUE_BYTES = 16;
constexpr size_t PLACE = 2 * UNITS * SIGNED;

// A key, and memory of its own that it leads to.
struct Vault {
	segue_mkey *mkey = nullptr;
	bool sig, crypto, strided = false;
	oracle::Settings settings;
	std::vector<size_t> order; // where each byte of the key is in the place
	size_t at;		   // the place
	bool stored = false; // it holds what the settings say
	bool busy = false, fresh = false; // a request of this batch uses it, and writes to it
	bool changed = false;	   // but for one byte
	bool told = false;	   // of that, since the last UMR
	uint16_t syndrome = 0;  // where it is known what is found
	uint32_t errors = 0, due = 0; // that were told, that should have been
};

struct Protected : PairOf<Rc> {
	using PairOf<Rc>::PairOf;

	bool has(Kind kind) const override
	{
		switch (kind) {
		// the device may have made the key before it is told that a request in front of it
		// is refused
		case STORE:
			return !line().failed &&
			       std::any_of(vaults, vaults + KEYS,
					   [](const Vault &v) { return !v.busy; });
		case FETCH: // likewise, and what it reads it looks at
			return !line().failed &&
			       std::any_of(vaults, vaults + KEYS,
					   [](const Vault &v) { return v.stored; });
		case VALUE:
			return !line().failed && !valued;
		default:
			return PairOf<Rc>::has(kind);
		}
	}
	Wrong wrong_of(Kind kind) override
	{
		return kind == STORE			? LOCAL_KEY
		       : kind == FETCH || kind == VALUE ? NONE
							: PairOf<Rc>::wrong_of(kind);
	}

	void open() override
	{
		ASSERT_NO_FATAL_FAILURE(PairOf<Rc>::open());
		memory.resize(KEYS * PLACE);
		for (uint8_t &byte : memory)
			byte = (uint8_t)test.random();
		want = memory;
		memory_key = segue_mr_lkey(test.share(memory.data(), memory.size())).lkey;
		ASSERT_OK(segue_sigval_open(test.pd, &value));
		for (uint32_t i = 0; i < KEYS; i++)
			ASSERT_NO_FATAL_FAILURE(open_vault(vaults[i], i));
	}
	void prepare() override
	{
		ASSERT_NO_FATAL_FAILURE(PairOf<Rc>::prepare());
		valued = false;
		for (Vault &v : vaults) {
			v.busy = v.fresh = false;
			if (v.stored && !v.changed && !test.below(16))
				change(v);
		}
	}
	void finish() override
	{
		EXPECT_EQ(0, memcmp(memory.data(), want.data(), memory.size()))
			<< "behind the keys of pair " << number << ", after" << kinds;
		for (const Vault &v : vaults)
			EXPECT_EQ(v.due, v.errors)
				<< "signatures that were told to be wrong of key " << &v - vaults
				<< " of pair " << number;
		for (const size_t at : undefined)
			here.forgive(at, VALUE_BYTES / 2);
		undefined.clear();
	}

protected:
	int post_memory(Kind kind, const Plan &o) override
	{
		switch (kind) {
		case STORE:
			return store(o);
		case FETCH:
			return fetch(o);
		case VALUE:
			return read_value(o);
		default:
			return PairOf<Rc>::post_memory(kind, o);
		}
	}

private:
	void open_vault(Vault &v, uint32_t i)
	{
		v.sig = i != 1;
		v.crypto = i != 0 && i != 3;
		v.at = i * PLACE;
		ASSERT_OK(open_mkey(
			test.pd, 8,
			(v.sig ? (unsigned)SEGUE_MKEY_SIGNATURE : 0) |
				(v.crypto ? (unsigned)SEGUE_MKEY_CRYPTO : 0),
			&v.mkey));
		test.signatures[segue_mkey_lkey(v.mkey).lkey] =
			[this, &v](const segue_sig_err_cqe &error) { told(v, error); };
		if (v.sig) {
			segue_sigval *psv;

			ASSERT_OK(segue_sigval_open(test.pd, &psv));
			v.settings.mem.psv = segue_sigval_number(psv);
			v.settings.mem.block = DATA;
		}
		if (v.crypto) {
			segue_dek_options options = {};
			segue_dek *dek;

			v.settings.crypto.on = true;
			for (int k = 0; k < 64; k++)
				v.settings.crypto.key.push_back((uint8_t)test.random());
			v.settings.crypto.unit = v.sig ? SIGNED : DATA;
			options.bits = 256;
			options.key = v.settings.crypto.key.data();
			options.key_length = v.settings.crypto.key.size();
			ASSERT_OK(segue_dek_open(test.pd, &options, &dek));
			v.settings.crypto.dek = segue_dek_number(dek);
		}
	}

	// Another life of a key: other settings, other pieces.
	void renew(Vault &v)
	{
		oracle::Side &side = v.settings.mem;

		if (v.sig) {
			const oracle::Kind kinds_of[] = {oracle::DIF_CRC, oracle::DIF_SUM,
							 oracle::CRC32C, oracle::CRC32,
							 oracle::CRC64};

			// of 8 bytes, where units of encryption have that size
			side.kind = kinds_of[test.below(v.crypto ? 2 : 5)];
			side.ones = test.below(2);
			side.app = side.Dif() ? (uint16_t)test.random() : 0;
			side.ref = side.Dif() ? (uint32_t)test.random() : 0;
			side.grows = side.Dif() && test.below(2);
		}
		for (uint8_t &byte : v.settings.crypto.tweak)
			byte = (uint8_t)test.random();
		v.strided = !v.strided;
	}
	static uint32_t size_of(const Vault &v)
	{
		return UNITS * (DATA + (v.sig ? v.settings.mem.Size() : 0));
	}

	int store(const Plan &o)
	{
		Vault *v;
		do
			v = &vaults[next++ % KEYS];
		while (v->busy);
		const uint32_t flags = behind_key(o.flags), key = segue_mkey_lkey(v->mkey).lkey;
		const oracle::Bytes data(here.bytes + o.from, here.bytes + o.from + UNITS * DATA);
		int ret;

		v->busy = v->fresh = true;
		renew(*v);
		ret = v->strided ? make_strided(*v) : make_list(*v);
		if (!ret && v->sig)
			ret = set_value(v->settings.mem.psv, start_of(v->settings.mem));
		if (ret)
			return ret;
		before = [v] {
			v->stored = v->told = v->changed = false;
		};
		after = [this, v, data] {
			const oracle::Bytes stored = v->settings.Memory(data, false);

			ASSERT_EQ(v->order.size(), stored.size());
			for (size_t i = 0; i < stored.size(); i++)
				want[v->at + v->order[i]] = stored[i];
			v->stored = true;
		};
		return segue_post(segue_sge(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), o.wr_id, flags), 0, key),
			here.at(o.from), UNITS * DATA, o.lkey));
	}

	// By the peer's key, or out of this side's: to the peer's memory.
	int fetch(const Plan &o)
	{
		Vault *v;
		do
			v = &vaults[test.below(KEYS)];
		while (!v->stored);
		const uint32_t key = segue_mkey_lkey(v->mkey).lkey;
		const oracle::Bytes data = given(*v);

		v->busy = true;
		// this side's key does not wait for what the peer's is to bring
		if (v->fresh || test.below(2)) {
			has_read = true;
			after = [this, v, o, data] {
				here.put(o.result, data.data(), data.size());
				read(*v);
			};
			return segue_post(segue_sge(
				segue_raddr(segue_rdma_read(segue_qp_rc_sq(a), o.wr_id, o.flags), 0,
					    key),
				here.at(o.result), UNITS * DATA, here.key));
		}
		after = [this, v, o, data] {
			there.put(o.at, data.data(), data.size());
			read(*v);
		};
		return segue_post(
			segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), o.wr_id, o.flags),
					      there.at(o.at), there.rkey),
				  0, UNITS * DATA, key));
	}

	// A value is set, and comes back: in the second half of what is written, as the first one
	// is the device's.
	int read_value(const Plan &o)
	{
		const uint64_t signature = (uint64_t)test.random() << 32 | o.imm;
		segue_seg_get_psv get = {};

		valued = true;
		get.num_psv = 1;
		get.l_key = here.key;
		get.va = here.at(o.result);
		get.psv_index_0 = segue_sigval_number(value);
		if (const int ret = set_value(get.psv_index_0, signature))
			return ret;
		after = [this, o, signature] {
			uint8_t bytes[8];

			segue_put_be64(bytes, signature);
			here.put(o.result + VALUE_BYTES / 2, bytes, sizeof(bytes));
			undefined.push_back(o.result);
		};
		return segue_post(segue_psv_get(
			segue_get_psv(segue_qp_rc_sq(a), o.wr_id, behind_key(o.flags)), &get));
	}
	int set_value(uint32_t number_of, uint64_t signature)
	{
		test.silent.insert(test.next_id);
		return segue_post(segue_psv(segue_set_psv(segue_qp_rc_sq(a), test.next_id++,
							  SEGUE_INITIATOR_SMALL_FENCE),
					    number_of, signature));
	}
	// Where signatures of blocks start from.
	static uint64_t start_of(const oracle::Side &side)
	{
		switch (side.kind) {
		case oracle::DIF_CRC:
		case oracle::DIF_SUM:
			return (side.ones ? UINT64_C(0xffff) << 48 : 0) | (uint64_t)side.app << 32 |
			       side.ref;
		case oracle::CRC64:
			return side.ones ? UINT64_MAX : 0;
		default:
			return side.ones ? UINT64_C(0xffffffff) << 32 : 0;
		}
	}

	segue_seg_mkey_context context_of(const Vault &v) const
	{
		segue_seg_mkey_context context = {};

		context.qpn = ANYBODY;
		context.mkey_7_0 = (uint8_t)segue_mkey_lkey(v.mkey).lkey;
		context.access_flags = SEGUE_MKEY_ACCESS_LOCAL_WRITE |
				       SEGUE_MKEY_ACCESS_REMOTE_WRITE |
				       SEGUE_MKEY_ACCESS_REMOTE_READ;
		context.len = size_of(v);
		context.bsf_en = 1;
		context.expected_sigerr_count = v.sig ? (v.errors + 1) & 1 : 0;
		return context;
	}
	// The UMR with the settings that the key is for. `list` adds what the key leads to.
	template <class List, class Sig, class Crypto, class Both>
	int make(const Vault &v, List list, Sig sig, Crypto crypto, Both both)
	{
		const oracle::Bytes bytes = v.settings.Bsf(v.sig);
		segue_seg_crypto_bsf secret = {};
		segue_seg_bsf signs = {};

		if (v.sig) {
			EXPECT_TRUE(segue_seg_bsf_unpack(&signs, bytes.data()));
		}
		if (v.crypto) {
			EXPECT_TRUE(segue_seg_crypto_bsf_unpack(&secret,
								bytes.data() + (v.sig ? 64 : 0)));
		}
		test.silent.insert(test.next_id);
		if (!v.crypto)
			return segue_post(segue_bsf(list(sig(test.next_id++)), &signs));
		if (!v.sig)
			return segue_post(segue_crypto_bsf(list(crypto(test.next_id++)), &secret));
		return segue_post(
			segue_crypto_bsf(segue_bsf(list(both(test.next_id++)), &signs), &secret));
	}
	uint64_t mask_of(const Vault &v) const
	{
		return SEGUE_MKEY_MASK_FREE | SEGUE_MKEY_MASK_MKEY | SEGUE_MKEY_MASK_LEN |
		       SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE | SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE |
		       SEGUE_MKEY_MASK_ACCESS_REMOTE_READ | SEGUE_MKEY_MASK_BSF_ENABLE |
		       (v.sig ? SEGUE_MKEY_MASK_SIG_ERR : 0);
	}
	uint64_t address(const Vault &v, size_t offset) const
	{
		return (uintptr_t)memory.data() + v.at + offset;
	}

	// Pieces that lie in the opposite order, with gaps.
	int make_list(Vault &v)
	{
		const segue_seg_mkey_context context = context_of(v);
		const uint32_t size = size_of(v), key = segue_mkey_lkey(v.mkey).lkey,
			       first = 1 + test.below(size - 2),
			       second = 1 + test.below(size - first - 1);
		const uint32_t lengths[PIECES] = {first, second, size - first - second};
		segue_seg_klm klms[PIECES];
		size_t end = PLACE - test.below(100);

		v.order.clear();
		for (uint32_t i = 0; i < PIECES; i++) {
			end -= lengths[i] + test.below(200);
			klms[i] = {lengths[i], memory_key, address(v, end)};
			for (uint32_t k = 0; k < lengths[i]; k++)
				v.order.push_back(end + k);
		}
		segue_rc_sq *const sq = segue_qp_rc_sq(a);

		return make(
			v,
			[&](auto with) {
				return segue_klm_list(
					segue_mkey_context(segue_umr_ctrl(with, 0, 4, mask_of(v)),
							   &context),
					klms, PIECES);
			},
			[=](uint64_t id) { return segue_umr_list_sig(sq, id, 0, key); },
			[=](uint64_t id) { return segue_umr_list_crypto(sq, id, 0, key); },
			[=](uint64_t id) { return segue_umr_list_sig_crypto(sq, id, 0, key); });
	}
	// Blocks of two pieces in turn.
	int make_strided(Vault &v)
	{
		const segue_seg_mkey_context context = context_of(v);
		const uint32_t round = size_of(v) / ROUNDS, first = 1 + test.below(round - 1),
			       key = segue_mkey_lkey(v.mkey).lkey;
		const uint32_t lengths[2] = {first, round - first},
			       strides[2] = {lengths[0] + test.below(64),
					     lengths[1] + test.below(64)};
		segue_seg_repeat_ent entries[2];
		size_t at = 0;

		for (int i = 0; i < 2; i++) {
			entries[i] = {(uint16_t)strides[i], (uint16_t)lengths[i], memory_key,
				      address(v, at)};
			at += ROUNDS * strides[i];
		}
		v.order.clear();
		for (uint32_t turn = 0; turn < ROUNDS; turn++)
			for (uint32_t i = 0; i < 2; i++)
				for (uint32_t k = 0; k < lengths[i]; k++)
					v.order.push_back((i ? ROUNDS * strides[0] : 0) +
							  turn * strides[i] + k);
		segue_rc_sq *const sq = segue_qp_rc_sq(a);

		return make(
			v,
			[&](auto with) {
				return segue_repeat_ent_list(
					segue_repeat_block(
						segue_mkey_context(
							segue_umr_ctrl(with, 0, 4, mask_of(v)),
							&context),
						round, ROUNDS, 2),
					entries, 2);
			},
			[=](uint64_t id) { return segue_umr_interleaved_sig(sq, id, 0, key); },
			[=](uint64_t id) { return segue_umr_interleaved_crypto(sq, id, 0, key); },
			[=](uint64_t id) {
				return segue_umr_interleaved_sig_crypto(sq, id, 0, key);
			});
	}

	// What lies behind the key, deciphered: blocks, each with its signature.
	oracle::Bytes plain(const Vault &v) const
	{
		oracle::Bytes bytes;

		for (const size_t at : v.order)
			bytes.push_back(want[v.at + at]);
		return v.crypto ? oracle::Crypt(v.settings.crypto, false, bytes) : bytes;
	}
	static oracle::Bytes data_of(const oracle::Bytes &bytes)
	{
		const size_t unit = bytes.size() / UNITS;
		oracle::Bytes data;

		for (size_t i = 0; i < UNITS; i++)
			data.insert(data.end(), bytes.begin() + (ptrdiff_t)(i * unit),
				    bytes.begin() + (ptrdiff_t)(i * unit + DATA));
		return data;
	}
	// The first block that does not fit its signature; or as many as there are.
	uint32_t wrong_unit(const Vault &v) const
	{
		const oracle::Bytes bytes = plain(v),
				    right = oracle::Encode(v.settings.mem, data_of(bytes));

		return v.sig ? (uint32_t)(first_difference(bytes.data(), right.data(),
							   bytes.size()) /
					  (bytes.size() / UNITS))
			     : UNITS;
	}
	oracle::Bytes given(const Vault &v) const { return data_of(plain(v)); }
	void read(Vault &v)
	{
		v.due += wrong_unit(v) < UNITS && !v.told;
		v.told = v.told || wrong_unit(v) < UNITS;
	}
	void told(Vault &v, const segue_sig_err_cqe &error)
	{
		const uint32_t unit = wrong_unit(v);

		v.errors++;
		ASSERT_GT(UNITS, unit) << "a signature is told to be wrong that is not, of pair "
				       << number << ", after" << kinds;
		EXPECT_EQ(unit * (size_of(v) / UNITS), error.sig_err_offset);
		if (v.syndrome) {
			EXPECT_EQ(v.syndrome, error.syndrome);
		}
	}
	// A bit turns over in memory.
	void change(Vault &v)
	{
		const size_t index = test.below(size_of(v)), in_unit = index % (size_of(v) / UNITS),
			     at = v.at + v.order[index];

		memory[at] = want[at] = want[at] ^ (uint8_t)(1 << test.below(8));
		v.changed = true;
		v.syndrome = v.crypto ? 0
			     : !v.settings.mem.Dif() || in_unit < DATA + 2
				     ? SEGUE_SIG_ERR_SYNDROME_GUARD
			     : in_unit < DATA + 4 ? SEGUE_SIG_ERR_SYNDROME_APPTAG
						  : SEGUE_SIG_ERR_SYNDROME_REFTAG;
	}

	Vault vaults[KEYS];
	uint32_t next = 0;
	std::vector<uint8_t> memory, want;
	uint32_t memory_key = 0;
	segue_sigval *value = nullptr;
	bool valued = false; // in this batch
	std::vector<size_t> undefined;
};

} // namespace

std::unique_ptr<Pair> make_protected(Mixed &test, uint32_t number)
{
	return std::unique_ptr<Pair>(new Protected(test, number));
}

} // namespace requests
