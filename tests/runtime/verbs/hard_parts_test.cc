/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is hard for a layer below a program's own calls, a case each. A case runs on libmlx5 and on
 * the layer, on a device that carries requests out, and must see the same. Cases of HardPartsFail
 * break rules of the device, the others break none.
 *
 * Queues that are reset, destroyed, armed or used by threads (D12 to D15) are in
 * hard_parts_queues_test.cc.
 *
 * The numbers are those of a study of unmodified programs. Its other parts have their tests
 * elsewhere:
 *   D2  DC targets on a shared receive queue: tests/softhca:run_perftest_ib_poll_test
 *   D11 functions that are looked up by name, D16 BlueFlame: tests/softhca:run_test
 *   D17 entries of no request belong to queue pairs that are left to libmlx5: D1
 */
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runtime/verbs/hard_parts.h"

namespace
{

/* A completion queue with queue pairs of both kinds, in each order of creation. */
void StrangersOnOneQueue(World *w)
{
	ibv_cq *cq = w->Cq(64);
	ibv_qp *early = w->Stranger(cq), *taken = w->Qp(cq), *late = w->Stranger(cq);

	for (ibv_qp *qp : {early, taken, late})
		w->Connect(qp, qp);
	for (uint64_t i = 0; i < 8; i++)
		for (ibv_qp *qp : {late, taken, early})
			w->out << w->Write(qp, i);
	w->Drain(cq, 24, true);
}

TEST(HardParts, D01StrangersOnOneQueue)
{
	Same(StrangersOnOneQueue);
	Same(StrangersOnOneQueue, false);
}

void WriteByWr(World *w, ibv_qp *qp, uint64_t id)
{
	ibv_qp_ex *x = ibv_qp_to_qp_ex(qp);

	ibv_wr_start(x);
	x->wr_id = id;
	x->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_rdma_write(x, w->mr->rkey, w->At(kRemote));
	ibv_wr_set_sge(x, w->mr->lkey, w->At(0), 8);
	w->out << "complete " << ibv_wr_complete(x) << "\n";
}

/* A program that reads the entries of its completion queue by itself. */
class Reader
{
      public:
	Reader(World *w, ibv_cq *cq) : w_(w)
	{
		mlx5dv_obj object = {};

		object.cq.in = cq;
		object.cq.out = &ring_;
		w->out << "init " << mlx5dv_init_obj(&object, MLX5DV_OBJ_CQ) << " entries "
		       << ring_.cqe_cnt << "\n";
	}
	void Next()
	{
		const uint8_t *entry = static_cast<uint8_t *>(ring_.buf) +
				       at_ % ring_.cqe_cnt * ring_.cqe_size;
		const volatile uint8_t *last = entry + 63;
		const Minute minute;

		while ((*last >> 4 == 0xf || (*last & 1) != (at_ / ring_.cqe_cnt & 1)) &&
		       !minute.IsOver())
			sched_yield(); /* a turn of the device */
		w_->out << "  opcode " << (*last >> 4) << " of request "
			<< entry[60] * 256 + entry[61] << "\n";
		ring_.dbrec[0] = htobe32(++at_ & 0xffffff);
	}

      private:
	World *const w_;
	mlx5dv_cq ring_ = {};
	uint32_t at_ = 0;
};

/* It looks for the ring when it has queue pairs, and makes others later. */
TEST(HardParts, D01RingThatTheProgramReads)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *early = w->QpEx(cq);

		w->Connect(early, early);
		Reader reader(w, cq);
		ibv_qp_init_attr attr = World::Attr(cq, 16, 16);
		ibv_qp *late = w->Keep(ibv_create_qp(w->pd, &attr));
		w->Connect(late, late);
		for (int i = 0; i < 5; i++) { /* nothing tells libmlx5 that there is room again */
			w->out << w->Write(early, 1);
			reader.Next();
			WriteByWr(w, early, 2);
			reader.Next();
			w->out << w->Write(late, 3);
			reader.Next();
		}
		w->Again(early, early);
		WriteByWr(w, early, 4);
		reader.Next();
	});
}

