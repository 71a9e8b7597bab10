/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Send rings: initialization, refusals, aborts, and the BlueFlame copy.
 *
 * `bad` is a sign bit. Range errors and lack of room are or-ed together, a commit tests once, and
 * the cold path here finds out which it was.
 *
 * Unsignaled requests cannot fill a queue. The fast path compares the room once, less a reserve. A
 * cold function signals a request now and then, and marks its slot, so that its completion stays
 * hidden from the program.
 */
#include "segue/sq.h"

#include <errno.h>
#include <string.h>

#include "runtime/ring/spare.h"
#include "runtime/ring/uar.h"
#include "segue/base.h"
#include "segue/detail/sq_slow_path.h"
#include "segue/gen/segments.h"

_Static_assert(sizeof(struct segue_sq_slot) == 1u << SEGUEI_SLOT_SHIFT,
	       "slots are found by a shift");

/* The doorbell record and wqe_counter have 16 bits. A full ring of more blocks would look empty. */
#define RING_BLOCKS_MIN 8u
#define RING_BLOCKS_MAX 32768u

/* Posts alternate between the halves of the register by one bit of its address. */
static uint64_t register_alignment(const struct segue_sq_init_options *attr)
{
	return attr->bf_size ? 2 * (uint64_t)attr->bf_size : sizeof(uint64_t);
}

static int check_attr(const struct segue_sq_init_options *attr)
{
	const uint32_t blocks = attr->wqe_cnt, least = attr->spare ? 1 : RING_BLOCKS_MIN;

	if (seguei_check_reserved(attr->reserved, "Send queue"))
		return -EINVAL;
	if (!attr->buf || (uintptr_t)attr->buf % SEGUEI_BLOCK)
		return seguei_fail(EINVAL,
				   "Send queue: buf is %p, expected a ring aligned to %u bytes.",
				   attr->buf, SEGUEI_BLOCK);
	if (blocks < least || blocks > RING_BLOCKS_MAX || !seguei_is_power_of_two(blocks))
		return seguei_fail(
			EINVAL, "Send queue: wqe_cnt is %u, expected a power of two from %u to %u.",
			blocks, least, RING_BLOCKS_MAX);
	if (attr->max_wqe_units && (attr->max_wqe_units < SEGUEI_UNITS_ALWAYS ||
				    attr->max_wqe_units > SEGUE_WQE_MAX_UNITS))
		return seguei_fail(EINVAL,
				   "Send queue: max_wqe_units is %u, expected 0 or %u to %u units "
				   "of 16 bytes.",
				   attr->max_wqe_units, SEGUEI_UNITS_ALWAYS,
				   (unsigned int)SEGUE_WQE_MAX_UNITS);
	if (!attr->dbrec || !attr->bf_reg || !attr->slots)
		return seguei_fail(EINVAL, "Send queue: %s is NULL, expected its address.",
				   !attr->dbrec ? "dbrec" : (!attr->bf_reg ? "bf_reg" : "slots"));
	if (attr->bf_size % SEGUEI_BLOCK || (attr->bf_size & (attr->bf_size - 1)))
		return seguei_fail(EINVAL,
				   "Send queue: bf_size is %u, expected 0 or a power of two of at "
				   "least %u bytes.",
				   attr->bf_size, SEGUEI_BLOCK);
	if ((uintptr_t)attr->bf_reg % register_alignment(attr))
		return seguei_fail(EINVAL,
				   "Send queue: bf_reg is %p, expected a register aligned to both "
				   "its halves, %llu bytes, as posts change between them.",
				   attr->bf_reg, (unsigned long long)register_alignment(attr));
	if (attr->qpn > SEGUEI_CONTROL_QUEUE_MAX)
		return seguei_fail(
			EINVAL,
			"Send queue: qpn is 0x%x, expected a queue pair number of at most 0x%x.",
			attr->qpn, (unsigned int)SEGUEI_CONTROL_QUEUE_MAX);
	return 0;
}

/* Largest WQE in units: the requested size, or the largest that leaves room for three more. */
static uint32_t largest_wqe(const struct segue_sq_init_options *attr)
{
	const uint32_t quarter = attr->wqe_cnt / 4 * SEGUEI_UNITS_PER_BLOCK;

	if (attr->max_wqe_units)
		return attr->max_wqe_units;
	return quarter < SEGUE_WQE_MAX_UNITS ? quarter : SEGUE_WQE_MAX_UNITS;
}

