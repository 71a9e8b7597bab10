// SPDX-License-Identifier: BSD-2-Clause
// Atomics: the model is plain arithmetic on the word, the rest of the memory stays as it is.
#include "segue/detail/bytes.h"
#include "tests/requests/transports.h"
#include "tests/requests/words.h"

namespace requests {
namespace {

constexpr size_t WORD = 4096, FORMER = 640;

// The former value, as it is answered: 8 bytes in the order of the host, 4 with the most
// significant one first.
template <class T, class W> void changed(Ends<T> &r, W former, W word)
{
	uint8_t answer[sizeof(W)];

	memcpy(answer, &former, sizeof(W));
	if (sizeof(W) == 4)
		segue_put_be32(answer, (uint32_t)former);
	r.complete({SEND_ID});
	r.here.put(FORMER, answer, sizeof(W));
	r.there.put(WORD, &word, sizeof(W));
	r.compare();
}

template <class T, class A> void aim(Ends<T> &r, A &args, uint32_t size)
{
	T::address(r.peer, args);
	args.remote_addr = r.there.at(WORD);
	args.rkey = r.there.rkey();
	args.addr = r.here.at(FORMER);
	args.byte_count = size;
	args.lkey = r.here.lkey();
}

// The steps around the one that says what to do.
template <class T, class B> auto aimed(Ends<T> &r, B b)
{
	return segue_raddr(r.to(b), r.there.at(WORD), r.there.rkey());
}

template <class T, class B> int landed(Ends<T> &r, B b, uint32_t size)
{
	return segue_post(segue_sge(b, r.here.at(FORMER), size, r.here.lkey()));
}

template <class T> void swap(Ends<T> &r, uint64_t compare, uint64_t with)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	const uint64_t former = word_of<uint64_t>(r.there.want, WORD);

	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_atomic_cs)>(
		[&](auto *sq) {
			return landed(r,
				      segue_compare_swap(aimed(r, segue_atomic_cs(sq, SEND_ID,
										  SEGUE_SIGNALED)),
							 compare, with),
				      8);
		},
		[&](auto &args) { aim(r, args, 8), args.swap_add = with, args.compare = compare; },
		[](auto *sq, auto *args) { return segue_post_atomic_cs(sq, args); });
	changed<T, uint64_t>(r, former, former == compare ? with : former);
}

template <class T> void compare_and_swap(Ends<T> &r)
{
	const uint64_t former = word_of<uint64_t>(r.there.want, WORD);

	swap(r, former, UINT64_C(0x1122334455667788)); // fits
	swap(r, former, 5);			       // does not any more
}

template <class T> void fetch_and_add(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;

	for (uint64_t add : {UINT64_C(7), UINT64_C(0xffffffffffffff00)}) {
		const uint64_t former = word_of<uint64_t>(r.there.want, WORD);

		r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_atomic_fa)>(
			[&](auto *sq) {
				return landed(
					r,
					segue_atomic_add(aimed(r, segue_atomic_fa(sq, SEND_ID,
										  SEGUE_SIGNALED)),
							 add),
					8);
			},
			[&](auto &args) { aim(r, args, 8), args.swap_add = add; },
			[](auto *sq, auto *args) { return segue_post_atomic_fa(sq, args); });
		changed<T, uint64_t>(r, former, former + add);
	}
}

template <class T> void masked_swap32(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;

	for (uint32_t off : {0u, 0x100u}) { // fits under the mask, then does not
		const uint32_t former = word_of<uint32_t>(r.there.want, WORD);
		const Masked<uint32_t> m = {(former ^ 0xff) + off, 0x51627384, 0x00ffff00,
					    0xf0f00f0f};

		r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_masked_atomic_cs32)>(
			[&](auto *sq) {
				return landed(
					r,
					segue_masked_compare_swap32(
						aimed(r, segue_masked_atomic_cs32(sq, SEND_ID,
										  SEGUE_SIGNALED)),
						m.compare, m.swap, m.compare_mask, m.swap_mask),
					4);
			},
			[&](auto &args) {
				aim(r, args, 4);
				args.swap = m.swap, args.compare = m.compare,
				args.swap_mask = m.swap_mask, args.compare_mask = m.compare_mask;
			},
			[](auto *sq, auto *args) {
				return segue_post_masked_atomic_cs32(sq, args);
			});
		changed<T, uint32_t>(r, former, m.after(former));
	}
}

