/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers to device commands. */
#ifndef SOFTHCA_UVERBS_DEVX_UTIL_H
#define SOFTHCA_UVERBS_DEVX_UTIL_H

#include <stddef.h>

#include "tools/softhca/uverbs/devx.h"
#include "tools/softhca/uverbs/prm.h"

/* Writes a failure into the output mailbox; the ioctl then fails with -EREMOTEIO. */
int uv_prm_fail(struct uv_mailbox *mb, enum prm_status status);
/* The same from an errno of the engine; 0 stays 0. */
int uv_prm_errno(struct uv_mailbox *mb, int err);
/* Checks the mailbox lengths (in bits) and clears the output. */
int uv_prm_begin(struct uv_mailbox *mb, size_t in_bits, size_t out_bits);

#endif /* SOFTHCA_UVERBS_DEVX_UTIL_H */
