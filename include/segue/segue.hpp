/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Segue for C++17: owners that close their objects, memory as spans, and results that cannot be
 * ignored. Header only. Requests are the same chains of steps as in C:
 *
 *   auto device = segue::device::open().value();
 *   auto pd = segue::pd::open(device).value();
 *   auto mr = segue::mr::open(pd, buffer, SEGUE_ACCESS_REMOTE_WRITE).value();
 *   …
 *   segue_post(segue_sge(segue_raddr(segue_rdma_write(qp.sq(), 1, SEGUE_SIGNALED), addr, rkey),
 *                        piece.addr, piece.length, piece.key.lkey));
 *
 * Objects without a class here are used through get(), which is the pointer that C functions take,
 * or owned through segue::own().
 *
 * Owner: each object keeps its parents open, so that children close before their parents, in any
 *   order in which variables go out of scope. Objects move and do not copy. Memory stays the
 *   caller's.
 * Threads: as the C functions below.
 * Errors: segue::result, which holds a value or a segue::error with errno and sentence.
 * Source: the C headers, which have sources of their own.
 */
#ifndef SEGUE_SEGUE_HPP
#define SEGUE_SEGUE_HPP

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "segue/segue.hpp is for C++17 and later; C programs include the headers of the parts"
#endif

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "segue/ah.h"
#include "segue/base.h"
#include "segue/cq.h"
#include "segue/detail/call.hpp"
#include "segue/device.h"
#include "segue/endpoint.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "segue/pool.h"
#include "segue/qp.h"
#include "segue/srq.h"

namespace segue {

/** The reason of a failed call: the negative errno, and the sentence of segue_errmsg(). */
class error : public std::exception {
public:
	error(int code, std::string sentence) : code_(code), sentence_(std::move(sentence)) {}

	/** error::last() is the error of the call that has just returned `code` on this thread. */
	static error last(int code) { return {code, segue_errmsg()}; }

	/** The negative errno. */
	int code() const noexcept { return code_; }

	const char *what() const noexcept override { return sentence_.c_str(); }

private:
	int code_;
	std::string sentence_;
};

/* The effect of value() of a failure: throws, or prints the sentence if there are no exceptions. */
[[noreturn]] inline void throw_or_abort(const error &why)
{
#ifdef __cpp_exceptions
	throw why;
#else
	std::fprintf(stderr, "segue: %s\n", why.what());
	std::abort();
#endif
}

/** A value, or an error, with the main part of std::expected (C++23). */
template <class T> class [[nodiscard]] result {
public:
	using value_type = T;

	result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
	result(segue::error why) : state_(std::in_place_index<1>, std::move(why)) {}

	bool has_value() const noexcept { return state_.index() == 0; }
	explicit operator bool() const noexcept { return has_value(); }

	/** value() throws the segue::error if there is no value. Without exceptions it aborts. */
	T &value() &
	{
		need();
		return **this;
	}

	T &&value() &&
	{
		need();
		return std::move(**this);
	}

	/** Only if has_value(). */
	T &operator*() noexcept { return *std::get_if<0>(&state_); }
	const T &operator*() const noexcept { return *std::get_if<0>(&state_); }
	T *operator->() noexcept { return std::get_if<0>(&state_); }
	const T *operator->() const noexcept { return std::get_if<0>(&state_); }

	/** Only if not has_value(). */
	const segue::error &error() const noexcept { return *std::get_if<1>(&state_); }

	/** and_then() continues with `next`, which takes the value and returns a result. */
	template <class F> auto and_then(F &&next) && -> std::invoke_result_t<F, T &&>
	{
		if (!has_value())
			return error();
		return std::forward<F>(next)(std::move(**this));
	}

private:
	void need() const
	{
		if (!has_value())
			throw_or_abort(error());
	}

	std::variant<T, segue::error> state_;
};

/** Success, or an error. */
template <> class [[nodiscard]] result<void> {
public:
	using value_type = void;

	result() = default;
	result(segue::error why) : why_(std::in_place_index<1>, std::move(why)) {}

	bool has_value() const noexcept { return why_.index() == 0; }
	explicit operator bool() const noexcept { return has_value(); }

	void value() const
	{
		if (!has_value())
			throw_or_abort(error());
	}

	/** Only if not has_value(). */
	const segue::error &error() const noexcept { return *std::get_if<1>(&why_); }

	template <class F> auto and_then(F &&next) && -> std::invoke_result_t<F>
	{
		if (!has_value())
			return error();
		return std::forward<F>(next)();
	}

private:
	std::variant<std::monostate, segue::error> why_;
};

/** segue::check() makes a result of a C function's return value: 0, or a negative errno. */
inline result<void> check(int ret)
{
	if (ret < 0)
		return error::last(ret);
	return {};
}

/** Memory that may be written: of any array, vector or span of trivially copyable elements. */
class bytes {
public:
	bytes(void *data, std::size_t size) noexcept : data_(data), size_(size) {}

