/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Send queue: a ring of 64-byte blocks, its doorbell and the bookkeeping of what is in flight.
 *
 * The ring is described by plain addresses, so a queue needs no device: a test may point it at ordinary memory, the
 * runtime points it at what mlx5dv_init_obj() returns.
 *
 * Two rules keep a full queue harmless without a branch per segment:
 *  - There is always room for one largest WQE behind the producer index, because a commit that would take that room
 *    away is refused. A builder can therefore write before anybody knows whether its request fits.
 *  - Nothing that is built can be seen by the device before commit has moved the producer index and ring has told it.
 *
 * A queue belongs to one thread at a time.
 */
#ifndef SEGUE_SQ_H
#define SEGUE_SQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/bytes.h"
#include "segue/compiler.h"
#include "segue/gen/enums.h"
#include "segue/mmio.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is kept for the WQE that starts in a block. */
struct segue_sq_slot {
	uint64_t wr_id;
	uint64_t next; /* producer index behind the WQE; SEGUEI_SLOT_FORCED may be set as well */
};

/* The application did not ask for this completion: the queue did, so that it cannot fill up with silent work. */
#define SEGUEI_SLOT_FORCED (1ull << 32)

/* With it: nobody asked for the request either. It is the library's, and its completion is handed to nobody, failed or not. */
#define SEGUEI_SLOT_MARKER (1ull << 33)

struct segue_sq {
	/* Read by every post. */
	uint8_t *buf;                /* first byte of the ring */
	uint8_t *end;                /* one past its last byte */
	struct segue_sq_slot *slots; /* one per block */
	uint64_t ctrl;               /* first control quadword with nothing but the queue number set */
	uint32_t mask;               /* blocks in the ring, minus one */
	uint32_t max_units;          /* largest WQE in units of 16 bytes */
	uint32_t signal_every;       /* blocks after which a silent request is made to complete */

	/* Written by every post. All counts are of blocks, run freely and wrap at 2^32. */
	uint32_t pi;       /* committed so far */
	uint32_t limit;    /* pi may not pass this; moved by retire. Behind pi while the queue may not be posted to */
	uint32_t signaled; /* pi behind the last request that will complete */
	uint64_t doorbell; /* first control quadword of the last commit, as the device wants to see it */
	uint32_t committed; /* pi behind that commit: what is behind it was posted and has rung by itself */

	volatile uint32_t *dbrec; /* doorbell record, send half */
	uintptr_t reg;            /* doorbell register of the next ring */
	uintptr_t reg_toggle;     /* xor to the other half of a BlueFlame register, 0 if there is one only */

	/* Not read by posts. */
	uint32_t ci;     /* retired so far */
	uint32_t blocks; /* largest WQE in blocks */
	uint32_t qpn;
	bool stopped;

	/* Used by checked builds only; always present, so that both kinds can be linked together. */
	uint64_t checked_owner; /* thread that posted first, 0 if none yet */
	uint32_t checked_step;  /* steps taken by builders of this queue */
};

/* Where a send queue lives. All memory belongs to the caller and outlives the queue. */
struct segue_sq_attr {
	void *buf;                   /* ring, 64-byte aligned, wqe_cnt * 64 bytes */
	uint32_t wqe_cnt;            /* size of the ring in blocks of 64 bytes: a power of two, 8 to 32768 */
	uint32_t max_wqe_units;      /* largest WQE in units of 16 bytes, 8 to 63; 0: as large as the ring allows */
	uint32_t *dbrec;             /* send half of the doorbell record (4 bytes) */
	void *bf_reg;                /* doorbell register in the UAR page */
	uint32_t bf_size;            /* bytes of one half of a BlueFlame register; 0 if bf_reg is used for doorbells only */
	uint32_t qpn;                /* queue pair number, 24 bits */
	uint32_t first_index;        /* producer index to start from, normally 0 */
	struct segue_sq_slot *slots; /* wqe_cnt entries */
};

/**
 * segue_sq_init() - describe a ring to a send queue.
 * @sq: queue to fill
 * @attr: where the ring lives
 *
 * Returns 0, or -EINVAL with segue_errmsg() naming the attribute; *sq is untouched then. Writes neither the ring nor
 * the doorbell record. Nothing is allocated, so there is nothing to free.
 */
int segue_sq_init(struct segue_sq *sq, const struct segue_sq_attr *attr);

