// SPDX-License-Identifier: BSD-2-Clause
/* Prints what is known of a log's numbers: codes, causes and next steps. */
#include "tools/segue/log/answer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "segue/gen/enums.h"
#include "segue/gen/tables.h"
#include "tools/segue/wqe.h"

#define CAUSES 5 /* that are worth a look */

static const char *const confidences[] = {"not confirmed", "one report", "several reports agree",
					  "confirmed"};

static uint64_t value_or(const struct values *v, enum log_number slot, uint64_t otherwise)
{
	return values_have(v, slot) ? v->number[slot] : otherwise;
}

/* A line of text, or a member of the record. */
__attribute__((format(printf, 3, 4))) static void put(struct report *r, const char *key,
						      const char *format, ...)
{
	char text[1100];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	report_string(r, key, text);
	report_text(r, "    %s: %s\n", key, text);
}

static void put_code(struct report *r, const struct log_code *code)
{
	const char *const syndrome = seguei_enum_name(&segue_cqe_syndrome_desc, code->syndrome);
	const char *const side = code->side == LOG_REQUESTER   ? "requester"
				 : code->side == LOG_RESPONDER ? "responder"
							       : "either side";

	report_text(
		r,
		"    seen with: vendor code 0x%02x (%u) and %s, %s, %s: %s (%u public report%s, "
		"%s)\n        source: %s\n",
		code->code, code->code, syndrome, code->operations, side, code->concluded,
		code->reports, code->reports == 1 ? "" : "s", confidences[code->confidence],
		code->source);
	report_opens(r, NULL, '{');
	report_number(r, "code", code->code);
	report_string(r, "syndrome", syndrome);
	report_string(r, "operations", code->operations);
	report_string(r, "side", side);
	report_number(r, "reports", code->reports);
	report_string(r, "confidence", confidences[code->confidence]);
	report_string(r, "concluded", code->concluded);
	report_string(r, "source", code->source);
	report_closes(r, '}');
}

/* Codes that no report has: those next to it that some have. */
static void put_neighbours(struct report *r, uint64_t vendor)
{
	const struct log_code *below = NULL, *above = NULL;
	const struct log_code *c;

	for (c = log_codes; c < log_codes + log_n_codes; c++) {
		if (c->code < vendor && (!below || c->code > below->code))
			below = c;
		if (c->code > vendor && (!above || c->code < above->code))
			above = c;
	}
	put(r, "unknown",
	    below && above ? "vendor code 0x%02" PRIx64 " (%" PRIu64
			     ") is in no public report known here; the nearest are 0x%02x "
			     "and 0x%02x"
			   : "vendor code 0x%02" PRIx64 " (%" PRIu64
			     ") is in no public report known here; the nearest is 0x%02x",
	    vendor, vendor, below ? below->code : above->code, above ? above->code : 0);
}

void answer_seen(struct report *r, const struct values *v)
{
	const uint64_t vendor = value_or(v, LOG_VENDOR, LOG_ANY),
		       syndrome = value_or(v, LOG_SYNDROME, LOG_ANY);
	bool any = false, other = false;
	int pass;
	size_t i;

	if (vendor == LOG_ANY)
		return;
	report_opens(r, "seen", '[');
	/* With this syndrome, and if there is none such, with others. */
	for (pass = 0; pass < 2 && !any; pass++) {
		for (i = 0; i < log_n_codes; i++) {
			const bool same = syndrome == LOG_ANY || log_codes[i].syndrome == syndrome;

			if (log_codes[i].code != vendor || (pass == 0 && !same))
				continue;
			put_code(r, &log_codes[i]);
			any = true;
			other |= pass > 0;
		}
	}
	report_closes(r, ']');
	if (other)
		put(r, "note", "no report has this code with this syndrome");
	if (!any)
		put_neighbours(r, vendor);
}

