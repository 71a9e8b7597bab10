/* SPDX-License-Identifier: BSD-2-Clause */
/* Match parameters in the device's own layout (fte_match_param), as in mlx5dv and raw commands. */
#ifndef SOFTHCA_UVERBS_MATCH_H
#define SOFTHCA_UVERBS_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/softhca/engine/packet/eth.h"

#define UV_MATCH_PARAM	  512u
#define UV_CRITERIA_OUTER 1u
#define UV_CRITERIA_MISC  2u

/* Converts the enabled parts to the engine's key. -EOPNOTSUPP for fields that it does not have. */
int uv_match_key(const uint8_t param[UV_MATCH_PARAM], uint8_t criteria,
		 uint8_t key[SOFTHCA_ETH_KEY]);

/* True if bytes `from` to `to` - 1 are zero. */
bool uv_all_clear(const uint8_t *p, size_t from, size_t to);

#endif /* SOFTHCA_UVERBS_MATCH_H */
