// SPDX-License-Identifier: BSD-2-Clause
// Send queues that are lent to lanes, and taken back: what is refused meanwhile, and that both
// sides go on where the other one ended.
#include "segue/gpu/lend.h"

#include <sys/mman.h>
#include <unistd.h>

#include "tests/runtime/control/fixture.h"

namespace
{

enum class Completions { RING, OVERRUN, COLLAPSED };

// Where rings lie: in the library's memory, in pinned memory of the program's, or in memory of a
// GPU, which the library does not reach.
enum class Place { LIBRARY, PINNED, GPU };

struct Kind {
	Completions completions;
	Place queue, entries;
};

// Memory with a descriptor, as a GPU's has one. Here lanes reach it at `start` unless it is hidden.
class Buffer
{
      public:
	Buffer() = default;
	Buffer(const Buffer &) = delete;
	Buffer &operator=(const Buffer &) = delete;
	~Buffer()
	{
		if (memory.start) {
			EXPECT_EQ(0, munmap(memory.start, memory.bytes));
			EXPECT_EQ(0, close(memory.dmabuf_fd));
		}
	}

	const segue_ring_memory *make(Place place, size_t bytes)
	{
		const size_t ahead = place == Place::GPU ? 8192 : 0;

		if (place == Place::LIBRARY)
			return nullptr;
		memory.bytes = bytes;
		memory.dmabuf_fd = memfd_create("gpu", 0);
		memory.dmabuf_offset = ahead;
		memory.use_dmabuf = memory.lanes_only = place == Place::GPU;
		EXPECT_EQ(0, ftruncate(memory.dmabuf_fd, static_cast<off_t>(ahead + bytes)));
		memory.start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
				    memory.dmabuf_fd, static_cast<off_t>(ahead));
		EXPECT_NE(MAP_FAILED, memory.start);
		memset(memory.start, 0xa5, bytes);
		return &memory;
	}

	// As the program must for the lanes: zeroes, or entries that were never written.
	void blank(int filler)
	{
		if (!memory.lanes_only)
			return;
		memset(memory.start, filler, memory.bytes - SEGUE_RING_RECORD_BYTES);
		memset(static_cast<char *>(memory.start) + memory.bytes - SEGUE_RING_RECORD_BYTES,
		       0, SEGUE_RING_RECORD_BYTES);
	}

	void hide(bool hidden)
	{
		if (memory.lanes_only) {
			ASSERT_EQ(0, mprotect(memory.start, memory.bytes,
					      hidden ? PROT_NONE : PROT_READ | PROT_WRITE));
		}
	}

	segue_ring_memory memory = {};
};

class Lend : public Control, public ::testing::WithParamInterface<Kind>
{
      protected:
	void SetUp() override
	{
		Control::SetUp();
		mr = share(words, sizeof(words));
		ASSERT_OK(segue_mr_local_buf(mr, 0, sizeof(words), &local));
		ASSERT_OK(segue_mr_remote_buf(mr, 0, sizeof(words), &remote));
	}

	// The library's calls while it does not reach the GPU's memory.
	template <class Call> int hidden(Call call)
	{
		queue_memory.hide(true);
		entry_memory.hide(true);
		const int ret = call();
		queue_memory.hide(false);
		entry_memory.hide(false);
		return ret;
	}

	int lend()
	{
		return hidden([&] { return segue_qp_lend(a, &queue); });
	}

	int take_back(const segue_gpu_queue *left)
	{
		return hidden([&] { return segue_qp_take_back(a, left); });
	}

	void blank()
	{
		queue_memory.blank(0);
		entry_memory.blank(0xff);
	}

	void again()
	{
		std::vector<segue_wc> dropped;

		ASSERT_OK(hidden([&] { return segue_qp_reset(a, keep, &dropped); }));
		EXPECT_EQ(0u, dropped.size());
		ASSERT_OK(segue_qp_reset(b, keep, &dropped));
		blank();
		ASSERT_NO_FATAL_FAILURE(connect(a, b));
	}

	segue_cq *open_sends(Completions kind, Place place = Place::LIBRARY)
	{
		segue_cq_options options = {};
		segue_cq *made = nullptr;

		options.entries = 128;
		options.overrun_ignored = kind == Completions::OVERRUN;
		options.collapsed = kind == Completions::COLLAPSED;
		options.memory = entry_memory.make(place, segue_cq_ring_bytes(device, &options));
		blank();
		EXPECT_OK(hidden([&] { return segue_cq_open(device, &options, &made); }));
		return made;
	}

