// SPDX-License-Identifier: BSD-2-Clause
/*
 * Requests of many kinds on queue pairs of all types at once, and the model of what they do. A pair
 * is a requester and its responder; each has a file for what is particular about it.
 *
 * What is reliable happens in the order in which it was posted, and the model has done it already.
 * What is not (UC, UD, frames) is modelled when it arrives: a message says by its stamp which one
 * it is, those before it are lost, and a message at the end of each batch, repeated until one
 * arrives, tells that nothing is under way any more.
 */
#ifndef SEGUE_TESTS_REQUESTS_MIXED_H
#define SEGUE_TESTS_REQUESTS_MIXED_H

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "segue/explain.h"
#include "segue/mkey.h"
#include "tests/requests/difference.h"
#include "tests/requests/mixed/coverage.h"
#include "tests/requests/transports.h"

namespace requests {

constexpr uint32_t BATCH = 6, RECEIVES = 8, SLOT = 1024, GRH = 40, MTU = 256;
constexpr uint32_t NOBODYS_KEY = 0xdead00;
/*
 * Of either memory: what requests take from `here` or change `there`; then a slot for each result
 * or receive; then one for each message that is sent.
 */
constexpr size_t AREA = BATCH * SLOT, MESSAGES = AREA + RECEIVES * SLOT,
		 SIZE = MESSAGES + (BATCH + 1) * SLOT;

constexpr uint16_t STREAMS = 4;

// Some take a form at random: inline, in two pieces, or plain; masked or not; by a list, in turn,
// or by a list in memory.
enum Kind {
	SEND,
	SEND_IMM,
	SEND_INV,
	WRITE_IMM,
	FORWARD, // so far those that take a receive
	WRITE,
	READ,
	SWAP,
	ADD,
	MASKED,
	COPY,
	TRANSPOSE,
	GATHER,
	THROUGH_KEY,
	THROUGH_WINDOW,
	LEND, // windows that the requester binds itself
	STORE, // through a key with signatures, encryption or both
	FETCH,
	VALUE,
	CUT, // a message that becomes several frames
	WAIT,
	NOTHING,
	KINDS
};
enum Wrong { NONE, LOCAL_KEY, REMOTE_KEY, MISALIGNED, TOO_LONG, NO_RIGHT };

// Nobody but this side takes part in it: behind a request that a peer refuses, it may have been
// faster than the refusal.
inline bool is_local(Kind kind)
{
	return kind == COPY || kind == TRANSPOSE || kind == WAIT || kind == NOTHING;
}

struct Block {
	alignas(64) uint8_t bytes[SIZE];
	std::vector<uint8_t> want;
	segue_mr *mr = nullptr;
	uint32_t key = 0, rkey = 0;

	uint64_t at(size_t offset) const { return (uintptr_t)bytes + offset; }
	void put(size_t offset, const void *from, size_t length)
	{
		std::copy_n((const uint8_t *)from, length, want.data() + offset);
	}
	void store(size_t offset, const void *from, size_t length) // the test itself writes
	{
		put(offset, from, length);
		memcpy(bytes + offset, from, length);
	}
	// What it holds is not known, so it is right.
	void forgive(size_t offset, size_t length) { put(offset, bytes + offset, length); }
};

// A message that should arrive; a plain WRITE, of which nothing tells, if it has no receive.
struct Message {
	uint64_t stamp;
	std::vector<uint8_t> bytes;
	bool in_receive; // its data go to the receive, else to `at`
	size_t at;
	uint8_t flags; // enum segue_wc_flags
	uint32_t imm;
	bool plain_write;
	bool modelled; // what it does is in the model already
	uint16_t line = 0;
};

struct Receive {
	uint64_t wr_id;
	size_t at;
};

class Mixed;
struct Pair;

// What a request should complete with.
struct Ending {
	uint8_t syndrome = 0;
	Pair *pair = nullptr; // whose it is, if it is one of the batch's
	uint16_t line = 0;
	bool or_done = false; // it may have been carried out, too
};

// What keeps its order: all of a queue pair, or one of its streams.
struct Line {
	bool failed = false;
	Wrong wrong = NONE; // of the batch
};

// A requester and its responder.
struct Pair {
	Pair(Mixed &t, uint32_t n) : test(t), number(n) {}
	virtual ~Pair() = default;
	virtual void open() = 0;
	virtual void close() {} // what nobody closes with the device
	virtual bool has(Kind kind) const = 0;
	virtual int post(Kind kind, uint64_t wr_id, uint32_t slot, Wrong wrong) = 0;
	virtual int post_receive(const Receive &receive) = 0;
	virtual void recover() = 0;
	virtual Wrong wrong_of(Kind kind) = 0;
	virtual void prepare() {}	    // before a batch; all of the last one has completed
	virtual void finish() {}	    // behind it
	virtual void take_receive(const segue_wc &wc);
	virtual bool takes_tags(const segue_wc &) { return false; }
	// one more message finds a receive
	virtual bool fits() const { return coming.size() < posted.size(); }

	void fill();
	void refill();
	// A message of that slot, stamped: what it will hold.
	std::vector<uint8_t> stamped(uint32_t slot, uint32_t length);
	void expect(Message message);
	void mark();
	void resume();
	void settle_writes();
	bool unanswered(uint64_t wr_id);
	void compare();
	bool may_lose() const;
	bool broken() const; // a line has failed
	Line &line() { return lines[current]; }
	const Line &line() const { return lines[current]; }
	Receive taken(uint64_t wr_id);

