/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A send queue of EFA's, driven by a program itself (library segue_efa): WRITEs over SRD, and their
 * completions, which come in any order.
 *
 * rdma-core 55 and newer say where the queues of a queue pair and its completion queue are:
 *
 *	struct efadv_wq_attr sq, rq;
 *	struct efadv_cq_attr cq;
 *
 *	ret = efadv_query_qp_wqs(qp, &sq, &rq, sizeof(sq));
 *	if (!ret)
 *		ret = efadv_query_cq(send_cq, &cq, sizeof(cq));
 *	if (!ret)
 *		efa_open(&efa, &(struct segue_slots){sq.buffer, sq.entry_size, sq.num_entries},
 *			 &(struct segue_slots){cq.buffer, cq.entry_size, cq.num_entries},
 *			 sq.doorbell, sq.max_batch);
 *
 * From then on libefa must not post or poll there.
 */
#ifndef EFA_RING_H
#define EFA_RING_H

#include <errno.h>
#include <string.h>

#include "segue/gen/rings.h"

#define EFA_REQUESTS 4096u /* at least as many as the queue has entries */

/* Where a message goes. */
struct efa_peer {
	uint16_t ah, qpn;
	uint32_t qkey;
};

struct efa {
	struct segue_srd_ring ring;
	struct segue_slots completions;
	volatile uint32_t *doorbell;
	uint32_t rung, batch;	     /* what the device knows of, and the most for one doorbell */
	bool finished[EFA_REQUESTS]; /* by entry: it has completed before an earlier one */
};

static inline void efa_open(struct efa *efa, const struct segue_slots *requests,
			    const struct segue_slots *completions, uint32_t *doorbell,
			    uint32_t batch)
{
	memset(efa, 0, sizeof(*efa));
	efa->ring.slots = *requests;
	efa->completions = *completions;
	efa->doorbell = doorbell;
	efa->batch = batch;
}

/*
 * Tells the device of all that was posted. The register is mapped uncached (Linux efa_mmap()), so
 * that on x86-64 a store to it leaves behind all stores to a ring that is write-combining.
 */
static inline void efa_ring(struct efa *efa)
{
	struct segue_seg_doorbell doorbell = {0};
	uint32_t image;

	segue_srd_ring_doorbell(&efa->ring, &doorbell);
	segue_seg_doorbell_pack(&image, &doorbell);
	segue_order_stores();
	*efa->doorbell = image;
	efa->rung = efa->ring.slots.head;
}

/* Posts a WRITE. The number of the request is that of its entry. -ENOSPC: poll first. */
static inline int efa_write(struct efa *efa, const struct efa_peer *peer,
			    const struct segue_seg_remote_mem *to,
			    const struct segue_seg_tx_buf *from)
{
	const uint32_t number = efa->ring.slots.head & (efa->ring.slots.count - 1);
	struct segue_srd_sq *sq = segue_srd_ring_next(&efa->ring);
	int ret;

	if (!sq)
		return -ENOSPC;
	ret = segue_commit(
		segue_sge(segue_raddr(segue_rdma_write(sq, SEGUE_SIGNALED, (uint16_t)number,
						       segue_srd_ring_lap(&efa->ring), peer->ah,
						       peer->qpn, peer->qkey),
				      to->addr, to->rkey, to->length),
			  from->addr, from->length, from->lkey));
	if (ret)
		return ret;
	segue_srd_ring_push(&efa->ring);
	if (efa->ring.slots.head - efa->rung >= efa->batch)
		efa_ring(efa);
	return 0;
}

/*
 * Takes a completion. 1: *number has completed, and *status is 0 if it is good. 0: there is none.
 * Its entry is free for another request when all before it have completed, too.
 */
static inline int efa_poll(struct efa *efa, uint32_t *number, uint32_t *status)
{
	struct segue_slots *slots = &efa->ring.slots;
	const uint32_t mask = slots->count - 1;
	struct segue_completion done;

	if (!segue_ring_poll(&efa->completions, &done))
		return 0;
	*number = done.index & mask;
	*status = done.status;
	efa->finished[*number] = true;
	while (slots->tail != slots->head && efa->finished[slots->tail & mask]) {
		efa->finished[slots->tail & mask] = false;
		segue_slots_done(slots, 1);
	}
	return 1;
}

#endif
