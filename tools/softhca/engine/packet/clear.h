/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SOFTHCA_ENGINE_CLEAR_H
#define SOFTHCA_ENGINE_CLEAR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * softhca_clear - clears `bytes`, a constant, up to 208, in pieces. For a single large clear
 * compilers use an instruction that takes longer to start than these few stores.
 */
static inline void softhca_clear(void *p, size_t bytes)
{
	uint8_t *const at = (uint8_t *)p;

	memset(at, 0, bytes < 64 ? bytes : 64);
	if (bytes > 64)
		memset(at + 64, 0, bytes < 128 ? bytes - 64 : 64);
	if (bytes > 128)
		memset(at + 128, 0, bytes - 128);
}

#endif
