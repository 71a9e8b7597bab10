/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_PATH_H
#define SEGUE_RUNTIME_PATH_H

#include <infiniband/verbs.h>

#include "segue/path.h"

/* A checked path as verbs want it. */
void seguei_path_ah(const struct segue_path *path, struct ibv_ah_attr *attr);

/* Every attribute of a modify call that a path can fill. The mask is the caller's. */
void seguei_path_attributes(const struct segue_path *path, struct ibv_qp_attr *attr);

#endif
