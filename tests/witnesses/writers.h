/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests as others write them, where no program that runs here posts them. Each writer follows
 * one foreign source, and includes nothing of Segue.
 *
 * UCC: src/components/tl/mlx5/tl_mlx5_wqe.c. DPDK: drivers/common/mlx5/mlx5_prm.h (mlx5_wqe_qseg,
 * mlx5_wqe_wseg), drivers/net/mlx5/mlx5_txpp.c, mlx5_tx.h. Linux:
 * drivers/net/ethernet/mellanox/mlx5/core/steering/hws/send.h, send.c, pat_arg.c.
 */
#ifndef SEGUE_TESTS_WITNESSES_WRITERS_H
#define SEGUE_TESTS_WITNESSES_WRITERS_H

#include <cstdint>
#include <cstring>
#include <vector>

namespace witness
{

/* Big-endian words, one behind the other. */
class Words
{
      public:
	Words &Be32(uint32_t word)
	{
		for (int shift = 24; shift >= 0; shift -= 8)
			bytes_.push_back(uint8_t(word >> shift));
		return *this;
	}
	Words &Be64(uint64_t word)
	{
		return Be32(uint32_t(word >> 32)).Be32(uint32_t(word));
	}
	/* As the processor has it. */
	Words &Host64(uint64_t word)
	{
		uint8_t bytes[8];

		memcpy(bytes, &word, sizeof(bytes));
		return Raw(bytes, sizeof(bytes));
	}
	Words &Raw(const uint8_t *bytes, size_t size)
	{
		bytes_.insert(bytes_.end(), bytes, bytes + size);
		return *this;
	}
	const std::vector<uint8_t> &Bytes() const
	{
		return bytes_;
	}

      private:
	std::vector<uint8_t> bytes_;
};

/* The queue's number is in front of the request's size in units of 16 bytes. */
inline uint32_t QpnDs(uint32_t qpn, uint32_t units)
{
	return qpn << 8 | units;
}

/* MLX5_WQE_CTRL_CQ_UPDATE, and DPDK's MLX5_COMP_ALWAYS << MLX5_COMP_MODE_OFFSET. */
constexpr uint32_t kReported = 2u << 2;

/* ---- UCC: mlx5dv_set_ctrl_seg(), then what it declares itself ---- */

/* ucc_tl_mlx5_post_transpose(): LOCAL_MMO 0x32, modifier 0. */
inline Words UccTranspose(uint32_t qpn, uint32_t element, uint32_t cols, uint32_t rows,
			  uint32_t from_key, uint64_t from, uint32_t to_key, uint64_t to)
{
	const uint32_t bytes = element * cols * rows;

	return Words()
		.Be32(0x32)
		.Be32(QpnDs(qpn, 4))
		.Be32(kReported)
		.Be32(0)
		.Be32(element)
		.Be32(cols << 16 | rows)
		.Be64(0)
		.Be32(bytes)
		.Be32(from_key)
		.Be64(from)
		.Be32(bytes)
		.Be32(to_key)
		.Be64(to);
}

/*
 * ucc_tl_mlx5_post_wait_on_data(): WAIT 0xf, modifier 1. The word is equal (1) to a value of which
 * 32 bits count; both are left in the processor's order.
 */
inline Words UccWaitOnData(uint32_t qpn, uint32_t key, uint64_t address, uint64_t value)
{
	return Words()
		.Be32(1u << 24 | 0xf)
		.Be32(QpnDs(qpn, 3))
		.Be32(kReported)
		.Be32(0)
		.Be32(1)
		.Be32(key)
		.Be64(address)
		.Host64(value)
		.Host64(0xffffffff);
}

/* ---- DPDK ---- */

/* Queue segment: two reserved words, an index, a number. */
inline Words DpdkQueueSegment(uint32_t opcode, uint32_t qpn, uint32_t flags, uint32_t index,
			      uint32_t number)
{
	return Words()
		.Be32(opcode)
		.Be32(QpnDs(qpn, 2))
		.Be32(flags)
		.Be32(0)
		.Be64(0)
		.Be32(index)
		.Be32(number);
}

/* mlx5_txpp_fill_wqe_rearm_queue(), the first of a pair: indices of queues have 16 bits. */
inline Words DpdkSendEn(uint32_t qpn, uint32_t index, uint32_t sqn)
{
	return DpdkQueueSegment(0x17, qpn, kReported, index & 0xffff, sqn);
}

/* Its second, and mlx5_tx_qseg_init(): those of completion queues have 24. */
inline Words DpdkWaitCq(uint32_t qpn, uint32_t index, uint32_t cqn)
{
	return DpdkQueueSegment(0xf, qpn, 0, index & 0xffffff, cqn);
}

/* mlx5_tx_wseg_init(): until the clock is cyclically not smaller (5) than a time. */
inline Words DpdkWaitOnTime(uint32_t qpn, uint64_t time, uint64_t mask)
{
	return Words()
		.Be32(2u << 24 | 0xf)
		.Be32(QpnDs(qpn, 3))
		.Be32(0)
		.Be32(0)
		.Be32(5)
		.Be32(0)
		.Be64(0)
		.Be64(time)
		.Be64(mask);
}

/* ---- Linux ---- */

/* mlx5hws_arg_write(): TBL_ACCESS 0x2c, modifier 1, an empty control segment and 64 bytes. */
inline Words LinuxArgument(uint16_t index, uint32_t qpn, bool reported, uint32_t id,
			   const uint8_t argument[64])
{
	static const uint8_t control[48] = {};

	return Words()
		.Be32(1u << 24 | uint32_t(index) << 8 | 0x2c)
		.Be32(QpnDs(qpn, (16 + 48 + 64) / 16))
		.Be32(reported ? kReported : 0)
		.Be32(id)
		.Raw(control, sizeof(control))
		.Raw(argument, 64);
}

} // namespace witness

#endif
