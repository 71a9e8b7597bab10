// SPDX-License-Identifier: BSD-2-Clause
// Repetitions of a pattern beside the same requests built each time: what the device sees of the
// ring, what is kept of each request, the doorbell record and every refusal are the same, wherever
// the ring ends, is full or begins anew, and whatever else was posted, begun or refused meanwhile.
#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>

#include "segue/base.h"
#include "segue/gen/patterns.h"
#include "tests/runtime/plain_queue.h"
#include "tests/seed/dice.h"
#include "tests/seed/seed.h"

namespace
{

template <class Queue> void Open(World *world, Queue *queue, uint32_t first)
{
	memset(world->reg, 0, sizeof(world->reg));
	world->dbrec = segue_be32(first & 0xffff);
	OpenOver(world, queue, first);
}

struct Values {
	uint64_t remote, addr;
	uint32_t length, imm;
};

segue_address_vector ah;
uint8_t payload[256];

// The shapes: how it is built, and what a repetition sets.
struct Write {
	using Queue = segue_rc_sq;
	using Pattern = segue_rc_rdma_write_imm_may_take_sge_pattern;
	static constexpr auto Keep = segue_pattern_rc_rdma_write_imm_may_take_sge;
	template <class Handle>
	static auto Build(Handle *queue, uint64_t wr_id, uint32_t flags, const Values &v)
	{
		return segue_sge(
			segue_raddr(segue_rdma_write_imm(queue, wr_id, flags, v.imm), v.remote, 7),
			v.addr, v.length, 9);
	}
	template <class Repeat> static void Set(Repeat *r, const Values &v)
	{
		segue_set_imm(r, v.imm);
		segue_set_raddr_remote_addr(r, v.remote);
		segue_set_sge_addr(r, v.addr);
		segue_set_sge_byte_count(r, v.length);
	}
};

struct Pieces { // two blocks, and the last of five entries changes
	using Queue = segue_rc_sq;
	using Pattern = segue_rc_send_imm_may_take_sge_pattern;
	static constexpr auto Keep = segue_pattern_rc_send_imm_may_take_sge;
	template <class Handle>
	static auto Build(Handle *queue, uint64_t wr_id, uint32_t flags, const Values &v)
	{
		const segue_seg_data list[] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};

		return segue_sge(
			segue_sge_list(segue_send_imm(queue, wr_id, flags, 0xabcd), list, 4),
			v.addr, v.length, v.imm);
	}
	template <class Repeat> static void Set(Repeat *r, const Values &v)
	{
		segue_set_sge_addr_of(r, 4, v.addr);
		segue_set_sge_byte_count_of(r, 4, v.length);
		segue_set_sge_lkey_of(r, 4, v.imm);
	}
};

struct ToDct { // two blocks
	using Queue = segue_dci_sq;
	template <class Request> static auto Rest(Request request, const Values &v)
	{
		return segue_sge(segue_raddr(segue_av(request, &ah, 5, 6), v.remote, v.imm), v.addr,
				 v.length, 9);
	}
	template <class Repeat> static void Set(Repeat *r, const Values &v)
	{
		segue_set_raddr_remote_addr(r, v.remote);
		segue_set_raddr_rkey(r, v.imm);
		segue_set_sge_addr(r, v.addr);
		segue_set_sge_byte_count(r, v.length);
	}
};

struct OverDc : ToDct {
	using Pattern = segue_dci_rdma_write_may_take_sge_pattern;
	static constexpr auto Keep = segue_pattern_dci_rdma_write_may_take_sge;
	template <class Handle>
	static auto Build(Handle *queue, uint64_t wr_id, uint32_t flags, const Values &v)
	{
		return Rest(segue_rdma_write(queue, wr_id, flags), v);
	}
};

struct ReadOverDc : ToDct {
	using Pattern = segue_dci_rdma_read_may_take_sge_pattern;
	static constexpr auto Keep = segue_pattern_dci_rdma_read_may_take_sge;
	template <class Handle>
	static auto Build(Handle *queue, uint64_t wr_id, uint32_t flags, const Values &v)
	{
		return Rest(segue_rdma_read(queue, wr_id, flags), v);
	}
};