/* The same of a queue that was posted to and polled: it is too late, but nothing is lost. */
TEST(HardParts, D01RingOfQueueInUse)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->Qp(cq);
		mlx5dv_cq ring = {};
		mlx5dv_obj object = {};

		w->Connect(qp, qp);
		w->memory[0] = 'a';
		w->out << w->Write(qp, 1);
		w->Drain(cq, 1);
		object.cq.in = cq;
		object.cq.out = &ring;
		/* The entry of the first request must not complete the second one. */
		w->memory[0] = 'b';
		w->out << mlx5dv_init_obj(&object, MLX5DV_OBJ_CQ) << w->Write(qp, 2);
		w->Drain(cq, 1);
		w->out << w->memory[kRemote];
	});
}

/* Who receives from a shared queue is known after it has been posted to. */
void SharedReceiveQueue(World *w, bool strangers)
{
	ibv_srq_init_attr srq_attr = {};
	ibv_cq *cq = w->Cq(64);

	srq_attr.attr = {16, 1, 0};
	ibv_srq *srq = ibv_create_srq(w->pd, &srq_attr);
	ASSERT_NE(nullptr, srq);
	for (uint64_t i = 0; i < 4; i++)
		w->out << w->Recv(srq, 100 + i);
	ibv_qp_init_attr attr = World::Attr(cq, 16, 0);
	attr.srq = srq;
	ibv_qp *one = w->Qp(attr), *other = strangers ? w->Stranger(cq, srq) : w->Qp(attr);
	w->Connect(one, one);
	w->Connect(other, other);
	for (ibv_qp *qp : {one, other, one, other}) {
		w->out << w->Post(qp, IBV_WR_SEND, 7, 0);
		w->Drain(cq, 1);
	}
	w->Destroy(other);
	w->Destroy(one);
	w->out << ibv_destroy_srq(srq) << "\n";
}

TEST(HardParts, D02SharedReceiveQueue)
{
	for (bool watched : {true, false}) {
		Same([](World *w) { SharedReceiveQueue(w, true); }, watched);
		/* Nothing but the shared receives completes on the program's queue. */
		Same([](World *w) { SharedReceiveQueue(w, false); }, watched);
	}
}

/* libmlx5 writes its own function over ibv_qp_ex.wr_complete in each change of state. */
TEST(HardParts, D03FunctionsAfterModify)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->QpEx(cq);

		for (uint64_t i = 0; i < 3; i++) {
			w->Connect(qp, qp);
			WriteByWr(w, qp, i);
			w->Drain(cq, 1);
			EXPECT_EQ(0, w->To(qp, IBV_QPS_RESET));
			WriteByWr(w, qp, 10 + i);
			EXPECT_EQ(0, w->To(qp, IBV_QPS_INIT));
			WriteByWr(w, qp, 20 + i);
			EXPECT_EQ(0, w->To(qp, IBV_QPS_RESET));
		}
	});
}

TEST(HardParts, D04EmptyPieces)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->Qp(cq);
		ibv_qp *x = w->QpEx(cq);

		w->Connect(qp, qp);
		w->Connect(x, x);
		for (int pieces : {-1, 0, 1, 3}) {
			w->out << w->Recv(qp, 1, 0, pieces)
			       << w->Post(qp, IBV_WR_SEND, 2, IBV_SEND_SIGNALED, 0, pieces)
			       << w->Recv(qp, 3, 0, pieces)
			       << w->Post(qp, IBV_WR_SEND_WITH_IMM, 4,
					  IBV_SEND_SIGNALED | IBV_SEND_INLINE, 0, pieces);
			w->Drain(cq, 4, true);
		}
		ibv_qp_ex *wr = ibv_qp_to_qp_ex(x);
		for (int way = 0; way < 4; way++) {
			const ibv_sge none[2] = {{w->At(0), 0, w->mr->lkey}, {w->At(0), 0, 0}};
			const ibv_data_buf nothing = {nullptr, 0};

			w->out << w->Recv(x, 5);
			ibv_wr_start(wr);
			wr->wr_id = 6;
			wr->wr_flags = IBV_SEND_SIGNALED;
			ibv_wr_send(wr);
			if (way == 0)
				ibv_wr_set_sge(wr, w->mr->lkey, w->At(0), 0);
			else if (way == 1)
				ibv_wr_set_sge_list(wr, 2, none);
			else if (way == 2)
				ibv_wr_set_inline_data(wr, nullptr, 0);
			else
				ibv_wr_set_inline_data_list(wr, 1, &nothing);
			w->out << ibv_wr_complete(wr);
			w->Drain(cq, 2, true);
		}
	});
}

