// SPDX-License-Identifier: BSD-2-Clause
/*
 * Random requests of many kinds on 64 queue pairs of all types at once, on one completion queue, some of them with one thing wrong. Each must complete
 * once, as it should: what is behind a failed one is flushed, and all of the memory is compared with a model after each batch.
 * SEGUE_TEST_OPS=1000000 makes a long run of it.
 */
#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "segue/explain.h"
#include "segue/umr.h"
#include "tests/requests/transports.h"
#include "tests/seed/seed.h"

namespace requests {
namespace {

constexpr uint32_t BATCH = 6, RECEIVES = 8, SLOT = 256, GRH = 40;
constexpr uint32_t NOBODYS_KEY = 0xdead00;
// Of either memory: what requests take from `here` or change `there`, then a slot for each result or receive.
constexpr size_t AREA = 2048, SIZE = AREA + RECEIVES * SLOT;

enum Kind { SEND, SEND_IMM, SEND_INLINE, WRITE, WRITE_IMM, READ, SWAP, ADD, MASKED_ADD, COPY, GATHER, NOTHING, KINDS };
enum Wrong { NONE, LOCAL_KEY, REMOTE_KEY };

struct Block {
	alignas(64) uint8_t bytes[SIZE];
	std::vector<uint8_t> want;
	segue_mr *mr = nullptr;
	uint32_t key = 0, rkey = 0;

	uint64_t at(size_t offset) const { return (uintptr_t)bytes + offset; }
	void put(size_t offset, const void *from, size_t length) { memcpy(want.data() + offset, from, length); }
};

// A message that must arrive.
struct Arrival {
	uint32_t length, imm;
	bool has_imm;
};

class Mixed;

// A requester and its responder.
struct Pair {
	Pair(Mixed &t, uint32_t n) : test(t), number(n) {}
	virtual ~Pair() = default;
	virtual void open() = 0;
	virtual bool has(Kind kind) const = 0;
	virtual int post(Kind kind, uint64_t wr_id, uint32_t slot, Wrong wrong) = 0;
	virtual void recover() = 0;
	virtual bool fails_remotely() const = 0;
	void fill();
	void refill();
	void apply(Kind kind, uint32_t slot);
	void model_message(uint32_t length, bool has_imm, uint32_t imm);

	Mixed &test;
	const uint32_t number;
	Block here, there;
	segue_qp *a = nullptr, *b = nullptr;
	segue_srq *srq = nullptr;
	segue_rq *rq = nullptr;
	std::deque<uint64_t> posted; // receives, by their wr_id
	std::deque<Arrival> coming;
	std::function<void()> after; // the model of the request posted last
	uint64_t received = 0;
	uint32_t in_batch = 0;
	std::vector<size_t> unknown; // results `here` of requests that were flushed and may have been carried out
	std::string kinds; // of the batch, for messages
	bool failed = false, datagrams = false;
	bool gathered = false; // its key is in use until the batch has completed
};

class Mixed : public Control {
protected:
	void SetUp() override
	{
		segue_cq_options options = {};

		Control::SetUp();
		options.entries = 16000;
		ASSERT_OK(segue_cq_open(device, &options, &cq));
		random.seed((uint32_t)segue_test_seed());
	}

public:
	uint32_t below(uint32_t limit) { return (uint32_t)(random() % limit); }
	using Control::connect;
	using Control::cq;
	using Control::device;
	using Control::options_for;
	using Control::path_to;
	using Control::pd;
	using Control::share;

	// What the device writes to while it copies is nobody's business.
	uint64_t scratch() const { return ((uintptr_t)scratch_bytes + 63) & ~(uint64_t)63; }
	uint8_t scratch_bytes[4096];
	segue_mr *scratch_mr = nullptr;
	uint32_t scratch_key = 0;

	// What a request should complete with, by its wr_id.
	std::map<uint64_t, uint8_t> pending;
	std::set<uint64_t> silent; // complete if they fail, or are flushed
	std::map<uint64_t, Pair *> receivers;
	std::map<uint8_t, uint64_t> seen; // how often each syndrome
	std::mt19937 random;
	uint64_t next_id = 1;

