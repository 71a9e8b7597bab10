/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables of a spec library as a shared object, for a device model that has to execute a user's
 * requests. It holds the automata, and the walk and the printer that were compiled for them, and
 * exports one name, segue_tables (codegen/defs.bzl, segue_tables()).
 */
#ifndef SEGUEI_TABLES_H
#define SEGUEI_TABLES_H

#include "runtime/text/walk.h"
#include "segue/base.h"
#include "segue/decode.h"
#include "segue/tables.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SEGUEI_TABLES_MAGIC "segue tables 1"

/* Layout of the tables in memory. Both sides must agree on it, as on the version. */
#define SEGUEI_TABLES_SIZES                                                                      \
	{                                                                                        \
		sizeof(struct segue_machine), sizeof(struct segue_machine_start),                \
			sizeof(struct segue_machine_state), sizeof(struct segue_machine_symbol), \
			sizeof(struct segue_segment_desc), sizeof(struct segue_field_desc),      \
			sizeof(struct segue_control_desc), sizeof(struct seguei_step_seen)       \
	}

typedef const struct segue_machine_start *seguei_walker(const struct segue_machine *machine,
							const uint8_t *wqe, size_t len,
							seguei_visit *visit, void *arg,
							struct segue_offence *offence);

/* Two names of requests: a device executes the first one like the second one, which it knows. */
struct seguei_meaning {
	const char *request, *means;
};

struct seguei_tables {
	char magic[16];
	uint32_t version; /* SEGUE_VERSION */
	uint32_t sizes[8];
	const struct segue_machine *const *machines; /* ends with NULL */
	const struct segue_control_desc *control;
	seguei_walker *walk, *walk_lax;
	size_t (*print)(const struct segue_machine *machine, const void *wqe, size_t len,
			enum segue_print_format format, char *out, size_t outlen);
	const struct seguei_meaning *meanings; /* ends with an entry whose names are NULL */
};

extern const struct seguei_meaning seguei_meanings[];
extern const struct seguei_tables segue_tables;

#ifdef __cplusplus
}
#endif

#endif