/* Sizes as given, and as many requests as libmlx5 takes until it says ENOMEM. */
TEST(HardParts, D05RoomForRequests)
{
	Same([](World *w) {
		for (uint32_t depth : {1u, 2u, 16u, 100u, 128u}) {
			ibv_cq *cq = w->Cq(int(depth));
			ibv_qp *qp = w->Qp(World::Attr(cq, depth, depth));
			int taken = 0, received = 0;

			w->Connect(qp, qp);
			while (!w->Recv(qp, 1))
				received++;
			w->out << "receives " << received << " then " << w->Recv(qp, 1);
			while (taken < 1000 && !w->Post(qp, IBV_WR_RDMA_WRITE, 1, 0))
				taken++;
			w->out << " sends " << taken << " then "
			       << w->Post(qp, IBV_WR_RDMA_WRITE, 1, IBV_SEND_SIGNALED) << "\n";
		}
	});
}

/* A shared receive queue of 4,095 beside a completion queue of 4,095: UCX's sizes. */
TEST(HardParts, D05SharedQueueAsLargeAsItsCompletions)
{
	Same([](World *w) {
		ibv_srq_init_attr srq_attr = {};
		ibv_cq *cq = w->Cq(4095);

		srq_attr.attr = {4095, 1, 0};
		ibv_srq *srq = ibv_create_srq(w->pd, &srq_attr);
		ibv_qp_init_attr attr = World::Attr(cq, 256, 0);
		attr.srq = srq;
		ibv_qp *qp = w->Qp(attr);
		w->Connect(qp, qp);
		for (uint64_t i = 0; i < 4095; i++)
			EXPECT_EQ(0, w->Recv(srq, i));
		for (uint64_t i = 0; i < 16; i++)
			w->out << w->Post(qp, IBV_WR_SEND, i, 0);
		w->Drain(cq, 16);
		w->Destroy(qp);
		w->out << ibv_destroy_srq(srq) << "\n";
	});
}

/* Handles and numbers of objects are those of one context alone. */
TEST(HardParts, D06TwoContexts)
{
	Same([](World *w) {
		World other(w->adopts);
		ibv_cq *cqs[2] = {w->Cq(16), other.Cq(16)};
		ibv_qp *qps[2] = {w->Qp(cqs[0]), other.Qp(cqs[1])};

		EXPECT_EQ(cqs[0]->handle, cqs[1]->handle) << "so the case tests nothing";
		w->Connect(qps[0], qps[0]);
		other.Connect(qps[1], qps[1]);
		for (uint64_t i = 0; i < 100; i++) {
			w->out << w->Write(qps[0], i) << other.Write(qps[1], 1000 + i);
			w->out << w->Poll(cqs[0], 1)[0] << " " << other.Poll(cqs[1], 1)[0] << "\n";
		}
	});
}

ibv_cq_ex *MakeExtended(World *w, uint32_t flags)
{
	ibv_cq_init_attr_ex attr = {};

	attr.cqe = 64;
	attr.wc_flags = flags;
	ibv_cq_ex *cq = ibv_create_cq_ex(w->context, &attr);
	w->cqs.push_back(ibv_cq_ex_to_cq(cq));
	return cq;
}

/* An extended queue, polled by ibv_poll_cq(), as UCX does. */
TEST(HardParts, D07ExtendedQueuePolledPlainly)
{
	Same([](World *w) {
		ibv_cq *cq = ibv_cq_ex_to_cq(MakeExtended(w, 0));
		ibv_qp *qp = w->Qp(cq);

		w->Connect(qp, qp);
		w->out << w->Recv(qp, 1) << w->Post(qp, IBV_WR_SEND, 2, IBV_SEND_SIGNALED);
		w->Drain(cq, 2, true);
	});
}