	void open_pair(segue_cq *on, Place place = Place::LIBRARY)
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);

		options.send_cq = sends = on;
		if (place == Place::GPU)
			options.max_recv_wr = options.max_recv_sge = 0;
		options.memory = queue_memory.make(place, segue_qp_ring_bytes(&options));
		blank();
		ASSERT_OK(hidden([&] { return segue_qp_open(pd, &options, &a); }));
		b = open(SEGUE_QP_RC);
		ASSERT_NO_FATAL_FAILURE(connect(a, b));
	}

	void open_kind()
	{
		open_pair(open_sends(GetParam().completions, GetParam().entries), GetParam().queue);
	}

	bool for_lanes_only() const
	{
		return GetParam().completions == Completions::COLLAPSED ||
		       GetParam().queue == Place::GPU;
	}

	// By a lane: the word at `from` goes to `to`.
	int lane_write(uint32_t from, uint32_t to, uint32_t rkey)
	{
		const segue_seg_raddr raddr = {remote.addr + 8 * to, rkey};
		const segue_seg_data data = {8, local.key.lkey, local.addr + 8 * from};
		segue_seg_ctrl ctrl = {};
		segue_unit units[3];
		uint64_t at;
		const int ret = segue_gpu_reserve(&queue, 1, SEGUE_GPU_ONE, &at);

		if (ret)
			return ret;
		ctrl.opcode = SEGUE_OPCODE_RDMA_WRITE;
		ctrl.wqe_index = static_cast<uint16_t>(at);
		ctrl.qpn = queue.qpn;
		ctrl.ds = 3;
		ctrl.ce = SEGUE_COMPLETION_MODE_ALWAYS;
		segue_seg_ctrl_pack(units[0].bytes, &ctrl);
		segue_seg_raddr_pack(units[1].bytes, &raddr);
		segue_seg_data_pack(units[2].bytes, &data);
		segue_gpu_put(&queue, at, units, 3);
		segue_gpu_publish(&queue, at, 1, SEGUE_GPU_RING, SEGUE_GPU_ONE);
		return 0;
	}

	// As many words, one after the other, and back to zero.
	void lane_writes(uint32_t count)
	{
		for (uint32_t i = 0; i < count; i++) {
			words[0] = ++mark;
			ASSERT_EQ(0, lane_write(0, 1, remote.key.rkey));
			ASSERT_EQ(0, segue_gpu_quiet(&queue, SEGUE_GPU_ONE));
			ASSERT_EQ(mark, words[1]);
		}
	}

	int host_write(uint64_t wr_id)
	{
		return segue_post(segue_sge(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), wr_id, SEGUE_SIGNALED),
				    remote.addr, remote.key.rkey),
			local.addr, 8, local.key.lkey));
	}

	void host_writes(uint32_t count)
	{
		for (uint32_t i = 0; i < count; i++) {
			ASSERT_OK(host_write(++mark));
			EXPECT_EQ(mark, take(1, sends)[0].wr_id);
		}
	}

	Buffer queue_memory, entry_memory;
	alignas(64) uint64_t words[8] = {};
	uint64_t mark = 0;
	segue_mr *mr = nullptr;
	segue_local_buf local = {};
	segue_remote_buf remote = {};
	segue_gpu_queue queue = {};
	segue_cq *sends = nullptr;
	segue_qp *a = nullptr, *b = nullptr;
};

TEST_P(Lend, BothSidesGoOnWhereTheOtherOneEnded)
{
	segue_qp_info info;

	ASSERT_NO_FATAL_FAILURE(open_kind());
	for (uint32_t turn = 1; turn < 5; turn++) {
		if (!for_lanes_only()) {
			ASSERT_NO_FATAL_FAILURE(host_writes(37 * turn));
		}
		ASSERT_OK(lend());
		ASSERT_NO_FATAL_FAILURE(lane_writes(101 * turn));
		ASSERT_OK(take_back(&queue));
		ASSERT_OK(hidden([&] { return segue_qp_query(a, &info); }));
		EXPECT_EQ(SEGUE_QP_STATE_RTS, info.state);
	}
	EXPECT_EQ(for_lanes_only() ? 1010u : 1380u, queue.done);
	EXPECT_EQ(GetParam().completions == Completions::COLLAPSED, queue.entry_count == 0);
	EXPECT_EQ(GetParam().completions == Completions::RING, queue.entry_record != nullptr);
	if (GetParam().queue == Place::GPU) {
		EXPECT_EQ(queue_memory.memory.start, queue.ring);
	}
	EXPECT_OK(segue_qp_close(a));
	EXPECT_OK(segue_cq_close(sends));
}