	void take_receive(const segue_wc &wc)
	{
		const auto owner = receivers.find(wc.wr_id);

		ASSERT_NE(receivers.end(), owner) << "a receive that is not posted: " << wc.wr_id;
		Pair &p = *owner->second;

		receivers.erase(owner);
		ASSERT_FALSE(p.posted.empty());
		EXPECT_EQ(p.posted.front(), wc.wr_id) << "receives in another order";
		p.posted.pop_front();
		if (wc.syndrome)
			return; // flushed with its queue pair
		ASSERT_FALSE(p.coming.empty()) << "a message that nobody has sent, to pair " << p.number;
		EXPECT_EQ(p.coming.front().length + (p.datagrams ? GRH : 0), wc.byte_len);
		EXPECT_EQ(p.coming.front().has_imm, (wc.flags & SEGUE_WC_IMM) != 0);
		if (p.coming.front().has_imm) {
			EXPECT_EQ(p.coming.front().imm, wc.imm);
		}
		p.coming.pop_front();
	}
	void take_one(const segue_wc &wc)
	{
		if (segue_wc_is_receive(&wc)) {
			take_receive(wc);
			return;
		}
		if (wc.syndrome && silent.erase(wc.wr_id))
			return;
		const auto it = pending.find(wc.wr_id);

		ASSERT_NE(pending.end(), it) << "request " << wc.wr_id << " completes twice, or never was";
		if (it->second != wc.syndrome) {
			char text[1024];

			segue_wc_explain(&wc, nullptr, text, sizeof(text));
			ADD_FAILURE() << "request " << wc.wr_id << " should end with " << (int)it->second << ": " << text;
		}
		seen[wc.syndrome]++;
		pending.erase(it);
	}
	static void handler(const segue_wc *wc, void *arg) { static_cast<Mixed *>(arg)->take_one(*wc); }
};

void Pair::fill()
{
	for (Block *block : {&here, &there}) {
		segue_remote remote;

		for (size_t i = 0; i < SIZE; i++)
			block->bytes[i] = (uint8_t)(test.random() & 0xff);
		block->want.assign(block->bytes, block->bytes + SIZE);
		block->mr = test.share(block->bytes, SIZE);
		block->key = segue_mr_lkey(block->mr).lkey;
		EXPECT_OK(segue_mr_remote(block->mr, 0, SIZE, &remote));
		block->rkey = remote.key.rkey;
	}
}

void Pair::refill()
{
	if (!srq && !rq)
		return;
	while (posted.size() < RECEIVES) {
		const uint64_t wr_id = test.next_id++;
		const size_t at = AREA + received++ % RECEIVES * SLOT;

		ASSERT_OK(srq ? segue_post(segue_sge(segue_recv_srq(srq, wr_id), there.at(at), SLOT, there.key))
			      : segue_post(segue_sge(segue_recv_rq(rq, wr_id), there.at(at), SLOT, there.key)));
		posted.push_back(wr_id);
		test.receivers[wr_id] = this;
	}
}

// A message of the first bytes `here` goes to the oldest receive that none has gone to.
void Pair::model_message(uint32_t length, bool has_imm, uint32_t imm)
{
	const size_t at = AREA + (received - posted.size() + coming.size()) % RECEIVES * SLOT;

	after = [this, at, length] {
		there.put(at + (datagrams ? GRH : 0), here.bytes, length);
	};
	coming.push_back({length, imm, has_imm});
}

template <class T> struct PairOf : Pair {
	using Pair::Pair;

	static constexpr bool reliable = T::from != SEGUE_QP_UC && T::from != SEGUE_QP_UD;
	static constexpr bool shared = T::at == SEGUE_QP_XRC_TARGET || T::at == SEGUE_QP_DCT;
	static constexpr bool rc_or_dc = T::from == SEGUE_QP_RC || T::from == SEGUE_QP_DCI;

	bool fails_remotely() const override { return reliable; }
	bool has(Kind kind) const override
	{
		switch (kind) {
		case WRITE:
		case WRITE_IMM:
			return T::from != SEGUE_QP_UD;
		case READ:
		case SWAP:
		case ADD:
			return reliable;
		case MASKED_ADD:
		case COPY:
			return rc_or_dc;
		case GATHER:
			return T::from == SEGUE_QP_RC;
		default:
			return true;
		}
	}

	void open() override
	{
		segue_qp_options options = test.options_for(T::at);

		datagrams = T::from == SEGUE_QP_UD;
		fill();
		if (T::at == SEGUE_QP_XRC_TARGET) {
			ASSERT_OK(segue_xrcd_open(test.device, -1, &options.xrcd));
		}
		if (shared)
			open_shared(options.xrcd);
		if (T::at == SEGUE_QP_DCT) {
			options.recv_cq = test.cq;
			options.srq = srq;
			options.dc_key = DC_KEY;
		}
		ASSERT_OK(segue_qp_open(test.pd, &options, &b));
		options = test.options_for(T::from);
		options.max_wqe_units = 20;
		options.max_inline = 64;
		ASSERT_OK(segue_qp_open(test.pd, &options, &a));
		if (T::from == SEGUE_QP_RC) {
			ASSERT_OK(segue_mkey_open(test.pd, 4, &mkey));
		}
		if (!shared)
			rq = segue_qp_rq(b);
		path = test.path_to(0);
		path.qkey = QKEY;
		if (T::at == SEGUE_QP_UD || T::at == SEGUE_QP_DCT) {
			segue_address *to;

			ASSERT_OK(segue_qp_connect(b, &path));
			ASSERT_OK(segue_qp_connect(a, &path));
			ASSERT_OK(segue_address_open(test.pd, &path, &to));
			peer.ah = segue_address_av(to);
		} else {
			test.connect(a, b);
		}
		peer.number = T::at == SEGUE_QP_XRC_TARGET ? segue_srq_number(srq) : segue_qp_number(b);
		refill();
	}
	void open_shared(segue_xrcd *xrcd)
	{
		segue_srq_options options = {};

		options.max_wr = RECEIVES;
		options.max_sge = 1;
		options.xrcd = xrcd;
		options.cq = xrcd ? test.cq : nullptr;
		ASSERT_OK(segue_srq_open(test.pd, &options, &srq));
	}

	// UC and UD stop before the failed request's successors; the others are connected anew.
	void recover() override
	{
		if (!reliable) {
			segue_qp_info info;

			ASSERT_OK(segue_qp_query(a, &info));
			ASSERT_EQ(SEGUE_QP_STATE_SQE, info.state);
			ASSERT_OK(segue_qp_resume(a));
			return;
		}
		ASSERT_OK(segue_qp_reset(a, Mixed::handler, &test));
		if (T::at == SEGUE_QP_DCT) {
			ASSERT_OK(segue_qp_connect(a, &path));
			return;
		}
		ASSERT_OK(segue_qp_reset(b, Mixed::handler, &test));
		test.connect(a, b);
	}

	template <class B> auto to(B with) { return T::to(peer, with); }

	int post(Kind kind, uint64_t wr_id, uint32_t slot, Wrong wrong) override
	{
		auto *sq = T::sq(a);
		const uint32_t length = 1 + test.below(SLOT - GRH), flags = SEGUE_SIGNALED, imm = (uint32_t)test.random();
		const uint32_t lkey = wrong == LOCAL_KEY ? NOBODYS_KEY : here.key, rkey = wrong == REMOTE_KEY ? NOBODYS_KEY : there.rkey;
		const size_t from = 64 + test.below(AREA - 64 - SLOT), at = 64 + test.below(AREA - 64 - SLOT), word = 8 * test.below(8);
		const size_t result = AREA + slot * SLOT;

		after = nullptr;
		switch (kind) {
		case SEND:
			message(wrong, length, false, 0);
			return segue_post(segue_sge(to(segue_send(sq, wr_id, flags)), here.at(0), length, lkey));
		case SEND_IMM:
			message(wrong, length, true, imm);
			return segue_post(segue_sge(to(segue_send_imm(sq, wr_id, flags, imm)), here.at(0), length, lkey));
		case SEND_INLINE:
			message(NONE, length % 48 + 1, false, 0);
			return segue_post(segue_inline_data(to(segue_send(sq, wr_id, flags)), here.bytes, length % 48 + 1));
		case NOTHING:
			return segue_post(segue_nop(sq, wr_id, flags));
		default:
			return post_memory(kind, {wr_id, length, flags, imm, lkey, rkey, from, at, word, result, wrong});
		}
	}

private:
	struct Plan {
		uint64_t wr_id;
		uint32_t length, flags, imm, lkey, rkey;
		size_t from, at, word, result;
		Wrong wrong;
	};

	void message(Wrong wrong, uint32_t length, bool has_imm, uint32_t imm)
	{
		if (wrong == NONE)
			model_message(length, has_imm, imm);
	}

	int post_memory(Kind kind, const Plan &o)
	{
		if constexpr (T::from != SEGUE_QP_UD) {
			auto *sq = T::sq(a);

			if (kind == WRITE || kind == WRITE_IMM) {
				if (kind == WRITE_IMM && o.wrong == NONE)
					coming.push_back({o.length, o.imm, true});
				after = [this, o] { there.put(o.at, here.bytes + o.from, o.length); };
				if (kind == WRITE)
					return segue_post(segue_sge(segue_raddr(to(segue_rdma_write(sq, o.wr_id, o.flags)), there.at(o.at), o.rkey),
								    here.at(o.from), o.length, o.lkey));
				return segue_post(segue_sge(segue_raddr(to(segue_rdma_write_imm(sq, o.wr_id, o.flags, o.imm)), there.at(o.at), o.rkey),
							    here.at(o.from), o.length, o.lkey));
			}
			if constexpr (reliable)
				return post_answered(kind, o);
		}
		return -ENOTSUP;
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

	// A key of two pieces, and a WRITE out of it.
	int post_gather(const Plan &o)
	{
		const uint32_t first = o.length / 2 + 1;
		const segue_local pieces[2] = {{here.at(o.from), first, {here.key}}, {here.at(0), o.length, {here.key}}};
		segue_umr umr = {};

		umr.wr_id = test.next_id++;
		umr.flags = 0; // only a failure will tell of it
		test.silent.insert(umr.wr_id);
		gathered = true;
		umr.mkey = mkey;
		umr.access = SEGUE_ACCESS_LOCAL_WRITE;
		const int ret = segue_post_mr_list(segue_qp_rc(a), &umr, pieces, 2);

		if (ret)
			return ret;
		after = [this, o, first] {
			there.put(o.at, here.bytes + o.from, first);
			there.put(o.at + first, here.bytes, SLOT / 2 - first < o.length ? SLOT / 2 - first : o.length);
		};
		const uint32_t total = SLOT / 2 - first < o.length ? SLOT / 2 : first + o.length;

		return segue_post(segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc(a), o.wr_id, o.flags | SEGUE_INITIATOR_SMALL_FENCE), there.at(o.at), o.rkey),
					    0, total, o.wrong == LOCAL_KEY ? NOBODYS_KEY : segue_mkey_lkey(mkey).lkey));
	}