struct Long { // four blocks
	using Queue = segue_rc_sq;
	using Pattern = segue_rc_rdma_write_complete_pattern;
	static constexpr auto Keep = segue_pattern_rc_rdma_write_complete;
	template <class Handle>
	static auto Build(Handle *queue, uint64_t wr_id, uint32_t flags, const Values &v)
	{
		return segue_inline_data(
			segue_raddr(segue_rdma_write(queue, wr_id, flags), v.remote, v.imm),
			payload, 200);
	}
	template <class Repeat> static void Set(Repeat *r, const Values &v)
	{
		segue_set_raddr_remote_addr(r, v.remote);
		segue_set_raddr_rkey(r, v.imm);
	}
};

struct Read { // the landing of an answer may have any number of entries, and none
	using Queue = segue_rc_sq;
	using Pattern = segue_rc_rdma_read_may_take_sge_pattern;
	static constexpr auto Keep = segue_pattern_rc_rdma_read_may_take_sge;
	template <class Handle>
	static auto Build(Handle *queue, uint64_t wr_id, uint32_t flags, const Values &v)
	{
		return segue_sge(segue_raddr(segue_rdma_read(queue, wr_id, flags), v.remote, 7),
				 v.addr, v.length, v.imm);
	}
	template <class Repeat> static void Set(Repeat *r, const Values &v)
	{
		segue_set_raddr_remote_addr(r, v.remote);
		segue_set_sge_addr(r, v.addr);
		segue_set_sge_byte_count(r, v.length);
		segue_set_sge_lkey(r, v.imm);
	}
};

struct ReadFour { // two blocks; each entry changes, the last set first
	using Queue = segue_xrc_initiator_sq;
	using Pattern = segue_xrc_initiator_rdma_read_may_take_sge_pattern;
	static constexpr auto Keep = segue_pattern_xrc_initiator_rdma_read_may_take_sge;
	template <class Handle>
	static auto Build(Handle *queue, uint64_t wr_id, uint32_t flags, const Values &v)
	{
		const segue_seg_data list[] = {{v.length, 1, v.addr + 1},
					       {v.length, 2, v.addr + 2},
					       {v.length, 3, v.addr + 3},
					       {v.length, v.imm, v.addr + 4}};

		return segue_sge_list(
			segue_raddr(segue_xrc(segue_rdma_read(queue, wr_id, flags), v.imm & 0xffff),
				    v.remote, 7),
			list, 4);
	}
	template <class Repeat> static void Set(Repeat *r, const Values &v)
	{
		segue_set_xrc_xrc_srqn(r, v.imm & 0xffff);
		segue_set_raddr_remote_addr(r, v.remote);
		segue_set_sge_lkey_of(r, 3, v.imm);
		segue_set_sge_addr_of(r, 3, v.addr + 4);
		segue_set_sge_byte_count_of(r, 3, v.length);
		for (uint32_t i = 0; i < 3; i++) {
			segue_set_sge_addr_of(r, i, v.addr + i + 1);
			segue_set_sge_byte_count_of(r, i, v.length);
		}
	}
};

struct Datagram { // two blocks
	using Queue = segue_ud_sq;
	using Pattern = segue_ud_send_may_take_sge_pattern;
	static constexpr auto Keep = segue_pattern_ud_send_may_take_sge;
	template <class Handle>
	static auto Build(Handle *queue, uint64_t wr_id, uint32_t flags, const Values &v)
	{
		return segue_sge(segue_sge(segue_av(segue_send(queue, wr_id, flags), &ah, 5, 6),
					   v.addr, v.length, 9),
				 v.remote, v.length, v.imm);
	}
	template <class Repeat> static void Set(Repeat *r, const Values &v)
	{
		segue_set_sge_addr(r, v.addr);
		segue_set_sge_byte_count(r, v.length);
		segue_set_sge_addr_of(r, 1, v.remote);
		segue_set_sge_byte_count_of(r, 1, v.length);
		segue_set_sge_lkey_of(r, 1, v.imm);
	}
};

