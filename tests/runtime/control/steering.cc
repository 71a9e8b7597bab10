// SPDX-License-Identifier: BSD-2-Clause
// Which frames come where: flow rules, and spreading over several queues.
#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "segue/detail/bytes.h"
#include "segue/raw_packet.h"
#include "tests/runtime/control/fixture.h"

namespace {

using Bytes = std::vector<uint8_t>;

// What a frame says in its headers.
struct Frame {
	uint8_t dst = 0x55, src = 2; // last bytes of the Ethernet addresses
	uint16_t vlan = 0, ethertype = 0x88b5;
	int ip = 0;
	Bytes from, to;
	uint8_t protocol = 0;
	uint16_t sport = 0, dport = 0;

	Bytes bytes(uint8_t number) const
	{
		Bytes f = {0x02, 0x11, 0x22, 0x33, 0x44, dst, 0x02, 0, 0, 0, 0, src};

		if (vlan)
			add(f, {0x81, 0, (uint8_t)(0x60 | vlan >> 8), (uint8_t)vlan});
		add16(f, ip == 4 ? 0x0800 : ip == 6 ? 0x86dd : ethertype);
		if (ip == 4)
			add(f, {0x45, 0, 0, 60, 0, 0, 0x40, 0, 64, protocol, 0, 0});
		if (ip == 6)
			add(f, {0x60, 0, 0, 0, 0, 40, protocol, 64});
		add(f, from);
		add(f, to);
		if (protocol) {
			add16(f, sport);
			add16(f, dport);
			add(f, protocol == IPPROTO_UDP ? Bytes{0, 40, 0, 0}
						       : Bytes{0, 0, 0, 1, 0, 0, 0, 0, 0x50, 0x10,
							       0, 0, 0, 0, 0, 0});
		}
		f.resize(100);
		f[99] = number;
		return f;
	}

private:
  static void add(Bytes &to, const Bytes &more)
  {
	  to.insert(to.end(), more.begin(), more.end());
  }
  static void add16(Bytes &to, uint16_t value)
  {
	  add(to, {(uint8_t)(value >> 8), (uint8_t)value});
  }
};

Frame ipv4(const char *from, const char *to, uint8_t protocol = 0, uint16_t sport = 0,
	   uint16_t dport = 0)
{
	Frame f;

	f.ip = 4;
	f.from.resize(4);
	f.to.resize(4);
	EXPECT_EQ(1, inet_pton(AF_INET, from, f.from.data()));
	EXPECT_EQ(1, inet_pton(AF_INET, to, f.to.data()));
	f.protocol = protocol;
	f.sport = sport;
	f.dport = dport;
	return f;
}

Frame ipv6(const char *from, const char *to, uint8_t protocol = 0, uint16_t sport = 0,
	   uint16_t dport = 0)
{
	Frame f = ipv4("0.0.0.0", "0.0.0.0", protocol, sport, dport);

	f.ip = 6;
	f.from.resize(16);
	f.to.resize(16);
	EXPECT_EQ(1, inet_pton(AF_INET6, from, f.from.data()));
	EXPECT_EQ(1, inet_pton(AF_INET6, to, f.to.data()));
	return f;
}

Frame ethernet(uint8_t dst, uint8_t src = 2, uint16_t ethertype = 0x88b5, uint16_t vlan = 0)
{
	Frame f;

	f.dst = dst;
	f.src = src;
	f.ethertype = ethertype;
	f.vlan = vlan;
	return f;
}

segue_flow_rule to_mac(uint8_t last)
{
	segue_flow_rule rule = {};
	const uint8_t mac[6] = {0x02, 0x11, 0x22, 0x33, 0x44, last};

	rule.port = 1;
	memcpy(rule.dst_mac, mac, sizeof(mac));
	return rule;
}

class Steering : public Control {
protected:
	static constexpr size_t SLOT = 512, SLOTS = 128;

	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(Control::SetUp());
		mr = share(memory, sizeof(memory));
		sender = open_raw(open_cq());
	}

	segue_cq *open_cq()
	{
		segue_cq_options options = {};
		segue_cq *made = nullptr;

		options.entries = 256;
		EXPECT_OK(segue_cq_open(device, &options, &made));
		return made;
	}

