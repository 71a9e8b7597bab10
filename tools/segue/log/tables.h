/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of spec/logs, as tools/segue/log/tables.py makes them: forms of lines. The records of
 * public reports are in records.h. */
#ifndef SEGUE_TOOL_LOG_TABLES_H
#define SEGUE_TOOL_LOG_TABLES_H

#include <stddef.h>
#include <stdint.h>

#define LOG_ANY	  0xffff /* a number that an entry does not narrow down */
#define LOG_WORDS 8	 /* wordings of one entry at most */

#include "tools/segue/log/records.h"

struct log_step {
	uint8_t op, slot;
	const char *literal;
};

struct log_constant {
	uint8_t slot; /* 0xff after the last */
	uint64_t value;
};

struct log_form {
	const char *name;
	enum log_kind kind;
	const char *card;	 /* card that the line is about, if not mlx5 */
	uint16_t also, also_end; /* patterns that are looked for in the same line */
	const struct log_constant *set;
	const char *source;
};

struct log_pattern {
	uint16_t form;
	uint16_t key_len;	      /* of `first`, or 0 if a later word is the key */
	const char *first;	      /* the text that it begins with */
	const struct log_step *steps; /* after that */
	uint64_t letters;	      /* bits of the letters that its texts need */
};

extern const struct log_form log_forms[];
extern const struct log_pattern log_patterns[];
/* The first patterns are of `also`, the last ones those of log_counters[], in its order. */
extern const size_t log_n_alsos, log_n_patterns;

/* The machine that finds patterns by a word of theirs, and names of cards, which have the
 * numbers after the patterns. It takes a step for each byte, from state 0. Numbers of states are
 * multiples of LOG_STEP. The state after state S and letter L is at S * LOG_STEP + L. A state from
 * log_first_found on has found something, and log_found_at[] is where its list begins. */
extern const uint8_t log_letters[256];
extern const uint64_t log_marks[256]; /* the bit of a byte's letter, and LOG_DIGIT and the like */
extern const unsigned int log_first_found;
extern const uint16_t log_next[], log_found_at[], log_found[];

#endif
