// SPDX-License-Identifier: BSD-2-Clause
// Connections by address and port over the RDMA connection manager: two threads of one process,
// each byte checked; and what does not come about.
#include "segue/rdmacm.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <string.h>

#include <string>
#include <thread>

#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"

#define ASSERT_OK(call) ASSERT_EQ(0, (call)) << segue_errmsg()
#define EXPECT_OK(call) EXPECT_EQ(0, (call)) << segue_errmsg()
#define EXPECT_SAYS(text) EXPECT_NE(nullptr, strstr(segue_errmsg(), text)) << segue_errmsg()

static constexpr uint32_t BYTES = 65536;

// One end: memory, a receive, and what has completed.
struct End {
	segue_cm *cm = nullptr;
	segue_mr *mr = nullptr;
	alignas(4096) uint8_t memory[BYTES];
	uint32_t sent = 0, received = 0, failed = 0;

	static int prepare(segue_cm *cm, void *arg) noexcept
	{
		End *end = static_cast<End *>(arg);
		segue_mr_options attr = {};
		segue_local_buf piece;
		int ret;

		attr.addr = end->memory;
		attr.length = BYTES;
		attr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
			      SEGUE_ACCESS_REMOTE_READ;
		ret = segue_mr_open(segue_cm_pd(cm), &attr, &end->mr);
		if (!ret)
			ret = segue_mr_local_buf(end->mr, BYTES - 64, 64, &piece);
		if (!ret)
			ret = segue_post(segue_sge(segue_recv(segue_qp_rq(segue_cm_qp(cm)), 1),
						   piece.addr, piece.length, piece.key.lkey));
		return ret;
	}

	static void note(const segue_wc *wc, void *arg) noexcept
	{
		End *end = static_cast<End *>(arg);

		end->failed += wc->syndrome != 0;
		end->sent += !wc->syndrome && !segue_wc_is_receive(wc);
		end->received += !wc->syndrome && segue_wc_is_receive(wc);
	}

	void wait(uint32_t sends, uint32_t receives)
	{
		const segue_deadline deadline = segue_deadline_in_ms(30000);

		while ((sent < sends || received < receives) && !failed &&
		       segue_deadline_left_ms(deadline)) {
			const int found = segue_cq_poll_each(segue_cm_cq(cm), 16, note, this);

			ASSERT_LE(0, found) << segue_errmsg();
			if (!found)
				sched_yield();
		}
		ASSERT_EQ(0u, failed);
		ASSERT_EQ(sends, sent);
		ASSERT_EQ(receives, received);
	}

	segue_cm_options options(const std::string &word)
	{
		segue_cm_options options = {};

		options.private_data = word.data();
		options.private_size = word.size();
		options.prepare = prepare;
		options.arg = this;
		return options;
	}

	std::string heard() const
	{
		size_t size;
		const char *bytes = static_cast<const char *>(segue_cm_private_data(cm, &size));

		return std::string(bytes, size);
	}
};

class Cm : public ::testing::Test {
protected:
	void SetUp() override
	{
		ASSERT_OK(segue_cm_listen("127.0.0.1", "0", &listener));
		port = std::to_string(segue_cm_listener_port(listener));
		ASSERT_NE("0", port);
	}

	void TearDown() override
	{
		EXPECT_OK(segue_cm_close(caller.cm));
		EXPECT_OK(segue_cm_close(callee.cm));
		EXPECT_OK(segue_cm_listener_close(listener));
	}

	void connect()
	{
		const std::string hello(SEGUE_CM_PRIVATE_MAX, 'h'), answer = "yes";
		const segue_cm_options theirs = callee.options(answer),
				       mine = caller.options(hello);
		std::thread other(
			[&] { EXPECT_OK(segue_cm_accept(listener, &theirs, soon(), &callee.cm)); });

		EXPECT_OK(segue_cm_connect("127.0.0.1", port.c_str(), &mine, soon(), &caller.cm));
		other.join();
		ASSERT_NE(nullptr, caller.cm);
		ASSERT_NE(nullptr, callee.cm);
		EXPECT_EQ(hello, callee.heard());
		EXPECT_EQ(answer, caller.heard());
	}