	// A queue pair whose frames complete there, with some receives.
	segue_qp *open_raw(segue_cq *recv_cq)
	{
		segue_qp_options options = options_for(SEGUE_QP_RAW_PACKET);
		const segue_path path = path_to(0);
		segue_qp *qp = nullptr;

		options.recv_cq = recv_cq;
		options.max_recv_wr = 64;
		options.max_recv_sge = 1;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		EXPECT_OK(segue_qp_connect(qp, &path));
		for (int i = 0; i < 8; i++)
			post(segue_qp_rq(qp));
		return qp;
	}

	void post(segue_rq *rq)
	{
		const uint64_t slot = 1 + next++ % (SLOTS - 1);

		EXPECT_OK(segue_post(segue_sge(segue_recv(rq, slot), (uintptr_t)memory[slot], SLOT,
					       segue_mr_lkey(mr).lkey)));
	}

	void send(const Frame &frame, uint8_t number)
	{
		const Bytes bytes = frame.bytes(number);

		memcpy(memory[0], bytes.data(), bytes.size());
		ASSERT_OK(
			segue_post(segue_sge(segue_eth(segue_send(segue_qp_raw_packet_sq(sender),
								  number, SEGUE_SIGNALED),
						       0, memory[0], 18),
					     (uintptr_t)memory[0] + 18, (uint32_t)bytes.size() - 18,
					     segue_mr_lkey(mr).lkey)));
		ASSERT_EQ(0, take(1)[0].syndrome);
	}

	// The next frame that has come there: its number, and it is what was sent.
	int received(segue_cq *from, const Frame &frame, segue_wc *wc = nullptr,
		     segue_wc_details *details = nullptr)
	{
		segue_wc mine;
		segue_wc_details more;
		if (found(segue_cq_poll_details(from, 1, &mine, &more)) != 1)
			return -1;
		const Bytes want = frame.bytes(memory[mine.wr_id][99]);

		EXPECT_EQ(0, mine.syndrome);
		EXPECT_EQ(want.size(), mine.byte_len);
		EXPECT_EQ(0, memcmp(memory[mine.wr_id], want.data(), want.size()));
		if (wc)
			*wc = mine;
		if (details)
			*details = more;
		return memory[mine.wr_id][99];
	}

	// A frame that comes only there says that what was sent before it has arrived wherever it
	// should: the device keeps their order.
	void fence(segue_qp *qp, segue_cq *fenced)
	{
		segue_wc wc;

		send(ethernet(0xfe), 250);
		const segue_deadline deadline = segue_deadline_in_ms(30000);

		while (received(fenced, ethernet(0xfe), &wc) != 250)
			ASSERT_GT(segue_deadline_left_ms(deadline), 0);
		post(segue_qp_rq(qp));
	}

	segue_rss_options spread(const std::vector<segue_cq *> &cqs)
	{
		segue_rss_options options = {};

		options.cqs = cqs.data();
		options.queues = (uint32_t)cqs.size();
		options.max_wr = 16;
		options.max_sge = 1;
		options.fields = SEGUE_RSS_SRC_IP | SEGUE_RSS_DST_IP;
		options.ip = 4;
		return options;
	}

	alignas(64) uint8_t memory[SLOTS][SLOT] = {};
	segue_mr *mr = nullptr;
	segue_qp *sender = nullptr;
	uint64_t next = 0;
};

const std::vector<Frame> frames = {
	ethernet(0x55),
	ethernet(0x56),
	ethernet(0x55, 3),
	ethernet(0x55, 2, 0x88b6),
	ethernet(0x55, 2, 0x88b5, 5),
	ethernet(0x55, 2, 0x88b5, 261),
	ipv4("10.1.2.3", "10.4.5.6"),
	ipv4("10.1.2.3", "10.4.5.7", IPPROTO_UDP, 1000, 4789),
	ipv4("10.1.130.3", "10.4.5.6", IPPROTO_TCP, 1000, 4789),
	ipv4("10.1.2.3", "10.4.5.6", IPPROTO_UDP, 1001, 4790),
	ipv6("fd00::1", "fd00::2"),
	ipv6("fd00::1", "fd00:0:0:8000::2", IPPROTO_TCP, 1000, 80),
	ipv6("fd00:1::1", "fd00::2", IPPROTO_UDP, 1000, 4789),
};