/* How well a cause fits: 0 not at all, and more the more it was narrowed down. */
static unsigned int fit(const struct log_cause *c, const struct values *v, uint32_t hints)
{
	const uint32_t wanted[] = {c->vendor, c->opcode};
	static const enum log_number slots[] = {LOG_VENDOR, LOG_OPCODE};
	unsigned int score = 1, i;

	if (!values_have(v, LOG_SYNDROME) || c->syndrome != v->number[LOG_SYNDROME])
		return 0;
	if (c->side != LOG_EITHER && value_or(v, LOG_SIDE, LOG_EITHER) != c->side)
		return 0;
	if (c->hint && !(hints >> c->hint & 1))
		return 0;
	for (i = 0; i < 2; i++) {
		if (wanted[i] != LOG_ANY && value_or(v, slots[i], LOG_ANY) != wanted[i])
			return 0;
		score += wanted[i] != LOG_ANY;
	}
	return score + (c->side != LOG_EITHER) + (c->hint ? 8 : 0);
}

static void put_cause(struct report *r, const struct log_cause *c, unsigned int number)
{
	report_text(r, "      %u. %s\n         check: %s\n         (", number, c->cause, c->check);
	if (c->reports)
		report_text(r, "%u report%s; ", c->reports, c->reports == 1 ? "" : "s");
	report_text(r, "%s)\n", c->source);
	report_opens(r, NULL, '{');
	report_string(r, "cause", c->cause);
	report_string(r, "check", c->check);
	report_number(r, "reports", c->reports);
	report_string(r, "source", c->source);
	report_closes(r, '}');
}

void answer_causes(struct report *r, const struct values *v, uint32_t hints)
{
	unsigned int number = 0, score;
	size_t i;

	report_opens(r, "causes", '[');
	for (score = 16; score && number < CAUSES; score--) {
		for (i = 0; i < log_n_causes && number < CAUSES; i++) {
			if (fit(&log_causes[i], v, hints) != score)
				continue;
			if (!number)
				report_text(r, "    likely causes:\n");
			put_cause(r, &log_causes[i], ++number);
		}
	}
	report_closes(r, ']');
}

void answer_step(struct report *r, const char *step)
{
	put(r, "next", "%s", step);
}

/* If the side is not known, the step names both sides' tasks. */
void answer_next(struct report *r, const struct values *v)
{
	const uint64_t side = value_or(v, LOG_SIDE, LOG_EITHER);
	struct failed failed = {.syndrome = (uint8_t)value_or(v, LOG_SYNDROME, 0),
				.send = side != LOG_RESPONDER,
				.opcode = (uint8_t)value_or(v, LOG_OPCODE, 0)};
	char next[512], other[512];

	if (!failed.syndrome)
		return;
	failed_next(&failed, next, sizeof(next));
	failed.send = false;
	failed_next(&failed, other, sizeof(other));
	if (side == LOG_EITHER && strcmp(next, other) != 0)
		put(r, "next", "requester: %s Responder: %s", next, other);
	else
		answer_step(r, next);
}

/* ---- completions ---- */

static const struct log_card *card_of(const struct finding *finding, const struct find *find)
{
	const char *const card = finding->card ? finding->card : find->cards ? NULL : find->card;
	size_t i;

	for (i = 0; card && i < log_n_cards; i++)
		if (strcmp(card, log_cards[i].card) == 0)
			return &log_cards[i];
	return NULL;
}

/* A card that no line names, by a code that only its scale has with this status. */
static const struct log_other *other_of(const struct values *v, const struct log_card *card)
{
	size_t i;

	for (i = 0; i < log_n_others; i++)
		if (values_have(v, LOG_VENDOR) && log_others[i].code == v->number[LOG_VENDOR] &&
		    log_others[i].status == (int)value_or(v, LOG_STATUS, 0) &&
		    (!card || strcmp(card->card, log_others[i].card) == 0))
			return &log_others[i];
	return NULL;
}

/* "queue pair 0x19a1 (6561)": logs print numbers in either base. Without a name it is JSON's alone,
 * without a key the text's. */
