/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversion of Segue's rights to those of verbs. */
#ifndef SEGUE_RUNTIME_ACCESS_H
#define SEGUE_RUNTIME_ACCESS_H

#include <stdint.h>

#include "segue/mr.h"

#define SEGUEI_ANYBODY 0xffffffu /* every queue pair, in place of a number of 24 bits */

/* Rights that were checked, as enum segue_access_flags. */
static inline uint32_t seguei_access_flags(uint32_t access)
{
	return access >> SEGUEI_ACCESS_SHIFT;
}

/*
 * The part of such rights that a key's context and a window's bind can hold: enum
 * segue_mkey_access.
 */
uint8_t seguei_access_of_key(uint32_t access);

/*
 * Refuses a value that is not of enum segue_access: -EINVAL with a sentence that names `whose` and
 * `field`.
 */
int seguei_access_check(const char *whose, const char *field, uint32_t access);

#endif
