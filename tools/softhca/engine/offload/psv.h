/* SPDX-License-Identifier: BSD-2-Clause */
/* Protection signature values: the running signature of a domain, which a signature key refers to
 * by number. */
#ifndef SOFTHCA_PSV_H
#define SOFTHCA_PSV_H

#include "tools/softhca/engine/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct softhca_psv;

int softhca_psv_create(struct softhca_pd *pd, struct softhca_psv **psv, uint32_t *num);
void softhca_psv_destroy(struct softhca_psv *psv);

#ifdef __cplusplus
}
#endif
#endif
