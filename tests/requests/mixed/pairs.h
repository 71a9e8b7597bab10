// SPDX-License-Identifier: BSD-2-Clause
// Pairs of the transports that have addresses: RC, UC, UD, XRC, DC.
#ifndef SEGUE_TESTS_REQUESTS_MIXED_PAIRS_H
#define SEGUE_TESTS_REQUESTS_MIXED_PAIRS_H

#include "segue/mkey.h"
#include "tests/requests/mixed/lending.h"
#include "tests/requests/mixed/waits.h"
#include "tests/requests/receive_place.h"
#include "tests/requests/words.h"

namespace requests {

template <class T> struct PairOf : Pair {
	static constexpr bool answered = T::from != SEGUE_QP_UC && T::from != SEGUE_QP_UD;
	static constexpr bool writes = T::from != SEGUE_QP_UD;
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
		case SEND:
		case SEND_IMM:
		case NOTHING:
			return true;
		case WAIT:
			return !waited;
		case WRITE:
		case WRITE_IMM:
			return writes;
		// of several streams, another one may be slower with what it still writes
		case SEND_INV:
			return writes && revocable && !revoked && (streams == 1 || !passed);
		case THROUGH_KEY:
			return answered && revocable && !revoked;
		// the device may have bound it before it is told that a request in front of it is
		// refused
		case LEND:
			return writes && !lent && !line().failed;
		case READ:
		case SWAP:
		case ADD:
			return answered;
		case MASKED:
		case COPY:
		case TRANSPOSE:
			return rc_or_dc;
		case GATHER:
			// its WRITE waits for the key, not for READs
			return T::from == SEGUE_QP_RC && !gathered && !has_read;
		default:
			return false;
		}
	}

	// Only what is found before anything is sent, or by the responder: what is behind it is not
	// carried out then.
	Wrong wrong_of(Kind kind) override
	{
		const bool rc = T::from == SEGUE_QP_RC && !srq;

		if (streams > 1 && std::count_if(lines, lines + streams, [](const Line &l) {
					   return l.failed;
				   }) + 2 > 1 << LOG_ERRORED)
			return NONE; // one more would take the queue pair down
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
		case LEND:
			return answered && test.below(2) ? REMOTE_KEY : NO_RIGHT;
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
		}
		if (options.recv_cq || options.srq)
			options.recv_cq = receive_cq;
		if (options.send_cq)
			options.max_wqe_units = 20;
		b = test.open_qp(options);
		options = test.options_for(T::from);
		options.max_wqe_units = 24;
		options.max_inline = 64;
		options.dci_log_streams = streams > 1 ? LOG_STREAMS : 0;
		options.dci_log_errored = streams > 1 ? LOG_ERRORED : 0;
		// and libmlx5 makes the others
		enables = options.cross_channel = streams == 1 && number % 3;
		a = test.open_qp(options);
		test.covered.add(T::name, &T::sq(a)->sq);
		if constexpr (T::from == T::at)
			test.covered.add(T::name, &T::sq(b)->sq);
		if (!srq)
			rq = segue_qp_rq(b);
		ASSERT_NO_FATAL_FAILURE(open_keys());
		ASSERT_NO_FATAL_FAILURE(meet());
		peer.number = T::at == SEGUE_QP_XRC_TARGET ? segue_srq_number(srq)
							   : segue_qp_number(b);
		refill();
	}
	void open_keys()
	{
		if (!writes)
			return;
		if (T::from == SEGUE_QP_RC) {
			ASSERT_OK(open_mkey(test.pd, 4, 0, &mkey));
		}
		ASSERT_OK(open_mkey(test.pd, 2, 0, &other_key));
		lendable = open_for_windows(test.pd, there);
		for (int type : {1, 2})
			ASSERT_NO_FATAL_FAILURE(windows[type - 1].open(test.pd, type));
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

	// The key that a peer has taken away is made again, now or later: the halves of that
	// memory, the second one first.
	void prepare() override
	{
		const segue_local_buf halves[2] = {{there.at(AREA / 2), AREA / 2, {there.key}},
						   {there.at(0), AREA / 2, {there.key}}};

		lent = revoked = passed = false;
		if (!other_key || revocable || test.below(2))
			return;
		ASSERT_NO_FATAL_FAILURE(test.make_key(other_key, halves));
		revocable = true;
	}

	int post_receive(const Receive &r) override
	{
		const uint8_t *const wqe = srq ? next_of(srq) : next_of(rq);
		const int ret = srq ? segue_post(segue_sge(segue_recv(srq, r.wr_id), there.at(r.at),
							   SLOT, there.key))
				    : segue_post(segue_sge(segue_recv(rq, r.wr_id), there.at(r.at),
							   SLOT, there.key));

		if (!ret && received <= 1)
			test.covered.look(srq ? segue_srq_machine : segue_rq_machine, wqe,
					  srq ? srq->ring.stride : rq->ring.stride);
		return ret;
	}

	// UC and UD stop before the failed request's successors; the others are connected anew.
	void recover() override
	{
		if (!answered) {
			resume();
			return;
		}
		if (streams > 1) {
			for (uint16_t i = 0; i < streams; i++)
				if (lines[i].failed) {
					ASSERT_OK(segue_qp_reset_stream(a, i));
				}
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

	template <class B> auto on(B with)
	{
		if constexpr (T::from == SEGUE_QP_DCI)
			return segue_stream(with, current);
		else
			return with;
	}
	// With an address, of either form, where the transport wants one.
	template <class B> auto to(B with)
	{
		if constexpr (T::from == SEGUE_QP_UD || T::from == SEGUE_QP_DCI) {
			using Short =
				std::conditional_t<T::from == SEGUE_QP_UD, UdCompact, DcCompact>;

			return compact && test.below(2) ? Short::to(peer, on(with))
							: T::to(peer, on(with));
		} else {
			return T::to(peer, with);
		}
	}

	int post(Kind kind, uint64_t wr_id, uint32_t slot, Wrong with) override
	{
		auto *sq = T::sq(a);
		const bool inlined = with == NONE && !test.below(4);
		// what ends a batch is one packet
		const uint32_t limit = slot == BATCH ? MTU : longest;
		const uint32_t length = inlined ? 8 + test.below(40)
						: shortest + test.below(limit - shortest + 1);
		const uint32_t flags = SEGUE_SIGNALED | (has_read ? SEGUE_FENCE : 0),
			       imm = (uint32_t)test.random();
		const uint32_t lkey = with == LOCAL_KEY ? NOBODYS_KEY : here.key,
			       rkey = with == REMOTE_KEY ? nobodys_key() : there.rkey;
		// Streams do not wait for each other, and what may be lost has a place of its own.
		const size_t area = AREA / streams, start = current * area;
		const size_t from = 64 + test.below(AREA - 64 - SLOT),
			     word = start + 8 * test.below(8) + (with == MISALIGNED ? 4 : 0);
		const size_t at = answered ? start + 64 + test.below((uint32_t)area - 64 - SLOT)
					   : slot * SLOT + test.below(SLOT - longest);
		const size_t result = AREA + slot * SLOT;
		const Plan plan = {wr_id, length, flags,  imm,	lkey, rkey,   from,
				   at,	  word,	  result, slot, with, inlined};

		before = after = nullptr;
		has_read = has_read || kind == READ;
		switch (kind) {
		case SEND:
			return send(to(segue_send(sq, wr_id, flags)), plan, 0, 0);
		case SEND_IMM:
			return send(to(segue_send_imm(sq, wr_id, flags, imm)), plan, SEGUE_WC_IMM,
				    imm);
		case NOTHING:
			return post_nothing(*this, sq, wr_id, flags,
					    [this](auto with) { return this->on(with); });
		case WAIT:
			return post_wait(*this, sq, wr_id,
					 [this](auto with) { return this->on(with); });
		default:
			return post_memory(kind, plan);
		}
	}

protected:
	static constexpr uint8_t LOG_STREAMS = 2, LOG_ERRORED = 2;
	static_assert(STREAMS == 1 << LOG_STREAMS, "as many as there are lines");

	struct Plan {
		uint64_t wr_id;
		uint32_t length, flags, imm, lkey, rkey;
		size_t from, at, word, result;
		uint32_t slot;
		Wrong wrong;
		bool inlined;
	};

	// What follows a request that changes a key; the fence for READs is one for that, too.
	static uint32_t behind_key(uint32_t flags)
	{
		return flags & SEGUE_FENCE ? flags : flags | SEGUE_INITIATOR_SMALL_FENCE;
	}

	// One that was taken away, if there is one.
	uint32_t nobodys_key() const
	{
		return other_key && ever && !revocable && !revoked ? segue_mkey_rkey(other_key).rkey
								   : NOBODYS_KEY;
	}

	// The payload: within the request, in a piece, or in two.
	template <class B> int carry(B with, const Plan &o, size_t from)
	{
		if (o.inlined)
			return segue_post(segue_inline_data(with, here.bytes + from, o.length));
		if (o.wrong != NONE || o.length == 1 || test.below(4))
			return segue_post(segue_sge(with, here.at(from), o.length, o.lkey));
		const uint32_t first = 1 + test.below(o.length - 1);

		return segue_post(segue_sge(segue_sge(with, here.at(from), first, o.lkey),
					    here.at(from + first), o.length - first, o.lkey));
	}

	// A message, and the model of it; only what will be sent is one.
	template <class B> int send(B with, const Plan &o, uint8_t flags, uint32_t imm)
	{
		if (o.wrong == TOO_LONG)
			return segue_post(segue_sge(with, here.at(0), SLOT + 1 + o.length, o.lkey));
		const std::vector<uint8_t> bytes = stamped(o.slot, o.length);

		if (o.wrong == NONE)
			after = [this, bytes, flags, imm] {
				expect({0, bytes, true, 0, flags, imm, false, false});
			};
		return carry(with, o, MESSAGES + o.slot * SLOT);
	}

	virtual int post_memory(Kind kind, const Plan &o)
	{
		if constexpr (writes)
			return post_written(kind, o);
		return -ENOTSUP;
	}
	int post_written(Kind kind, const Plan &o)
	{
		auto *sq = T::sq(a);

		switch (kind) {
		case WRITE:
			model_write(kind, o);
			return carry(segue_raddr(to(segue_rdma_write(sq, o.wr_id, o.flags)),
						 there.at(o.at), o.rkey),
				     o, o.from);
		case WRITE_IMM:
			model_write(kind, o);
			return carry(
				segue_raddr(to(segue_rdma_write_imm(sq, o.wr_id, o.flags, o.imm)),
					    there.at(o.at), o.rkey),
				o, o.from);
		case SEND_INV:
			return post_revoke(o);
		case LEND:
			return test.below(2) || o.wrong == REMOTE_KEY ? post_lend(o)
								      : post_window(o);
		default:
			if constexpr (answered)
				return post_answered(kind, o);
		}
		return -ENOTSUP;
	}

	// A message that takes a key away.
	int post_revoke(const Plan &o)
	{
		const uint32_t key = segue_mkey_rkey(other_key).rkey;
		const int ret = send(to(segue_send_inv(T::sq(a), o.wr_id, o.flags, key)), o,
				     SEGUE_WC_INVALIDATED, key);
		const std::function<void()> model = after;

		revoked = true;
		after = [this, model] {
			model();
			revocable = false;
			ever = true;
		};
		return ret;
	}

	// A window of type 1 over just what the WRITE behind the bind changes; or, if the WRITE is
	// wrong, one byte less. Or it is taken back.
	int post_lend(const Plan &o)
	{
		auto *sq = T::sq(a);
		Window &window = windows[0];
		const uint32_t was = window.key,
			       length = o.length - (o.wrong == REMOTE_KEY && o.length > 1);
		int ret;

		lent = true;
		window.take();
		if (o.wrong == NO_RIGHT)
			return bind(on(segue_bind_mw_type1(sq, o.wr_id, o.flags, was)), window,
				    there.at(o.at), o.length, ANYBODY, there.key);
		if (o.wrong == NONE && window.bound && test.below(2)) {
			after = [&window] {
				window.is_bound();
				window.bound = false;
			};
			return unbind(on(segue_unbind_mw_type1(sq, o.wr_id, o.flags, was)),
				      window.next);
		}
		const uint64_t silent = test.next_id++;

		test.silent.insert(silent);
		ret = bind(on(segue_bind_mw_type1(sq, silent, 0, was)), window, there.at(o.at),
			   length, ANYBODY, segue_mr_lkey(lendable).lkey);
		if (ret)
			return ret;
		before = [&window] { window.is_bound(); };
		model_write(WRITE, o);
		return carry(segue_raddr(to(segue_rdma_write(sq, o.wr_id, behind_key(o.flags))),
					 there.at(o.at + (o.wrong == REMOTE_KEY && o.length == 1)),
					 window.next),
			     o, o.from);
	}

	// A window of type 2 is free, then bound to this queue pair, then free again.
	int post_window(const Plan &o)
	{
		auto *sq = T::sq(a);
		Window &window = windows[1];

		lent = true;
		if (o.wrong == NONE && window.bound) {
			after = [&window] { window.bound = false; };
			return unbind(on(segue_local_inv(sq, o.wr_id, o.flags, window.key)),
				      window.key);
		}
		window.take();
		after = [&window] { window.is_bound(); };
		// Wrong is that the memory is not for windows, or that it is not free.
		return bind(on(segue_bind_mw(sq, o.wr_id, o.flags, window.key)), window,
			    there.at(o.at), o.length, segue_qp_number(a),
			    o.wrong == NONE || window.bound ? segue_mr_lkey(lendable).lkey
							    : there.key);
	}

	void model_write(Kind kind, const Plan &o)
	{
		const std::vector<uint8_t> bytes(here.bytes + o.from,
						 here.bytes + o.from + o.length);

		stamp++;
		after = [this, kind, bytes, o] {
			if (kind == WRITE_IMM || !answered)
				expect({0, bytes, false, o.at,
					(uint8_t)(kind == WRITE_IMM ? SEGUE_WC_IMM : 0), o.imm,
					kind == WRITE, answered});
			if (answered)
				there.put(o.at, bytes.data(), bytes.size());
		};
	}

	// The word becomes another, and the former value comes back: as it is, or of 4 bytes with
	// the most significant one first.
	template <class W> void model_atomic(const Plan &o, std::function<W(W)> change)
	{
		after = [this, o, change] {
			const W was = requests::word_of<W>(there.want, o.word), now = change(was);
			const W answer = sizeof(W) == 4 ? (W)segue_be32((uint32_t)was) : was;

			there.put(o.word, &now, sizeof(now));
			here.put(o.result, &answer, sizeof(answer));
		};
	}
	template <class B> auto aimed(B with, const Plan &o)
	{
		return segue_raddr(to(with), there.at(o.word), o.rkey);
	}
	template <class B> int landed(B with, const Plan &o, uint32_t size)
	{
		return segue_post(segue_sge(with, here.at(o.result), size, here.key));
	}

	int post_answered(Kind kind, const Plan &o)
	{
		auto *sq = T::sq(a);
		const uint64_t operand = (uint64_t)o.imm << 32 | o.length;

		switch (kind) {
		case READ:
			after = [this, o] {
				here.put(o.result, there.want.data() + o.at, o.length);
			};
			return segue_post(
				segue_sge(segue_raddr(to(segue_rdma_read(sq, o.wr_id, o.flags)),
						      there.at(o.at), o.rkey),
					  here.at(o.result), o.length, here.key));
		case SWAP: {
			// right unless a request before it changes the word
			const uint64_t was = requests::word_of<uint64_t>(there.want, o.word);

			model_atomic<uint64_t>(o, [was, operand](uint64_t now) {
				return now == was ? operand : now;
			});
			return landed(
				segue_compare_swap(aimed(segue_atomic_cs(sq, o.wr_id, o.flags), o),
						   was, operand),
				o, 8);
		}
		case ADD:
			model_atomic<uint64_t>(o,
					       [operand](uint64_t now) { return now + operand; });
			return landed(
				segue_atomic_add(aimed(segue_atomic_fa(sq, o.wr_id, o.flags), o),
						 operand),
				o, 8);
		case THROUGH_KEY:
			return post_through(o);
		default:
			if constexpr (rc_or_dc)
				return post_extended(kind, o, operand);
		}
		return -ENOTSUP;
	}

	// To anywhere in the halves, also over the end of one; of several streams to what is this
	// one's.
	int post_through(const Plan &o)
	{
		const size_t place = streams > 1 ? (o.at + AREA / 2) % AREA
						 : test.below((uint32_t)AREA - o.length);

		passed = true;
		after = [this, o, place] {
			for (size_t i = 0; i < o.length; i++)
				there.put((place + i + AREA / 2) % AREA, here.bytes + o.from + i,
					  1);
		};
		return carry(segue_raddr(to(segue_rdma_write(T::sq(a), o.wr_id, o.flags)), place,
					 segue_mkey_rkey(other_key).rkey),
			     o, o.from);
	}

	int post_extended(Kind kind, const Plan &o, uint64_t operand)
	{
		auto *sq = T::sq(a);

		switch (kind) {
		case MASKED:
			return post_masked(o, operand,
					   (uint64_t)test.random() << 32 | (uint64_t)test.random());
		case COPY:
			after = [this, o] { here.put(o.result, here.bytes + o.from, o.length); };
			return segue_post(segue_mmo_data(
				segue_mmo_data(
					segue_mmo_metadata(on(segue_memcpy(sq, o.wr_id, o.flags)),
							   0, test.besides_key, test.scratch()),
					here.at(o.from), o.length, o.lkey),
				here.at(o.result), o.length, here.key));
		case TRANSPOSE:
			return post_transpose(o);
		default:
			if constexpr (T::from == SEGUE_QP_RC)
				return post_gather(o);
		}
		return -ENOTSUP;
	}

	int post_masked(const Plan &o, uint64_t operand, uint64_t mask)
	{
		auto *sq = T::sq(a);
		const uint64_t was = requests::word_of<uint64_t>(there.want, o.word),
			       other = (uint64_t)test.random() << 32 | o.imm;
		const Masked<uint64_t> m = {was ^ (test.below(2) ? ~mask : other), operand, mask,
					    other};
		const Masked<uint32_t> half = {(uint32_t)was ^
						       (test.below(2) ? ~(uint32_t)mask : 1),
					       (uint32_t)operand, (uint32_t)mask, (uint32_t)other};

		switch (test.below(4)) {
		case 0:
			model_atomic<uint64_t>(
				o, [=](uint64_t now) { return add_fields(now, operand, mask); });
			return landed(
				segue_masked_fa64(
					aimed(segue_masked_atomic_fa64(sq, o.wr_id, o.flags), o),
					operand, mask),
				o, 8);
		case 1:
			model_atomic<uint32_t>(o, [=](uint32_t now) {
				return add_fields(now, (uint32_t)operand, (uint32_t)mask);
			});
			return landed(
				segue_masked_fa32(
					aimed(segue_masked_atomic_fa32(sq, o.wr_id, o.flags), o),
					(uint32_t)operand, (uint32_t)mask),
				o, 4);
		case 2:
			model_atomic<uint64_t>(o, [=](uint64_t now) { return m.after(now); });
			return landed(
				segue_masked_compare_swap64(
					aimed(segue_masked_atomic_cs64(sq, o.wr_id, o.flags), o),
					m.compare, m.swap, m.compare_mask, m.swap_mask),
				o, 8);
		default:
			model_atomic<uint32_t>(o, [=](uint32_t now) { return half.after(now); });
			return landed(
				segue_masked_compare_swap32(
					aimed(segue_masked_atomic_cs32(sq, o.wr_id, o.flags), o),
					half.compare, half.swap, half.compare_mask, half.swap_mask),
				o, 4);
		}
	}

	// Rows become columns, each element stays whole.
	int post_transpose(const Plan &o)
	{
		const uint32_t rows = 1 + test.below(8), cols = 1 + test.below(8),
			       element = 1 + test.below(15), size = rows * cols * element;

		after = [this, o, rows, cols, element] {
			for (uint32_t row = 0; row < rows; row++)
				for (uint32_t col = 0; col < cols; col++)
					here.put(o.result + (col * rows + row) * element,
						 here.bytes + o.from + (row * cols + col) * element,
						 element);
		};
		return segue_post(segue_sge(
			segue_sge(segue_matrix(on(segue_transpose(T::sq(a), o.wr_id, o.flags)),
					       (uint16_t)element, (uint16_t)cols, (uint16_t)rows),
				  here.at(o.from), size, o.lkey),
			here.at(o.result), size, here.key));
	}

	// A key of two pieces, which the request lists or points to, or of blocks of two pieces in
	// turn; and a WRITE out of it.
	int post_gather(const Plan &o)
	{
		const uint32_t form = test.below(3), first = o.length / 2 + 1;
		const segue_local_buf pieces[2] = {{here.at(o.from), first, {here.key}},
						   {here.at(0), o.length, {here.key}}};
		const segue_strided_buf blocks[2] = {{{here.at(o.from), 24, {here.key}}, 8},
						     {{here.at(0), 8, {here.key}}, 40}};
		std::vector<uint8_t> bytes;
		segue_mkey_layout umr = {};
		int ret;

		umr.wr_id = test.next_id++;
		umr.flags = 0; // only a failure will tell of it
		test.silent.insert(umr.wr_id);
		gathered = true;
		umr.mkey = mkey;
		umr.access = SEGUE_ACCESS_LOCAL_WRITE;
		if (form == 2) {
			for (uint32_t i = 0; i < 16; i++) {
				bytes.insert(bytes.end(), here.bytes + o.from + 32 * i,
					     here.bytes + o.from + 32 * i + 24);
				bytes.insert(bytes.end(), here.bytes + 48 * i,
					     here.bytes + 48 * i + 8);
			}
			ret = segue_mkey_post_interleaved(segue_qp_rc_sq(a), &umr, 16, blocks, 2);
		} else {
			bytes.assign(here.bytes + o.from, here.bytes + o.from + first);
			bytes.insert(bytes.end(), here.bytes,
				     here.bytes + std::min(o.length, SLOT / 2 - first + 1));
			ret = form ? segue_mkey_post_list(segue_qp_rc_sq(a), &umr, pieces, 2)
				   : post_pointer(umr.wr_id, pieces);
		}
		if (ret)
			return ret;
		after = [this, o, bytes] { there.put(o.at, bytes.data(), bytes.size()); };
		return segue_post(segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), o.wr_id,
									 behind_key(o.flags)),
							there.at(o.at), o.rkey),
					    0, (uint32_t)bytes.size(), segue_mkey_lkey(mkey).lkey));
	}

	// The list is in memory, padded with zeros.
	int post_pointer(uint64_t wr_id, const segue_local_buf (&pieces)[2])
	{
		const uint32_t key = segue_mkey_lkey(mkey).lkey;
		segue_seg_mkey_context context = {};
		uint8_t *const list = test.besides.lists[number];

		memset(list, 0, 64);
		for (int i = 0; i < 2; i++) {
			segue_put_be32(list + 16 * i, pieces[i].length);
			segue_put_be32(list + 16 * i + 4, pieces[i].key.lkey);
			segue_put_be64(list + 16 * i + 8, pieces[i].addr);
		}
		context.qpn = ANYBODY;
		context.mkey_7_0 = (uint8_t)key;
		context.access_flags = SEGUE_MKEY_ACCESS_LOCAL_WRITE;
		context.len = pieces[0].length + pieces[1].length;
		return segue_post(segue_list_pointer(
			segue_mkey_context(
				segue_umr_ctrl(segue_umr_pointer(segue_qp_rc_sq(a), wr_id, 0, key),
					       0, 4, 0,
					       SEGUE_MKEY_MASK_FREE | SEGUE_MKEY_MASK_MKEY |
						       SEGUE_MKEY_MASK_LEN |
						       SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE),
				&context),
			(uintptr_t)list, test.besides_key));
	}

	void meet()
	{
		path = test.path_to(0);
		path.qkey = QKEY;
		if (T::at == SEGUE_QP_DCT)
			path.mtu = MTU;
		if (T::at == SEGUE_QP_UD || T::at == SEGUE_QP_DCT) {
			segue_ah *way;

			ASSERT_OK(segue_qp_connect(b, &path));
			ASSERT_OK(segue_qp_connect(a, &path));
			ASSERT_OK(segue_ah_open(test.pd, &path, &way));
			peer.ah = segue_ah_av(way);
			compact = !test.on_roce();
			if (compact) {
				ASSERT_OK(segue_ah_av_compact(way, &peer.compact));
			}
		} else {
			test.join(a, b);
		}
	}

	segue_cq *receive_cq = nullptr;
	segue_srq *srq = nullptr;
	segue_rq *rq = nullptr;
	segue_path path = {};
	segue_mkey *mkey = nullptr;
	// which the responder's memory is reached by, until a peer takes it away
	segue_mkey *other_key = nullptr;
	bool revocable = false, ever = false; // it is there; it was taken away once
	// in this batch: a request takes it away, goes through it; changes a window
	bool revoked = false, passed = false, lent = false;
	segue_mr *lendable = nullptr;
	Window windows[2];
	bool compact = false;
	Peer peer;
};

} // namespace requests

#endif
