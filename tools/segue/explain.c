// SPDX-License-Identifier: BSD-2-Clause
/* segue explain: a number or a name that a program printed, in a sentence. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/device.h"
#include "segue/gen/enums.h"
#include "segue/gen/tables.h"
#include "segue/gen/transports.h"
#include "tools/segue/commands.h"
#include "tools/segue/log/answer.h"
#include "tools/segue/log/log.h"

/* A number as people write it where its kind is known: also hexadecimal without 0x. */
static bool parse_value(const char *text, uint64_t *value)
{
	char *end;

	if (report_parse_number(text, value))
		return true;
	if (!isxdigit((unsigned char)*text) || strlen(text) > 8)
		return false;
	*value = strtoull(text, &end, 16);
	return !*end;
}

static const struct segue_member_desc *member_of(const struct segue_enum_desc *desc,
						 const char *text)
{
	static const char mlx5dv[] = "MLX5_CQE_SYNDROME_";
	const bool prefixed = desc == &segue_cqe_syndrome_desc &&
			      strncasecmp(text, mlx5dv, strlen(mlx5dv)) == 0;
	uint64_t value;
	const bool number = parse_value(text, &value);
	uint16_t i;

	for (i = 0; i < desc->member_count; i++)
		if (number ? desc->members[i].value == value
			   : strcasecmp(desc->members[i].name,
					text + (prefixed ? strlen(mlx5dv) : 0)) == 0)
			return &desc->members[i];
	return NULL;
}

/* A syndrome comes with causes and the next step. */
static void put_member(struct report *r, const struct segue_enum_desc *desc,
		       const struct segue_member_desc *member)
{
	struct values values = {.numbers = 0};

	report_record(r);
	report_string(r, "enum", desc->name);
	report_member(r, member);
	report_text(r, "%s%s%s = 0x%" PRIx64 " (%s): %s\n", report_strong(r), member->name,
		    report_plain(r), member->value, desc->name, member->doc);
	report_text(r, "    source: %s%s\n", member->source,
		    member->secondary ? " (known at second hand only)" : "");
	if (desc == &segue_cqe_syndrome_desc) {
		values_set(&values, LOG_SYNDROME, member->value);
		answer_causes(r, &values, 0);
		answer_next(r, &values);
	}
	report_record_end(r);
}

/* A sentence about something that no enum of the spec holds. The record stays open. */
static void begin_sentence(struct report *r, const char *name, const uint64_t *value,
			   const char *text)
{
	report_record(r);
	report_string(r, "name", name);
	report_text(r, "%s%s%s", report_strong(r), name, report_plain(r));
	if (value) {
		report_number(r, "value", *value);
		report_text(r, " = %" PRIu64, *value);
	}
	report_string(r, "doc", text);
	report_text(r, ": %s\n", text);
}

