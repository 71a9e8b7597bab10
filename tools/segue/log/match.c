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
enum { HEX = 1, DRESSED = 2, TAB = 4, WORD = 8, NAME = 16 };

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
		if (text_is_word((char)c))
			kind[c] |= log_card_letters >> (c & 31) & 1 && isalpha(c) ? WORD | NAME
										  : WORD;
	}
	return kind;
}

/* Notes patterns whose key ends at a place: each time if that says where they begin. */
static void note(struct match_scan *scan, const uint16_t *list, const char *key_end)
{
	unsigned int i;

	for (; *list != 0xffff && scan->count < MATCH_FOUND; list++) {
		for (i = 0; i < scan->count && scan->found[i].pattern != *list; i++)
			;
		if (i == scan->count || log_patterns[*list].key_len)
			scan->found[scan->count++] = (struct match_found){*list, key_end};
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
	uint8_t seen = 0, before = 0;

	scan->count = scan->n_names = 0;
	for (; at < end; at++) {
		state = log_next[state << log_shift | log_letters[*at]];
		if (state >= log_first_found)
			note(scan, log_found + log_found_at[state - log_first_found],
			     (const char *)at + 1);
		if ((kind[*at] & NAME) > (before & WORD) << 1 && scan->n_names < MATCH_NAMES)
			scan->names[scan->n_names++] = (uint16_t)(at - (const uint8_t *)line);
		before = kind[*at];
		seen |= before;
		run = before & HEX ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	scan->run = longest;
	scan->dressed = seen & DRESSED || quoted(line, len);
	scan->tabs = seen & TAB;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* The next place where a literal may begin, by its first two characters. A blank may be the end of
 * a line, and of several blanks the last one counts. */
static const char *next_place(const char *at, const char *end, const char *literal)
{
	const char c = literal[0], next = literal[1],
		   other = c == ' '		  ? '\n'
			   : c >= 'a' && c <= 'z' ? (char)(c & ~0x20)
						  : c;

	for (; at < end; at++)
		if ((*at == c || *at == other) &&
		    (!next || next == ' ' || (at + 1 < end && lower(at[1]) == next)))
			return at;
	return NULL;
}

/* Where a literal ends that begins at a place, or NULL. A blank stands for one or more, or for the
 * end of a line. */
static const char *literal_at(const char *at, const char *end, const char *literal)
{
	for (; *literal; literal++, at++) {
		if (at >= end)
			return NULL;
		if (*literal == ' ' && (uint8_t)*at <= ' ')
			while (at + 1 < end && (uint8_t)at[1] <= ' ')
				at++;
		else if (*at != *literal && lower(*at) != *literal)
			return NULL;
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
		const char *const start = at, *limit, *newline;

		if (step->op != LOG_TEXT && step->op != LOG_SKIP) {
			at = step_at(step, at, end, v);
			if (!at)
				return false;
			continue;
		}
		/* What is skipped ends where the rest matches. It does not go over a line. */
		limit = end - at < FAR ? end : at + FAR;
		newline = memchr(at, '\n', (size_t)(limit - at));
		limit = newline ? newline : limit;
		for (; (at = next_place(at, limit, step[1].literal)) != NULL; at++) {
			if (!(*patience)--)
				return false;
			if (!steps_at(step + 1, at, end, v, patience))
				continue;
			if (step->op == LOG_TEXT)
				take_text(v, step->slot, start, at);
			return true;
		}
		return false;
	}
	return true;
}

/* True if a place may be the first of a literal: a word does not begin within another. */
static bool begins(const char *literal, const char *line, const char *at)
{
	return at == line || !isalnum((unsigned char)*literal) || !text_is_word(at[-1]);
}

/* Where the text begins of which so many characters end at a place, or NULL. */
static const char *start_of(const char *literal, size_t n, const char *line, const char *at)
{
	for (; n && at > line; at--)
		if (literal[--n] == ' ')
			while (at > line + 1 && (uint8_t)at[-2] <= ' ')
				at--;
	return n ? NULL : at;
}

/* True if a pattern matches whose first text stands from `start` to `at`. NULL: it does not. */
static bool matches(const struct log_pattern *pattern, const char *line, const char *start,
		    const char *at, const char *end, struct values *v, unsigned int *patience)
{
	const uint32_t numbers = v->numbers, texts = v->texts;

	if (start && begins(pattern->first, line, start) && at &&
	    steps_at(pattern->steps, at, end, v, patience))
		return true;
	/* What a place that does not match has set is forgotten. */
	v->numbers = numbers;
	v->texts = texts;
	return false;
}

static bool search(const struct match_found *found, const char *line, const char *end,
		   struct values *v)
{
	const struct log_pattern *const pattern = &log_patterns[found->pattern];
	const char *const first = pattern->first;
	unsigned int patience = PATIENCE;
	const char *at;

	if (pattern->key_len)
		return matches(pattern, line,
			       start_of(first, pattern->key_len, line, found->key_end),
			       literal_at(found->key_end, end, first + pattern->key_len), end, v,
			       &patience);
	for (at = line; (at = next_place(at, end, first)) != NULL; at++)
		if (matches(pattern, line, at, literal_at(at, end, first), end, v, &patience))
			return true;
	return false;
}

bool match_line(const struct match_scan *scan, unsigned int found, const char *line, size_t len,
		struct values *values)
{
	const struct log_form *const form =
		&log_forms[log_patterns[scan->found[found].pattern].form];
	const struct log_constant *set;
	unsigned int also, i;

	values->numbers = values->texts = 0;
	for (i = 0; i < LOG_TEXTS; i++)
		values->text[i][0] = '\0';
	if (!search(&scan->found[found], line, line + len, values))
		return false;
	for (also = form->also; also < form->also_end; also++)
		for (i = 0; i < scan->count; i++)
			if (scan->found[i].pattern == also &&
			    search(&scan->found[i], line, line + len, values))
				break;
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
