// SPDX-License-Identifier: BSD-2-Clause
/* segue explain: a number or a name that a program printed, in a sentence. */
#include <getopt.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "segue/device.h"
#include "segue/errmsg.h"
#include "segue/explain.h"
#include "segue/gen/enums.h"
#include "segue/gen/tables.h"
#include "segue/gen/transports.h"
#include "tools/segue/commands.h"

static const char *const help =
	"Usage: segue explain [--json] KIND VALUE...\n"
	"       segue explain [--json] NAME\n"
	"\n"
	"Says what a value means. VALUE is a number (decimal or 0x) or a name.\n"
	"\n"
	"  syndrome VALUE        of an error completion, as in 'syndrome 0x13' of a dump, with the next step\n"
	"  vendor VALUE          vendor_err of a completion\n"
	"  status VALUE          enum ibv_wc_status, as in 'status 12'\n"
	"  event VALUE           enum ibv_event_type of an asynchronous event\n"
	"  opcode VALUE          of a work request\n"
	"  modify QUEUE FROM TO [ATTRIBUTE...]\n"
	"                        would this change of state be refused, and why: segue explain modify rc INIT RTR PATH_MTU\n"
	"  NAME                  any member of any enum of the spec\n"
	"\n"
	"Exit status: 0 explained, 1 nobody knows it or the change is refused, 2 usage.\n";

static const struct segue_member_desc *member_of(const struct segue_enum_desc *desc, const char *text)
{
	uint64_t value;
	const bool number = report_parse_number(text, &value);
	uint16_t i;

	for (i = 0; i < desc->member_count; i++)
		if (number ? desc->members[i].value == value : strcasecmp(desc->members[i].name, text) == 0)
			return &desc->members[i];
	return NULL;
}

static void put_member(struct report *r, const struct segue_enum_desc *desc, const struct segue_member_desc *member)
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
		seguei_out_printf(&r->out, "%s%s%s = 0x%" PRIx64 " (%s): %s\n", report_strong(r), member->name, report_plain(r), member->value,
				  desc->name, member->doc);
		seguei_out_printf(&r->out, "    source: %s%s\n", member->source, member->secondary ? " (known at second hand only)" : "");
	}
	report_end(r);
}

/* A sentence about something that no enum of the spec holds. */
static void put_sentence(struct report *r, const char *name, uint64_t value, const char *text)
{
	report_begin(r);
	if (r->json) {
		seguei_json_open(&r->out, '{');
		report_string(r, "name", name);
		report_number(r, "value", value);
		report_string(r, "doc", text);
		seguei_json_close(&r->out, '}');
	} else {
		seguei_out_printf(&r->out, "%s%s%s = %" PRIu64 ": %s\n", report_strong(r), name, report_plain(r), value, text);
	}
	report_end(r);
}