template <uint32_t Headers> struct Segmented { // so many bytes of them stand in front of the list
	using Queue = segue_raw_packet_sq;
	using Pattern = segue_raw_packet_tso_may_take_sge_pattern;
	static constexpr auto Keep = segue_pattern_raw_packet_tso_may_take_sge;
	template <class Handle>
	static auto Build(Handle *queue, uint64_t wr_id, uint32_t flags, const Values &v)
	{
		return segue_sge(segue_sge(segue_eth(segue_tso(queue, wr_id, flags), 0, 1000,
						     payload, Headers),
					   v.addr, v.length, v.imm),
				 v.remote, v.length, 9);
	}
	template <class Repeat> static void Set(Repeat *r, const Values &v)
	{
		segue_set_sge_addr(r, v.addr);
		segue_set_sge_byte_count(r, v.length);
		segue_set_sge_lkey(r, v.imm);
		segue_set_sge_addr_of(r, 1, v.remote);
		segue_set_sge_byte_count_of(r, 1, v.length);
	}
};

template <class Shape> class Pattern : public testing::Test
{
      protected:
	Pattern() : dice_(segue_test_seed())
	{
		memset(&one_, 0, sizeof(one_));
		memset(&many_, 0, sizeof(many_));
		ah.bytes[8] = 0x80;
		for (uint32_t i = 0; i < sizeof(payload); i++)
			payload[i] = uint8_t(i * 7 + 1);
	}

	uint32_t Below(uint32_t n)
	{
		return uint32_t(dice_() % n);
	}

	void OpenBoth(uint32_t first)
	{
		Open(&one_, &plain_, first);
		Open(&many_, &repeated_, first);
	}

	void Keep(uint32_t flags)
	{
		const Values v = {1, 2, 3, 4};

		ASSERT_EQ(0, Shape::Keep(Shape::Build(&repeated_, 0, flags, v), &pattern_))
			<< segue_errmsg();
	}

	// What is in flight, block by block; and what else there is of the queue.
	void Same(const char *when)
	{
		for (uint32_t at = seguei_sq_ci(&plain_.sq); at != plain_.sq.pi;) {
			const segue_sq_slot &mine = one_.slots[at % kBlocks],
					    &its = many_.slots[at % kBlocks];
			const uint8_t *wqe = one_.ring + size_t(at % kBlocks) * 64;
			const uint32_t units = segue_get_be32(wqe + 4) & 0x3f,
				       blocks = (units + 3) / 4;

			ASSERT_EQ(mine.next, its.next) << when;
			ASSERT_EQ(mine.wr_id, its.wr_id) << when;
			for (uint32_t i = 0; i < blocks; i++) {
				const size_t from = size_t((at + i) % kBlocks) * 64;
				const size_t bytes = i + 1 < blocks ? 64 : (units - 4 * i) * 16;

				ASSERT_EQ(0, memcmp(one_.ring + from, many_.ring + from, bytes))
					<< when << ": block " << i << " of the request at " << at;
			}
			at += blocks;
		}
		ASSERT_EQ(one_.dbrec, many_.dbrec) << when;
		ASSERT_EQ(0, memcmp(one_.reg, many_.reg, sizeof(one_.reg))) << when;
		ASSERT_EQ(plain_.sq.pi, repeated_.sq.pi) << when;
		ASSERT_EQ(seguei_sq_ci(&plain_.sq), seguei_sq_ci(&repeated_.sq)) << when;
		ASSERT_EQ(plain_.sq.limit, repeated_.sq.limit) << when;
		ASSERT_EQ(plain_.sq.forced, repeated_.sq.forced) << when;
	}

	Values Drawn()
	{
		return {dice_(), dice_(), Below(20) ? 1 + Below(5000) : 0x80000000u,
			uint32_t(dice_())};
	}

	// So many, with one doorbell; what is refused is refused alike.
	void Burst(uint32_t n, uint32_t kept, uint32_t wr_id, uint32_t *refused)
	{
		auto r = segue_repeat_begin(&pattern_, wr_id);

		for (uint32_t i = 0; i < n; i++) {
			const uint32_t flags = Below(4) ? 0
							: SEGUE_SIGNALED |
								  (Below(2) ? SEGUE_FENCE : 0);
			const Values v = Drawn();

			if (!Below(3)) {
				wr_id = uint32_t(dice_());
				segue_repeat_wr_id(&r, wr_id);
			}
			const int plain = segue_commit(
				Shape::Build(&plain_, wr_id, kept | flags, v));
			const std::string said = plain ? segue_errmsg() : "";

			Shape::Set(&r, v);
			ASSERT_EQ(plain, segue_repeat(&r, flags)) << segue_errmsg();
			if (plain) {
				ASSERT_EQ(said, segue_errmsg());
			}
			*refused += plain != 0;
			if (seguei_sq_ci(&repeated_.sq) != repeated_.sq.pi && !Below(10))
				Retire(1);
		}
		segue_ring_doorbell(&plain_);
		segue_repeat_end(&r);
	}

	void Retire(uint32_t n)
	{
		for (; n > 0; n--) {
			segue_sq_drop_oldest(&plain_.sq);
			segue_sq_drop_oldest(&repeated_.sq);
		}
	}

	// What else happens on a queue, the same on both.
	template <class Queue> void Meddle(Queue *queue, uint32_t what, uint64_t n)
	{
		const Values v = {n, n, 1 + uint32_t(n % 100), uint32_t(n)};
		segue_seg_data list[12] = {};

		for (segue_seg_data &entry : list)
			entry = {1, 2, n};
		switch (what) {
		case 0:
			(void)segue_post(segue_nop(queue, n, SEGUE_SIGNALED));
			return;
		case 1:
			(void)segue_post(Shape::Build(queue, n, SEGUE_SIGNALED, v));
			return;
		case 2: // begun and dropped, over some blocks
			(void)segue_inline_data(segue_wild(queue, n), payload, uint32_t(n % 190));
			return;
		case 3:
			(void)segue_nop(queue, n, 0);
			return;
		case 4: // refused, over several blocks
			(void)segue_post(segue_inline_data(segue_wild(queue, n), payload, 250));
			return;
		case 5: // and taken back
			(void)segue_commit(segue_nop(queue, n, 0));
			(void)segue_commit(Shape::Build(queue, n, 0, v));
			(void)segue_sq_abort(&queue->sq);
			return;
		case 6:
			segue_sq_set_postable(&queue->sq, false);
			(void)segue_post(segue_nop(queue, n, 0));
			segue_sq_set_postable(&queue->sq, true);
			return;
		case 7: // the next one waits
			seguei_sq_fence_next(&queue->sq);
			return;
		default:
			return;
		}
	}

	template <class Queue> static auto segue_wild(Queue *queue, uint64_t n)
	{
		if constexpr (std::is_same_v<Queue, segue_dci_sq>)
			return segue_raddr(segue_av(segue_rdma_write(queue, n, 0), &ah, 5, 6), n,
					   1);
		else if constexpr (std::is_same_v<Queue, segue_ud_sq>)
			return segue_av(segue_send(queue, n, 0), &ah, 5, 6);
		else if constexpr (std::is_same_v<Queue, segue_raw_packet_sq>)
			return segue_eth(segue_send(queue, n, 0), 0, payload, 30);
		else if constexpr (std::is_same_v<Queue, segue_xrc_initiator_sq>)
			return segue_raddr(segue_xrc(segue_rdma_write(queue, n, 0), 5), n, 1);
		else
			return segue_raddr(segue_rdma_write(queue, n, 0), n, 1);
	}

	SplitMix64 dice_;
	World one_, many_;
	typename Shape::Queue plain_, repeated_;
	typename Shape::Pattern pattern_;
};

