// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/mixed/mixed.h"

#include <algorithm>

#include "segue/mkey.h"
#include "tests/seed/seed.h"

namespace requests {

void Mixed::SetUp()
{
	Control::SetUp();
	cq = open_cq(16000);
	spare_cq = open_cq(4000);
	bell_cq = open_cq(64);
	poll_also(cq);
	poll_also(bell_cq);
	random.seed((uint32_t)segue_test_seed());
	faults = getenv("SEGUE_TEST_FAULTS") != nullptr;
	besides_key = segue_mr_lkey(share(&besides, sizeof(besides))).lkey;
	ASSERT_NO_FATAL_FAILURE(open_besides());
}

// Queue pairs that only serve the others.
void Mixed::open_besides()
{
	segue_qp_options options = options_for(SEGUE_QP_RC);

	options.max_wqe_units = 20;
	options.max_send_wr = 64;
	options.cross_channel = true;
	maker = open_qp(options);
	join(maker, open(SEGUE_QP_RC));
	covered.add("rc", &segue_qp_rc_sq(maker)->sq);
	options = options_for(SEGUE_QP_UC);
	options.send_cq = bell_cq;
	bell = open_qp(options);
	join(bell, open(SEGUE_QP_UC));
	options.send_cq = cq;
	options.max_send_wr = 64; // one of each pair in a batch
	options.managed_send = true;
	gate = open_qp(options);
	join(gate, open(SEGUE_QP_UC));
}

segue_qp *Mixed::open_qp(const segue_qp_options &options)
{
	segue_qp *qp = nullptr;

	EXPECT_OK(segue_qp_open(pd, &options, &qp));
	return qp;
}

segue_seg_wait_cq Mixed::next_bell()
{
	segue_seg_wait_cq bell = {};

	rings = true;
	bell.cqn = segue_cq_number(bell_cq);
	bell.max_index = (bells + 1) & 0xffffff;
	return bell;
}

segue_seg_send_en Mixed::next_gate()
{
	segue_seg_send_en behind = {};

	gated = true;
	pending[next_id] = {};
	EXPECT_OK(segue_post(segue_nop(segue_qp_uc_sq(gate), next_id++, SEGUE_SIGNALED)));
	behind.max_index = segue_qp_send_index(gate);
	behind.qpn = segue_qp_number(gate);
	return behind;
}

void Mixed::release()
{
	for (const auto &w : words)
		__atomic_store_n(&besides.words[w.first], segue_be64(w.second), __ATOMIC_RELEASE);
	words.clear();
	if (gated) {
		gated = false;
		pending[next_id] = {};
		ASSERT_OK(segue_post(segue_send_en_index(
			segue_send_en(segue_qp_rc_sq(maker), next_id++, SEGUE_SIGNALED),
			segue_qp_send_index(gate), segue_qp_number(gate))));
	}
	if (!rings)
		return;
	rings = false;
	bells++;
	pending[next_id] = {};
	ASSERT_OK(segue_post(segue_nop(segue_qp_uc_sq(bell), next_id++, SEGUE_SIGNALED)));
}

void Mixed::make_key(segue_mkey *mkey, const segue_local_buf (&pieces)[2])
{
	const uint32_t key = segue_mkey_lkey(mkey).lkey;
	segue_seg_mkey_context context = {};
	segue_seg_klm klms[2];

	for (int i = 0; i < 2; i++)
		klms[i] = {pieces[i].length, pieces[i].key.lkey, pieces[i].addr};
	context.qpn = 0xffffff;
	context.mkey_7_0 = (uint8_t)key;
	context.access_flags = SEGUE_MKEY_ACCESS_LOCAL_WRITE | SEGUE_MKEY_ACCESS_REMOTE_WRITE;
	context.len = pieces[0].length + pieces[1].length;
	context.en_rinval = 1;
	pending[next_id] = {};
	ASSERT_OK(segue_post(segue_klm_list(
		segue_mkey_context(segue_umr_ctrl(segue_umr_list(segue_qp_rc_sq(maker), next_id++,
								 SEGUE_SIGNALED, key),
						  0, 4,
						  SEGUE_MKEY_MASK_FREE | SEGUE_MKEY_MASK_MKEY |
							  SEGUE_MKEY_MASK_LEN |
							  SEGUE_MKEY_MASK_EN_RINVAL |
							  SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE |
							  SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE),
				   &context),
		klms, 2)));
	covered.look();
}

segue_cq *Mixed::open_cq(uint32_t entries)
{
	segue_cq_options options = {};
	segue_cq *opened = nullptr;

	options.entries = entries;
	EXPECT_OK(segue_cq_open(device, &options, &opened));
	return opened;
}

void Mixed::join(segue_qp *a, segue_qp *b)
{
	segue_path to_b = path_to(segue_qp_number(b)), to_a = path_to(segue_qp_number(a));

	to_a.mtu = to_b.mtu = MTU;
	fresh_psns(&to_b, &to_a);
	ASSERT_OK(segue_qp_connect(a, &to_b));
	ASSERT_OK(segue_qp_connect(b, &to_a));
}

bool Mixed::on_roce()
{
	return path_to(0).link == SEGUE_LINK_ROCE;
}

void Mixed::poll()
{
	int sum = 0;

	for (segue_cq *one : polled) {
		const int n = segue_cq_poll_each(one, 64, handler, this);

		ASSERT_LE(0, n) << segue_errmsg();
		sum += n;
	}
	found(sum);
}

void Mixed::complete()
{
	const segue_deadline deadline = segue_deadline_in_ms(60000);

	while (!pending.empty() && segue_deadline_left_ms(deadline) > 0)
		ASSERT_NO_FATAL_FAILURE(poll());
	ASSERT_TRUE(pending.empty())
		<< pending.size() << " requests are lost, the first is " << pending.begin()->first;
}

void Mixed::take_one(const segue_wc &wc)
{
	char text[1024] = "";

	if (wc.syndrome == SEGUE_WC_SIGNATURE_ERR) {
		segue_sig_err_cqe error;

		ASSERT_TRUE(segue_sig_err_cqe_unpack(&error, wc.cqe));
		ASSERT_TRUE(signatures.count(error.mkey))
			<< "a signature is wrong of key " << error.mkey << ", which signs nothing";
		signatures[error.mkey](error);
		seen[wc.syndrome]++;
		return;
	}
	if (wc.flags & SEGUE_WC_TAG && static_cast<Pair *>(wc.context)->takes_tags(wc))
		return;
	if (segue_wc_is_receive(&wc)) {
		const auto owner = receivers.find(wc.wr_id);

		ASSERT_NE(receivers.end(), owner) << "a receive that is not posted: " << wc.wr_id;
		Pair *const pair = owner->second;

		receivers.erase(owner);
		pair->take_receive(wc);
		return;
	}
	if (wc.syndrome && silent.erase(wc.wr_id))
		return;
	const auto it = pending.find(wc.wr_id);

	ASSERT_NE(pending.end(), it) << "request " << wc.wr_id << " completes twice, or never was";
	if (wc.syndrome)
		segue_wc_explain(&wc, nullptr, text, sizeof(text));
	if (wc.syndrome == SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR && it->second.pair &&
	    it->second.pair->unanswered(wc.wr_id))
		it->second.syndrome = wc.syndrome;
	EXPECT_TRUE(it->second.syndrome == wc.syndrome || (it->second.or_done && !wc.syndrome))
		<< "request " << wc.wr_id << ", expected syndrome " << (int)it->second.syndrome
		<< ": " << text;
	if (wc.syndrome && wc.syndrome != SEGUE_CQE_SYNDROME_WR_FLUSH_ERR) {
		EXPECT_NE(nullptr, strstr(text, "Next: "))
			<< "a refusal that is not explained: " << text;
	}
	seen[wc.syndrome]++;
	pending.erase(it);
}

// ---- a pair ----

/*
 * The responder has refused a request and is in ERR: it answers nothing any more. If its refusal is
 * lost, or an answer that it gave before, that request runs out of retries, and those behind it are
 * flushed. All of them were carried out up to the refused one; results may not have come.
 */
bool Pair::unanswered(uint64_t wr_id)
{
	const uint16_t of = test.pending[wr_id].line;
	const Wrong wrong = lines[of].wrong;

	if (!test.faults || (wrong != REMOTE_KEY && wrong != MISALIGNED && wrong != TOO_LONG))
		return false;
	for (auto &p : test.pending)
		if (p.second.pair == this && p.second.line == of && p.first > wr_id)
			p.second.syndrome = SEGUE_CQE_SYNDROME_WR_FLUSH_ERR;
	for (uint32_t slot = 0; slot < BATCH; slot++)
		unknown.push_back(AREA + slot * SLOT);
	test.unanswered++;
	return true;
}

void Pair::fill()
{
	for (Block *block : {&here, &there}) {
		segue_remote_buf remote;

		for (size_t i = 0; i < SIZE; i++)
			block->bytes[i] = (uint8_t)(test.random() & 0xff);
		block->want.assign(block->bytes, block->bytes + SIZE);
		block->mr = test.share(block->bytes, SIZE);
		block->key = segue_mr_lkey(block->mr).lkey;
		EXPECT_OK(segue_mr_remote_buf(block->mr, 0, SIZE, &remote));
		block->rkey = remote.key.rkey;
	}
}

void Pair::refill()
{
	while (posted.size() < RECEIVES) {
		const Receive receive = {test.next_id++, AREA + received++ % RECEIVES * SLOT};

		ASSERT_OK(post_receive(receive));
		posted.push_back(receive);
		test.receivers[receive.wr_id] = this;
	}
}

std::vector<uint8_t> Pair::stamped(uint32_t slot, uint32_t length)
{
	const size_t at = MESSAGES + slot * SLOT;
	uint8_t bytes[8];

	stamp++;
	for (uint32_t i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(stamp >> 8 * i);
	if (length > stamp_at)
		here.store(at + stamp_at, bytes, std::min<size_t>(8, length - stamp_at));
	return {here.bytes + at, here.bytes + at + length};
}

bool Pair::may_lose() const
{
	return !reliable && test.faults;
}

bool Pair::broken() const
{
	return std::any_of(lines, lines + streams, [](const Line &l) { return l.failed; });
}

void Pair::expect(Message message)
{
	message.stamp = message.stamp ? message.stamp : stamp;
	message.line = current;
	coming.push_back(std::move(message));
}

// Receives are taken in their order. They end in it too, unless messages of several streams come at
// the same time.
Receive Pair::taken(uint64_t wr_id)
{
	const auto it = std::find_if(posted.begin(), posted.end(),
				     [=](const Receive &r) { return r.wr_id == wr_id; });
	const Receive receive = it == posted.end() ? Receive{0, AREA} : *it;

	EXPECT_NE(posted.end(), it) << "a receive that is not posted: " << wr_id;
	EXPECT_TRUE(it == posted.begin() || streams > 1) << "receives in another order";
	if (it != posted.end())
		posted.erase(it);
	return receive;
}

/*
 * A message has come. Of those that were sent before it on an unreliable queue pair none can come
 * any more, so they are lost. Which one it is says its stamp, or its immediate where there are no
 * data.
 */
void Pair::take_receive(const segue_wc &wc)
{
	const Receive receive = taken(wc.wr_id);

	if (wc.syndrome) { // flushed with its queue pair, or what was sent did not fit
		EXPECT_TRUE(line().failed)
			<< "a receive of pair " << number << " fails with " << (int)wc.syndrome;
		EXPECT_TRUE(wc.syndrome == SEGUE_CQE_SYNDROME_WR_FLUSH_ERR ||
			    (line().wrong == TOO_LONG &&
			     wc.syndrome == SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR) ||
			    (line().wrong == REMOTE_KEY && // of a WRITE with immediate
			     wc.syndrome == SEGUE_CQE_SYNDROME_LOCAL_ACCESS_ERR))
			<< (int)wc.syndrome;
		return;
	}
	const uint8_t *const data = there.bytes + receive.at + in_front;
	const auto is_it = [&](const Message &m) {
		return !m.plain_write &&
		       wc.byte_len == m.bytes.size() + (m.in_receive ? in_front : 0) &&
		       (wc.flags & (SEGUE_WC_IMM | SEGUE_WC_INVALIDATED)) == m.flags &&
		       (!m.flags || m.imm == wc.imm) &&
		       (m.modelled || !memcmp(m.in_receive ? data : there.bytes + m.at,
					      m.bytes.data(), m.bytes.size()));
	};
	const auto it = std::find_if(coming.begin(), coming.end(), is_it);

	ASSERT_NE(coming.end(), it)
		<< "a message that nobody has sent, to pair " << number << ", after" << kinds;
	const Message message = *it;

	for (auto m = coming.begin(); m != it; ++m) {
		if (m->line != message.line)
			continue; // of another stream
		if (m->plain_write) {
			doubtful.push_back(*m);
			continue;
		}
		ASSERT_TRUE(may_lose())
			<< "a message is lost on the way to pair " << number << ", after" << kinds;
		lost++;
		forgiving = forgiving || (in_packets && m->bytes.size() > MTU);
		if (!m->in_receive)
			doubtful.push_back(*m);
	}
	if (!message.modelled)
		there.put(message.in_receive ? receive.at + in_front : message.at,
			  message.bytes.data(), message.bytes.size());
	settled = settled || (mark_from && message.stamp >= mark_from);
	coming.erase(std::remove_if(coming.begin(), it,
				    [&](const Message &m) { return m.line == message.line; }),
		     it + 1);
}

// Where what was posted behind a failed request was flushed.
void Pair::resume()
{
	segue_qp_info info;

	ASSERT_OK(segue_qp_query(a, &info));
	ASSERT_EQ(SEGUE_QP_STATE_SQE, info.state);
	ASSERT_OK(segue_qp_resume(a));
}

// A message that says, when it arrives, that nothing before it is under way.
void Pair::mark()
{
	const uint64_t wr_id = test.next_id++;

	refill();
	if (!fits())
		return; // its predecessors have not been told of yet
	if (settled)
		mark_from = stamp + 1;
	settled = false;
	ASSERT_OK(post(SEND, wr_id, BATCH, NONE));
	if (after)
		after();
	test.pending[wr_id] = {};
}

// Of a WRITE that was lost there may be its beginning, packet by packet; they are to different
// places.
void Pair::settle_writes()
{
	for (const Message &m : doubtful) {
		const size_t packets = (m.bytes.size() + MTU - 1) / MTU,
			     most = m.plain_write ? packets : packets - 1;
		const auto arrived_are = [&](size_t k) {
			const size_t length = std::min<size_t>(k * MTU, m.bytes.size());

			return !memcmp(there.bytes + m.at, m.bytes.data(), length) &&
			       !memcmp(there.bytes + m.at + length,
				       there.want.data() + m.at + length, m.bytes.size() - length);
		};
		size_t arrived = most;

		while (arrived && !arrived_are(arrived))
			arrived--;
		ASSERT_TRUE(arrived_are(arrived))
			<< "a WRITE of pair " << number
			<< " has arrived in part, and not from its beginning, after" << kinds;
		there.put(m.at, m.bytes.data(), std::min<size_t>(arrived * MTU, m.bytes.size()));
		if (arrived == packets)
			continue;
		ASSERT_TRUE(may_lose())
			<< "a WRITE is lost on the way to pair " << number << ", after" << kinds;
		lost += m.plain_write;
	}
	doubtful.clear();
}

void Pair::compare()
{
	// What is in front of a datagram is the device's, or undefined.
	for (uint32_t i = 0; in_front && i < RECEIVES; i++)
		there.forgive(AREA + i * SLOT, in_front);
	if (forgiving || line().wrong == TOO_LONG)
		there.forgive(AREA, RECEIVES * SLOT);
	// what ended a batch, and came late
	for (size_t i = 0; !coming.empty() && i <= coming.size() && i < posted.size(); i++)
		there.forgive(posted[i].at, SLOT);
	for (const size_t at : unknown)
		here.forgive(at, SLOT);
	for (const Block *block : {&here, &there}) {
		const size_t at = first_difference(block->bytes, block->want.data(), SIZE);

		ASSERT_EQ(SIZE, at) << (block == &here ? "here" : "there") << " of pair " << number
				    << " after requests of kinds" << kinds;
	}
	unknown.clear();
	kinds.clear();
	in_batch = current = 0;
	std::fill(lines, lines + STREAMS, Line());
	gathered = waited = forgiving = has_read = false;
}

} // namespace requests
