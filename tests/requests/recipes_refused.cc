// SPDX-License-Identifier: BSD-2-Clause
// One wrong thing per request: the device answers with the syndrome for it, Segue with a sentence, and no memory has changed.
#include "tests/requests/keys.h"
#include "tests/requests/transports.h"

namespace requests {
namespace {

constexpr uint32_t NOBODYS_KEY = 0xdead00;

// The requester's completion says so; the peer may have some of its own. `undefined` bytes at the start of a receive may hold anything.
constexpr size_t RECEIVE = 20000;

template <class T, class Build>
void fails(Ends<T> &r, Build build, uint8_t syndrome, const char *words, uint32_t undefined = 0)
{
	const uint32_t pi = r.sq()->sq.pi;
	char text[1024] = "";
	segue_wc wc;

	ASSERT_OK(build(r.sq()));
	r.saw(&r.sq()->sq, pi);
	do
		wc = r.completion();
	while (segue_wc_is_receive(&wc) && wc.syndrome);
	EXPECT_EQ(SEND_ID, wc.wr_id);
	segue_qp_explain(r.a, &wc, text, sizeof(text));
	EXPECT_EQ(syndrome, wc.syndrome) << text;
	EXPECT_NE(nullptr, strstr(text, words)) << text;
	EXPECT_NE(nullptr, strstr(text, "Next: ")) << text;
	r.there.put(RECEIVE, r.there.bytes + RECEIVE, undefined);
	r.compare();
}

template <class T> void write_without_key(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(segue_raddr(r.to(segue_rdma_write(sq, SEND_ID, SEGUE_SIGNALED)), r.there.at(0), NOBODYS_KEY),
						    r.here.at(0), 100, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, "RDMA_WRITE");
}

template <class T> void write_imm_behind_the_end(Ends<T> &r)
{
	r.receive(0, 64);
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(segue_raddr(r.to(segue_rdma_write_imm(sq, SEND_ID, SEGUE_SIGNALED, 5)),
								r.there.at(Memory::SIZE - 50), r.there.rkey()),
						    r.here.at(0), 100, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, "RDMA_WRITE_IMM");
}

template <class T> void read_into_nobodys(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(segue_raddr(r.to(segue_rdma_read(sq, SEND_ID, SEGUE_SIGNALED)), r.there.at(0), r.there.rkey()),
						    r.here.at(0), 100, NOBODYS_KEY));
		},
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, "RDMA_READ");
}

template <class T> void unaligned_swap(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(segue_atomic(segue_raddr(r.to(segue_atomic_cs(sq, SEND_ID, SEGUE_SIGNALED)), r.there.at(4),
									     r.there.rkey()),
								 1, 2),
						    r.here.at(0), 8, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, "aligned to its 8 bytes");
}

template <class T> void add_without_key(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(segue_atomic_add(segue_raddr(r.to(segue_atomic_fa(sq, SEND_ID, SEGUE_SIGNALED)), r.there.at(8),
										 NOBODYS_KEY),
								     1),
						    r.here.at(0), 8, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, "ATOMIC_FA");
}

template <class T> void send_from_nobodys(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(r.to(segue_send(sq, SEND_ID, SEGUE_SIGNALED)), r.here.at(0), 100, NOBODYS_KEY));
		},
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, "SEND");
}

// The peer has 50 bytes for it.
template <class T> void send_too_long(Ends<T> &r)
{
	r.receive(RECEIVE, 50);
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(r.to(segue_send_imm(sq, SEND_ID, SEGUE_SIGNALED, 3)), r.here.at(0), 100, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, "SEND_IMM", 50);
}

// A region's key is no indirect one.
void list_for_a_region(Ends<Rc> &r)
{
	const uint32_t key = r.here.lkey();
	const segue_seg_mkey_context context = key_context(key, 100);
	const segue_seg_klm piece = {100, r.there.lkey(), r.there.at(0)};

	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_klm_list(
				segue_mkey_context(segue_umr_ctrl(segue_umr_list(sq, SEND_ID, SEGUE_SIGNALED, key), 0, 4, KEY_MASK), &context), &piece, 1));
		},
		SEGUE_CQE_SYNDROME_MW_BIND_ERR, "may be changed by UMR");
}

void bind_without_right(Ends<Rc> &r)
{
	segue_mw *mw;

	ASSERT_OK(segue_mw_open(r.pd, 2, &mw));
	const uint32_t was = segue_mw_key(mw).rkey, key = segue_mw_next_key(mw).rkey;

	fails(
		r,
		[&](auto *sq) { // the region was not registered for windows
			return segue_post(segue_bind_klm(segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(sq, SEND_ID, SEGUE_SIGNALED, was)), r.there.at(0),
									 64, segue_qp_number(r.a), (uint8_t)key,
									 SEGUE_MKEY_ACCESS_LOCAL_READ | SEGUE_MKEY_ACCESS_REMOTE_WRITE),
							 r.there.at(0), 64, r.there.lkey()));
		},
		SEGUE_CQE_SYNDROME_MW_BIND_ERR, "window");
}

template <class T> void add_refusals()
{
	Entries<T>()
		.refused()
		.add("rdma_write", {}, write_without_key<T>, false)
		.add("rdma_write_imm", {}, write_imm_behind_the_end<T>, false)
		.add("rdma_read", {}, read_into_nobodys<T>, false)
		.add("atomic_cs", {}, unaligned_swap<T>, false)
		.add("atomic_fa", {}, add_without_key<T>, false)
		.add("send", {}, send_from_nobodys<T>, false)
		.add("send_imm", {}, send_too_long<T>, false);
}

const bool added = (add_refusals<Rc>(), add_refusals<Xrc>(), add_refusals<Dc>(),
		    Entries<Rc>().refused().add("umr_list", {}, list_for_a_region, false).add("bind_mw", {}, bind_without_right, false), true);

} // namespace
} // namespace requests
