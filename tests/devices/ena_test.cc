/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ENA: random packets across the ends of rings against descriptors made from the public structs
 * and masks (DPDK's drivers/net/ena/base/ena_defs/ena_eth_io_defs.h), in the order of its driver.
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

/* ena_eth_io_tx_desc, ena_eth_io_tx_meta_desc, ena_eth_io_rx_desc: four words each. */
struct Desc {
	uint32_t word[4];
};

constexpr uint32_t PHASE = 1u << 24, FIRST = 1u << 26, LAST = 1u << 27, COMP_REQ = 1u << 28;

struct Buffer {
	uint64_t addr;
	uint16_t length;
};

/* What a caller asks for, of either kind of queue. */
struct Packet {
	uint16_t req_id;
	uint32_t l3, l4, flags, header_length, mss, l3_len, l3_off, l4_words;
	std::vector<Buffer> buffers;
	std::vector<uint8_t> header;
};

/* A ring of slots that are filled one by one, each in its lap's phase. */
struct Reference {
	std::vector<uint8_t> memory;
	uint32_t bytes, count, head = 0;

	Reference(uint32_t b, uint32_t n) : memory(b * n, 0xaa), bytes(b), count(n)
	{
	}

	uint32_t Phase() const
	{
		return head / count % 2 ? 0 : PHASE;
	}

	void Push(const void *slot)
	{
		std::memcpy(&memory[head % count * bytes], slot, bytes);
		head++;
	}
};

struct Ena : testing::Test {
	SplitMix64 dice{segue_test_seed()};

	uint32_t Draw(int bits)
	{
		return static_cast<uint32_t>(dice() & ((UINT64_C(1) << bits) - 1));
	}

	Packet DrawPacket(uint32_t most)
	{
		Packet p = {};

		p.req_id = static_cast<uint16_t>(Draw(16));
		p.l3 = Draw(4);
		p.l4 = Draw(5);
		p.flags = Draw(5);
		p.header_length = Draw(8);
		p.mss = Draw(14);
		p.l3_len = Draw(8);
		p.l3_off = Draw(8);
		p.l4_words = Draw(6);
		p.buffers.resize(1 + dice() % most);
		for (auto &b : p.buffers)
			b = {dice() & 0xffffffffffff, static_cast<uint16_t>(Draw(16))};
		p.header.resize(1 + dice() % 96);
		for (auto &byte : p.header)
			byte = static_cast<uint8_t>(dice());
		return p;
	}

	/* The first buffer's descriptor, as ena_com_prepare_tx() fills it. */
	static Desc First(const Packet &p, uint32_t header_length, uint32_t first)
	{
		const Buffer &b = p.buffers[0];
		Desc d = {};

		d.word[0] = b.length | (p.req_id >> 10 & 0x3fu) << 16 | first | COMP_REQ;
		d.word[1] = p.l3 | (p.flags & 1) << 4 | (p.flags >> 1 & 1) << 7 | p.l4 << 8 |
			    (p.flags >> 2 & 1) << 13 | (p.flags >> 3 & 1) << 14 |
			    (p.flags >> 4 & 1) << 17 | (p.req_id & 0x3ffu) << 22;
		d.word[2] = static_cast<uint32_t>(b.addr);
		d.word[3] = static_cast<uint32_t>(b.addr >> 32) | header_length << 24;
		return d;
	}

	static Desc Next(const Buffer &b)
	{
		return {{b.length, 0, static_cast<uint32_t>(b.addr),
			 static_cast<uint32_t>(b.addr >> 32)}};
	}

	static Desc Meta(const Packet &p)
	{
		Desc d = {};

		d.word[0] = 1u << 14 | (p.mss >> 10 & 0xf) << 16 | 1u << 20 | 1u << 21 | 1u << 23 |
			    FIRST;
		d.word[2] = p.l3_len | p.l3_off << 8 | p.l4_words << 16 | (p.mss & 0x3ff) << 22;
		return d;
	}

	static uint32_t Flags(const Packet &p)
	{
		return (p.flags & 1) * SEGUE_DF | (p.flags >> 1 & 1) * SEGUE_TSO |
		       (p.flags >> 2 & 1) * SEGUE_L3_CSUM | (p.flags >> 3 & 1) * SEGUE_L4_CSUM |
		       (p.flags >> 4 & 1) * SEGUE_L4_PARTIAL;
	}

	static std::vector<segue_seg_buf> Rest(const Packet &p, size_t from)
	{
		std::vector<segue_seg_buf> found;

		for (size_t i = from; i < p.buffers.size(); i++) {
			segue_seg_buf b = {};

			b.addr = p.buffers[i].addr;
			b.length = p.buffers[i].length;
			found.push_back(b);
		}
		return found;
	}

	static uint32_t Count(const std::vector<segue_seg_buf> &list)
	{
		return static_cast<uint32_t>(list.size());
	}

	template <typename Ring>
	void Compare(const Ring &ring, const std::vector<uint8_t> &memory, const Reference &want,
		     const segue_machine *machine, int i)
	{
		EXPECT_EQ(Judged(machine, ring.built, ring.queue.block.used), "no offence");
		ASSERT_EQ(ring.slots.head, want.head) << "post " << i;
		ASSERT_EQ(memory, want.memory)
			<< "post " << i << "\n"
			<< Printed(machine, ring.built, ring.queue.block.used);
	}
};

#define ARGS(p) Flags(p), p.req_id, p.buffers[0].addr, p.buffers[0].length, p.l3, p.l4

TEST_F(Ena, PacketsOfTheHostAreThoseOfThePublicStructs)
{
	std::vector<uint8_t> memory(16 * 64, 0xaa);
	Reference want(16, 64);
	segue_host_ring ring = {};

	ring.slots = {memory.data(), 16, 64, 0, 0};
	for (int i = 0; i < kPosts; i++) {
		const Packet p = DrawPacket(16);
		const bool meta = Draw(1);
		const auto rest = Rest(p, 1);
		segue_host_sq *sq = segue_host_ring_next(&ring);
		std::vector<Desc> descs;

		if (meta)
			descs.push_back(Meta(p));
		descs.push_back(First(p, p.header_length, meta ? 0u : FIRST));
		for (size_t n = 1; n < p.buffers.size(); n++)
			descs.push_back(Next(p.buffers[n]));
		descs.back().word[0] |= LAST;
		for (Desc &d : descs) {
			d.word[0] |= want.Phase();
			want.Push(&d);
		}
		if (meta) {
			segue_seg_described v = {};

			v.length = p.buffers[0].length;
			v.req_id = p.req_id;
			v.l3_proto_idx = static_cast<uint8_t>(p.l3);
			v.df = p.flags & 1;
			v.tso_en = p.flags >> 1 & 1;
			v.l4_proto_idx = static_cast<uint8_t>(p.l4);
			v.l3_csum_en = p.flags >> 2 & 1;
			v.l4_csum_en = p.flags >> 3 & 1;
			v.l4_csum_partial = p.flags >> 4 & 1;
			v.addr = p.buffers[0].addr;
			v.header_length = static_cast<uint8_t>(p.header_length);
			ASSERT_EQ(segue_commit(segue_buf_list(
					  segue_described(segue_tx_meta(sq, p.mss, p.l3_len,
									p.l3_off, p.l4_words),
							  &v),
					  rest.data(), Count(rest))),
				  0)
				<< segue_errmsg();
		} else {
			ASSERT_EQ(
				segue_commit(segue_buf_list(segue_tx(sq, ARGS(p), p.header_length),
							    rest.data(), Count(rest))),
				0)
				<< segue_errmsg();
		}
		segue_host_ring_push(&ring);
		ring.slots.tail = ring.slots.head;
		Compare(ring, memory, want, &segue_host_machine, i);
		if (HasFatalFailure())
			return;
	}
}

/* A line of the device: two descriptors and the header, or eight descriptors. */
TEST_F(Ena, PacketsOfTheDeviceAreThoseOfThePublicStructs)
{
	std::vector<uint8_t> memory(128 * 16, 0xaa);
	Reference want(128, 16);
	segue_llq_ring ring = {};

	ring.slots = {memory.data(), 128, 16, 0, 0};
	for (int i = 0; i < kPosts; i++) {
		const Packet p = DrawPacket(17);
		const auto length = static_cast<uint32_t>(p.header.size());
		segue_llq_sq *sq = segue_llq_ring_next(&ring);
		std::vector<uint8_t> line(128);
		size_t at = 0;

		std::memcpy(&line[32], p.header.data(), length);
		for (size_t n = 0; n < p.buffers.size(); n++) {
			Desc d = n ? Next(p.buffers[n]) : First(p, length, FIRST);

			d.word[0] |= want.Phase() | (n + 1 == p.buffers.size() ? LAST : 0u);
			std::memcpy(&line[at], &d, sizeof(d));
			at += sizeof(d);
			if (n == 1 || at == line.size()) {
				want.Push(line.data());
				std::fill(line.begin(), line.end(), uint8_t{0});
				at = 0;
			}
		}
		if (at)
			want.Push(line.data());
		const auto w = segue_push(sq, ARGS(p));

		if (p.buffers.size() == 1) {
			ASSERT_EQ(segue_commit(
					  segue_header(segue_no_more(w), p.header.data(), length)),
				  0)
				<< segue_errmsg();
		} else {
			const auto rest = Rest(p, 2);

			ASSERT_EQ(segue_commit(segue_buf_list(
					  segue_header(segue_buf(w, p.buffers[1].addr,
								 p.buffers[1].length),
						       p.header.data(), length),
					  rest.data(), Count(rest))),
				  0)
				<< segue_errmsg();
		}
		segue_llq_ring_push(&ring);
		ring.slots.tail = ring.slots.head;
		Compare(ring, memory, want, &segue_llq_machine, i);
		if (HasFatalFailure())
			return;
	}
}

TEST_F(Ena, BuffersAreThoseOfThePublicStruct)
{
	std::vector<uint8_t> memory(16 * 64, 0xaa);
	Reference want(16, 64);
	segue_rx_ring ring = {};

	ring.slots = {memory.data(), 16, 64, 0, 0};
	for (int i = 0; i < kPosts; i++) {
		const uint64_t addr = dice() & 0xffffffffffff;
		const uint32_t length = 1 + Draw(16), req_id = Draw(16);
		const Desc d = {{(length & 0xffff) | want.Phase() | FIRST | LAST | COMP_REQ, req_id,
				 static_cast<uint32_t>(addr), static_cast<uint32_t>(addr >> 32)}};

		want.Push(&d);
		ASSERT_EQ(segue_commit(segue_buffer(segue_recv(segue_rx_ring_next(&ring)), addr,
						    length, req_id)),
			  0)
			<< segue_errmsg();
		segue_rx_ring_push(&ring);
		ring.slots.tail = ring.slots.head;
		Compare(ring, memory, want, &segue_rx_machine, i);
		if (HasFatalFailure())
			return;
	}
}

TEST_F(Ena, TheLastPieceIsJudged)
{
	uint8_t block[48];
	segue_host_sq sq = {};

	sq.block.at = block;
	sq.block.size = sizeof(block);
	ASSERT_EQ(segue_commit(segue_buf(segue_tx(&sq, 0, 7, 0x1000, 64, 8, 12, 54), 0x2000, 64)),
		  0);
	EXPECT_EQ(sq.block.used, 32u);
	ASSERT_EQ(Judged(&segue_host_machine, block, 48), "no offence");
	block[3] |= LAST >> 24;
	EXPECT_NE(Judged(&segue_host_machine, block, 48), "no offence") << "two are the last";
	block[3] &= static_cast<uint8_t>(~(LAST >> 24));
	block[19] &= static_cast<uint8_t>(~(LAST >> 24));
	EXPECT_NE(Judged(&segue_host_machine, block, 32), "no offence") << "none is the last";
}

} // namespace
