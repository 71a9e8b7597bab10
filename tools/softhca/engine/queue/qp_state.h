/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SOFTHCA_QP_STATE_H
#define SOFTHCA_QP_STATE_H

#include "tools/softhca/engine/internal.h"

const char *softhca_state_name(enum ibv_qp_state state);
/* softhca_qp_check_transition: is there such a transition, with exactly these attributes? 0 or
 * -EINVAL. */
int softhca_qp_check_transition(const struct softhca_qp *qp, const struct ibv_qp_attr *attr,
				int mask);

#endif
