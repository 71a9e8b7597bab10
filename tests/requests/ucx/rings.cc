// SPDX-License-Identifier: BSD-2-Clause
/*
 * Requests that UCX has posted, out of its own rings: Segue reads what UCX was asked for, and
 * writes the same bytes for it. For those that libmlx5 has no call for (masked atomics), and once
 * more for tag lists. SEGUE_TEST_RINGS names a folder of rings that softhca has kept.
 */
#include <gtest/gtest.h>
#include <string.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "tests/requests/posted_request.h"

namespace requests {
namespace {

constexpr uint32_t BLOCKS = 64;

// A ring of Segue's that counts from where UCX's request stands.
struct Plain {
	explicit Plain(const Posted &p)
	{
		segue_sq_init_options attr = {};

		attr.buf = ring;
		attr.wqe_cnt = BLOCKS;
		attr.max_wqe_units = 16;
		attr.dbrec = &record;
		attr.bf_reg = page;
		attr.qpn = (uint32_t)p.value("ctrl", "qpn");
		attr.first_index = (uint32_t)p.value("ctrl", "wqe_index");
		attr.slots = slots;
		EXPECT_EQ(0, segue_sq_init(&sq.sq, &attr)) << segue_errmsg();
	}
	std::vector<uint8_t> written(uint32_t from, size_t length) const
	{
		std::vector<uint8_t> bytes;

		for (size_t i = 0; i < length; i++)
			bytes.push_back(ring[((size_t)from * SEGUEI_BLOCK + i) % sizeof(ring)]);
		return bytes;
	}

	alignas(64) uint8_t ring[BLOCKS * SEGUEI_BLOCK] = {};
	alignas(512) uint8_t page[512] = {};
	uint32_t record = 0;
	segue_sq_slot slots[BLOCKS] = {};
	segue_rc_sq sq = {};
};

template <class B> auto aimed(const Posted &p, B b)
{
	return segue_raddr(b, p.value("raddr", "remote_addr"), (uint32_t)p.value("raddr", "rkey"));
}

template <class B> int landed(const Posted &p, B b)
{
	return segue_commit(segue_sge(b, p.value("data", "addr"),
				      (uint32_t)p.value("data", "byte_count"),
				      (uint32_t)p.value("data", "lkey")));
}

template <class B> auto listed(const Posted &p, B b)
{
	return segue_tm(b, (uint8_t)p.value("tm", "flags"), (uint16_t)p.value("tm", "index"),
			(uint16_t)p.value("tm", "sw_cnt"), p.value("tm", "append_tag"),
			p.value("tm", "append_mask"));
}

// Posts it by its builder; 1 if it is another one.
int again(const Posted &p, segue_rc_sq *sq)
{
	const uint32_t flags = p.value("ctrl", "ce") == SEGUE_COMPLETION_MODE_ALWAYS
				       ? SEGUE_SIGNALED
				       : 0;

	if (p.request == "masked_atomic_cs32")
		return landed(p, segue_masked_compare_swap32(
					 aimed(p, segue_masked_atomic_cs32(sq, 0, flags)),
					 (uint32_t)p.value("masked_cas32", "compare"),
					 (uint32_t)p.value("masked_cas32", "swap"),
					 (uint32_t)p.value("masked_cas32", "compare_mask"),
					 (uint32_t)p.value("masked_cas32", "swap_mask")));
	if (p.request == "masked_atomic_cs64")
		return landed(p, segue_masked_compare_swap64(
					 aimed(p, segue_masked_atomic_cs64(sq, 0, flags)),
					 p.value("masked_cas64", "compare"),
					 p.value("masked_cas64", "swap"),
					 p.value("masked_cas64", "compare_mask"),
					 p.value("masked_cas64", "swap_mask")));
	if (p.request == "masked_atomic_fa32")
		return landed(
			p, segue_masked_fa32(aimed(p, segue_masked_atomic_fa32(sq, 0, flags)),
					     (uint32_t)p.value("masked_fa32", "add"),
					     (uint32_t)p.value("masked_fa32", "field_boundary")));
	if (p.request == "masked_atomic_fa64")
		return landed(p, segue_masked_fa64(aimed(p, segue_masked_atomic_fa64(sq, 0, flags)),
						   p.value("masked_fa64", "add"),
						   p.value("masked_fa64", "field_boundary")));
	if (p.request == "tm_append" && p.has("data"))
		return landed(p, listed(p, segue_tm_append(sq, 0, flags)));
	return 1;
}

using Operands = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>;

// What was asked for, by request.
Operands operands_of(const Posted &p)
{
	const bool wide = p.request.back() == '4';
	const char *const segment = p.has("tm")		   ? "tm"
				    : p.has("masked_fa64") ? "masked_fa64"
				    : p.has("masked_fa32") ? "masked_fa32"
				    : wide		   ? "masked_cas64"
							   : "masked_cas32";

	if (p.has("tm"))
		return {p.value(segment, "append_tag"), p.value(segment, "append_mask"), 0, 0};
	if (p.has("masked_fa64") || p.has("masked_fa32"))
		return {p.value(segment, "add"), p.value(segment, "field_boundary"), 0, 0};
	return {p.value(segment, "swap"), p.value(segment, "swap_mask"),
		p.value(segment, "compare"), p.value(segment, "compare_mask")};
}

class Rings : public ::testing::Test {
protected:
	void SetUp() override
	{
		const char *const folder = getenv("SEGUE_TEST_RINGS");

		ASSERT_NE(nullptr, folder) << "start tests/requests/ucx.sh";
		for (const auto &file : std::filesystem::directory_iterator(folder)) {
			const std::string name = file.path().filename();

			if (name.find("-sq-") == std::string::npos ||
			    name.substr(name.size() - 3) != "-rc")
				continue;
			std::ifstream in(file.path(), std::ios::binary);
			const std::vector<uint8_t> ring((std::istreambuf_iterator<char>(in)),
							std::istreambuf_iterator<char>());

			for (size_t block = 0; block < ring.size() / SEGUEI_BLOCK; block++)
				look_at(ring, block);
		}
	}
	// If a request begins there.
	void look_at(const std::vector<uint8_t> &ring, size_t block)
	{
		std::vector<uint8_t> bytes;
		segue_seg_ctrl ctrl;

		segue_seg_ctrl_unpack(&ctrl, &ring[block * SEGUEI_BLOCK]);
		if (ctrl.opcode != SEGUE_OPCODE_ATOMIC_MASKED_CS &&
		    ctrl.opcode != SEGUE_OPCODE_ATOMIC_MASKED_FA &&
		    ctrl.opcode != SEGUE_OPCODE_TAG_MATCHING)
			return;
		for (size_t i = 0; i < 16 * SEGUEI_BLOCK; i++)
			bytes.push_back(ring[(block * SEGUEI_BLOCK + i) % ring.size()]);
		const Posted p = take_apart(segue_rc_machine, bytes);

		if (!p.offence.empty() ||
		    p.value("ctrl", "wqe_index") % (ring.size() / SEGUEI_BLOCK) != block)
			return;
		Plain plain(p);
		const uint32_t at = plain.sq.sq.pi;
		const int ret = again(p, &plain.sq);

		if (ret == 1)
			return;
		ASSERT_EQ(0, ret) << p.request << ": " << segue_errmsg();
		EXPECT_EQ(p.bytes, plain.written(at, p.bytes.size())) << p.request;
		seen[p.request].insert(operands_of(p));
	}