using Shapes = testing::Types<Write, Pieces, OverDc, Long, Read, ReadFour, ReadOverDc, Datagram,
			      Segmented<14>, Segmented<54>>;
TYPED_TEST_SUITE(Pattern, Shapes, );

// Every block of the ring, three laps, one by one and several at once.
TYPED_TEST(Pattern, IsRightInEachBlock)
{
	uint32_t refused = 0;

	for (uint32_t first : {0u, 1u, 0xfffffff0u, 0xfff1u})
		for (uint32_t n : {1u, 3u}) {
			this->OpenBoth(first);
			this->Keep(0);
			for (uint32_t i = 0; i < 3 * kBlocks && !this->HasFatalFailure(); i++) {
				this->Burst(n, 0, i, &refused);
				this->Same("behind a burst");
				this->Retire(n);
			}
		}
}

TYPED_TEST(Pattern, IsRightWhateverHappensInBetween)
{
	uint32_t refused = 0;

	for (int life = 0; life < 300 && !this->HasFatalFailure(); life++) {
		const uint32_t kept = life % 2 ? uint32_t(SEGUE_SIGNALED) : 0,
			       meddling = this->Below(4);

		this->OpenBoth(life % 3 ? this->Below(100) : UINT32_MAX - this->Below(100));
		this->Keep(kept);
		for (int round = 0; round < 60 && !this->HasFatalFailure(); round++) {
			const uint32_t what = this->Below(8);
			const uint64_t n = this->dice_() >> 8;

			this->Burst(this->Below(12), kept, uint32_t(round), &refused);
			this->Same("behind a burst");
			this->Retire(this->Below(8));
			if (this->Below(4) < meddling) {
				this->Meddle(&this->plain_, what, n);
				this->Meddle(&this->repeated_, what, n);
				this->Same("behind something else");
			}
		}
	}
	EXPECT_GT(refused, 100u);
}

