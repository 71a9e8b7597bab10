/* SPDX-License-Identifier: BSD-2-Clause */
/* Doorbell pages: stores of the application and the device's reaction to them. */
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/scheduler.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_REGISTER 0x800u
#define NO_RECORD      0x600u /* register of queue pairs without a doorbell record */
#define WORDS	       (SOFTHCA_UAR_BF / 8) /* of a register */

int softhca_uar_create(struct softhca_dev *dev, void *page, struct softhca_uar **out,
		       uint32_t *page_id)
{
	struct softhca_uar *uar;
	int err;

	if (dev->fatal)
		return softhca_fail(-EIO, "%s is in fatal state", dev->cfg.name);
	uar = softhca_table_new(&dev->uars, sizeof(*uar), page_id);
	if (!uar)
		return -ENOMEM;
	uar->page_id = *page_id;
	uar->dev = dev;
	uar->page = page;
	uar->spared_scan = dev->look.scans - 1;
	err = softhca_look_add(uar);
	if (err) {
		softhca_table_del(&dev->uars, uar->page_id);
		free(uar);
		return err;
	}
	*out = uar;
	return 0;
}

int softhca_uar_destroy(struct softhca_uar *uar)
{
	if (!uar)
		return 0;
	if (uar->users)
		return softhca_fail(-EBUSY, "doorbell page %u is used by %u queues", uar->page_id,
				    uar->users);
	softhca_look_remove(uar);
	softhca_table_del(&uar->dev->uars, uar->page_id);
	free(uar);
	return 0;
}

void *softhca_uar_page(const struct softhca_uar *uar)
{
	return uar->page;
}

/* The storing side writes 8 bytes at once. Taking them leaves 0, which is not a doorbell. */
static uint64_t take(struct softhca_uar *uar, unsigned offset)
{
	uint64_t *reg = (uint64_t *)((uint8_t *)uar->page + offset);

	if (!__atomic_load_n(reg, __ATOMIC_RELAXED))
		return 0;
	return be64toh(__atomic_exchange_n(reg, 0, __ATOMIC_ACQ_REL));
}

/* Register that a byte of the page belongs to, or SOFTHCA_UAR_REGS for none. */
static unsigned register_at(size_t offset)
{
	if (offset < FIRST_REGISTER)
		return SOFTHCA_UAR_REGS;
	offset = (offset - FIRST_REGISTER) / SOFTHCA_UAR_BF;
	return offset < SOFTHCA_UAR_REGS ? (unsigned)offset : SOFTHCA_UAR_REGS;
}

static uint64_t *register_words(struct softhca_uar *uar, unsigned reg)
{
	return (uint64_t *)((uint8_t *)uar->page + FIRST_REGISTER + reg * SOFTHCA_UAR_BF);
}

/* Keeps the ring's content at the doorbell's place, to compare it with a BlueFlame copy. */
static void remember_wqe(struct softhca_blueflame *bf, const struct softhca_qp *qp, uint16_t index)
{
	const struct softhca_sq *sq = &qp->sq;
	uint32_t slot;

	bf->index = index;
	if (!sq->wqes)
		return;
	for (unsigned i = 0; i < SOFTHCA_UAR_BF / 64; i++) {
		slot = (index + i) & (sq->wqes - 1);
		if (softhca_copy_in(bf->copy + i * 64, sq->va + (uint64_t)slot * 64, 64))
			return;
		bf->len += 64;
	}
}

/* Checks that the words of a BlueFlame copy after the first equal the ring's, and clears them. */
static void check_blueflame(struct softhca_uar *uar, unsigned reg)
{
	uint64_t *words = register_words(uar, reg);
	const struct softhca_blueflame *const bf = &uar->bf[reg];
	struct softhca_qp *qp = softhca_qp_find(uar->dev, bf->qpn);

	for (unsigned i = 1; i < WORDS; i++) {
		uint64_t got = words[i], want = 0;

		if (!got)
			continue;
		words[i] = 0;
		if (!qp || i * 8 + 8 > bf->len)
			continue;
		memcpy(&want, bf->copy + i * 8, sizeof(want));
		if (got == want)
			continue;
		softhca_referee_send(
			qp, bf->index, SOFTHCA_RULE_BLUEFLAME,
			"BlueFlame byte %u to %u: 0x%016llx was stored, the ring holds 0x%016llx",
			i * 8, i * 8 + 7, (unsigned long long)be64toh(got),
			(unsigned long long)be64toh(want));
	}
}

