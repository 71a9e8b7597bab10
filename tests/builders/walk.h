/* SPDX-License-Identifier: BSD-2-Clause */
/* What the generated walks (codegen/c/walks.py) and the tests that use them agree on. */
#ifndef SEGUE_TESTS_BUILDERS_WALK_H
#define SEGUE_TESTS_BUILDERS_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/tables.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WALK_QPN 0x123456u

/** One legal layout: the calls that build it, and its bytes. */
struct walk_case {
	const char *title;    /* the calls */
	const char *request;  /* name of the work request */
	const char *segments; /* names of the segments, blanks between them; a list counts once */
	int (*build)(void *queue, uint64_t wr_id, uint32_t flags, const uint32_t *n);
	uint32_t flags;
	uint32_t n[4];	 /* payload lengths and numbers of entries */
	uint32_t stride; /* receive queues: bytes of a stride */
	bool rings;	 /* posts instead of committing */
	const char *hex; /* the WQE; index (send) or link (shared receive queues) 0 */
};

struct walk_set {
	const char *name;
	const struct segue_machine *machine;
	const struct walk_case *cases;
	size_t count;
	size_t shapes;
	void (*fill_tables)(void); /* to be called once before any build */
};

extern const struct walk_set *const walk_sets[]; /* NULL at the end */

/** A segment unpacked and packed again; false if reserved bits were set. */
struct walk_repack {
	const char *name;
	bool (*repack)(uint8_t *dst, const uint8_t *src);
};

extern const struct walk_repack walk_repacks[];

/** What inline segments carry: byte i is i * 7 + 3. Defined by the test. */
extern uint8_t walk_payload[1024];

/** Value of a field that announces a list of `count` entries. */
static inline uint32_t walk_announced(uint32_t count, uint32_t entry, uint32_t head, uint32_t pad,
				      uint32_t unit)
{
	return (head + count * entry + pad - 1) / pad * pad / unit;
}

#ifdef __cplusplus
}
#endif

#endif
