/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A WQE under construction in memory of the caller, for devices with queues that Segue does not
 * drive. The generated builders are thin typed wrappers around these steps.
 *
 * The caller gives the WQE's address and the number of bytes there. The builder clears them, writes
 * one segment after the other and, at commit, the control segment. The caller then copies the bytes
 * into the device's memory, or rings a doorbell. After a refused request the contents of the block
 * are undefined.
 *
 * Owner: the block is the caller's. Nothing is kept or allocated.
 * Threads: one at a time per block.
 * Errors: negative errno with segue_errmsg(), from commit alone.
 * Source: the device's spec. Nothing here depends on a device.
 */
#ifndef SEGUE_BLOCK_H
#define SEGUE_BLOCK_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/bytes.h"
#include "segue/detail/check.h"
#include "segue/detail/compiler.h"
#include "segue/detail/range.h"

#include "segue/detail/begin.h"

struct segue_spill;

/** Memory for the next WQE. */
struct segue_block {
	void *at;      /* first byte, at any alignment */
	uint32_t size; /* bytes there, all of which are written */
	/* set by commit: bytes that the request takes, without the zeros after it */
	uint32_t used;
};

/** Lap of a ring, for devices that read it from each piece of an entry. */
struct segue_lap {
	uint32_t bit;  /* value of the lap bit in pieces */
	uint32_t turn; /* number of bytes after which the bit flips. 0: it does not flip */
};

struct seguei_block {
	struct segue_block *block;
	uint8_t *start;
	uint32_t size;       /* bytes of the block. 0 if it is too small for anything */
	/*
	 * bytes that a request may take: those of the block, but at most those of the device's
	 * largest entry
	 */
	uint32_t limit;
	uint32_t bytes;      /* written so far, the control segment's place included */
	uint32_t least;      /* bytes of a block that this request needs */
	int32_t count_base;  /* bytes that the control segment's size does not count */
	uint32_t count_unit; /* bytes for each unit of that size */
	struct segue_lap lap;
	uint32_t table;	   /* most pieces, if the queue wants a table of them */
	uint32_t piece;	   /* byte of the last piece with the flag that marks the last one */
	uint8_t piece_bit; /* that flag. 0: there is no piece yet */
	/*
	 * devices with a second ring for requests that do not fit the entry
	 * (segue/detail/device/overflow.h)
	 */
	struct segue_spill *spill;
	uint8_t *over;       /* memory of that second ring */
	uint32_t over_at;    /* byte of that ring at which the request continues */
	uint32_t over_mask;
	uint32_t entry;      /* bytes of the entry */
	int32_t bad;         /* negative: commit refuses the request */
	uint8_t why;         /* its reason, as far as known: enum seguei_why */
};

/* The reason of a refusal, as an errno. */
SEGUE_FUNCTION int seguei_block_refusal(const struct seguei_block *b)
{
	if (!b->start)
		return EINVAL;
	return b->block->size < b->least || b->why & SEGUEI_TOO_LONG ? EMSGSIZE : ERANGE;
}

/* The reason of a refusal, as a negative errno with segue_errmsg(). */
SEGUEI_COLD int seguei_block_refuse(const struct seguei_block *b,
				    const struct segue_machine *machine);

/* Checked builds: ends the program if the bytes are not a WQE of that queue. */
SEGUEI_OF_LIBRARY void seguei_block_check(const struct seguei_block *b,
					  const struct segue_machine *machine);

/*
 * Begins a request.
 * @control: bytes of the control segment, at the start
 * @least: bytes of a block that this request needs
 * @largest: bytes of the device's largest entry. UINT32_MAX for receives, which may be several
 *   entries
 */
SEGUEI_HOT_FUNCTION struct seguei_block seguei_block_begin(struct segue_block *block,
							   uint32_t control, uint32_t least,
							   uint32_t largest)
{
	struct seguei_block b;

	memset(&b, 0, sizeof(b));
	b.block = block;
	b.entry = UINT32_MAX;
	b.start = (uint8_t *)block->at;
	b.least = least > control ? least : control;
	if (SEGUEI_UNLIKELY(!b.start || block->size < b.least)) {
		b.bad = -1;
		b.why = (uint8_t)(b.why | SEGUEI_TOO_LONG);
		return b;
	}
	b.size = block->size;
	b.limit = b.size < largest ? b.size : largest;
	b.bytes = control;
	memset(b.start, 0, b.size);
	return b;
}

/* Refuses the request at commit if the condition holds. Costs no branch. */
SEGUEI_HOT_FUNCTION void seguei_block_refuse_if(struct seguei_block *b, bool condition)
{
	b->bad |= -(int32_t)condition;
}

/* As seguei_refuse_null(). */
SEGUEI_HOT_FUNCTION void seguei_block_refuse_null(struct seguei_block *b)
{
	b->bad = -1;
	b->why = (uint8_t)(b->why | SEGUEI_NULL);
}

/* Refuses at commit a value outside its field's range. */
SEGUEI_HOT_FUNCTION void seguei_block_refuse_outside(struct seguei_block *b, uint32_t field,
						     uint64_t value, uint64_t min, uint64_t max)
{
	b->bad |= seguei_field_outside(field, value, min, max);
}

/* Refuses at commit a value that is not a member of its field's enum. */
SEGUEI_HOT_FUNCTION void seguei_block_refuse_unless(struct seguei_block *b, uint32_t field,
						    uint64_t value, bool legal)
{
	b->bad |= seguei_field_unless(field, value, legal);
}