	/* From an lvalue only: a temporary is gone before a device reaches it. */
	template <class C,
		  class E = std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>,
		  class = std::enable_if_t<!std::is_const_v<E> && std::is_trivially_copyable_v<E>>>
	bytes(C &container) noexcept
	    : data_(std::data(container)), size_(std::size(container) * sizeof(E))
	{
	}

	void *data() const noexcept { return data_; }
	std::size_t size() const noexcept { return size_; }

private:
	void *data_;
	std::size_t size_;
};

/** Memory that is only read. */
class const_bytes {
public:
	const_bytes(const void *data, std::size_t size) noexcept : data_(data), size_(size) {}
	const_bytes(bytes writable) noexcept : data_(writable.data()), size_(writable.size()) {}

	template <class C,
		  class E = std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>,
		  class = std::enable_if_t<std::is_trivially_copyable_v<E>>>
	const_bytes(C &container) noexcept
	    : data_(std::data(container)), size_(std::size(container) * sizeof(E))
	{
	}

	const void *data() const noexcept { return data_; }
	std::size_t size() const noexcept { return size_; }

private:
	const void *data_;
	std::size_t size_;
};

/* Closes a C object, and afterwards releases its parents. */
template <class T> class closer {
public:
	using function = int (*)(T *);
	static constexpr std::size_t most_parents = 4;
	using parents = std::array<std::shared_ptr<void>, most_parents>;

	closer(function close, parents held) : close_(close), held_(std::move(held)) {}

	void operator()(T *object) const noexcept
	{
		if (!done_)
			(void)close_(object);
	}

	/* Closes before the last owner is gone. Returns 0, or the object stays open. */
	int now(T *object)
	{
		const int ret = close_(object);

		done_ = ret == 0;
		return ret;
	}

private:
	function close_;
	parents held_;
	bool done_ = false;
};

/**
 * Owns a C object, and keeps its parents open. Moves, and does not copy. After a move get() of the
 * source is NULL.
 */
template <class T> class owner {
public:
	owner(const owner &) = delete;
	owner &operator=(const owner &) = delete;
	owner(owner &&) noexcept = default;
	owner &operator=(owner &&) noexcept = default;
	~owner() = default;

	/** The pointer for C functions. It stays the owner's. */
	T *get() const noexcept { return object_.get(); }

	/**
	 * close() closes now, and returns the result, which a destructor cannot. -EBUSY while an
	 * object that was opened on this is still open.
	 */
	result<void> close()
	{
		if (!object_)
			return {};
		if (object_.use_count() > 1)
			return error(-EBUSY,
				     "segue::owner: what was opened on this object is still "
				     "open; close that first");
		if (int ret = std::get_deleter<closer<T>>(object_)->now(object_.get()))
			return error::last(ret);
		object_.reset();
		return {};
	}

	/* For objects that are opened on this. */
	std::shared_ptr<void> share() const noexcept { return object_; }

	template <class... Parents>
	owner(T *object, int (*closing)(T *), const Parents &...parents)
	    : object_(object, closer<T>(closing, {parents.share()...}))
	{
	}

private:
	std::shared_ptr<T> object_;
};

/**
 * segue::own() takes over a C object that has no class here.
 * @open: called with &object. Returns 0, or a negative errno with segue_errmsg()
 * @close: its closing function, for example segue_dm_close
 * @parents: objects on which it was opened
 *
 *   auto dm = segue::own<segue_dm>(
 *           [&](segue_dm **out) { return segue_dm_open(pd.get(), &how, out); },
 *           segue_dm_close, pd);
 */
template <class T, class Open, class... Parents>
result<owner<T>> own(Open &&open, int (*close)(T *), const Parents &...parents)
{
	T *object = nullptr;

	if (int ret = std::forward<Open>(open)(&object))
		return error::last(ret);
	return owner<T>(object, close, parents...);
}

/* As own(), into the class C with the base owner<T>. */
template <class C, class T, class Open, class... Parents>
result<C> own_as(Open &&open, int (*close)(T *), const Parents &...parents)
{
	auto owned = own<T>(std::forward<Open>(open), close, parents...);

	if (!owned)
		return owned.error();
	return C(std::move(*owned));
}

/** See segue/device.h. */
class device : public owner<segue_device> {
public:
	explicit device(owner<segue_device> &&from) noexcept : owner(std::move(from)) {}

