/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hard parts D12 to D15 (hard_parts_test.cc): queues that are reset, destroyed, armed or used by
 * threads.
 */
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "segue/detail/spin.h"
#include "tests/runtime/verbs/hard_parts.h"

namespace
{

constexpr uint64_t kEach = 3000; /* requests of a thread */

/* Entries of before RESET are lost on both queues, and shared receives come back. */
TEST(HardParts, D12ResetWithEntries)
{
	Same([](World *w) {
		ibv_srq_init_attr srq_attr = {};
		ibv_cq *cq = w->Cq(64), *own = w->Cq(64);

		srq_attr.attr = {4, 1, 0};
		ibv_srq *srq = ibv_create_srq(w->pd, &srq_attr);
		ibv_qp_init_attr attr = World::Attr(cq, 16, 0);
		attr.srq = srq;
		ibv_qp *shared = w->Qp(attr), *plain = w->Qp(cq), *witness = w->Qp(own);
		w->Connect(shared, shared);
		w->Connect(plain, plain);
		w->Connect(witness, witness);
		for (int round = 0; round < 3; round++) {
			for (uint64_t i = 0; i < 4; i++)
				w->out << w->Recv(srq, i);
			w->out << " one too many " << w->Recv(srq, 9) << " ";
			w->out << w->Recv(plain, 20)
			       << w->Post(plain, IBV_WR_SEND, 21, IBV_SEND_SIGNALED);
			for (uint64_t i = 0; i < 4; i++)
				w->out << w->Post(shared, IBV_WR_SEND, 10 + i, IBV_SEND_SIGNALED);
			/* carried out in order by the device, so those before are done */
			for (int i = 0; i < 100; i++) {
				w->out << w->Write(witness, 1);
				w->Poll(own, 1);
			}
			w->Again(shared, shared);
			w->Again(plain, plain);
			w->Drain(cq, 0);
		}
		w->Destroy(shared);
		w->out << ibv_destroy_srq(srq) << "\n";
	});
}

/* WRITEs to as many places as there are requests, every third inline, and `some` of two blocks. */
int WriteOwn(World *w, ibv_qp *qp, uint64_t id, bool some)
{
	const bool pieces = some && id % 7 == 0;
	const uint32_t at = uint32_t(id) * 8;
	ibv_sge sges[] = {{w->At(at), 2, w->mr->lkey},
			  {w->At(at + 2), 5, w->mr->lkey},
			  {w->At(at + 7), 1, w->mr->lkey}};
	ibv_send_wr wr = {}, *bad = nullptr;

	if (!pieces)
		sges[0].length = 8;
	wr.wr_id = id;
	wr.sg_list = sges;
	wr.num_sge = pieces ? 3 : 1;
	wr.opcode = IBV_WR_RDMA_WRITE;
	wr.send_flags = IBV_SEND_SIGNALED | (id % 3 ? 0 : unsigned(IBV_SEND_INLINE));
	wr.wr.rdma.remote_addr = w->At(kRemote + at);
	wr.wr.rdma.rkey = w->mr->rkey;
	memset(w->memory + at, char(id % 255 + 1), 8);
	return ibv_post_send(qp, &wr, &bad);
}

/*
 * A queue that is kept full: a post for each completion, and one too many. Its ring has as many
 * blocks as requests if each has one piece, and more otherwise.
 */
TEST(HardParts, D26FullQueue)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(1024);

