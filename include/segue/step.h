/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the generated names that a user calls look in C. Each is a macro that binds its first
 * argument, a state or a queue, once, sees that it is a step of that state, and picks the function
 * for its type:
 *
 *   __extension__({ __auto_type n = (first); (void)sizeof(n.segue_sge); _Generic(n, …)(n, …); })
 *
 * So a chain costs what its steps cost, however long it is, and a mistake is one error that names
 * state and step: "'struct segue_rc_rdma_write_wants_raddr' has no member named 'segue_sge'". What
 * a mistake leaves behind is a struct seguei_refused, of which every step may follow, so that
 * nothing is said of the steps behind it.
 *
 * Limits: as all statement expressions these stand inside of functions only, not in an initializer
 * at file scope or in the size of an array there.
 */
#ifndef SEGUE_STEP_H
#define SEGUE_STEP_H

#include "segue/check.h"

/*
 * Who knows IBV_SEND_INLINE looks for a flag of this name. There is none: what a request carries is
 * said by its steps.
 */
/* clang-format off: _Pragma() takes one literal */
#define SEGUE_INLINE \
	_Pragma("GCC error \"SEGUE_INLINE is no flag: say segue_inline_data(), not segue_sge()\"") 0
/* clang-format on */

#ifdef __cplusplus

#define SEGUEI_HAS_STEP(name)

/* Which steps can follow, in the words of what the compiler says about others. */
#define SEGUEI_NEXT(steps) typedef struct seguei_next_##steps seguei_next;

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

/* A member without size: this step can be taken from here. */
#define SEGUEI_HAS_STEP(name) __extension__ char name[0];
#define SEGUEI_NEXT(steps)

#define SEGUEI_JOIN_(a, b) a##b
#define SEGUEI_JOIN(a, b)  SEGUEI_JOIN_(a, b)

/* 1 if there is more than one argument (up to 24), otherwise 0. */
#define SEGUEI_MORE(...)                                                                         \
	SEGUEI_MORE_(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, \
		     1, 1, 0, 0)
#define SEGUEI_MORE_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, \
		     ...)                                                                       \
	y

/*
 * The bound value's name. clang warns of equal names in nested steps (-Wshadow). gcc does not, and
 * says of an unknown name only once that it is unknown: where an argument is wrong, nothing follows
 * for each step around it.
 */
#ifdef __clang__
#define SEGUEI_BOUND SEGUEI_JOIN(seguei_bound_, __COUNTER__)
#else
#define SEGUEI_BOUND seguei_bound
#endif

/*
 * Around the call of the function. A state or an error that is dropped is found by the function's
 * SEGUE_MUST_CHECK in clang. gcc forgets that in a statement expression that declares something
 * (its value is a variable then), and says nothing of a [[nodiscard]] type either; it warns of a
 * member that nobody uses, with -Wunused-value, which is part of -Wall and of what segue.pc gives.
 * Tried and left: to call the function outside, whose type is that of the first argument, which
 * would be written twice, and twice as long with each step; to name the type by members of the
 * states, one after the other, which is short, and makes one mistake an error for each step behind
 * it; and to turn -Wunused-value on by a pragma, which makes of -Werror a warning again, and works
 * in no macro.
 */
struct seguei_refused;
struct seguei_refused seguei_result(void); /* nowhere */

/*
 * Where an argument is wrong (one too few, a misspelt constant) there is no result, and that
 * mistake is the only one to speak of: the steps around it go on from a seguei_refused. In clang
 * the call is not there then, and the value is that of the statement before it. In gcc the variable
 * is not there, and its name means the function declared above: a global variable in its place
 * would make -Wshadow speak.
 */
#ifdef __clang__
#define SEGUEI_TAKE	seguei_refusal();
#define SEGUEI_TAKE_INT seguei_refusal_int();
#define SEGUEI_TAKEN \
	; \
	})
#define SEGUEI_TAKEN_INT SEGUEI_TAKEN
#else
#define SEGUEI_TAKE	__auto_type seguei_result =
#define SEGUEI_TAKE_INT SEGUEI_TAKE
/* clang-format off: it takes _Generic for something else */
#define SEGUEI_RESULT(otherwise)                               \
	_Generic(seguei_result, struct seguei_refused(*)(void) \
		 : (otherwise), default                        \
		 : seguei_result)
#define SEGUEI_TAKEN_AS(result) \
	; \
	struct { \
		__typeof__(result) state; \
	} seguei_kept = { result }; \
	seguei_kept; \
	}).state
/* clang-format on */
#define SEGUEI_TAKEN	 SEGUEI_TAKEN_AS(SEGUEI_RESULT((struct seguei_refused){0}))
#define SEGUEI_TAKEN_INT SEGUEI_TAKEN_AS(SEGUEI_RESULT(0))
#endif

#endif

#endif
