/* SPDX-License-Identifier: BSD-2-Clause */
/* The version that the library was built as. */
#include "segue/base.h"

uint32_t segue_version(void)
{
	return SEGUE_VERSION;
}
