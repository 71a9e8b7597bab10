/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_PATH_H
#define SEGUE_RUNTIME_PATH_H

#include <infiniband/verbs.h>

#include "segue/path.h"

/* Fills the attributes of verbs from a checked path. */
void seguei_path_ah(const struct segue_path *path, struct ibv_ah_attr *attr);

/* Fills all attributes of a modify call that a path has. The caller sets the mask. */
void seguei_path_attributes(const struct segue_path *path, struct ibv_qp_attr *attr);

#endif