	/** As segue_device_open(). */
	static result<device> open(const char *name = nullptr)
	{
		return own_as<device, segue_device>(
			[&](segue_device **out) { return segue_device_open(name, out); },
			segue_device_close);
	}

	/** As segue_device_adopt(). */
	static result<device> adopt(ibv_context *context)
	{
		return own_as<device, segue_device>(
			[&](segue_device **out) { return segue_device_adopt(context, out); },
			segue_device_close);
	}

	const char *name() const noexcept { return segue_device_name(get()); }
	const segue_caps &caps() const noexcept { return *segue_device_caps(get()); }

	/** path() is a path for a port, filled by segue_path_init(). */
	result<segue_path> path(std::uint8_t port) const
	{
		segue_path path;

		if (int ret = segue_path_init(&path, get(), port))
			return error::last(ret);
		return path;
	}
};

/** See segue/pd.h. */
class pd : public owner<segue_pd> {
public:
	explicit pd(owner<segue_pd> &&from) noexcept : owner(std::move(from)) {}

	static result<pd> open(const device &device)
	{
		return own_as<pd, segue_pd>(
			[&](segue_pd **out) { return segue_pd_open(device.get(), out); },
			segue_pd_close, device);
	}
};

/** See segue/mr.h. The memory outlives the region. */
class mr : public owner<segue_mr> {
public:
	explicit mr(owner<segue_mr> &&from) noexcept : owner(std::move(from)) {}

	/** For this side, which may write to it, and for peers with the rights of `access`. */
	static result<mr> open(const pd &pd, bytes memory, std::uint32_t access = 0)
	{
		return make(pd, memory.data(), memory.size(), access | SEGUE_ACCESS_LOCAL_WRITE);
	}

	/** For this side's own requests, which only read it: the payload of SENDs and WRITEs. */
	static result<mr> open_read_only(const pd &pd, const_bytes memory)
	{
		return make(pd, const_cast<void *>(memory.data()), memory.size(), 0);
	}

	/** local() describes a piece as an SGE, by bytes from the start of the region. */
	result<segue_local_buf> local(std::uint64_t offset, std::uint64_t length) const
	{
		segue_local_buf piece;

		if (int ret = segue_mr_local_buf(get(), offset, length, &piece))
			return error::last(ret);
		return piece;
	}

	/** remote() describes a piece for a peer. */
	result<segue_remote_buf> remote(std::uint64_t offset, std::uint64_t length) const
	{
		segue_remote_buf piece;

		if (int ret = segue_mr_remote_buf(get(), offset, length, &piece))
			return error::last(ret);
		return piece;
	}

private:
	static result<mr> make(const pd &pd, void *addr, std::size_t length, std::uint32_t access)
	{
		segue_mr_options options{};

		options.addr = addr;
		options.length = length;
		options.access = access;
		return own_as<mr, segue_mr>(
			[&](segue_mr **out) { return segue_mr_open(pd.get(), &options, out); },
			segue_mr_close, pd);
	}
};

/** See segue/cq.h and segue/cq.h. */
class cq : public owner<segue_cq> {
public:
	explicit cq(owner<segue_cq> &&from) noexcept : owner(std::move(from)) {}