	std::map<std::string, std::set<Operands>> seen;
};

// The operands are those of tests/softhca/clients/ucx_client.c; what UCX makes of them is its own
// way to use these requests.
TEST_F(Rings, AreAsSegueWritesThem)
{
	const uint64_t low = UINT32_MAX, all = UINT64_MAX;
	const std::map<std::string, std::set<Operands>> asked = {
		{"masked_atomic_fa32", {{5, 0, 0, 0}, {256, 0, 0, 0}, {0xf0, low, 0, 0}}},
		{"masked_atomic_fa64", {{0xf0, all, 0, 0}}},
		{"masked_atomic_cs32",
		 {{0x11223344, low, 0, 0},
		  {9, low, 0x11223345, low},
		  {9, low, 0x11223344, low},
		  {0xf3, low & ~UINT64_C(0xf3), 0, 0},
		  {0xc, 0xc, 0, 0}}},
		{"masked_atomic_cs64",
		 {{0x11223344, all, 0, 0}, {0xf3, ~UINT64_C(0xf3), 0, 0}, {0xc, 0xc, 0, 0}}},
		{"tm_append", {{UINT64_C(7) << 56, all, 0, 0}}}, // tags are bytes as x86 has them
	};

	for (const auto &request : asked)
		for (const Operands &operands : request.second)
			EXPECT_TRUE(seen[request.first].count(operands))
				<< request.first << " of " << std::hex << std::get<0>(operands)
				<< ", " << std::get<1>(operands) << ", " << std::get<2>(operands)
				<< ", " << std::get<3>(operands);
}

} // namespace
} // namespace requests
