// SPDX-License-Identifier: BSD-2-Clause
/* Rows of hex digits within log lines, joined to dumps. */
#include "tools/segue/log/rows.h"

#include <ctype.h>
#include <string.h>

#include "tools/segue/log/digits.h"

#define ROW	16  /* bytes of a row, unless all are longer */
#define FAR	64  /* lines of other text between two rows of a dump */
#define LONGEST 256 /* bytes of a row */

/* A run of groups with the same number of digits. */
struct run {
	const char *at, *end;
	size_t digits; /* of a group */
	size_t groups;
	bool numbers; /* with 0x */
};

/* A row as it stands in a line. */
struct row {
	size_t len, group;
	bool addressed, numbers, alone; /* alone: the line holds nothing else */
	uint64_t address;
	uint32_t prefix;
	uint8_t bytes[LONGEST]; /* the last member, which take_row() does not clear */
};

static bool joins(const char *at, const char *start, const char *end)
{
	return at > start && at < end && (isalnum((unsigned char)*at) || *at == '_');
}

/* Digits of the group that begins at a place, 0 if none does. */
static size_t group_at(const char *at, const char *end, bool *number)
{
	size_t digits;

	*number = digits_marked(at, end);
	if (*number)
		at += 2;
	digits = digits_at(at, end);
	if (digits % 2 || joins(at + digits, at, end))
		return 0;
	return digits >= 32 || digits == 2 || digits == 4 || digits == 8 || digits == 16 ? digits
											 : 0;
}

/* Skips the gap between two groups: blanks, a comma, hexdump's dash, the colons of "%*phC". */
static const char *gap(const char *at, const char *end, size_t digits)
{
	const char *const start = at;

	while (at < end && at - start < 4 && (*at == ' ' || *at == ',' || *at == '-'))
		at++;
	if (at == start && at < end && *at == ':' && digits == 2)
		at++;
	return at;
}

static struct run run_at(const char *at, const char *end)
{
	struct run run = {.at = at, .end = at};
	size_t digits;
	bool number;

	digits = run.digits = group_at(at, end, &run.numbers);
	number = run.numbers;
	while (digits && digits == run.digits && number == run.numbers) {
		run.groups++;
		run.end = at + digits + (number ? 2 : 0);
		at = gap(run.end, end, digits);
		digits = at == run.end ? 0 : group_at(at, end, &number);
	}
	return run;
}

static size_t bytes_of(const struct run *run)
{
	return run->groups * run->digits / 2;
}

/*
 * True if a place is not the first of a word: "worker-12" is one. grep's "log-12-" before a group
 * of eight digits is none.
 */
static bool in_word(const char *line, const char *at, const char *end)
{
	if (at == line)
		return false;
	if (at > line + 1 && at[-1] == '-' && isdigit((unsigned char)at[-2]))
		return digits_at(at, end) != 8;
	return joins(at - 1, line - 1, end) ||
	       (at > line + 1 && strchr("-./,", at[-1]) && isalnum((unsigned char)at[-2]));
}

/* The longest run of a line. Of two that are as long, the last: dates come first. */
static struct run longest(const char *line, const char *end)
{
	struct run best = {.at = line, .end = line}, run;
	const char *at = line;

	while (at < end) {
		if (digit_value(*at) < 0 || in_word(line, at, end)) {
			at++;
			continue;
		}
		run = run_at(at, end);
		if (bytes_of(&run) >= bytes_of(&best))
			best = run;
		at = run.groups > 1 ? run.end : at + (run.groups ? run.digits : 1);
	}
	return best;
}

/* gdb's "<ring+16>" between an address and its colon. */
static const char *before_symbol(const char *line, const char *at)
{
	const char *open = at;

	if (at == line || at[-1] != '>')
		return at;
	while (open > line && open[-1] != '<')
		open--;
	return open > line ? open - 1 : at;
}

/* Takes the address before a run: four digits or more, with a colon or with other blanks than the
 * groups have. Returns where the prefix of the line ends. */