	static result<cq> open(const device &device, const segue_cq_options &options)
	{
		return own_as<cq, segue_cq>(
			[&](segue_cq **out) { return segue_cq_open(device.get(), &options, out); },
			segue_cq_close, device);
	}

	/**
	 * poll() is segue_cq_poll_each() with anything that can be called with a const segue_wc &.
	 * Returns the number of completions.
	 *
	 * A handler that is noexcept is inlined in the loop, as are all handlers if there are no
	 * exceptions. Another handler is called for one completion after the other, at some extra
	 * cost, and may throw: the completion that it was called with counts as polled, and the
	 * rest is for the next poll.
	 */
	template <class Handler> result<int> poll(int max, Handler &&handler) const
	{
		const int ret = poll_raw(max, handler);

		if (SEGUEI_UNLIKELY(ret < 0))
			return error::last(ret);
		return ret;
	}

	/** poll_raw() returns as segue_cq_poll_each(), for loops that count instructions. */
	template <class Handler>
	__attribute__((always_inline)) int poll_raw(int max, Handler &&handler) const
	{
		if constexpr (detail::throws<Handler>)
			return poll_guarded(max, handler);
		else
			return segue_cq_poll_each(get(), max, detail::call<Handler>,
						  detail::address_of(handler));
	}

      private:
	struct poll_end {
		segue_cq *cq;
		~poll_end()
		{
			segue_cq_end_poll(cq);
		}
	};

	template <class Handler> int poll_guarded(int max, Handler &handler) const
	{
		segue_wc wc;
		int count = 0, ret;

		if (max < 1)
			return 0;
		ret = segue_cq_start_poll(get(), &wc);
		if (ret == -ENOENT || ret == -EBUSY)
			return ret == -ENOENT ? 0 : ret;
		const poll_end end{get()};

		for (; !ret; ret = seguei_cq_next_or_leave(get(), &wc)) {
			count++;
			handler(static_cast<const segue_wc &>(wc));
			if (count == max)
				break;
		}
		return count ? count : ret;
	}
};

/** See segue/srq.h. */
class srq : public owner<segue_srq> {
public:
	explicit srq(owner<segue_srq> &&from) noexcept : owner(std::move(from)) {}

	static result<srq> open(const pd &pd, const segue_srq_options &options)
	{
		return own_as<srq, segue_srq>(
			[&](segue_srq **out) { return segue_srq_open(pd.get(), &options, out); },
			segue_srq_close, pd);
	}

	/**
	 * With a completion queue of its own (XRC, tag matching), which options.cq need not name.
	 */
	static result<srq> open(const pd &pd, segue_srq_options options, const cq &completions)
	{
		options.cq = completions.get();
		return own_as<srq, segue_srq>(
			[&](segue_srq **out) { return segue_srq_open(pd.get(), &options, out); },
			segue_srq_close, pd, completions);
	}
};

/** See segue/ah.h. */
class ah : public owner<segue_ah> {
public:
	explicit ah(owner<segue_ah> &&from) noexcept : owner(std::move(from)) {}

	static result<ah> open(const pd &pd, const segue_path &path)
	{
		return own_as<ah, segue_ah>(
			[&](segue_ah **out) { return segue_ah_open(pd.get(), &path, out); },
			segue_ah_close, pd);
	}

	/** The address vector for segue_av(). */
	const segue_address_vector *av() const noexcept { return segue_ah_av(get()); }
};

/** See segue/pool.h. */
class pool : public owner<segue_pool> {
public:
	explicit pool(owner<segue_pool> &&from) noexcept : owner(std::move(from)) {}

	static result<pool> open(const pd &pd, std::uint32_t count, std::uint32_t size)
	{
		segue_pool_options options{};

		options.count = count;
		options.size = size;
		return open(pd, options);
	}

	static result<pool> open(const pd &pd, const segue_pool_options &options)
	{
		return own_as<pool, segue_pool>(
			[&](segue_pool **out) { return segue_pool_open(pd.get(), &options, out); },
			segue_pool_close, pd);
	}