static void put_sentence(struct report *r, const char *name, const uint64_t *value,
			 const char *text)
{
	begin_sentence(r, name, value, text);
	report_record_end(r);
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

/* More than eight bits are a firmware command's. */
static int explain_command(struct report *r, const char *text)
{
	struct values values = {.numbers = 0};
	uint64_t value;

	if (!parse_value(text, &value))
		return report_error("command %s: expected the syndrome that the line has, as in: "
				    "segue explain command 0x4bb88f",
				    text);
	values_set(&values, LOG_COMMAND_SYNDROME, value);
	begin_sentence(r, "command syndrome", &value,
		       "a number by which the firmware says why it refused a command");
	answer_command(r, &values);
	report_record_end(r);
	return SEGUE_EXIT_OK;
}

static int explain_syndrome(struct report *r, const char *text)
{
	const struct segue_member_desc *const member = member_of(&segue_cqe_syndrome_desc, text);
	uint64_t value;

	if (parse_value(text, &value) && value > UINT8_MAX)
		return explain_command(r, text);
	if (!member)
		return unknown(&segue_cqe_syndrome_desc, text);
	put_member(r, &segue_cqe_syndrome_desc, member);
	return SEGUE_EXIT_OK;
}

static void put_seen(struct report *r, uint64_t code, const char *text)
{
	struct values values = {.numbers = 0};

	values_set(&values, LOG_VENDOR, code);
	begin_sentence(r, "vendor code", &code, text);
	answer_seen(r, &values);
	report_record_end(r);
}

/* Prints the reports that have seen a code. mlx5dv.h and others name a few. */
static int explain_vendor(struct report *r, const char *text)
{
	const struct segue_member_desc *const member = member_of(&segue_vendor_syndrome_desc, text);
	char *end;
	uint64_t value, other;

	if (!member && !parse_value(text, &value))
		return unknown(&segue_vendor_syndrome_desc, text);
	value = member ? member->value : value;
	if (member)
		put_member(r, &segue_vendor_syndrome_desc, member);
	put_seen(r, value, "a second code of mlx5's error completions; NVIDIA documents none");
	/* Logs print it in either base: 81 may be 0x51 or 0x81. */
	other = strtoull(text, &end, 16);
	if (!isdigit((unsigned char)*text) || text[1] == 'x' || *end || other == value ||
	    !log_code_of(other))
		return member || log_code_of(value) ? SEGUE_EXIT_OK : SEGUE_EXIT_OFFENCE;
	put_seen(r, other, "if the log prints hexadecimal digits without 0x, as some do, it is");
	return SEGUE_EXIT_OK;
}

static int explain_counter(struct report *r, const char *name)
{
	const struct log_counter *const counter = find_counter(name);

	if (!counter) {
		fprintf(stderr,
			"segue: counter %s is not known here; Linux documents counters in "
			"Documentation/ABI/stable/sysfs-class-infiniband and "
			"Documentation/networking/device_drivers/ethernet/mellanox/mlx5/"
			"counters.rst\n",
			name);
		return SEGUE_EXIT_OFFENCE;
	}
	report_record(r);
	answer_counter(r, counter, NULL);
	report_record_end(r);
	return SEGUE_EXIT_OK;
}

static int explain_cq_error(struct report *r, const char *text)
{
	uint64_t value;
	const struct log_cq_syndrome *const known = parse_value(text, &value)
							    ? log_cq_syndrome_of(value)
							    : NULL;

	if (known) {
		begin_sentence(r, known->name, &value, known->concluded);
		answer_step(r, known->next);
		report_record_end(r);
		return SEGUE_EXIT_OK;
	}
	fprintf(stderr,
		"segue: cq_error: %s is not known; known are 1 overrun and 2 access "
		"violation\n",
		text);
	return SEGUE_EXIT_OFFENCE;
}

/* Syndromes with a description that names this status as libibverbs'. */
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
	}
}

/* "IB_WC_..." is the kernel's name of "IBV_WC_...". */
static const char *as_verbs(const char *text, char *name, size_t len)
{
	if (strncasecmp(text, "IB_", 3) != 0)
		return text;
	snprintf(name, len, "IBV_%s", text + 3);
	return name;
}

static const char wc_status[] = "ibv_wc_status", event_type[] = "ibv_event_type",
		  wc_opcode[] = "ibv_wc_opcode";

/* libibverbs' own text of a member of its enums, or "". */
static const char *verb_text(const struct log_verb *verb)
{
	if (strcmp(verb->of, event_type) == 0)
		return ibv_event_type_str((enum ibv_event_type)verb->verb);
	return strcmp(verb->of, wc_status) == 0 ? ibv_wc_status_str((enum ibv_wc_status)verb->verb)
						: "";
}

/* Looks up a number, a name, or a part of the text, in an enum. NULL if it is not known. */
static const struct log_verb *verb_of(const char *of, const char *text)
{
	uint64_t value;
	const bool number = report_parse_number(text, &value);
	const struct log_verb *worded = NULL, *v;

	for (v = log_verbs; v < log_verbs + log_n_verbs; v++) {
		if (strcmp(v->of, of) != 0)
			continue;
		if (number ? value == (uint64_t)v->verb : strcasecmp(v->name, text) == 0)
			return v;
		if (!number && !worded && *text && strcasestr(verb_text(v), text))
			worded = v;
	}
	return worded;
}

/* True if an enum of libibverbs has it. */
static bool explain_verbs(struct report *r, const char *of, const char *text)
{
	char name[64];
	const struct log_status *const worded = of == wc_status ? match_status(text) : NULL;
	const struct log_verb *entry = verb_of(of, as_verbs(text, name, sizeof(name)));
	const struct log_event *event;
	uint64_t value;

	if (!entry && worded)
		entry = verb_of(of, worded->name);
	if (!entry)
		return false;
	value = (uint64_t)entry->verb;
	begin_sentence(r, entry->name, &value, verb_text(entry));
	event = of == event_type ? answer_event_of(verb_text(entry)) : NULL;
	if (event)
		answer_step(r, event->next);
	report_record_end(r);
	if (of == wc_status)
		put_syndromes_of(r, entry->name);
	return true;
}

