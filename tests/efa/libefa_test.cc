/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random requests, posted by rdma-core's libefa and written by Segue's builders from the same
 * arguments: the bytes must be the same, the validator must take libefa's, and libefa must read out
 * of completions what was packed into them.
 */
#include <arpa/inet.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "segue/base.h"
#include "segue/decode.h"
#include "segue/gen/builders.h"
#include "segue/gen/cqes.h"
#include "segue/gen/machines.h"
#include "segue/gen/tables.h"
#include "tests/efa/libefa.h"
#include "tests/seed/seed.h"

namespace
{

constexpr uint32_t kBlock = 64;
constexpr uint32_t kDescriptor = 16;
constexpr uint32_t kAddresses = 16;

struct Request {
	enum Op { kSend, kInline, kRead } op;
	bool imm;
	uint32_t imm_data, qkey, rkey;
	uint64_t remote, wr_id;
	uint16_t qpn;
	uint32_t ah;
	std::vector<ibv_sge> sges;
	std::vector<uint8_t> payload;
};

class Run
{
    public:
	Run(bool srd, uint64_t seed) : srd_(srd), random_(seed), queue_(libefa::Open(srd))
	{
		for (uint32_t i = 0; i < kAddresses; i++) {
			numbers_.push_back(static_cast<uint16_t>(random_()));
			ahs_.push_back(libefa::MakeAh(queue_, numbers_.back()));
		}
	}

	/* A batch of sends, compared and completed. Returns how many. */
	uint32_t Sends()
	{
		const uint32_t count = 1 + Below(libefa::kSendEntries);
		std::vector<Request> batch;
		std::vector<uint16_t> ids;

		for (uint32_t i = 0; i < count; i++)
			batch.push_back(Make());
		if (srd_ || Below(2))
			PostSession(batch);
		else
			PostList(batch);
		for (const Request &r : batch) {
			ids.push_back(Compare(r));
			posted_++;
		}
		Complete(batch, ids);
		return count;
	}

	/* A batch of receives, likewise. */
	uint32_t Receives()
	{
		const uint32_t count = 1 + Below(libefa::kReceiveEntries / libefa::kReceiveSges);

		for (uint32_t i = 0; i < count; i++)
			Receive();
		return count;
	}

    private:
	uint32_t Below(uint32_t n)
	{
		return static_cast<uint32_t>(random_() % n);
	}

	[[noreturn]] void Differ(const char *what, const uint8_t *ours, const uint8_t *theirs,
				 uint32_t size)
	{
		std::printf("%s differs\n  segue ", what);
		for (uint32_t i = 0; i < size; i++)
			std::printf("%02x", ours[i]);
		std::printf("\n  libefa ");
		for (uint32_t i = 0; i < size; i++)
			std::printf("%02x", theirs[i]);
		std::printf("\n");
		std::exit(1);
	}

	void Expect(bool held, const char *what)
	{
		if (held)
			return;
		std::printf("expected %s (%s)\n", what, segue_errmsg());
		std::exit(1);
	}

	std::vector<ibv_sge> Sges(uint32_t most, uint32_t least = 0)
	{
		std::vector<ibv_sge> sges(least + Below(most - least + 1));

		for (ibv_sge &s : sges)
			s = {random_(), static_cast<uint32_t>(random_()),
			     static_cast<uint32_t>(random_()) & 0xffffff};
		return sges;
	}

	Request Make()
	{
		Request r = {};

		r.op = static_cast<Request::Op>(Below(srd_ ? 3 : 2));
		r.imm = r.op != Request::kRead && Below(2);
		r.imm_data = static_cast<uint32_t>(random_());
		r.qkey = static_cast<uint32_t>(random_());
		r.rkey = static_cast<uint32_t>(random_());
		r.remote = random_();
		r.wr_id = random_();
		r.qpn = static_cast<uint16_t>(random_());
		r.ah = Below(kAddresses);
		if (r.op == Request::kInline)
			for (uint32_t n = Below(33); n; n--)
				r.payload.push_back(static_cast<uint8_t>(random_()));
		else
			r.sges = Sges(r.op == Request::kRead ? 1 : 2);
		return r;
	}

