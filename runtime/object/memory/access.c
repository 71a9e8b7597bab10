/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks and translation of access rights. */
#include "runtime/object/memory/access.h"

#include <errno.h>

#include "segue/base.h"
#include "segue/gen/enums.h"

#define ALL                                                                                \
	(SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_REMOTE_READ | \
	 SEGUE_ACCESS_REMOTE_ATOMIC | SEGUE_ACCESS_MW_BIND | SEGUE_ACCESS_ZERO_BASED |     \
	 SEGUE_ACCESS_ON_DEMAND | SEGUE_ACCESS_HUGETLB | SEGUE_ACCESS_RELAXED_ORDERING)

uint8_t seguei_access_of_key(uint32_t access)
{
	return (uint8_t)((access & SEGUE_ACCESS_LOCAL_WRITE ? SEGUE_MKEY_ACCESS_LOCAL_WRITE : 0) |
			 (access & SEGUE_ACCESS_REMOTE_WRITE ? SEGUE_MKEY_ACCESS_REMOTE_WRITE : 0) |
			 (access & SEGUE_ACCESS_REMOTE_READ ? SEGUE_MKEY_ACCESS_REMOTE_READ : 0) |
			 (access & SEGUE_ACCESS_REMOTE_ATOMIC ? SEGUE_MKEY_ACCESS_ATOMIC : 0));
}

int seguei_access_check(const char *whose, const char *field, uint32_t access)
{
	if (!(access & ~(uint32_t)ALL))
		return 0;
	return seguei_fail(
		EINVAL,
		"%s: %s is 0x%x, of which 0x%x is none of enum segue_access "
		"(SEGUE_ACCESS_LOCAL_WRITE, …); flags of verbs (IBV_ACCESS_…, "
		"SEGUE_ACCESS_FLAGS_…) and of key contexts (SEGUE_MKEY_ACCESS_…) are other values.",
		whose, field, access, access & ~(uint32_t)ALL);
}
