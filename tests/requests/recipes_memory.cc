// SPDX-License-Identifier: BSD-2-Clause
// Copies that the device makes within local memory.
#include "tests/requests/transports.h"

namespace requests {
namespace {

// What the device writes to while it copies is nobody's business.
struct Scratch {
	explicit Scratch(Rig &r)
	{
		memory.resize(4096);
		mr = r.share(memory.data(), memory.size());
	}
	uint64_t at() const { return ((uintptr_t)memory.data() + 63) & ~(uint64_t)63; }

	std::vector<uint8_t> memory;
	segue_mr *mr;
};

template <class T> void copy(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	static Scratch *scratch; // outlives the region, which the device closes
	constexpr uint32_t SIZE = 7001;

	delete scratch;
	scratch = new Scratch(r);
	const uint32_t key = segue_mr_lkey(scratch->mr).lkey;

	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_memcpy)>(
		[&](auto *sq) {
			return segue_post(segue_mmo_data(
				segue_mmo_data(segue_mmo_metadata(
						       segue_memcpy(sq, SEND_ID, SEGUE_SIGNALED), 0,
						       key, scratch->at()),
					       r.here.at(33), SIZE, r.here.lkey()),
				r.there.at(555), SIZE, r.there.lkey()));
		},
		[&](auto &args) {
			args.local_key = key;
			args.local_address = scratch->at();
			args.addr = r.here.at(33), args.byte_count = SIZE,
			args.lkey = r.here.lkey();
			args.mmo_data_addr = r.there.at(555), args.mmo_data_byte_count = SIZE,
			args.mmo_data_lkey = r.there.lkey();
		},
		[](auto *sq, auto *args) { return segue_post_memcpy(sq, args); });
	r.complete({SEND_ID});
	r.there.put(555, r.here.bytes + 33, SIZE);
	r.compare();
}

// Rows become columns, each element stays whole.
template <class T> void transpose(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	constexpr uint32_t ROWS = 5, COLS = 9, ELEMENT = 6, SIZE = ROWS * COLS * ELEMENT;

	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_transpose)>(
		[&](auto *sq) {
			return segue_post(segue_sge(
				segue_sge(segue_matrix(segue_transpose(sq, SEND_ID, SEGUE_SIGNALED),
						       ELEMENT, COLS, ROWS),
					  r.here.at(64), SIZE, r.here.lkey()),
				r.there.at(128), SIZE, r.there.lkey()));
		},
		[&](auto &args) {
			args.element_size = ELEMENT, args.num_cols = COLS, args.num_rows = ROWS;
			args.addr = r.here.at(64), args.byte_count = SIZE,
			args.lkey = r.here.lkey();
			args.sge_addr = r.there.at(128), args.sge_byte_count = SIZE,
			args.sge_lkey = r.there.lkey();
		},
		[](auto *sq, auto *args) { return segue_post_transpose(sq, args); });
	r.complete({SEND_ID});
	for (uint32_t row = 0; row < ROWS; row++)
		for (uint32_t col = 0; col < COLS; col++)
			r.there.put(128 + (col * ROWS + row) * ELEMENT,
				    r.here.bytes + 64 + (row * COLS + col) * ELEMENT, ELEMENT);
	r.compare();
}

template <class T> void add_copies()
{
	Entries<T>()
		.local()
		.add("transpose", {}, transpose<T>)
		.by({LIBMLX5})
		.add("memcpy", {}, copy<T>);
}

const bool added = (add_copies<Rc>(), add_copies<Dc>(), true);

} // namespace
} // namespace requests
