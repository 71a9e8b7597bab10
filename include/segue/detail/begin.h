/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The begin of a header's declarations, behind its includes: they have the linkage of C, and
 * programs in C++ may refuse casts like those of C for themselves. Each header that includes this
 * includes segue/detail/end.h at its end. Hence no guard.
 */
#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
