// SPDX-License-Identifier: BSD-2-Clause
// Pairs of the transports that have addresses: RC, UC, UD, XRC, DC.
#ifndef SEGUE_TESTS_REQUESTS_MIXED_PAIRS_H
#define SEGUE_TESTS_REQUESTS_MIXED_PAIRS_H

#include "tests/requests/mixed/mixed.h"

namespace requests {

template <class T> struct PairOf : Pair {
	static constexpr bool answered = T::from != SEGUE_QP_UC && T::from != SEGUE_QP_UD;
	static constexpr bool shared = T::at == SEGUE_QP_XRC_TARGET || T::at == SEGUE_QP_DCT;
	static constexpr bool rc_or_dc = T::from == SEGUE_QP_RC || T::from == SEGUE_QP_DCI;

	PairOf(Mixed &t, uint32_t n) : Pair(t, n)
	{
		reliable = answered;
		in_packets = T::from == SEGUE_QP_UC;
		in_front = T::from == SEGUE_QP_UD ? GRH : 0;
		shortest = answered ? 1 : 8;
	}

	bool has(Kind kind) const override
	{
		switch (kind) {
		case WRITE:
		case WRITE_IMM:
			return T::from != SEGUE_QP_UD;
		case READ:
		case SWAP:
		case ADD:
			return answered;
		case MASKED_ADD:
		case COPY:
			return rc_or_dc;
		case GATHER:
			return T::from == SEGUE_QP_RC && !gathered && !has_read; // its WRITE waits for the key, not for READs
		case THROUGH_WINDOW:
		case SEND_INV:
			return false;
		default:
			return true;
		}
	}

	// Only what is found before anything is sent, or by the responder: what is behind it is not carried out then.
	Wrong wrong_of(Kind kind) override
	{
		const bool rc = T::from == SEGUE_QP_RC && !srq;

		switch (kind) {
		case SEND:
		case SEND_IMM:
			return rc && test.below(2) ? TOO_LONG : LOCAL_KEY;
		case WRITE:
		case WRITE_IMM:
			return answered && test.below(2) ? REMOTE_KEY : LOCAL_KEY;
		case READ:
			return REMOTE_KEY;
		case ADD:
		case SWAP:
			return test.below(2) ? MISALIGNED : REMOTE_KEY;
		default:
			return NONE;
		}
	}

	void open() override
	{
		segue_qp_options options = test.options_for(T::at);

		receive_cq = test.cq;
		fill();
		if (T::at == SEGUE_QP_XRC_TARGET) {
			ASSERT_OK(segue_xrcd_open(test.device, -1, &options.xrcd));
		}
		ASSERT_NO_FATAL_FAILURE(open_shared(options.xrcd));
		if (T::at == SEGUE_QP_DCT)
			options.dc_key = DC_KEY;
		if (srq && T::at != SEGUE_QP_XRC_TARGET) {
			options.srq = srq;
			options.max_recv_wr = options.max_recv_sge = 0;
			options.recv_cq = receive_cq;
		}
		if (options.send_cq)
			options.max_wqe_units = 20;
		ASSERT_OK(segue_qp_open(test.pd, &options, &b));
		options = test.options_for(T::from);
		options.max_wqe_units = 20;
		options.max_inline = 64;
		ASSERT_OK(segue_qp_open(test.pd, &options, &a));
		if (T::from == SEGUE_QP_RC) {
			ASSERT_OK(segue_mkey_open(test.pd, 4, &mkey));
		}
		if (!srq)
			rq = segue_qp_rq(b);
		ASSERT_NO_FATAL_FAILURE(meet());
		peer.number = T::at == SEGUE_QP_XRC_TARGET ? segue_srq_number(srq) : segue_qp_number(b);
		refill();
	}
	virtual void open_shared(segue_xrcd *xrcd)
	{
		segue_srq_options options = {};

		if (!shared)
			return;
		options.max_wr = RECEIVES;
		options.max_sge = 1;
		options.xrcd = xrcd;
		options.cq = xrcd ? test.cq : nullptr;
		ASSERT_OK(segue_srq_open(test.pd, &options, &srq));
	}

	int post_receive(const Receive &r) override
	{
		return srq ? segue_post(segue_sge(segue_recv_srq(srq, r.wr_id), there.at(r.at), SLOT, there.key))
			   : segue_post(segue_sge(segue_recv_rq(rq, r.wr_id), there.at(r.at), SLOT, there.key));
	}

	// UC and UD stop before the failed request's successors; the others are connected anew.
	void recover() override
	{
		if (!answered) {
			resume();
			return;
		}
		ASSERT_OK(segue_qp_reset(a, Mixed::handler, &test));
		if (T::at == SEGUE_QP_DCT) {
			ASSERT_OK(segue_qp_connect(a, &path));
			return;
		}
		ASSERT_OK(segue_qp_reset(b, Mixed::handler, &test));
		test.join(a, b);
	}

	template <class B> auto to(B with) { return T::to(peer, with); }

	int post(Kind kind, uint64_t wr_id, uint32_t slot, Wrong with) override
	{
		auto *sq = T::sq(a);
		const uint32_t limit = slot == BATCH ? MTU : longest; // what ends a batch is one packet
		const uint32_t length = kind == SEND_INLINE ? 8 + test.below(40) : shortest + test.below(limit - shortest + 1);
		const uint32_t flags = SEGUE_SIGNALED | (has_read ? SEGUE_FENCE : 0), imm = (uint32_t)test.random();
		const uint32_t lkey = with == LOCAL_KEY ? NOBODYS_KEY : here.key, rkey = with == REMOTE_KEY ? NOBODYS_KEY : there.rkey;
		const size_t from = 64 + test.below(AREA - 64 - SLOT), word = 8 * test.below(8) + (with == MISALIGNED ? 4 : 0);
		// What may be lost has a place of its own.
		const size_t at = answered ? 64 + test.below(AREA - 64 - SLOT) : slot * SLOT + test.below(SLOT - longest);
		const size_t message = MESSAGES + slot * SLOT, result = AREA + slot * SLOT;

		after = nullptr;
		has_read = has_read || kind == READ;
		switch (kind) {
		case SEND:
			if (with == TOO_LONG)
				return segue_post(segue_sge(to(segue_send(sq, wr_id, flags)), here.at(0), SLOT + 1 + length, lkey));
			send(with, slot, length, 0, 0);
			return segue_post(segue_sge(to(segue_send(sq, wr_id, flags)), here.at(message), length, lkey));
		case SEND_IMM:
			if (with == TOO_LONG)
				return segue_post(segue_sge(to(segue_send_imm(sq, wr_id, flags, imm)), here.at(0), SLOT + 1 + length, lkey));
			send(with, slot, length, SEGUE_WC_IMM, imm);
			return segue_post(segue_sge(to(segue_send_imm(sq, wr_id, flags, imm)), here.at(message), length, lkey));
		case SEND_INLINE:
			send(with, slot, length, 0, 0);
			return segue_post(segue_inline_data(to(segue_send(sq, wr_id, flags)), here.bytes + message, length));
		case NOTHING:
			return segue_post(segue_nop(sq, wr_id, flags));
		default:
			return post_memory(kind, {wr_id, length, flags, imm, lkey, rkey, from, at, word, result, slot, with});
		}
	}

protected:
	struct Plan {
		uint64_t wr_id;
		uint32_t length, flags, imm, lkey, rkey;
		size_t from, at, word, result;
		uint32_t slot;
		Wrong wrong;
	};

	// The model of a message; only what will be sent is one.
	void send(Wrong with, uint32_t slot, uint32_t length, uint8_t flags, uint32_t imm)
	{
		const std::vector<uint8_t> bytes = stamped(slot, length);

		if (with == NONE)
			after = [=] { expect({0, bytes, true, 0, flags, imm, false, false}); };
	}

	virtual int post_memory(Kind kind, const Plan &o)
	{
		if constexpr (T::from != SEGUE_QP_UD) {
			auto *sq = T::sq(a);

			if (kind == WRITE || kind == WRITE_IMM) {
				model_write(kind, o);
				if (kind == WRITE)
					return segue_post(segue_sge(segue_raddr(to(segue_rdma_write(sq, o.wr_id, o.flags)), there.at(o.at), o.rkey),
								    here.at(o.from), o.length, o.lkey));
				return segue_post(segue_sge(segue_raddr(to(segue_rdma_write_imm(sq, o.wr_id, o.flags, o.imm)), there.at(o.at), o.rkey),
							    here.at(o.from), o.length, o.lkey));
			}
			if constexpr (answered)
				return post_answered(kind, o);
		}
		return -ENOTSUP;
	}

	void model_write(Kind kind, const Plan &o)
	{
		const std::vector<uint8_t> bytes(here.bytes + o.from, here.bytes + o.from + o.length);

		stamp++;
		after = [=] {
			if (kind == WRITE_IMM || !answered)
				expect({0, bytes, false, o.at, (uint8_t)(kind == WRITE_IMM ? SEGUE_WC_IMM : 0), o.imm, kind == WRITE, answered});
			if (answered)
				there.put(o.at, bytes.data(), bytes.size());
		};
	}

	// The word becomes another, and the former value comes back.
	void model_atomic(const Plan &o, std::function<uint64_t(uint64_t)> change)
	{
		after = [this, o, change] {
			uint64_t was, now;

			memcpy(&was, there.want.data() + o.word, sizeof(was));
			now = change(was);
			there.put(o.word, &now, sizeof(now));
			here.put(o.result, &was, sizeof(was));
		};
	}

	int post_answered(Kind kind, const Plan &o)
	{
		auto *sq = T::sq(a);
		const uint64_t operand = (uint64_t)o.imm << 32 | o.length;

		switch (kind) {
		case READ:
			after = [this, o] { here.put(o.result, there.want.data() + o.at, o.length); };
			return segue_post(segue_sge(segue_raddr(to(segue_rdma_read(sq, o.wr_id, o.flags)), there.at(o.at), o.rkey), here.at(o.result),
						    o.length, here.key));
		case SWAP: {
			uint64_t was;

			memcpy(&was, there.want.data() + o.word, sizeof(was)); // right unless a request before it changes the word
			model_atomic(o, [was, operand](uint64_t now) { return now == was ? operand : now; });
			return segue_post(segue_sge(segue_atomic(segue_raddr(to(segue_atomic_cs(sq, o.wr_id, o.flags)), there.at(o.word), o.rkey), operand, was),
						    here.at(o.result), 8, here.key));
		}
		case ADD:
			model_atomic(o, [operand](uint64_t now) { return now + operand; });
			return segue_post(segue_sge(segue_atomic_add(segue_raddr(to(segue_atomic_fa(sq, o.wr_id, o.flags)), there.at(o.word), o.rkey), operand),
						    here.at(o.result), 8, here.key));
		default:
			if constexpr (rc_or_dc)
				return post_extended(kind, o, operand);
		}
		return -ENOTSUP;
	}

	int post_extended(Kind kind, const Plan &o, uint64_t operand)
	{
		auto *sq = T::sq(a);

		if (kind == MASKED_ADD) { // two halves that do not carry into each other
			model_atomic(o, [operand](uint64_t now) {
				return (now + operand) << 32 >> 32 | ((now >> 32) + (operand >> 32)) << 32;
			});
			return segue_post(segue_sge(segue_masked_fa64(segue_raddr(to(segue_masked_atomic_fa64(sq, o.wr_id, o.flags)), there.at(o.word), o.rkey),
								      operand, UINT64_C(1) << 31 | UINT64_C(1) << 63),
						    here.at(o.result), 8, here.key));
		}
		if (kind == COPY) {
			after = [this, o] { here.put(o.result, here.bytes + o.from, o.length); };
			return segue_post(segue_mmo_data(segue_mmo_data(segue_mmo_metadata(segue_memcpy(sq, o.wr_id, o.flags), 0, test.scratch_key, test.scratch()),
									here.at(o.from), o.length, o.lkey),
							 here.at(o.result), o.length, here.key));
		}
		if constexpr (T::from == SEGUE_QP_RC)
			return post_gather(o);
		return -ENOTSUP;
	}

	// A key of two pieces, or of blocks of two pieces in turn, and a WRITE out of it.
	int post_gather(const Plan &o)
	{
		const bool in_turn = test.below(2);
		const uint32_t first = o.length / 2 + 1;
		const segue_local pieces[2] = {{here.at(o.from), first, {here.key}}, {here.at(0), o.length, {here.key}}};
		const segue_strided blocks[2] = {{{here.at(o.from), 24, {here.key}}, 8}, {{here.at(0), 8, {here.key}}, 40}};
		std::vector<uint8_t> bytes;
		segue_umr umr = {};
		int ret;

		umr.wr_id = test.next_id++;
		umr.flags = 0; // only a failure will tell of it
		test.silent.insert(umr.wr_id);
		gathered = true;
		umr.mkey = mkey;
		umr.access = SEGUE_ACCESS_LOCAL_WRITE;
		if (in_turn) {
			for (uint32_t i = 0; i < 16; i++) {
				bytes.insert(bytes.end(), here.bytes + o.from + 32 * i, here.bytes + o.from + 32 * i + 24);
				bytes.insert(bytes.end(), here.bytes + 48 * i, here.bytes + 48 * i + 8);
			}
			ret = segue_post_mr_interleaved(segue_qp_rc(a), &umr, 16, blocks, 2);
		} else {
			bytes.assign(here.bytes + o.from, here.bytes + o.from + first);
			bytes.insert(bytes.end(), here.bytes, here.bytes + std::min(o.length, SLOT / 2 - first + 1));
			ret = segue_post_mr_list(segue_qp_rc(a), &umr, pieces, 2);
		}
		if (ret)
			return ret;
		after = [this, o, bytes] { there.put(o.at, bytes.data(), bytes.size()); };
		return segue_post(segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc(a), o.wr_id, o.flags | SEGUE_INITIATOR_SMALL_FENCE), there.at(o.at), o.rkey),
					    0, (uint32_t)bytes.size(), segue_mkey_lkey(mkey).lkey));
	}

	void meet()
	{
		path = test.path_to(0);
		path.qkey = QKEY;
		if (T::at == SEGUE_QP_DCT)
			path.mtu = MTU;
		if (T::at == SEGUE_QP_UD || T::at == SEGUE_QP_DCT) {
			segue_address *way;

			ASSERT_OK(segue_qp_connect(b, &path));
			ASSERT_OK(segue_qp_connect(a, &path));
			ASSERT_OK(segue_address_open(test.pd, &path, &way));
			peer.ah = segue_address_av(way);
		} else {
			test.join(a, b);
		}
	}

	segue_cq *receive_cq = nullptr;
	segue_srq *srq = nullptr;
	segue_rq *rq = nullptr;
	segue_path path = {};
	segue_mkey *mkey = nullptr;
	Peer peer;
};

} // namespace requests

#endif