void NoteExtended(World *w, ibv_cq_ex *x)
{
	const ibv_wc_opcode opcode = ibv_wc_read_opcode(x);

	w->out << "  id " << x->wr_id << " status " << x->status << " opcode " << opcode << " qp "
	       << (ibv_wc_read_qp_num(x) == w->qps[0]->qp_num);
	if (opcode & IBV_WC_RECV)
		w->out << " length " << ibv_wc_read_byte_len(x) << " imm "
		       << be32toh(ibv_wc_read_imm_data(x)) << " flags " << ibv_wc_read_wc_flags(x)
		       << " source " << ibv_wc_read_src_qp(x) << " sl " << int(ibv_wc_read_sl(x))
		       << " bits " << int(ibv_wc_read_dlid_path_bits(x));
	w->out << "\n";
}

/* Notes `count` entries of an extended queue. */
void PollByEntries(World *w, ibv_cq_ex *x, int count)
{
	const Minute minute;

	while (count > 0 && !minute.IsOver()) {
		ibv_poll_cq_attr poll = {};
		const int ret = ibv_start_poll(x, &poll);

		if (ret) {
			EXPECT_EQ(ENOENT, ret);
			sched_yield();
			continue;
		}
		do {
			NoteExtended(w, x);
			count--;
		} while (!ibv_next_poll(x));
		ibv_end_poll(x);
	}
	EXPECT_EQ(0, count);
}

/* The same queue polled entry by entry, and then plainly. */
TEST(HardParts, D07ExtendedQueuePolledByEntries)
{
	Same([](World *w) {
		ibv_cq_ex *x = MakeExtended(w, IBV_WC_STANDARD_FLAGS);
		ibv_cq *cq = ibv_cq_ex_to_cq(x);
		ibv_qp *qp = w->Qp(cq), *stranger = w->Stranger(cq);
		ibv_poll_cq_attr poll = {};

		poll.comp_mask = 1;
		w->out << ibv_start_poll(x, &poll);
		poll.comp_mask = 0;
		w->out << ibv_start_poll(x, &poll) << "\n";
		w->Connect(qp, qp);
		w->Connect(stranger, stranger);
		for (int i = 0; i < 4; i++)
			w->out << w->Recv(qp, 10);
		for (int i = 0; i < 4; i++)
			w->out << w->Post(qp, IBV_WR_SEND_WITH_IMM, 20, 0);
		PollByEntries(w, x, 4);
		for (int i = 0; i < 3; i++) {
			w->out << w->Write(stranger, 30);
			PollByEntries(w, x, 1);
			w->out << w->Write(qp, 40);
			PollByEntries(w, x, 1);
		}
		w->out << w->Write(qp, 50);
		w->Drain(cq, 1);
	});
}

/* libmlx5 posts by itself in ibv_bind_mw(). */
TEST(HardParts, D08BindWindow)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->Qp(cq);
		ibv_mw *mw = ibv_alloc_mw(w->pd, IBV_MW_TYPE_1);
		ibv_mw_bind bind = {};
		uint32_t keys[2];

		ASSERT_NE(nullptr, mw);
		w->Connect(qp, qp);
		for (uint64_t i = 0; i < 2; i++) {
			w->out << w->Write(qp, 1);
			bind.wr_id = 2;
			bind.send_flags = IBV_SEND_SIGNALED;
			bind.bind_info = {w->mr, w->At(kRemote), 4096, IBV_ACCESS_REMOTE_WRITE};
			w->out << ibv_bind_mw(qp, mw, &bind);
			keys[i] = mw->rkey;
			w->out << w->Post(qp, IBV_WR_RDMA_WRITE, 3, IBV_SEND_SIGNALED, 8, 1,
					  mw->rkey);
			w->Drain(cq, 3);
		}
		EXPECT_NE(keys[0], keys[1]);
		w->Destroy(qp);
		w->out << ibv_dealloc_mw(mw) << "\n";
	});
}

TEST(HardPartsFail, D08OldKeyOfWindow)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->Qp(cq);
		ibv_mw *mw = ibv_alloc_mw(w->pd, IBV_MW_TYPE_1);
		ibv_mw_bind bind = {};
		uint32_t keys[2];

		ASSERT_NE(nullptr, mw);
		w->Connect(qp, qp);
		for (uint32_t &key : keys) {
			bind.wr_id = 2;
			bind.send_flags = IBV_SEND_SIGNALED;
			bind.bind_info = {w->mr, w->At(kRemote), 4096, IBV_ACCESS_REMOTE_WRITE};
			w->out << ibv_bind_mw(qp, mw, &bind);
			key = mw->rkey;
			w->Drain(cq, 1);
		}
		w->out << "with the old key "
		       << w->Post(qp, IBV_WR_RDMA_WRITE, 4, IBV_SEND_SIGNALED, 8, 1, keys[0]);
		w->Drain(cq, 1);
		w->Destroy(qp);
		w->out << ibv_dealloc_mw(mw) << "\n";
	});
}