	std::uint32_t available() const noexcept { return segue_pool_available(get()); }
	void *pop() const noexcept { return segue_pool_pop(get()); }
	void push(void *buffer) const noexcept { segue_pool_push(get(), buffer); }

	/** post() posts free buffers as receives, at most `max`, and returns their number. */
	std::uint32_t post(segue_rq *rq, std::uint32_t max = UINT32_MAX) const noexcept
	{
		return segue_pool_post_rq(get(), rq, max);
	}
};

/* The send queue of each type of queue pair, and the completion queues that it names. */
template <segue_qp_type Type> struct qp_traits;

template <> struct qp_traits<SEGUE_QP_RC> {
	using sq = segue_rc_sq;
	static sq *of(segue_qp *qp)
	{
		return segue_qp_rc_sq(qp);
	}
	static constexpr bool receives = true;
};

template <> struct qp_traits<SEGUE_QP_UC> {
	using sq = segue_uc_sq;
	static sq *of(segue_qp *qp)
	{
		return segue_qp_uc_sq(qp);
	}
	static constexpr bool receives = true;
};

template <> struct qp_traits<SEGUE_QP_UD> {
	using sq = segue_ud_sq;
	static sq *of(segue_qp *qp)
	{
		return segue_qp_ud_sq(qp);
	}
	static constexpr bool receives = true;
};

template <> struct qp_traits<SEGUE_QP_XRC_INITIATOR> {
	using sq = segue_xrc_initiator_sq;
	static sq *of(segue_qp *qp)
	{
		return segue_qp_xrc_initiator_sq(qp);
	}
	static constexpr bool receives = false;
};

template <> struct qp_traits<SEGUE_QP_DCI> {
	using sq = segue_dci_sq;
	static sq *of(segue_qp *qp)
	{
		return segue_qp_dci_sq(qp);
	}
	static constexpr bool receives = false;
};

template <> struct qp_traits<SEGUE_QP_RAW_PACKET> {
	using sq = segue_raw_packet_sq;
	static sq *of(segue_qp *qp)
	{
		return segue_qp_raw_packet_sq(qp);
	}
	static constexpr bool receives = true;
};

/** See segue/qp.h. The type of its send queue is known, so only its own requests compile. */
template <segue_qp_type Type> class qp : public owner<segue_qp> {
	using traits = qp_traits<Type>;

public:
	using sq_type = typename traits::sq;

	explicit qp(owner<segue_qp> &&from) noexcept
	    : owner(std::move(from)), sq_(traits::of(get()))
	{
	}

	/** Completes sends, and receives if it has any, on one completion queue. */
	static result<qp> open(const pd &pd, const segue_qp_options &options, const cq &completions)
	{
		return open(pd, options, completions, completions);
	}

	/** Completes sends on one, receives on another. */
	static result<qp> open(const pd &pd, segue_qp_options options, const cq &sends,
			       const cq &receives)
	{
		name(options, sends, receives);
		return own_as<qp, segue_qp>(opening(pd, options), segue_qp_close, pd, sends,
					    receives);
	}

	/** Takes its receives from a shared queue. */
	static result<qp> open(const pd &pd, segue_qp_options options, const cq &sends,
			       const cq &receives, const srq &shared)
	{
		static_assert(traits::receives,
			      "segue::qp: this type of queue pair receives nothing");
		name(options, sends, receives);
		options.srq = shared.get();
		return own_as<qp, segue_qp>(opening(pd, options), segue_qp_close, pd, sends,
					    receives, shared);
	}

	/** The queue to post on. It lives as long as the queue pair. */
	sq_type *sq() const noexcept { return sq_; }

	/** Its own receive queue, or NULL with segue_errmsg() if it has none. */
	segue_rq *rq() const noexcept { return segue_qp_rq(get()); }

	std::uint32_t number() const noexcept { return segue_qp_number(get()); }

	/** As segue_qp_modify_to(). */
	result<void> to(enum segue_qp_state state, const segue_path &path)
	{
		return check(segue_qp_modify_to(get(), state, &path));
	}

	/** As segue_qp_connect(). */
	result<void> connect(const segue_path &path)
	{
		return check(segue_qp_connect(get(), &path));
	}

	/** As segue_endpoint_describe(), which may draw a PSN for the path. */
	result<segue_endpoint> describe(segue_path &path)
	{
		segue_endpoint endpoint;

		if (int ret = segue_endpoint_describe(&endpoint, get(), &path))
			return error::last(ret);
		return endpoint;
	}

	/**
	 * As segue_qp_flush(): `handler` is called with each completion, a const segue_wc &. If it
	 * throws, it is still called with the others, and its first exception leaves when the queue
	 * pair has come to rest.
	 */
	template <class Handler> result<void> flush(segue_deadline deadline, Handler &&handler)
	{
		return rest(segue_qp_flush, deadline, handler);
	}

	/** As segue_qp_drain(), likewise. */
	template <class Handler> result<void> drain(segue_deadline deadline, Handler &&handler)
	{
		return rest(segue_qp_drain, deadline, handler);
	}

	/** As segue_qp_explain(): a sentence that explains a completion of this queue pair. */
	std::string explain(const segue_wc &wc) const
	{
		std::string text(segue_qp_explain(get(), &wc, nullptr, 0) + 1, '\0');

		text.resize(segue_qp_explain(get(), &wc, text.data(), text.size()));
		return text;
	}

private:
	using resting = int (*)(segue_qp *, segue_deadline, segue_wc_handler, void *);

	template <class Handler>
	result<void> rest(resting how, segue_deadline deadline, Handler &handler)
	{
		return check(detail::with_handler(handler, [&](auto *call, void *arg) {
			return how(get(), deadline, call, arg);
		}));
	}

	static void name(segue_qp_options &options, const cq &sends, const cq &receives)
	{
		options.type = Type;
		options.send_cq = sends.get();
		options.recv_cq = traits::receives ? receives.get() : nullptr;
	}

	static auto opening(const pd &pd, const segue_qp_options &options)
	{
		return [&](segue_qp **out) { return segue_qp_open(pd.get(), &options, out); };
	}

	sq_type *sq_;
};

using rc_qp = qp<SEGUE_QP_RC>;
using uc_qp = qp<SEGUE_QP_UC>;
using ud_qp = qp<SEGUE_QP_UD>;
using xrc_initiator_qp = qp<SEGUE_QP_XRC_INITIATOR>;
using dci_qp = qp<SEGUE_QP_DCI>;
using raw_packet_qp = qp<SEGUE_QP_RAW_PACKET>;

#ifdef SEGUE_MULTI_CHANNEL_H /* only if it was included before */
/**
 * poll() is segue_multi_channel_poll_each() with anything that can be called with a const segue_wc
 * &. A handler that is not noexcept may throw: the completion that it was called with counts as
 * polled, and the rest is for the next poll.
 */
template <class Handler> result<int> poll(segue_multi_channel *multi, int max, Handler &&handler)
{
	const int at_a_time = detail::throws<Handler> ? 1 : max;
	int count = 0, ret = 1;

	while (count < max && ret > 0) {
		ret = detail::with_handler(handler, [&](auto *call, void *arg) {
			return segue_multi_channel_poll_each(multi, at_a_time, call, arg);
		});
		if (ret < 0)
			return error::last(ret);
		count += ret;
		if (!detail::throws<Handler>)
			break;
	}
	return count;
}
#endif

#ifdef SEGUE_SCOPE_H /* segue/peers.h was included before */
/** See segue/peers/scope.h: the destructor ends the scope, also when an exception is on its way. */
class scope {
public:
	scope(segue_multi_channel *multi, segue_deadline deadline)
	{
		segue_scope_begin(&scope_, multi, deadline);
	}
	~scope() { seguei_scope_close(&scope_); }
	scope(const scope &) = delete;
	scope &operator=(const scope &) = delete;

	/** As segue_scope_end(). */
	int end() { return segue_scope_end(&scope_); }

	/** As segue_scope_leave(). */
	int leave(segue_scope_left *left) { return segue_scope_leave(&scope_, left); }

private:
	segue_scope scope_;
};
#endif

} // namespace segue

#endif
