/* SPDX-License-Identifier: BSD-2-Clause */
/* Requirements on the compiler beyond C11 and C++11. */
#ifndef SEGUE_DETAIL_COMPILER_H
#define SEGUE_DETAIL_COMPILER_H

#include "segue/detail/declaration.h"

#ifndef __LP64__
#error "Segue is for 64-bit targets: doorbells are stores of 8 bytes, addresses have 64 bits"
#endif

/* Marks a step of a request, with a result that must be posted, or a post, which may be refused. */
#define SEGUEI_BUILD		   SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION

/* Error paths, kept out of the way of the hot ones. */
#define SEGUEI_COLD		   SEGUEI_OF_LIBRARY __attribute__((cold, noinline))

#define SEGUEI_LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define SEGUEI_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#define SEGUEI_JOIN_(a, b)	   a##b
#define SEGUEI_JOIN(a, b)	   SEGUEI_JOIN_(a, b)

/*
 * Ends the type of a function that a program passes: it must not throw. Before C++17 this is not
 * part of the type, and the compiler does not check it.
 */
#ifdef __cpp_noexcept_function_type
#define SEGUEI_NOEXCEPT noexcept
#else
#define SEGUEI_NOEXCEPT
#endif

/* True if the compiler knows the value, so that a check that is always true vanishes. */
#if SEGUEI_NVCC
#define SEGUEI_KNOWN(value) 0
#else
#define SEGUEI_KNOWN(value) __builtin_constant_p(value)
#endif

/*
 * Gives a value a register of its own, and hides its computation from the compiler. GPUs gain
 * nothing by it, and AMD's have registers of two kinds.
 */
#if SEGUEI_GPU
#define SEGUEI_OWN_REGISTER(value) ((void)0)
#else
#define SEGUEI_OWN_REGISTER(value) __asm__("" : "+r"(value))
#endif

#endif