template <class T> void masked_swap64(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;

	for (uint64_t off : {UINT64_C(0), UINT64_C(1) << 40}) {
		const uint64_t former = word_of<uint64_t>(r.there.want, WORD);
		const Masked<uint64_t> m = {(former ^ 0xff) + off, UINT64_C(0x5162738495a6b7c8),
					    UINT64_C(0xffffffffff000000),
					    UINT64_C(0x0f0f0f0f0000ffff)};

		r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_masked_atomic_cs64)>(
			[&](auto *sq) {
				return landed(
					r,
					segue_masked_compare_swap64(
						aimed(r, segue_masked_atomic_cs64(sq, SEND_ID,
										  SEGUE_SIGNALED)),
						m.compare, m.swap, m.compare_mask, m.swap_mask),
					8);
			},
			[&](auto &args) {
				aim(r, args, 8);
				args.swap = m.swap, args.compare = m.compare,
				args.swap_mask = m.swap_mask, args.compare_mask = m.compare_mask;
			},
			[](auto *sq, auto *args) {
				return segue_post_masked_atomic_cs64(sq, args);
			});
		changed<T, uint64_t>(r, former, m.after(former));
	}
}

template <class T> void masked_add32(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	const uint32_t add = 0xff01ff81, boundary = 0x80808080;
	const uint32_t former = word_of<uint32_t>(r.there.want, WORD);

	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_masked_atomic_fa32)>(
		[&](auto *sq) {
			return landed(
				r,
				segue_masked_fa32(aimed(r, segue_masked_atomic_fa32(
								   sq, SEND_ID, SEGUE_SIGNALED)),
						  add, boundary),
				4);
		},
		[&](auto &args) {
			aim(r, args, 4), args.add = add, args.field_boundary = boundary;
		},
		[](auto *sq, auto *args) { return segue_post_masked_atomic_fa32(sq, args); });
	changed<T, uint32_t>(r, former, add_fields(former, add, boundary));
}

template <class T> void masked_add64(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	const uint64_t add = UINT64_C(0xffff0001ffffffff), boundary = UINT64_C(0x8000800080000000);
	const uint64_t former = word_of<uint64_t>(r.there.want, WORD);

	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_masked_atomic_fa64)>(
		[&](auto *sq) {
			return landed(
				r,
				segue_masked_fa64(aimed(r, segue_masked_atomic_fa64(
								   sq, SEND_ID, SEGUE_SIGNALED)),
						  add, boundary),
				8);
		},
		[&](auto &args) {
			aim(r, args, 8), args.add = add, args.field_boundary = boundary;
		},
		[](auto *sq, auto *args) { return segue_post_masked_atomic_fa64(sq, args); });
	changed<T, uint64_t>(r, former, add_fields(former, add, boundary));
}

template <class T> void add_plain()
{
	Entries<T>()
		.by(libmlx5_for<T>())
		.add("atomic_cs", {}, compare_and_swap<T>)
		.add("atomic_fa", {}, fetch_and_add<T>);
}

template <class T> void add_masked()
{
	Entries<T>()
		.add("masked_atomic_cs32", {}, masked_swap32<T>)
		.add("masked_atomic_cs64", {}, masked_swap64<T>)
		.add("masked_atomic_fa32", {}, masked_add32<T>)
		.add("masked_atomic_fa64", {}, masked_add64<T>);
}

const bool added = (add_plain<Rc>(), add_plain<Xrc>(), add_plain<Dc>(), add_plain<DcCompact>(),
		    add_masked<Rc>(), add_masked<Dc>(), add_masked<DcCompact>(), true);

} // namespace
} // namespace requests
