/* SPDX-License-Identifier: BSD-2-Clause */
/* Protection signature values: a domain's running signature, which a key refers to by number. */
#ifndef SOFTHCA_PSV_H
#define SOFTHCA_PSV_H

#include "tools/softhca/engine/memory.h"

struct softhca_psv {
	struct softhca_pd *pd;
	uint32_t num;
	uint16_t syndrome; /* of the last signature error. 0: none since it was set */
	uint64_t value;	   /* last signature that passed, or the value that was set */
};

struct softhca_ctrl;
struct softhca_qp;

int softhca_psv_create(struct softhca_pd *pd, struct softhca_psv **psv, uint32_t *num);
void softhca_psv_destroy(struct softhca_psv *psv);
/* softhca_psv_exec: executes SET_PSV, GET_PSV and CHECK_PSV, and returns the syndrome. */
int softhca_psv_exec(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw);

#endif