bool prefix(const Bytes &address, const uint8_t *wanted, uint32_t bits)
{
	for (uint32_t i = 0; i < bits; i++)
		if ((address[i / 8] ^ wanted[i / 8]) >> (7 - i % 8) & 1)
			return false;
	return true;
}

// What segue/raw_packet.h says.
bool wants(const segue_flow_rule &r, const Frame &f)
{
	const uint8_t none[6] = {};
	const bool mac = memcmp(r.dst_mac, none, 6) != 0,
		   ports = f.protocol == IPPROTO_UDP || f.protocol == IPPROTO_TCP;

	return (!mac || r.dst_mac[5] == f.dst) &&
	       (!memcmp(r.src_mac, none, 6) || r.src_mac[5] == f.src) &&
	       (!r.ethertype || (!f.ip && r.ethertype == f.ethertype)) &&
	       (!r.vlan || r.vlan == f.vlan) && (!r.ip || r.ip == f.ip) &&
	       (!r.src_bits || prefix(f.from, r.src_ip, r.src_bits)) &&
	       (!r.dst_bits || prefix(f.to, r.dst_ip, r.dst_bits)) &&
	       (!r.protocol || r.protocol == f.protocol) &&
	       (!r.src_port || (ports && r.src_port == f.sport)) &&
	       (!r.dst_port || (ports && r.dst_port == f.dport));
}

struct Named {
	const char *name;
	std::function<void(segue_flow_rule &)> set;
};

const std::vector<Named> named = {
	{"dst_mac", [](segue_flow_rule &r) { r = to_mac(0x56); }},
	{"src_mac",
	 [](segue_flow_rule &r) {
		 const uint8_t mac[6] = {0x02, 0, 0, 0, 0, 3};

		 memcpy(r.src_mac, mac, 6);
	 }},
	{"ethertype", [](segue_flow_rule &r) { r.ethertype = 0x88b6; }},
	{"vlan", [](segue_flow_rule &r) { r.vlan = 5; }},
	{"ip", [](segue_flow_rule &r) { r.ip = 6; }},
	{"protocol", [](segue_flow_rule &r) { r.ip = 4, r.protocol = IPPROTO_UDP; }},
	{"src_port",
	 [](segue_flow_rule &r) { r.ip = 4, r.protocol = IPPROTO_UDP, r.src_port = 1001; }},
	{"dst_port",
	 [](segue_flow_rule &r) { r.ip = 4, r.protocol = IPPROTO_TCP, r.dst_port = 4789; }},
	{"IPv6 port",
	 [](segue_flow_rule &r) { r.ip = 6, r.protocol = IPPROTO_UDP, r.dst_port = 4789; }},
	{"IPv4 source",
	 [](segue_flow_rule &r) {
		 r.ip = 4, r.src_bits = 17;
		 EXPECT_EQ(1, inet_pton(AF_INET, "10.1.127.127", r.src_ip));
	 }},
	{"IPv4 destination",
	 [](segue_flow_rule &r) {
		 r.ip = 4, r.dst_bits = 32;
		 EXPECT_EQ(1, inet_pton(AF_INET, "10.4.5.6", r.dst_ip));
	 }},
	{"IPv6 source",
	 [](segue_flow_rule &r) {
		 r.ip = 6, r.src_bits = 32;
		 EXPECT_EQ(1, inet_pton(AF_INET6, "fd00:1::", r.src_ip));
	 }},
	{"IPv6 destination",
	 [](segue_flow_rule &r) {
		 r.ip = 6, r.dst_bits = 49;
		 EXPECT_EQ(1, inet_pton(AF_INET6, "fd00::", r.dst_ip));
	 }},
};