/* The next `bytes`, or NULL if the block ends before them. Commit refuses the request then. */
SEGUEI_HOT_FUNCTION uint8_t *seguei_block_take(struct seguei_block *b, uint32_t bytes)
{
	uint8_t *const here = b->start + b->bytes;

	if (SEGUEI_UNLIKELY(bytes > b->limit - b->bytes)) {
		b->bad = -1;
		b->why = (uint8_t)(b->why | SEGUEI_TOO_LONG);
		return NULL;
	}
	b->bytes += bytes;
	return here;
}

/* Zeros up to a multiple of `to` bytes, counted from byte `from`. Returns their number. */
SEGUEI_HOT_FUNCTION uint32_t seguei_block_round(struct seguei_block *b, int32_t from, uint32_t to)
{
	const uint32_t more = (to - (uint32_t)((int32_t)b->bytes - from) % to) % to;

	(void)seguei_block_take(b, more);
	return more;
}

/* A count in its field's encoding: see enum segue_machine_sum_kind. */
SEGUEI_HOT_FUNCTION uint64_t seguei_scaled(uint64_t count, uint32_t times, uint32_t plus,
					   uint32_t round, uint32_t less)
{
	return (count * times + plus + round - 1) / round * round - less;
}

/* The size so far, in the control segment's unit. */
SEGUEI_HOT_FUNCTION uint32_t seguei_block_count(const struct seguei_block *b)
{
	return (uint32_t)((int32_t)b->bytes - b->count_base) / b->count_unit;
}

/* The lap bit of a piece that begins at a byte. */
SEGUEI_HOT_FUNCTION uint8_t seguei_block_lap_at(const struct seguei_block *b, uint32_t byte)
{
	return (uint8_t)((b->lap.bit ^ (b->lap.turn && byte >= b->lap.turn)) & 1);
}

/* The lap bit of the next segment. */
SEGUEI_HOT_FUNCTION uint8_t seguei_block_lap(const struct seguei_block *b)
{
	return seguei_block_lap_at(b, b->bytes);
}

/* Records the next segment as the last piece so far. `bit` of its byte is the last-piece flag. */
SEGUEI_HOT_FUNCTION void seguei_block_piece(struct seguei_block *b, uint32_t byte, uint8_t bit)
{
	b->piece = b->bytes + byte;
	b->piece_bit = bit;
}

/* Flips the last-piece flag of the last piece. */
SEGUEI_HOT_FUNCTION void seguei_block_end(const struct seguei_block *b)
{
	if (b->piece_bit)
		b->start[b->piece] ^= b->piece_bit;
}

/* One form of a table in front of pieces, which repeats a field of each. */
struct seguei_piece_form {
	uint32_t value; /* of the field that says which form it is */
	uint32_t most;	/* pieces */
	uint32_t bytes; /* for each */
};

struct seguei_piece_table {
	uint32_t field; /* SEGUEI_FIELD() of what is repeated */
	uint32_t piece; /* bytes of a piece */
	uint32_t at;	/* byte of the field in it, a word of 32 bits */
	bool little;	/* byte order of that word */
	uint32_t above; /* so many pieces, or fewer, have no table */
	const struct seguei_piece_form *forms; /* all of one size */
	uint32_t n_forms;
};

/*
 * Moves the pieces behind a table of them, if there are so many that the queue wants one. Returns
 * the value that says so, or 0. More pieces than the queue or a table takes are too many for the
 * entry.
 */
SEGUEI_HOT_FUNCTION uint32_t seguei_block_table(struct seguei_block *b,
						const struct seguei_piece_table *table)
{
	const uint32_t first = (uint32_t)b->count_base;
	const uint32_t count = (b->bytes - first) / table->piece;
	const struct seguei_piece_form *form = table->forms;
	const uint32_t size = form->most * form->bytes;
	uint8_t *const start = b->start + first;
	uint32_t i;

	if (b->bad < 0 || count <= table->above)
		return 0;
	for (i = 1; i < table->n_forms && count > form->most; i++)
		form++;
	if (count > form->most || count > b->table) {
		b->bad = -1;
		b->why = (uint8_t)(b->why | SEGUEI_TOO_LONG);
		return 0;
	}
	if (!seguei_block_take(b, size))
		return 0;
	for (i = count * table->piece; i; i -= 4) /* GPUs have no memmove() */
		memcpy(start + size + i - 4, start + i - 4, 4);
	memset(start, 0, size);
	for (i = 0; i < count; i++) {
		const uint8_t *const word = start + size + (size_t)i * table->piece + table->at;
		const uint32_t value = table->little ? segue_get_le32(word) : segue_get_be32(word);

		seguei_block_refuse_outside(b, table->field, value, 0,
					    UINT32_MAX >> (32 - 8 * form->bytes));
		memcpy(start + (size_t)i * form->bytes,
		       word + (table->little ? 0 : 4 - form->bytes), form->bytes);
	}
	b->count_base += (int32_t)size;
	return form->value;
}

/* Ends a request that is completely written: sets the block's size. */
SEGUEI_HOT_FUNCTION int seguei_block_finish(const struct seguei_block *b,
					    const struct segue_machine *machine)
{
	b->block->used = b->bytes;
	if (SEGUE_CHECKED)
		seguei_block_check(b, machine);
	return 0;
}

#include "segue/detail/end.h"

#endif