TEST_P(Lend, WhatTheLibraryDoesNotReachIsForLanesAlone)
{
	ASSERT_NO_FATAL_FAILURE(open_kind());
	ASSERT_EQ(for_lanes_only() ? -EBUSY : 0, hidden([&] { return host_write(1); }));
	if (for_lanes_only()) {
		EXPECT_SAYS("lend it by segue_qp_lend()");
	}
	EXPECT_OK(hidden([&] { return segue_qp_close(a); }));
	EXPECT_OK(hidden([&] { return segue_cq_close(sends); }));
}

TEST_P(Lend, MeanwhileItIsTheLanes)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	std::vector<segue_wc> completed;
	segue_gpu_queue second;
	segue_qp_info info;
	segue_qp *other;
	segue_wc wc[2];

	ASSERT_NO_FATAL_FAILURE(open_kind());
	ASSERT_OK(lend());
	ASSERT_NO_FATAL_FAILURE(lane_writes(3));
	words[0] = ++mark;
	ASSERT_EQ(0,
		  lane_write(0, 1, remote.key.rkey)); // its completion is nobody's but the lanes'
	const uint32_t consumed = queue.entry_record ? *queue.entry_record : 0;

	EXPECT_EQ(-EBUSY, host_write(1));
	EXPECT_SAYS("is lent to lanes; when the last one has ended, call segue_qp_take_back()");
	EXPECT_EQ(-EBUSY, segue_cq_poll_each(sends, 8, keep, &completed));
	EXPECT_SAYS("is lent to lanes");
	EXPECT_EQ(-EBUSY, segue_cq_poll_each(sends, 1, keep, &completed));
	EXPECT_EQ(-EBUSY, segue_cq_poll(sends, 2, wc));
	EXPECT_EQ(-EBUSY, segue_cq_poll(sends, 1, wc));
	if (queue.entry_record) {
		EXPECT_EQ(consumed, *queue.entry_record);
	}
	EXPECT_EQ(-EBUSY, segue_qp_close(a));
	EXPECT_SAYS("Closing: completion queue");
	EXPECT_EQ(-EBUSY, segue_cq_close(sends));
	EXPECT_EQ(-EBUSY, segue_pd_close(pd));
	EXPECT_EQ(-EBUSY, segue_qp_query(a, &info));
	EXPECT_EQ(-EBUSY, segue_qp_modify_to(a, SEGUE_QP_STATE_ERR, nullptr));
	EXPECT_EQ(-EBUSY, segue_qp_reset(a, keep, &completed));
	EXPECT_EQ(-EBUSY, segue_qp_drain(a, segue_deadline_in_ms(20000), keep, &completed));
	EXPECT_SAYS("is lent to lanes");
	EXPECT_EQ(-EBUSY, segue_qp_lend(a, &second));
	EXPECT_SAYS("is lent to lanes");
	options.send_cq = sends;
	EXPECT_EQ(-EBUSY, segue_qp_open(pd, &options, &other));
	EXPECT_SAYS("is lent to lanes");
	ASSERT_EQ(0, segue_gpu_quiet(&queue, SEGUE_GPU_ONE));
	ASSERT_NO_FATAL_FAILURE(lane_writes(200));
	ASSERT_OK(take_back(&queue));
	EXPECT_EQ(0, segue_cq_poll_each(sends, 8, keep, &completed));
	EXPECT_TRUE(completed.empty());
	EXPECT_EQ(-EINVAL, take_back(&queue));
	EXPECT_SAYS("is not lent");
}

