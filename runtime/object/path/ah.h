/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of addresses that segue/ah.h does not show. */
#ifndef SEGUE_RUNTIME_AH_H
#define SEGUE_RUNTIME_AH_H

#include <stddef.h>

/* Bytes of a struct segue_ah. */
extern const size_t seguei_ah_size;

#endif
