// SPDX-License-Identifier: BSD-2-Clause
/* segue explain: a number or a name that a program printed, in a sentence. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "segue/device.h"
#include "segue/errmsg.h"
#include "segue/explain.h"
#include "segue/gen/enums.h"
#include "segue/gen/tables.h"
#include "segue/gen/transports.h"
#include "tools/segue/commands.h"
#include "tools/segue/log/log.h"
#include "tools/segue/verbs_names.h"

static const char *const help =
	"Usage: segue explain [--json] KIND VALUE...\n"
	"       segue explain [--json] NAME\n"
	"       segue explain [--json] [FILE | - | LINE]\n"
	"\n"
	"Says what a value means. VALUE is a number (decimal or 0x) or a name. Of a log (FILE, "
	"standard input, or a LINE of one) it says what\n"
	"failed first, and why: dumps and lines of libmlx5, the kernel, UCX, NCCL, DPDK, SPDK and "
	"others are found in any text.\n"
	"\n"
	"  syndrome VALUE        of an error completion, as in 'syndrome 0x13' of a dump, with the "
	"next step\n"
	"  vendor VALUE          vendor_err of a completion\n"
	"  status VALUE          enum ibv_wc_status, as in 'status 12'\n"
	"  event VALUE           enum ibv_event_type of an asynchronous event\n"
	"  opcode VALUE          of a work request\n"
	"  modify QUEUE FROM TO [ATTRIBUTE...]\n"
	"                        would this change of state be refused, and why: segue explain "
	"modify rc INIT RTR PATH_MTU\n"
	"  NAME                  any member of any enum of the spec, an IBV_WC_... or an "
	"IBV_EVENT_...\n"
	"\n"
	"Exit status: 0 explained, 1 it is not known, nothing was found or the change is refused, "
	"2 usage.\n";

static const struct segue_member_desc *member_of(const struct segue_enum_desc *desc,
						 const char *text)
{
	uint64_t value;
	const bool number = report_parse_number(text, &value);
	uint16_t i;

	for (i = 0; i < desc->member_count; i++)
		if (number ? desc->members[i].value == value
			   : strcasecmp(desc->members[i].name, text) == 0)
			return &desc->members[i];
	return NULL;
}

static void put_member(struct report *r, const struct segue_enum_desc *desc,
		       const struct segue_member_desc *member)
{
	report_begin(r);
	if (r->json) {
		seguei_json_open(&r->out, '{');
		report_string(r, "enum", desc->name);
		report_string(r, "name", member->name);
		report_number(r, "value", member->value);
		report_string(r, "doc", member->doc);
		report_string(r, "source", member->source);
		report_string(r, "confidence", member->secondary ? "secondary" : "primary");
		seguei_json_close(&r->out, '}');
	} else {
		seguei_out_printf(&r->out, "%s%s%s = 0x%" PRIx64 " (%s): %s\n", report_strong(r),
				  member->name, report_plain(r), member->value, desc->name,
				  member->doc);
		seguei_out_printf(&r->out, "    source: %s%s\n", member->source,
				  member->secondary ? " (known at second hand only)" : "");
	}
	report_end(r);
}

/* A sentence about something that no enum of the spec holds. */
static void put_sentence(struct report *r, const char *name, const uint64_t *value,
			 const char *text)
{
	report_begin(r);
	if (r->json) {
		seguei_json_open(&r->out, '{');
		report_string(r, "name", name);
		if (value)
			report_number(r, "value", *value);
		report_string(r, "doc", text);
		seguei_json_close(&r->out, '}');
	} else {
		seguei_out_printf(&r->out, "%s%s%s", report_strong(r), name, report_plain(r));
		if (value)
			seguei_out_printf(&r->out, " = %" PRIu64, *value);
		seguei_out_printf(&r->out, ": %s\n", text);
	}
	report_end(r);
}

static int unknown(const struct segue_enum_desc *desc, const char *text)
{
	uint16_t i;

	fprintf(stderr, "segue: %s: nobody knows %s; known are", desc->name, text);
	for (i = 0; i < desc->member_count; i++)
		fprintf(stderr, "%s %s 0x%" PRIx64, i ? "," : "", desc->members[i].name,
			desc->members[i].value);
	fputs("\n", stderr);
	return SEGUE_EXIT_OFFENCE;
}