TEST_P(Lend, AFailureEndsInAnotherLife)
{
	segue_gpu_error error;

	ASSERT_NO_FATAL_FAILURE(open_kind());
	for (uint32_t life = 0; life < 3; life++) {
		ASSERT_OK(lend());
		EXPECT_EQ(0u, queue.first);
		ASSERT_NO_FATAL_FAILURE(lane_writes(90));
		ASSERT_EQ(0, lane_write(0, 1, remote.key.rkey ^ 0x5500));
		ASSERT_EQ(-EIO, segue_gpu_quiet(&queue, SEGUE_GPU_ONE));
		ASSERT_TRUE(segue_gpu_query_error(&queue, &error));
		EXPECT_EQ(90u, error.index);
		EXPECT_EQ(SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, error.syndrome);
		(void)lane_write(0, 1, remote.key.rkey);
		ASSERT_OK(take_back(&queue));
		EXPECT_EQ(SEGUE_QP_STATE_ERR, segue_qp_state(a));
		ASSERT_NO_FATAL_FAILURE(again());
	}
}

TEST_P(Lend, LanesThatAreLost)
{
	ASSERT_NO_FATAL_FAILURE(open_kind());
	ASSERT_OK(lend());
	ASSERT_NO_FATAL_FAILURE(lane_writes(300)); // more than a lap of the completion queue
	ASSERT_EQ(0, lane_write(0, 1, remote.key.rkey));
	ASSERT_OK(take_back(nullptr));
	EXPECT_EQ(SEGUE_QP_STATE_ERR, segue_qp_state(a));
	ASSERT_NO_FATAL_FAILURE(again());
	ASSERT_OK(lend());
	ASSERT_NO_FATAL_FAILURE(lane_writes(70));
	ASSERT_OK(take_back(&queue));
}

TEST_P(Lend, LanesThatHaveNotEnded)
{
	uint64_t at;

	ASSERT_NO_FATAL_FAILURE(open_kind());
	ASSERT_OK(lend());
	ASSERT_EQ(0, segue_gpu_reserve(&queue, 2, SEGUE_GPU_ONE, &at));
	EXPECT_EQ(-EBUSY, take_back(&queue));
	EXPECT_SAYS("2 blocks of 64 bytes were reserved and not published");
	queue.reserved -= 2;
	ASSERT_EQ(0, lane_write(0, 1, remote.key.rkey));
	EXPECT_EQ(-EBUSY, take_back(&queue));
	EXPECT_SAYS("1 blocks of 64 bytes were published and are in flight");
	ASSERT_EQ(0, segue_gpu_quiet(&queue, SEGUE_GPU_ONE));
	EXPECT_OK(take_back(&queue));
}

INSTANTIATE_TEST_SUITE_P(
	Kinds, Lend,
	::testing::Values(Kind{Completions::RING, Place::LIBRARY, Place::LIBRARY},
			  Kind{Completions::OVERRUN, Place::LIBRARY, Place::LIBRARY},
			  Kind{Completions::COLLAPSED, Place::LIBRARY, Place::LIBRARY},
			  Kind{Completions::RING, Place::PINNED, Place::PINNED},
			  Kind{Completions::OVERRUN, Place::PINNED, Place::PINNED},
			  Kind{Completions::COLLAPSED, Place::PINNED, Place::PINNED},
			  Kind{Completions::RING, Place::GPU, Place::PINNED},
			  Kind{Completions::COLLAPSED, Place::GPU, Place::GPU}));

class Refused : public Lend
{
};

TEST_F(Refused, WhatLanesCannotUse)
{
	segue_qp *qp = open(SEGUE_QP_RC);

	EXPECT_EQ(-EINVAL, segue_qp_lend(qp, &queue));
	EXPECT_SAYS("move it to RTS first");
	ASSERT_NO_FATAL_FAILURE(connect(qp, open(SEGUE_QP_RC)));
	EXPECT_EQ(-EINVAL, segue_qp_lend(qp, &queue));
	EXPECT_SAYS("shares its completion queue with other queue pairs or with receives");
}

TEST_F(Refused, QueuesThatAreTooSmallOrCompress)
{
	segue_cq_options cqs = {};
	segue_qp_options options = options_for(SEGUE_QP_RC);

	cqs.entries = 2;
	cqs.overcommit = true;
	ASSERT_OK(segue_cq_open(device, &cqs, &options.send_cq));
	ASSERT_NO_FATAL_FAILURE(open_pair(options.send_cq));
	if (options.send_cq->ring.cqe_cnt < segue_qp_rc_sq(a)->sq.mask + 1) {
		EXPECT_EQ(-EINVAL, segue_qp_lend(a, &queue));
		EXPECT_SAYS("expected one for each of the");
	}
	cqs = {};
	cqs.entries = 256;
	cqs.compress = true;
	ASSERT_OK(segue_cq_open(device, &cqs, &options.send_cq));
	ASSERT_NO_FATAL_FAILURE(open_pair(options.send_cq));
	EXPECT_EQ(-EINVAL, segue_qp_lend(a, &queue));
	EXPECT_SAYS("open one without compress");
}

