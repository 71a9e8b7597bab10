// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/mirror_keys.h"

#include <string.h>

#include <algorithm>

#include "tests/softhca/sig_verbs.h"

namespace requests {
namespace {

// A key of libmlx5's, new, that has the number of Segue's: libmlx5 goes by its public members.
struct Key {
	Key(const Posted &posted, uint32_t flags)
	{
		mlx5dv_mkey_init_attr attr = {};

		attr.pd = Device::Get().pd;
		attr.create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT | flags;
		attr.max_entries = 16;
		mkey = mlx5dv_create_mkey(&attr);
		EXPECT_NE(nullptr, mkey) << strerror(errno);
		own = *mkey;
		if (posted.has("mkey_context"))
			mkey->lkey = mkey->rkey = (uint32_t)posted.value("ctrl", "imm");
	}
	~Key()
	{
		*mkey = own;
		EXPECT_EQ(0, mlx5dv_destroy_mkey(mkey));
	}

	mlx5dv_mkey *mkey, own;
};

struct Dek {
	explicit Dek(const oracle::Settings &s)
	{
		mlx5dv_dek_init_attr attr = {};

		attr.key_size = s.crypto.key.size() == 32 ? MLX5DV_CRYPTO_KEY_SIZE_128
							  : MLX5DV_CRYPTO_KEY_SIZE_256;
		attr.key_purpose = MLX5DV_CRYPTO_KEY_PURPOSE_AES_XTS;
		attr.pd = Device::Get().pd;
		std::copy(s.crypto.key.begin(), s.crypto.key.end(), attr.key);
		attr.comp_mask = MLX5DV_DEK_INIT_ATTR_CRYPTO_LOGIN;
		if (s.crypto.on)
			dek = mlx5dv_dek_create(Device::Get().context, &attr);
		EXPECT_EQ(s.crypto.on, dek != nullptr) << strerror(errno);
	}
	~Dek()
	{
		if (dek) {
			EXPECT_EQ(0, mlx5dv_dek_destroy(dek));
		}
	}

	mlx5dv_dek *dek = nullptr;
};

std::vector<ibv_sge> pieces_of(const Posted &posted)
{
	std::vector<ibv_sge> pieces;

	for (size_t i = 0; i < posted.count("klm"); i++)
		if (posted.value("klm", "byte_count", i)) // else it pads the list
			pieces.push_back({posted.value("klm", "address", i),
					  (uint32_t)posted.value("klm", "byte_count", i),
					  (uint32_t)posted.value("klm", "mkey", i)});
	return pieces;
}

std::vector<mlx5dv_mr_interleaved> turns_of(const Posted &posted)
{
	std::vector<mlx5dv_mr_interleaved> turns;

	for (size_t i = 0; i < posted.value("repeat_block", "num_ent"); i++) {
		const uint32_t bytes = (uint32_t)posted.value("repeat_ent", "byte_count", i);

		turns.push_back({posted.value("repeat_ent", "va", i), bytes,
				 (uint32_t)posted.value("repeat_ent", "stride", i) - bytes,
				 (uint32_t)posted.value("repeat_ent", "memkey", i)});
	}
	return turns;
}

mlx5dv_qp_ex *start(Sender *sender)
{
	ibv_wr_start(sender->poster.qpx);
	sender->poster.qpx->wr_id = 1;
	sender->poster.qpx->wr_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE;
	return sender->poster.mqpx;
}

} // namespace

void post_list(const Posted &posted, Op, Sender *sender)
{
	const Key key(posted, 0);
	std::vector<ibv_sge> pieces = pieces_of(posted);

	mlx5dv_wr_mr_list(start(sender), key.mkey, access_of(posted, "mkey_context"),
			  (uint16_t)pieces.size(), pieces.data());
	sender->complete();
}

void post_interleaved(const Posted &posted, Op, Sender *sender)
{
	const Key key(posted, 0);
	std::vector<mlx5dv_mr_interleaved> turns = turns_of(posted);

	mlx5dv_wr_mr_interleaved(start(sender), key.mkey, access_of(posted, "mkey_context"),
				 (uint32_t)posted.value("repeat_block", "repeat_count"),
				 (uint16_t)turns.size(), turns.data());
	sender->complete();
}

void post_protected(const Posted &posted, Op, Sender *sender)
{
	const oracle::Settings &s = *posted.settings;
	const bool sig = s.mem.kind != oracle::NONE;
	const Key key(posted, (sig ? MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE : 0) |
				      (s.crypto.on ? MLX5DV_MKEY_INIT_ATTR_FLAGS_CRYPTO : 0));
	const Dek dek(s);
	mlx5dv_mkey_conf_attr conf = {};
	mlx5dv_qp_ex *const qp = start(sender);

	mlx5dv_wr_mkey_configure(qp, key.mkey, (uint8_t)(2 + sig + s.crypto.on), &conf);
	mlx5dv_wr_set_mkey_access_flags(
		qp, posted.has("mkey_context") ? access_of(posted, "mkey_context") : 0);
	if (posted.has("repeat_block")) {
		const std::vector<mlx5dv_mr_interleaved> turns = turns_of(posted);

		mlx5dv_wr_set_mkey_layout_interleaved(
			qp, (uint32_t)posted.value("repeat_block", "repeat_count"),
			(uint16_t)turns.size(), turns.data());
	} else {
		const std::vector<ibv_sge> pieces = pieces_of(posted);

		mlx5dv_wr_set_mkey_layout_list(qp, (uint16_t)pieces.size(), pieces.data());
	}
	oracle::Set(qp, s, sig, dek.dek);
	sender->complete();
}

void post_memcpy(const Posted &posted, Op, Sender *sender)
{
	mlx5dv_qp_ex *const qp = start(sender);

	mlx5dv_wr_memcpy(
		qp, (uint32_t)posted.value("mmo_data", "lkey", 1),
		posted.value("mmo_data", "addr", 1), (uint32_t)posted.value("mmo_data", "lkey", 0),
		posted.value("mmo_data", "addr", 0), posted.value("mmo_data", "byte_count", 0));
	sender->complete();
}

void post_tso(const Posted &posted, Op, Sender *sender)
{
	const bool sums = posted.value("eth", "cs_flags") ==
			  (SEGUE_ETH_CS_FLAG_L3_CSUM | SEGUE_ETH_CS_FLAG_L4_CSUM);
	ibv_sge list[kMaxSge];
	size_t length;
	const uint8_t *const header = posted.payload("eth", &length);

	start(sender);
	sender->poster.qpx->wr_flags = IBV_SEND_SIGNALED | (sums ? (unsigned)IBV_SEND_IP_CSUM : 0);
	ibv_wr_send_tso(sender->poster.qpx, const_cast<uint8_t *>(header), (uint16_t)length,
			(uint16_t)posted.value("eth", "mss"));
	for (size_t i = 0; i < posted.count("data"); i++)
		list[i] = {posted.value("data", "addr", i),
			   (uint32_t)posted.value("data", "byte_count", i),
			   (uint32_t)posted.value("data", "lkey", i)};
	sender->poster.Data(false, (uint32_t)posted.count("data"), list);
	sender->complete();
}

} // namespace requests
