/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Handlers of C++ for functions of C, which do not let exceptions pass (segue_wc_handler). Part of
 * segue.hpp.
 *
 * Owner: handlers are the caller's, for as long as the call takes.
 * Threads: that of the call.
 * Errors: what a handler throws.
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
/* Anything that is called with a completion, as C's functions take it. */
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
/* A handler that may throw, in the midst of what cannot: its first exception is kept. */
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
 * What `how` of C returns, which is given a handler and its argument, after which the exception of
 * a handler goes on.
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