// Each member of a rule leads the frames to the queue pair that have it, and no other; they carry
// the rule's tag.
TEST_F(Steering, ByEachHeader)
{
	segue_cq *recv_cq = open_cq(), *fenced = open_cq();
	segue_qp *qp = open_raw(recv_cq), *other = open_raw(fenced);
	const segue_flow_rule fence_rule = to_mac(0xfe);
	segue_flow *flow, *fence_flow;
	uint32_t tag = 0xabcde0;

	ASSERT_OK(segue_flow_open_to_qp(other, &fence_rule, &fence_flow));
	for (const Named &n : named) {
		SCOPED_TRACE(n.name);
		segue_flow_rule rule = {};
		size_t count = 0;

		n.set(rule);
		rule.port = 1;
		rule.tag = ++tag;
		ASSERT_OK(segue_flow_open_to_qp(qp, &rule, &flow));
		for (size_t i = 0; i < frames.size(); i++)
			ASSERT_NO_FATAL_FAILURE(send(frames[i], (uint8_t)i));
		ASSERT_NO_FATAL_FAILURE(fence(other, fenced));
		for (size_t i = 0; i < frames.size(); i++) {
			segue_wc wc;

			if (!wants(rule, frames[i]))
				continue;
			EXPECT_EQ((int)i, received(recv_cq, frames[i], &wc));
			EXPECT_EQ(tag, wc.qpn);
			post(segue_qp_rq(qp));
			count++;
		}
		EXPECT_EQ(-1, received(recv_cq, frames[0]));
		EXPECT_LT(0u, count) << "a rule that nothing fits shows nothing";
		EXPECT_GT(frames.size(), count);
		ASSERT_OK(segue_flow_close(flow));
	}
}

// Who is asked first, who gets copies, and what is left.
TEST_F(Steering, Precedence)
{
	segue_cq *cqs[] = {open_cq(), open_cq(), open_cq()}, *fenced = open_cq();
	segue_qp *qps[] = {open_raw(cqs[0]), open_raw(cqs[1]), open_raw(cqs[2])},
		 *other = open_raw(fenced);
	const segue_flow_rule fence_rule = to_mac(0xfe);
	segue_flow_rule first = to_mac(0x55), second = to_mac(0x55), rest = {}, copy = {};
	segue_flow *flow, *copies;
	const auto came = [&](const Frame &frame) {
		std::set<int> where;

		send(frame, 7);
		fence(other, fenced);
		for (int i = 0; i < 3; i++)
			if (received(cqs[i], frame) == 7) {
				where.insert(i);
				post(segue_qp_rq(qps[i]));
			}
		return where;
	};

	second.priority = 1;
	second.ethertype = 0x88b6;
	rest.port = copy.port = 1;
	rest.kind = SEGUE_FLOW_REST;
	copy.kind = SEGUE_FLOW_COPY;
	ASSERT_OK(segue_flow_open_to_qp(other, &fence_rule, &flow));
	EXPECT_EQ(std::set<int>({}), came(ethernet(0x55))) << "without a rule";
	ASSERT_OK(segue_flow_open_to_qp(qps[2], &rest, &flow));
	EXPECT_EQ(std::set<int>({2}), came(ethernet(0x55))) << "the rest";
	ASSERT_OK(segue_flow_open_to_qp(qps[1], &second, &flow));
	EXPECT_EQ(std::set<int>({2}), came(ethernet(0x55)));
	EXPECT_EQ(std::set<int>({1}), came(ethernet(0x55, 2, 0x88b6)));
	ASSERT_OK(segue_flow_open_to_qp(qps[0], &first, &flow));
	EXPECT_EQ(std::set<int>({0}), came(ethernet(0x55, 2, 0x88b6))) << "by priority";
	segue_flow *equal;

	ASSERT_OK(segue_flow_open_to_qp(qps[1], &first, &equal));
	EXPECT_EQ(std::set<int>({0, 1}), came(ethernet(0x55))) << "equal";
	ASSERT_OK(segue_flow_close(equal));
	ASSERT_OK(segue_flow_open_to_qp(qps[2], &copy, &copies));
	EXPECT_EQ(std::set<int>({0, 2}), came(ethernet(0x55))) << "a copy";
	ASSERT_OK(segue_flow_close(copies));
	EXPECT_EQ(250, received(cqs[2], ethernet(0xfe))) << "of the fence, too";
	ASSERT_OK(segue_flow_close(flow));
	first.drop = true;
	ASSERT_OK(segue_flow_open_to_qp(qps[0], &first, &flow));
	EXPECT_EQ(std::set<int>({}), came(ethernet(0x55, 2, 0x88b6))) << "dropped";
	// What a rule leads to closes it; frames go on to the next.
	ASSERT_OK(segue_qp_close(qps[0]));
	cqs[0] = fenced;
	EXPECT_EQ(std::set<int>({1}), came(ethernet(0x55, 2, 0x88b6)));
}

