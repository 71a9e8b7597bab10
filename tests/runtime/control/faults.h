// SPDX-License-Identifier: BSD-2-Clause
// A fixture for what goes wrong: faults at the moment the test wants them, completions and events
// as they come.
#ifndef SEGUE_TESTS_RUNTIME_CONTROL_FAULTS_H
#define SEGUE_TESTS_RUNTIME_CONTROL_FAULTS_H

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

#include <string>

#include "segue/ah.h"
#include "segue/explain.h"
#include "tests/runtime/control/fixture.h"

// How long a test waits for what must come.
#define PATIENCE_MS 30000

// The emulated device's own interface (tools/softhca/uverbs/preload/injection.h), found at run
// time: this program knows no device.
static inline int inject(const std::string &line)
{
	int (*const call)(const char *) = reinterpret_cast<int (*)(const char *)>(
		dlsym(RTLD_DEFAULT, "softhca_inject"));

	return call ? call(line.c_str()) : -1;
}

static inline unsigned long faults_met()
{
	unsigned long (*const call)() = reinterpret_cast<unsigned long (*)()>(
		dlsym(RTLD_DEFAULT, "softhca_faults_met"));

	return call ? call() : 0;
}

static inline unsigned open_objects()
{
	unsigned (*const call)() = reinterpret_cast<unsigned (*)()>(
		dlsym(RTLD_DEFAULT, "softhca_open_objects"));

	return call ? call() : ~0u;
}

// By hand, with SEGUE_LONG=1 in the environment, everything is done more often.
static inline bool long_run()
{
	return getenv("SEGUE_LONG") != nullptr;
}

static inline int rounds(int few)
{
	return long_run() ? 20 * few : few;
}

