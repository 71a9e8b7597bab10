// SPDX-License-Identifier: BSD-2-Clause
// Three multi-channels of one process that are each other's peers, over whatever the test's
// parameter says.
#ifndef SEGUE_TESTS_RUNTIME_CHANNEL_TRIO_H
#define SEGUE_TESTS_RUNTIME_CHANNEL_TRIO_H

#include <errno.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <array>
#include <vector>

#include "segue/base.h"
#include "segue/device.h"
#include "segue/gen/peers.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "segue/peers/multi_channel.h"

#define ASSERT_OK(call) ASSERT_EQ(0, (call)) << segue_errmsg()
#define EXPECT_OK(call) EXPECT_EQ(0, (call)) << segue_errmsg()
#define EXPECT_SAYS(text) EXPECT_NE(nullptr, strstr(segue_errmsg(), text)) << segue_errmsg()

class Trio : public ::testing::TestWithParam<segue_channel_transport>
{
      protected:
	static constexpr uint32_t COUNT = 3;
	static constexpr uint32_t BYTES = 8192; // of each one's memory
	static constexpr uint32_t WAIT_MS = 30000;

	void SetUp() override
	{
		ASSERT_OK(segue_device_open(nullptr, &device));
		ASSERT_OK(segue_pd_open(device, &pd));
		ASSERT_OK(segue_path_init(&path, device, 1));
		path.timeout = 12; // 17 ms
		path.retry_cnt = 3;
		path.rnr_retry = 7;
	}

	void TearDown() override
	{
		for (segue_multi_channel *multi : multis)
			EXPECT_OK(segue_multi_channel_close(multi));
		EXPECT_OK(segue_device_close(device));
		for (uint8_t *one : memory)
			free(one);
		for (uint8_t *one : former)
			free(one);
	}

	// @receives: of each; with one, a second message waits until the first was given back
	void open(uint32_t receives = 64)
	{
		for (uint32_t i = 0; i < COUNT; i++)
			open_one(i, receives);
		for (uint32_t i = 0; i < COUNT; i++)
			connect(i);
	}

	void open_one(uint32_t self, uint32_t receives)
	{
		segue_multi_channel_options options = {};
		segue_mr_options attr = {};

		options.transport = GetParam();
		options.peers = COUNT;
		options.self = self;
		options.path = &path;
		options.receives = receives;
		options.keepalive_ms = keepalive_ms;
		options.handler = note;
		options.arg = &came[self];
		options.imm_names_sender = options.transport == SEGUE_TRANSPORT_DC;
		adjust(&options);
		ASSERT_OK(segue_multi_channel_open(pd, &options, &multis[self]));
		former.push_back(memory[self]); // registered as long as the device is open
		memory[self] = static_cast<uint8_t *>(aligned_alloc(4096, BYTES));
		memset(memory[self], (int)self + 1, BYTES);
		attr.addr = memory[self];
		attr.length = BYTES;
		attr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
			      SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_ATOMIC;
		ASSERT_OK(segue_mr_open(pd, &attr, &mrs[self]));
	}

	// What a test wants otherwise.
	virtual void adjust(segue_multi_channel_options *options)
	{
		(void)options;
	}

	void connect(uint32_t self)
	{
		std::array<segue_endpoint, COUNT> endpoints = {};

		for (uint32_t i = 0; i < COUNT; i++)
			ASSERT_OK(segue_multi_channel_endpoint(multis[i], self, &endpoints[i]));
		ASSERT_OK(segue_multi_channel_connect(multis[self], endpoints.data(), COUNT));
	}

	void kill(uint32_t which)
	{
		EXPECT_OK(segue_multi_channel_close(multis[which]));
		multis[which] = nullptr;
	}

	static void note(const segue_wc *wc, void *arg) noexcept
	{
		static_cast<std::vector<segue_wc> *>(arg)->push_back(*wc);
	}

	segue_seg_data piece(uint32_t of, uint32_t offset, uint32_t length)
	{
		segue_seg_data entry = {};

		entry.byte_count = length;
		entry.lkey = segue_mr_lkey(mrs[of]).lkey;
		entry.addr = (uint64_t)(uintptr_t)(memory[of] + offset);
		return entry;
	}

	// Over UD a message, else a WRITE: from memory of 0 to a peer.
	int post(uint32_t peer, uint32_t flags, uint32_t offset = 0, uint32_t length = 64,
		 uint64_t wr_id = 7)
	{
		const segue_seg_data entry = piece(0, offset, length);
		segue_peer_rdma_write_args write = {};
		segue_remote_buf to;

		if (GetParam() == SEGUE_TRANSPORT_UD)
			return send(peer, flags, wr_id);
		EXPECT_OK(segue_mr_remote_buf(mrs[peer], offset, length, &to));
		write.wr_id = wr_id;
		write.flags = flags;
		write.remote_addr = to.addr;
		write.rkey = to.key.rkey;
		write.sges = &entry;
		write.sge_count = 1;
		return segue_peer_rdma_write(multis[0], peer, &write);
	}

	int send(uint32_t peer, uint32_t flags, uint64_t wr_id = 7)
	{
		const segue_seg_data entry = piece(0, 0, 64);
		segue_peer_send_imm_args args = {};

		args.wr_id = wr_id;
		args.flags = flags;
		args.sges = &entry;
		args.sge_count = 1;
		return segue_peer_send_imm(multis[0], peer, &args);
	}

	// So many of 0's own requests have completed.
	size_t sends() const
	{
		size_t count = 0;

		for (const segue_wc &wc : came[0])
			count += !segue_wc_is_receive(&wc);
		return count;
	}

	// After a poll: who has found nothing lets others run.
	static int found(int polled)
	{
		if (!polled)
			sched_yield();
		return polled;
	}

	// A peer that takes one message, and no more: the next one waits for ever.
	void block(uint32_t peer)
	{
		ASSERT_OK(send(peer, SEGUE_SIGNALED));
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
		while (!sends() && segue_deadline_left_ms(deadline))
			ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 16, note,
									 &came[0])));
		ASSERT_EQ(1u, sends());
		came[0].clear();
		ASSERT_OK(send(peer, SEGUE_SIGNALED));
	}

	segue_device *device = nullptr;
	segue_pd *pd = nullptr;
	segue_path path;
	uint32_t keepalive_ms = 0;
	std::array<segue_multi_channel *, COUNT> multis = {};
	std::array<segue_mr *, COUNT> mrs = {};
	std::array<uint8_t *, COUNT> memory = {};
	std::vector<uint8_t *> former;
	std::array<std::vector<segue_wc>, COUNT> came;
};

static inline std::string name_of_transport(
	const ::testing::TestParamInfo<segue_channel_transport> &info)
{
	return info.param == SEGUE_TRANSPORT_RC ? "RC"
						: (info.param == SEGUE_TRANSPORT_DC ? "DC" : "UD");
}

#endif
