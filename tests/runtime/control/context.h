/* SPDX-License-Identifier: BSD-2-Clause */
/* The context that the device has of a queue pair, whoever made it. */
#ifndef SEGUE_TESTS_RUNTIME_CONTROL_CONTEXT_H
#define SEGUE_TESTS_RUNTIME_CONTROL_CONTEXT_H

#include <stdint.h>

#include "segue/gen/segments.h"
#include "segue/qp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0, or a negative errno. The answer has the context where commands have it. */
int context_of(struct segue_qp *qp, struct segue_seg_qp_context_in *context);

#ifdef __cplusplus
}
#endif

#endif