static inline uint64_t now_us()
{
	timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static inline std::string hex(uint32_t number)
{
	char text[16];

	snprintf(text, sizeof(text), "0x%x", number);
	return text;
}

#define INJECT(line) ASSERT_EQ(0, inject(line))
#define EXPECT_HAS(text, part) EXPECT_NE(std::string::npos, std::string(text).find(part)) << (text)

class Faulty : public Control {
protected:
	void SetUp() override
	{
		INJECT("clear");
		ASSERT_NO_FATAL_FAILURE(Control::SetUp());
		for (size_t i = 0; i < sizeof(from); i++)
			from[i] = (uint8_t)(i * 5 + 3);
		memset(to, 0, sizeof(to));
		source = share(from, sizeof(from));
		target = share(to, sizeof(to));
		ASSERT_OK(segue_mr_local_buf(source, 0, sizeof(from), &local));
		ASSERT_OK(segue_mr_local_buf(target, 0, sizeof(to), &landing));
		ASSERT_OK(segue_mr_remote_buf(target, 0, sizeof(to), &remote));
	}

	void TearDown() override
	{
		inject("clear");
		Control::TearDown();
	}

	// A pair of RC queue pairs; what fails, fails soon.
	struct Pair {
		segue_qp *a = nullptr, *b = nullptr;
	};

	Pair pair(segue_cq *a_cq = nullptr, segue_qp_type type = SEGUE_QP_RC)
	{
		Pair made;
		segue_cq *mine = cq;

		if (a_cq)
			cq = a_cq;
		made.a = open(type);
		cq = mine;
		made.b = open(type);
		return made;
	}

	segue_path hasty_path_to(uint32_t qpn)
	{
		segue_path path = path_to(qpn);

		path.timeout = 1;
		path.retry_cnt = 1;
		path.rnr_retry = 1;
		path.min_rnr_timer = 1;
		return path;
	}

	void connect_hastily(const Pair &p)
	{
		segue_path to_b = hasty_path_to(segue_qp_number(p.b)),
			   to_a = hasty_path_to(segue_qp_number(p.a));

		fresh_psns(&to_b, &to_a);
		ASSERT_OK(segue_qp_connect(p.a, &to_b));
		ASSERT_OK(segue_qp_connect(p.b, &to_a));
	}

	// What fails, does so after half a minute at the earliest.
	void connect_patiently(const Pair &p)
	{
		segue_path to_b = path_to(segue_qp_number(p.b)),
			   to_a = path_to(segue_qp_number(p.a));

		fresh_psns(&to_b, &to_a);
		to_a.timeout = to_b.timeout = 20;
		ASSERT_OK(segue_qp_connect(p.a, &to_b));
		ASSERT_OK(segue_qp_connect(p.b, &to_a));
	}

	int write(segue_qp *qp, uint64_t wr_id, uint32_t flags = SEGUE_SIGNALED)
	{
		return write_to(qp, wr_id, remote.addr, remote.key.rkey, flags);
	}

	int write_to(segue_qp *qp, uint64_t wr_id, uint64_t addr, uint32_t rkey,
		     uint32_t flags = SEGUE_SIGNALED)
	{
		return segue_post(segue_sge(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(qp), wr_id, flags), addr, rkey),
			local.addr, 64, local.key.lkey));
	}

	int send(segue_qp *qp, uint64_t wr_id, uint32_t length = 64)
	{
		return segue_post(segue_sge(segue_send(segue_qp_rc_sq(qp), wr_id, SEGUE_SIGNALED),
					    local.addr, length, local.key.lkey));
	}

	int receive(segue_qp *qp, uint64_t wr_id, uint32_t length = 1024)
	{
		return segue_post(segue_sge(segue_recv(segue_qp_rq(qp), wr_id), landing.addr,
					    length, landing.key.lkey));
	}

	segue_srq *open_srq(uint32_t max_wr = 16)
	{
		segue_srq_options options = {};
		segue_srq *srq = nullptr;

		options.max_wr = max_wr;
		options.max_sge = 1;
		EXPECT_OK(segue_srq_open(pd, &options, &srq));
		return srq;
	}

	segue_qp *open_with_srq(segue_srq *srq)
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);
		segue_qp *qp = nullptr;

		options.srq = srq;
		options.max_recv_wr = options.max_recv_sge = 0;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		return qp;
	}

	segue_cq *open_cq(uint32_t entries, bool overcommit = false)
	{
		segue_cq_options options = {};
		segue_cq *made = nullptr;

		options.entries = entries;
		options.overcommit = overcommit;
		EXPECT_OK(segue_cq_open(device, &options, &made));
		return made;
	}

	static std::string explain(const segue_wc &wc)
	{
		char text[1024];

		segue_wc_explain(&wc, nullptr, text, sizeof(text));
		return text;
	}

	// Waits until the device has put the queue pair into a state; it does so after the
	// completion that tells why.
	void expect_state(segue_qp *qp, uint32_t state)
	{
		const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);
		segue_qp_info info = {};

		do
			ASSERT_OK(segue_qp_query(qp, &info));
		while (info.state != state && segue_deadline_left_ms(deadline) > 0);
		EXPECT_EQ(state, info.state) << info.state_name;
	}

	struct Event {
		int type;
		uint8_t port;
		segue_qp *qp;
		segue_cq *cq;
		segue_srq *srq;
		bool fatal;
		std::string text;
	};

	static void note_event(const segue_event *event, void *arg) noexcept
	{
		char text[512];

		EXPECT_LT(segue_event_explain(event, text, sizeof(text)), sizeof(text));
		static_cast<std::vector<Event> *>(arg)->push_back({event->type, event->port,
								   event->qp, event->cq, event->srq,
								   event->fatal, text});
	}

	// Takes events until one of a type has come; all that came are kept.
	void wait_for_event(int type)
	{
		const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);

		EXPECT_OK(segue_device_set_event_handler(device, 0, note_event, &events));
		while (count_events(type) == 0 && segue_deadline_left_ms(deadline) > 0)
			ASSERT_LE(0, segue_device_dispatch(device, deadline)) << segue_errmsg();
		ASSERT_NE(0u, count_events(type)) << "no event " << type;
	}

	// What else has come by now.
	void take_events()
	{
		EXPECT_OK(segue_device_set_event_handler(device, 0, note_event, &events));
		ASSERT_LE(0, segue_device_dispatch(device, SEGUE_NOW)) << segue_errmsg();
	}

	size_t count_events(int type) const
	{
		size_t count = 0;

		for (const Event &event : events)
			count += event.type == type;
		return count;
	}

	Event event_of(int type) const
	{
		for (const Event &event : events)
			if (event.type == type)
				return event;
		ADD_FAILURE() << "no event " << type;
		return {};
	}

	alignas(4096) uint8_t from[4096], to[4096];
	segue_mr *source, *target;
	segue_local_buf local, landing;
	segue_remote_buf remote;
	std::vector<Event> events;
};

#endif