	segue_path path = {};
	segue_mkey *mkey = nullptr;
	Peer peer;
};

// ---- batches ----

class MixedRequests : public Mixed {
protected:
	template <class T> void add(uint32_t count)
	{
		for (uint32_t i = 0; i < count; i++)
			pairs.emplace_back(new PairOf<T>(*this, (uint32_t)pairs.size()));
	}
	void TearDown() override
	{
		Mixed::TearDown();
		pairs.clear();
	}

	void post_one(Pair &p)
	{
		const bool messages_fit = p.coming.size() < p.posted.size();
		Kind kind;

		do
			kind = (Kind)below(KINDS);
		while (!p.has(kind) || (kind == GATHER && p.gathered) || (!messages_fit && (kind <= SEND_INLINE || kind == WRITE_IMM)));
		const Wrong wrong = p.failed || below(300) ? NONE : wrong_of(p, kind);
		const uint64_t wr_id = next_id++;
		const size_t coming = p.coming.size();

		p.kinds += " " + std::to_string(kind) + (wrong == NONE ? "" : "!");
		ASSERT_OK(p.post(kind, wr_id, p.in_batch++, wrong));
		if (p.failed) {
			pending[wr_id] = SEGUE_CQE_SYNDROME_WR_FLUSH_ERR;
			p.coming.resize(coming);
			if (kind == COPY) // nobody but this side takes part in it: it may have been faster than the refusal
				p.unknown.push_back(AREA + (p.in_batch - 1) * SLOT);
		} else {
			pending[wr_id] = wrong == NONE ? 0 : wrong == LOCAL_KEY ? SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR : SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR;
			if (wrong == NONE && p.after)
				p.after();
			p.failed = wrong != NONE;
		}
	}
	// Only what is found before anything is sent, or by the responder: what is behind it is not carried out then.
	Wrong wrong_of(const Pair &p, Kind kind)
	{
		if (kind == SEND || kind == SEND_IMM)
			return LOCAL_KEY;
		if (kind == WRITE || kind == WRITE_IMM)
			return p.fails_remotely() && below(2) ? REMOTE_KEY : LOCAL_KEY;
		if (kind == READ || kind == ADD)
			return REMOTE_KEY;
		return NONE;
	}