		for (bool some : {false, true}) {
			ibv_qp_init_attr attr = World::Attr(cq, 16, 16);
			uint64_t id = 0;

			attr.cap.max_send_sge = some ? 4 : 1;
			attr.cap.max_inline_data = 8;
			ibv_qp *qp = w->Qp(attr);
			memset(w->memory, 0, kMemory);
			w->out << "RESET " << WriteOwn(w, qp, 0, some);
			EXPECT_EQ(0, w->To(qp, IBV_QPS_INIT));
			w->out << " INIT " << WriteOwn(w, qp, 0, some);
			EXPECT_EQ(0, w->To(qp, IBV_QPS_RTR, qp->qp_num));
			EXPECT_EQ(0, w->To(qp, IBV_QPS_RTS));
			while (id < 300 && !WriteOwn(w, qp, id, some))
				id++;
			w->out << " full at " << id << "\n";
			for (int i = 0; i < 300; i++) {
				w->Note(cq, 1);
				for (int more = i % 16 ? 1 : 2; more; more--) {
					const int ret = WriteOwn(w, qp, id, some);

					w->out << ret << " ";
					id += !ret;
				}
			}
			w->Drain(cq, 0);
			NoteBytes(w, w->At(kRemote), uint32_t(id) * 8);
			EXPECT_EQ(0, w->To(qp, IBV_QPS_ERR));
			w->out << "ERR " << WriteOwn(w, qp, id, some) << "\n";
			w->Destroy(qp);
		}
	});
}

/* A call that destroys a queue pair may be refused: it lives on. */
TEST(HardParts, D13DestroyIsRefused)
{
	const std::string seen = Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp_init_attr attr = World::Attr(cq, 16, 16);
		ibv_ah_attr to = {};
		ibv_gid group = {};

		attr.qp_type = IBV_QPT_UD;
		ibv_qp *qp = w->Qp(attr);
		w->Connect(qp, qp);
		group.raw[0] = 0xff;
		group.raw[1] = 0x12;
		group.raw[15] = 7;
		w->out << "attach " << ibv_attach_mcast(qp, &group, 0xc007) << " destroy "
		       << ibv_destroy_qp(qp) << " entries' queue " << ibv_destroy_cq(cq) << "\n";
		to.port_num = 1;
		to.dlid = w->port.lid;
		ibv_ah *ah = ibv_create_ah(w->pd, &to);
		ibv_sge sge = {w->At(0), 8, w->mr->lkey};
		ibv_send_wr wr = {}, *bad = nullptr;
		wr.wr_id = 3;
		wr.sg_list = &sge;
		wr.num_sge = 1;
		wr.opcode = IBV_WR_SEND;
		wr.send_flags = IBV_SEND_SIGNALED;
		wr.wr.ud.ah = ah;
		wr.wr.ud.remote_qpn = qp->qp_num;
		wr.wr.ud.remote_qkey = World::kQkey;
		w->out << w->Recv(qp, 4, 128) << ibv_post_send(qp, &wr, &bad);
		w->Drain(cq, 2, true);
		w->out << "detach " << ibv_detach_mcast(qp, &group, 0xc007) << "\n";
		w->Destroy(qp);
		ibv_destroy_ah(ah);
	});

	EXPECT_NE(std::string::npos, seen.find("destroy 16 ")) << "so the case tests nothing\n"
							       << seen;
}

/* An event is the program's own queue's. */
void WaitForEvent(World *w, ibv_comp_channel *channel, ibv_cq *cq)
{
	void *cq_context = nullptr;
	ibv_cq *from = nullptr;

	w->out << "event " << ibv_get_cq_event(channel, &from, &cq_context) << " queue "
	       << (from == cq) << " context " << reinterpret_cast<uintptr_t>(cq_context) << "\n";
	ibv_ack_cq_events(from, 1);
}