static int explain_member(struct report *r, const struct segue_enum_desc *desc, const char *text)
{
	const struct segue_member_desc *const member = member_of(desc, text);

	if (!member)
		return unknown(desc, text);
	put_member(r, desc, member);
	return SEGUE_EXIT_OK;
}

/* What to do next is all that the library can say without the request. */
static void put_next(const struct segue_member_desc *syndrome)
{
	const struct segue_wc wc = {.syndrome = (uint8_t)syndrome->value};
	char sentence[1024];
	const char *next;

	segue_wc_explain(&wc, NULL, sentence, sizeof(sentence));
	next = strstr(sentence, " Next: ");
	if (next)
		printf("    next: %s\n", next + strlen(" Next: "));
}

static int explain_syndrome(struct report *r, const char *text)
{
	const struct segue_member_desc *const member = member_of(&segue_cqe_syndrome_desc, text);

	if (!member)
		return unknown(&segue_cqe_syndrome_desc, text);
	put_member(r, &segue_cqe_syndrome_desc, member);
	if (!r->json)
		put_next(member);
	return SEGUE_EXIT_OK;
}

/* Syndromes whose description says that libibverbs makes this status of them. */
static void put_syndromes_of(struct report *r, const char *status)
{
	const size_t len = strlen(status);
	uint16_t i;

	for (i = 0; i < segue_cqe_syndrome_desc.member_count; i++) {
		const struct segue_member_desc *const member = &segue_cqe_syndrome_desc.members[i];
		const char *const at = strstr(member->doc, status);

		if (!at || at[len] == '_' || (at > member->doc && at[-1] == '_'))
			continue;
		put_member(r, &segue_cqe_syndrome_desc, member);
		if (!r->json)
			put_next(member);
	}
}

/* True if one of libibverbs' enums has it. */
static bool explain_verbs(struct report *r, const struct verbs_names *names, const char *text)
{
	const struct verbs_name *const entry = verbs_name_of(names, text);
	uint64_t value;

	if (!entry)
		return false;
	value = (uint64_t)entry->value;
	put_sentence(r, entry->name, &value, entry->text);
	put_syndromes_of(r, entry->name);
	return true;
}

static int explain_verbs_or_not(struct report *r, const struct verbs_names *names, const char *text)
{
	int last = 0;

	if (explain_verbs(r, names, text))
		return SEGUE_EXIT_OK;
	while (names->at(last + 1))
		last++;
	fprintf(stderr, "segue: no %s is '%s'; they are %s 0 to %s %d\n", names->name, text,
		names->at(0)->name, names->at(last)->name, names->at(last)->value);
	return SEGUE_EXIT_OFFENCE;
}

static const struct segue_transport_table *transport_of(const char *name)
{
	size_t i;

	for (i = 0; segue_transports[i]; i++)
		if (strcasecmp(segue_transports[i]->name, name) == 0)
			return segue_transports[i];
	return NULL;
}

static int explain_modify(struct report *r, int argc, char **argv)
{
	const struct segue_member_desc *from, *to, *attribute;
	const struct segue_transport_table *transport;
	uint32_t mask = 0;
	int i, err;

	if (argc < 3)
		return report_error("modify takes a queue and two states, as in: segue explain "
				    "modify rc INIT RTR");
	transport = transport_of(argv[0]);
	if (!transport)
		return report_error("there is no queue '%s'; expected rc, uc, ud, xrc_initiator, "
				    "xrc_target, dci, dct or raw_packet",
				    argv[0]);
	from = member_of(&segue_qp_state_desc, argv[1]);
	to = member_of(&segue_qp_state_desc, argv[2]);
	if (!from || !to)
		return unknown(&segue_qp_state_desc, from ? argv[2] : argv[1]);
	for (i = 3; i < argc; i++) {
		attribute = member_of(&segue_qp_attr_desc, argv[i]);
		if (!attribute)
			return unknown(&segue_qp_attr_desc, argv[i]);
		mask |= (uint32_t)attribute->value;
	}
	err = segue_transition_check(transport, (uint32_t)from->value, (uint32_t)to->value, mask);
	put_sentence(r, err ? "refused" : "allowed", NULL,
		     err ? segue_errmsg() : "the driver takes this change with these attributes");
	return err ? SEGUE_EXIT_OFFENCE : SEGUE_EXIT_OK;
}

