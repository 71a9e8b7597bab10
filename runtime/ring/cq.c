/* SPDX-License-Identifier: BSD-2-Clause */
#include "segue/cq.h"

#include <errno.h>
#include <stdlib.h>

#include "segue/check.h"
#include "segue/errmsg.h"
#include "segue/gen/segments.h"

#define ENTRIES_MIN	2u
#define ENTRIES_MAX	(1u << 22)
#define NUMBER_MAX	0xffffffu /* of queue pairs and completion queues: 24 bits */
#define TABLE_MIN	16u
#define OP_OWN		(SEGUE_CQE_CQE64_SIZE - 1) /* byte of a CQE */
#define SIGNATURE	(SEGUE_CQE_CQE64_SIZE - 2)
#define INVALID_OP_OWN	((unsigned int)SEGUE_CQE_OPCODE_INVALID << 4)

static bool power_of_two(uint32_t value)
{
	return value && !(value & (value - 1));
}

static int check_attr(const struct segue_cq_attr *attr)
{
	if (!attr->buf || (uintptr_t)attr->buf % SEGUE_CQE_SIZE)
		return seguei_fail(EINVAL, "Completion queue: buf is %p, expected a ring aligned to %u bytes.", attr->buf,
				   (unsigned int)SEGUE_CQE_SIZE);
	if (!power_of_two(attr->cqe_cnt) || attr->cqe_cnt < ENTRIES_MIN || attr->cqe_cnt > ENTRIES_MAX)
		return seguei_fail(EINVAL, "Completion queue: cqe_cnt is %u, expected a power of two from %u to %u.",
				   attr->cqe_cnt, ENTRIES_MIN, ENTRIES_MAX);
	if (attr->cqe_size != SEGUE_CQE_SIZE && attr->cqe_size != SEGUE_CQE_SIZE_128)
		return seguei_fail(EINVAL, "Completion queue: cqe_size is %u, expected %u or %u bytes.", attr->cqe_size,
				   (unsigned int)SEGUE_CQE_SIZE, (unsigned int)SEGUE_CQE_SIZE_128);
	if (!attr->dbrec)
		return seguei_fail(EINVAL, "Completion queue: dbrec is NULL, expected its address.");
	if (attr->cqn > NUMBER_MAX)
		return seguei_fail(EINVAL, "Completion queue: cqn is 0x%x, expected a number of at most 0x%x.", attr->cqn,
				   NUMBER_MAX);
	return 0;
}

static uint8_t *ring_start(const struct segue_cq *cq)
{
	return cq->buf + cq->entry_size - SEGUE_CQE_CQE64_SIZE;
}

/* The last 64 bytes of the entry with this counter. */
static uint8_t *entry_at(const struct segue_cq *cq, uint32_t counter)
{
	return ring_start(cq) + (size_t)(counter & (cq->cqe_cnt - 1)) * cq->entry_size;
}

/* An entry's last dword with these two bytes and nothing else, as it lies in memory. */
static uint32_t last_dword(uint32_t signature, uint32_t op_own)
{
	return segue_be32((signature & 0xff) << 8 | op_own);
}

void seguei_cq_seek(struct segue_cq *cq)
{
	const uint32_t round = cq->ci >> cq->log_cnt;

	cq->entry = entry_at(cq, cq->ci);
	cq->own = last_dword(round, round & SEGUE_CQE_OP_OWN_OWNER_MASK) & cq->own_mask;
}

/* Makes an entry look as if it were of the round before the one in which its counter comes next. */
static void make_old(const struct segue_cq *cq, uint32_t counter)
{
	const uint32_t round = (counter >> cq->log_cnt) - 1;
	uint8_t *entry = entry_at(cq, counter);

	entry[SIGNATURE] = (uint8_t)round;
	entry[OP_OWN] = (uint8_t)(INVALID_OP_OWN | (round & SEGUE_CQE_OP_OWN_OWNER_MASK));
}

void seguei_cq_set_ring(struct segue_cq *cq, uint8_t *buf, uint32_t cqe_cnt, uint32_t ci)
{
	cq->buf = buf;
	cq->cqe_cnt = cqe_cnt;
	cq->log_cnt = 0;
	while (1u << cq->log_cnt < cqe_cnt)
		cq->log_cnt++;
	cq->ci = ci;
	cq->last = cq->enhanced ? NULL : entry_at(cq, cqe_cnt - 1); /* enhanced: every entry may be a block's title */
	cq->block.title_ci = ci - 1;
	seguei_cq_seek(cq);
}

