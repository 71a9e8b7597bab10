/* SPDX-License-Identifier: BSD-2-Clause */
/* Match parameters of flow rules, translated from the device's layout to the engine's key. */
#include "tools/softhca/uverbs/devx/match.h"

#include <errno.h>
#include <string.h>

#define MISC		 64u /* its second part begins here */
#define MISC_FLOW_LABEL	 (MISC + 28u)
#define MISC_END	 128u
#define UNSUPPORTED_FROM 24u /* of the outer headers: header types and checksum results */
#define UNSUPPORTED_TO	 27u

bool uv_all_clear(const uint8_t *p, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (p[i])
			return false;
	return true;
}

int uv_match_key(const uint8_t param[UV_MATCH_PARAM], uint8_t criteria,
		 uint8_t key[SOFTHCA_ETH_KEY])
{
	memset(key, 0, SOFTHCA_ETH_KEY);
	if (criteria & ~(UV_CRITERIA_OUTER | UV_CRITERIA_MISC))
		return -EOPNOTSUPP;
	if (criteria & UV_CRITERIA_OUTER) {
		if (!uv_all_clear(param, UNSUPPORTED_FROM, UNSUPPORTED_TO))
			return -EOPNOTSUPP;
		memcpy(key, param, SOFTHCA_KEY_FLOW_LABEL);
	}
	if (criteria & UV_CRITERIA_MISC) {
		memcpy(key + SOFTHCA_KEY_FLOW_LABEL, param + MISC_FLOW_LABEL, 4);
		if (!uv_all_clear(param, MISC, MISC_FLOW_LABEL) ||
		    !uv_all_clear(param, MISC_FLOW_LABEL + 4, MISC_END))
			return -EOPNOTSUPP;
	}
	return 0;
}