static void put_number(struct report *r, const struct values *v, enum log_number slot,
		       const char *name, const char *key)
{
	if (!values_have(v, slot))
		return;
	if (key)
		report_number(r, key, v->number[slot]);
	if (name)
		report_text(r,
			    v->number[slot] < 10 ? ", %s %" PRIu64
						 : ", %s 0x%" PRIx64 " (%" PRIu64 ")",
			    name, v->number[slot], v->number[slot]);
}

static void put_word(struct report *r, const char *key, const char *text)
{
	if (!text)
		return;
	report_string(r, key, text);
	report_text(r, ", %s", text);
}

static void put_object(struct report *r, const struct values *v)
{
	static const struct {
		enum log_number slot;
		const char *name, *key;
	} numbers[] = {{LOG_QPN, "queue pair", "qpn"},
		       {LOG_PEER_QPN, "the peer's queue pair", "peer_qpn"},
		       {LOG_CQN, "completion queue", "cqn"},
		       {LOG_INDEX, "WQE", "index"},
		       {LOG_SRQN, "SRQ or user index", "srqn"},
		       {LOG_HW, "hardware syndrome", "hw_syndrome"},
		       {LOG_LKEY, "lkey", "lkey"},
		       {LOG_ADDRESS, "address", "address"},
		       {LOG_LENGTH, "length", "length"},
		       {LOG_RADDR, "remote address", "remote_address"},
		       {LOG_RKEY, "rkey", "rkey"}};
	static const char *const sides[] = {NULL, "requester", "responder"};
	const char *const device = v->texts & 1u << LOG_DEVICE ? v->text[LOG_DEVICE] : NULL;
	size_t i;

	report_text(r, "    object: %s", device ? device : "a device that is not named");
	if (device)
		report_string(r, "device", device);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].slot != LOG_HW || value_or(v, LOG_HW, 0))
			put_number(r, v, numbers[i].slot, numbers[i].name, numbers[i].key);
	put_word(r, "operation",
		 values_have(v, LOG_OPCODE)
			 ? seguei_enum_name(&segue_opcode_desc, v->number[LOG_OPCODE])
			 : NULL);
	put_word(r, "side", sides[value_or(v, LOG_SIDE, 0) % 3]);
	put_word(r, "peer", v->texts & 1u << LOG_PEER ? v->text[LOG_PEER] : NULL);
	report_text(r, "\n");
}

static void put_sources(struct report *r, const struct finding *f)
{
	char text[512], order[80] = "";
	size_t at;
	unsigned int i;

	if (f->order > 1)
		snprintf(order, sizeof(order), ", each group of %zu bytes turned round", f->order);
	at = (size_t)snprintf(text, sizeof(text), "%s%s",
			      f->source == FIND_DUMP	   ? "a dump"
			      : f->source == FIND_LAST_ROW ? "the last row of a dump"
							   : "",
			      order);
	for (i = 0; i < f->n_forms && at < sizeof(text); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", at ? "; " : "",
				       log_forms[f->forms[i]].name);
	put(r, "read from", "%s", text);
}

static void put_other_card(struct report *r, const struct values *v, const struct log_card *card,
			   const struct log_other *other)
{
	if (other)
		put(r, "card", "vendor code 0x%" PRIx64 " with this status is %s's: %s (%s)",
		    v->number[LOG_VENDOR], other->card, other->concluded, other->source);
	else if (values_have(v, LOG_VENDOR))
		put(r, "card",
		    "0x%" PRIx64 " (%" PRIu64
		    ") is %s's, which mlx5's codes do not explain. Its scale: %s. Instead: %s",
		    v->number[LOG_VENDOR], v->number[LOG_VENDOR], card->card, card->scale,
		    card->instead);
	else
		put(r, "card", "this is %s, no mlx5. Instead: %s", card->card, card->instead);
}

