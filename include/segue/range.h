/* SPDX-License-Identifier: BSD-2-Clause */
/* Asking whether a value fits its field without a branch, for whoever collects offences in a sign bit. */
#ifndef SEGUE_RANGE_H
#define SEGUE_RANGE_H

#include <stdint.h>

#include "segue/compiler.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/*
 * Negative if the value lies outside min to max. For the common range up to 2^31 - 1 that takes two instructions, and
 * any other bits of the result may be set.
 */
SEGUE_INLINE int32_t seguei_outside(uint64_t value, uint64_t min, uint64_t max)
{
	if (max == INT32_MAX && min <= 1 && value <= UINT32_MAX)
		return (int32_t)(((uint32_t)value - (uint32_t)min) | (uint32_t)value);
	return -(int32_t)(value - min > max - min);
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