static const char *take_address(const char *line, const struct run *run, struct row *row)
{
	const char *at = run->at, *first;
	bool colon = false;
	size_t digits;

	while (at > line && at[-1] == ' ')
		at--;
	if (at > line && at[-1] == ':') {
		colon = true;
		at = before_symbol(line, at - 1);
		while (at > line && at[-1] == ' ')
			at--;
	}
	for (first = at; first > line && digit_value(first[-1]) >= 0; first--)
		;
	digits = (size_t)(at - first);
	if (digits < 4 || digits > 16 || (!colon && (at == run->at || digits == 7)) ||
	    (first > line && joins(first - 1, line - 1, at) && (first[-1] | 0x20) != 'x'))
		return colon || at == run->at ? run->at : at;
	row->addressed = true;
	row->address = digits_number(first, digits);
	if (first > line + 1 && (first[-1] | 0x20) == 'x')
		first -= 2;
	return first;
}

/* A row of `n` groups that begins with an address as wide as they are, as of some hexdumps. */
static void split_address(struct run *run, struct row *row)
{
	const size_t size = run->digits / 2;

	if (row->addressed || run->numbers || size < 2 || size > 8 || bytes_of(run) != ROW + size ||
	    digits_number(run->at, run->digits) % ROW)
		return;
	row->addressed = true;
	row->address = digits_number(run->at, run->digits);
	run->at = gap(run->at + run->digits, run->end, run->digits);
	run->groups--;
}

/* A prefix as a number. Times differ from row to row, and so does what a colour or a quote left. */
static uint32_t prefix_of(const char *at, const char *end)
{
	uint32_t hash = UINT32_C(2166136261);

	while (at < end) {
		const char *to = at;
		bool time = false;

		while (to < end && (isdigit((unsigned char)*to) || *to == '.' || *to == ':')) {
			time |= to > at && !isdigit((unsigned char)*to) && to + 1 < end &&
				isdigit((unsigned char)to[1]);
			to++;
		}
		if (time || *at == ' ') {
			at = time ? to : at + 1;
			continue;
		}
		for (to = to == at ? at + 1 : to; at < to; at++)
			hash = (hash ^ (uint8_t)*at) * UINT32_C(16777619);
	}
	return hash;
}

/* Numbers with 0x are in the machine's order, as gdb and C write them. */
static void take_bytes(const struct run *run, struct row *row)
{
	const char *at = run->at;
	size_t n, i;

	row->group = run->digits / 2;
	row->numbers = run->numbers;
	for (n = 0; n < run->groups; n++) {
		at += run->numbers ? 2 : 0;
		for (i = 0; i < run->digits && row->len < LONGEST; i += 2)
			row->bytes[row->len++] = (uint8_t)digits_number(
				at + (run->numbers ? run->digits - 2 - i : i), 2);
		at = gap(at + run->digits, run->end, run->digits);
	}
	/* A column too many: of 17 bytes or of the characters. */
	if (row->len > ROW && row->len < 2 * ROW && run->groups > 1)
		row->len = ROW;
}

static bool take_row(const char *line, const char *end, struct row *row)
{
	struct run run = longest(line, end);
	const char *prefix, *behind;

	if (!run.groups)
		return false;
	memset(row, 0, offsetof(struct row, bytes));
	prefix = take_address(line, &run, row);
	split_address(&run, row);
	row->prefix = prefix_of(line, prefix);
	for (behind = run.end; behind < end && *behind == ' '; behind++)
		;
	row->alone = prefix_of(line, prefix) == prefix_of(line, line) && behind == end &&
		     !row->addressed;
	take_bytes(&run, row);
	return true;
}

static void hand_out(struct rows *rows, struct rows_dump *dump)
{
	if (dump->short_by) { /* its last row is cut off */
		const size_t rest = dump->len % dump->width;

		dump->len -= rest ? rest : 0;
	}
	if (dump->len)
		rows->take(rows->arg, dump);
	memset(dump, 0, offsetof(struct rows_dump, bytes));
}

/* The dump that a row belongs to: of the same prefix and the same groups, and not far away. */
static struct rows_dump *dump_of(struct rows *rows, const struct row *row, uint64_t number)
{
	size_t i;

	for (i = 0; i < ROWS_OPEN; i++) {
		struct rows_dump *const d = &rows->open[i];

		if (d->len && d->prefix == row->prefix && number - d->last <= FAR &&
		    (d->group == row->group || row->group >= ROW) && d->numbers == row->numbers)
			return d;
	}
	return NULL;
}

static struct rows_dump *begin(struct rows *rows, const struct row *row, uint64_t number)
{
	struct rows_dump *oldest = &rows->open[0];
	size_t i;

