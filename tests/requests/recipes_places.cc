// SPDX-License-Identifier: BSD-2-Clause
// Memory that is not the program's: on the device, and none at all.
#include "segue/mr.h"
#include "tests/requests/refusal.h"

namespace requests {
namespace {

constexpr uint32_t LENGTH = 600, DEVICE = 1024, AT = 64;

struct OnDevice {
	explicit OnDevice(Ends<Rc> &rig) : r(rig)
	{
		segue_dm_options options = {};

		options.length = DEVICE;
		options.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_READ |
				 SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_REMOTE_ATOMIC;
		EXPECT_OK(segue_dm_open(r.pd, &options, &dm));
		EXPECT_OK(segue_dm_remote_buf(dm, AT, LENGTH, &remote));
		EXPECT_OK(segue_dm_local_buf(dm, AT, LENGTH, &local));
		for (size_t i = 0; i < DEVICE; i++)
			want[i] = (uint8_t)(i * 5 + 9);
		EXPECT_OK(segue_dm_copy_to(dm, 0, want, DEVICE));
	}
	void compare()
	{
		uint8_t bytes[DEVICE];

		EXPECT_OK(segue_dm_copy_from(dm, 0, bytes, DEVICE));
		EXPECT_EQ(0, memcmp(bytes, want, DEVICE));
		r.compare();
	}

