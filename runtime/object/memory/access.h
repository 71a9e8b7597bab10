/* SPDX-License-Identifier: BSD-2-Clause */
/* Rights of Segue's enum, as verbs take them. */
#ifndef SEGUE_RUNTIME_ACCESS_H
#define SEGUE_RUNTIME_ACCESS_H

#include <stdint.h>

#include "segue/access.h"

#define SEGUEI_ANYBODY 0xffffffu /* who may use a key, in place of a queue pair number: 24 bits */

/* Of rights that were checked: enum segue_access_flags. */
static inline uint32_t seguei_access_flags(uint32_t access)
{
	return access >> SEGUEI_ACCESS_SHIFT;
}

/* Of such rights, what a key's context and a window's bind can hold: enum segue_mkey_access. */
uint8_t seguei_access_of_key(uint32_t access);

/* Refuses what is none of enum segue_access: -EINVAL naming `field` of `whose`. */
int seguei_access_check(const char *whose, const char *field, uint32_t access);

#endif