// As after a RESET: the ring begins again where it began, with other bytes in it.
TYPED_TEST(Pattern, IsLaidAnewBehindAReset)
{
	uint32_t refused = 0;

	for (uint32_t n : {0u, 5u, kBlocks}) {
		this->OpenBoth(0);
		this->Keep(0);
		for (uint32_t i = 0; i < n; i++) {
			this->Burst(1, 0, i, &refused);
			this->Retire(1);
		}
		memset(this->many_.ring, 0, sizeof(this->many_.ring));
		this->OpenBoth(this->repeated_.sq.pi);
		this->Burst(6, 0, 7, &refused);
		this->Same("behind a reset");
	}
}

// Two patterns on one queue, kept in the same memory one after the other, and side by side.
TYPED_TEST(Pattern, MayBeOneOfSeveral)
{
	typename TypeParam::Pattern other;
	uint32_t refused = 0;
	const Values v = {8, 8, 8, 8};

	this->OpenBoth(0);
	this->Keep(0);
	for (uint32_t i = 0; i < 200 && !this->HasFatalFailure(); i++) {
		this->Burst(2, 0, i, &refused);
		if (i % 3 == 0)
			this->Keep(0);
		ASSERT_EQ(0,
			  TypeParam::Keep(TypeParam::Build(&this->repeated_, 0, SEGUE_SIGNALED, v),
					  &other));
		auto r = segue_repeat_begin(&other, i);

		TypeParam::Set(&r, v);
		ASSERT_EQ(segue_post(TypeParam::Build(&this->plain_, i, SEGUE_SIGNALED, v)),
			  segue_repeat(&r, 0));
		segue_repeat_end(&r);
		this->Same("of two");
		this->Retire(3);
	}
}

class Refused : public Pattern<Write>
{
};

