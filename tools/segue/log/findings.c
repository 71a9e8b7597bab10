// SPDX-License-Identifier: BSD-2-Clause
/* Findings of a log: the numbers of matching lines, completed from each other. */
#include "tools/segue/log/findings.h"

#include <byteswap.h>
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/text/decode.h"
#include "segue/gen/enums.h"
#include "segue/gen/machines.h"
#include "segue/gen/tables.h"
#include "tools/segue/log/packet.h"
#include "tools/segue/log/text.h"
#include "tools/segue/wqe.h"

#define TOGETHER 12 /* lines within which what fits is of one failure */
#define HALVES	 3  /* lines within which two halves of one are */

const struct log_counter *find_counter(const char *name)
{
	size_t i;

	for (i = 0; i < log_n_counters; i++)
		if (fnmatch(log_counters[i].name, name, FNM_CASEFOLD) == 0)
			return &log_counters[i];
	return NULL;
}

/* Names of devices and drivers in a line. */
struct named {
	const char *card;   /* card of the line's codes, or NULL */
	const char *device; /* a name with a number, as functions of the driver have none */
	size_t len;
};

static struct named names_in(const struct match_scan *scan, const char *end)
{
	struct named named = {.card = NULL};
	const char *to;
	unsigned int i;

	for (i = 0; i < scan->n_names; i++) {
		const struct match_name *const name = &scan->names[i];

		for (to = name->at; to < end && text_is_word(*to); to++)
			;
		if (to - name->at >= 9 && memcmp(name->at, "mlx5_core", 9) == 0)
			continue;
		if (!named.device && isdigit((unsigned char)to[-1])) {
			named.device = name->at;
			named.len = (size_t)(to - name->at);
		}
		if (!named.card && strcmp(name->card->card, "unnamed") != 0)
			named.card = name->card->card;
	}
	return named;
}

/* The card of a line by the names in it, or by its form. */
static void name_card(struct find *f, struct finding *new, const struct named *named)
{
	const char *const form = log_forms[new->forms[0]].card;

	if (named->device && !(new->values.texts & 1u << LOG_DEVICE))
		values_set_text(&new->values, LOG_DEVICE, named->device, named->len);
	if (named->card && f->card && f->card != named->card)
		f->cards = true;
	new->card = form ? form : named->card;
	f->card = new->card ? new->card : f->card;
}

static void set_syndrome_of(struct values *v, const struct log_status *status)
{
	if (status->syndrome != LOG_ANY && !values_have(v, LOG_SYNDROME))
		values_set(v, LOG_SYNDROME, status->syndrome);
	values_set(v, LOG_STATUS, (uint64_t)status->status);
}

/* The status is the syndrome's, and the other way round. */
static void pair_status(struct values *v)
{
	const struct log_status *s = log_statuses, *const end = s + log_n_statuses;

	if (values_have(v, LOG_STATUS))
		s = log_status_of(v->number[LOG_STATUS]);
	else if (values_have(v, LOG_SYNDROME))
		while (s < end && s->syndrome != v->number[LOG_SYNDROME])
			s++;
	else
		return;
	if (s && s < end)
		set_syndrome_of(v, s);
}

static void take_opcode(struct values *v, const char *name)
{
	uint16_t i;

	for (i = 0; i < segue_opcode_desc.member_count; i++)
		if (strcasecmp(segue_opcode_desc.members[i].name, name) == 0)
			values_set(v, LOG_OPCODE, segue_opcode_desc.members[i].value);
	if (values_have(v, LOG_OPCODE) && !values_have(v, LOG_SIDE))
		values_set(v, LOG_SIDE, LOG_REQUESTER);
}

/* gdb prints big-endian numbers as if they were the machine's. */
static void take_swapped(struct values *v)
{
	const uint32_t opcode_qpn = bswap_32((uint32_t)v->number[LOG_SWAPPED_OPCODE_QPN]);

	if (values_have(v, LOG_SWAPPED_OPCODE_QPN)) {
		values_set(v, LOG_QPN, opcode_qpn & 0xffffff);
		values_set(v, LOG_OPCODE, opcode_qpn >> 24);
	}
	if (values_have(v, LOG_SWAPPED_INDEX))
		values_set(v, LOG_INDEX, bswap_16((uint16_t)v->number[LOG_SWAPPED_INDEX]));
	if (values_have(v, LOG_SWAPPED_SRQN))
		values_set(v, LOG_SRQN, bswap_32((uint32_t)v->number[LOG_SWAPPED_SRQN]));
	if (values_have(v, LOG_OP_OWN))
		values_set(v, LOG_CQE_OPCODE, v->number[LOG_OP_OWN] >> 4);
}