/* Entries wait in the queue while it is resized. */
TEST(HardParts, D09ResizeWithEntries)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(100);
		ibv_qp *qp = w->Qp(cq, 512);

		w->Connect(qp, qp);
		for (int entries : {1024, 40, 5000}) {
			for (uint64_t i = 0; i < 5; i++)
				w->out << w->Write(qp, i);
			w->out << " resized " << ibv_resize_cq(cq, entries) << " to " << cq->cqe;
			w->Drain(cq, 5);
		}
		w->out << "too large " << ibv_resize_cq(cq, INT32_MAX) << " " << cq->cqe << "\n";
		for (uint64_t i = 0; i < 400; i++) /* more than it held at first */
			w->out << w->Write(qp, i);
		w->Drain(cq, 400);
	});
}

TEST(HardPartsFail, D10ErrorsByState)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->Qp(cq);
		const auto posts = [&](const char *state) {
			w->out << state << " send " << w->Write(qp, 1) << " receive "
			       << w->Recv(qp, 2) << "\n";
		};

		posts("RESET");
		EXPECT_EQ(0, w->To(qp, IBV_QPS_INIT));
		posts("INIT");
		EXPECT_EQ(0, w->To(qp, IBV_QPS_RESET));
		w->Connect(qp, qp);
		w->out << "pieces " << w->Post(qp, IBV_WR_SEND, 1, IBV_SEND_SIGNALED, 8, 30)
		       << " inline "
		       << w->Post(qp, IBV_WR_SEND, 1, IBV_SEND_SIGNALED | IBV_SEND_INLINE, 600)
		       << " opcode " << w->Post(qp, ibv_wr_opcode(77), 1, IBV_SEND_SIGNALED)
		       << " pieces of a receive " << w->Recv(qp, 1, 8, 30) << "\n";
		w->out << w->Write(qp, 3);
		w->Drain(cq, 1); /* else it may be acknowledged before the next one fails, or not */
		w->out << w->Post(qp, IBV_WR_RDMA_WRITE, 4, 0, 8, 1, 0x123)
		       << w->Post(qp, IBV_WR_RDMA_WRITE, 8, 0)
		       << w->Post(qp, IBV_WR_RDMA_READ, 5, IBV_SEND_SIGNALED) << w->Recv(qp, 6);
		w->Drain(cq, 4, true); /* both sides of the queue pair fail, in either order */
		posts("ERR");
		w->Drain(cq, 2, true);
		w->Again(qp, qp);
		w->out << "no receive " << w->Post(qp, IBV_WR_SEND, 7, IBV_SEND_SIGNALED);
		w->Drain(cq, 1);
	});
}

/* libmlx5 lets the device put short payload into the entry. */
TEST(HardParts, D18PayloadInEntries)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->Qp(cq);

		w->Connect(qp, qp);
		for (uint32_t length : {1u, 31u, 32u, 33u, 60u, 64u}) {
			char *to = &w->memory[kMemory / 4 * 3];

			memset(to, 0, 256);
			for (uint32_t i = 0; i < length; i++)
				w->memory[i] = char(i + length);
			w->out << w->Recv(qp, 1, (length + 1) / 2, 2)
			       << w->Post(qp, IBV_WR_SEND, 2, IBV_SEND_SIGNALED, length);
			w->Drain(cq, 2, true);
			for (uint32_t i = 0; i < (length + 1) / 2; i++)
				w->out << int(to[i]) << " ";
			w->out << w->Post(qp, IBV_WR_RDMA_READ, 3, IBV_SEND_SIGNALED, length);
			w->Drain(cq, 1);
			w->out << "read " << memcmp(&w->memory[0], &w->memory[kRemote], length);
		}
	});
}

