/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables: descriptions of enums, segments, CQE formats, requests and transports as const data.
 *
 * Each enum, segment and completion of the specs that a library was made of has a description,
 * with its fields, their places, limits and members (segue/gen/tables.h). It is found by its own
 * name (segue_seg_raddr_desc), by its index (enum segue_enum_id, segue_segment_id, segue_cqe_id:
 * SEGUE_SEG_RADDR_ID in segue_segments), or by going through segue_enums, segue_segments or
 * segue_cqes, whose number of entries is SEGUE_SEGMENT_COUNT and its like. The automata are in
 * segue_machines and segue_transports. The decoder and the validator walk these tables. A program
 * may walk them, too, for instance to list its build's enums.
 *
 * Owner: constant data of the library.
 * Threads: any.
 * Errors: cannot fail.
 * Source: the specs, each fact with its own.
 */
#ifndef SEGUE_TABLES_H
#define SEGUE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/detail/declaration.h"

#include "segue/detail/begin.h"

/** One value of an enum. */
struct segue_member_desc {
	const char *name; /* as in the spec: "RDMA_WRITE" */
	const char *doc;
	const char *source;
	uint64_t value;
	bool secondary; /* known only from a secondary source */
};

/** An enum, members in spec order. */
struct segue_enum_desc {
	const char *name;
	const char *doc;
	uint8_t bits; /* width of the widest value */
	bool flags;   /* values may be combined */
	uint16_t member_count;
	const struct segue_member_desc *members;
};

struct segue_segment_desc;

/** A field or a reserved range of a segment. */
struct segue_field_desc {
	const char *name; /* reserved: its position, "bits 22:0 of dword 1" or "bytes 8 to 15" */
	const char *doc;  /* "" for reserved ranges */
	const char *unit; /* unit of its value, or NULL */

	/* Position. */
	uint16_t byte;	/* first byte of the field's word, or of the byte string */
	/* 32 or 64: bits of that word, big-endian unless `little`. 0: a byte string */
	uint8_t word;
	uint8_t lsb;	/* lowest bit, counted in the word */
	uint16_t width; /* bits, also of a byte string */
	/*
	 * places of its bits, the lowest first, if there are several. Byte, word, lsb and width are
	 * then those of the first
	 */
	const struct segue_field_desc *pieces;
	uint8_t n_pieces;

	/* Legal values. */
	bool little;   /* its word is little-endian */
	bool reserved; /* zero only */
	bool secondary; /* known only from a secondary source */
	/*
	 * without a meaning, any value is legal: the device ignores it, and drivers leave old bytes
	 */
	bool stale;
	bool is_const; /* const_value only */
	bool has_zero_means;
	uint64_t const_value;
	bool is_signed; /* in two's complement, as are min and max */
	uint64_t min; /* legal values as the caller gives them, inclusive */
	uint64_t max;
	uint64_t zero_means; /* value that 0 means to the device */
	uint16_t minus;      /* subtracted from the value before it is written */
	const uint64_t *never;
	uint16_t never_count;

	/* Meaning of the value. NULL if it is not known. */
	const struct segue_enum_desc *enumeration; /* one member of this enum */
	/* other values than those of the enum, or of its flags, are illegal */
	bool closed;
	const struct segue_enum_desc *flags;	   /* members of this enum combined */
	/* a byte string: packed elements of this format, `count` of them */
	const struct segue_segment_desc *format;
	uint16_t count;
};

/** Values by which a CQE format is recognised. */
struct segue_match_desc {
	uint16_t field; /* index into fields[] */
	uint16_t value_count;
	const uint64_t *values; /* any of them */
};

/** The payload is the rest of the length in the control segment, after the other segments. */
#define SEGUE_TAIL_REST UINT16_MAX

/** A segment or a CQE format. */
struct segue_segment_desc {
	const char *name;
	const char *doc;
	uint16_t size; /* bytes, without the payload of a tail */
	bool is_cqe;

	uint16_t field_count;
	const struct segue_field_desc *fields; /* in spec order, then the reserved ranges */
	uint16_t match_count;
	const struct segue_match_desc *matches;

	bool has_tail;
	uint16_t tail_at;	/* byte where the payload begins */
	/* index of the field that holds its length in bytes, or SEGUE_TAIL_REST */
	uint16_t tail_length;
	uint16_t tail_pad;	/* the whole is padded to a multiple of this number of bytes */
	uint16_t tail_min_size; /* least number of bytes of the whole */
	uint16_t tail_max;	/* bytes of payload, for SEGUE_TAIL_REST */
};

