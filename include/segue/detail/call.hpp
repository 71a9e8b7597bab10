/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * C++ handlers for functions of C, which do not let exceptions pass (segue_wc_handler). Part of
 * segue.hpp.
 *
 * Owner: handlers are the caller's, for as long as the call takes.
 * Threads: that of the call.
 * Errors: exceptions of a handler.
 * Source: Segue's own.
 */
#ifndef SEGUE_DETAIL_CALL_HPP
#define SEGUE_DETAIL_CALL_HPP

#include <exception>
#include <memory>
#include <type_traits>

#include "segue/wc.h"

namespace segue
{
/* Adapters from any callable to a handler of C. */
namespace detail
{
template <class Handler>
constexpr bool throws =
#ifdef __cpp_exceptions
	!std::is_nothrow_invocable_v<Handler &, const segue_wc &>;
#else
	false;
#endif

template <class Handler> void *address_of(Handler &handler) noexcept
{
	return const_cast<void *>(static_cast<const void *>(std::addressof(handler)));
}

template <class Handler> inline void call(const segue_wc *wc, void *arg) noexcept
{
	(*static_cast<std::remove_reference_t<Handler> *>(arg))(*wc);
}

#ifdef __cpp_exceptions
/* Keeps the first exception of a handler that may throw, for code that must not. */
template <class Handler> struct keeper {
	Handler &handler;
	std::exception_ptr first = nullptr;

	static void call(const segue_wc *wc, void *arg) noexcept
	{
		keeper *const self = static_cast<keeper *>(arg);

		try {
			self->handler(*wc);
		} catch (...) {
			if (!self->first)
				self->first = std::current_exception();
		}
	}

	void rethrow() const
	{
		if (first)
			std::rethrow_exception(first);
	}
};
#endif

/*
 * Calls the C function `how` with a handler and its argument, and returns its result. If the
 * handler has thrown, its exception continues after the call.
 */
template <class Handler, class How> auto with_handler(Handler &handler, How &&how)
{
#ifdef __cpp_exceptions
	if constexpr (throws<Handler>) {
		keeper<Handler> keeping{handler};
		const auto ret = how(keeper<Handler>::call, static_cast<void *>(&keeping));

		keeping.rethrow();
		return ret;
	} else
#endif
		return how(call<Handler>, address_of(handler));
}
} // namespace detail
} // namespace segue

#endif