TEST_F(Refused, RequestsThatCannotBeKept)
{
	segue_rc_send_may_take_sge_pattern sends;
	segue_rc_rdma_write_complete_pattern inlined;
	const volatile uint32_t too_long = 0x80000000u; /* a constant does not compile */
	const segue_seg_data list[] = {{1, 2, 3},    {4, 5, 6},	   {7, 8, 9},	 {10, 11, 12},
				       {13, 14, 15}, {16, 17, 18}, {19, 20, 21}, {22, 23, 24}};

	OpenBoth(0);
	EXPECT_EQ(-EMSGSIZE,
		  segue_pattern_rc_send_may_take_sge(
			  segue_sge_list(segue_send(&repeated_, 1, 0), list, 8), &sends));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "takes 3 blocks, expected 1, 2 or 4"))
		<< segue_errmsg();
	EXPECT_EQ(-EINVAL,
		  segue_pattern_rc_send_may_take_sge(
			  segue_sge(segue_inline_data(segue_send(&repeated_, 1, 0), payload, 8), 1,
				    2, 3),
			  &sends));
	EXPECT_NE(nullptr,
		  strstr(segue_errmsg(), "other segments than this type of pattern has: data"))
		<< segue_errmsg();
	EXPECT_EQ(-ERANGE,
		  segue_pattern_rc_send_may_take_sge(
			  segue_sge(segue_send(&repeated_, 1, 0), 1, too_long, 3), &sends));
	EXPECT_EQ(-EMSGSIZE,
		  segue_pattern_rc_rdma_write_complete(
			  segue_inline_data(segue_wild(&repeated_, 1), payload, 250), &inlined));
	segue_rc_rdma_read_may_take_sge_pattern reads;
	EXPECT_EQ(-EINVAL, segue_pattern_rc_rdma_read_may_take_sge(
				   segue_raddr(segue_rdma_read(&repeated_, 1, 0), 1, 2), &reads));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "this type of pattern has: raddr, data"))
		<< segue_errmsg();
	segue_rc_batch batch = segue_batch_begin(&repeated_);
	EXPECT_EQ(-EINVAL, segue_pattern_rc_send_may_take_sge(
				   segue_sge(segue_send(&batch, 1, 0), 1, 2, 3), &sends));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "a request of a batch")) << segue_errmsg();
	segue_batch_end(&batch);
	EXPECT_EQ(0u, repeated_.sq.pi);
}

TEST_F(Refused, FlagsAndEntriesThatAreNotThere)
{
	segue_rc_send_may_take_sge_pattern sends;
	volatile uint32_t fence = SEGUE_FENCE, small = SEGUE_INITIATOR_SMALL_FENCE,
			  solicited = 0x10, two = 2;

	OpenBoth(0);
	ASSERT_EQ(0, segue_pattern_rc_send_may_take_sge(
			     segue_sge(segue_send(&repeated_, 1, fence), 1, 2, 3), &sends));
	auto r = segue_repeat_begin(&sends, 1);
	EXPECT_EQ(-ERANGE, segue_repeat(&r, solicited)); // no flag
	EXPECT_EQ(-ERANGE, segue_repeat(&r, small)) << "two fences at once";
	segue_set_sge_addr_of(&r, two, 5);
	EXPECT_EQ(-ERANGE, segue_repeat(&r, 0));
	segue_set_sge_addr_of(&r, 0, 5);
	EXPECT_EQ(0, segue_repeat(&r, 0)) << segue_errmsg();
	segue_repeat_end(&r);
	EXPECT_EQ(1u, repeated_.sq.pi);
	EXPECT_EQ(segue_be32(1), many_.dbrec);
}

// Where alternatives of other lengths stand in front of a list, a pattern has the one whose length
// is known, and which is the longest.
TEST(RefusedForms, WithTheListElsewhere)
{
	World world;
	segue_ud_sq ud;
	segue_raw_packet_sq raw;
	segue_address_vector_compact compact = {};
	segue_ud_send_may_take_sge_pattern sends;
	segue_raw_packet_send_may_take_sge_pattern frames;

	Open(&world, &ud, 0);
	EXPECT_EQ(
		-EINVAL,
		segue_pattern_ud_send_may_take_sge(
			segue_sge(segue_av_compact(segue_send(&ud, 1, 0), &compact, 5, 6), 1, 2, 3),
			&sends));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "has: av_ud, data; post such")) << segue_errmsg();
	EXPECT_EQ(-EINVAL, segue_pattern_ud_send_may_take_sge(
				   segue_sge(segue_eth(segue_eth_pad(segue_av(segue_send(&ud, 1, 0),
									      &ah, 5, 6)),
						       0, payload, 14),
					     1, 2, 3),
				   &sends));
	EXPECT_EQ(-EINVAL,
		  segue_pattern_ud_send_may_take_sge(
			  segue_sge(segue_inline_data(segue_av(segue_send(&ud, 1, 0), &ah, 5, 6),
						      payload, 8),
				    1, 2, 3),
			  &sends));
	EXPECT_EQ(-EINVAL,
		  segue_pattern_ud_send_may_take_sge(
			  segue_inline_data(segue_av(segue_send(&ud, 1, 0), &ah, 5, 6), payload, 8),
			  &sends));
	Open(&world, &raw, 0);
	EXPECT_EQ(-EINVAL,
		  segue_pattern_raw_packet_send_may_take_sge(
			  segue_sge(segue_eth(segue_send(&raw, 1, 0), 0, payload, 18), 1, 2, 3),
			  &frames));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "has: eth_vlan, data")) << segue_errmsg();
}