int segue_sq_init(struct segue_sq *sq, const struct segue_sq_init_options *attr)
{
	const int ret = check_attr(attr);
	uint32_t units, blocks;

	if (ret)
		return ret;
	units = largest_wqe(attr);
	blocks = seguei_blocks(units);
	if (attr->wqe_cnt < 3 * blocks && !attr->spare)
		return seguei_fail(EINVAL,
				   "Send queue: wqe_cnt is %u, expected at least %u blocks for "
				   "WQEs of %u units.",
				   attr->wqe_cnt, 3 * blocks, units);
	if (attr->max_blocks && !attr->spare &&
	    (attr->max_blocks < blocks || attr->max_blocks > attr->wqe_cnt - blocks))
		return seguei_fail(EINVAL,
				   "Send queue: max_blocks is %u, expected 0 or %u to %u blocks.",
				   attr->max_blocks, blocks, attr->wqe_cnt - blocks);

	memset(sq, 0, sizeof(*sq));
	sq->buf = sq->ring = (uint8_t *)attr->buf;
	sq->end = sq->buf + (size_t)attr->wqe_cnt * SEGUEI_BLOCK;
	sq->slots = sq->kept = attr->slots;
	sq->ctrl = seguei_control_queue(attr->qpn);
	sq->mask = attr->wqe_cnt - 1;
	sq->slot_mask = sq->mask << SEGUEI_SLOT_SHIFT;
	sq->max_units = units;
	sq->blocks = blocks;
	sq->most = attr->max_blocks ? attr->max_blocks : attr->wqe_cnt - blocks;
	if (attr->spare)
		seguei_sq_use_spare(sq, attr);
	sq->silent_reserve = (sq->most + blocks) / 4 > blocks ? (sq->most + blocks) / 4 : blocks;
	segue_sq_set_postable(sq, true);
	sq->dbrec = attr->dbrec;
	sq->reg = (uintptr_t)attr->bf_reg;
	sq->reg_toggle = attr->bf_size;
	sq->uar = attr->uar;
	sq->half = attr->uar && attr->uar->dedicated ? &attr->uar->half : NULL;
	sq->copy_most = !attr->uar || sq->half ? attr->bf_size : 0;
	sq->qpn = attr->qpn;
	sq->max_tso = attr->max_tso;
	seguei_sq_restart(sq, attr->first_index);
	return 0;
}

void segue_sq_set_postable(struct segue_sq *sq, bool postable)
{
	sq->postable = postable && !sq->barred;
	seguei_sq_open_or_close(sq);
}

void seguei_sq_restart(struct segue_sq *sq, uint32_t index)
{
	uint32_t i;

	/*
	 * A slot where no WQE starts must not look like one in flight, even when the index wraps.
	 */
	for (i = 0; i <= sq->mask; i++)
		sq->kept[i].next = index;
	sq->pi = sq->forced = index;
	seguei_sq_set_ci(sq, index);
	sq->committed = index - sq->mask - 1; /* no WQE is that long */
	sq->pattern = NULL;
	if (sq->spare)
		sq->spare->counted = false;
	seguei_sq_settle(sq);
}

void seguei_sq_watch_next(struct segue_sq *sq)
{
	sq->watched = true;
	seguei_sq_open_or_close(sq);
}

int seguei_sq_refuse(const struct segue_sq *sq, uint32_t units, int32_t bad, bool too_long)
{
	const int refusal = seguei_ring_refusal(bad, too_long, sq->postable);
	const uint32_t blocks = seguei_blocks(units);

	if (refusal == EMSGSIZE)
		return seguei_fail(
			refusal,
			"Send queue of QP 0x%x: the request is longer than the %u units of 16 "
			"bytes this queue "
			"takes; post fewer SGEs or less inline data, or raise max_wqe_units.",
			sq->qpn, sq->max_units);
	if (refusal == ERANGE)
		return seguei_fail(refusal,
				   "Send queue of QP 0x%x: a value of the request does not fit its "
				   "field; check the arguments.",
				   sq->qpn);
	if (refusal == EINVAL && sq->barred)
		return seguei_fail(EBUSY, "Send queue of QP 0x%x %s.", sq->qpn, sq->barred);
	if (refusal == EINVAL)
		return seguei_fail(refusal,
				   "Send queue of QP 0x%x: the queue pair is in a state that "
				   "rejects send requests; move it "
				   "to RTS first.",
				   sq->qpn);
	if (sq->spare)
		return seguei_sq_refuse_at_end(sq, blocks);
	return seguei_fail(refusal,
			   "Send queue of QP 0x%x: the request needs %u block%s of %u bytes, %u of "
			   "%u are free (a request takes 1 to %u); poll the completion queue and "
			   "post again.",
			   sq->qpn, blocks, blocks == 1 ? "" : "s", (unsigned int)SEGUEI_BLOCK,
			   segue_sq_room(sq), sq->most, seguei_blocks(sq->max_units));
}