TEST_F(Refused, RegistersOfAThreadAndQueuesOfTwo)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);

	options.send_cq = open_sends(Completions::RING);
	ASSERT_OK(segue_td_open(pd, &options.td));
	ASSERT_OK(segue_qp_open(pd, &options, &a));
	ASSERT_NO_FATAL_FAILURE(connect(a, open(SEGUE_QP_RC)));
	EXPECT_EQ(-EINVAL, segue_qp_lend(a, &queue));
	EXPECT_SAYS("open it without td or own_register");
	options.td = nullptr;
	options.split = true;
	options.send_cq = open_sends(Completions::RING);
	ASSERT_OK(segue_qp_open(pd, &options, &a));
	ASSERT_NO_FATAL_FAILURE(connect(a, open(SEGUE_QP_RC)));
	EXPECT_EQ(-EINVAL, segue_qp_lend(a, &queue));
	EXPECT_SAYS("open it without split");
}

TEST_F(Refused, WorkInFlightAndCompletionsThatWait)
{
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(open_pair(open_sends(Completions::RING)));
	ASSERT_OK(host_write(1));
	EXPECT_EQ(-EBUSY, segue_qp_lend(a, &queue));
	EXPECT_SAYS("has 1 blocks of 64 bytes committed or in flight; call segue_qp_drain() first");
	take(1, sends);
	ASSERT_OK(segue_qp_lend(a, &queue));
	ASSERT_OK(segue_qp_take_back(a, &queue));
}

TEST_F(Refused, ACollapsedQueueIsForLanesAlone)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_cq_options cqs = {};
	segue_cq *made;

	ASSERT_NO_FATAL_FAILURE(open_pair(open_sends(Completions::COLLAPSED)));
	EXPECT_EQ(-EBUSY, host_write(1));
	EXPECT_SAYS("completes in a collapsed completion queue, which only lanes read; lend it by "
		    "segue_qp_lend()");
	options.recv_cq = sends;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &b));
	EXPECT_SAYS("recv_cq is collapsed, and receives would be lost there");
	cqs.entries = 16;
	cqs.collapsed = cqs.grow = true;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &made));
	EXPECT_SAYS("collapsed is given together with grow");
	EXPECT_EQ(-ENOTSUP, segue_cq_resize(sends, 64));
}

TEST_F(Refused, MemoryThatDoesNotFit)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_cq_options cqs = {};
	segue_ring_memory memory = {};
	segue_cq *made;

	cqs.entries = 16;
	cqs.memory = options.memory = &memory;
	memory = *queue_memory.make(Place::PINNED, segue_cq_ring_bytes(device, &cqs));
	memory.bytes--;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &made));
	EXPECT_SAYS("Completion queue: memory has");
	memory.bytes++;
	memory.start = static_cast<char *>(memory.start) + 64;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &made));
	EXPECT_SAYS("from the start of a page");
	memory.start = nullptr;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &made));
	memory.start = queue_memory.memory.start;
	memory.dmabuf_offset = 8;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &made));
	EXPECT_SAYS("dmabuf_offset 8");
	memory.dmabuf_offset = 0;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &a));
	EXPECT_SAYS("Queue pair: memory has");
	cqs.grow = true;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &made));
	EXPECT_SAYS("memory is given together with grow");
	cqs.grow = false;
	memory.lanes_only = true;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &made));
	EXPECT_SAYS("memory is lanes_only, but collapsed is not given");
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &a));
	EXPECT_SAYS("max_recv_wr is given, but receives would lie in memory that only lanes reach");
	options.type = SEGUE_QP_UC;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &a));
	EXPECT_SAYS("memory is given, which only RC queue pairs with receives of their own");
	options.type = SEGUE_QP_RC;
	options.huge_pages = true;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &a));
	EXPECT_SAYS("together with huge_pages or near_device");
	memory.reserved[3] = 1;
	cqs.collapsed = true;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &made));
	EXPECT_SAYS("memory: reserved[3]");
}

} // namespace
