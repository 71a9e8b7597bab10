// SPDX-License-Identifier: BSD-2-Clause
// Time stamps: what they mean, and who is told that there are none.
#include <infiniband/mlx5dv.h>

#include <algorithm>
#include <random>

#include "segue/device.h"
#include "tests/runtime/control/faults.h"
#include "tests/seed/seed.h"

class Stamps : public Faulty {
protected:
	bool stamps() { return segue_device_caps(device)->timestamp_mask != 0; }

	int open_stamped(segue_cq **out, bool compress = false)
	{
		segue_cq_options options = {};

		options.entries = 255;
		options.timestamps = true;
		options.compress = compress;
		return segue_cq_open(device, &options, out);
	}
};

// Whatever page the kernel has, past and future stamps, wherever the counter wraps: as libmlx5 has
// it, as long as its product fits into 64 bits.
TEST(Clock, ConvertsAsLibmlx5Does)
{
	std::mt19937_64 random(segue_test_seed());

	for (int i = 0; i < 200000; i++) {
		mlx5dv_clock_info info = {};
		segue_clock clock = {};

		info.shift = (uint32_t)(random() % 33);
		info.mult = (uint32_t)((random() % 4096 + 1) * (1ull << info.shift) / 1024 | 1);
		info.frac = random() & ((1ull << info.shift) - 1);
		info.mask = UINT64_MAX >> (random() % 24);
		info.last_cycles = random() & info.mask;
		info.nsec = UINT64_C(1700000000000000000) + (random() >> 8);
		clock.ns = info.nsec, clock.fraction = info.frac, clock.ticks = info.last_cycles,
		clock.mask = info.mask;
		clock.mult = info.mult, clock.shift = info.shift;

		const uint64_t most = std::min(info.mask / 2, (UINT64_MAX - info.frac) / info.mult),
			       away = random() % (most + 1);

		ASSERT_EQ(mlx5dv_ts_to_ns(&info, info.last_cycles + away),
			  segue_clock_ns(&clock, info.last_cycles + away))
			<< i;
		if (away * info.mult >= info.frac) {
			ASSERT_EQ(mlx5dv_ts_to_ns(&info, info.last_cycles - away),
				  segue_clock_ns(&clock, info.last_cycles - away))
				<< i;
		}
	}
}

// An hour is an hour, where a product of 64 bits would long have gone round.
TEST(Clock, LongAgoAndFarAhead)
{
	const segue_clock clock = {
		UINT64_C(1700000000000000000), 0, 1, UINT64_MAX >> 1, 1u << 31, 31};
	const uint64_t day = UINT64_C(86400000000000);

	EXPECT_EQ(clock.ns + day, segue_clock_ns(&clock, 1 + day));
	EXPECT_EQ(clock.ns - day, segue_clock_ns(&clock, 1 - day));
}

TEST_F(Stamps, AreTimesOfDay)
{
	mlx5dv_clock_info info;
	segue_clock clock;
	timespec now;
	uint64_t ticks;

	if (!stamps()) {
		EXPECT_EQ(-ENOTSUP, segue_device_query_clock(device, &clock));
		EXPECT_SAYS("its driver does not convert its clock to wall-clock time");
		EXPECT_EQ(-ENOTSUP, segue_device_query_ticks(device, &ticks));
		EXPECT_SAYS("does not let its clock be read");
		return;
	}
	ASSERT_OK(segue_device_query_clock(device, &clock));
	ASSERT_EQ(0, mlx5dv_get_clock_info(segue_device_ibv(device), &info));
	ASSERT_OK(segue_device_query_ticks(device, &ticks));
	clock_gettime(CLOCK_REALTIME, &now);
	EXPECT_EQ(mlx5dv_ts_to_ns(&info, ticks), segue_clock_ns(&clock, ticks));
	EXPECT_NEAR((double)now.tv_sec, (double)(segue_clock_ns(&clock, ticks) / 1000000000), 5)
		<< "seconds";
}

TEST_F(Stamps, AreRefusedWhereThereAreNone)
{
	segue_cq *on;

	if (!stamps()) {
		EXPECT_EQ(-ENOTSUP, open_stamped(&on));
		EXPECT_SAYS("timestamps is given, but mlx5_0 does not stamp completions");
		return;
	}
	EXPECT_EQ(-EINVAL, open_stamped(&on, true));
	EXPECT_SAYS("timestamps is given together with compress");
	ASSERT_OK(open_stamped(&on));
}

// The kernel decides on the format of stamps when it makes a queue.
TEST_F(Stamps, InAnotherFormatAreRefusedWithTheQueuePair)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_qp *qp;

	if (!stamps())
		return;
	ASSERT_OK(open_stamped(&options.send_cq));
	INJECT("command create_qp EOPNOTSUPP");
	EXPECT_EQ(-EOPNOTSUPP, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("its completion queue was opened with timestamps, and this card may stamp in "
		    "another format only");
	options = options_for(SEGUE_QP_RC);
	INJECT("command create_qp EOPNOTSUPP");
	EXPECT_EQ(-EOPNOTSUPP, segue_qp_open(pd, &options, &qp));
	EXPECT_EQ(nullptr, strstr(segue_errmsg(), "timestamps")) << segue_errmsg();
}
