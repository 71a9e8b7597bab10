/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MANA: random requests across the end of a ring against structs with the public ones' members
 * (rdma-core's providers/mana/gdma.h), which the compiler lays out.
 */
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "segue/gen/rings.h"
#include "tests/providers/printing.h"
#include "tests/seed/dice.h"
#include "tests/seed/seed.h"

namespace
{

constexpr int kPosts = 10000;
constexpr uint32_t kUnit = 32, kUnits = 64, kMost = 16;

struct TxOob {
	uint32_t num_padding_sgls : 5, : 19, last_vbytes : 8;
	uint32_t num_sgl_entries : 8, inline_client_oob_size : 3, client_oob_in_sgl : 1,
		consume_credit : 1, dma_fence : 1, : 2, client_data_unit : 14, check_sn : 1,
		sgl_direct : 1;
	uint32_t wqe_type : 5, fence : 1, signaled : 1, solicited : 1, psn : 24;
	uint32_t ssn : 24, : 8;
	uint32_t details[4]; /* immediate, or address_hi, address_low, rkey, dma_len */
};

struct RxOob {
	uint32_t none;
	uint32_t num_sgl_entries : 8, inline_client_oob_size : 3, : 19, check_sn : 1, : 1;
	uint32_t psn_start : 24, : 8;
	uint32_t psn_range : 24, : 8;
};

struct Sge {
	uint64_t address;
	uint32_t mem_key, size;
};

static_assert(sizeof(TxOob) == 32 && sizeof(RxOob) == 16 && sizeof(Sge) == 16, "as they are");

/* A ring as the provider fills it: whole units, zeros where nothing is written. */
struct Reference {
	uint8_t memory[kUnit * kUnits];
	uint32_t head = 0;

	void Put(const std::vector<uint8_t> &entry)
	{
		const uint32_t units = (static_cast<uint32_t>(entry.size()) + kUnit - 1) / kUnit;

		for (uint32_t i = 0; i < units * kUnit; i++)
			memory[(head * kUnit + i) % sizeof(memory)] = i < entry.size() ? entry[i]
										       : 0;
		head += units;
	}
};

struct Mana : testing::Test {
	SplitMix64 dice{segue_test_seed()};
	uint8_t memory[kUnit * kUnits];
	Reference want;
	std::vector<segue_seg_sge> sges;
	std::vector<uint8_t> entry;

	void SetUp() override
	{
		std::memset(memory, 0xaa, sizeof(memory));
		std::memset(want.memory, 0xaa, sizeof(want.memory));
	}

	uint32_t Draw(int bits)
	{
		return static_cast<uint32_t>(dice() & ((UINT64_C(1) << bits) - 1));
	}

	void Append(const void *bytes, size_t size)
	{
		const auto *from = static_cast<const uint8_t *>(bytes);

		entry.insert(entry.end(), from, from + size);
	}

	/* The pieces, and the length of all of them. */
	uint32_t Pieces()
	{
		uint32_t total = 0;

		sges.resize(1 + dice() % kMost);
		for (auto &sge : sges) {
			sge.address = dice();
			sge.size = Draw(20);
			sge.mem_key = Draw(32);
			total += sge.size;
		}
		return total;
	}

	void AppendPieces()
	{
		for (const auto &sge : sges) {
			const Sge one = {sge.address, sge.mem_key, sge.size};

			Append(&one, sizeof(one));
		}
	}

	/* A place of the ring like the entry, and what the validator says of it. */
	template <typename Ring> void Compare(Ring *ring, const segue_machine *machine)
	{
		const uint32_t first = ring->slots.head;

		if (ring->queue.block.used % kUnit == 0) { /* what is judged is whole */
			EXPECT_EQ(Judged(machine, ring->built, ring->queue.block.used),
				  "no offence");
		}
		want.Put(entry);
		ASSERT_EQ(std::memcmp(memory, want.memory, sizeof(memory)), 0)
			<< "from unit " << first << "\n"
			<< Printed(machine, ring->built, ring->queue.block.used);
	}

	int Send(segue_rc_sq *sq, uint32_t kind);
};

enum { SEND, SEND_IMM, WRITE, WRITE_IMM, READ };

int Mana::Send(segue_rc_sq *sq, uint32_t kind)
{
	static const uint32_t types[] = {2, 3, 5, 6, 7};
	const uint32_t total = Pieces();
	const uint64_t remote = dice();
	TxOob oob = {};

	const uint32_t places = static_cast<uint32_t>(kind == READ ? 1 : sges.size()) +
				(kind == WRITE_IMM);

	oob.num_padding_sgls = places % 2;
	oob.num_sgl_entries = (places + 1) / 2 * 2 - (kind == WRITE_IMM);
	oob.inline_client_oob_size = kind == WRITE_IMM ? 7 : 6;
	oob.client_data_unit = Draw(13);
	oob.check_sn = kind == SEND || kind == SEND_IMM || kind == WRITE_IMM;
	oob.wqe_type = types[kind];
	oob.fence = Draw(1);
	oob.signaled = Draw(1);
	oob.solicited = Draw(1);
	oob.psn = Draw(24);
	oob.ssn = Draw(24);
	if (kind == SEND_IMM)
		oob.details[0] = Draw(32);
	if (kind >= WRITE) {
		oob.details[0] = static_cast<uint32_t>(remote >> 32);
		oob.details[1] = static_cast<uint32_t>(remote);
		oob.details[2] = Draw(32);
		oob.details[3] = total;
	}
	entry.clear();
	Append(&oob, sizeof(oob));
	const uint32_t imm[4] = {Draw(32)}, flags = oob.fence * SEGUE_FENCE +
						    oob.signaled * SEGUE_SIGNALED +
						    oob.solicited * SEGUE_SOLICITED;
	const uint64_t no_memory[2] = {1, 0};
	const uint32_t mtu = oob.client_data_unit, psn = oob.psn, ssn = oob.ssn;

	if (kind == WRITE_IMM)
		Append(imm, sizeof(imm));
	if (kind == READ)
		Append(no_memory, sizeof(no_memory));
	else
		AppendPieces();
	const segue_seg_sge *first = sges.data();
	const uint32_t more = static_cast<uint32_t>(sges.size()) - 1, key = oob.details[2];

#define FIRST first->address, first->size, first->mem_key
	switch (kind) {
	case SEND:
		return segue_commit(segue_sge_list(
			segue_sge(segue_send(sq, flags, mtu, psn, ssn), FIRST), first + 1, more));
	case SEND_IMM:
		return segue_commit(segue_sge_list(
			segue_sge(segue_send_imm(sq, flags, mtu, psn, ssn, oob.details[0]), FIRST),
			first + 1, more));
	case WRITE:
		return segue_commit(segue_sge_list(
			segue_sge(segue_rdma_write(sq, flags, mtu, psn, ssn, remote, key), FIRST),
			first + 1, more));
	case WRITE_IMM:
		return segue_commit(segue_sge_list(
			segue_sge(segue_extra_oob(segue_rdma_write_imm(sq, flags, mtu, psn, ssn,
								       remote, key),
						  imm[0]),
				  FIRST),
			first + 1, more));
	default:
		return segue_commit(segue_no_memory(
			segue_rdma_read(sq, flags, mtu, psn, ssn, remote, key, total)));
	}
}

TEST_F(Mana, SendsAreThoseOfThePublicStructs)
{
	segue_rc_ring ring = {};

	ring.slots = {memory, kUnit, kUnits, 0, 0};
	for (int i = 0; i < kPosts; i++) {
		segue_rc_sq *sq = segue_rc_ring_next(&ring);
		segue_seg_send_bell bell = {};

		ASSERT_NE(sq, nullptr);
		ASSERT_EQ(Send(sq, Draw(10) % 5), 0) << "post " << i << ": " << segue_errmsg();
		segue_rc_ring_push(&ring);
		Compare(&ring, &segue_rc_machine);
		if (HasFatalFailure())
			return;
		segue_rc_ring_doorbell(&ring, &bell);
		ASSERT_EQ(bell.prod_idx, want.head & 0x7ffffff);
		ring.slots.tail = ring.slots.head;
	}
}

TEST_F(Mana, ReceivesAreThoseOfThePublicStructs)
{
	segue_rq_ring ring = {};
	segue_rrq_ring reads = {};

	ring.slots = reads.slots = {memory, kUnit, kUnits, 0, 0};
	for (int i = 0; i < kPosts; i++) {
		const bool read = Draw(1);
		RxOob oob = {};

		(void)Pieces();
		sges.resize(sges.size() > 14 ? 14 : sges.size());
		const segue_seg_sge *first = sges.data();
		const auto more = static_cast<uint32_t>(sges.size()) - 1;

		oob.num_sgl_entries = more + 1;
		oob.inline_client_oob_size = 2;
		oob.check_sn = read;
		oob.psn_start = read ? Draw(24) : 0;
		entry.clear();
		Append(&oob, sizeof(oob));
		AppendPieces();
		/* both are queues of one ring here, which go on where the other has ended */
		if (read) {
			reads.slots.head = reads.slots.tail = want.head;
			ASSERT_EQ(segue_commit(segue_sge_list(
					  segue_sge(segue_read_recv(segue_rrq_ring_next(&reads),
								    oob.psn_start),
						    FIRST),
					  first + 1, more)),
				  0);
			segue_rrq_ring_push(&reads);
			Compare(&reads, &segue_rrq_machine);
		} else {
			ring.slots.head = ring.slots.tail = want.head;
			ASSERT_EQ(segue_commit(segue_sge_list(
					  segue_sge(segue_recv(segue_rq_ring_next(&ring)), FIRST),
					  first + 1, more)),
				  0);
			segue_rq_ring_push(&ring);
			Compare(&ring, &segue_rq_machine);
		}
		if (HasFatalFailure())
			return;
	}
}

TEST_F(Mana, ThePaddingIsJudged)
{
	segue_rc_sq sq = {};
	uint8_t block[96];

	sq.block.at = block;
	sq.block.size = sizeof(block);
	ASSERT_EQ(segue_commit(segue_sge(segue_send(&sq, 0, 4096, 1, 2), 0x1000, 64, 7)), 0);
	EXPECT_EQ(sq.block.used, 64u);
	EXPECT_EQ(block[0], 1) << "one piece is none";
	EXPECT_EQ(block[4], 2) << "of two";
	block[0] = 2;
	EXPECT_NE(Judged(&segue_rc_machine, block, 96), "no offence") << "two of them are none";
	block[0] = 1;
	block[4] = 3;
	EXPECT_NE(Judged(&segue_rc_machine, block, 96), "no offence") << "three are no pairs";
	block[4] = 2;
	block[50] = 9;
	EXPECT_NE(Judged(&segue_rc_machine, block, 96), "no offence") << "the second is not empty";
}

} // namespace
