/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_MR_H
#define SEGUE_RUNTIME_MR_H

#include "runtime/object/tree/object.h"
#include "segue/mkey.h"
#include "segue/mr.h"

extern const struct seguei_kind seguei_mw_kind;

/* Properties of a region, as it was opened. */
struct seguei_region {
	struct segue_pd *pd;
	uint64_t start, length; /* address in requests */
	uint32_t access;	/* enum segue_access */
};

/* 0, or -EINVAL if the region is invalid or closed. */
int seguei_mr_region(struct segue_mr *mr, struct seguei_region *region);

/* Type 1 or 2. */
int seguei_mw_type(const struct segue_mw *mw);

/* Undoes segue_mw_next_rkey(). */
void seguei_mw_restore_key(struct segue_mw *mw, uint32_t rkey);

/* Number of pieces that an indirect key has room for. */
uint16_t seguei_mkey_entries(const struct segue_mkey *mkey);

/* Capabilities of the key's device. */
const struct segue_caps *seguei_mkey_caps(struct segue_mkey *mkey);

/*
 * Returns whether a layout has ever set RELAXED_ORDERING, `now` included. If so, each later layout
 * writes that right again.
 */
bool seguei_mkey_relaxed(struct segue_mkey *mkey, bool now);

/*
 * Registers memory as a part of another object, shared if `attr` has a REMOTE right. Only closing
 * that object closes it.
 */
int seguei_mr_open_below(struct segue_pd *pd, struct seguei_object *parent,
			 const struct segue_mr_options *attr, struct segue_mr **out);

#endif
