/* SPDX-License-Identifier: BSD-2-Clause */
/* What registering the program's memory finds out when it pins the pages. */
#ifndef SOFTHCA_UVERBS_PIN_H
#define SOFTHCA_UVERBS_PIN_H

#include <stdint.h>

/*
 * uv_pin_check - 0; -EINVAL: no page at all, -EFAULT: a page that may not be read, or with these access flags
 * (enum ib_uverbs_access_flags) written. Of a large range only the ends are looked at. What is not mapped
 * is found elsewhere.
 */
int uv_pin_check(uint64_t start, uint64_t length, uint32_t access);

#endif