/* ---- doorbells replaced by another store before they were seen, found by their records ---- */

/*
 * A doorbell costs the same however many queues share a page. It checks some of them, and the next
 * turns of the device check the others. This matters on pages with silent queue pairs, which ring
 * without a notification of the device. A queue pair that notifies is itself checked, whatever has
 * become of its doorbell. A queue pair counts as silent from the first doorbell found without a
 * notification until its next notification, which may be about to come. If a doorbell replaces that
 * of a queue pair which was not silent before, softhca_referee_scan() finds the latter.
 */
#define LOOK_QUEUES 64u
#define LOOK_SLOTS  256u

void softhca_uar_add(struct softhca_uar *uar, struct softhca_qp *qp)
{
	struct softhca_qp *const first = uar->qps ? uar->qps : qp;

	qp->uar_next = first;
	qp->uar_prev = uar->qps ? first->uar_prev : qp;
	qp->uar_prev->uar_next = first->uar_prev = qp;
	uar->qps = first;
	uar->num_qps++;
	uar->no_record |= qp->create.no_record;
}

static void set_silent(struct softhca_qp *qp, bool silent)
{
	qp->uar->silent += silent - qp->silent;
	qp->silent = silent;
}

void softhca_uar_remove(struct softhca_uar *uar, struct softhca_qp *qp)
{
	set_silent(qp, false);
	qp->uar_prev->uar_next = qp->uar_next;
	qp->uar_next->uar_prev = qp->uar_prev;
	if (uar->qps == qp)
		uar->qps = qp->uar_next == qp ? NULL : qp->uar_next;
	uar->num_qps--;
	uar->no_record &= !qp->create.no_record;
	if (uar->unseen > uar->num_qps)
		uar->unseen = uar->num_qps;
}

bool softhca_uar_rest(struct softhca_uar *uar)
{
	if (!uar->unseen)
		return false;
	for (unsigned n = 0; n < LOOK_QUEUES && uar->unseen; n++) {
		struct softhca_qp *const qp = uar->qps;

		uar->qps = qp->uar_next;
		uar->unseen--;
		uar->dev->look.queues++;
		softhca_sq_doorbell(qp, 0);
	}
	return true;
}

bool softhca_arm_rest(struct softhca_dev *dev)
{
	uint32_t slots = dev->arm_unseen < LOOK_SLOTS ? dev->arm_unseen : LOOK_SLOTS;
	const uint32_t size = dev->cqs.size;

	if (!slots)
		return false;
	dev->arm_unseen -= slots;
	for (; slots; slots--) {
		struct softhca_cq *cq;

		dev->arm_at = dev->arm_at + 1 < size ? dev->arm_at + 1 : 0;
		cq = softhca_table_get(&dev->cqs, dev->cqs.base + dev->arm_at);
		if (cq)
			softhca_cq_scan_arm(cq);
	}
	return true;
}

/* Notes a doorbell that was found. `said` is the queue pair that notified the device of it. */
static void note_rung(struct softhca_uar *uar, struct softhca_qp *qp, const struct softhca_qp *said)
{
	const bool ours = qp && qp->uar == uar;

	if (ours && qp != said)
		set_silent(qp, true);
	if (!ours || uar->silent || uar->num_qps <= LOOK_QUEUES)
		uar->unseen = uar->num_qps;
	else
		uar->spared_scan = uar->dev->look.scans;
}

static int ring(struct softhca_uar *uar, unsigned reg, bool trapped, const struct softhca_qp *said)
{
	uint64_t value = take(uar, FIRST_REGISTER + reg * SOFTHCA_UAR_BF);
	struct softhca_qp *qp;

	if (!value)
		return 0;
	qp = softhca_qp_find(uar->dev, (uint32_t)value >> 8);
	if (trapped) {
		uar->bf[reg].qpn = (uint32_t)value >> 8;
		uar->bf[reg].len = 0;
		if (qp)
			remember_wqe(&uar->bf[reg], qp, (uint16_t)(value >> 40));
	}
	note_rung(uar, qp, said);
	if (qp)
		softhca_sq_doorbell(qp, (uint32_t)(value >> 32));
	return 1;
}