	for (i = 1; i < ROWS_OPEN; i++)
		if (rows->open[i].last < oldest->last)
			oldest = &rows->open[i];
	hand_out(rows, oldest);
	oldest->addressed = row->addressed;
	oldest->base = row->address;
	oldest->group = row->group;
	oldest->numbers = row->numbers;
	oldest->prefix = row->prefix;
	oldest->width = row->len < ROW ? ROW : row->len;
	oldest->first = oldest->last = number;
	return oldest;
}

static void append(struct rows *rows, struct rows_dump *d, const struct row *row, uint64_t number)
{
	if (d->len + row->len > ROWS_MAX) {
		const struct rows_dump old = *d;

		hand_out(rows, d);
		*d = old;
		d->base += d->len;
		d->len = 0;
		d->first = number;
	}
	memcpy(d->bytes + d->len, row->bytes, row->len);
	d->len += row->len;
	d->last = number;
	d->short_by = d->len % ROW ? ROW - d->len % ROW : 0;
}

/* The rest of a row that a mail program has wrapped. */
static bool take_rest(struct rows *rows, const struct row *row, uint64_t number)
{
	size_t i;

	for (i = 0; i < ROWS_OPEN; i++) {
		struct rows_dump *const d = &rows->open[i];

		if (!d->len || !d->short_by || d->last + 1 != number || row->len != d->short_by ||
		    (d->group < ROW ? d->group != row->group || !row->alone
				    : d->prefix != row->prefix))
			continue;
		append(rows, d, row, number);
		if (rows->complete && rows->complete(d))
			hand_out(rows, d);
		return true;
	}
	return false;
}

/* Fills in rows that a star stands for, or that come twice. False if the row does not follow. */
static bool follows(struct rows *rows, struct rows_dump *d, const struct row *row, uint64_t number)
{
	struct row last = {.len = ROW};

	if (!d->addressed || !row->addressed)
		return d->addressed == row->addressed && (!d->short_by || d->group >= ROW);
	if (d->star && d->len >= ROW && row->address > d->base + d->len &&
	    row->address - d->base < ROWS_MAX && (row->address - d->base) % ROW == 0) {
		memcpy(last.bytes, d->bytes + d->len - ROW, ROW);
		while (d->base + d->len < row->address)
			append(rows, d, &last, number);
	}
	d->star = false;
	return row->address == d->base + d->len;
}

static bool doubled(const struct rows_dump *d, const struct row *row)
{
	return d->addressed && row->addressed && d->len >= row->len && !d->short_by &&
	       row->address + row->len == d->base + d->len &&
	       memcmp(d->bytes + d->len - row->len, row->bytes, row->len) == 0;
}

/* "*", which stands for rows like the last one. */
static bool take_star(struct rows *rows, const char *line, size_t len, uint64_t number)
{
	size_t i;
	bool taken = false;

	while (len && line[len - 1] == ' ')
		len--;
	if (!len || line[len - 1] != '*')
		return false;
	for (i = 0; i < ROWS_OPEN; i++)
		if (rows->open[i].len && rows->open[i].last + 1 == number)
			taken = rows->open[i].star = true;
	return taken;
}

bool rows_line(struct rows *rows, const char *line, size_t len, uint64_t number)
{
	struct rows_dump *dump;
	struct row row;

	if (take_star(rows, line, len, number))
		return true;
	if (!take_row(line, line + len, &row))
		return false;
	if (row.len < ROW && take_rest(rows, &row, number))
		return true;
	/* Less than a row: the head of one that is wrapped, which has an address or fills a line.
	 */
	if (row.len < 8 || (row.len < ROW && !row.addressed && row.group > 1))
		return false;
	dump = dump_of(rows, &row, number);
	if (dump && doubled(dump, &row))
		return true;
	if (dump && !follows(rows, dump, &row, number)) {
		hand_out(rows, dump);
		dump = NULL;
	}
	if (!dump)
		dump = begin(rows, &row, number);
	append(rows, dump, &row, number);
	if (rows->complete && rows->complete(dump))
		hand_out(rows, dump);
	return true;
}

bool rows_waiting(const struct rows *rows, uint64_t number)
{
	size_t i;

	for (i = 0; i < ROWS_OPEN; i++)
		if (rows->open[i].len && rows->open[i].last + 1 == number)
			return true;
	return false;
}

void rows_end(struct rows *rows)
{
	size_t i;

	for (i = 0; i < ROWS_OPEN; i++)
		hand_out(rows, &rows->open[i]);
}
