/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion rings with enhanced compression, as others read them. Each reader follows one foreign
 * source and includes nothing of Segue, so a misreading of Segue's library, tables or device is not
 * repeated here.
 *
 * Offsets in the last 64 bytes of an entry: struct mlx5_cqe64 of Linux
 * (include/linux/mlx5/device.h). A mini CQE of a receive has checksum or hash, then byte_cnt; of a
 * send wqe_counter, opcode, byte_cnt (struct mlx5_mini_cqe8; UCX's uct_ib_mlx5_mini_cqe8_t).
 */
#ifndef SEGUE_TESTS_WITNESSES_ENHANCED_H
#define SEGUE_TESTS_WITNESSES_ENHANCED_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace witness
{

using Cqe = std::array<uint8_t, 64>;
using Mini = std::array<uint8_t, 8>;

constexpr size_t kByteCnt = 44, kOpcodeOfSend = 56, kWqeCounter = 60, kValidity = 62, kOpOwn = 63;
constexpr uint8_t kFormat = 0x0c; /* in op_own: all bits set in an array of mini CQEs */
constexpr uint8_t kSend = 0;	  /* opcode MLX5_CQE_REQ */

inline uint16_t Be16(const uint8_t *at)
{
	return uint16_t(at[0] << 8 | at[1]);
}

inline void SetBe16(uint8_t *at, uint16_t value)
{
	at[0] = uint8_t(value >> 8);
	at[1] = uint8_t(value);
}

/* The memory that device and driver share. */
struct Ring {
	uint8_t *buf;
	uint32_t log_entries;
	uint32_t entry_size; /* 64 or 128 */

	uint32_t Entries() const
	{
		return 1u << log_entries;
	}
	uint8_t *At(uint32_t index) const
	{
		return buf + size_t{(index & (Entries() - 1)) + 1} * entry_size - 64;
	}
	uint8_t Round(uint32_t index) const
	{
		return uint8_t(index >> log_entries);
	}

	/* A ring in which the device has written nothing: UCX, uct_ib_mlx5_fill_cq_buf(). */
	void Fill() const
	{
		for (uint32_t i = 0; i < Entries(); i++) {
			At(i)[kOpOwn] = 0xf1;
			At(i)[kValidity] = 0xff;
		}
	}
};

/* Entries that the readers below take apart: a block of n advances the producer by n. */
class Writer
{
      public:
	explicit Writer(Ring ring, uint32_t index = 0) : ring_(ring), index_(index)
	{
	}

	void Plain(Cqe cqe)
	{
		cqe[kValidity] = ring_.Round(index_);
		cqe[kOpOwn] = uint8_t((cqe[kOpOwn] & 0xfe) | (cqe[kValidity] & 1));
		memcpy(ring_.At(index_), cqe.data(), cqe.size());
		index_++;
	}

	/* 1 to 7 of them. */
	void Array(const std::vector<Mini> &minis)
	{
		uint8_t *entry = ring_.At(index_);

		for (size_t i = 0; i < minis.size(); i++)
			memcpy(entry + i * sizeof(Mini), minis[i].data(), sizeof(Mini));
		entry[kOpOwn] = uint8_t((minis.size() - 1) << 4 | kFormat);
		entry[kValidity] = ring_.Round(index_);
		index_ += uint32_t(minis.size());
	}

	uint32_t index() const
	{
		return index_;
	}

      private:
	Ring ring_;
	uint32_t index_;
};

/*
 * UCX: src/uct/ib/mlx5/ib_mlx5.inl (uct_ib_mlx5_poll_cq, uct_ib_mlx5_check_and_init_zipped) and
 * ib_mlx5.c (uct_ib_mlx5_iface_cqe_unzip_init, uct_ib_mlx5_iface_cqe_unzip,
 * uct_ib_mlx5_iface_cqe_unzip_fill_unique). Each completion advances the consumer by one. The
 * entries of an array that the device left alone get the title's round.
 */
class UcxReader
{
      public:
	explicit UcxReader(Ring ring, uint32_t index = 0) : ring_(ring), index_(index)
	{
	}

	bool Next(Cqe *cqe)
	{
		const uint8_t *entry = ring_.At(index_);

		if (entry[kValidity] != ring_.Round(index_))
			return false;
		if (given_ == 0 && (entry[kOpOwn] & kFormat) != kFormat) {
			has_title_ = false;
			memcpy(cqe->data(), entry, cqe->size());
			index_++;
			return true;
		}
		if (given_ == 0)
			Begin(entry);
		index_++;
		*cqe = Unzip();
		return true;
	}

	uint32_t index() const
	{
		return index_;
	}

      private:
	void Begin(const uint8_t *entry)
	{
		if (!has_title_) {
			memcpy(title_.data(), ring_.At(index_ - 1), title_.size());
			counter_ = Be16(&title_[kWqeCounter]);
			has_title_ = true;
		} else {
			counter_ = uint16_t(counter_ + count_);
		}
		memcpy(minis_.data(), entry, minis_.size());
		count_ = (entry[kOpOwn] >> 4) + 1u;
		first_ = index_;
	}

	Cqe Unzip()
	{
		const uint8_t *mini = &minis_[given_ % 7 * sizeof(Mini)];

		given_++;
		memcpy(&title_[kByteCnt], mini + 4, 4);
		if (title_[kOpOwn] >> 4 == kSend) {
			memcpy(&title_[kWqeCounter], mini, 2);
			title_[kOpcodeOfSend] = mini[2];
		} else {
			SetBe16(&title_[kWqeCounter], uint16_t(counter_ + given_));
		}
		if (given_ < count_) {
			ring_.At(first_ + given_)[kOpOwn] = kFormat;
			ring_.At(first_ + given_)[kValidity] = title_[kValidity];
		} else {
			given_ = 0;
		}
		return title_;
	}

	Ring ring_;
	uint32_t index_;
	Cqe title_{};
	std::array<uint8_t, 56> minis_{};
	uint32_t count_ = 0, given_ = 0, first_ = 0;
	uint16_t counter_ = 0;
	bool has_title_ = false;
};

/*
 * Linux: drivers/net/ethernet/mellanox/mlx5/core/en_rx.c (mlx5e_rx_cq_process_enhanced_cqe_comp,
 * mlx5e_decompress_enhanced_cqe, mlx5e_read_enhanced_title_slot) and wq.h
 * (mlx5_cqwq_get_cqe_enhanced_comp). It receives only. An array is taken whole, and advances the
 * consumer by its count.
 */
class LinuxReader
{
      public:
	explicit LinuxReader(Ring ring, uint32_t index = 0) : ring_(ring), index_(index)
	{
	}

	/* Appends what is new. */
	void Poll(std::vector<Cqe> *cqes)
	{
		for (;;) {
			const uint8_t *entry = ring_.At(index_);

			if (entry[kValidity] != ring_.Round(index_))
				return;
			if ((entry[kOpOwn] & kFormat) == kFormat) {
				Decompress(entry, cqes);
				continue;
			}
			memcpy(title_.data(), entry, title_.size());
			counter_ = uint16_t(Be16(&title_[kWqeCounter]) + 1);
			cqes->push_back(title_);
			index_++;
		}
	}

	uint32_t index() const
	{
		return index_;
	}

      private:
	void Decompress(const uint8_t *entry, std::vector<Cqe> *cqes)
	{
		const uint32_t count = (entry[kOpOwn] >> 4) + 1u;

		for (uint32_t i = 0; i < count; i++) {
			memcpy(&title_[kByteCnt], entry + i * sizeof(Mini) + 4, 4);
			SetBe16(&title_[kWqeCounter], counter_++);
			cqes->push_back(title_);
		}
		index_ += count;
	}

	Ring ring_;
	uint32_t index_;
	Cqe title_{};
	uint16_t counter_ = 0;
};

} // namespace witness

#endif
