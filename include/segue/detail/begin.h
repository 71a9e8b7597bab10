/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opens a header's declarations, after its includes. They have the linkage of C, and programs in
 * C++ may refuse casts like those of C for themselves. Each header that includes this includes
 * segue/detail/end.h at its end, so this file has no guard.
 */
#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