/*
 * A doorbell that has the index of a WQE and its size, or the index behind it and no size. Sources:
 * rdma-core tests/mlx5_base.py, post_send(); DOCA GPUNetIO doca_gpu_dev_verbs_submit_db_no_dbr().
 */
static int ring_without_record(struct softhca_uar *uar)
{
	const uint64_t value = take(uar, NO_RECORD);
	struct softhca_qp *const qp = softhca_qp_find(uar->dev, (uint32_t)value >> 8);

	if (qp && qp->create.no_record &&
	    softhca_sq_release(qp, (uint16_t)((value >> 40) + ((value & 0x3f) + 3) / 4)))
		softhca_sq_run(qp);
	return value != 0;
}

static int arm(struct softhca_uar *uar)
{
	uint64_t value = take(uar, MLX5_CQ_DOORBELL);
	struct softhca_cq *cq;

	if (!value)
		return 0;
	cq = softhca_cq_find(uar->dev, (uint32_t)value & SOFTHCA_NUM_MASK);
	if (cq)
		softhca_cq_arm(cq, (uint32_t)(value >> 32));
	return 1;
}

/* Checks all registers, and the BlueFlame bytes of registers `first` to `end` - 1. */
static int scan(struct softhca_uar *uar, bool trapped, unsigned first, unsigned end,
		const struct softhca_qp *said)
{
	int rung = 0, armed;

	if (uar->dev->fatal)
		return 0;
	for (unsigned reg = 0; reg < SOFTHCA_UAR_REGS; reg++)
		rung += ring(uar, reg, trapped, said);
	if (uar->no_record)
		rung += ring_without_record(uar);
	/* Further words of a trapped BlueFlame copy do not count. */
	if (rung || !trapped)
		softhca_uar_rest(uar);
	for (unsigned reg = first; reg < end; reg++)
		check_blueflame(uar, reg);
	armed = arm(uar);
	if (armed) {
		uar->dev->arm_unseen = uar->dev->cqs.size;
		softhca_arm_rest(uar->dev);
	}
	if (uar->trapped && (rung || armed))
		softhca_thread_told();
	/* A trapped page is not polled. */
	if (uar->trapped && (rung || armed) && (uar->unseen || uar->dev->arm_unseen)) {
		softhca_look_again(uar);
		softhca_thread_kick();
	}
	return rung + armed + (uar->unseen != 0);
}

int softhca_uar_scan(struct softhca_uar *uar)
{
	return scan(uar, true, 0, SOFTHCA_UAR_REGS, NULL);
}

int softhca_uar_scan_store(struct softhca_uar *uar, size_t offset)
{
	const unsigned reg = register_at(offset);

	return scan(uar, true, reg, reg < SOFTHCA_UAR_REGS ? reg + 1 : reg, NULL);
}

/*
 * While another thread had the page open, stores came in without being seen one by one. Their
 * bytes from this place on belong to an earlier WQE and not to this store.
 */
void softhca_uar_store_begins(struct softhca_uar *uar, size_t offset)
{
	const unsigned reg = register_at(offset);

	__atomic_fetch_add(&uar->storing, 1, __ATOMIC_ACQ_REL);
	if (reg == SOFTHCA_UAR_REGS)
		return;
	for (size_t i = offset % SOFTHCA_UAR_BF / 8; i < WORDS; i++)
		if (i > 0)
			__atomic_store_n(&register_words(uar, reg)[i], 0, __ATOMIC_RELAXED);
}

void softhca_uar_store_ends(struct softhca_uar *uar)
{
	__atomic_fetch_sub(&uar->storing, 1, __ATOMIC_ACQ_REL);
}

int softhca_uar_poll(struct softhca_uar *uar)
{
	return scan(uar, false, 0, 0, NULL);
}

void softhca_uar_rung(struct softhca_qp *qp)
{
	struct softhca_uar *const uar = qp->uar;

	if (qp->silent) {
		set_silent(qp, false);
		if (!uar->silent)
			uar->unseen = 0;
	}
	(void)scan(uar, false, 0, 0, qp);
	softhca_sq_doorbell(qp, 0);
}

void softhca_uar_look_for(struct softhca_qp *qp)
{
	struct softhca_uar *const uar = qp->uar;

	if (!uar)
		return;
	if (!uar->trapped)
		softhca_uar_poll(uar);
	if ((uar->unseen || uar->spared_scan == uar->dev->look.scans) && softhca_sq_doorbell(qp, 0))
		set_silent(qp, true);
}