	/* Through ibv_wr_*. */
	void PostSession(const std::vector<Request> &batch)
	{
		ibv_qp_ex *q = queue_.qpx;

		ibv_wr_start(q);
		for (const Request &r : batch) {
			q->wr_id = r.wr_id;
			q->wr_flags = IBV_SEND_SIGNALED;
			if (r.op == Request::kRead)
				ibv_wr_rdma_read(q, r.rkey, r.remote);
			else if (r.imm)
				ibv_wr_send_imm(q, htonl(r.imm_data));
			else
				ibv_wr_send(q);
			ibv_wr_set_ud_addr(q, ahs_[r.ah], r.qpn, r.qkey);
			if (r.op == Request::kInline)
				ibv_wr_set_inline_data(q, const_cast<uint8_t *>(r.payload.data()),
						       r.payload.size());
			else if (r.sges.size() == 1 && Below(2))
				ibv_wr_set_sge(q, r.sges[0].lkey, r.sges[0].addr, r.sges[0].length);
			else
				ibv_wr_set_sge_list(q, r.sges.size(), r.sges.data());
		}
		Expect(ibv_wr_complete(q) == 0, "libefa to take the requests");
	}

	/* Through ibv_post_send(). */
	void PostList(const std::vector<Request> &batch)
	{
		std::vector<ibv_send_wr> wrs(batch.size());
		std::vector<ibv_sge> sges(batch.size());
		ibv_send_wr *bad;

		for (size_t i = 0; i < batch.size(); i++) {
			const Request &r = batch[i];
			ibv_send_wr &wr = wrs[i];

			wr.wr_id = r.wr_id;
			wr.next = i + 1 < batch.size() ? &wrs[i + 1] : nullptr;
			wr.opcode = r.imm ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND;
			wr.send_flags = IBV_SEND_SIGNALED;
			wr.imm_data = htonl(r.imm_data);
			wr.wr.ud = {ahs_[r.ah], r.qpn, r.qkey};
			wr.sg_list = const_cast<ibv_sge *>(r.sges.data());
			wr.num_sge = static_cast<int>(r.sges.size());
			if (r.op == Request::kInline) {
				sges[i] = {reinterpret_cast<uint64_t>(r.payload.data()),
					   static_cast<uint32_t>(r.payload.size()), 0};
				wr.send_flags |= IBV_SEND_INLINE;
				wr.sg_list = &sges[i];
				wr.num_sge = 1;
			}
		}
		Expect(ibv_post_send(queue_.qp, wrs.data(), &bad) == 0,
		       "libefa to take the requests");
	}

	template <class Q> int Build(Q *q, const Request &r, uint16_t id, uint8_t phase)
	{
		const uint16_t ah = numbers_[r.ah];
		const auto size = static_cast<uint32_t>(r.payload.size());
		std::vector<segue_seg_tx_buf> bufs;

		for (const ibv_sge &s : r.sges)
			bufs.push_back({s.length, s.lkey, s.addr});
		if (r.op == Request::kInline && r.imm) {
			auto w = segue_send_inline_imm(q, SEGUE_SIGNALED, id, phase, ah, r.qpn,
						       r.qkey, r.imm_data);
			return size ? segue_commit(segue_inline_data(w, r.payload.data(), size))
				    : segue_commit(w);
		}
		if (r.op == Request::kInline) {
			auto w = segue_send_inline(q, SEGUE_SIGNALED, id, phase, ah, r.qpn, r.qkey);
			return size ? segue_commit(segue_inline_data(w, r.payload.data(), size))
				    : segue_commit(w);
		}
		if (r.imm)
			return Finish(segue_send_imm(q, SEGUE_SIGNALED, id, phase, ah, r.qpn,
						     r.qkey, r.imm_data),
				      bufs);
		return Finish(segue_send(q, SEGUE_SIGNALED, id, phase, ah, r.qpn, r.qkey), bufs);
	}

	template <class W> int Finish(W w, const std::vector<segue_seg_tx_buf> &bufs)
	{
		if (bufs.empty())
			return segue_commit(w);
		auto one = segue_sge(w, bufs[0].addr, bufs[0].length, bufs[0].lkey);
		if (bufs.size() == 1)
			return segue_commit(one);
		return segue_commit(segue_sge(one, bufs[1].addr, bufs[1].length, bufs[1].lkey));
	}

