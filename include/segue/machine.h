/* SPDX-License-Identifier: BSD-2-Clause */
/* The shape of a generated automaton: const data that the validator and the decoder walk. */
#ifndef SEGUE_MACHINE_H
#define SEGUE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/desc.h"

#include "segue/detail/begin.h"

enum segue_machine_symbol_op {
	SEGUE_MACHINE_SYMBOL_SEGMENT,
	SEGUE_MACHINE_SYMBOL_LIST,	/* entries of the segment, with the announced size */
	SEGUE_MACHINE_SYMBOL_TERMINATOR /* closes a receive WQE that does not fill its stride */
};

/* No announcement. */
#define SEGUE_MACHINE_NO_SLOT 0xffu

/* A value that is fixed in one use of a segment. */
struct segue_machine_fixed_value {
	uint16_t field; /* index into the segment's fields */
	uint64_t value;
};

struct segue_machine_symbol {
	const struct segue_segment_desc *segment;
	const struct segue_machine_fixed_value *fixed;
	uint16_t n_fixed;
	uint8_t op;   /* enum segue_machine_symbol_op */
	uint8_t slot; /* list: announcement of its size */
	/* list: its size, with that of its head, is a multiple of this number of bytes */
	uint16_t pad;
	uint16_t head; /* list: bytes before it that its announced size counts */
	uint8_t entries; /* list: announcement of its entries' number, or SEGUE_MACHINE_NO_SLOT */
	/* list: announcement of the sum over its entries' `sum_of`, or SEGUE_MACHINE_NO_SLOT */
	uint8_t sum;
	uint16_t sum_of; /* list */
	uint16_t min; /* list: entries */
	uint16_t max; /* list: entries. 0: as many as the WQE holds */
	uint16_t piece; /* 1 more than the field that marks the last piece. 0: none */
	uint8_t last;	/* that field's value in the last piece */
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

/* A part of a request that has never been carried out. */
struct segue_machine_unverified {
	const char *segment; /* optional in the layout. "": the request as a whole */
	const char *why;     /* a sentence */
};

enum segue_machine_sum_kind {
	SEGUE_MACHINE_SUM_FIELD,	 /* the sum of a field of all those segments */
	SEGUE_MACHINE_SUM_ENTRIES,	 /* the number of those segments */
	SEGUE_MACHINE_SUM_BYTES,	 /* bytes of the payload */
	SEGUE_MACHINE_SUM_PAYLOAD_UNITS, /* the payload's size in units of the device */
	SEGUE_MACHINE_SUM_PADDING /* zeros at the end, in the unit of the length */
};

/* A field of the control segment with a count, other than the field of the length. */
struct segue_machine_sum {
	uint16_t field; /* field of the control segment */
	uint8_t what;	/* enum segue_machine_sum_kind */
	const struct segue_segment_desc *segment;
	uint16_t of; /* field of `segment` */
	/*
	 * field = count * times + plus, rounded up to `round`, less `less`. In times and round 0
	 * stands for 1
	 */
	uint8_t times, plus, round, less;
};

struct segue_control_desc;

/* A work request: its fields in the control segment, and the start of its layout. */
struct segue_machine_start {
	const char *name;
	uint32_t opcode;
	uint32_t opmod;
	uint16_t to;
	uint32_t flags; /* posting flags it may carry */

	/* The members below are 0 on devices that do not have WQEs in blocks. */
	/* fields of the control segment that distinguish it from others of its opcode */
	const struct segue_machine_fixed_value *fixed;
	uint16_t n_fixed;
	int32_t count_base; /* bytes of the WQE that the control segment's size does not count */
	/* bytes of each thing that it counts. 0: all requests have count_base bytes */
	uint16_t count_unit;
	uint16_t size; /* the field of the control segment with the count */
	/* zeros fill its end up to a multiple of this number of bytes. 0: they do not */
	uint16_t round;
	int32_t round_from;			  /* the byte from which these are counted */
	const struct segue_control_desc *control; /* NULL: the only one, segue_control */
	const struct segue_machine_sum *sums;
	uint16_t n_sums;
	bool ends;	/* a field of its pieces marks the last one */
	uint16_t piece; /* field of the control segment, see segue_machine_symbol.piece */
	uint8_t last;
	uint32_t least; /* bytes of the smallest block in which the queue has the request */
	/*
	 * a sentence why an unmodified rdma-core makes no queue that carries it out. NULL: it
	 * makes one
	 */
	const char *creatable;
	/*
	 * the same for a receive queue that queue pairs share. NULL: it makes one, or there is none
	 * to share
	 */
	const char *shared;
	const struct segue_machine_unverified *unseen;
	uint16_t n_unseen;
};

/* A segment with a field that announces the size of a later list. */
struct segue_machine_announce {
	const struct segue_segment_desc *segment;
	uint16_t field;
	uint8_t slot;
	uint16_t unit; /* bytes per unit of the field */
};

struct segue_machine {
	/* name of the transport, or of the kind of receive queue: "rc", "srq", … */
	const char *name;
	const struct segue_machine_start *starts;
	const struct segue_machine_state *states;
	const struct segue_machine_edge *edges;
	const struct segue_machine_symbol *symbols;
	const struct segue_machine_announce *announces;
	uint16_t n_starts;
	uint16_t n_states;
	uint16_t n_announces;
	bool send; /* WQEs begin with a control segment and its opcode */
	uint16_t unit;	  /* bytes of the unit of its WQEs. 0: as the device's */
	uint16_t largest; /* units of the longest WQE. 0: as the device's */
	/* bits of the flags' dword that hold other settings than posting flags */
	uint32_t option_flags;
};

/* A part that the control segment does not have. */
#define SEGUE_MACHINE_NO_PART UINT16_MAX

/*
 * Fields of the control segment by their part: indices into its fields, or SEGUE_MACHINE_NO_PART.
 */
struct segue_control_desc {
	const struct segue_segment_desc *segment;
	uint16_t unit; /* bytes of the unit of WQEs */
	uint16_t largest; /* units of the longest WQE */
	uint16_t opcode;
	uint16_t opmod;
	uint16_t index; /* number of the WQE's first block */
	uint16_t queue; /* queue pair number */
	uint16_t size;  /* size of the WQE in units, or the request's count */
	uint16_t imm;
	bool block; /* WQEs lie in blocks, and a field has the count of the request */
	bool stale_rest; /* the device ignores the bytes of a block after the request */
	uint16_t n_flags;
	const uint16_t *flags; /* values of posting flags. NULL if there are none */
	uint16_t signature;
	const struct segue_enum_desc *flag_names; /* the posting flags */
};

#include "segue/detail/end.h"

#endif
