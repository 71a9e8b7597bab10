/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of spec/logs, as tools/segue/log/tables.py makes them: what lines look like, and what
 * public reports say of what stands in them. */
#ifndef SEGUE_TOOL_LOG_TABLES_H
#define SEGUE_TOOL_LOG_TABLES_H

#include <stddef.h>
#include <stdint.h>

#define LOG_ANY	  0xffff /* a number that an entry does not narrow down */
#define LOG_WORDS 8	 /* wordings of one entry at most */

/* Numbers and words that a line may hold, in the order of tools/segue/log/tables.py. */
enum log_number {
	LOG_SYNDROME,
	LOG_STATUS,
	LOG_VENDOR,
	LOG_HW_TYPE,
	LOG_HW,
	LOG_QPN,
	LOG_PEER_QPN,
	LOG_OPCODE,
	LOG_WC_OPCODE,
	LOG_CQE_OPCODE,
	LOG_INDEX,
	LOG_CQN,
	LOG_COMMAND,
	LOG_OP_MOD,
	LOG_COMMAND_STATUS,
	LOG_COMMAND_SYNDROME,
	LOG_ERRNO,
	LOG_CQ_SYNDROME,
	LOG_VALUE,
	LOG_ADDRESS,
	LOG_LENGTH,
	LOG_LKEY,
	LOG_RADDR,
	LOG_RKEY,
	LOG_SRQN,
	LOG_SIDE,
	LOG_OP_OWN,
	LOG_SWAPPED_SRQN,
	LOG_SWAPPED_OPCODE_QPN,
	LOG_SWAPPED_INDEX,
	LOG_HINT,
	LOG_NUMBERS
};

enum log_text {
	LOG_DEVICE,
	LOG_PEER,
	LOG_WORDING,
	LOG_MISREAD,
	LOG_COUNTER,
	LOG_OPERATION,
	LOG_TEXTS
};

enum log_side { LOG_EITHER, LOG_REQUESTER, LOG_RESPONDER };

enum log_kind {
	LOG_KIND_COMPLETION,
	LOG_KIND_REQUEST, /* what UCX prints of the request of a completion */
	LOG_KIND_WQE,	  /* the head of a request's dump */
	LOG_KIND_DUMP,	  /* the head of a completion's */
	LOG_KIND_EVENT,
	LOG_KIND_COMMAND,
	LOG_KIND_CQ_ERROR,
	LOG_KIND_COUNTER,
	LOG_KIND_HINT
};

enum log_step_op {
	LOG_END,
	LOG_LITERAL,
	LOG_MAYBE,
	LOG_DECIMAL,
	LOG_HEX,
	LOG_NUMBER,
	LOG_WORD,
	LOG_TEXT,
	LOG_REST,
	LOG_NAME,
	LOG_SKIP,
	LOG_SEPARATOR
};

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
	const char *card; /* whose line it is, if not mlx5's */
	uint16_t also, also_end; /* patterns that are looked for in the same line */
	const struct log_constant *set;
	const char *source;
};

struct log_pattern {
	uint16_t form;
	uint16_t key_len;	      /* of `first`, by which it is found; 0: by a later word */
	const char *first;	      /* the text that it begins with */
	const struct log_step *steps; /* after that */
};

struct log_status {
	int status;
	const char *name;
	uint16_t syndrome;
	const char *words[LOG_WORDS];
};

/* Vendor codes as reports have them. Confidence: 0 none, 1 single, 2 several, 3 confirmed. */
struct log_code {
	uint16_t code, syndrome, side;
	const char *operations;
	unsigned int reports, confidence;
	const char *concluded, *source;
};

struct log_other {
	const char *card;
	int status;
	uint16_t code;
	const char *concluded, *source;
};

struct log_card {
	const char *card, *name, *scale, *instead; /* name: how names of its devices begin */
};

struct log_cause {
	uint16_t syndrome, vendor, side, opcode, hint;
	const char *cause, *check;
	unsigned int reports;
	const char *source;
};

struct log_command {
	const char *command;
	uint32_t syndrome;
	const char *concluded, *source;
};

struct log_command_status {
	uint16_t value;
	const char *name, *next;
};

struct log_cq_syndrome {
	uint16_t value;
	const char *name, *concluded, *next;
};

struct log_event {
	int event;
	const char *name;
	unsigned int severity; /* 0 nothing is wrong, 1 look at it, 2 an error */
	const char *words[LOG_WORDS], *next;
};

struct log_counter {
	const char *name; /* with a star for digits */
	unsigned int faults;
	const char *counts, *grows, *next, *source;
};

extern const struct log_form log_forms[];
extern const struct log_pattern log_patterns[];
extern const struct log_status log_statuses[];
extern const struct log_code log_codes[];
extern const struct log_other log_others[];
extern const struct log_card log_cards[];
extern const uint32_t log_card_letters; /* bits of the letters that their names begin with */
extern const struct log_cause log_causes[];
extern const struct log_command log_commands[];
extern const struct log_command_status log_command_statuses[];
extern const struct log_cq_syndrome log_cq_syndromes[];
extern const struct log_event log_events[];
extern const struct log_counter log_counters[];
/* The first patterns are of `also`, the last ones those of log_counters[], in its order. */
extern const size_t log_n_alsos, log_n_patterns, log_n_statuses, log_n_codes, log_n_others,
	log_n_cards, log_n_causes, log_n_commands, log_n_command_statuses, log_n_cq_syndromes,
	log_n_events, log_n_counters;

/* The machine that finds patterns by a word of theirs: a step for each byte, from state 0, among
 * 2^log_shift letters. From log_first_found on a state has found something, and log_found_at[] is
 * where its list begins. */
extern const uint8_t log_letters[256];
extern const unsigned int log_shift, log_first_found;
extern const uint16_t log_next[], log_found_at[], log_found[];

#endif