/* Words become numbers, and what one program calls a status another calls a syndrome. */
static void settle(struct values *v)
{
	const struct log_status *status;

	take_swapped(v);
	if (v->texts & 1u << LOG_OPERATION)
		take_opcode(v, v->text[LOG_OPERATION]);
	if (values_have(v, LOG_CQE_OPCODE)) {
		const bool send = v->number[LOG_CQE_OPCODE] == SEGUE_CQE_OPCODE_REQ_ERR;

		values_set(v, LOG_SIDE, send ? LOG_REQUESTER : LOG_RESPONDER);
	}
	status = v->texts & 1u << LOG_WORDING && !values_have(v, LOG_STATUS)
			 ? match_status(v->text[LOG_WORDING])
			 : NULL;
	if (status)
		set_syndrome_of(v, status);
	/* The text is the syndrome, looked up as if it were a status. */
	status = v->texts & 1u << LOG_MISREAD ? match_status(v->text[LOG_MISREAD]) : NULL;
	if (status)
		values_set(v, LOG_SYNDROME, (uint64_t)status->status);
	pair_status(v);
	if (values_have(v, LOG_SIDE) && v->number[LOG_SIDE] == LOG_RESPONDER)
		v->numbers &= ~(1u << LOG_OPCODE);
}

static bool has_form(const struct finding *to, uint16_t form)
{
	unsigned int i;

	for (i = 0; i < to->n_forms; i++)
		if (to->forms[i] == form)
			return true;
	return false;
}

/* True if no number that both hold contradicts. */
static bool fits(const struct values *a, const struct values *b)
{
	uint32_t both;

	for (both = a->numbers & b->numbers; both; both &= both - 1)
		if (a->number[__builtin_ctz(both)] != b->number[__builtin_ctz(both)])
			return false;
	return true;
}

/* True if one of them is the half of a line, or both hold the same of something. */
static bool belongs(const struct finding *a, const struct finding *b, uint64_t distance)
{
	static const uint32_t told = 1u << LOG_SYNDROME | 1u << LOG_STATUS | 1u << LOG_VENDOR;
	const uint32_t both = a->values.numbers & b->values.numbers;

	if (!(a->values.numbers & told) || !(b->values.numbers & told))
		return distance <= HALVES;
	return both & (1u << LOG_SYNDROME | 1u << LOG_STATUS | 1u << LOG_QPN);
}

/* True if both are the same but for the WQE's index. */
static bool equal(const struct values *a, const struct values *b)
{
	uint32_t left;

	if (!fits(a, b) || a->texts != b->texts || (a->numbers ^ b->numbers) & ~(1u << LOG_INDEX))
		return false;
	for (left = a->texts; left; left &= left - 1)
		if (strcmp(a->text[__builtin_ctz(left)], b->text[__builtin_ctz(left)]) != 0)
			return false;
	return true;
}

static bool of_completion(enum log_kind kind)
{
	return kind == LOG_KIND_COMPLETION || kind == LOG_KIND_REQUEST;
}

static void add_form(struct finding *to, uint16_t form)
{
	if (to->n_forms < FIND_FORMS)
		to->forms[to->n_forms++] = form;
}

static void join(struct finding *to, const struct finding *from)
{
	unsigned int i;

	for (i = 0; i < LOG_NUMBERS; i++)
		if (values_have(&from->values, i) && !values_have(&to->values, i))
			values_set(&to->values, i, from->values.number[i]);
	for (i = 0; i < LOG_TEXTS; i++)
		if (from->values.texts >> i & 1 && !(to->values.texts >> i & 1))
			memcpy(to->values.text[i], from->values.text[i], MATCH_TEXT);
	to->values.texts |= from->values.texts;
	for (i = 0; i < from->n_forms; i++)
		add_form(to, from->forms[i]);
	if (from->kind == LOG_KIND_COMPLETION)
		to->kind = from->kind;
	to->card = to->card ? to->card : from->card;
	if (from->source != FIND_LINE) {
		to->source = from->source;
		to->order = from->order;
	}
	to->line = from->line < to->line ? from->line : to->line;
	to->last = from->last > to->last ? from->last : to->last;
}

