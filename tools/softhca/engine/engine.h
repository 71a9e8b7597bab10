/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The softhca engine: one user-space mlx5 HCA, without any knowledge of libc tricks or of the
 * uverbs ABI.
 *
 * Rules for the whole file:
 *
 *  - LOCK. One mutex per process. Every function below is called with softhca_lock() held, except
 *    those marked [unlocked]. Callbacks (struct softhca_ops) run with the lock held. They must not
 *    block, and may use the engine only to read fields of the object that they were given.
 *  - RESULTS. 0 or a negative errno, as the kernel's verbs would give for the same arguments.
 *    softhca_why() is the sentence that explains the last failure of this thread.
 *  - ADDRESSES. A uint64_t named *_va is an address in this process, as the application gave it.
 *    The engine never dereferences it directly, and an unmapped page becomes an error.
 *  - NUMBERS. Enumerations and structures of <infiniband/verbs.h> are used for the same meaning
 *    (QP types and states, attribute masks, access flags, event types). The front converts the wire
 *    structures of uverbs.
 *  - OWNERSHIP. The result of a *_create() is freed by the matching *_destroy(), which refuses
 *    with -EBUSY while another object depends on it. `user` of each is the front's.
 */
#ifndef SOFTHCA_ENGINE_H
#define SOFTHCA_ENGINE_H

#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/device.h"
#include "tools/softhca/engine/memory.h"
#include "tools/softhca/engine/queue.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/steering.h"

#endif
