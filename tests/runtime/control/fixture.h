// SPDX-License-Identifier: BSD-2-Clause
// A device, a domain, a completion queue and pairs of connected queue pairs.
#ifndef SEGUE_TESTS_RUNTIME_CONTROL_FIXTURE_H
#define SEGUE_TESTS_RUNTIME_CONTROL_FIXTURE_H

#include <errno.h>
#include <gtest/gtest.h>
#include <infiniband/verbs.h>
#include <sched.h>
#include <string.h>

#include <vector>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/device.h"
#include "segue/gen/builders.h"
#include "segue/mkey.h"
#include "segue/mr.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "segue/qp.h"
#include "segue/srq.h"

#define ASSERT_OK(call) ASSERT_EQ(0, (call)) << segue_errmsg()
#define EXPECT_OK(call) EXPECT_EQ(0, (call)) << segue_errmsg()
#define EXPECT_SAYS(text) EXPECT_NE(nullptr, strstr(segue_errmsg(), text)) << segue_errmsg()

inline int open_mkey(segue_pd *pd, uint16_t max_entries, uint32_t flags, segue_mkey **out)
{
	segue_mkey_options options = {};

	options.max_entries = max_entries;
	options.flags = flags;
	return segue_mkey_open(pd, &options, out);
}

class Control : public ::testing::Test {
protected:
	void SetUp() override
	{
		ASSERT_OK(segue_device_open(nullptr, &device));
		ASSERT_OK(segue_pd_open(device, &pd));
		segue_cq_options options = {};

		options.entries = 2000;
		ASSERT_OK(segue_cq_open(device, &options, &cq));
	}

	// Closes everything that a test has left open.
	void TearDown() override
	{
		EXPECT_OK(segue_device_close(device));
	}

	segue_qp_options options_for(segue_qp_type type)
	{
		segue_qp_options options = {};

		options.type = type;
		if (type != SEGUE_QP_XRC_TARGET && type != SEGUE_QP_DCT) {
			options.send_cq = cq;
			options.max_send_wr = 16;
			options.max_send_sge = 2;
			options.max_inline = 60;
		}
		if (type == SEGUE_QP_RC || type == SEGUE_QP_UC || type == SEGUE_QP_UD) {
			options.recv_cq = cq;
			options.max_recv_wr = 16;
			options.max_recv_sge = 1;
		}
		return options;
	}

	segue_qp *open(segue_qp_type type)
	{
		const segue_qp_options options = options_for(type);
		segue_qp *qp = nullptr;

		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		return qp;
	}

	// A path from this port to a queue pair on the same port.
	segue_path path_to(uint32_t qpn)
	{
		segue_port_info info;
		segue_gid_info gid;
		segue_path path;

		EXPECT_OK(segue_path_init(&path, device, 1));
		EXPECT_OK(segue_device_query_port(device, 1, &info));
		EXPECT_OK(segue_device_find_gid(device, 1, nullptr, &gid));
		path.dest_qpn = qpn;
		if (path.link == SEGUE_LINK_IB)
			path.way.ib.dlid = info.lid;
		else
			path.way.roce.route.dgid = gid.gid;
		return path;
	}

	// Each connection has packet numbers of its own: what is left of the last one on the wire
	// must not fit.
	void fresh_psns(segue_path *there, segue_path *back)
	{
		next_psn = (next_psn + 0x10e000) & 0x7fffff;
		there->sq_psn = back->rq_psn = next_psn;
		back->sq_psn = there->rq_psn = next_psn + 0x800000;
	}

	void connect(segue_qp *a, segue_qp *b)
	{
		segue_path to_b = path_to(segue_qp_number(b)), to_a = path_to(segue_qp_number(a));

		fresh_psns(&to_b, &to_a);
		ASSERT_OK(segue_qp_connect(a, &to_b));
		ASSERT_OK(segue_qp_connect(b, &to_a));
	}

	static void keep(const segue_wc *wc, void *arg) noexcept
	{
		static_cast<std::vector<segue_wc> *>(arg)->push_back(*wc);
	}

	// After a poll. Who has found nothing lets others run: on a machine with too few processors
	// it is they who have to do something.
	static int found(int polled)
	{
		if (!polled)
			sched_yield();
		EXPECT_LE(0, polled) << segue_errmsg();
		return polled;
	}

	// Polls until so many completions have come, or 30 seconds have gone.
	std::vector<segue_wc> take(size_t count, segue_cq *from = nullptr)
	{
		const segue_deadline deadline = segue_deadline_in_ms(30000);
		std::vector<segue_wc> taken;

		while (taken.size() < count && segue_deadline_left_ms(deadline) > 0)
			found(segue_cq_poll_each(from ? from : cq, (int)(count - taken.size()),
						 keep, &taken));
		EXPECT_EQ(count, taken.size());
		taken.resize(count);
		return taken;
	}

	segue_mr *share(void *memory, size_t length)
	{
		segue_mr_options attr = {};
		segue_mr *mr = nullptr;

		attr.addr = memory;
		attr.length = length;
		attr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_READ |
			      SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_REMOTE_ATOMIC;
		EXPECT_OK(segue_mr_open(pd, &attr, &mr));
		return mr;
	}

	/*
	 * Where indices are made to start: to the device, whose counters have 16 bits, that is 0.
	 * Ours, which have 32, wrap together with its own.
	 */
	static constexpr uint32_t LATE = 0xffff0000;

	// As the queue was made, but for where it counts from. Before anything is posted.
	static void start_late(segue_sq *sq)
	{
		segue_sq_init_options attr = {};

		attr.buf = sq->buf;
		attr.wqe_cnt = sq->mask + 1;
		attr.max_wqe_units = sq->max_units;
		attr.dbrec = const_cast<uint32_t *>(sq->dbrec);
		attr.bf_reg = (void *)sq->reg;
		attr.bf_size = (uint32_t)sq->reg_toggle;
		attr.qpn = sq->qpn;
		attr.first_index = LATE;
		attr.slots = sq->slots;
		ASSERT_EQ(0u, sq->pi);
		ASSERT_OK(segue_sq_init(sq, &attr));
	}

	static void start_late(seguei_recv_ring *ring)
	{
		ASSERT_EQ(0u, ring->pi);
		ring->pi += LATE;
		ring->limit += LATE;
	}

	uint32_t next_psn = 0;
	segue_device *device = nullptr;
	segue_pd *pd = nullptr;
	segue_cq *cq = nullptr;
};

#endif
