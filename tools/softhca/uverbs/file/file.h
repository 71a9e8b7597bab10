/* SPDX-License-Identifier: BSD-2-Clause */
/* What the commands ask of the process-wide options. */
#ifndef SOFTHCA_UVERBS_FILE_H
#define SOFTHCA_UVERBS_FILE_H

#include <stdbool.h>

/* True if the device shall have no BlueFlame registers, only 8-byte doorbells. */
bool uv_no_blueflame(void);

#endif /* SOFTHCA_UVERBS_FILE_H */
