/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts that the library, its specs and softhca take for granted, as data, and how each is
 * observed. */
#ifndef SEGUE_CHECK_FACTS_H
#define SEGUE_CHECK_FACTS_H

#include "tools/segue/check/recipes.h"

struct kit_fact {
	const char *name;
	const char *assumed;
	const char *source;
	const char *why_not; /* where `see` is NULL: why the kit cannot see it */
	/* Runs on ends of this kind, opened for it. If NULL, it opens what it needs. Returns true
	 * if the fact is as assumed. kit->why describes what was seen. */
	const struct kit_wish *wish;
	bool (*see)(struct kit_ends *ends);
};

extern const struct kit_fact kit_facts[];
extern const size_t kit_n_facts;

/* How they are seen: completions and events in observation.c, memory in memory_observation.c. */
bool see_flush(struct kit_ends *ends);
bool see_retry(struct kit_ends *ends);
bool see_index(struct kit_ends *ends);
bool see_bell_of_index(struct kit_ends *ends);
bool see_failed_silent(struct kit_ends *ends);
bool see_first_error(struct kit_ends *ends);
bool see_armed(struct kit_ends *ends);
bool see_moderation(struct kit_ends *ends);
bool see_wait_cq_gone(struct kit_ends *ends);
bool see_wait_cq_count(struct kit_ends *ends);
bool see_wait_word(struct kit_ends *ends);
bool see_wait_bigger(struct kit_ends *ends);
bool see_wait_smaller(struct kit_ends *ends);
bool see_wait_cyclic(struct kit_ends *ends);
bool see_wait_fail(struct kit_ends *ends);
bool see_dc_key(struct kit_ends *ends);
bool see_dct_number(struct kit_ends *ends);
bool see_user_index(struct kit_ends *ends);
bool see_sqd(struct kit_ends *ends);
bool see_timestamp(struct kit_ends *ends);
bool see_scatter(struct kit_ends *ends);
bool see_no_route(struct kit_ends *ends);

/* lists.c (tag lists) and frames.c (what rules lead frames to). */
bool see_tag_unexpected(struct kit_ends *ends);
bool see_tag_behind(struct kit_ends *ends);
bool see_tag_too_long(struct kit_ends *ends);
bool see_strides(struct kit_ends *ends);
bool see_filler(struct kit_ends *ends);
bool see_hash(struct kit_ends *ends);
bool see_spread(struct kit_ends *ends);
bool see_tso(struct kit_ends *ends);

bool see_atomic4(struct kit_ends *ends);
bool see_atomic8(struct kit_ends *ends);
bool see_boundary(struct kit_ends *ends);
bool see_large_matrix(struct kit_ends *ends);
bool see_plain_memcpy(struct kit_ends *ends);
bool see_copy_without_memory(struct kit_ends *ends);
bool see_psv_size(struct kit_ends *ends);
bool see_crc32c(struct kit_ends *ends);
bool see_signature_offset(struct kit_ends *ends);

/* Completions that fail on purpose: the only one taken has this syndrome, and vendor syndrome
 * unless that is -1. */
bool kit_failed(struct kit *kit, uint8_t syndrome, int vendor);

/* Posts a request, and takes a completion that fails so. */
bool kit_fails(struct kit_ends *ends, const char *request, const char *layout, uint8_t syndrome,
	       int vendor);

#endif
