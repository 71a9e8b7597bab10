/* SPDX-License-Identifier: BSD-2-Clause */
/* What the runtime knows of addresses beside segue/ah.h. */
#ifndef SEGUE_RUNTIME_AH_H
#define SEGUE_RUNTIME_AH_H

#include <stddef.h>

/* Bytes of a struct segue_address. */
extern const size_t seguei_address_size;

#endif