// A group's frames that nobody wants.
TEST_F(Steering, RestOfMulticast)
{
	segue_cq *recv_cq = open_cq();
	segue_qp *qp = open_raw(recv_cq);
	segue_flow_rule rule = {};
	segue_flow *flow;

	rule.port = 1;
	rule.kind = SEGUE_FLOW_REST_MULTICAST;
	ASSERT_OK(segue_flow_open_to_qp(qp, &rule, &flow));
	ASSERT_NO_FATAL_FAILURE(send(ethernet(0x55), 1));
	const Bytes group = {0x01, 0x00, 0x5e, 0x01, 0x02, 0x03};
	const segue_deadline deadline = segue_deadline_in_ms(30000);
	Bytes bytes = ethernet(0x55).bytes(2);
	segue_wc wc;

	std::copy(group.begin(), group.end(), bytes.begin());
	memcpy(memory[0], bytes.data(), bytes.size());
	ASSERT_OK(segue_post(segue_sge(
		segue_eth(segue_send(segue_qp_raw_packet_sq(sender), 2, SEGUE_SIGNALED), 0,
			  memory[0], 18),
		(uintptr_t)memory[0] + 18, (uint32_t)bytes.size() - 18, segue_mr_lkey(mr).lkey)));
	while (found(segue_cq_poll(recv_cq, 1, &wc)) == 0)
		ASSERT_GT(segue_deadline_left_ms(deadline), 0);
	EXPECT_EQ(0, memcmp(memory[wc.wr_id], bytes.data(), bytes.size()));
}

TEST_F(Steering, RefusedRules)
{
	segue_qp *qp = open_raw(open_cq()), *rc = open(SEGUE_QP_RC);
	const struct {
		std::function<void(segue_flow_rule &)> set;
		const char *says;
	} cases[] = {
		{[](segue_flow_rule &r) { r.port = 0; }, "port is 0, expected 1 to 1"},
		{[](segue_flow_rule &r) { r = {}, r.port = 1; }, "it compares nothing"},
		{[](segue_flow_rule &r) { r.kind = SEGUE_FLOW_REST; }, "leave headers, tag"},
		{[](segue_flow_rule &r) { r.kind = (segue_flow_kind)9; }, "kind is 9"},
		{[](segue_flow_rule &r) { r.ip = 5; }, "ip is 5, expected 4, 6 or 0"},
		{[](segue_flow_rule &r) { r.protocol = IPPROTO_UDP; },
		 "ip is 0; expected its version"},
		{[](segue_flow_rule &r) { r.ip = 4, r.ethertype = 0x800; }, "follows from ip"},
		{[](segue_flow_rule &r) { r.ip = 4, r.dst_bits = 33; }, "expected at most 32"},
		{[](segue_flow_rule &r) { r.ip = 4, r.src_ip[3] = 1; }, "of which no bit counts"},
		{[](segue_flow_rule &r) { r.ip = 4, r.dst_port = 1; },
		 "expected IPPROTO_UDP or IPPROTO_TCP"},
		{[](segue_flow_rule &r) { r.vlan = 4096; }, "vlan is 4096"},
		{[](segue_flow_rule &r) { r.tag = 1 << 24; }, "tag 0x1000000"},
		{[](segue_flow_rule &r) { r.port = 7; }, "port is 7, expected 1 to 1"},
	};
	segue_flow *flow;

	for (const auto &c : cases) {
		segue_flow_rule rule = to_mac(0x55);

		c.set(rule);
		EXPECT_GT(0, segue_flow_open_to_qp(qp, &rule, &flow)) << c.says;
		EXPECT_SAYS(c.says);
	}
	const segue_flow_rule rule = to_mac(0x55);

	EXPECT_EQ(-EINVAL, segue_flow_open_to_qp(rc, &rule, &flow));
	EXPECT_SAYS("is of type RC, expected SEGUE_QP_RAW_PACKET");
	EXPECT_EQ(-EINVAL, segue_flow_open_to_rss(nullptr, &rule, &flow));
	EXPECT_SAYS("the spread is NULL");
}