// An entry that is not there, known to the compiler or not: nothing else in the ring changes.
TEST_F(Refused, AnEntryBehindTheLast)
{
	segue_rc_send_may_take_sge_pattern sends;
	volatile uint32_t far = 20, farthest = UINT32_MAX, close = 1;
	World before;

	OpenBoth(0);
	ASSERT_EQ(0, segue_pattern_rc_send_may_take_sge(
			     segue_sge(segue_send(&repeated_, 1, 0), 1, 2, 3), &sends));
	auto r = segue_repeat_begin(&sends, 1);
	segue_set_sge_addr(&r, 4);
	memcpy(&before, &many_, sizeof(before));
	const auto refused = [&](const char *said) {
		EXPECT_EQ(-ERANGE, segue_repeat(&r, 0));
		EXPECT_NE(nullptr, strstr(segue_errmsg(), said)) << segue_errmsg();
		EXPECT_EQ(0, memcmp(before.ring + 64, many_.ring + 64, sizeof(many_.ring) - 64));
	};
	segue_set_sge_addr_of(&r, 1, 5);
	segue_set_sge_byte_count_of(&r, 1, 5);
	refused("entry 1 of a list is set, and the pattern has 1, from 0 on");
	segue_set_sge_lkey_of(&r, 2, 5);
	segue_set_sge_lkey_of(&r, 1, 5);
	refused("of a list is set, and the pattern has 1");
	segue_set_sge_addr_of(&r, 60, 5);
	segue_set_sge_addr_of(&r, 3, 5);
	refused("of a list");
	segue_set_sge_addr_of(&r, close, 5);
	segue_set_sge_addr_of(&r, 14, 5);
	refused("of a list");
	segue_set_sge_addr_of(&r, far, 5);
	refused("entry 20 of a list");
	segue_set_sge_addr_of(&r, farthest, 5);
	refused("entry 4294967295 of a list");
	segue_set_sge_addr(&r, 6);
	EXPECT_EQ(0, segue_repeat(&r, 0)) << segue_errmsg();
	segue_set_sge_addr_of(&r, 1, 5); /* and given up */
	segue_repeat_end(&r);
	EXPECT_EQ(1u, repeated_.sq.pi);
	EXPECT_EQ(segue_be32(1), many_.dbrec);
	r = segue_repeat_begin(&sends, 2);
	segue_set_sge_addr(&r, 7);
	EXPECT_EQ(0, segue_repeat(&r, 0)) << segue_errmsg();
	segue_repeat_end(&r);
	EXPECT_EQ(2u, repeated_.sq.pi);
	EXPECT_EQ(6u, segue_get_be64(many_.ring + 24));
	EXPECT_EQ(7u, segue_get_be64(many_.ring + 64 + 24));
}

// The same object, filled again: nothing of what it was is left in the ring.
TEST_F(Refused, NothingOfWhatAPatternWas)
{
	segue_rc_send_may_take_sge_pattern sends;

	OpenBoth(0);
	for (uint32_t lkey : {3u, 4u}) {
		ASSERT_EQ(0, segue_pattern_rc_send_may_take_sge(
				     segue_sge(segue_send(&repeated_, 1, 0), 1, 2, lkey), &sends));
		for (uint32_t i = 0; i < 2 * kBlocks; i++) {
			const uint8_t *wqe = many_.ring + size_t(repeated_.sq.pi % kBlocks) * 64;
			auto r = segue_repeat_begin(&sends, i);

			segue_set_sge_addr(&r, i);
			ASSERT_EQ(0, segue_repeat(&r, 0));
			segue_repeat_end(&r);
			ASSERT_EQ(lkey, segue_get_be32(wqe + 20)) << i;
			segue_sq_drop_oldest(&repeated_.sq);
		}
	}
}

} // namespace
