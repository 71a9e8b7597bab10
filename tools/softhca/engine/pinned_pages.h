/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pages that a registration keeps, the ones present when it was made. If a program unmaps them,
 * maps others in their place, moves them or gives them back, it goes on with other memory than the
 * card. The function that sees such a call reports it here before the call is carried out.
 */
#ifndef SOFTHCA_ENGINE_PINNED_PAGES_H
#define SOFTHCA_ENGINE_PINNED_PAGES_H

#include <stdbool.h>
#include <stdint.h>

struct softhca_kept;

enum softhca_going {
	SOFTHCA_GOING_UNMAPPED,	 /* by munmap(), or by mmap() or mremap() to their place */
	SOFTHCA_GOING_DISCARDED, /* from this process: MADV_DONTNEED */
	SOFTHCA_GOING_REMOVED,	 /* from the file: MADV_REMOVE */
};

/* [unlocked] softhca_pinned: false if no pages are registered there. Cheap, true if in doubt. */
bool softhca_pinned(uint64_t va, uint64_t len);
/* softhca_pinned_go: makes registrations keep the pages, wherever they go. NULL: there are none. */
struct softhca_kept *softhca_pinned_go(uint64_t va, uint64_t len, enum softhca_going how);
/* softhca_pinned_stay: reverts this directly afterwards, if the call has failed. */
void softhca_pinned_stay(struct softhca_kept *kept);
/* softhca_pinned_moved: notes that mremap() has moved the pages. */
void softhca_pinned_moved(uint64_t from, uint64_t len, uint64_t to);

#endif