/* Lines of one failure come together: the one that a finding adds to, or NULL. */
static struct finding *partner(struct find *f, const struct finding *new)
{
	size_t i;

	if (new->line > f->last + TOGETHER)
		return NULL;
	for (i = f->count; i--;) {
		struct finding *const old = &f->all[i];
		const uint64_t last = f->seen[i].last,
			       distance = last > new->line ? last - new->line : new->line - last;

		if (distance > TOGETHER || !of_completion(old->kind) ||
		    !fits(&old->values, &new->values) || old->n_forms == FIND_FORMS ||
		    !belongs(old, new, distance))
			continue;
		if (new->source != FIND_LINE ? old->source == FIND_LINE
					     : !has_form(old, new->forms[0]))
			return old;
	}
	return NULL;
}

/* A number that equal findings share. */
static uint32_t key_of(const struct finding *finding)
{
	const struct values *const v = &finding->values;
	uint32_t left = v->numbers & ~(1u << LOG_INDEX), key = left ^ v->texts << 24;
	const char *text;

	for (; left; left &= left - 1)
		key = (key ^ (uint32_t)v->number[__builtin_ctz(left)]) * UINT32_C(0x01000193);
	for (left = v->texts; left; left &= left - 1)
		for (text = v->text[__builtin_ctz(left)]; *text; text++)
			key = (key ^ (uint8_t)*text) * UINT32_C(0x01000193);
	return key;
}

static void remember(struct find *f, const struct finding *finding)
{
	const uint32_t key = key_of(finding);

	f->seen[finding - f->all] = (struct find_seen){finding->last, key};
	f->keys[key % 4] |= UINT64_C(1) << key / 4 % 64;
	f->last = finding->last > f->last ? finding->last : f->last;
}

static bool flushed(const struct finding *finding)
{
	return values_have(&finding->values, LOG_SYNDROME) &&
	       finding->values.number[LOG_SYNDROME] == SEGUE_CQE_SYNDROME_WR_FLUSH_ERR;
}

static void count_flush(struct find *f, const struct finding *new)
{
	if (!f->flushes)
		f->first_flush = new->line;
	f->flushes += new->count;
	if (f->flush_vendor == LOG_ANY && values_have(&new->values, LOG_VENDOR))
		f->flush_vendor = (uint16_t) new->values.number[LOG_VENDOR];
}

static struct finding *repeated(struct find *f, const struct finding *new)
{
	const uint32_t key = key_of(new);
	size_t i;

	if (!(f->keys[key % 4] >> key / 4 % 64 & 1))
		return NULL;
	for (i = f->count; i--;)
		if (f->seen[i].key == key &&
		    f->all[i].kind == new->kind &&equal(&f->all[i].values, &new->values))
			return &f->all[i];
	return NULL;
}

/* Keeps a finding, unless there are too many. */
static struct finding *keep(struct find *f, const struct finding *new)
{
	if (f->count == FIND_MAX)
		return NULL;
	f->all[f->count] = *new;
	remember(f, &f->all[f->count]);
	return &f->all[f->count++];
}

static void take(struct find *f, const struct finding *new)
{
	struct finding *const old = of_completion(new->kind) ? partner(f, new) : NULL;
	struct finding *const same = old ? NULL : repeated(f, new);

	if (old) {
		join(old, new);
		remember(f, old);
	} else if (same) {
		same->count++;
	} else if (!keep(f, new)) {
		f->more++;
	}
}

static void take_values(struct find *f, uint16_t form, const struct finding *finding)
{
	const enum log_kind kind = log_forms[form].kind;

	if (kind == LOG_KIND_WQE)
		f->wqe_head = finding->line;
	if (kind == LOG_KIND_HINT)
		f->hints |= 1u << finding->values.number[LOG_HINT];
	else if (kind == LOG_KIND_WQE || kind == LOG_KIND_DUMP)
		rows_end(&f->rows_open);
	else
		take(f, finding);
}