static void put_completion(struct report *r, const struct finding *f, const struct find *find)
{
	const struct values *const v = &f->values;
	const struct log_card *card = card_of(f, find);
	const struct log_other *const other = other_of(v, card);
	const bool mlx5 = (!card && !other) || (card && strcmp(card->card, "mlx5") == 0);
	struct values general = *v;
	const struct log_status *const status = log_status_of(value_or(v, LOG_STATUS, 0));
	const char *const name = status ? status->name : NULL;

	report_string(r, "status_name", name);
	put_number(r, v, LOG_STATUS, NULL, "status");
	put_number(r, v, LOG_SYNDROME, NULL, "syndrome");
	report_text(r, "%s%s%s", report_bad(r),
		    status ? status->words[0] : "an error that is not told", report_plain(r));
	if (name)
		report_text(r, " (%s %" PRIu64, name, v->number[LOG_STATUS]);
	if (name && values_have(v, LOG_SYNDROME))
		report_text(r, ", syndrome 0x%02" PRIx64, v->number[LOG_SYNDROME]);
	report_text(r, name ? ")" : "");
	put_number(r, v, LOG_VENDOR, "vendor code", "vendor");
	report_text(r, "\n");
	put_object(r, v);
	put_sources(r, f);
	if (!mlx5) {
		put_other_card(r, v, card, other);
		general.numbers &= ~(1u << LOG_VENDOR);
	} else {
		answer_seen(r, v);
	}
	if (values_have(v, LOG_WC_OPCODE))
		put(r, "note",
		    "opcode and length in such a line are not defined when a completion has "
		    "failed");
	answer_causes(r, &general, find->hints);
	answer_next(r, v);
}

/* ---- what is no completion ---- */

const struct log_event *answer_event_of(const char *words)
{
	size_t i;

	for (i = 0; i < log_n_events; i++)
		if (match_word(log_events[i].words, words) ||
		    strcasecmp(log_events[i].name + strlen("IBV_EVENT_"), words) == 0)
			return &log_events[i];
	return NULL;
}

static void put_event(struct report *r, const struct finding *f, const struct find *find)
{
	const char *const name = f->values.texts & 1u << LOG_COUNTER ? f->values.text[LOG_COUNTER]
								     : "one without a name";
	const struct log_event *const event = answer_event_of(name);
	const struct log_card *const card = card_of(f, find);

	report_string(r, "event", name);
	report_text(r, "asynchronous event: %s\n", name);
	if (event)
		report_number(r, "event_type", (uint64_t)event->event);
	put_object(r, &f->values);
	put_sources(r, f);
	if (card && strcmp(card->card, "mlx5") != 0)
		put_other_card(r, &f->values, card, NULL);
	if (event)
		answer_step(r, event->next);
}

static bool answered(const struct values *v)
{
	return values_have(v, LOG_COMMAND_SYNDROME) || values_have(v, LOG_COMMAND_STATUS);
}

void answer_command(struct report *r, const struct values *v)
{
	const uint64_t syndrome = value_or(v, LOG_COMMAND_SYNDROME, 0);
	const struct log_command_status *const status = log_command_status_of(
		value_or(v, LOG_COMMAND_STATUS, UINT64_MAX));
	const struct log_command *c;
	bool known = false;

	if (!answered(v)) {
		put(r, "next",
		    "the card hangs, or was reset meanwhile: dmesg for 'health' and 'assert', its "
		    "temperature and its PCIe link, and the firmware's version; what the command "
		    "took is lost until the driver is loaded again");
		return;
	}
	for (c = log_commands; syndrome && c < log_commands + log_n_commands; c++) {
		if (c->syndrome != syndrome)
			continue;
		put(r, "seen with", "%s with 0x%" PRIx64 ": %s (%s)", c->command, syndrome,
		    c->concluded, c->source);
		known = true;
	}
	if (status)
		put(r, "command status", "0x%x, %s: %s", status->value, status->name, status->next);
	if (!known)
		put(r, "unknown",
		    "no public report known here has this syndrome: it is private to the firmware");
	put(r, "note",
	    "a firmware command's syndrome has 32 bits and nothing to do with a completion's");
	put(r, "next",
	    !syndrome ? "the firmware did not refuse it: the errno is the kernel's or the library's"
		      : "note the firmware's version (ibv_devinfo | grep fw_ver), look for the "
			"same command in dmesg (dyndbg shows those of user space), and give the "
			"syndrome to NVIDIA's support");
}

