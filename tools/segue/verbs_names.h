/* SPDX-License-Identifier: BSD-2-Clause */
/* What programs print of libibverbs' enums: the names, which libibverbs itself does not tell. */
#ifndef SEGUE_TOOL_VERBS_NAMES_H
#define SEGUE_TOOL_VERBS_NAMES_H

struct verbs_name {
	int value;
	const char *name;
	const char *text; /* as libibverbs says it, "" where it says nothing */
};

struct verbs_names {
	const char *name; /* of the enum */
	const struct verbs_name *(*at)(int index); /* NULL behind the last */
};

extern const struct verbs_names verbs_wc_status, verbs_event_type, verbs_wc_opcode;

/* By number, by name, or by a part of the text; NULL: nobody knows it. */
const struct verbs_name *verbs_name_of(const struct verbs_names *names, const char *text);

#endif