/* The shape of a generated automaton: const data that the validator and the decoder walk. */

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
	/* list: announcement that counts the sum of `sum_of` of all entries, or NO_SLOT */
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

/* A table between control segment and pieces, which repeats a field of each piece. */
struct segue_machine_table {
	uint16_t field; /* of the pieces */
	const struct segue_segment_desc *piece;
	uint16_t told;	/* field of the control segment: the form that is there, 0: none */
	uint16_t above; /* so many pieces, or fewer, have none */
	/* each is a segment with a field for each piece. The first that is enough is taken */
	struct segue_machine_table_form {
		uint16_t value; /* of `told` */
		const struct segue_segment_desc *segment; /* NULL: the end */
	} forms[5];
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
	const struct segue_machine_table *table; /* NULL: none */
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

/*
 * Tables of a transport's queue pairs from the spec: states, effects of posts in them, and legal
 * modify calls.
 *
 * Owner: constant tables.
 * Threads: any.
 * Errors: negative errno with segue_errmsg(). Nothing is touched.
 * Source: spec/verbs. Its items have sources of their own (ibv_modify_qp(3), Linux
 *   ib_modify_qp_is_ok()).
 */

/** Effect of a post in some state. */
enum segue_post_effect {
	SEGUE_POST_NONE,    /* there is no such queue */
	SEGUE_POST_REJECT,  /* it is refused */
	SEGUE_POST_QUEUE,   /* it waits */
	SEGUE_POST_PROCESS, /* it is carried out */
	SEGUE_POST_FLUSH,   /* it completes with the flush error */
};

/** A state of a transport. `name` is NULL for a state that this transport does not have. */
struct segue_transport_state {
	const char *name;
	const char *doc;
	enum segue_post_effect send;
	enum segue_post_effect recv;
	/* enum segue_qp_attr: attributes that must have been set before this state */
	uint32_t needs;
};

/** A transition from one state to another. */
struct segue_transition {
	bool valid;        /* a modify call may take it */
	bool by_device;    /* only the device itself takes it */
	uint32_t required; /* enum segue_qp_attr, without STATE */
	uint32_t optional; /* attributes that may be given as well */
	const char *doc;
};

/** A transport. States are those of enum segue_qp_state. */
struct segue_transport_table {
	const char *name;
	const char *doc;
	/* entries of states[]. table[] has n_states * n_states */
	uint32_t n_states;
	uint32_t initial;                               /* state of a new queue pair */
	/* state in which the number becomes known; mostly `initial` */
	uint32_t number_at;
	const struct segue_transport_state *states;     /* by state */
	const struct segue_transition *table;           /* [from * n_states + to] */
};

/**
 * segue_transition_between() - look up the transition between two states.
 * @transport: transport
 * @from: state before, enum segue_qp_state
 * @to: state after
 *
 * Returns its entry, which is constant and never NULL for states of the enum, and NULL for other
 * numbers. Any thread.
 */
SEGUE_FUNCTION const struct segue_transition *segue_transition_between(
	const struct segue_transport_table *transport, uint32_t from, uint32_t to)
{
	if (from >= transport->n_states || to >= transport->n_states)
		return NULL;
	return &transport->table[from * transport->n_states + to];
}

/**
 * segue_transition_is_valid() is true if a modify call may go from one state to the other, and
 * false if one of them is not a state. Any thread.
 */
SEGUE_FUNCTION bool segue_transition_is_valid(const struct segue_transport_table *transport,
					      uint32_t from, uint32_t to)
{
	const struct segue_transition *way = segue_transition_between(transport, from, to);

	return way && way->valid;
}

/**
 * segue_transition_check() - compare the attributes of a modify call with the table.
 * @transport: transport
 * @from: state before, enum segue_qp_state
 * @to: state after
 * @mask: attributes that the caller sets, enum segue_qp_attr. STATE itself is ignored
 *
 * Returns 0, or -EINVAL with segue_errmsg() naming every missing and every surplus attribute, or
 * the states that can be reached instead. Touches nothing. Any thread.
 */
SEGUEI_MUST_CHECK int segue_transition_check(const struct segue_transport_table *transport,
					     uint32_t from, uint32_t to, uint32_t mask);

#include "segue/detail/end.h"

#endif