TEST(HardPartsFail, D18TooLongForTheReceive)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->Qp(cq);

		w->Connect(qp, qp);
		w->out << w->Recv(qp, 4, 4) << w->Post(qp, IBV_WR_SEND, 5, IBV_SEND_SIGNALED, 32);
		w->Drain(cq, 2, true);
	});
}

/* The byte with the fence, of requests behind one that invalidates a key. */
TEST(HardPartsFail, D19FenceOfTheNextRequest)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->Qp(cq);
		mlx5dv_qp ring = {};
		mlx5dv_obj object = {};

		w->Connect(qp, qp);
		w->out << w->Post(qp, IBV_WR_LOCAL_INV, 1, IBV_SEND_SIGNALED, 8, 0)
		       << w->Post(qp, IBV_WR_RDMA_WRITE, 2, 0)
		       << w->Post(qp, IBV_WR_RDMA_WRITE, 3, IBV_SEND_FENCE)
		       << w->Post(qp, IBV_WR_LOCAL_INV, 4, IBV_SEND_FENCE, 8, 0)
		       << w->Post(qp, IBV_WR_RDMA_WRITE, 5, IBV_SEND_FENCE | IBV_SEND_SOLICITED);
		object.qp.in = qp;
		object.qp.out = &ring;
		w->out << mlx5dv_init_obj(&object, MLX5DV_OBJ_QP) << " fences";
		for (uint32_t at = 0, wqe = 0; wqe < 5; wqe++) {
			const uint8_t *block = static_cast<uint8_t *>(ring.sq.buf) + at * 64;

			w->out << " " << int(block[11]);
			at += ((block[7] & 0x3fu) + 3) / 4;
		}
		w->out << "\n";
	});
}

/*
 * Calls of a child that has no rings, which write to none in libmlx5: a request that is refused,
 * and a chain that is given up. Returns an exit status.
 */
int CallsOfChild(World *w, ibv_qp *qp)
{
	ibv_qp_ex *x = ibv_qp_to_qp_ex(qp);
	int count = -1;
	ibv_device **list = ibv_get_device_list(&count);

	ibv_free_device_list(list);
	if (count <= 0 || w->Post(qp, IBV_WR_RDMA_WRITE, 3, 0, 8, 30) != ENOMEM)
		return 1;
	ibv_wr_start(x);
	ibv_wr_abort(x);
	return 7;
}

/* The child leaves queues alone, and the parent goes on. */
TEST(HardParts, D20Fork)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->QpEx(cq);
		int status = -1;

		w->Connect(qp, qp);
		w->out << w->Write(qp, 1);
		const pid_t child = fork();
		if (!child)
			_exit(CallsOfChild(w, qp));
		ASSERT_EQ(child, waitpid(child, &status, 0));
		w->out << " child " << WEXITSTATUS(status) << WIFSIGNALED(status);
		w->out << w->Write(qp, 2);
		w->Drain(cq, 2);
	});
}

/*
 * softhca runs its device in libmlx5's calls. Below the layer a poll is a turn of the device, too:
 * without that a program polls hundreds of times for nothing.
 */
TEST(HardParts, D21TurnsOfTheDevice)
{
	static uint64_t empty[2];

	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->Qp(cq);

		w->Connect(qp, qp);
		for (uint64_t i = 0; i < 1000; i++) {
			ibv_wc wc;

			w->out << w->Write(qp, i);
			while (!ibv_poll_cq(cq, 1, &wc))
				empty[w->adopts]++;
		}
	});
	printf("empty polls of 1,000 requests: libmlx5 %ju, layer %ju\n", uintmax_t(empty[0]),
	       uintmax_t(empty[1]));
	EXPECT_LE(empty[1], empty[0] + 2000) << "two a request";
}

/* A device that is not mlx5's. */
TEST(HardParts, D22OtherProviders)
{
	alignas(64) static char nobody[4096];
	ibv_context context = {};

	context.device = reinterpret_cast<ibv_device *>(nobody);
	EXPECT_EQ(-ENOTSUP, segue_verbs_adopt(&context));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "not of an mlx5 device")) << segue_errmsg();
	EXPECT_EQ(-ENOTSUP, segue_verbs_adopt(nullptr));
}

} // namespace
