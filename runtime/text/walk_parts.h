/* SPDX-License-Identifier: BSD-2-Clause */
/* Internal: one walk along an automaton, shared by walk.c and control.c. */
#ifndef SEGUE_TEXT_WALK_PARTS_H
#define SEGUE_TEXT_WALK_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/decode.h"
#include "segue/gen/machines.h"

/* A walk under way. */
struct walk {
	const struct segue_machine *machine;
	const uint8_t *wqe;
	uint32_t len; /* of the WQE, as its control segment gives it */
	/* bytes available, if the length of a WQE is known only after its request */
	uint32_t block;
	uint32_t at;
	uint64_t opcode, opmod;			   /* of the control segment */
	uint32_t announced[SEGUEI_ANNOUNCED_MOST]; /* sizes of lists that are still to come */
	const struct segue_machine_start *only;	   /* the only request that counts. NULL means
						      any */
	const struct segue_machine_start *start;
	const struct segue_machine_state *state;
	struct segue_offence *offence;
	/* segments that announced these lists */
	const struct segue_machine_announce *announcer[SEGUEI_ANNOUNCED_MOST];
	const struct segue_machine_symbol *list; /* the last list taken. NULL: none */
	uint32_t begun;				 /* offset of the current segment or entry */
	bool foreign;			 /* its bytes show that it is not a segment of the list */
	uint32_t wrong;			 /* number of its wrong fields */
	bool ended;			 /* the last piece has come */
	uint32_t idle;			 /* empty lists since the last byte was taken */
	bool strict;			 /* reserved bits must be zero */
	bool reserved_set;		 /* a reserved bit is set, which has been tolerated */
	bool lax;			 /* only fields that distinguish segments and requests
					    are checked */
	uint64_t sums[SEGUEI_SUMS_MOST]; /* sums so far, for the request's counts */
	const struct segue_segment_desc *table; /* in front of the pieces. NULL: there is none */
	uint32_t table_at;
};

__attribute__((format(printf, 3, 4))) bool seguei_walk_offend(struct walk *w,
							      enum segue_offence_kind kind,
							      const char *expected, ...);

__attribute__((format(printf, 2, 3))) void seguei_walk_found(struct walk *w, const char *text, ...);

uint64_t seguei_walk_value_of(const struct segue_segment_desc *segment, uint16_t field,
			      const uint8_t *bytes, size_t len);

bool seguei_walk_bad_value(struct walk *w, enum segue_offence_kind kind,
			   const struct segue_segment_desc *segment,
			   const struct segue_field_desc *field, const uint8_t *bytes,
			   const char *expected);

bool seguei_walk_check_fields(struct walk *w, const struct segue_machine_symbol *symbol,
			      const struct segue_segment_desc *segment, const uint8_t *bytes);

/*
 * The control segment of the request, or of any request before that is known. All have the opcode
 * at the same place.
 */
const struct segue_control_desc *seguei_walk_control_of(const struct walk *w);

/*
 * Bytes of a payload. With `told` the control segment gives them, because the payload ends within a
 * unit or further segments follow. Otherwise they are all bytes that are left.
 */
uint32_t seguei_walk_payload_of(const struct walk *w, uint32_t left, bool told);

/* Bytes of a segment with a payload that further segments follow. */
uint32_t seguei_walk_place_of(const struct segue_segment_desc *segment, uint32_t payload);

/* Adds the counts of a segment and its payload to those that the control segment must equal. */
void seguei_walk_add_up(struct walk *w, const struct segue_segment_desc *segment,
			const uint8_t *bytes, uint32_t payload);

/* Compares the sums with the counts in the control segment. */
bool seguei_walk_check_sums(struct walk *w);

/* True if WQEs lie in blocks, and the request determines what their control segments count. */
bool seguei_walk_in_block(const struct segue_machine *machine);

/* Checks posting flags, and settings of the control segment that only some transports have. */
bool seguei_walk_check_control_bits(struct walk *w);

/* Checks the control segment by itself. */
bool seguei_walk_check_control(struct walk *w);

/* True if requests of this queue begin with different control segments. */
bool seguei_walk_has_controls(const struct segue_machine *machine);

/*
 * Takes the control segment. Before the request is known, takes only the parts that all requests
 * share.
 */
bool seguei_walk_take_control(struct walk *w, size_t len);

/*
 * Number of fields that distinguish requests of this opcode and differ from this request, and one
 * of them. UINT16_MAX if the opcode differs.
 */
uint16_t seguei_walk_differs(const struct walk *w, const struct segue_machine_start *start,
			     const struct segue_machine_fixed_value **last);

bool seguei_walk_is_request(const struct walk *w, const struct segue_machine_start *start);

/* True if only the rest of the last unit is left, in formats that count whole units. */
bool seguei_walk_is_padding(const struct walk *w);

/* Reads the last-piece flag of a piece. */
void seguei_walk_take_piece(struct walk *w, uint16_t piece, uint8_t last,
			    const struct segue_segment_desc *segment, const uint8_t *bytes);

/* True if an edge may be taken, as far as the pieces show. */
bool seguei_walk_is_open(const struct walk *w, const struct segue_machine_edge *edge);

/*
 * Sets *over if the pieces show the end of the request. False with an offence if they show it too
 * late.
 */
bool seguei_walk_take_end(struct walk *w, bool *over);

/* Sets the length of the WQE, once the request, and so the meaning of its counts, is known. */
bool seguei_walk_take_count(struct walk *w);

/* Checks that the table in front of the pieces repeats what they have. */
bool seguei_walk_check_table(struct walk *w);

/* Checks that nothing follows the last part of a WQE in a block. */
bool seguei_walk_check_rest(struct walk *w);

#endif
