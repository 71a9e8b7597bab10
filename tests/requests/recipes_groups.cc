// SPDX-License-Identifier: BSD-2-Clause
// Multicast groups: whoever has joined has each datagram, and nobody else, whoever sends.
#include "segue/mcast.h"
#include "tests/requests/refusal.h"

namespace requests {
namespace {

constexpr uint32_t LENGTH = 300, OTHER_QKEY = QKEY + 1;
constexpr size_t FROM = 101, EACH = 4096; // receives there

// The requester, which only sends; and two members and one that is none, each with receives.
struct Group {
	explicit Group(Ends<Ud> &rig) : r(rig), path(r.path_to(0))
	{
		path.qkey = QKEY;
		who[0] = r.b;
		for (segue_qp *&qp : who) {
			if (!qp) {
				qp = r.open_one(SEGUE_QP_UD);
				EXPECT_OK(segue_qp_connect(qp, &path));
			}
			receive((size_t)(&qp - who));
		}
		options = which();
		options.send_only = true;
		EXPECT_OK(segue_mcast_join(r.a, &path, &options, &sender));
		options.send_only = false;
		to = segue_mcast_sender(sender);
		r.destination = nullptr; // it goes elsewhere
	}
	segue_mcast_options which() const
	{
		const uint8_t ib[16] = {0xff, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x51};
		const uint8_t roce[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 239, 1, 2, 81};
		segue_mcast_options made = {};

		memcpy(made.mgid.bytes, path.link == SEGUE_LINK_IB ? ib : roce, sizeof(ib));
		made.mlid = path.link == SEGUE_LINK_IB ? 0xc051 : 0;
		return made;
	}
	void receive(size_t number)
	{
		ASSERT_OK(
			segue_post(segue_sge(segue_recv(segue_qp_rq(who[number]), RECV_ID + number),
					     r.there.at(EACH * number), 1000, r.there.lkey())));
	}
	segue_mcast *join(size_t number)
	{
		segue_mcast *joined = nullptr;

		EXPECT_OK(segue_mcast_join(who[number], &path, &options, &joined));
		return joined;
	}
	int send(uint32_t qkey, uint32_t lkey)
	{
		return segue_post(segue_sge(
			segue_av(segue_send(r.sq(), SEND_ID, SEGUE_SIGNALED), to.ah, to.qpn, qkey),
			r.here.at(FROM), LENGTH, lkey));
	}
	// It is sent, and these have it.
	void reaches(std::vector<size_t> members)
	{
		std::vector<uint64_t> ids = {SEND_ID};

		for (const size_t number : members) {
			const size_t at = EACH * number;

			ids.push_back(RECV_ID + number);
			r.there.put(at + SEGUE_GRH_SIZE, r.here.bytes + FROM, LENGTH);
		}
		r.complete(ids);
		r.nothing_completes();
		for (const size_t number : members)
			r.there.put(EACH * number, r.there.bytes + EACH * number, SEGUE_GRH_SIZE);
		r.compare();
	}

	Ends<Ud> &r;
	segue_path path;
	segue_qp *who[3] = {};
	segue_mcast_options options;
	segue_mcast *sender = nullptr;
	segue_ud_sender to;
};

void members(Ends<Ud> &r)
{
	const segue_seg_data piece = r.here.piece(FROM, LENGTH);
	Group group(r);
	segue_mcast *const first = group.join(0), *const second = group.join(1);

	r.post<ARGS(r.sq(), segue_post_send)>(
		[&](auto *) { return group.send(QKEY, r.here.lkey()); },
		[&](auto &args) {
			args.address_vector = group.to.ah, args.dqp_dct = group.to.qpn,
			args.qkey = QKEY;
			args.sges = &piece, args.sge_count = 1;
		},
		[](auto *sq, auto *args) { return segue_post_send(sq, args); });
	group.reaches({0, 1});

	// Who has left hears nothing any more, the other one does; and who comes back does again.
	ASSERT_OK(segue_mcast_leave(first));
	group.receive(1);
	ASSERT_OK(group.send(QKEY, r.here.lkey()));
	group.reaches({1});
	group.receive(0);
	group.receive(1);
	ASSERT_NE(nullptr, group.join(0));
	ASSERT_OK(group.send(QKEY, r.here.lkey()));
	group.reaches({0, 1});
	ASSERT_OK(segue_mcast_leave(second));
	EXPECT_GT(0, segue_mcast_leave(second));
	EXPECT_SAYS("multicast group");
	// All others leave with their queue pairs.
}

void refused(Ends<Ud> &r)
{
	Group group(r);
	segue_mcast *joined = nullptr;
	segue_qp *const connected = r.witness().first;

	ASSERT_NE(nullptr, group.join(0));
	EXPECT_EQ(-EINVAL, segue_mcast_join(connected, &group.path, &group.options, &joined));
	EXPECT_SAYS("is not UD; only UD can join a group");
	segue_mcast_options wrong = group.options;

	wrong.mgid = {};
	wrong.mgid.bytes[0] = 0xfe;
	EXPECT_EQ(-EINVAL, segue_mcast_join(group.who[1], &group.path, &wrong, &joined));
	EXPECT_SAYS("mgid is no multicast address");
	// It is sent, as the card cannot know; members drop what has another queue key.
	ASSERT_OK(group.send(OTHER_QKEY, r.here.lkey()));
	group.reaches({});
	fails(
		r, [&](auto *) { return group.send(QKEY, NOBODYS_KEY); },
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, LOCAL);
	r.nothing_completes();
	r.compare();
}

const bool added =
	(Entries<Ud>().besides("multicast").add("send", {"data"}, members),
	 Entries<Ud>().besides("multicast").refused().add("send", {"data"}, refused, false), true);

} // namespace
} // namespace requests