	bool all_here()
	{
		if (!pending.empty())
			return false;
		for (const auto &p : pairs)
			if (!p->coming.empty())
				return false;
		return true;
	}
	void complete()
	{
		const segue_deadline deadline = segue_deadline_in_ms(30000);

		while (!all_here() && segue_deadline_left_ms(deadline) > 0)
			ASSERT_LE(0, segue_cq_poll(cq, 64, handler, static_cast<Mixed *>(this))) << segue_errmsg();
		ASSERT_TRUE(pending.empty()) << pending.size() << " requests are lost, the first is " << pending.begin()->first;
		ASSERT_TRUE(all_here()) << "a message is lost";
		silent.clear();
	}
	// A WRITE over UC is there when it is: nothing tells.
	void compare(Pair &p)
	{
		const segue_deadline deadline = segue_deadline_in_ms(10000);

		// What is in front of a datagram is the device's, or undefined.
		for (uint32_t i = 0; p.datagrams && i < RECEIVES; i++)
			p.there.put(AREA + i * SLOT, p.there.bytes + AREA + i * SLOT, GRH);
		for (const size_t at : p.unknown)
			p.here.put(at, p.here.bytes + at, SLOT);
		p.unknown.clear();
		for (const Block *block : {&p.here, &p.there}) {
			while (memcmp(block->bytes, block->want.data(), SIZE) && segue_deadline_left_ms(deadline) > 0)
				ASSERT_LE(0, segue_cq_poll(cq, 1, handler, static_cast<Mixed *>(this)));
			const size_t at = (size_t)(std::mismatch(block->bytes, block->bytes + SIZE, block->want.begin()).first - block->bytes);

			ASSERT_EQ(SIZE, at) << (block == &p.here ? "here" : "there") << " of pair " << p.number << " after requests of kinds" << p.kinds;
		}
	}

