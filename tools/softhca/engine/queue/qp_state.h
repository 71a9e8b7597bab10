/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SOFTHCA_QP_STATE_H
#define SOFTHCA_QP_STATE_H

#include "tools/softhca/engine/queue.h"

/* softhca_qp_check_transition: checks a transition with these attributes. 0 or -EINVAL. */
int softhca_qp_check_transition(const struct softhca_qp *qp, const struct ibv_qp_attr *attr,
				int mask);

#endif