// Vectors of Microsoft's "Verifying the RSS Hash Calculation", of addresses alone and where the
// source is the smaller: the same both ways.
TEST_F(Steering, SpreadByHash)
{
	const struct {
		const char *from, *to;
		uint32_t hash;
	} known[] = {
		{"66.9.149.187", "161.142.100.80", 0x323e8fc2},
		{"38.27.205.30", "209.142.163.6", 0x82989176},
		{"153.39.163.191", "202.188.127.2", 0x5d1809c5},
	};
	const std::vector<segue_cq *> cqs = {open_cq(), open_cq(), open_cq()};
	int places[3];
	void *const contexts[] = {&places[0], &places[1], &places[2]};
	const uint32_t table[] = {2, 1, 0, 0, 1, 2, 2, 0};
	segue_rss_options options = spread(cqs);
	const segue_flow_rule rule = to_mac(0x55);
	segue_flow *flow;
	segue_rss *rss;

	options.contexts = contexts;
	options.table = table;
	options.table_entries = 8;
	ASSERT_OK(segue_rss_open(pd, &options, &rss));
	ASSERT_OK(segue_flow_open_to_rss(rss, &rule, &flow));
	for (uint32_t i = 0; i < 3; i++)
		for (int j = 0; j < 8; j++)
			post(segue_rss_rq(rss, i));
	for (const auto &k : known)
		for (const Frame &frame : {ipv4(k.from, k.to), ipv4(k.to, k.from)}) {
			const uint32_t queue = table[k.hash % 8];
			const segue_deadline deadline = segue_deadline_in_ms(30000);
			segue_wc_details details = {};
			segue_wc wc = {};

			ASSERT_NO_FATAL_FAILURE(send(frame, 9));
			while (received(cqs[queue], frame, &wc, &details) != 9)
				ASSERT_GT(segue_deadline_left_ms(deadline), 0)
					<< "not on queue " << queue;
			EXPECT_EQ(contexts[queue], wc.context);
			EXPECT_TRUE(details.valid & SEGUE_WC_HAS_RSS_HASH);
			EXPECT_EQ(k.hash, details.rss_hash);
			post(segue_rss_rq(rss, queue));
		}
	// What has no such header comes to the first entry's.
	const segue_deadline deadline = segue_deadline_in_ms(30000);

	ASSERT_NO_FATAL_FAILURE(send(ethernet(0x55), 10));
	while (received(cqs[2], ethernet(0x55)) != 10)
		ASSERT_GT(segue_deadline_left_ms(deadline), 0);
	EXPECT_EQ(-EBUSY, segue_cq_close(cqs[1]));
	EXPECT_SAYS("is used by 1 open object(s), among them the spread");
	ASSERT_OK(segue_rss_close(rss));
	ASSERT_OK(segue_cq_close(cqs[1]));
}

// Many flows with ports: each stays on one queue, in order, and every queue has some. With strides
// too.
TEST_F(Steering, FlowsKeepTheirQueue)
{
	for (const bool striding : {false, true}) {
		std::vector<segue_cq *> cqs;

		while (cqs.size() < 6) // more than an object has room for otherwise
			cqs.push_back(open_cq());
		segue_rss_options options = spread(cqs);
		const segue_flow_rule rule = to_mac(0x55);
		std::map<int, std::pair<int, int>> flows; // port: queue and last number
		std::set<int> used;
		segue_flow *flow;
		segue_rss *rss;

		options.fields = SEGUE_RSS_SRC_IP | SEGUE_RSS_DST_IP | SEGUE_RSS_SRC_PORT |
				 SEGUE_RSS_DST_PORT;
		options.protocol = IPPROTO_UDP;
		options.table_entries = 64;
		if (striding)
			options.log_stride = 7, options.log_strides = 3, options.max_wr = 4;
		ASSERT_OK(segue_rss_open(pd, &options, &rss));
		ASSERT_OK(segue_flow_open_to_rss(rss, &rule, &flow));
		for (uint32_t i = 0; i < cqs.size(); i++) {
			EXPECT_EQ(striding, segue_rss_rq(rss, i) == nullptr);
			EXPECT_EQ(!striding, segue_rss_mprq(rss, i) == nullptr);
			for (int j = 0; j < 2; j++)
				if (striding)
					EXPECT_OK(segue_post(
						segue_sge(segue_recv(segue_rss_mprq(rss, i),
								     1 + i * 4 + j * 2),
							  (uintptr_t)memory[1 + i * 4 + j * 2],
							  1024, segue_mr_lkey(mr).lkey)));
				else
					for (int k = 0; k < 8; k++)
						post(segue_rss_rq(rss, i));
		}
		for (int number = 0; number < 36; number++) {
			const int port = 2000 + number % 12;
			const Frame frame = ipv4("10.0.0.1", "10.0.0.2", IPPROTO_UDP,
						 (uint16_t)port, 4789);
			const segue_deadline deadline = segue_deadline_in_ms(30000);
			int queue = -1;

			ASSERT_NO_FATAL_FAILURE(send(frame, (uint8_t)number));
			while (queue < 0) {
				ASSERT_GT(segue_deadline_left_ms(deadline), 0);
				for (size_t i = 0; i < cqs.size(); i++) {
					segue_wc wc;

					if (found(segue_cq_poll(cqs[i], 1, &wc)) != 1)
						continue;
					const uint8_t *at = memory[wc.wr_id] +
							    (striding ? 128 * wc.wqe_counter : 0);

					EXPECT_EQ(0, memcmp(at, frame.bytes((uint8_t)number).data(),
							    100));
					queue = (int)i;
				}
			}
			if (flows.count(port)) {
				EXPECT_EQ(flows[port].first, queue);
			}
			flows[port] = {queue, number};
			used.insert(queue);
		}
		EXPECT_LE(4u, used.size()) << "12 flows over 6 queues";
		ASSERT_OK(segue_rss_close(rss));
	}
}