	int Read(segue_srd_sq *q, const Request &r, uint16_t id, uint8_t phase)
	{
		const uint32_t length = r.sges.empty() ? 0 : r.sges[0].length;
		auto w = segue_raddr(segue_rdma_read(q, SEGUE_SIGNALED, id, phase, numbers_[r.ah],
						     r.qpn, r.qkey),
				     r.remote, r.rkey, length);

		return r.sges.empty()
			       ? segue_commit(w)
			       : segue_commit(segue_sge(w, r.sges[0].addr, length, r.sges[0].lkey));
	}

	/* The request that was posted as number posted_. Returns its id, which libefa has chosen.
	 */
	uint16_t Compare(const Request &r)
	{
		const uint8_t *theirs = queue_.send + posted_ % libefa::kSendEntries * kBlock;
		const auto phase = static_cast<uint8_t>(posted_ / libefa::kSendEntries & 1);
		const auto id = static_cast<uint16_t>(theirs[0] | theirs[1] << 8);
		const segue_machine *machine = srd_ ? &segue_srd_machine : &segue_ud_machine;
		segue_srd_sq srd = {};
		segue_ud_sq ud = {};
		segue_offence offence;
		uint8_t ours[kBlock];
		int ret;

		std::memset(ours, 0xee, sizeof(ours));
		srd.block = ud.block = {ours, sizeof(ours), 0};
		if (r.op == Request::kRead)
			ret = Read(&srd, r, id, phase);
		else
			ret = srd_ ? Build(&srd, r, id, phase) : Build(&ud, r, id, phase);
		Expect(ret == 0, "the builder to take the request");
		if (std::memcmp(ours, theirs, sizeof(ours)))
			Differ("a send entry", ours, theirs, sizeof(ours));
		Expect(segue_wqe_validate(machine, theirs, kBlock, &offence) == 0,
		       "libefa's entry to be valid");
		return id;
	}

	uint8_t *NextCompletion(uint8_t *phase)
	{
		*phase = static_cast<uint8_t>(~(completed_ / libefa::kCompletions) & 1);
		return queue_.completions + completed_++ % libefa::kCompletions * kDescriptor;
	}

	/* Completes a batch in any order, and has libefa poll. */
	void Complete(const std::vector<Request> &batch, const std::vector<uint16_t> &ids)
	{
		std::vector<size_t> order(batch.size());

		for (size_t i = 0; i < order.size(); i++)
			order[i] = i;
		std::shuffle(order.begin(), order.end(), random_);
		for (size_t i : order) {
			segue_tx_cdesc cqe = {};
			uint8_t *at, phase;
			ibv_wc wc = {};

			at = NextCompletion(&phase);
			cqe.req_id = ids[i];
			cqe.status = static_cast<uint8_t>(Below(4) ? 0 : 1 + Below(13));
			cqe.phase = phase;
			cqe.q_type = SEGUE_QUEUE_TYPE_SEND;
			cqe.qp_num = static_cast<uint16_t>(queue_.qp->qp_num);
			segue_tx_cdesc_pack(at, &cqe);
			Expect(segue_cqe_match(at, kDescriptor) == &segue_tx_cdesc_desc,
			       "a send completion to be told from others");
			Expect(ibv_poll_cq(queue_.cq, 1, &wc) == 1,
			       "libefa to find the completion");
			Expect(wc.wr_id == batch[i].wr_id, "the wr_id of the request");
			Expect(wc.vendor_err == cqe.status, "the status");
			Expect((wc.status == IBV_WC_SUCCESS) ==
				       (cqe.status == SEGUE_COMP_STATUS_OK),
			       "success to be success");
			Expect(wc.qp_num == queue_.qp->qp_num, "the queue pair");
		}
	}