	static segue_deadline soon()
	{
		return segue_deadline_in_ms(20000);
	}

	segue_cm_listener *listener = nullptr;
	std::string port;
	const std::string nothing;
	End caller, callee;
};

TEST_F(Cm, MessagesAndMemoryBothWays)
{
	connect();
	for (uint32_t i = 0; i < BYTES - 64; i++) {
		caller.memory[i] = (uint8_t)(i * 7 + (i >> 8));
		callee.memory[i] = 0;
	}
	segue_local_buf from;
	segue_remote_buf to;
	ASSERT_OK(segue_mr_local_buf(caller.mr, 0, BYTES - 64, &from));
	ASSERT_OK(segue_mr_remote_buf(callee.mr, 0, BYTES - 64, &to));
	segue_rc_sq *sq = segue_qp_rc_sq(segue_cm_qp(caller.cm)),
		    *back = segue_qp_rc_sq(segue_cm_qp(callee.cm));
	ASSERT_OK(segue_post(segue_sge(
		segue_raddr(segue_rdma_write(sq, 1, SEGUE_SIGNALED), to.addr, to.key.rkey),
		from.addr, from.length, from.key.lkey)));
	ASSERT_OK(segue_post(segue_inline_data(segue_send(sq, 2, SEGUE_SIGNALED), "there", 6)));
	ASSERT_OK(segue_post(segue_inline_data(segue_send(back, 3, SEGUE_SIGNALED), "back", 5)));
	callee.wait(1, 1);
	caller.wait(2, 1);
	EXPECT_EQ(0, memcmp(caller.memory, callee.memory, BYTES - 64));
	// Either side may READ the other's memory.
	memset(caller.memory, 0, 4096);
	ASSERT_OK(segue_post(
		segue_sge(segue_raddr(segue_rdma_read(sq, 4, SEGUE_SIGNALED), to.addr, to.key.rkey),
			  from.addr, 4096, from.key.lkey)));
	caller.wait(3, 1);
	EXPECT_EQ(0, memcmp(caller.memory, callee.memory, 4096));
	memset(callee.memory, 0, 4096);
	ASSERT_OK(segue_mr_local_buf(callee.mr, 0, 4096, &from));
	ASSERT_OK(segue_mr_remote_buf(caller.mr, 0, 4096, &to));
	ASSERT_OK(segue_post(segue_sge(
		segue_raddr(segue_rdma_read(back, 5, SEGUE_SIGNALED), to.addr, to.key.rkey),
		from.addr, 4096, from.key.lkey)));
	callee.wait(2, 1);
	EXPECT_EQ(0, memcmp(caller.memory, callee.memory, 4096));
	EXPECT_STREQ("there", (const char *)callee.memory + BYTES - 64);
	EXPECT_STREQ("back", (const char *)caller.memory + BYTES - 64);
}

TEST_F(Cm, BothAgreeOnEce)
{
	segue_ece agreed[2];

	connect();
	ASSERT_OK(segue_qp_query_ece(segue_cm_qp(caller.cm), &agreed[0]));
	ASSERT_OK(segue_qp_query_ece(segue_cm_qp(callee.cm), &agreed[1]));
	EXPECT_EQ(0x15b3u, agreed[0].vendor_id);
	EXPECT_NE(0u, agreed[0].options);
	EXPECT_EQ(agreed[0].options, agreed[1].options);
}

TEST_F(Cm, TheOtherSideIsToldOfTheEnd)
{
	const segue_deadline deadline = soon();
	bool gone = true;

	connect();
	EXPECT_OK(segue_cm_query_disconnected(callee.cm, &gone));
	EXPECT_FALSE(gone);
	EXPECT_OK(segue_cm_close(caller.cm));
	caller.cm = nullptr;
	while (!gone && segue_deadline_left_ms(deadline))
		ASSERT_OK(segue_cm_query_disconnected(callee.cm, &gone));
	EXPECT_TRUE(gone);
}