int seguei_sq_refuse_form(const struct segue_sq *sq, struct seguei_form form, int32_t bad,
			  const struct segue_machine *machine)
{
	const uint8_t *const start = seguei_sq_start(sq);
	const size_t bytes = (size_t)form.units * SEGUEI_UNIT;
	const size_t first = (size_t)(sq->end - start) < bytes ? (size_t)(sq->end - start) : bytes;
	uint8_t wqe[UINT8_MAX * SEGUEI_UNIT];
	char why[320];

	if (bad >= 0 || form.why & SEGUEI_TOO_LONG)
		return seguei_sq_refuse(sq, form.units, bad, form.why & SEGUEI_TOO_LONG);
	if (form.why & SEGUEI_NULL) {
		(void)seguei_null_print(why, sizeof(why));
	} else if (form.why & SEGUEI_LENGTH) {
		(void)seguei_value_print(sq->wrong_field, sq->wrong_length, why, sizeof(why));
	} else { /* the ring holds all of it but the first words */
		memcpy(wqe, start, first);
		memcpy(wqe + first, sq->buf, bytes - first);
		segue_put_be64(wqe, sq->ctrl | seguei_control_first(form.opmod, sq->pi & 0xffff,
								    form.opcode, form.units));
		(void)seguei_refusal_print(machine, wqe, bytes, why, sizeof(why));
	}
	return seguei_fail(ERANGE,
			   "Send queue of QP 0x%x: %s; correct the argument and post again.",
			   sq->qpn, why);
}

int seguei_sq_bad_completion(const struct segue_sq *sq, uint16_t wqe_counter)
{
	return seguei_fail(EINVAL,
			   "Send queue of QP 0x%x: a completion names WQE 0x%04x, expected one of "
			   "the %u blocks in "
			   "flight from 0x%04x on; the CQE belongs to another queue or was read "
			   "twice.",
			   sq->qpn, wqe_counter, sq->pi - seguei_sq_ci(sq),
			   seguei_sq_ci(sq) & 0xffff);
}

uint32_t segue_sq_abort(struct segue_sq *sq)
{
	/* The doorbell record has 16 bits, which suffice for every ring. */
	const uint32_t told = sq->pi - ((sq->pi - segue_be32(*sq->dbrec)) & 0xffff);
	const uint32_t ci = seguei_sq_ci(sq);
	uint32_t at = told, next, count = 0;

	for (; at != sq->pi; at = next) {
		struct segue_sq_slot *slot = seguei_sq_slot_at(sq, at);

		next = seguei_sq_behind(sq, slot);
		slot->next = ci; /* a slot with this index is not in flight */
		count++;
	}
	if (sq->forced - ci > told - ci)
		/* the forced request was dropped, too, so another one must be forced soon */
		sq->forced = ci;
	sq->pi = told;
	sq->committed = told - sq->mask - 1;
	sq->pattern = NULL;
	sq->checked_step++;
	if (sq->spare)
		sq->spare->counted = false;
	seguei_sq_settle(sq);
	return count;
}

void seguei_sq_blueflame(struct segue_sq *sq, uint32_t pi)
{
	const uint8_t *const start = seguei_sq_wqe_at(sq, pi);
	const uint32_t blocks = sq->pi - pi;
	const bool fits = blocks * SEGUEI_BLOCK <= sq->reg_toggle && seguei_sq_in_turn(sq, pi);
	bool shared = !fits;

	if (fits && sq->copy_most) {
		seguei_sq_copy(sq, sq->half ? sq->half : &sq->reg, start, blocks);
	} else if (fits) { /* other queues ring the register, or may start to */
		seguei_uar_lock(sq->uar);
		shared = sq->uar->shared;
		if (!shared)
			seguei_sq_copy(sq, &sq->uar->half, start, blocks);
		seguei_uar_unlock(sq->uar);
	}
	if (shared) {
		sq->committed = pi;
		seguei_sq_ring_committed(sq);
	}
}