/* A number of three enums, of which programs print either without saying which. */
static int explain_opcode(struct report *r, const char *text)
{
	const struct segue_member_desc *const wqe = member_of(&segue_opcode_desc, text),
					      *const cqe = member_of(&segue_cqe_opcode_desc, text);
	const struct log_verb *const wc = verb_of(wc_opcode, text);
	uint64_t value;

	if (parse_value(text, &value) && value > UINT8_MAX) {
		put_sentence(r, "no opcode", &value,
			     "no opcode of any kind: a failed completion's opcode is not defined, "
			     "so this is what was in memory before; take status and vendor_err");
		return SEGUE_EXIT_OK;
	}
	if (!wqe && !cqe && !wc)
		return unknown(&segue_opcode_desc, text);
	if (wqe)
		put_member(r, &segue_opcode_desc, wqe);
	if (cqe)
		put_member(r, &segue_cqe_opcode_desc, cqe);
	if (!wc)
		return SEGUE_EXIT_OK;
	value = (uint64_t)wc->verb;
	put_sentence(r, wc->name, &value,
		     "enum ibv_wc_opcode, as NCCL and others print it; not defined if the "
		     "completion has failed");
	return SEGUE_EXIT_OK;
}

static int explain_verbs_or_not(struct report *r, const char *of, const char *text)
{
	const struct log_verb *first = NULL, *last = NULL, *v;

	if (explain_verbs(r, of, text))
		return SEGUE_EXIT_OK;
	for (v = log_verbs; v < log_verbs + log_n_verbs; v++) {
		if (strcmp(v->of, of) != 0)
			continue;
		first = first ? first : v;
		last = v;
	}
	if (last)
		fprintf(stderr, "segue: no %s is '%s'; they are %s 0 to %s %d\n", of, text,
			first->name, last->name, last->verb);
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

/* The kinds that take a value, each with one to show, and what logs call them. */
static const struct kind {
	const char *name, *example, *others[3];
	int (*explain)(struct report *r, const char *text);
	const char *of; /* The enum of libibverbs that the values are of, in place of a function. */
} kinds[] = {
	{"syndrome", "0x15", {"synd", "cqe_syndrome", NULL}, explain_syndrome, NULL},
	{"vendor", "0x81", {"vendor_err", "vend", "vendor_syndrome"}, explain_vendor, NULL},
	{"status", "12", {"wc_status", "wc.status", NULL}, NULL, wc_status},
	{"event", "1", {"event_type", NULL, NULL}, NULL, event_type},
	{"opcode", "RDMA_READ", {"wc_opcode", NULL, NULL}, explain_opcode, NULL},
	{"counter", "out_of_buffer", {NULL, NULL, NULL}, explain_counter, NULL},
	{"command", "0x4bb88f", {"command_syndrome", NULL, NULL}, explain_command, NULL},
	{"cq_error", "1", {NULL, NULL, NULL}, explain_cq_error, NULL},
};

static const struct kind *kind_of(const char *name)
{
	size_t i, j;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
		for (j = 0; j < 3 && kinds[i].others[j]; j++)
			if (strcasecmp(kinds[i].others[j], name) == 0)
				return &kinds[i];
	}
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
	if (strncasecmp(name, "MLX5_CQE_SYNDROME_", 18) == 0)
		return explain_syndrome(r, name);
	if (strncasecmp(name, "IB", 2) == 0 && strchr(name, '_') &&
	    (explain_verbs(r, wc_status, name) || explain_verbs(r, event_type, name)))
		status = SEGUE_EXIT_OK;
	if (status && find_counter(name))
		return explain_counter(r, name);
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

static int explain_value(struct report *r, const struct kind *kind, const char *text)
{
	return kind->of ? explain_verbs_or_not(r, kind->of, text) : kind->explain(r, text);
}

/* A name, or "status=12" as logs have it. */
static int explain_one(struct report *r, char *name)
{
	char *const equals = strchr(name, '=');
	const struct kind *kind = NULL;

	if (equals) {
		*equals = '\0';
		kind = kind_of(name);
		*equals = kind ? '\0' : '=';
	}
	return kind ? explain_value(r, kind, equals + 1) : explain_name(r, name);
}

int command_explain(struct report *r, int argc, char **argv)
{
	const struct kind *kind;
	const char *name, *value;
	int status;

	if (!report_options(r, argc, argv, help_explain, &(struct report_option){.name = NULL},
			    &status))
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
		return explain_one(r, argv[optind]);
	if (argv[optind + 2])
		return report_error("'%s' is one value too many", argv[optind + 2]);
	kind = kind_of(name);
	if (!kind)
		return report_error("'%s' is no kind; expected syndrome, vendor, status, event, "
				    "opcode, counter, command, cq_error or modify",
				    name);
	return explain_value(r, kind, value);
}
