/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_POOL_H
#define SEGUE_RUNTIME_POOL_H

#include "runtime/object/tree/object.h"
#include "segue/pool.h"

/* The object around a pool. */
struct seguei_object *seguei_pool_object_of(struct segue_pool *pool);

#endif
