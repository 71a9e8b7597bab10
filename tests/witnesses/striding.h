/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How others count the strides of a striding receive queue, failed completions among them. Each
 * reader follows one foreign source, and includes nothing of Segue.
 *
 * Offsets in the last 64 bytes of an entry: struct mlx5_cqe64 of Linux
 * (include/linux/mlx5/device.h), struct mlx5_error_cqe of DPDK
 * (drivers/common/mlx5/mlx5_prm.h).
 */
#ifndef SEGUE_TESTS_WITNESSES_STRIDING_H
#define SEGUE_TESTS_WITNESSES_STRIDING_H

#include <cstdint>

namespace witness
{

/* What a completion says. */
struct Striding {
	const uint8_t *cqe;

	uint32_t Be32(int at) const
	{
		return uint32_t(cqe[at]) << 24 | uint32_t(cqe[at + 1]) << 16 |
		       uint32_t(cqe[at + 2]) << 8 | cqe[at + 3];
	}
	uint16_t WqeId() const
	{
		return uint16_t(cqe[2] << 8 | cqe[3]);
	}
	uint16_t StrideIndex() const
	{
		return uint16_t(cqe[60] << 8 | cqe[61]);
	}
	uint32_t ByteCnt() const
	{
		return Be32(44);
	}
	bool Failed() const
	{
		return cqe[63] >> 4 == 0xd || cqe[63] >> 4 == 0xe;
	}
};

/*
 * Linux: drivers/net/ethernet/mellanox/mlx5/core/en_rx.c, mlx5e_handle_rx_cqe_mpwrq(). An entry is
 * given back when its completions, good or failed, have consumed its strides.
 */
class LinuxStrides
{
      public:
	explicit LinuxStrides(uint32_t each) : each_(each)
	{
	}

	/* True if the completion's entry is given back. */
	bool Take(const Striding &cqe)
	{
		if (cqe.WqeId() != entry_) {
			entry_ = cqe.WqeId();
			consumed_ = 0;
		}
		consumed_ += (cqe.ByteCnt() & 0x7fff0000) >> 16;
		return consumed_ >= each_;
	}

      private:
	uint32_t each_, consumed_ = 0;
	int entry_ = -1;
};

/*
 * DPDK: drivers/net/mlx5/mlx5_rx.c, mlx5_rx_burst_mprq() and mlx5_rx_poll_len(), whose error branch
 * adds the strides that the failed completion names. Good ones have 14 bits of them.
 */
class DpdkStrides
{
      public:
	explicit DpdkStrides(uint32_t each) : each_(each)
	{
	}

	bool Take(const Striding &cqe)
	{
		if (consumed_ == each_)
			consumed_ = 0;
		consumed_ += (cqe.ByteCnt() & 0x3fff0000) >> 16;
		return consumed_ == each_;
	}

      private:
	uint32_t each_, consumed_ = 0;
};

/*
 * libxlio: src/core/dev/cq_mgr_rx_strq.cpp, strq_cqe_to_mem_buff_desc(). No stride in a failed
 * completion stands for the whole entry.
 */
inline uint32_t XlioStridesOfError(const Striding &cqe, uint32_t each)
{
	const uint32_t strides = (cqe.ByteCnt() & 0x3fff0000) >> 16;

	return strides ? strides : each;
}

} // namespace witness

#endif