/* What stands for a queue that is not there: nothing is in flight, so it retires nothing and is never written. */
static struct segue_sq_slot no_slot;
static struct segue_sq no_sq = {.slots = &no_slot};
static struct segue_rq no_rq;
static uint16_t no_entry;
static struct segue_srq no_srq = {.next = &no_entry};
static const struct seguei_cq_route nobody = {.sq = &no_sq, .rq = &no_rq, .srq = &no_srq};

static void set_route(struct seguei_cq_route *route, const struct segue_cq_queue *queue)
{
	route->number = segue_be32(queue->qpn);
	route->sq = queue->sq ? queue->sq : &no_sq;
	route->rq = queue->rq ? queue->rq : &no_rq;
	route->srq = queue->srq ? queue->srq : &no_srq;
	route->context = queue->context;
	route->queue = *queue;
}

static void forget_first(struct segue_cq *cq)
{
	uint32_t i;

	for (i = 0; i < SEGUEI_CQ_FIRST; i++)
		cq->first[i] = &nobody;
}

int segue_cq_init(struct segue_cq *cq, const struct segue_cq_attr *attr)
{
	const int ret = check_attr(attr);
	uint32_t i;

	if (ret)
		return ret;
	memset(cq, 0, sizeof(*cq));
	cq->entry_size = attr->cqe_size;
	cq->enhanced = attr->enhanced;
	cq->own_mask = attr->enhanced ? last_dword(0xff, 0) : last_dword(0, SEGUE_CQE_OP_OWN_OWNER_MASK);
	forget_first(cq);
	cq->dbrec = attr->dbrec;
	cq->cqn = attr->cqn;
	cq->uar = (uintptr_t)attr->uar;
	seguei_cq_set_ring(cq, (uint8_t *)attr->buf, attr->cqe_cnt, attr->first_index);
	for (i = 0; i < attr->cqe_cnt; i++)
		if (entry_at(cq, cq->ci + i)[OP_OWN] >> 4 == SEGUE_CQE_OPCODE_INVALID)
			make_old(cq, cq->ci + i);
	return 0;
}

void segue_cq_fini(struct segue_cq *cq)
{
	uint32_t i;

	for (i = 0; cq->table && i <= cq->table_mask; i++)
		free(cq->table[i]);
	free(cq->table);
	cq->table = NULL;
	cq->n_queues = 0;
	seguei_cq_forget_srqs(cq);
	forget_first(cq);
}

/* Where in the table the queue pair is, or would be. The table is never full. */
static uint32_t place(struct seguei_cq_route *const *table, uint32_t mask, uint32_t qpn)
{
	uint32_t at = qpn & mask;

	while (table[at] && table[at]->queue.qpn != qpn)
		at = (at + 1) & mask;
	return at;
}

static struct seguei_cq_route *attached(const struct segue_cq *cq, uint32_t qpn)
{
	return cq->table ? cq->table[place(cq->table, cq->table_mask, qpn)] : NULL;
}

/* Who is not attached has a shared receive queue only: the one that the CQE names. */
static struct seguei_cq_route *stranger(struct segue_cq *cq, uint32_t qpn, const uint8_t *cqe)
{
	struct segue_cq_queue queue = {.qpn = qpn};

	queue.srq = seguei_cq_srq_of(cq, cqe, &queue.context);
	if (!queue.srq)
		return NULL;
	set_route(&cq->stranger, &queue);
	return &cq->stranger;
}

const struct seguei_cq_route *seguei_cq_find(struct segue_cq *cq, uint32_t qpn, const uint8_t *cqe)
{
	struct seguei_cq_route *route = attached(cq, qpn);

	if (!route) {
		route = stranger(cq, qpn, cqe);
		if (cq->srqs)
			return route; /* the next CQE of this number may name another queue */
	}
	if (route)
		cq->first[qpn % SEGUEI_CQ_FIRST] = route;
	return route;
}