TEST_F(Cm, SeveralShareADomainAndACompletionQueue)
{
	connect();
	End second, other;
	const std::string hello = "second", answer;
	segue_cm_options mine = second.options(hello), theirs = other.options(answer);
	mine.prepare = nullptr;
	mine.pd = segue_cm_pd(caller.cm);
	mine.cq = segue_cm_cq(caller.cm);
	std::thread thread(
		[&] { EXPECT_OK(segue_cm_accept(listener, &theirs, soon(), &other.cm)); });
	EXPECT_OK(segue_cm_connect("127.0.0.1", port.c_str(), &mine, soon(), &second.cm));
	thread.join();
	ASSERT_NE(nullptr, second.cm);
	EXPECT_EQ("second", other.heard());
	EXPECT_EQ("", second.heard());
	EXPECT_EQ(segue_cm_cq(caller.cm), segue_cm_cq(second.cm));
	ASSERT_OK(segue_post(segue_inline_data(
		segue_send(segue_qp_rc_sq(segue_cm_qp(second.cm)), 2, SEGUE_SIGNALED), "two", 4)));
	other.wait(0, 1);
	caller.wait(1, 0); // on its queue
	EXPECT_STREQ("two", (const char *)other.memory + BYTES - 64);
	EXPECT_OK(segue_cm_close(second.cm));
	EXPECT_OK(segue_cm_close(other.cm));
	// The first goes on.
	ASSERT_OK(segue_post(segue_inline_data(
		segue_send(segue_qp_rc_sq(segue_cm_qp(caller.cm)), 2, SEGUE_SIGNALED), "one", 4)));
	callee.wait(0, 1);
	EXPECT_STREQ("one", (const char *)callee.memory + BYTES - 64);
}

TEST_F(Cm, NobodyListensThere)
{
	const segue_cm_options mine = caller.options(nothing);

	EXPECT_OK(segue_cm_listener_close(listener));
	listener = nullptr;
	EXPECT_EQ(-ECONNREFUSED,
		  segue_cm_connect("127.0.0.1", port.c_str(), &mine, soon(), &caller.cm));
	EXPECT_SAYS("RDMA_CM_EVENT_REJECTED came in place of the listener's answer");
	EXPECT_EQ(-EINVAL, segue_cm_connect("127.0.0.1", "no port", &mine, soon(), &caller.cm));
	EXPECT_SAYS("'127.0.0.1', port 'no port'");
}

TEST_F(Cm, NothingWaitsBeyondItsDeadline)
{
	const segue_cm_options mine = caller.options(nothing), theirs = callee.options(nothing);

	EXPECT_EQ(-ETIMEDOUT,
		  segue_cm_accept(listener, &theirs, segue_deadline_in_ms(50), &callee.cm));
	EXPECT_SAYS("a caller has not come in time");
	EXPECT_EQ(-ETIMEDOUT, segue_cm_connect("127.0.0.1", port.c_str(), &mine,
					       segue_deadline_in_ms(200), &caller.cm));
	EXPECT_SAYS("has not come in time");
}

static int refuse(segue_cm *, void *) noexcept
{
	return seguei_fail(EPERM, "not today");
}

TEST_F(Cm, WhoIsRefusedIsTold)
{
	const segue_cm_options mine = caller.options(nothing);
	segue_cm_options theirs = callee.options(nothing);

	theirs.prepare = refuse;
	std::thread other([&] {
		EXPECT_EQ(-EPERM, segue_cm_accept(listener, &theirs, soon(), &callee.cm));
		EXPECT_SAYS("not today");
	});
	EXPECT_EQ(-ECONNREFUSED,
		  segue_cm_connect("127.0.0.1", port.c_str(), &mine, soon(), &caller.cm));
	other.join();
	segue_cm_options wrong = mine;
	wrong.private_size = SEGUE_CM_PRIVATE_MAX + 1;
	EXPECT_EQ(-EINVAL, segue_cm_connect("127.0.0.1", port.c_str(), &wrong, soon(), &caller.cm));
	EXPECT_SAYS("private_size is 56");
}
