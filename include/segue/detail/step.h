/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The generated names that a user calls, and the way to their functions. Each state, and each
 * queue, has a member of no size for each step that can be taken from it. The type of the member
 * has the step's function and the next state. In C a step is a macro that binds its first argument,
 * a state or a queue, once, and reads that member:
 *
 *   __extension__({ __auto_type n = (first); __auto_type way = &n.segue_sge[0]; ...f(n.b, ...); })
 *
 * In C++ the members are types, and a step is a template of the state. Calls with a queue are
 * overloaded, so that their address can be taken and arguments that convert to a queue can be
 * given. A chain costs what its steps cost, however long it is, and a mistake is one error that
 * names state and step: "'struct segue_rc_rdma_write_wants_raddr' has no member named 'segue_sge'".
 * A mistaken step returns a struct seguei_refused, which every step may follow, so that there are
 * no errors about the steps after it.
 *
 * Limits: as all statement expressions these stand inside of functions only, not in an initializer
 * at file scope or in the size of an array there.
 */
#ifndef SEGUE_DETAIL_STEP_H
#define SEGUE_DETAIL_STEP_H

#include "segue/detail/check.h"
#include "segue/detail/compiler.h"

/*
 * SEGUE_INLINE is not a flag, though IBV_SEND_INLINE is one: the steps of a request determine its
 * payload.
 */
/* clang-format off: _Pragma() takes one literal */
#define SEGUE_INLINE \
	_Pragma("GCC error \"SEGUE_INLINE is no flag: say segue_inline_data(), not segue_sge()\"") 0
/* clang-format on */

/* The member of a queue that a function takes as its argument. */
#define SEGUEI_ITSELF(queue) queue
#define SEGUEI_ITS_SQ(queue) &(queue)->sq