/**
 * segue_sq_set_postable() - let requests in, or refuse them all with -EINVAL.
 * @sq: send queue
 * @postable: false while the queue pair's state rejects posts
 *
 * The check is the one for room, so it costs a post nothing.
 */
void segue_sq_set_postable(struct segue_sq *sq, bool postable);

/**
 * segue_sq_hand_over() - let another thread use the queue from now on.
 * @sq: send queue
 *
 * The threads synchronise among themselves. Only checked builds look at it.
 */
static inline void segue_sq_hand_over(struct segue_sq *sq)
{
	sq->checked_owner = 0;
}

/* Blocks of 64 bytes that may still be committed. */
SEGUE_INLINE uint32_t segue_sq_room(const struct segue_sq *sq)
{
	const int32_t room = (int32_t)(sq->limit - sq->pi);

	return room > 0 ? (uint32_t)room : 0;
}

/* Why a request was refused, as a sentence and a negative errno. */
SEGUE_COLD int seguei_sq_refuse(const struct segue_sq *sq, uint32_t units, int32_t bad, bool too_long);


/* Says that a completion names a WQE that is not in flight. */
SEGUE_COLD int seguei_sq_bad_completion(const struct segue_sq *sq, uint16_t wqe_counter);

/**
 * segue_sq_retire() - take note of a completion.
 * @sq: send queue
 * @wqe_counter: of the CQE
 * @wr_id: set to the wr_id of the completed request
 *
 * Everything posted before that request is retired with it: a queue completes in order. Returns 1 if the application
 * asked for this completion, 0 if the queue did (see signal_every), -EINVAL if no such request is in flight.
 */
SEGUE_INLINE int segue_sq_retire(struct segue_sq *sq, uint16_t wqe_counter, uint64_t *wr_id)
{
	const struct segue_sq_slot *slot = &sq->slots[wqe_counter & sq->mask];
	const uint32_t next = (uint32_t)slot->next;

	if (SEGUE_UNLIKELY(next - sq->ci - 1 >= sq->pi - sq->ci))
		return seguei_sq_bad_completion(sq, wqe_counter);
	*wr_id = slot->wr_id;
	sq->ci = next;
	if (SEGUE_LIKELY(!sq->stopped))
		sq->limit = next + sq->mask + 1 - sq->blocks;
	return !(slot->next & SEGUEI_SLOT_FORCED);
}

/**
 * segue_sq_oldest() - look at the oldest request that has not been retired.
 * @sq: send queue
 * @wr_id: set to its wr_id
 *
 * Returns true, or false if nothing is in flight. For flushing: segue_sq_drop_oldest() then forgets it.
 */
static inline bool segue_sq_oldest(const struct segue_sq *sq, uint64_t *wr_id)
{
	if (sq->ci == sq->pi)
		return false;
	*wr_id = sq->slots[sq->ci & sq->mask].wr_id;
	return true;
}

/* Forgets the oldest request in flight, if there is one. */
static inline void segue_sq_drop_oldest(struct segue_sq *sq)
{
	uint64_t wr_id;

	if (segue_sq_oldest(sq, &wr_id))
		(void)segue_sq_retire(sq, (uint16_t)sq->ci, &wr_id);
}

/* Writes the doorbell record, in order behind the WQEs and before the register. */
SEGUE_INLINE void seguei_sq_record(struct segue_sq *sq, uint32_t pi)
{
	seguei_order_memory_stores();
	seguei_store32(sq->dbrec, segue_be32(pi & 0xffff));
	seguei_order_memory_before_register();
}

/* Tells the device about everything committed so far. */
SEGUE_INLINE void seguei_sq_ring(struct segue_sq *sq, uint32_t pi, uint64_t doorbell)
{
	seguei_sq_record(sq, pi);
	seguei_store64((volatile void *)sq->reg, doorbell);
	sq->reg ^= sq->reg_toggle;
	seguei_flush_register_stores();
}

/* Tells the device about committed requests. Where the last one was posted, that has been done. */
SEGUE_INLINE void seguei_sq_ring_committed(struct segue_sq *sq)
{
	if (SEGUE_LIKELY(sq->doorbell != 0 && sq->committed == sq->pi))
		seguei_sq_ring(sq, sq->pi, sq->doorbell);
}

#ifdef __cplusplus
}
#endif

#endif
