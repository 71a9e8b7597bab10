/* SPDX-License-Identifier: BSD-2-Clause */
/* Evidence out of a text: dumps and lines, those of one failure put together. */
#ifndef SEGUE_TOOL_LOG_FINDINGS_H
#define SEGUE_TOOL_LOG_FINDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/segue/failed_completion.h"
#include "tools/segue/log/match.h"
#include "tools/segue/log/rows.h"

#define FIND_MAX   64 /* different failures that are kept. More are counted. */
#define FIND_FORMS 4   /* lines that one failure is put together from */
#define FIND_WQE   256 /* bytes of a request that are kept */

enum find_source { FIND_LINE, FIND_DUMP, FIND_LAST_ROW };

struct finding {
	enum log_kind kind;
	struct values values;
	const char *card;	 /* card that the codes are of, NULL if no line names it */
	enum find_source source; /* FIND_DUMP: a dump is among its lines */
	size_t order;		 /* bytes of the words that had to be turned round in it, or 1 */
	uint16_t forms[FIND_FORMS];
	unsigned int n_forms;
	uint64_t line, last; /* the first and the last */
	uint64_t count;	     /* how often it came */
	uint8_t wqe[FIND_WQE];
	size_t wqe_len;
	bool ethernet; /* its request is of an Ethernet queue */
};

/* The last line of a finding, and a number that equal ones share: what is compared first. */
struct find_seen {
	uint64_t last;
	uint32_t key;
};

/* Content of a text. */
struct find {
	struct finding all[FIND_MAX];
	struct find_seen seen[FIND_MAX]; /* of all[] */
	uint64_t keys[4];		 /* a bit for each remainder of the keys of seen[] */
	size_t count;
	uint64_t last; /* line of any of them */
	uint64_t more; /* failures that were too many to keep */
	uint64_t flushes, first_flush;
	uint16_t flush_vendor; /* of the first one, LOG_ANY if not known */
	uint32_t hints;	       /* bits of hints that lines have given */
	const char *card;      /* the only one that the text names, or NULL */
	bool cards;	       /* the text names several */
	const char *capture;   /* a packet stands where a completion was looked for: its kind */
	uint8_t capture_opcode;
	uint64_t capture_line, lines;
	const char *file; /* kind of the whole file, if it is a capture */

	struct rows rows_open;
	uint64_t wqe_head; /* the line that has announced a request's dump */
};

void find_begin(struct find *find);

/* find_line() looks for a row of a dump in a line. */
void find_line(struct find *find, const struct match_scan *scan, const char *line, size_t len,
	       uint64_t number);

/* find_patterns() matches the patterns that match_scan() has found, in a line or in two that a mail
 * has wrapped. True if one of them matches. */
bool find_patterns(struct find *find, const struct match_scan *scan, const char *line, size_t len,
		   uint64_t number);

void find_end(struct find *find);

/* A counter by its name, or NULL. */
const struct log_counter *find_counter(const char *name);

#endif