/* How requests of a machine end. Its name, too, may be that of a macro, and is pasted at once. */
#define SEGUEI_RECV_ENDS(machine)                         \
	SEGUEI_HAS_END(commit, machine##_end_commit, int) \
	SEGUEI_HAS_END(post, machine##_end_post, int)
#define SEGUEI_ENDS(machine)                              \
	SEGUEI_HAS_END(commit, machine##_end_commit, int) \
	SEGUEI_HAS_END(post, machine##_end_post, int)     \
	SEGUEI_HAS_END(post_blueflame, machine##_end_post_blueflame, int)

#ifdef __cplusplus

/*
 * The step segue_NAME() can be taken from here, by seguei_FUNCTION(), to struct segue_NEXT. Names
 * are pasted in the macro that gets them, because a program may have a macro of that name.
 */
#define SEGUEI_HAS_STEP(name, function, next) \
	typedef seguei_way<struct segue_##next, SEGUEI_BY(seguei_##function)> segue_##name;
/* The same for a name that returns a `type`. */
#define SEGUEI_HAS_END(name, function, type) \
	typedef seguei_way<type, SEGUEI_BY(seguei_##function)> segue_##name;
#define SEGUEI_BY(function) struct function##_way
#define SEGUEI_STATE

template <class To, class By> struct seguei_way {
	typedef To to;
	typedef By by;
};
template <class To, bool Is> struct seguei_if {
};
template <class To> struct seguei_if<To, true> {
	typedef To to;
};

/* Whether a type is one of `Those`, in C++11. */
template <class Type, class... Those> struct seguei_is_one_of {
	static constexpr bool value = false;
};
template <class Type, class First, class... Others>
struct seguei_is_one_of<Type, First, Others...> {
	static constexpr bool value = __is_same(Type, First) ||
				      seguei_is_one_of<Type, Others...>::value;
};
template <class Way, class... Those> struct seguei_is_by {
	static constexpr bool value = sizeof...(Those) == 0 ||
				      seguei_is_one_of<typename Way::by, Those...>::value;
};

/* The next state of a step, or none if it is by none of those functions, if any are given. */
template <class Way, class... Those>
using seguei_to = typename seguei_if<typename Way::to, seguei_is_by<Way, Those...>::value>::to;

/* The function by which a step is taken. */
#define SEGUEI_WAY(function)                                                                  \
	SEGUEI_BY(function){template <class... Given>                                         \
			    SEGUEI_HOT_FUNCTION auto call(Given... given)                     \
				    ->decltype(function(given...)){return function(given...); \
	}                                                                                     \
	}                                                                                     \
	;

/* Converts by assignment: with braces gcc 12 keeps the whole of it in memory. */
template <class To, class Build> SEGUEI_HOT_FUNCTION To seguei_made(Build b)
{
	To to;

	to.b = b;
	return to;
}

/* The body of a function that a program calls. */
#define SEGUEI_CALLS(...) { SEGUEI_NOTE_CALLER return __VA_ARGS__; }
/* The same for a function that begins a request by one of the ring's. `way`: the queue's member. */
#define SEGUEI_MAKES(way, function, ...) \
	SEGUEI_CALLS(seguei_made<segue_##way::to>(seguei_##function(__VA_ARGS__)))
#define SEGUEI_BEGINS(way, function, queue, ...) \
	SEGUEI_MAKES(way, function, SEGUEI_START(queue), __VA_ARGS__)

/*
 * SEGUEI_NO() and the macro after it frame the overload that fits no other argument. The compiler's
 * message stands between them. `has_it` is whether the state or queue has this step, `has<Held,
 * ...>` whether by one of those functions.
 */
#define SEGUEI_NO(no, name, ...)                                                    \
	struct no {                                                                 \
		template <class State, class... Those>                              \
		static constexpr bool has(typename State::name *)                   \
		{                                                                   \
			return seguei_is_by<typename State::name, Those...>::value; \
		}                                                                   \
		template <class, class...> static constexpr bool has(...)           \
		{                                                                   \
			return false;                                               \
		}                                                                   \
		no(struct seguei_refused)                                           \
		{                                                                   \
		}                                                                   \
		template <class State> no(const State &)                            \
		{                                                                   \
			typedef __VA_ARGS__ Held;                                   \
			constexpr bool has_it = has<Held>(nullptr);
#define SEGUEI_NO_STATE(name) SEGUEI_NO(seguei_no_##name, segue_##name, State)
#define SEGUEI_NO_QUEUE(name) \
	SEGUEI_NO(seguei_no_##name, segue_##name, typename seguei_pointed<State>::type)
#define SEGUEI_NO_MORE(name) \
	}                    \
	}                    \
	;                    \
	seguei_refused segue_##name(seguei_no_##name, ...);

/* A queue, or a type that is neither. */
struct seguei_first_request {
	template <bool Right> struct only {
		static_assert(Right, "not this step: what comes first is a request of this queue, "
				     "and the step behind it");
	};
};
struct seguei_first_unknown {
	template <bool Right> struct only {
		static_assert(Right, "the first argument is neither a queue nor a request that is "
				     "being built");
	};
};
template <class State> typename State::seguei_next seguei_following(const State *);
template <class Queue> seguei_first_request seguei_following(Queue *const *);
seguei_first_unknown seguei_following(...);
template <class State, bool Right>
using seguei_only = typename decltype(seguei_following(
	static_cast<const State *>(nullptr)))::template only<Right>;

/* Both frame a set of steps. Between them stands the message if none of the steps comes next. */
#define SEGUEI_NEXT_STEPS(steps)     \
	struct seguei_next_##steps { \
		template <bool Right> struct only {
#define SEGUEI_NEXT_END \
	}               \
	;               \
	}               \
	;

/* The result of a refused step: the steps after it cause no errors. */
struct seguei_refused {
	operator int() const;
};

/* The type of a queue's argument, without its pointer. */
template <class Given> struct seguei_pointed {
	struct type;
};
template <class Queue> struct seguei_pointed<Queue *> {
	typedef Queue type;
};

/*
 * The value that is passed on, and the steps that can follow, as the compiler's messages name them.
 */
#define SEGUEI_NEXT(build, steps)                       \
	typedef struct seguei_next_##steps seguei_next; \
	struct seguei_##build b;

/* In checked builds each step knows the line from which it was called. */
#if SEGUE_CHECKED
#define SEGUEI_CALLER \
	, const char *seguei_file = __builtin_FILE(), int seguei_line = __builtin_LINE()
#define SEGUEI_NOTE_CALLER seguei_note_caller(seguei_file, seguei_line);
#else
#define SEGUEI_CALLER
#define SEGUEI_NOTE_CALLER
#endif

#else

#if SEGUE_CHECKED
#define SEGUEI_NOTE_CALLER seguei_note_caller(__FILE__, __LINE__);
#else
#define SEGUEI_NOTE_CALLER
#endif

#define SEGUEI_HAS_STEP(name, function, next) \
	SEGUEI_HAS(segue_##name, seguei_##function##_way, struct segue_##next)
#define SEGUEI_HAS_END(name, function, type) SEGUEI_HAS(segue_##name, seguei_##function##_way, type)
#define SEGUEI_HAS(name, way, type) \
	__extension__ struct {      \
		type *to[0];        \
		struct way *by[0];  \
	} name[0];
#define SEGUEI_NEXT(build, steps) struct seguei_##build b;

/* 1 if there is more than one argument (up to 24), otherwise 0. */
#define SEGUEI_MORE(...)                                                                         \
	SEGUEI_MORE_(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, \
		     1, 1, 0, 0)
#define SEGUEI_MORE_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, \
		     ...)                                                                       \
	y

/*
 * The bound value's name. clang warns of equal names in nested steps (-Wshadow). gcc does not, and
 * reports an unknown name only once: if an argument is wrong, no errors follow for each step around
 * it.
 */
#ifdef __clang__
#define SEGUEI_BOUND SEGUEI_JOIN(seguei_bound_, __COUNTER__)
#else
#define SEGUEI_BOUND seguei_bound
#endif

/*
 * The results of a mistake. gcc declares no variable with a wrong value, so that its name then
 * means the function: a global variable in its place would cause a warning (-Wshadow). clang
 * reports no further uses of the variable, but may take the step for another one with a similar
 * name: a function that is none of the step's leads nowhere, too.
 */
struct seguei_refused;
struct seguei_refused_b {
	char nothing;
};
struct seguei_refused_way {
	__extension__ struct seguei_refused *to[0];
	__extension__ struct seguei_refused_b *by[0];
};
struct seguei_refused seguei_way(void); /* is defined nowhere */
extern struct seguei_refused seguei_nothing;

/*
 * The function of a mistake that the compiler has reported already. These exist nowhere, and take
 * any arguments.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
/* In C23 () takes nothing, and ... may stand alone. gcc 12 and clang 14 know neither yet. */
#if __STDC_VERSION__ > 201710L && (defined(__clang__) ? __clang_major__ >= 15 : __GNUC__ >= 13)
#define SEGUEI_ANYTHING ...
#else
#define SEGUEI_ANYTHING
#endif
#define SEGUEI_NO_STEP __attribute__((error("this is not a step of this state")))
SEGUEI_NO_STEP struct seguei_refused seguei_refused(SEGUEI_ANYTHING);
SEGUEI_NO_STEP struct seguei_refused_b seguei_refused_b(SEGUEI_ANYTHING);
SEGUEI_NO_STEP int seguei_refused_end(SEGUEI_ANYTHING);
#pragma GCC diagnostic pop

/* clang-format off: it misreads _Generic */
#ifdef __clang__
#define SEGUEI_IF_REFUSED(refused, otherwise) _Generic(seguei_way, default : otherwise)
#else
#define SEGUEI_IF_REFUSED(refused, otherwise) \
	_Generic(seguei_way, struct seguei_refused(*)(void) : (refused), default : otherwise)
#endif
#define SEGUEI_CHOSEN	    SEGUEI_IF_REFUSED((struct seguei_refused_way *)0, seguei_way)
#define SEGUEI_LIST(...)    __VA_ARGS__
#define SEGUEI_BY(function) struct function##_way * : function
#define SEGUEI_ELSE(refused) \
	default:             \
		seguei_refused##refused
#define SEGUEI_PICKED(functions) _Generic(*SEGUEI_CHOSEN->by, SEGUEI_LIST functions)
#define SEGUEI_TO(functions)                                                     \
	_Generic(SEGUEI_PICKED(functions), __typeof__(&seguei_refused)           \
		 : (struct seguei_refused_way *)0, __typeof__(&seguei_refused_b) \
		 : (struct seguei_refused_way *)0, default                       \
		 : SEGUEI_CHOSEN)
/* clang-format on */

/*
 * Warnings of a dropped state or error. clang gives them only for the attribute of a called
 * function: here one that is never called at run time. If an argument is wrong, the statement
 * before is the value. gcc forgets the attribute in a statement expression that declares something,
 * and ignores a [[nodiscard]] type either. It warns of a member that is not used, with
 * -Wunused-value, which is part of -Wall and of the flags in segue.pc.
 */
#ifdef __clang__
#define SEGUEI_STATE __attribute__((warn_unused_result)) /* stands after its members */
__attribute__((warn_unused_result)) int seguei_end(void); /* is defined nowhere */
SEGUEI_HOT_FUNCTION int seguei_refusal_end(void)
{
	return 0;
}
#define SEGUEI_MADE                                                          \
	__typeof__(seguei_made.state) (*seguei_none)(void) = 0;              \
	seguei_refusal();                                                    \
	1 ? *(0 ? *SEGUEI_MADE_BY->to : &seguei_made.state) : seguei_none(); \
	})
/* clang-format off: it misreads _Generic */
#define SEGUEI_MADE_BY                                     \
	_Generic(seguei_made.state, struct seguei_refused  \
		 : (struct seguei_refused_way *)0, default \
		 : seguei_way)
/* clang-format on */
#define SEGUEI_ENDED                          \
	seguei_refusal_end();                 \
	1 ? seguei_made.state : seguei_end(); \
	})
#else
#define SEGUEI_STATE
#define SEGUEI_ENDED \
	seguei_made; \
	}).state
#define SEGUEI_MADE SEGUEI_ENDED
#endif

/*
 * A step. `n` binds `first`, `name` is its member, `part` the part of the state that the function
 * takes, `into` the conversion of its result to the next state, and `functions` those of that name.
 * The rest is empty, or the further arguments. SEGUEI_MADE or SEGUEI_ENDED comes after it.
 */
#define SEGUEI_STEP(n, first, name, part, into, functions, ...) \
	__extension__({ \
	__auto_type n = (first); \
	__auto_type seguei_way = 1 ? 0 : &n.name[0]; \
	struct { \
		__typeof__(**SEGUEI_TO(functions)->to) state; \
	} seguei_made; \
	SEGUEI_NOTE_CALLER \
	seguei_made.state into = _Generic(*SEGUEI_CHOSEN->by, SEGUEI_LIST functions)( \
		SEGUEI_IF_REFUSED(seguei_nothing, n) part __VA_ARGS__);
/* A request's end. Its result is an error. */
#define SEGUEI_END(n, first, name, part, into, functions, ...) \
	__extension__({ \
	__auto_type n = (first); \
	__auto_type seguei_way = 1 ? 0 : &n.name[0]; \
	struct { \
		int state; \
	} seguei_made; \
	SEGUEI_NOTE_CALLER \
	seguei_made.state = _Generic(*SEGUEI_CHOSEN->by, SEGUEI_LIST functions)( \
		SEGUEI_IF_REFUSED(seguei_nothing, n) part);
/* The begin at a queue. The macro `part` gives the part that the function takes. */
#define SEGUEI_BEGIN(n, first, name, part, into, functions, ...) \
	__extension__({ \
	__auto_type n = (first); \
	__auto_type seguei_way = 1 ? 0 : &(*n).name[0]; \
	struct { \
		__typeof__(**SEGUEI_TO(functions)->to) state; \
	} seguei_made; \
	SEGUEI_NOTE_CALLER \
	seguei_made.state into = _Generic(*SEGUEI_CHOSEN->by, SEGUEI_LIST functions)( \
		part(SEGUEI_IF_REFUSED(&seguei_nothing, n)) __VA_ARGS__);
/* A whole request. Its result is an error. */
#define SEGUEI_CALL(n, first, name, part, into, functions, ...) \
	__extension__({ \
	__auto_type n = (first); \
	__auto_type seguei_way = 1 ? 0 : &(*n).name[0]; \
	struct { \
		int state; \
	} seguei_made; \
	SEGUEI_NOTE_CALLER \
	seguei_made.state = _Generic(*SEGUEI_CHOSEN->by, SEGUEI_LIST functions)( \
		SEGUEI_IF_REFUSED(&seguei_nothing, n) __VA_ARGS__);
/* A call without a result. */
#define SEGUEI_DO(n, first, name, part, into, functions, ...)                                 \
	__extension__({                                                                       \
		__auto_type n = (first);                                                      \
		__auto_type seguei_way = 1 ? 0 : &(*n).name[0];                               \
		SEGUEI_NOTE_CALLER                                                            \
		_Generic(*SEGUEI_CHOSEN->by,                                                  \
			 SEGUEI_LIST functions)(part(SEGUEI_IF_REFUSED(&seguei_nothing, n))); \
	})

#endif

#endif
