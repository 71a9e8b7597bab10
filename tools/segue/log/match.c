// SPDX-License-Identifier: BSD-2-Clause
/* Matches a line against the patterns of the known log messages. */
#include "tools/segue/log/match.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "tools/segue/log/digits.h"
#include "tools/segue/log/text.h"

#define FAR	 300  /* bytes that a pattern may skip */
#define PATIENCE 4000 /* places at which one pattern is tried */

/* What a byte is to a first look. A tab counts with digits as well. */
enum { HEX = 1, DRESSED = 2, TAB = 4 };

static const uint8_t *kinds(void)
{
	static uint8_t kind[256];
	int c;

	if (kind['0'])
		return kind;
	for (c = 0; c < 256; c++) {
		if (digit_value((char)c) >= 0 || (c && strchr("xX ,:-\t", c)))
			kind[c] = c == '\t' ? HEX | TAB : HEX;
		else if (c < ' ' || c > '~' || c == '&')
			kind[c] = DRESSED;
	}
	return kind;
}

static void note(struct match_scan *scan, const uint16_t *list)
{
	unsigned int i;

	for (; *list != 0xffff && scan->count < MATCH_FOUND; list++) {
		for (i = 0; i < scan->count && scan->found[i] != *list; i++)
			;
		if (i == scan->count)
			scan->found[scan->count++] = *list;
	}
}

static bool quoted(const char *line, size_t len)
{
	while (len && *line == ' ')
		line++, len--;
	return len && *line == '>';
}

