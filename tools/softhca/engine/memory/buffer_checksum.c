/* SPDX-License-Identifier: BSD-2-Clause */
/* Checksums of requests' buffers, taken at the post and at the completion. */
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/watch.h"

#include "tools/softhca/engine/memory/mem.h"

#define PIECE	  4096u
#define SUM_MOST  (UINT64_C(1) << 20) /* of a longer piece only the two ends are summed up */
#define SUM_PRIME UINT64_C(0x9e3779b97f4a7c15)
#define LINE	  64u

static uint32_t *place_of(uint64_t line)
{
	return &the_memory.wrote[line * SUM_PRIME >> 49];
}

void softhca_watch_wrote(uint64_t va, size_t len)
{
	if (!the_memory.watching || !len)
		return;
	the_memory.writes++;
	for (uint64_t line = va / LINE; line <= (va + len - 1) / LINE; line++)
		*place_of(line) = the_memory.writes;
}

/*
 * Numbers wrap, so an old write may count as a new one. A finding may be missed, but not invented.
 */
static bool device_wrote(uint64_t va, uint64_t len, uint32_t since)
{
	for (uint64_t line = va / LINE; line <= (va + len - 1) / LINE; line++)
		if ((int32_t)(*place_of(line) - since) > 0)
			return true;
	return false;
}

/* Finds a piece of a plain region in the process. Other keys may change in between. */
static bool place_in_process(const struct softhca_qp *qp, const struct softhca_span *s,
			     uint64_t *va)
{
	const struct softhca_mkey *const k = softhca_mkey_find(qp->dev, s->lkey);

	if (!k || k->kind != SOFTHCA_KEY_MR || k->free || k->bsf_on || k->stale ||
	    s->va < k->start || s->va - k->start > k->len || s->len > k->len - (s->va - k->start))
		return false;
	*va = k->base + (s->va - k->start);
	return true;
}

static bool sum_bytes(uint64_t va, uint64_t len, uint64_t *sum)
{
	uint64_t words[PIECE / sizeof(uint64_t)];

	for (uint64_t n; len; len -= n, va += n) {
		n = len < PIECE ? len : PIECE;
		words[(n - 1) / sizeof(uint64_t)] = 0;
		if (softhca_copy_in(words, va, n))
			return false;
		for (uint64_t i = 0; i < (n + sizeof(uint64_t) - 1) / sizeof(uint64_t); i++)
			*sum = (*sum ^ words[i]) * SUM_PRIME ^ *sum >> 29;
	}
	return true;
}

/* False if the sum cannot be known. */
static bool sum_of(const struct softhca_qp *qp, const struct softhca_msg *msg, uint64_t *sum)
{
	uint64_t va;

	*sum = 0;
	for (unsigned i = 0; i < msg->nspans; i++) {
		const uint64_t len = msg->u.span[i].len;
		const uint64_t end = len > SUM_MOST ? SUM_MOST / 2 : len;

		if (!place_in_process(qp, &msg->u.span[i], &va) || !sum_bytes(va, end, sum) ||
		    (end < len && !sum_bytes(va + len - end, end, sum)))
			return false;
	}
	return true;
}

void softhca_watch_post(struct softhca_qp *qp, struct softhca_msg *msg)
{
	uint64_t sum;

	if (!qp->dev->cfg.watch || !msg->nspans || !sum_of(qp, msg, &sum))
		return;
	the_memory.watching = msg->watched = true;
	msg->watch.sum = sum;
	msg->watch.written = the_memory.writes;
}

void softhca_watch_complete(struct softhca_qp *qp, const struct softhca_msg *msg)
{
	const bool read = msg->kind == SOFTHCA_MSG_READ || msg->kind == SOFTHCA_MSG_ATOMIC;
	uint64_t sum, va;

	if (!sum_of(qp, msg, &sum) || sum == msg->watch.sum)
		return;
	for (unsigned i = 0; i < msg->nspans; i++)
		if (!msg->u.span[i].len || !place_in_process(qp, &msg->u.span[i], &va) ||
		    device_wrote(va, msg->u.span[i].len, msg->watch.written))
			return;
	softhca_referee_send(
		qp, msg->wqe_index, SOFTHCA_RULE_BUFFER_CHANGED,
		"the buffer of WQE %u (%llu bytes) was changed before its completion: a card "
		"may %s. Poll the completion first",
		msg->wqe_index, (unsigned long long)(msg->length - msg->inline_len),
		read ? "have written the answer already"
		     : "not have read it yet, or may read it once more");
}
