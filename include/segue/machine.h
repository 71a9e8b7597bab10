/* SPDX-License-Identifier: BSD-2-Clause */
/* The shape of a generated automaton: const data, walked by the validator and the decoder. */
#ifndef SEGUE_MACHINE_H
#define SEGUE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/desc.h"

#include "segue/detail/begin.h"

enum segue_machine_symbol_op {
	SEGUE_MACHINE_SYMBOL_SEGMENT,
	SEGUE_MACHINE_SYMBOL_LIST,	/* entries of the segment, as many bytes as announced */
	SEGUE_MACHINE_SYMBOL_TERMINATOR /* closes a receive WQE that does not fill its stride */
};

/* Nothing is announced of that. */
#define SEGUE_MACHINE_NO_SLOT 0xffu

/* A value that one use of a segment fixes. */
struct segue_machine_fixed_value {
	uint16_t field; /* index into the segment's fields */
	uint64_t value;
};

struct segue_machine_symbol {
	const struct segue_segment_desc *segment;
	const struct segue_machine_fixed_value *fixed;
	uint16_t n_fixed;
	uint8_t op;   /* enum segue_machine_symbol_op */
	uint8_t slot; /* list: which announcement counts */
	uint16_t pad; /* list: its size, with that of its head, is a multiple of so many bytes */
	uint16_t head; /* list: bytes in front of it that its announced size counts */
	uint8_t entries; /* list: announcement of its entries' number, or SEGUE_MACHINE_NO_SLOT */
	/* list: announcement of the sum over its entries' `sum_of`, or SEGUE_MACHINE_NO_SLOT */
	uint8_t sum;
	uint16_t sum_of; /* list */
	uint16_t min; /* list: entries */
	uint16_t max; /* list: entries; 0: as many as the WQE holds */
	uint16_t piece; /* 1 more than the field that tells whether it is the last piece; 0: none */
	uint8_t last;	/* its value in the last */
	bool told;	/* the control segment counts the bytes of its payload */
};

struct segue_machine_edge {
	uint16_t symbol;
	uint16_t to;
};

struct segue_machine_state {
	const char *name;
	uint16_t first_edge;
	uint16_t n_edges;
	bool accepting; /* a WQE may end here */
};

/* What nobody has carried out. */
struct segue_machine_unverified {
	const char *segment; /* optional in the layout; "": the request as a whole */
	const char *why;     /* a sentence */
};

enum segue_machine_sum_kind {
	SEGUE_MACHINE_SUM_FIELD,	 /* the sum of a field of all those segments */
	SEGUE_MACHINE_SUM_ENTRIES,	 /* how many of them there are */
	SEGUE_MACHINE_SUM_BYTES,	 /* of the payload */
	SEGUE_MACHINE_SUM_PAYLOAD_UNITS, /* of the device, of what the payload takes */
	SEGUE_MACHINE_SUM_PADDING /* zeros at the end, in the unit of the length */
};

/* A field of the control segment that counts something, beside that which tells the length. */
struct segue_machine_sum {
	uint16_t field; /* of the control segment */
	uint8_t what;	/* enum segue_machine_sum_kind */
	const struct segue_segment_desc *segment;
	uint16_t of; /* field of `segment` */
	/* what is written: the count times this and plus that, rounded up, less the last; 0 is 1 */
	uint8_t times, plus, round, less;
};

struct segue_control_desc;

/* A work request: what its control segment says, and where its layout begins. */
struct segue_machine_start {
	const char *name;
	uint32_t opcode;
	uint32_t opmod;
	uint16_t to;
	uint32_t flags; /* posting flags it may carry */

	/* On a device whose WQEs lie in blocks: else 0. */
	/* fields of the control segment that tell it from others of its opcode */
	const struct segue_machine_fixed_value *fixed;
	uint16_t n_fixed;
	int32_t count_base; /* bytes of the WQE that the control segment's size does not count */
	/* bytes of each thing that it does count; 0: all of them are count_base bytes long */
	uint16_t count_unit;
	uint16_t size; /* the field of the control segment that counts */
	/* zeros fill its end up to a multiple of so many bytes; 0: they do not */
	uint16_t round;
	int32_t round_from;			  /* the byte from which on these are counted */
	const struct segue_control_desc *control; /* NULL: the only one, segue_control */
	const struct segue_machine_sum *sums;
	uint16_t n_sums;
	bool ends;	/* a field of its pieces tells which is the last */
	uint16_t piece; /* of the control segment, as of a symbol */
	uint8_t last;
	uint32_t least; /* bytes of a block below which the queue does not have the request */
	/*
	 * a sentence: why an unmodified rdma-core makes no queue that carries it out; NULL: it does
	 */
	const char *creatable;
	/*
	 * the same of a receive queue that queue pairs share; NULL: it does, or there is none to be
	 * shared
	 */
	const char *shared;
	const struct segue_machine_unverified *unseen;
	uint16_t n_unseen;
};

/* A segment whose field announces the size of a later list. */
struct segue_machine_announce {
	const struct segue_segment_desc *segment;
	uint16_t field;
	uint8_t slot;
	uint16_t unit; /* bytes per unit of the field */
};

struct segue_machine {
	const char *name; /* of the transport, or of the kind of receive queue: "rc", "srq", … */
	const struct segue_machine_start *starts;
	const struct segue_machine_state *states;
	const struct segue_machine_edge *edges;
	const struct segue_machine_symbol *symbols;
	const struct segue_machine_announce *announces;
	uint16_t n_starts;
	uint16_t n_states;
	uint16_t n_announces;
	bool send; /* WQEs begin with a control segment and its opcode */
	uint16_t unit;	  /* bytes in which its WQEs are measured; 0: as the device's */
	uint16_t largest; /* units of the longest; 0: as the device's */
	/* bits of the flags' dword that hold other settings than posting flags */
	uint32_t option_flags;
};

/* A part that the control segment does not have. */
#define SEGUE_MACHINE_NO_PART UINT16_MAX

/*
 * Which field of the control segment plays which part: indices into its fields, or
 * SEGUE_MACHINE_NO_PART.
 */
struct segue_control_desc {
	const struct segue_segment_desc *segment;
	uint16_t unit; /* bytes in which WQEs are measured */
	uint16_t largest; /* units of the longest WQE */
	uint16_t opcode;
	uint16_t opmod;
	uint16_t index; /* number of the WQE's first block */
	uint16_t queue; /* queue pair number */
	uint16_t size;  /* of the WQE in units, or of what the request counts */
	uint16_t imm;
	bool block; /* WQEs lie in blocks, and a field counts what the request says */
	bool stale_rest; /* the device ignores what lies in a block behind the request */
	uint16_t n_flags;
	const uint16_t *flags; /* what posting flags set; NULL if there are none */
	uint16_t signature;
	const struct segue_enum_desc *flag_names; /* the posting flags */
};

#include "segue/detail/end.h"

#endif
