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

/* Notes a name of a card that ends at a place, if it begins a word. */
static void note_card(struct match_scan *scan, const struct log_card *card, const char *line,
		      const char *end)
{
	const char *const at = end - strlen(card->name);

	if ((at == line || !text_is_word(at[-1])) && scan->n_names < MATCH_NAMES)
		scan->names[scan->n_names++] = (struct match_name){card, at};
}

/* Notes a pattern with a key that ends at a place: each time if that place is where the pattern
 * begins. */
static void note_pattern(struct match_scan *scan, uint16_t pattern, const char *end)
{
	unsigned int i;

	for (i = 0; !log_patterns[pattern].key_len && i < scan->count; i++)
		if (scan->found[i].pattern == pattern)
			return;
	if (scan->count < MATCH_FOUND)
		scan->found[scan->count++] = (struct match_found){pattern, end};
}

static void note(struct match_scan *scan, const uint16_t *list, const char *line, const char *end)
{
	for (; *list != 0xffff; list++) {
		if (*list < log_n_patterns)
			note_pattern(scan, *list, end);
		else
			note_card(scan, &log_cards[*list - log_n_patterns], line, end);
	}
}

static bool is_digit(char c)
{
	return log_marks[(uint8_t)c] & LOG_DIGIT;
}

/* True if enough digits stand together for a row: they cover one of the places that are tried. */
static bool has_row(const char *line, size_t len)
{
	size_t at, from, to;

	for (at = MATCH_ROW - 1; at < len; at += MATCH_ROW) {
		for (from = at; from && is_digit(line[from - 1]) && is_digit(line[at]); from--)
			;
		for (to = at; to < len && is_digit(line[to]) && to - from < MATCH_ROW; to++)
			;
		if (to - from >= MATCH_ROW)
			return true;
	}
	return false;
}

static bool quoted(const char *line, size_t len)
{
	while (len && *line == ' ')
		line++, len--;
	return len && *line == '>';
}

/* Takes steps of the machine from a place on, until a state that has found something or the end.
 * The letters and flags on the way are added to `seen`. */
static const char *to_found(const char *at, const char *end, uint32_t *state, uint64_t *seen)
{
	const uint32_t first_found = log_first_found;
	uint64_t marks = *seen;
	uint32_t now = *state;

	while (at < end) {
		const uint8_t byte = (uint8_t)*at++;

		marks |= log_marks[byte];
		now = log_next[now * LOG_STEP + log_letters[byte]];
		if (now >= first_found)
			break;
	}
	*seen = marks;
	*state = now;
	return at;
}

void match_scan(const char *line, size_t len, struct match_scan *scan)
{
	const char *const end = line + len;
	const char *at = line;
	uint32_t state = 0;
	uint64_t seen = 0;

	scan->count = scan->n_names = 0;
	while (at < end) {
		at = to_found(at, end, &state, &seen);
		if (state >= log_first_found)
			note(scan, log_found + log_found_at[(state - log_first_found) / LOG_STEP],
			     line, at);
	}
	scan->letters = seen;
	scan->digits = has_row(line, len);
	scan->dressed = seen & LOG_DRESSED || quoted(line, len);
	scan->tabs = seen & LOG_TAB;
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

/* End of a literal that begins at a place, or NULL. A blank stands for one or more, or for the end
 * of a line. */
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
	for (*value = 0; at < end && at - start < 20; at++) {
		const int digit = digit_value(*at);

		if (digit < 0 || (unsigned int)digit >= base)
			break;
		*value = *value * base + (unsigned int)digit;
	}
	return at > start && (at == end || !isalnum((unsigned char)*at) || base == 16) ? at : NULL;
}

/* A word ends before a colon that ends it. */
static const char *word_at(const char *at, const char *end, uint8_t op)
{
	const char *const start = at;

	while (at < end && (op == LOG_NAME ? isalnum((unsigned char)*at) || *at == '_'
					   : !(log_marks[(uint8_t)*at] & LOG_BREAK)))
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

/* Takes a step that matches in one way only. NULL if it does not match. */
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
		/* A skip ends where the rest matches, within the line. */
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

/* Start of the text of which so many characters end at a place. A blank stands for several. */
static const char *start_of(const char *literal, size_t n, const char *line, const char *at)
{
	const char *blank;

	for (; (blank = memrchr(literal, ' ', n)) != NULL; n = (size_t)(blank - literal)) {
		at -= literal + n - blank;
		while (at > line && (uint8_t)at[-1] <= ' ')
			at--;
	}
	return at - n;
}

/* True if a pattern matches with its first text from `start` to `at`. NULL: nowhere. */
static bool matches(const struct log_pattern *pattern, const char *line, const char *start,
		    const char *at, const char *end, struct values *v, unsigned int *patience)
{
	const uint32_t numbers = v->numbers, texts = v->texts;

	if (at && begins(pattern->first, line, start) &&
	    steps_at(pattern->steps, at, end, v, patience))
		return true;
	/* Values of a place that does not match are forgotten. */
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
	const struct log_pattern *const pattern = &log_patterns[scan->found[found].pattern];
	const struct log_form *const form = &log_forms[pattern->form];
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

static bool same_text(const char *a, const char *b)
{
	return lower(*a) == lower(*b) && strcasecmp(a, b) == 0;
}

/* The status that a text is the name or a wording of, and nothing else. Most texts are. */
static const struct log_status *status_named(const char *text)
{
	const struct log_status *s;
	size_t i;

	for (s = log_statuses; s < log_statuses + log_n_statuses; s++) {
		if (same_text(text, s->name + strlen("IBV_WC_")))
			return s;
		for (i = 0; i < LOG_WORDS && s->words[i]; i++)
			if (same_text(text, s->words[i]))
				return s;
	}
	return NULL;
}

const struct log_status *match_status(const char *words)
{
	const struct log_status *best = status_named(words), *s;
	size_t i, longest = 0;

	if (best)
		return best;
	/* The longest wording that is in it: other words may stand before and behind. */
	for (s = log_statuses; s < log_statuses + log_n_statuses; s++) {
		for (i = 0; i < LOG_WORDS && s->words[i]; i++) {
			if (strlen(s->words[i]) <= longest || !strcasestr(words, s->words[i]))
				continue;
			longest = strlen(s->words[i]);
			best = s;
		}
	}
	return best;
}
