/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a registration keeps: the pages that were there when it was made. A program that unmaps
 * them, maps others in their place, moves them or gives them back goes on with other memory than
 * the card does. Whoever sees such a call says so here, before it is carried out.
 */
#ifndef SOFTHCA_ENGINE_PINNED_H
#define SOFTHCA_ENGINE_PINNED_H

#include <stdbool.h>
#include <stdint.h>

struct softhca_kept;

enum softhca_going {
	SOFTHCA_GOING_UNMAPPED,	 /* by munmap(), or by mmap() or mremap() to where they are */
	SOFTHCA_GOING_DISCARDED, /* from this process: MADV_DONTNEED */
	SOFTHCA_GOING_REMOVED,	 /* from the file: MADV_REMOVE */
};

/* [unlocked] softhca_pinned: may there be registered pages? Cheap, and yes if in doubt. */
bool softhca_pinned(uint64_t va, uint64_t len);
/* softhca_pinned_go: registrations keep the pages, wherever they go. NULL: there are none. */
struct softhca_kept *softhca_pinned_go(uint64_t va, uint64_t len, enum softhca_going how);
/* softhca_pinned_stay: the call has failed, right after that. */
void softhca_pinned_stay(struct softhca_kept *kept);
/* softhca_pinned_moved: mremap() has moved them. */
void softhca_pinned_moved(uint64_t from, uint64_t len, uint64_t to);

#endif