TEST(HardParts, D14ArmingAndEvents)
{
	Same([](World *w) {
		ibv_comp_channel *channel = ibv_create_comp_channel(w->context);
		ibv_cq *cq = w->Cq(64, reinterpret_cast<void *>(42), channel), *from;
		ibv_qp *qp = w->Qp(cq), *stranger = w->Stranger(cq);
		void *cq_context;

		w->Connect(qp, qp);
		w->Connect(stranger, stranger);
		for (ibv_qp *by : {qp, stranger, qp}) {
			w->out << ibv_req_notify_cq(cq, 0) << w->Write(by, 1);
			WaitForEvent(w, channel, cq);
			w->Drain(cq, 1);
		}
		fcntl(channel->fd, F_SETFL, O_NONBLOCK);
		w->out << ibv_req_notify_cq(cq, 1) << w->Recv(qp, 2)
		       << w->Post(qp, IBV_WR_SEND, 3, IBV_SEND_SIGNALED);
		w->Drain(cq, 2, true);
		w->out << "not solicited " << ibv_get_cq_event(channel, &from, &cq_context);
		w->out << w->Recv(qp, 4)
		       << w->Post(qp, IBV_WR_SEND, 5, IBV_SEND_SIGNALED | IBV_SEND_SOLICITED);
		pollfd ready = {channel->fd, POLLIN, 0};
		w->out << " ready " << poll(&ready, 1, 60000) << " ";
		WaitForEvent(w, channel, cq);
		w->Drain(cq, 2, true);
		w->Destroy(stranger);
		w->Destroy(qp);
		w->out << ibv_destroy_cq(cq) << ibv_destroy_comp_channel(channel) << "\n";
		w->cqs.clear();
	});
}

/* rping arms the queue before it makes its queue pair. */
TEST(HardParts, D14ArmedBeforeTheFirstQueuePair)
{
	Same([](World *w) {
		ibv_comp_channel *channel = ibv_create_comp_channel(w->context);
		ibv_cq *cq = w->Cq(64, reinterpret_cast<void *>(42), channel);

		w->out << ibv_req_notify_cq(cq, 0);
		ibv_qp *qp = w->Qp(cq);
		w->Connect(qp, qp);
		w->out << w->Write(qp, 1);
		pollfd ready = {channel->fd, POLLIN, 0};
		w->out << " ready " << poll(&ready, 1, 60000) << " ";
		if (ready.revents)
			WaitForEvent(w, channel, cq);
		w->Drain(cq, 1);
		w->Destroy(qp);
		w->out << ibv_destroy_cq(cq) << ibv_destroy_comp_channel(channel) << "\n";
		w->cqs.clear();
	});
}

/* A thread that posts requests whose half of the queue has room: libmlx5 dies without. */
void PostHalf(World *w, ibv_qp *qp, uint64_t half, const std::atomic<uint64_t> *done)
{
	ibv_qp_ex *x = ibv_qp_to_qp_ex(qp);

	for (uint64_t i = 0; i < kEach; i++) {
		const uint64_t id = half << 32 | i;

		while (i - *done >= 6)
			sched_yield();
		if (half == 0) {
			EXPECT_EQ(0, w->Write(qp, id));
			continue;
		}
		ibv_wr_start(x);
		x->wr_id = id;
		x->wr_flags = IBV_SEND_SIGNALED;
		ibv_wr_rdma_write(x, w->mr->rkey, w->At(kRemote));
		ibv_wr_set_sge(x, w->mr->lkey, w->At(0), 8);
		EXPECT_EQ(0, ibv_wr_complete(x));
	}
}

/* Two threads post to one queue pair by both ways, a third polls. */
TEST(HardParts, D15Threads)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->QpEx(cq);
		std::atomic<uint64_t> done[2] = {{0}, {0}};
		std::vector<std::thread> threads;
		bool ordered = true;

		w->Connect(qp, qp);
		for (uint64_t half = 0; half < 2; half++)
			threads.emplace_back(PostHalf, w, qp, half, &done[half]);
		while (ordered && done[0] + done[1] < 2 * kEach) {
			ibv_wc wc[8];
			const int got = ibv_poll_cq(cq, 8, wc);

			for (int i = 0; i < got; i++)
				ordered = ordered && !wc[i].status &&
					  (wc[i].wr_id & UINT32_MAX) == done[wc[i].wr_id >> 32]++;
			if (got <= 0)
				sched_yield();
		}
		for (std::thread &thread : threads)
			thread.join();
		w->out << "ordered " << ordered << " " << done[0] << " " << done[1] << "\n";
	});
}