static int unknown(const struct segue_enum_desc *desc, const char *text)
{
	uint16_t i;

	fprintf(stderr, "segue: %s: nobody knows %s; known are", desc->name, text);
	for (i = 0; i < desc->member_count; i++)
		fprintf(stderr, "%s %s 0x%" PRIx64, i ? "," : "", desc->members[i].name, desc->members[i].value);
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

static int explain_syndrome(struct report *r, const char *text)
{
	const struct segue_member_desc *const member = member_of(&segue_cqe_syndrome_desc, text);
	struct segue_wc wc = {0};
	char sentence[1024];

	if (!member)
		return unknown(&segue_cqe_syndrome_desc, text);
	put_member(r, &segue_cqe_syndrome_desc, member);
	if (r->json)
		return SEGUE_EXIT_OK;
	wc.syndrome = (uint8_t)member->value;
	segue_wc_explain(&wc, NULL, sentence, sizeof(sentence));
	printf("    as the library says it: %s\n", sentence);
	return SEGUE_EXIT_OK;
}

/* What libibverbs makes of a status, by its number or any part of its text. */
static int explain_status(struct report *r, const char *text)
{
	uint64_t value;
	int status;

	if (report_parse_number(text, &value) && value <= IBV_WC_TM_RNDV_INCOMPLETE) {
		put_sentence(r, "ibv_wc_status", value, ibv_wc_status_str((enum ibv_wc_status)value));
		return SEGUE_EXIT_OK;
	}
	for (status = 0; status <= IBV_WC_TM_RNDV_INCOMPLETE; status++) {
		if (strcasestr(ibv_wc_status_str((enum ibv_wc_status)status), text)) {
			put_sentence(r, "ibv_wc_status", (uint64_t)status, ibv_wc_status_str((enum ibv_wc_status)status));
			return SEGUE_EXIT_OK;
		}
	}
	fprintf(stderr, "segue: no ibv_wc_status is '%s'; they are 0 to %d\n", text, IBV_WC_TM_RNDV_INCOMPLETE);
	return SEGUE_EXIT_OFFENCE;
}

static int explain_event(struct report *r, const char *text)
{
	uint64_t value;
	int type;

	for (type = 0; type <= IBV_EVENT_WQ_FATAL; type++) {
		const char *const name = ibv_event_type_str((enum ibv_event_type)type);

		if (report_parse_number(text, &value) ? value == (uint64_t)type : strcasestr(name, text) != NULL) {
			put_sentence(r, "ibv_event_type", (uint64_t)type, name);
			return SEGUE_EXIT_OK;
		}
	}
	fprintf(stderr, "segue: no ibv_event_type is '%s'; they are 0 to %d\n", text, IBV_EVENT_WQ_FATAL);
	return SEGUE_EXIT_OFFENCE;
}

static const struct segue_transport *transport_of(const char *name)
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
	const struct segue_transport *transport;
	uint32_t mask = 0;
	int i, err;

	if (argc < 3)
		return report_error("modify takes a queue and two states, as in: segue explain modify rc INIT RTR");
	transport = transport_of(argv[0]);
	if (!transport)
		return report_error("there is no queue '%s'; expected rc, uc, ud, xrc_initiator, xrc_target, dci, dct or raw_packet", argv[0]);
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
	put_sentence(r, err ? "refused" : "allowed", mask, err ? segue_errmsg() : "the driver takes this change with these attributes");
	return err ? SEGUE_EXIT_OFFENCE : SEGUE_EXIT_OK;
}

static int explain_name(struct report *r, const char *name)
{
	int status = SEGUE_EXIT_OFFENCE;
	size_t i;
	uint16_t m;

	for (i = 0; segue_enums[i]; i++) {
		for (m = 0; m < segue_enums[i]->member_count; m++) {
			if (strcasecmp(segue_enums[i]->members[m].name, name) != 0)
				continue;
			put_member(r, segue_enums[i], &segue_enums[i]->members[m]);
			status = SEGUE_EXIT_OK;
		}
	}
	if (status)
		fprintf(stderr, "segue: no enum of the spec has a member '%s'; a number wants its kind: segue explain syndrome %s\n", name, name);
	return status;
}

int command_explain(struct report *r, int argc, char **argv)
{
	static const struct {
		const char *name;
		const struct segue_enum_desc *desc;
	} enums[] = {{"vendor", &segue_vendor_syndrome_desc}, {"opcode", &segue_opcode_desc}};
	const char *kind, *value;
	size_t i;
	int status;

	if (!report_options(r, argc, argv, help, false, &status))
		return status;
	kind = argv[optind];
	if (!kind)
		return report_error("nothing to explain; try 'segue explain --help'");
	if (strcmp(kind, "modify") == 0)
		return explain_modify(r, argc - optind - 1, argv + optind + 1);
	value = argv[optind + 1];
	if (!value)
		return explain_name(r, kind);
	if (argv[optind + 2])
		return report_error("'%s' is one value too many", argv[optind + 2]);
	if (strcmp(kind, "syndrome") == 0)
		return explain_syndrome(r, value);
	if (strcmp(kind, "status") == 0)
		return explain_status(r, value);
	if (strcmp(kind, "event") == 0)
		return explain_event(r, value);
	for (i = 0; i < sizeof(enums) / sizeof(enums[0]); i++)
		if (strcmp(kind, enums[i].name) == 0)
			return explain_member(r, enums[i].desc, value);
	return report_error("'%s' is no kind; expected syndrome, vendor, status, event, opcode or modify", kind);
}