/* The kinds that take a value, each with one to show. */
static const struct kind {
	const char *name, *example;
	const struct segue_enum_desc *desc; /* of the spec, or */
	const struct verbs_names *verbs;    /* of libibverbs */
} kinds[] = {
	{"syndrome", "0x15", &segue_cqe_syndrome_desc, NULL},
	{"vendor", "0x81", &segue_vendor_syndrome_desc, NULL},
	{"status", "12", NULL, &verbs_wc_status},
	{"event", "1", NULL, &verbs_event_type},
	{"opcode", "RDMA_READ", &segue_opcode_desc, NULL},
};

static const struct kind *kind_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

static int explain_name(struct report *r, const char *name)
{
	const struct kind *const kind = kind_of(name);
	int status = SEGUE_EXIT_OFFENCE;
	uint64_t number;
	size_t i;
	uint16_t m;

	if (kind)
		return report_error("%s wants a value, as in: segue explain %s %s", name, name,
				    kind->example);
	for (i = 0; segue_enums[i]; i++) {
		for (m = 0; m < segue_enums[i]->member_count; m++) {
			if (strcasecmp(segue_enums[i]->members[m].name, name) != 0)
				continue;
			put_member(r, segue_enums[i], &segue_enums[i]->members[m]);
			status = SEGUE_EXIT_OK;
		}
	}
	if (strncasecmp(name, "IBV_", 4) == 0 &&
	    (explain_verbs(r, &verbs_wc_status, name) || explain_verbs(r, &verbs_event_type, name)))
		status = SEGUE_EXIT_OK;
	if (status && report_parse_number(name, &number))
		fprintf(stderr,
			"segue: %s is a number, which wants its kind, as in: segue explain "
			"syndrome %s (or vendor, status, event, opcode)\n",
			name, name);
	else if (status)
		fprintf(stderr, "segue: no enum of the spec has a member '%s'\n", name);
	return status;
}

/* A file, standard input, or a line of a log itself: names and numbers hold no blank. */
static bool is_log(const char *name)
{
	return strcmp(name, "-") == 0 || (!kind_of(name) && access(name, R_OK) == 0) ||
	       strpbrk(name, " \n");
}

static int explain_log(struct report *r, const char *name)
{
	const bool standard = strcmp(name, "-") == 0, text = !standard && access(name, F_OK) != 0;
	FILE *const file = standard ? stdin
			   : text   ? fmemopen((char *)(uintptr_t)name, strlen(name), "r")
				    : fopen(name, "rb");
	int status;

	if (!file)
		return report_error("%s: %s", name, strerror(errno));
	status = log_explain(r, file, standard ? "standard input" : text ? "the text" : name);
	if (!standard)
		fclose(file);
	return status;
}

int command_explain(struct report *r, int argc, char **argv)
{
	const struct kind *kind;
	const char *name, *value;
	int status;

	if (!report_options(r, argc, argv, help, false, &status))
		return status;
	name = argv[optind];
	if (!name && isatty(STDIN_FILENO))
		return report_error("nothing to explain; try 'segue explain --help'");
	if (!name || (!argv[optind + 1] && is_log(name)))
		return explain_log(r, name ? name : "-");
	if (strcmp(name, "modify") == 0)
		return explain_modify(r, argc - optind - 1, argv + optind + 1);
	value = argv[optind + 1];
	if (!value)
		return explain_name(r, name);
	if (argv[optind + 2])
		return report_error("'%s' is one value too many", argv[optind + 2]);
	kind = kind_of(name);
	if (!kind)
		return report_error("'%s' is no kind; expected syndrome, vendor, status, event, "
				    "opcode or modify",
				    name);
	if (kind->desc == &segue_cqe_syndrome_desc)
		return explain_syndrome(r, value);
	return kind->desc ? explain_member(r, kind->desc, value)
			  : explain_verbs_or_not(r, kind->verbs, value);
}
