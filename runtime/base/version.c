/* SPDX-License-Identifier: BSD-2-Clause */
#include "segue/version.h"

uint32_t segue_version(void)
{
	return SEGUE_VERSION;
}