/* Counters that are known are found by their names, also in lines of another form. */
static bool name_counter(struct values *v, uint16_t pattern)
{
	const size_t first = log_n_patterns - log_n_counters;
	const char *name;

	if (pattern < first)
		return !find_counter(v->text[LOG_COUNTER]);
	name = log_counters[pattern - first].name;
	values_set_text(v, LOG_COUNTER, name, strlen(name));
	return true;
}

/* False for successes, and for words that are no status. */
static bool says_something(struct finding *finding, uint16_t pattern)
{
	struct values *const v = &finding->values;

	if (finding->kind == LOG_KIND_COUNTER)
		return name_counter(v, pattern);
	if (finding->kind != LOG_KIND_COMPLETION)
		return true;
	if (values_have(v, LOG_STATUS) && v->number[LOG_STATUS] == 0)
		return false;
	return values_have(v, LOG_STATUS) || values_have(v, LOG_SYNDROME) ||
	       values_have(v, LOG_VENDOR) || values_have(v, LOG_SIDE) || values_have(v, LOG_QPN) ||
	       finding->card;
}

bool find_patterns(struct find *f, const struct match_scan *scan, const char *line, size_t len,
		   uint64_t number)
{
	uint64_t taken[4] = {0}; /* a form may have several patterns, of which one is enough */
	static struct finding new;
	struct named named;
	unsigned int i;
	bool any = false;

	for (i = 0; i < scan->count; i++) {
		const struct log_pattern *const pattern = &log_patterns[scan->found[i].pattern];
		const uint16_t form = pattern->form;

		if (pattern->letters & ~scan->letters || scan->found[i].pattern < log_n_alsos ||
		    (log_forms[form].kind != LOG_KIND_COUNTER &&
		     taken[form / 64] >> form % 64 & 1) ||
		    !match_line(scan, i, line, len, &new.values))
			continue;
		new.kind = log_forms[form].kind;
		new.forms[0] = form;
		new.n_forms = new.count = 1;
		new.line = new.last = number;
		taken[form / 64] |= UINT64_C(1) << form % 64;
		if (!any)
			named = names_in(scan, line + len);
		any = true;
		name_card(f, &new, &named);
		settle(&new.values);
		if (says_something(&new, scan->found[i].pattern))
			take_values(f, form, &new);
	}
	return any;
}

void find_line(struct find *f, const struct match_scan *scan, const char *line, size_t len,
	       uint64_t number)
{
	if (scan->digits || rows_waiting(&f->rows_open, number))
		(void)rows_line(&f->rows_open, line, len, number);
	f->lines = number;
}

static void take_failed(struct find *f, const struct rows_dump *dump, const struct failed *failed,
			size_t order, enum find_source source)
{
	struct finding new = {.kind = LOG_KIND_COMPLETION,
			      .source = source,
			      .order = order,
			      .line = dump->first,
			      .last = dump->last,
			      .count = 1};
	struct values *const v = &new.values;

	values_set(v, LOG_SYNDROME, failed->syndrome);
	values_set(v, LOG_VENDOR, failed->vendor);
	values_set(v, LOG_HW_TYPE, failed->hw_type);
	values_set(v, LOG_HW, failed->hw);
	values_set(v, LOG_QPN, failed->qpn);
	values_set(v, LOG_INDEX, failed->index);
	values_set(v, LOG_SIDE, failed->send ? LOG_REQUESTER : LOG_RESPONDER);
	if (failed->send)
		values_set(v, LOG_OPCODE, failed->opcode);
	if (failed->srqn)
		values_set(v, LOG_SRQN, failed->srqn);
	settle(v);
	take(f, &new);
}

/*
 * An error completion at a place of a dump, of which `from` is the end of the one before. Returns
 * how many bytes it takes, 0 if there is none. Rows without addresses need not belong to the rows
 * before them, so the last row alone is taken.
 */
static size_t failed_at(struct find *f, const struct rows_dump *dump, size_t at, size_t from)
{
	const size_t left = dump->len - at,
		     place = dump->addressed		 ? (dump->base + at) % FAILED_SIZE
			     : dump->group >= FAILED_ROW ? (at - from) % FAILED_SIZE
							 : at - from;
	size_t len = place == 0 && left >= FAILED_SIZE ? FAILED_SIZE : FAILED_ROW, order;
	struct failed failed;

	order = failed_find(dump->bytes + at, len, dump->group, &failed);
	if (!order && len == FAILED_SIZE && !dump->addressed) {
		len = FAILED_ROW;
		order = failed_find(dump->bytes + at, len, dump->group, &failed);
	}
	if (!order || (len == FAILED_ROW && dump->addressed && place != FAILED_SIZE - FAILED_ROW))
		return 0;
	take_failed(f, dump, &failed, order, len == FAILED_SIZE ? FIND_DUMP : FIND_LAST_ROW);
	return len;
}