static void put_command(struct report *r, const struct finding *f, const struct find *find)
{
	const struct values *const v = &f->values;
	const char *const name = v->texts & 1u << LOG_OPERATION ? v->text[LOG_OPERATION]
				 : v->texts & 1u << LOG_COUNTER ? v->text[LOG_COUNTER]
								: "";

	(void)find;
	report_string(r, "command_name", name);
	report_text(r, "the firmware %s the command %s%s%s",
		    answered(v) ? "refused" : "did not answer", report_bad(r), name,
		    report_plain(r));
	put_number(r, v, LOG_COMMAND, "opcode", "command");
	put_number(r, v, LOG_COMMAND_STATUS, NULL, "command_status");
	put_number(r, v, LOG_COMMAND_SYNDROME, "command syndrome", "command_syndrome");
	put_number(r, v, LOG_ERRNO, "errno", "errno");
	report_text(r, "\n");
	put_object(r, v);
	put_sources(r, f);
	answer_command(r, v);
}

static void put_cq_error(struct report *r, const struct finding *f, const struct find *find)
{
	const uint64_t syndrome = f->values.number[LOG_CQ_SYNDROME];
	const struct log_cq_syndrome *const known = log_cq_syndrome_of(syndrome);

	(void)find;
	report_number(r, "cq_syndrome", syndrome);
	report_text(r,
		    "error of a completion queue itself, syndrome 0x%" PRIx64
		    " of the event (no completion's)\n",
		    syndrome);
	put_object(r, &f->values);
	put_sources(r, f);
	if (known) {
		put(r, "cause", "%s", known->concluded);
		answer_step(r, known->next);
	}
}

void answer_counter(struct report *r, const struct log_counter *counter, const uint64_t *value)
{
	report_string(r, "counter", counter->name);
	report_text(r, "counter %s%s%s", report_strong(r), counter->name, report_plain(r));
	if (value) {
		report_number(r, "value", *value);
		report_text(r, " = %" PRIu64, *value);
	}
	report_text(r, "\n");
	put(r, "counts", "%s", counter->counts);
	put(r, "grows with", "%s", counter->grows);
	answer_step(r, value && !*value ? "nothing: it stands at 0" : counter->next);
	put(r, "source", "%s", counter->source);
}

static void put_counter(struct report *r, const struct finding *f, const struct find *find)
{
	const struct log_counter *const counter = find_counter(f->values.text[LOG_COUNTER]);

	(void)find;
	if (counter) {
		answer_counter(r, counter, &f->values.number[LOG_VALUE]);
		return;
	}
	put(r, "counter", "%s", f->values.text[LOG_COUNTER]);
	put(r, "unknown",
	    "not known here; Linux documents counters in Documentation/ABI/stable/"
	    "sysfs-class-infiniband and networking/device_drivers/ethernet/mellanox/mlx5/"
	    "counters.rst");
}

/* ---- all ---- */

static void put_request(struct report *r, const struct finding *f, const struct find *find)
{
	(void)find;
	report_text(r, "a work request\n");
	put_object(r, &f->values);
	put(r, "note", "nothing here says that it failed, or with what");
}

static const struct {
	const char *name;
	void (*put)(struct report *r, const struct finding *f, const struct find *find);
} kinds[] = {
	[LOG_KIND_COMPLETION] = {"completion", put_completion},
	[LOG_KIND_REQUEST] = {"request", put_request},
	[LOG_KIND_WQE] = {"request", put_request},
	[LOG_KIND_EVENT] = {"event", put_event},
	[LOG_KIND_COMMAND] = {"command", put_command},
	[LOG_KIND_CQ_ERROR] = {"cq_error", put_cq_error},
	[LOG_KIND_COUNTER] = {"counter", put_counter},
};

