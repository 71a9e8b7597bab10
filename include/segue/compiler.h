/* SPDX-License-Identifier: BSD-2-Clause */
/* What Segue asks of the compiler beyond C11 and C++17. */
#ifndef SEGUE_COMPILER_H
#define SEGUE_COMPILER_H

#ifndef __LP64__
#error "Segue is for 64-bit targets: its doorbells are stores of 8 bytes, its addresses have 64 bits"
#endif

/*
 * On the path of every work request: a call would cost more than the body. Without optimization it costs nothing that counts, and to have each step
 * once, not at each use, makes code half as long, sooner compiled, and one that a debugger steps over.
 */
#ifdef __OPTIMIZE__
#define SEGUE_INLINE static inline __attribute__((always_inline))
#else
#define SEGUE_INLINE static inline
#endif

/* As SEGUE_INLINE, for functions whose result must not be dropped: a builder that is never posted. */
#define SEGUE_BUILD __attribute__((warn_unused_result)) SEGUE_INLINE

/* Error paths, kept out of the way of the hot ones. */
#define SEGUE_COLD __attribute__((cold, noinline))

#define SEGUE_LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define SEGUE_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* True if the compiler knows the value: lets a check that is always true vanish. */
#define SEGUE_KNOWN(value) __builtin_constant_p(value)

/* Gives a value a register of its own, and keeps the compiler from looking into how it was made. */
#define SEGUEI_OWN_REGISTER(value) __asm__("" : "+r"(value))

#endif