/* Whether a call waits until another thread, which is in a call of the same queue, leaves it. */
void WaitsFor(uint32_t *lock, const char *name, const std::function<void()> &call)
{
	std::atomic<bool> done{false};

	seguei_spin_lock(lock);
	std::thread caller([&] {
		call();
		done = true;
	});
	for (int i = 0; i < 20 && !done; i++) /* time enough for a call that does not wait */
		usleep(1000);
	EXPECT_FALSE(done) << name;
	seguei_spin_unlock(lock);
	caller.join();
}

TEST(HardParts, D15EachQueueHasALock)
{
	World w(true);
	ibv_cq_init_attr_ex cq_attr = {};
	ibv_poll_cq_attr poll = {};

	cq_attr.cqe = 64;
	cq_attr.wc_flags = IBV_WC_STANDARD_FLAGS;
	ibv_cq_ex *extended = ibv_create_cq_ex(w.context, &cq_attr);
	ASSERT_NE(nullptr, extended);
	ibv_cq *cq = ibv_cq_ex_to_cq(extended);
	w.cqs.push_back(cq);
	ibv_qp *qp = w.QpEx(cq);
	ibv_qp_ex *x = ibv_qp_to_qp_ex(qp);
	uint32_t *const sends = segue_test_send_lock(qp), *const recvs = segue_test_recv_lock(qp);
	uint32_t *const polls = segue_test_poll_lock(cq);
	w.Connect(qp, qp);

	WaitsFor(sends, "a request of one piece", [&] { w.Write(qp, 1); });
	WaitsFor(sends, "of two", [&] { w.Post(qp, IBV_WR_RDMA_WRITE, 2, 0, 8, 2); });
	WaitsFor(sends, "inline", [&] { w.Post(qp, IBV_WR_SEND, 3, IBV_SEND_INLINE); });
	WaitsFor(sends, "ibv_wr_start()", [&] {
		ibv_wr_start(x);
		ibv_wr_abort(x);
	});
	WaitsFor(recvs, "ibv_post_recv()", [&] { w.Recv(qp, 4); });
	WaitsFor(polls, "ibv_poll_cq()", [&] {
		ibv_wc wc;

		ibv_poll_cq(cq, 1, &wc);
	});
	WaitsFor(polls, "ibv_start_poll()", [&] {
		if (!ibv_start_poll(extended, &poll))
			ibv_end_poll(extended);
	});
	WaitsFor(polls, "ibv_req_notify_cq()", [&] { ibv_req_notify_cq(cq, 0); });
	WaitsFor(polls, "ibv_resize_cq()", [&] { ibv_resize_cq(cq, 100); });
	for (uint32_t *lock : {sends, recvs, polls})
		WaitsFor(lock, "ibv_modify_qp()", [&] { w.To(qp, IBV_QPS_RESET); });
}

/* Queue pairs of a domain of one thread have no locks in libmlx5. The layer leaves them to it. */
TEST(HardParts, D15ThreadDomain)
{
	Same([](World *w) {
		ibv_td_init_attr td_attr = {};
		ibv_td *td = ibv_alloc_td(w->context, &td_attr);
		ibv_parent_domain_init_attr parent = {};
		ibv_cq *cq = w->Cq(64);

		parent.pd = w->pd;
		parent.td = td;
		ibv_pd *domain = ibv_alloc_parent_domain(w->context, &parent);
		ASSERT_NE(nullptr, domain);
		ibv_qp_init_attr attr = World::Attr(cq, 16, 16);
		ibv_qp *qp = w->Keep(ibv_create_qp(domain, &attr)), *beside = w->Qp(cq);
		EXPECT_FALSE(segue_test_is_taken(qp));
		w->Connect(qp, qp);
		w->Connect(beside, beside);
		w->out << w->Write(qp, 1) << w->Write(beside, 2);
		w->Drain(cq, 2, true);
		w->Destroy(qp);
		w->out << ibv_dealloc_pd(domain) << ibv_dealloc_td(td) << "\n";
	});
}

} // namespace