static bool understood(const struct finding *f)
{
	switch (f->kind) {
	case LOG_KIND_EVENT:
		return f->card || answer_event_of(f->values.text[LOG_COUNTER]);
	case LOG_KIND_COMPLETION:
		return values_have(&f->values, LOG_STATUS) || f->card;
	case LOG_KIND_COUNTER:
		return find_counter(f->values.text[LOG_COUNTER]) != NULL;
	default:
		return true;
	}
}

/* Counters and events that are no error are no failure. */
static bool is_failure(const struct finding *f)
{
	const struct log_event *event;

	if (f->kind == LOG_KIND_EVENT) {
		event = answer_event_of(f->values.text[LOG_COUNTER]);
		return event && event->severity > 1;
	}
	return f->kind != LOG_KIND_COUNTER && f->kind != LOG_KIND_WQE &&
	       f->kind != LOG_KIND_REQUEST;
}

static void put_finding(struct report *r, const struct finding *f, const struct find *find,
			bool first)
{
	report_record(r);
	report_string(r, "kind", kinds[f->kind].name);
	report_bool(r, "first", first);
	report_number(r, "line", f->line);
	report_number(r, "count", f->count);
	report_text(r, first ? "What failed first, line %" PRIu64 ": " : "Line %" PRIu64 ": ",
		    f->line);
	if (f->count > 1)
		report_text(r, "(%" PRIu64 " times) ", f->count);
	kinds[f->kind].put(r, f, find);
	report_record_end(r);
	if (f->wqe_len)
		(void)wqe_print(r, &(struct wqe_view){.machine = f->ethernet
									 ? wqe_machine("raw_packet")
									 : NULL,
						      .bytes = f->wqe,
						      .len = f->wqe_len});
}

static void put_flushes(struct report *r, const struct find *find, bool first)
{
	struct values v = {.numbers = 0};

	values_set(&v, LOG_SYNDROME, SEGUE_CQE_SYNDROME_WR_FLUSH_ERR);
	if (find->flush_vendor != LOG_ANY)
		values_set(&v, LOG_VENDOR, find->flush_vendor);
	report_record(r);
	report_string(r, "kind", "flushes");
	report_number(r, "line", find->first_flush);
	report_number(r, "count", find->flushes);
	report_text(r,
		    "Line %" PRIu64 ": %" PRIu64
		    " completion%s flushed (IBV_WC_WR_FLUSH_ERR 5): %s\n",
		    find->first_flush, find->flushes, find->flushes == 1 ? " was" : "s were",
		    first ? "a consequence of an error that is not in this text"
			  : "a consequence, no cause");
	if (first || r->json) {
		answer_seen(r, &v);
		answer_causes(r, &v, find->hints);
		answer_next(r, &v);
	}
	report_record_end(r);
}

static void put_packet(struct report *r, const struct find *find)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "a %s (BTH opcode 0x%02x%s): a capture of traffic, and no completion",
		 find->capture, find->capture_opcode,
		 find->capture_opcode == 0x81 ? ", a congestion notification, CNP" : "");
	report_record(r);
	report_string(r, "kind", "capture");
	report_number(r, "line", find->capture_line);
	report_number(r, "bth_opcode", find->capture_opcode);
	report_string(r, "what", text);
	report_text(r, "Line %" PRIu64 ": %s\n", find->capture_line, text);
	put(r, "next", "tshark -V (text2pcap makes a capture of a hex dump), or Wireshark");
	report_record_end(r);
}

unsigned int answer_all(struct report *r, const struct find *find)
{
	unsigned int known = 0;
	bool first = true;
	size_t i;

	for (i = 0; i < find->count; i++) {
		const struct finding *const f = &find->all[i];
		const bool failure = is_failure(f);

		put_finding(r, f, find, failure && first);
		first = first && !failure;
		known += understood(f);
	}
	if (find->flushes) {
		put_flushes(r, find, first);
		known++;
	}
	if (find->capture) {
		put_packet(r, find);
		known++;
	}
	return known;
}