/* A larger table with the same queues. */
static int grow_table(struct segue_cq *cq)
{
	const uint32_t size = cq->table ? 2 * (cq->table_mask + 1) : TABLE_MIN;
	struct seguei_cq_route **table = calloc(size, sizeof(*table));
	uint32_t i;

	if (!table)
		return seguei_fail(ENOMEM, "Completion queue 0x%x: no memory for a table of %u queue pairs.", cq->cqn, size);
	for (i = 0; cq->table && i <= cq->table_mask; i++)
		if (cq->table[i])
			table[place(table, size - 1, cq->table[i]->queue.qpn)] = cq->table[i];
	free(cq->table);
	cq->table = table;
	cq->table_mask = size - 1;
	return 0;
}

int segue_cq_attach(struct segue_cq *cq, const struct segue_cq_queue *queue)
{
	struct seguei_cq_route *route;

	if (queue->qpn > NUMBER_MAX || (!queue->sq && !queue->rq && !queue->srq) || (queue->rq && queue->srq))
		return seguei_fail(EINVAL,
				   "Completion queue 0x%x: cannot attach QP 0x%x; expected a number of at most 0x%x and a send "
				   "queue, a receive queue or a shared receive queue, not both of the latter.",
				   cq->cqn, queue->qpn, NUMBER_MAX);
	if (attached(cq, queue->qpn))
		return seguei_fail(EEXIST, "Completion queue 0x%x: QP 0x%x is attached already; detach it first.", cq->cqn,
				   queue->qpn);
	if ((!cq->table || cq->table_mask + 1 < 4 * (cq->n_queues + 1)) && grow_table(cq))
		return -ENOMEM;
	route = malloc(sizeof(*route));
	if (!route)
		return seguei_fail(ENOMEM, "Completion queue 0x%x: no memory for QP 0x%x.", cq->cqn, queue->qpn);
	set_route(route, queue);
	cq->table[place(cq->table, cq->table_mask, queue->qpn)] = route;
	cq->first[queue->qpn % SEGUEI_CQ_FIRST] = route;
	cq->n_queues++;
	return 0;
}

/* Drops the CQEs of a queue pair that lie in the ring: those behind them move up. */
static void drop_entries(struct segue_cq *cq, const struct seguei_cq_route *route);

/* Closes the gap in the table: those behind it that would not be found any more move up. */
static void table_remove(struct seguei_cq_route **table, uint32_t mask, uint32_t gap)
{
	uint32_t at = gap;

	for (;;) {
		at = (at + 1) & mask;
		if (!table[at])
			break;
		if (((at - table[at]->queue.qpn) & mask) >= ((at - gap) & mask)) {
			table[gap] = table[at];
			gap = at;
		}
	}
	table[gap] = NULL;
}

int segue_cq_detach(struct segue_cq *cq, uint32_t qpn)
{
	struct seguei_cq_route *route = attached(cq, qpn);

	if (!route)
		return seguei_fail(ENOENT, "Completion queue 0x%x: QP 0x%x is not attached.", cq->cqn, qpn);
	drop_entries(cq, route);
	table_remove(cq->table, cq->table_mask, place(cq->table, cq->table_mask, qpn));
	if (cq->first[qpn % SEGUEI_CQ_FIRST] == route)
		cq->first[qpn % SEGUEI_CQ_FIRST] = &nobody;
	free(route);
	cq->n_queues--;
	return 0;
}

void seguei_cq_forget_stranger(struct segue_cq *cq)
{
	uint32_t i;

	for (i = 0; i < SEGUEI_CQ_FIRST; i++)
		if (cq->first[i] == &cq->stranger)
			cq->first[i] = &nobody;
}

void segue_cq_set_xrc_srq(struct segue_cq *cq, struct segue_srq *srq, void *context)
{
	cq->xrc_srq = srq;
	cq->xrc_context = context;
	seguei_cq_forget_stranger(cq);
}

static bool is_new(const struct segue_cq *cq, uint32_t counter)
{
	const uint32_t round = counter >> cq->log_cnt;
	const uint32_t last = *(const volatile uint32_t *)(const void *)(entry_at(cq, counter) + SEGUEI_CQE_LAST);
	const uint32_t diff = last ^ last_dword(round, round & SEGUE_CQE_OP_OWN_OWNER_MASK);

	return !(diff & cq->own_mask) && (segue_be32(last) >> 4 & 0xf) != SEGUE_CQE_OPCODE_INVALID;
}

