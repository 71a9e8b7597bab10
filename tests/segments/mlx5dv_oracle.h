/* SPDX-License-Identifier: BSD-2-Clause */
/* What the comparisons of generated packers with mlx5dv.h's structs share: values, cases, and the
 * comparison itself. */
#ifndef TESTS_SEGMENTS_MLX5DV_ORACLE_H
#define TESTS_SEGMENTS_MLX5DV_ORACLE_H

#include <endian.h>
#include <gtest/gtest.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/tm_types.h>

#include <cstring>
#include <vector>

#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"
#include "segue/gen/segments.h"
#include "tests/segments/bytes_test.h"

const uint8_t kDirt = 0xAA;

/* Where field values come from. Each value uses all the bits it is given. */
class Values
{
      public:
	virtual ~Values() = default;

	uint64_t Bits(unsigned int width)
	{
		return Next() >> (64 - width);
	}

	/* At least 1. */
	uint64_t Nonzero(unsigned int width)
	{
		const uint64_t value = Bits(width);

		return value ? value : 1;
	}

	template <typename T> T OneOf(std::initializer_list<T> choices)
	{
		return choices.begin()[Next() % choices.size()];
	}

	/* Any combination of the given bits. */
	uint64_t SomeOf(uint64_t mask)
	{
		return Next() & mask;
	}

	void Fill(void *dst, size_t len)
	{
		for (size_t i = 0; i < len; i++)
			static_cast<uint8_t *>(dst)[i] = uint8_t(Bits(8));
	}

      protected:
	virtual uint64_t Next() = 0;
};

inline const auto kOpcodes = {
	uint8_t(MLX5_OPCODE_NOP),
	uint8_t(MLX5_OPCODE_SEND_INVAL),
	uint8_t(MLX5_OPCODE_RDMA_WRITE),
	uint8_t(MLX5_OPCODE_RDMA_WRITE_IMM),
	uint8_t(MLX5_OPCODE_SEND),
	uint8_t(MLX5_OPCODE_SEND_IMM),
	uint8_t(MLX5_OPCODE_TSO),
	uint8_t(MLX5_OPCODE_RDMA_READ),
	uint8_t(MLX5_OPCODE_ATOMIC_CS),
	uint8_t(MLX5_OPCODE_ATOMIC_FA),
	uint8_t(MLX5_OPCODE_ATOMIC_MASKED_CS),
	uint8_t(MLX5_OPCODE_ATOMIC_MASKED_FA),
	uint8_t(MLX5_OPCODE_FMR),
	uint8_t(MLX5_OPCODE_LOCAL_INVAL),
	uint8_t(MLX5_OPCODE_CONFIG_CMD),
	uint8_t(MLX5_OPCODE_SET_PSV),
	uint8_t(MLX5_OPCODE_UMR),
	uint8_t(MLX5_OPCODE_TAG_MATCHING),
	uint8_t(MLX5_OPCODE_FLOW_TBL_ACCESS),
	uint8_t(MLX5_OPCODE_MMO),
};

/*
 * One struct of mlx5dv.h. fill() writes the same values twice: `theirs` comes zeroed and is filled
 * through the header's struct, `ours` comes dirty and is filled by the generated packer. size is
 * what both must agree on.
 */
struct Case {
	const char *theirs;
	const char *ours;
	size_t size;
	void (*fill)(Values &values, uint8_t *theirs, uint8_t *ours);
};

/* The generated functions of one segment or CQE format, as arguments. */
#define CALLS(name) segue_##name##_check, segue_##name##_pack, segue_##name##_unpack

/* Packs v over `ours`, and sends what the header's struct holds through unpack and pack. */
template <typename T>
void Pack(const uint8_t *theirs, uint8_t *ours, const T &v, size_t size,
	  int (*check)(const T *, const char **), void (*pack)(void *, const T *),
	  bool (*unpack)(T *, const void *))
{
	std::vector<uint8_t> again(size, kDirt);
	const char *field = "";
	T back;

	EXPECT_EQ(0, check(&v, &field)) << field;
	pack(ours, &v);
	memset(&back, kDirt, sizeof(back));
	EXPECT_TRUE(unpack(&back, theirs)) << "unpack reports a reserved bit or a constant";
	pack(again.data(), &back);
	EXPECT_EQ(Hex(again), Hex(theirs, size)) << "unpacked and packed again";
}

template <typename T> T *As(uint8_t *bytes)
{
	return reinterpret_cast<T *>(bytes);
}

/* The completion-queue half of the table, in mlx5dv_cqes.cc. */
std::vector<Case> CqeCases();

#endif
