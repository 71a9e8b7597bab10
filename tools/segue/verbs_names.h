/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of libibverbs' enums, which libibverbs itself does not print but programs do. */
#ifndef SEGUE_TOOL_VERBS_NAMES_H
#define SEGUE_TOOL_VERBS_NAMES_H

struct verbs_name {
	int value;
	const char *name;
	const char *text; /* libibverbs' own text, or "" */
};

struct verbs_names {
	const char *name; /* of the enum */
	const struct verbs_name *(*at)(int index); /* NULL behind the last */
};

extern const struct verbs_names verbs_wc_status, verbs_event_type, verbs_wc_opcode;

/* Looks up a number, a name, or a part of the text. NULL if it is not known. */
const struct verbs_name *verbs_name_of(const struct verbs_names *names, const char *text);

#endif
