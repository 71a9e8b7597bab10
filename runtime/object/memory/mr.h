/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_MR_H
#define SEGUE_RUNTIME_MR_H

#include "runtime/object/tree/object.h"
#include "segue/mr.h"

extern const struct seguei_kind seguei_mw_kind;

/* How many pieces an indirect key was made for. */
uint16_t seguei_mkey_entries(const struct segue_mkey *mkey);

/*
 * Registers memory, shared if `attr` has a REMOTE right, as a part of another object: it is closed
 * before that one and by nobody else.
 */
int seguei_mr_open_below(struct segue_pd *pd, struct seguei_object *parent,
			 const struct segue_mr_attr *attr, struct segue_mr **out);

#endif
