// SPDX-License-Identifier: BSD-2-Clause
// Time stamps: each completion lies between the clock read before its request and behind it, and
// libmlx5 reads the same out of the same CQE.
#include <infiniband/mlx5dv.h>

#include "segue/device.h"
#include "tests/requests/frames.h"
#include "tests/requests/refusal.h"

namespace requests {
namespace {

constexpr const char *STAMPS = "time stamps";
constexpr size_t LANDING = 512;
constexpr uint32_t LENGTH = 200;

// libmlx5's own reader on Segue's ring: it has not polled this queue yet, so it begins where Segue
// did.
std::vector<uint64_t> read_by_libmlx5(segue_cq *cq, size_t count)
{
	ibv_cq_ex *const verbs = reinterpret_cast<ibv_cq_ex *>(segue_cq_ibv(cq));
	ibv_poll_cq_attr attr = {};
	std::vector<uint64_t> stamps;
	int ret = ibv_start_poll(verbs, &attr);

	EXPECT_EQ(0, ret);
	if (ret)
		return stamps;
	for (; !ret; ret = stamps.size() < count ? ibv_next_poll(verbs) : ENOENT)
		stamps.push_back(ibv_wc_read_completion_ts(verbs));
	ibv_end_poll(verbs);
	return stamps;
}

// Nanoseconds as libmlx5 has them, from the same state of the kernel's page.
void is_the_same_time(segue_device *device, uint64_t stamp)
{
	mlx5dv_clock_info info, again;
	segue_clock clock;

	do {
		ASSERT_EQ(0, mlx5dv_get_clock_info(segue_device_ibv(device), &info));
		ASSERT_OK(segue_device_query_clock(device, &clock));
		ASSERT_EQ(0, mlx5dv_get_clock_info(segue_device_ibv(device), &again));
	} while (info.last_cycles != again.last_cycles);
	EXPECT_EQ(mlx5dv_ts_to_ns(&info, stamp), segue_clock_ns(&clock, stamp));
}

void hold(Rig &r, uint64_t before, int count)
{
	const segue_deadline deadline = segue_deadline_in_ms(20000);
	std::vector<segue_wc_details> details(count);
	std::vector<segue_wc> wcs(count);
	uint64_t after;
	int got = 0;

	while (got < count && segue_deadline_left_ms(deadline) > 0) {
		const int n = r.found(
			segue_cq_poll_details(r.cq, count - got, &wcs[got], &details[got]));

		ASSERT_LE(0, n);
		got += n;
	}
	ASSERT_EQ(count, got);
	ASSERT_OK(segue_device_query_ticks(r.device, &after));
	const std::vector<uint64_t> theirs = read_by_libmlx5(r.cq, count);
	r.asked(LIBMLX5);

	ASSERT_EQ((size_t)count, theirs.size());
	for (int i = 0; i < count; i++) {
		EXPECT_EQ(0, wcs[i].syndrome) << r.explained(wcs[i]);
		EXPECT_TRUE(details[i].valid & SEGUE_WC_HAS_TIMESTAMP);
		EXPECT_LE(before, details[i].timestamp);
		EXPECT_GE(after, details[i].timestamp);
		EXPECT_EQ(theirs[i], details[i].timestamp);
		is_the_same_time(r.device, details[i].timestamp);
	}
}

template <class T> void message(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	const uint32_t header = T::from == SEGUE_QP_UD ? SEGUE_GRH_SIZE : 0;
	const segue_seg_data piece = r.here.piece(101, LENGTH);
	uint64_t before;

	r.receive(LANDING, 4000);
	ASSERT_OK(segue_device_query_ticks(r.device, &before));
	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_send)>(
		[&](auto *sq) {
			return segue_post(segue_sge(r.to(segue_send(sq, SEND_ID, SEGUE_SIGNALED)),
						    r.here.at(101), LENGTH, r.here.lkey()));
		},
		[&](auto &args) {
			T::address(r.peer, args), args.sges = &piece, args.sge_count = 1;
		},
		[](auto *sq, auto *args) { return segue_post_send(sq, args); });
	hold(r, before, 2);
	r.there.put(LANDING, r.there.bytes + LANDING, header);
	r.there.put(LANDING + header, r.here.bytes + 101, LENGTH);
	r.compare();
}

// When a frame has left, and when it has come: on queues of their own.
void frame(Ends<Raw> &r)
{
	const Steered steered(r.b);
	const segue_seg_data rest = r.here.piece(18, LENGTH);
	uint64_t before;

	lay_frame(r.here, EXPERIMENTAL);
	r.receive(LANDING, 4000);
	ASSERT_OK(segue_device_query_ticks(r.device, &before));
	r.post<ARGS(r.sq(), segue_post_send)>(
		[&](auto *sq) {
			return segue_post(
				segue_sge_list(segue_eth(segue_send(sq, SEND_ID, SEGUE_SIGNALED), 0,
							 r.here.bytes, 18),
					       &rest, 1));
		},
		[&](auto &args) {
			args.data = r.here.bytes, args.inline_hdr_sz = 18, args.sges = &rest,
			args.sge_count = 1;
		},
		[](auto *sq, auto *args) { return segue_post_send(sq, args); });
	hold(r, before, 2);
	r.there.put(LANDING, r.here.bytes, 18 + LENGTH);
	r.compare();
}

// What fails has no stamp: an error's CQE has other things in its place.
template <class T> void failed(Ends<T> &r)
{
	const uint32_t pi = r.sq()->sq.pi;
	const segue_deadline deadline = segue_deadline_in_ms(20000);
	segue_wc_details details = {};
	segue_wc wc = {};
	char text[1024] = "";
	int n = 0;

	if constexpr (T::from == SEGUE_QP_RAW_PACKET)
		ASSERT_OK(segue_post(segue_sge(
			segue_eth(segue_send(r.sq(), SEND_ID, SEGUE_SIGNALED), 0, r.here.bytes, 18),
			r.here.at(0), 100, NOBODYS_KEY)));
	else
		ASSERT_OK(segue_post(segue_sge(r.to(segue_send(r.sq(), SEND_ID, SEGUE_SIGNALED)),
					       r.here.at(0), 100, NOBODYS_KEY)));
	r.saw(&r.sq()->sq, pi);
	while (n < 1 && segue_deadline_left_ms(deadline) > 0)
		n = r.found(segue_cq_poll_details(r.cq, 1, &wc, &details));
	ASSERT_EQ(1, n);
	segue_qp_explain(r.a, &wc, text, sizeof(text));
	EXPECT_EQ(SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, wc.syndrome) << text;
	EXPECT_NE(nullptr, strstr(text, "Next: ")) << text;
	EXPECT_EQ(0u, details.valid & SEGUE_WC_HAS_TIMESTAMP);
	EXPECT_EQ(0u, details.timestamp);
	r.compare();
}

template <class T> void add()
{
	if constexpr (T::from == SEGUE_QP_RAW_PACKET)
		Entries<T>()
			.besides(STAMPS)
			.by({LIBMLX5, MLX5DV})
			.add("send", {"eth", "data"}, frame);
	else
		Entries<T>().besides(STAMPS).by({LIBMLX5}).add("send", {"data"}, message<T>);
	Entries<T>().besides(STAMPS).refused().add("send", {}, failed<T>, false);
}

const bool added = (add<Rc>(), add<Uc>(), add<Ud>(), add<Xrc>(), add<Dc>(), add<Raw>(), true);

} // namespace
} // namespace requests
