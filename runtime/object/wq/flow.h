/* SPDX-License-Identifier: BSD-2-Clause */
/* The kinds of objects that flow rules can lead to, apart from queue pairs. */
#ifndef SEGUE_RUNTIME_FLOW_H
#define SEGUE_RUNTIME_FLOW_H

#include "runtime/object/tree/object.h"

extern const struct seguei_kind seguei_striding_kind;
extern const struct seguei_kind seguei_rss_kind;

#endif