	Ends<Rc> &r;
	segue_dm *dm = nullptr;
	segue_remote_buf remote = {};
	segue_local_buf local = {};
	uint8_t want[DEVICE];
};

segue_seg_data piece_of(const segue_local_buf &local)
{
	segue_seg_data piece = {};

	piece.addr = local.addr;
	piece.byte_count = local.length;
	piece.lkey = local.key.lkey;
	return piece;
}

void write_to_device(Ends<Rc> &r)
{
	OnDevice d(r);
	const segue_seg_data piece = r.here.piece(100, LENGTH);

	r.post<ARGS(r.sq(), segue_post_rdma_write)>(
		[&](auto *sq) {
			return segue_post(segue_sge_list(
				segue_raddr(segue_rdma_write(sq, SEND_ID, SEGUE_SIGNALED),
					    d.remote.addr, d.remote.key.rkey),
				&piece, 1));
		},
		[&](auto &args) {
			args.remote_addr = d.remote.addr, args.rkey = d.remote.key.rkey,
			args.sges = &piece, args.sge_count = 1;
		},
		[](auto *sq, auto *args) { return segue_post_rdma_write(sq, args); });
	r.complete({SEND_ID});
	memcpy(d.want + AT, r.here.bytes + 100, LENGTH);
	d.compare();
}

// Into this side's device memory.
void read_to_device(Ends<Rc> &r)
{
	OnDevice d(r);
	const segue_seg_data piece = piece_of(d.local);

	r.post<ARGS(r.sq(), segue_post_rdma_read)>(
		[&](auto *sq) {
			return segue_post(segue_sge_list(
				segue_raddr(segue_rdma_read(sq, SEND_ID, SEGUE_SIGNALED),
					    r.there.at(300), r.there.rkey()),
				&piece, 1));
		},
		[&](auto &args) {
			args.remote_addr = r.there.at(300), args.rkey = r.there.rkey(),
			args.sges = &piece, args.sge_count = 1;
		},
		[](auto *sq, auto *args) { return segue_post_rdma_read(sq, args); });
	r.complete({SEND_ID});
	memcpy(d.want + AT, r.there.bytes + 300, LENGTH);
	d.compare();
}

void send_from_device(Ends<Rc> &r)
{
	OnDevice d(r);
	const segue_seg_data pieces[2] = {piece_of(d.local), r.here.piece(8, 40)};

	r.receive(512, 4000);
	r.post<ARGS(r.sq(), segue_post_send)>(
		[&](auto *sq) {
			return segue_post(
				segue_sge_list(segue_send(sq, SEND_ID, SEGUE_SIGNALED), pieces, 2));
		},
		[&](auto &args) { args.sges = pieces, args.sge_count = 2; },
		[](auto *sq, auto *args) { return segue_post_send(sq, args); });
	r.complete({SEND_ID, RECV_ID});
	r.there.put(512, d.want + AT, LENGTH);
	r.there.put(512 + LENGTH, r.here.bytes + 8, 40);
	d.compare();
}

void beyond_device(Ends<Rc> &r)
{
	OnDevice d(r);

	fails(
		r,
		[&](auto *sq) {
			return segue_post(
				segue_sge(segue_raddr(segue_rdma_write(sq, SEND_ID, SEGUE_SIGNALED),
						      DEVICE - 8, d.remote.key.rkey),
					  r.here.at(0), 16, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, REMOTE);
	d.compare();
}

// What is asked for wrongly never reaches the device.
void wrong_pieces(Ends<Rc> &r)
{
	OnDevice d(r);
	segue_dm_options options = {};
	segue_remote_buf remote;
	segue_local_buf local;
	segue_dm *other;
	uint32_t word;

	EXPECT_EQ(-ERANGE, segue_dm_local_buf(d.dm, DEVICE - 4, 8, &local));
	EXPECT_SAYS("8 bytes from 1020 on are not within its 1024");
	EXPECT_EQ(-ERANGE, segue_dm_remote_buf(d.dm, DEVICE, 0, &remote));
	EXPECT_EQ(-EINVAL, segue_dm_copy_to(d.dm, 2, &word, 4));
	EXPECT_SAYS("expected multiples of 4");
	EXPECT_EQ(-EINVAL, segue_dm_copy_to(d.dm, 0, nullptr, 4));
	EXPECT_SAYS("is NULL");
	EXPECT_EQ(-EINVAL, segue_dm_copy_from(nullptr, 0, &word, 4));
	EXPECT_EQ(-EINVAL, segue_dm_open(r.pd, &options, &other));
	EXPECT_SAYS("length is 0, expected a multiple of 4 up to");
	options.length = 6;
	EXPECT_EQ(-EINVAL, segue_dm_open(r.pd, &options, &other));
	options.length = 64;
	ASSERT_OK(segue_dm_open(r.pd, &options, &other));
	EXPECT_EQ(-EACCES, segue_dm_remote_buf(other, 0, 8, &remote));
	EXPECT_SAYS("without a REMOTE right");
	EXPECT_OK(segue_dm_close(other));
	write_to_device(r);
}

segue_seg_data nowhere(Ends<Rc> &r, uint32_t length)
{
	segue_seg_data piece = {};
	segue_local_key key = {};

	EXPECT_OK(segue_pd_null_key(r.pd, &key));
	piece.lkey = key.lkey;
	piece.addr = 0x1234;
	piece.byte_count = length;
	return piece;
}

// The middle of what is read is dropped.
void read_to_nowhere(Ends<Rc> &r)
{
	const segue_seg_data pieces[2] = {nowhere(r, 200), r.here.piece(2000, 100)};

	r.post<ARGS(r.sq(), segue_post_rdma_read)>(
		[&](auto *sq) {
			return segue_post(segue_sge_list(
				segue_raddr(segue_rdma_read(sq, SEND_ID, SEGUE_SIGNALED),
					    r.there.at(64), r.there.rkey()),
				pieces, 2));
		},
		[&](auto &args) {
			args.remote_addr = r.there.at(64), args.rkey = r.there.rkey(),
			args.sges = pieces, args.sge_count = 2;
		},
		[](auto *sq, auto *args) { return segue_post_rdma_read(sq, args); });
	r.complete({SEND_ID});
	r.here.put(2000, r.there.bytes + 64 + 200, 100);
	r.compare();
}

// Zeros come from there.
void write_from_nowhere(Ends<Rc> &r)
{
	const segue_seg_data pieces[2] = {r.here.piece(16, 50), nowhere(r, 70)};
	const uint8_t zeros[70] = {};

	r.post<ARGS(r.sq(), segue_post_rdma_write)>(
		[&](auto *sq) {
			return segue_post(segue_sge_list(
				segue_raddr(segue_rdma_write(sq, SEND_ID, SEGUE_SIGNALED),
					    r.there.at(900), r.there.rkey()),
				pieces, 2));
		},
		[&](auto &args) {
			args.remote_addr = r.there.at(900), args.rkey = r.there.rkey(),
			args.sges = pieces, args.sge_count = 2;
		},
		[](auto *sq, auto *args) { return segue_post_rdma_write(sq, args); });
	r.complete({SEND_ID});
	r.there.put(900, r.here.bytes + 16, 50);
	r.there.put(950, zeros, sizeof(zeros));
	r.compare();
}

// The null key of a peer discards what is written to it (perftest's --use_null_mr).
void write_to_nowhere(Ends<Rc> &r)
{
	const segue_seg_data piece = r.here.piece(0, 16);
	segue_local_key nothing;

	ASSERT_OK(segue_pd_null_key(r.pd, &nothing));
	const uint32_t key = nothing.lkey;

	r.post<ARGS(r.sq(), segue_post_rdma_write)>(
		[&](auto *sq) {
			return segue_post(segue_sge_list(
				segue_raddr(segue_rdma_write(sq, SEND_ID, SEGUE_SIGNALED), 0, key),
				&piece, 1));
		},
		[&](auto &args) {
			args.remote_addr = 0, args.rkey = key, args.sges = &piece,
			args.sge_count = 1;
		},
		[](auto *sq, auto *args) { return segue_post_rdma_write(sq, args); });
	r.complete({SEND_ID});
	r.compare();
}

const bool added = (Entries<Rc>()
			    .by({LIBMLX5})
			    .add("rdma_write", {"data"}, write_to_device)
			    .add("rdma_write", {"data"}, write_from_nowhere)
			    .add("rdma_write", {"data"}, write_to_nowhere)
			    .add("rdma_write", {"data"}, wrong_pieces, false)
			    .add("rdma_read", {"data"}, read_to_device)
			    .add("rdma_read", {"data"}, read_to_nowhere)
			    .add("send", {"data"}, send_from_device),
		    Entries<Rc>()
			    .refused()
			    .add("rdma_write", {"data"}, beyond_device),
		    true);

} // namespace
} // namespace requests