	Mixed &test;
	const uint32_t number;
	Block here, there;
	segue_qp *a = nullptr, *b = nullptr;
	std::deque<Receive> posted;
	std::deque<Message> coming;
	// WRITEs of which nobody knows yet whether they have arrived
	std::vector<Message> doubtful;
	// the model of what was posted together with the request posted last, and in front of it
	std::function<void()> before;
	std::function<void()> after;	    // the model of that request
	uint64_t received = 0, stamp = 0;
	uint32_t in_batch = 0;
	// results `here` of requests that were flushed and may have been carried out
	std::vector<size_t> unknown;
	std::string kinds;	     // of the batch, for messages
	uint64_t mark_from = 0;	     // stamp of the first message that ends the batch
	uint64_t lost = 0;
	Line lines[STREAMS];
	uint16_t streams = 1, current = 0; // lines that there are, that of the request posted last
	uint32_t in_front = 0;	     // bytes that the device puts in front of a message
	uint32_t stamp_at = 0;	     // where the stamp is in a message
	uint32_t shortest = 1, longest = SLOT - GRH;
	// in_packets: of what is lost the beginning may arrive
	bool reliable = true, in_packets = false;
	bool settled = true;
	// in the batch: a READ whose answer gets lost reads again, so what changes that memory
	// later waits for it
	bool has_read = false;
	bool gathered = false; // its key is in use until the batch has completed
	bool waited = false;   // the word that it waits for, likewise
	bool enables = false;  // its queue may let others go on
	bool forgiving = false; // a message that was lost may have left its beginning in a receive
};

class Mixed : public Control {
protected:
	void SetUp() override;

public:
	uint32_t below(uint32_t limit) { return (uint32_t)(random() % limit); }
	using Control::connect;
	using Control::cq;
	using Control::device;
	using Control::options_for;
	using Control::path_to;
	using Control::pd;
	using Control::share;

	segue_cq *open_cq(uint32_t entries);
	segue_qp *open_qp(const segue_qp_options &options);
	// Connects them with packets so small that most messages are several.
	void join(segue_qp *a, segue_qp *b);
	bool on_roce();
	void poll_also(segue_cq *besides) { polled.push_back(besides); }
	void poll();
	// Until every request has completed.
	void complete();
	void take_one(const segue_wc &wc);
	static void handler(const segue_wc *wc, void *arg) noexcept
	{
		static_cast<Mixed *>(arg)->take_one(*wc);
	}

	// Where a pair's word is, which it waits for, and what lets all go on that wait: once in a
	// batch, when all of it is posted.
	uint64_t word_at(const Pair &pair) const { return (uintptr_t)&besides.words[pair.number]; }
	void later(const Pair &pair, uint64_t word) { words[pair.number] = word; }
	// A completion queue, and how many completions it will have had.
	segue_seg_wait_cq next_bell();
	// A managed queue that has one more request, and the index behind it.
	segue_seg_send_en next_gate();
	void release();

	// Makes a key, which peers may invalidate, of two pieces.
	void make_key(segue_mkey *mkey, const segue_local_buf (&pieces)[2]);

	// Memory for other things than data. What the device writes to while it copies is nobody's
	// business; a list stands at a multiple of 2 KiB.
	struct alignas(4096) Besides {
		uint8_t scratch[4096];
		uint8_t lists[40][2048];
		uint64_t words[40];
	};
	std::unique_ptr<Besides> besides_at{new Besides()};
	Besides &besides = *besides_at;
	uint32_t besides_key = 0;
	uint64_t scratch() const { return (uintptr_t)besides.scratch; }

	Covered covered;
	// who hears of signatures that do not fit, by the key
	std::map<uint32_t, std::function<void(const segue_sig_err_cqe &)>> signatures;
	std::map<uint64_t, Ending> pending; // by their wr_id
	std::set<uint64_t> silent; // complete if they fail, or are flushed
	std::map<uint64_t, Pair *> receivers;
	std::map<uint8_t, uint64_t> seen; // how often each syndrome
	std::mt19937 random;
	uint64_t next_id = 1;
	bool faults = false; // packets are lost
	uint64_t unanswered = 0;
	segue_cq *spare_cq = nullptr; // of those who receive nothing

private:
	void open_besides();

	std::vector<segue_cq *> polled;
	std::map<uint32_t, uint64_t> words; // to be stored, by the number of their pairs
	segue_qp *maker = nullptr, *bell = nullptr, *gate = nullptr;
	segue_cq *bell_cq = nullptr;
	uint32_t bells = 0;
	bool rings = false; // somebody waits for the next one
	// the gate has requests, which somebody is to let go, unless he fails before
	bool gated = false;
};

// Each makes a pair of its kind, not open yet.
using Maker = std::unique_ptr<Pair> (*)(Mixed &, uint32_t);
std::unique_ptr<Pair> make_tagged(Mixed &, uint32_t);
std::unique_ptr<Pair> make_window(Mixed &, uint32_t);
std::unique_ptr<Pair> make_uc_window(Mixed &, uint32_t);
std::unique_ptr<Pair> make_chain(Mixed &, uint32_t);
std::unique_ptr<Pair> make_protected(Mixed &, uint32_t);
std::unique_ptr<Pair> make_streams(Mixed &, uint32_t);
std::unique_ptr<Pair> make_frames(Mixed &, uint32_t);
std::unique_ptr<Pair> make_strides(Mixed &, uint32_t);

} // namespace requests

#endif