	void Receive()
	{
		const std::vector<ibv_sge> sges = Sges(libefa::kReceiveSges, 1);
		const auto n = static_cast<uint32_t>(sges.size());
		uint8_t ours[libefa::kReceiveSges * kDescriptor], theirs[sizeof(ours)];
		segue_rq rq = {};
		segue_offence offence;
		ibv_recv_wr wr = {}, *bad;

		wr.wr_id = random_();
		wr.sg_list = const_cast<ibv_sge *>(sges.data());
		wr.num_sge = static_cast<int>(n);
		Expect(ibv_post_recv(queue_.qp, &wr, &bad) == 0, "libefa to take the receive");
		for (uint32_t i = 0; i < n; i++)
			std::memcpy(theirs + i * kDescriptor,
				    queue_.receive +
					    received_++ % libefa::kReceiveEntries * kDescriptor,
				    kDescriptor);
		const auto id = static_cast<uint16_t>(theirs[8] | theirs[9] << 8);

		std::memset(ours, 0xee, sizeof(ours));
		rq.block = {ours, n * kDescriptor, 0};
		Expect(BuildReceive(&rq, sges, id) == 0, "the builder to take the receive");
		Expect(rq.block.used == n * kDescriptor,
		       "as many descriptors as there are buffers");
		if (std::memcmp(ours, theirs, n * kDescriptor))
			Differ("a receive", ours, theirs, n * kDescriptor);
		Expect(segue_wqe_validate(&segue_rq_machine, theirs, n * kDescriptor, &offence) ==
			       0,
		       "libefa's receive to be valid");
		CompleteReceive(wr.wr_id, id);
	}

	int BuildReceive(segue_rq *rq, const std::vector<ibv_sge> &sges, uint16_t id)
	{
		const size_t last = sges.size() - 1;
		const auto length = [&](size_t i) { return static_cast<uint16_t>(sges[i].length); };

		if (!last)
			return segue_commit(segue_rx_only(segue_recv(rq), id, sges[0].addr,
							  length(0), sges[0].lkey));
		auto w = segue_rx_first(segue_recv(rq), id, sges[0].addr, length(0), sges[0].lkey);
		for (size_t i = 1; i < last; i++)
			w = segue_rx_middle(w, sges[i].addr, length(i), sges[i].lkey);
		return segue_commit(
			segue_rx_last(w, sges[last].addr, length(last), sges[last].lkey));
	}

	void CompleteReceive(uint64_t wr_id, uint16_t id)
	{
		segue_rx_cdesc cqe = {};
		ibv_wc wc = {};
		uint8_t *at, phase;

		at = NextCompletion(&phase);
		cqe.req_id = id;
		cqe.phase = phase;
		cqe.q_type = SEGUE_QUEUE_TYPE_RECV;
		cqe.has_imm = static_cast<uint8_t>(Below(2));
		cqe.qp_num = static_cast<uint16_t>(queue_.qp->qp_num);
		cqe.length = static_cast<uint16_t>(random_());
		cqe.ah = static_cast<uint16_t>(random_());
		cqe.src_qp_num = static_cast<uint16_t>(random_());
		cqe.imm = static_cast<uint32_t>(random_());
		segue_rx_cdesc_pack(at, &cqe);
		Expect(segue_cqe_match(at, kDescriptor) == &segue_rx_cdesc_desc,
		       "a receive completion to be told from others");
		Expect(ibv_poll_cq(queue_.cq, 1, &wc) == 1, "libefa to find the completion");
		Expect(wc.wr_id == wr_id && wc.byte_len == cqe.length &&
			       wc.src_qp == cqe.src_qp_num && wc.slid == cqe.ah,
		       "what was packed into the receive completion");
		Expect(!(wc.wc_flags & IBV_WC_WITH_IMM) == !cqe.has_imm,
		       "immediate data where there is some");
		Expect(!cqe.has_imm || ntohl(wc.imm_data) == cqe.imm, "the immediate data");
	}

	const bool srd_;
	std::mt19937_64 random_;
	libefa::Queue queue_;
	std::vector<uint16_t> numbers_;
	std::vector<ibv_ah *> ahs_;
	uint32_t posted_ = 0, received_ = 0, completed_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
	const uint64_t wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 100000;
	const uint64_t seed = segue_test_seed();
	uint64_t sends[2] = {0, 0}, receives = 0;

	for (int srd = 0; srd < 2; srd++) {
		Run run(srd != 0, seed + static_cast<uint64_t>(srd));

		while (sends[srd] < wanted / 2) {
			sends[srd] += run.Sends();
			receives += run.Receives();
		}
	}
	std::printf("%llu sends on ud, %llu on srd and %llu receives are the bytes that libefa "
		    "writes\n",
		    static_cast<unsigned long long>(sends[0]),
		    static_cast<unsigned long long>(sends[1]),
		    static_cast<unsigned long long>(receives));
	return 0;
}