TEST_F(Steering, RefusedSpreads)
{
	const std::vector<segue_cq *> cqs = {open_cq(), open_cq()};
	const uint32_t table[] = {0, 2};
	const struct {
		std::function<void(segue_rss_options &)> set;
		const char *says;
	} cases[] = {
		{[](segue_rss_options &o) { o.queues = 0; }, "queues is 0, expected 1 to"},
		{[](segue_rss_options &o) { o.cqs = nullptr; }, "cqs is NULL"},
		{[](segue_rss_options &o) { o.max_wr = 0; }, "max_wr is 0"},
		{[](segue_rss_options &o) { o.max_sge = 1000; }, "max_sge is 1000"},
		{[](segue_rss_options &o) { o.log_stride = 7; }, "log_strides is 0"},
		{[](segue_rss_options &o) { o.table_entries = 3; },
		 "table_entries is 3, expected a power of two"},
		{[](segue_rss_options &o) { o.table_entries = 1u << 31; },
		 "expected a power of two up to"},
		{[&](segue_rss_options &o) { o.table = table; }, "but table_entries is 0"},
		{[&](segue_rss_options &o) { o.table = table, o.table_entries = 2; },
		 "table[1] is 2, expected one of the queues, 0 to 1"},
		{[](segue_rss_options &o) { o.fields = 0; }, "fields is 0x0"},
		{[](segue_rss_options &o) { o.fields = 0x10; }, "fields is 0x10"},
		{[](segue_rss_options &o) { o.ip = 0; }, "ip is 0, expected 4 or 6"},
		{[](segue_rss_options &o) { o.fields = SEGUE_RSS_SRC_PORT; },
		 "ports are hashed, but protocol is 0"},
		{[](segue_rss_options &o) { o.protocol = IPPROTO_UDP; }, "leave it 0"},
	};
	segue_rss *rss;

	for (const auto &c : cases) {
		segue_rss_options options = spread(cqs);

		c.set(options);
		EXPECT_EQ(-EINVAL, segue_rss_open(pd, &options, &rss)) << c.says;
		EXPECT_SAYS(c.says);
	}
	// The second queue is somebody's: nothing is left of the first.
	(void)open_raw(cqs[1]);
	segue_rss_options options = spread(cqs);

	EXPECT_EQ(-EEXIST, segue_rss_open(pd, &options, &rss)) << segue_errmsg();
	ASSERT_OK(segue_cq_close(cqs[0]));
	options.queues = 1;
	const std::vector<segue_cq *> alone = {open_cq()};

	options.cqs = alone.data();
	ASSERT_OK(segue_rss_open(pd, &options, &rss));
	EXPECT_EQ(nullptr, segue_rss_rq(rss, 1));
	EXPECT_SAYS("queue is 1, expected 0 to 0");
}

} // namespace
