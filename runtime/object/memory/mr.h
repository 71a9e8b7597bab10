/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_MR_H
#define SEGUE_RUNTIME_MR_H

#include "runtime/object/tree/object.h"
#include "segue/mr.h"

extern const struct seguei_kind seguei_mw_kind;

/* What a region is, as it was opened. */
struct seguei_region {
	struct segue_pd *pd;
	uint64_t start, length; /* as requests address it */
	uint32_t access;	/* enum segue_access */
};

/* 0, or -EINVAL if it is none, or closed. */
int seguei_mr_region(struct segue_mr *mr, struct seguei_region *region);

/* 1 or 2. */
int seguei_mw_type(const struct segue_mw *mw);

/* Undoes segue_mw_next_rkey(). */
void seguei_mw_restore_key(struct segue_mw *mw, uint32_t rkey);

/* How many pieces an indirect key was made for. */
uint16_t seguei_mkey_entries(const struct segue_mkey *mkey);

/* What its device has. */
const struct segue_caps *seguei_mkey_caps(struct segue_mkey *mkey);

/* Whether its order was ever relaxed, from now on with `now`: then each layout says it anew. */
bool seguei_mkey_relaxed(struct segue_mkey *mkey, bool now);

/*
 * Registers memory, shared if `attr` has a REMOTE right, as a part of another object: it is closed
 * before that one and by nobody else.
 */
int seguei_mr_open_below(struct segue_pd *pd, struct seguei_object *parent,
			 const struct segue_mr_options *attr, struct segue_mr **out);

#endif