void match_scan(const char *line, size_t len, struct match_scan *scan)
{
	const uint8_t *const kind = kinds();
	const uint8_t *at = (const uint8_t *)line;
	const uint8_t *const end = at + len;
	size_t run = 0, longest = 0;
	uint32_t state = 0;
	uint8_t before = 0, seen = 0;

	scan->count = 0;
	for (; at < end; before = *at++) {
		/* Blanks count once. */
		if (*at != ' ' || before != ' ')
			state = log_next[state * log_width + log_letters[*at]];
		if (log_found_at[state])
			note(scan, log_found + log_found_at[state]);
		seen |= kind[*at];
		if (kind[*at] & HEX) {
			run++;
			continue;
		}
		longest = run > longest ? run : longest;
		run = 0;
	}
	scan->run = run > longest ? run : longest;
	scan->dressed = seen & DRESSED || quoted(line, len);
	scan->tabs = seen & TAB;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* A quick look at two characters: false if a literal cannot begin at a place, of several blanks at
 * the last one. */
static bool may_begin(const char *literal, const char *at, const char *end)
{
	return (lower(*at) == *literal || (*literal == ' ' && *at < ' ')) &&
	       (!literal[1] || literal[1] == ' ' || (at + 1 < end && lower(at[1]) == literal[1]));
}

/* Where a literal ends that begins at a place, or NULL. A blank stands for one or more, or for the
 * end of a line. */
static const char *literal_at(const char *at, const char *end, const char *literal)
{
	for (; *literal; literal++) {
		if (*literal == ' ') {
			if (at >= end || !isspace((unsigned char)*at))
				return NULL;
			while (at < end && isspace((unsigned char)*at))
				at++;
			continue;
		}
		if (at >= end || lower(*at) != *literal)
			return NULL;
		at++;
	}
	return at;
}

static const char *number_at(const char *at, const char *end, uint8_t op, uint64_t *value)
{
	const bool marked = digits_marked(at, end) && digit_value(at[2]) >= 0;
	const unsigned int base = op == LOG_HEX || (op == LOG_NUMBER && marked) ? 16 : 10;
	const char *const start = at += marked && base == 16 ? 2 : 0;

	if (marked && base == 10)
		return NULL;
	*value = 0;
	while (at < end && digit_value(*at) >= 0 && (unsigned int)digit_value(*at) < base &&
	       at - start < 20)
		*value = *value * base + (uint64_t)digit_value(*at++);
	return at > start && (at == end || !isalnum((unsigned char)*at) || base == 16) ? at : NULL;
}

/* A word ends before a colon that ends it. */
static const char *word_at(const char *at, const char *end, uint8_t op)
{
	const char *const start = at;

	while (at < end && (op == LOG_NAME ? isalnum((unsigned char)*at) || *at == '_'
					   : *at > ' ' && !strchr(",;()'\"[]", *at)))
		at++;
	return at > start && at[-1] == ':' ? at - 1 : at;
}

void values_set_text(struct values *v, enum log_text slot, const char *text, size_t len)
{
	len = len < MATCH_TEXT ? len : MATCH_TEXT - 1;
	memcpy(v->text[slot], text, len);
	v->text[slot][len] = '\0';
	v->texts |= UINT32_C(1) << slot;
}

static void take_text(struct values *v, uint8_t slot, const char *at, const char *end)
{
	while (at < end && *at == ' ')
		at++;
	while (end > at && isspace((unsigned char)end[-1]))
		end--;
	values_set_text(v, slot, at, (size_t)(end - at));
}

/* One step that can be taken in one way only; NULL if it cannot be. */
static const char *step_at(const struct log_step *step, const char *at, const char *end,
			   struct values *v)
{
	const char *to = NULL;
	uint64_t value;

	switch (step->op) {
	case LOG_LITERAL:
		return literal_at(at, end, step->literal);
	case LOG_MAYBE:
		to = literal_at(at, end, step->literal);
		return to ? to : at;
	case LOG_SEPARATOR:
		for (to = at; to < end && strchr(" :=\t", *to); to++)
			;
		return to > at ? to : NULL;
	case LOG_WORD:
	case LOG_NAME:
	case LOG_REST:
		to = step->op == LOG_REST ? end : word_at(at, end, step->op);
		take_text(v, step->slot, at, to);
		return to > at ? to : NULL;
	default:
		to = number_at(at, end, step->op, &value);
		if (to)
			values_set(v, step->slot, value);
		return to;
	}
}

static bool steps_at(const struct log_step *step, const char *at, const char *end, struct values *v,
		     unsigned int *patience)
{
	for (; step->op != LOG_END; step++) {
		const char *const start = at;

		if (step->op != LOG_TEXT && step->op != LOG_SKIP) {
			at = step_at(step, at, end, v);
			if (!at)
				return false;
			continue;
		}
		/* What is skipped ends where the rest matches. It does not go over a line. */
		for (; at < end && at - start < FAR && *at != '\n' && *patience; at++) {
			--*patience;
			if ((step[1].op == LOG_LITERAL && !may_begin(step[1].literal, at, end)) ||
			    !steps_at(step + 1, at, end, v, patience))
				continue;
			if (step->op == LOG_TEXT)
				take_text(v, step->slot, start, at);
			return true;
		}
		return false;
	}
	return true;
}

/* The next place that holds a character, in either case. A blank may be the end of a line. */
static const char *next_place(const char *at, const char *end, char c)
{
	const size_t left = (size_t)(end - at);
	const char other = c == ' ' ? '\n' : c >= 'a' && c <= 'z' ? (char)(c & ~0x20) : c;
	const char *const first = memchr(at, c, left),
			  *const second = other == c ? NULL
						     : memchr(at, other,
							      first ? (size_t)(first - at) : left);

	return second ? second : first;
}

/* What a place that does not match has set is set again, or forgotten. */
static bool search(const struct log_step *steps, const char *line, const char *end,
		   struct values *v)
{
	const bool word = isalnum((unsigned char)*steps->literal);
	const uint32_t numbers = v->numbers, texts = v->texts;
	unsigned int patience = PATIENCE;
	const char *at = line;

	for (; (at = next_place(at, end, *steps->literal)) != NULL; at++) {
		if (may_begin(steps->literal, at, end) &&
		    (!word || at == line || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) &&
		    steps_at(steps, at, end, v, &patience))
			return true;
	}
	v->numbers = numbers;
	v->texts = texts;
	return false;
}

bool match_line(uint16_t pattern, const char *line, size_t len, struct values *values)
{
	const struct log_form *const form = &log_forms[log_patterns[pattern].form];
	const struct log_step *const *also;
	const struct log_constant *set;
	unsigned int i;

	values->numbers = values->texts = 0;
	for (i = 0; i < LOG_TEXTS; i++)
		values->text[i][0] = '\0';
	if (!search(log_patterns[pattern].steps, line, line + len, values))
		return false;
	for (also = form->also; *also; also++)
		(void)search(*also, line, line + len, values);
	for (set = form->set; set->slot != 0xff; set++)
		values_set(values, set->slot, set->value);
	return true;
}

bool match_word(const char *const words[LOG_WORDS], const char *text)
{
	size_t i;

	for (i = 0; i < LOG_WORDS && words[i]; i++)
		if (strncasecmp(text, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

const struct log_status *match_status(const char *words)
{
	const struct log_status *best = NULL;
	size_t i, j, longest = 0;

	/* The longest wording that is in it: other words may stand before and behind. */
	for (i = 0; i < log_n_statuses; i++) {
		if (strcasecmp(words, log_statuses[i].name + strlen("IBV_WC_")) == 0)
			return &log_statuses[i];
		for (j = 0; j < LOG_WORDS && log_statuses[i].words[j]; j++) {
			const char *const word = log_statuses[i].words[j];

			if (strlen(word) <= longest ||
			    !text_find(words, words + strlen(words), word))
				continue;
			longest = strlen(word);
			best = &log_statuses[i];
		}
	}
	return best;
}