	std::vector<std::unique_ptr<Pair>> pairs;
};

TEST_F(MixedRequests, OnSixtyFourQueuePairs)
{
	const char *const given = getenv("SEGUE_TEST_OPS");
	const uint64_t wanted = given ? strtoull(given, nullptr, 0) : 20000;
	uint64_t done = 0, recovered = 0;

	add<Rc>(8);
	add<Uc>(6);
	add<Ud>(6);
	add<Xrc>(6);
	add<Dc>(6);
	scratch_mr = share(scratch_bytes, sizeof(scratch_bytes));
	scratch_key = segue_mr_lkey(scratch_mr).lkey;
	for (const auto &p : pairs)
		ASSERT_NO_FATAL_FAILURE(p->open());
	while (done < wanted && !HasFailure()) {
		for (uint32_t i = 0; i < pairs.size() * BATCH / 2; i++) {
			Pair &p = *pairs[below((uint32_t)pairs.size())];

			if (p.in_batch == BATCH)
				continue;
			ASSERT_NO_FATAL_FAILURE(post_one(p));
			done++;
		}
		ASSERT_NO_FATAL_FAILURE(complete());
		for (const auto &p : pairs) {
			if (p->failed) {
				ASSERT_NO_FATAL_FAILURE(p->recover());
				recovered++;
			}
			ASSERT_NO_FATAL_FAILURE(compare(*p));
			ASSERT_NO_FATAL_FAILURE(p->refill());
			p->failed = false;
			p->in_batch = 0;
			p->kinds.clear();
			p->gathered = false;
		}
	}
	printf("%llu requests, %llu recoveries; completions by syndrome:", (unsigned long long)done, (unsigned long long)recovered);
	for (const auto &s : seen)
		printf(" 0x%02x %llu", s.first, (unsigned long long)s.second);
	printf("\n");
	EXPECT_LT(0u, recovered) << "nothing has failed, so nothing was flushed";
}

} // namespace
} // namespace requests

int main(int argc, char **argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
