/* SPDX-License-Identifier: BSD-2-Clause */
// What softhca wire does to packets, in virtual time.
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "tests/seed/seed.h"
#include "gtest/gtest.h"
extern "C" {
#include "tools/softhca/wire_queue.h"
}

namespace
{

const uint64_t kMs = 1000000;

struct Arrival {
	uint64_t at;
	uint32_t id;
	std::vector<uint8_t> bytes;
};

// `count` packets of 100 bytes, one every `every` ns, and what arrives of them.
std::vector<Arrival> Carry(const wire_quality &quality, uint32_t count, uint64_t every,
			   wire_queue *kept = nullptr)
{
	wire_queue q;
	std::vector<Arrival> out;
	uint64_t now = 1;
	const auto take = [&](uint64_t until) {
		while (wire_queue_next(&q) <= until) {
			const uint64_t at = wire_queue_next(&q);
			wire_packet *const p = wire_queue_take(&q, at);
			uint32_t id;
			memcpy(&id, p->bytes + 40, sizeof(id));
			out.push_back(
				{at, id, std::vector<uint8_t>(p->bytes, p->bytes + p->length)});
			free(p);
		}
	};
	wire_queue_start(&q, &quality, 0);
	for (uint32_t i = 0; i < count; i++, now += every) {
		uint8_t bytes[100] = {0x45};
		bytes[9] = 17;
		bytes[26] = 1;
		memcpy(bytes + 40, &i, sizeof(i));
		take(now);
		EXPECT_TRUE(wire_queue_put(&q, bytes, sizeof(bytes), now));
	}
	take(UINT64_MAX - 1);
	if (kept)
		*kept = q;
	wire_queue_end(&q);
	return out;
}

wire_quality Quality()
{
	wire_quality q{};
	q.seed = segue_test_seed();
	return q;
}

TEST(Wire, GoodOneChangesNothing)
{
	const auto got = Carry(Quality(), 1000, 1000);
	ASSERT_EQ(got.size(), 1000u);
	for (uint32_t i = 0; i < 1000; i++) {
		EXPECT_EQ(got[i].id, i);
		EXPECT_EQ(got[i].at, 1 + i * 1000ull);
	}
}

TEST(Wire, DelaysAndKeepsTheOrder)
{
	wire_quality quality = Quality();
	quality.delay_ms = 10;
	quality.jitter_ms = 5;
	const auto got = Carry(quality, 1000, kMs / 10);
	ASSERT_EQ(got.size(), 1000u);
	for (uint32_t i = 0; i < 1000; i++) {
		const uint64_t sent = 1 + i * (kMs / 10);
		EXPECT_EQ(got[i].id, i);
		EXPECT_GE(got[i].at, sent + 10 * kMs);
		EXPECT_LE(got[i].at, sent + 15 * kMs);
	}
}

// 20,000 packets: five standard deviations of 2 % are 0.5 %.
void IsAbout(unsigned long n, double percent)
{
	EXPECT_GE(n, 20000 * (percent - 0.5) / 100);
	EXPECT_LE(n, 20000 * (percent + 0.5) / 100);
}

TEST(Wire, ChancesAreThoseAskedFor)
{
	wire_quality quality = Quality();
	wire_queue did;
	quality.delay_ms = 1;
	quality.loss = quality.reorder = quality.duplicate = quality.corrupt = 2;
	const auto got = Carry(quality, 20000, 1000, &did);
	IsAbout(did.did.lost, 2);
	IsAbout(did.did.overtook, 2);
	IsAbout(did.did.doubled, 2);
	IsAbout(did.did.corrupted, 2);
	EXPECT_EQ(got.size(), 20000 - did.did.lost + did.did.doubled);
	EXPECT_EQ(did.did.packets, 20000u);
}

TEST(Wire, OvertakesAndDoubles)
{
	wire_quality quality = Quality();
	quality.delay_ms = 1;
	quality.reorder = 10;
	unsigned long late = 0;
	uint32_t last = 0;
	for (const Arrival &a : Carry(quality, 1000, 1000)) {
		late += a.id < last;
		last = a.id;
	}
	EXPECT_GT(late, 0u);
	quality.reorder = 0;
	quality.duplicate = 100;
	std::map<uint32_t, int> times;
	for (const Arrival &a : Carry(quality, 1000, 1000))
		times[a.id]++;
	ASSERT_EQ(times.size(), 1000u);
	for (const auto &[id, n] : times)
		EXPECT_EQ(n, 2) << id;
}

TEST(Wire, WrongBitIsBehindTheUdpHeaderWhichHasNoChecksum)
{
	wire_quality quality = Quality();
	quality.corrupt = 100;
	for (const Arrival &a : Carry(quality, 200, 1000)) {
		int bits = 0;
		for (size_t i = 28; i < a.bytes.size(); i++)
			if (i < 40 || i >= 44)
				bits += __builtin_popcount(a.bytes[i]);
		EXPECT_LE(bits, 1);
		EXPECT_EQ(a.bytes[0], 0x45);
		EXPECT_EQ(a.bytes[26], 0);
	}
}

TEST(Wire, RateSpacesPacketsAndDropsThoseBeyondTheLimit)
{
	wire_quality quality = Quality();
	wire_queue did;
	quality.rate_mbit = 8; // a byte per microsecond
	const auto got = Carry(quality, 2000, 1, &did);
	EXPECT_NEAR(static_cast<double>(got.size()), WIRE_LIMIT, 2);
	EXPECT_EQ(did.did.full, 2000 - got.size());
	for (size_t i = 1; i < got.size(); i++)
		EXPECT_EQ(got[i].at - got[i - 1].at, 100000u);
}

TEST(Wire, SeedDecides)
{
	wire_quality quality = Quality();
	quality.loss = 50;
	const auto ids = [&] {
		std::vector<uint32_t> out;
		for (const Arrival &a : Carry(quality, 1000, 1000))
			out.push_back(a.id);
		return out;
	};
	const auto first = ids();
	EXPECT_EQ(first, ids());
	quality.seed++;
	EXPECT_NE(first, ids());
}

} // namespace
