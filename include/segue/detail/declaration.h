/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declarations of functions in headers, written by hand or generated.
 *
 * A program that needs another declaration defines it before it includes any header. Code that
 * cannot link the library, such as a GPU's, also defines how the library's functions are declared,
 * and includes those (see segue/freestanding.h):
 *
 *   #define SEGUE_FUNCTION static inline __device__
 *   #define SEGUE_FREESTANDING __device__
 *   #include "segue/gen/builders.h"
 *   #include "segue/freestanding.h"
 *
 * A compiler of device code then takes segments, builders and rings unchanged.
 */
#ifndef SEGUE_DETAIL_DECLARATION_H
#define SEGUE_DETAIL_DECLARATION_H

#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L)
#error "Segue's headers want C11 or later, or C++11: compile with -std=c11 or -std=gnu11"
#endif
#if defined(__cplusplus) && __cplusplus < 201103L
#error "Segue's headers want C11 or later, or C++11: compile with -std=c++11 or later"
#endif

/* Names of a device that shares a program with others. Its spec has a `c_prefix`. */
#ifdef __has_include
#if __has_include("segue/gen/names.h")
#include "segue/gen/names.h"
#endif
#endif

#ifndef SEGUE_FUNCTION
#define SEGUE_FUNCTION static inline
#endif

/* nvcc knows fewer builtins in device code than gcc and clang, which it otherwise follows. */
#if defined(__CUDACC__) && !defined(__clang__)
#define SEGUEI_NVCC 1
#else
#define SEGUEI_NVCC 0
#endif

/*
 * True in the compiler's pass that makes code for a GPU. The other pass makes the host's version of
 * functions that are __host__ __device__.
 */
#if defined(__CUDA_ARCH__) || defined(__AMDGCN__)
#define SEGUEI_GPU 1
#else
#define SEGUEI_GPU 0
#endif

/* Payload goes to the ring by whole words, as a GPU writes it. A test makes hosts do the same. */
#ifndef SEGUEI_BY_WORDS
#define SEGUEI_BY_WORDS SEGUEI_GPU
#endif

/*
 * A place in the ring, or a prepared copy, that is known to be aligned. Without that knowledge
 * compilers of GPUs store byte by byte. Those of hosts store to any place at once.
 */
#if SEGUEI_GPU
#define SEGUEI_ALIGNED(type, place, bytes) ((type *)__builtin_assume_aligned(place, bytes))
#else
#define SEGUEI_ALIGNED(type, place, bytes) (place)
#endif

/*
 * Declarations of the library's functions that these call, and of the description of a transport,
 * which explains refusals.
 */
#ifdef SEGUE_FREESTANDING
#define SEGUEI_OF_LIBRARY	SEGUE_FREESTANDING
#define SEGUEI_MACHINE(machine) NULL
#else
#define SEGUEI_OF_LIBRARY
#define SEGUEI_MACHINE(machine) (&(machine))
#endif

/*
 * For functions on the path of every work request, where a call would cost more than the body.
 * Without optimization that does not matter, and each step as one function, not inlined at each
 * use, makes code half as long, compiles sooner, and lets a debugger step over it.
 */
#ifndef SEGUEI_HOT_FUNCTION
#ifdef __OPTIMIZE__
#define SEGUEI_HOT_FUNCTION SEGUE_FUNCTION __attribute__((always_inline))
#else
#define SEGUEI_HOT_FUNCTION SEGUE_FUNCTION
#endif
#endif

/*
 * Put before a function that reads or writes a struct and may have a twin, which does the same with
 * another struct. gcc 12 makes one function of both. With -flto it then forgets, in C++ programs
 * that link C, that the one struct is read at all, and drops the stores to it.
 */
#if defined(__has_attribute)
#if __has_attribute(no_icf)
#define SEGUEI_UNMERGED __attribute__((no_icf))
#endif
#endif
#ifndef SEGUEI_UNMERGED
#define SEGUEI_UNMERGED
#endif

/*
 * Put before functions that return an error, or a request that is not posted yet: gcc and clang
 * warn of a result that is dropped, in C and C++. To drop it on purpose, write
 * (void)segue_post(…). gcc ignores that cast with its own attribute warn_unused_result, but not
 * with C23's. Calls that close something have no such attribute: a program that ends may ignore
 * their result.
 */
#if defined(__clang__) && (!defined(__cplusplus) || __cplusplus < 201703L)
#define SEGUEI_MUST_CHECK __attribute__((warn_unused_result))
#elif defined(__cplusplus)
#define SEGUEI_MUST_CHECK [[nodiscard]]
#elif __GNUC__ >= 11 /* version 10 warns that it ignores it */
#define SEGUEI_MUST_CHECK __extension__ [[nodiscard]]
#else
#define SEGUEI_MUST_CHECK
#endif

#endif