/* The whole entry, as 128-byte entries have more before the last 64 bytes. */
static void move_entry(const struct segue_cq *cq, uint32_t to, uint32_t from)
{
	const size_t size = cq->entry_size;
	const uint32_t round = to >> cq->log_cnt;
	uint8_t *entry = entry_at(cq, to);

	memcpy(entry + SEGUE_CQE_CQE64_SIZE - size, entry_at(cq, from) + SEGUE_CQE_CQE64_SIZE - size, size);
	if (cq->enhanced)
		entry[SIGNATURE] = (uint8_t)round;
	entry[OP_OWN] = (uint8_t)((entry[OP_OWN] & ~(unsigned int)SEGUE_CQE_OP_OWN_OWNER_MASK) |
				  (round & SEGUE_CQE_OP_OWN_OWNER_MASK));
}

/* Frees the shared receive that a dropped CQE has used up, as nobody will see it any more. */
static void free_receive(const struct seguei_cq_route *route, const struct segue_cqe_cqe64 *cqe)
{
	uint64_t wr_id;

	if (cqe->opcode != SEGUE_CQE_OPCODE_REQ && cqe->opcode != SEGUE_CQE_OPCODE_REQ_ERR)
		(void)seguei_srq_retire_plain(route->srq, cqe->wqe_counter, &wr_id);
}

static void drop_entries(struct segue_cq *cq, const struct seguei_cq_route *route)
{
	struct segue_cqe_cqe64 cqe;
	uint32_t last = cq->ci, dropped = 0, at;

	while (last - cq->ci < cq->cqe_cnt && is_new(cq, last)) {
		seguei_order_memory_loads(); /* nothing of the entry is read before its owner: other queue pairs go on */
		(void)segue_cqe_cqe64_unpack(&cqe, entry_at(cq, last));
		if (cqe.format == SEGUE_CQE_FORMAT_COMPRESSED)
			return; /* nobody compresses queues that several queue pairs share */
		last++;
	}
	for (at = last; at != cq->ci; at--) {
		(void)segue_cqe_cqe64_unpack(&cqe, entry_at(cq, at - 1));
		if (cqe.qpn == route->queue.qpn) {
			free_receive(route, &cqe);
			dropped++;
		} else if (dropped) {
			move_entry(cq, at - 1 + dropped, at - 1);
		}
	}
	if (!dropped)
		return;
	cq->ci += dropped;
	seguei_cq_seek(cq);
	cq->block.title_ci = cq->ci - 1;
	seguei_cq_give_back(cq);
}

int segue_cq_arm(struct segue_cq *cq, uint32_t cmd)
{
	struct segue_seg_cq_arm arm;
	uint8_t bytes[SEGUE_SEG_CQ_ARM_SIZE];
	uint64_t doorbell;
	uint32_t record;

	if (!cq->uar)
		return seguei_fail(EINVAL, "Completion queue 0x%x: it has no UAR to be armed through; give segue_cq_init() one.",
				   cq->cqn);
	memset(&arm, 0, sizeof(arm));
	arm.arm_sn = cq->arm_sn % (SEGUE_SEG_CQ_ARM_ARM_SN_MAX + 1);
	arm.cmd = (uint8_t)cmd;
	arm.ci = cq->ci & SEGUE_SEG_CQ_ARM_CI_MAX;
	arm.cqn = cq->cqn;
	segue_seg_cq_arm_pack(bytes, &arm);
	memcpy(&record, bytes, sizeof(record));
	memcpy(&doorbell, bytes, sizeof(doorbell));
	seguei_store32(&cq->dbrec[SEGUE_CQ_DBREC_ARM], record);
	seguei_order_memory_before_register();
	seguei_store64((volatile void *)(cq->uar + SEGUE_UAR_CQ_DOORBELL), doorbell);
	seguei_flush_register_stores();
	return 0;
}

struct filling {
	struct segue_wc *to;
};

static void fill(const struct segue_wc *wc, void *arg)
{
	struct filling *filling = (struct filling *)arg;

	*filling->to = *wc;
	filling->to->cqe = NULL;
	filling->to++;
}

int segue_cq_poll_wc(struct segue_cq *cq, int max, struct segue_wc *wc)
{
	struct filling filling = {wc};

	if (max < 1)
		return 0;
	return segue_cq_poll(cq, max, fill, &filling);
}