/* The request of a completion that came before, or one that a line has announced. */
static void take_wqe(struct find *f, const struct rows_dump *dump, size_t at)
{
	const bool announced = f->wqe_head && dump->first - f->wqe_head <= 3;
	const size_t left = dump->len - at;
	uint8_t bytes[ROWS_MAX];
	struct finding *last = NULL;
	size_t i, size = 0;
	bool legal;

	memcpy(bytes, dump->bytes + at, left);
	for (i = f->count; i-- && !size;) {
		const struct values *const v = &f->all[i].values;
		const struct failed failed = {.send = v->number[LOG_SIDE] == LOG_REQUESTER,
					      .opcode = (uint8_t)v->number[LOG_OPCODE],
					      .qpn = (uint32_t)v->number[LOG_QPN],
					      .index = (uint16_t)v->number[LOG_INDEX]};

		last = &f->all[i];
		failed_turn(bytes, left, last->order > 1 ? last->order : 1);
		size = last->kind == LOG_KIND_COMPLETION && !last->wqe_len
			       ? failed_wqe(&failed, bytes, left)
			       : 0;
		if (!size)
			memcpy(bytes, dump->bytes + at, left);
	}
	if (!size && left >= SEGUE_WQE_BLOCK_SIZE &&
	    (announced || (wqe_guess(bytes, left, &legal) && legal &&
			   wqe_control(bytes, segue_control.opcode) != SEGUE_OPCODE_NOP)) &&
	    f->count < FIND_MAX) {
		last = keep(f, &(struct finding){.kind = LOG_KIND_WQE,
						 .source = FIND_DUMP,
						 .line = dump->first,
						 .last = dump->last,
						 .count = 1});
		size = (size_t)wqe_control(bytes, segue_control.size) * SEGUE_WQE_UNIT_SIZE;
		size = size && size < left ? size : left;
	}
	if (!size)
		return;
	last->wqe_len = size < FIND_WQE ? size : FIND_WQE;
	memcpy(last->wqe, bytes, last->wqe_len);
	last->ethernet |= announced;
}

static void take_dump(void *arg, const struct rows_dump *dump)
{
	struct find *const f = arg;
	size_t at, size, behind = 0;
	bool any = false;

	for (at = 0; at + FAILED_ROW <= dump->len; at += size ? size : FAILED_ROW) {
		size = failed_at(f, dump, at, behind);
		any |= size > 0;
		behind = size ? at + size : behind;
	}
	if (behind < dump->len && dump->len - behind >= FAILED_SIZE)
		take_wqe(f, dump, behind);
	if (!any && !f->capture)
		f->capture = packet_in(dump->bytes, dump->len, &f->capture_opcode);
	if (f->capture && !f->capture_line)
		f->capture_line = dump->first;
}

/* A dump that ends with an error completion is complete, whatever follows. */
static bool is_complete(const struct rows_dump *dump)
{
	struct failed failed;

	return dump->len >= FAILED_SIZE && failed_find(dump->bytes + dump->len - FAILED_SIZE,
						       FAILED_SIZE, dump->group, &failed);
}

void find_begin(struct find *f)
{
	memset(f, 0, sizeof(*f));
	f->rows_open.take = take_dump;
	f->rows_open.complete = is_complete;
	f->rows_open.arg = f;
	f->flush_vendor = LOG_ANY;
}

static int by_line(const void *a, const void *b)
{
	const struct finding *const x = a, *const y = b;

	return x->line < y->line ? -1 : x->line > y->line;
}

void find_end(struct find *f)
{
	size_t i, kept = 0;

	rows_end(&f->rows_open);
	for (i = 0; i < f->count; i++) {
		if (flushed(&f->all[i]) && f->all[i].kind == LOG_KIND_COMPLETION)
			count_flush(f, &f->all[i]);
		else
			f->all[kept++] = f->all[i];
	}
	f->count = kept;
	qsort(f->all, f->count, sizeof(f->all[0]), by_line);
}
