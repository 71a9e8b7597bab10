/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion queues: writing entries, arming, overrun, resize. */
#include "tools/softhca/engine/queue/cq.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/packet/eth.h"
#include "tools/softhca/engine/queue/dump.h"
#include "tools/softhca/engine/tm.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

#define CI_MASK 0xffffffu
#define NO_ARM	UINT32_MAX /* in the arm record: a value that the driver never writes */

static int check_buffer(const struct softhca_dev *dev, uint64_t va, uint32_t cqes, uint32_t size)
{
	if (size != 64 && size != 128)
		return softhca_fail(-EINVAL, "a CQE is 64 or 128 bytes, not %u", size);
	if (!cqes || cqes & (cqes - 1) || cqes > 2 * dev->cfg.max_cqe)
		return softhca_fail(-EINVAL, "a CQ cannot have %u entries", cqes);
	if (!softhca_mapped(va, (uint64_t)cqes * size))
		return softhca_fail(-EFAULT, "the CQ buffer is not mapped");
	return 0;
}

int softhca_cq_create(struct softhca_dev *dev, const struct softhca_cq_attr *attr,
		      struct softhca_cq **out, uint32_t *cqn)
{
	uint32_t record[2] = {0, htobe32(NO_ARM)};
	struct softhca_cq *cq;
	int err;

	if (dev->fatal)
		return softhca_fail(-EIO, "%s is in fatal state", dev->cfg.name);
	if (attr->compress && attr->collapsed)
		return softhca_fail(-EINVAL, "a CQ of one entry cannot compress");
	err = check_buffer(dev, attr->buf_va, attr->cqes, attr->cqe_size);
	if (err)
		return err;
	/*
	 * The first arm record that a driver writes is 0, which is also the record's initial value.
	 * If another CQ overwrote the doorbell, that 0 would not be seen. Hence the mark "never
	 * armed".
	 */
	if (softhca_copy_out(attr->db_va, record, sizeof(record)))
		return softhca_fail(-EFAULT, "the CQ's doorbell record is not mapped");
	cq = calloc(1, sizeof(*cq));
	if (!cq)
		return softhca_fail(-ENOMEM, "out of memory");
	cq->dev = dev;
	cq->attr = *attr;
	err = softhca_cq_session_init(cq);
	err = err ? err : softhca_table_add(&dev->cqs, cq, &cq->cqn);
	if (err) {
		softhca_cq_session_fini(cq);
		free(cq);
		return err;
	}
	cq->last_arm = NO_ARM;
	if (attr->uar)
		softhca_uar_add_cq(attr->uar);
	*out = cq;
	*cqn = cq->cqn;
	return 0;
}

/* No event is held back any more. */
static void let_go(struct softhca_cq *cq)
{
	if (!cq->held_until)
		return;
	cq->held_until = 0;
	cq->dev->held_events--;
}

int softhca_cq_destroy(struct softhca_cq *cq)
{
	if (!cq)
		return 0;
	if (cq->refs)
		return softhca_fail(-EBUSY, "CQ 0x%x is used by %u queues", cq->cqn, cq->refs);
	let_go(cq);
	softhca_dump_cq(cq);
	softhca_table_del(&cq->dev->cqs, cq->cqn);
	softhca_wait_wake(cq);
	softhca_cq_session_fini(cq);
	if (cq->attr.uar)
		softhca_uar_remove_cq(cq->attr.uar);
	free(cq);
	return 0;
}

struct softhca_cq *softhca_cq_find(struct softhca_dev *dev, uint32_t cqn)
{
	return softhca_table_get(&dev->cqs, cqn);
}

uint32_t softhca_cq_num(const struct softhca_cq *cq)
{
	return cq->cqn;
}

void softhca_cq_set_user(struct softhca_cq *cq, void *user)
{
	cq->user = user;
}

void *softhca_cq_user(const struct softhca_cq *cq)
{
	return cq->user;
}

uint32_t softhca_cq_produced(const struct softhca_cq *cq)
{
	return cq->produced;
}

/* Entries written and not consumed, according to the consumer's record. */
static uint32_t unread(struct softhca_cq *cq)
{
	uint32_t raw, ci, used;

	if (softhca_copy_in(&raw, cq->attr.db_va, sizeof(raw)))
		return cq->attr.cqes;
	ci = be32toh(raw) & CI_MASK;
	used = (cq->pi - ci) & CI_MASK;
	if (used > cq->attr.cqes) {
		softhca_referee_cq(cq, SOFTHCA_RULE_CQ_BACKWARDS,
				   "consumer index %u is %s the %u entries written so far", ci,
				   used > CI_MASK / 2 ? "beyond"
						      : "more than the queue's size behind",
				   cq->pi & CI_MASK);
		return cq->attr.cqes;
	}
	if (((ci - cq->last_ci) & CI_MASK) > CI_MASK / 2)
		softhca_referee_cq(cq, SOFTHCA_RULE_CQ_BACKWARDS,
				   "consumer index went back from %u to %u", cq->last_ci, ci);
	cq->last_ci = ci;
	return used;
}

void softhca_cq_check_consumer(struct softhca_cq *cq)
{
	/* A CQ that ignores overruns, or collapses, need not keep the consumer's index. */
	if (!cq->overrun && !cq->attr.overrun_ignore && !cq->attr.collapsed)
		unread(cq);
}

void softhca_cq_overrun(struct softhca_cq *cq)
{
	struct softhca_dev *dev = cq->dev;
	struct softhca_qp *qp;
	uint32_t n = 0;

	if (cq->overrun)
		return;
	cq->overrun = true;
	softhca_event_cq(cq, IBV_EVENT_CQ_ERR);
	/* Its queue pairs can report no more. They fail at the next turn, not right here. */
	while ((qp = softhca_table_iter(&dev->qps, &n)))
		if (qp->send_cq == cq || qp->recv_cq == cq) {
			qp->cq_dead = true;
			softhca_sq_schedule(qp);
		}
}

void softhca_cq_wrap(struct softhca_cq *cq)
{
	const uint32_t by = 0u - 2 * cq->attr.cqes; /* two laps at once keep the owner bits */
	uint32_t record;

	if (cq->overrun || unread(cq))
		return;
	cq->pi += by;
	cq->notified_pi += by;
	cq->solicited_pi += by;
	cq->last_ci = cq->pi & CI_MASK;
	record = htobe32(cq->last_ci);
	softhca_copy_out(cq->attr.db_va, &record, sizeof(record));
}

/* Checks that there is room. If not, the queue overruns and the entry is lost. */
static bool have_room(struct softhca_cq *cq)
{
	if (cq->overrun)
		return false;
	if (cq->attr.overrun_ignore || cq->attr.collapsed)
		return true;
	/* The cached index is sufficient most of the time. */
	if (((cq->pi - cq->last_ci) & CI_MASK) + softhca_cq_pending(cq) < cq->attr.cqes)
		return true;
	if (unread(cq) + softhca_cq_pending(cq) < cq->attr.cqes)
		return true;
	softhca_referee_cq(cq, SOFTHCA_RULE_CQ_OVERRUN,
			   "completion %u finds all %u entries unread: poll more often, or make "
			   "the queue larger",
			   cq->pi, cq->attr.cqes);
	softhca_cq_overrun(cq);
	return false;
}

/* Moderation: returns whether it is too early for an event. */
static bool held_back(struct softhca_cq *cq)
{
	const uint64_t now = softhca_now_ns();

	if (cq->arm_solicited && softhca_contrary(SOFTHCA_CONTRARY_MODERATION))
		return false;
	if (!cq->hold_ns || cq->pi - cq->notified_pi >= cq->hold_count)
		return false;
	if (cq->held_until)
		return now < cq->held_until;
	cq->held_until = now + cq->hold_ns;
	cq->dev->held_events++;
	return true;
}

static void fire(struct softhca_cq *cq)
{
	if (held_back(cq))
		return;
	let_go(cq);
	cq->armed = false;
	cq->notified_pi = cq->arm_solicited ? cq->solicited_pi : cq->pi;
	if (cq->attr.want_events)
		cq->dev->ops->cq_event(cq->dev->ops_arg, cq);
}

int softhca_cq_run_held(struct softhca_dev *dev, uint64_t now, uint64_t *next_ns)
{
	struct softhca_cq *cq;
	uint32_t num = 0;
	int n = 0;

	if (!dev->held_events)
		return 0;
	while ((cq = softhca_table_iter(&dev->cqs, &num))) {
		if (!cq->held_until)
			continue;
		if (now >= cq->held_until) {
			fire(cq);
			n++;
		} else if (cq->held_until < *next_ns) {
			*next_ns = cq->held_until;
		}
	}
	return n;
}

void softhca_cq_moderate(struct softhca_cq *cq, uint16_t count, uint16_t us)
{
	cq->hold_count = count;
	cq->hold_ns = count > 1 ? us * 1000u : 0;
	if (cq->held_until && !cq->hold_ns)
		fire(cq);
}

/* Orders the entry before its owner bit. ThreadSanitizer does not know C11 fences. */
static void store_barrier(void)
{
#if defined(__aarch64__)
	__asm__ volatile("dmb ishst" ::: "memory");
#else
	__asm__ volatile("" ::: "memory"); /* x86 keeps stores in order */
#endif
}

uint64_t softhca_cq_entry(const struct softhca_cq *cq, uint32_t index)
{
	const uint32_t slot = cq->attr.collapsed ? 0 : index & (cq->attr.cqes - 1);

	return cq->attr.buf_va + (uint64_t)slot * cq->attr.cqe_size + cq->attr.cqe_size -
	       sizeof(struct mlx5_cqe64);
}

/* Writes the half before the entry. */
static int write_payload(const struct softhca_cq *cq, uint64_t va, const void *payload)
{
	static const uint8_t zeros[64];

	if (cq->attr.cqe_size != 128 || (!payload && !cq->attr.pad))
		return 0;
	return softhca_copy_out(va - sizeof(zeros), payload ? payload : zeros, sizeof(zeros));
}

/* The byte that makes the entry valid is written last. It is the owner byte, or in the enhanced
 * layout the signature, which counts the rounds. */
static int write_entry(const struct softhca_cq *cq, struct mlx5_cqe64 *cqe, uint64_t va)
{
	const size_t mark = offsetof(struct mlx5_cqe64, op_own) - (cq->attr.enhanced ? 1 : 0);
	int err;

	if (cq->pi & cq->attr.cqes)
		cqe->op_own |= MLX5_CQE_OWNER_MASK;
	if (cq->attr.enhanced)
		cqe->signature = (uint8_t)(cq->pi >> __builtin_ctz(cq->attr.cqes));
	err = softhca_copy_out(va, cqe, mark);
	if (!err && cq->attr.enhanced)
		err = softhca_copy_out(va + mark + 1, &cqe->op_own, 1);
	store_barrier();
	return err ? err : softhca_copy_out(va + mark, (const uint8_t *)cqe + mark, 1);
}

/*
 * A consumer takes an entry for new if its owner bit is that of the round, 0 in the first, and its
 * opcode is not 0xf. Memory that was never marked looks like that, too.
 */
static void check_mark(struct softhca_cq *cq, uint64_t va)
{
	uint8_t op_own = 0xff;

	softhca_copy_in(&op_own, va + offsetof(struct mlx5_cqe64, op_own), sizeof(op_own));
	if (op_own >> 4 != MLX5_CQE_INVALID && !(op_own & MLX5_CQE_OWNER_MASK))
		softhca_referee_cq(cq, SOFTHCA_RULE_CQ_UNMARKED,
				   "entry %u looked like a completion before the first one came: "
				   "its last byte was 0x%02x, expected opcode 0xf, as in 0xf0",
				   cq->pi, op_own);
}

void softhca_cq_write(struct softhca_cq *cq, const void *entry, const void *payload,
		      uint32_t entries)
{
	const uint64_t va = softhca_cq_entry(cq, cq->pi);
	struct mlx5_cqe64 cqe;
	bool solicited;

	if (cq->pi < (cq->attr.collapsed ? 1 : cq->attr.cqes) && !cq->attr.enhanced)
		check_mark(cq, va);
	memcpy(&cqe, entry, sizeof(cqe));
	if (write_payload(cq, va, payload) || write_entry(cq, &cqe, va)) {
		softhca_cq_overrun(cq);
		return;
	}
	cq->pi += entries;
	/* An error counts as a solicited event. */
	solicited = cqe.op_own & 2 || cqe.op_own >> 4 >= MLX5_CQE_SIG_ERR;
	if (solicited)
		cq->solicited_pi = cq->pi;
	if (cq->armed && (!cq->arm_solicited || solicited))
		fire(cq);
}

/* Adds one completion. */
static void push(struct softhca_cq *cq, const struct mlx5_cqe64 *cqe, enum softhca_cqe_kind kind,
		 const void *payload)
{
	if (!have_room(cq))
		return;
	cq->produced++;
	if (!cq->session || !softhca_cq_compress(cq, cqe, kind))
		softhca_cq_write(cq, cqe, payload, 1);
	if (cq->dev->waiting)
		softhca_wait_wake(cq);
}

void softhca_cq_arm(struct softhca_cq *cq, uint32_t value)
{
	uint32_t ci = value & CI_MASK, newest;

	cq->last_arm = value;
	/*
	 * A request for solicited completions does not revoke a request for any completion
	 * (InfiniBand 11.4.2.2; rdma-unit-test, CompChannelTest.DowngradeRequest).
	 */
	cq->arm_solicited = value & MLX5_CQ_DB_REQ_NOT_SOL && (!cq->armed || cq->arm_solicited);
	cq->armed = true;
	newest = cq->arm_solicited ? cq->solicited_pi : cq->pi;
	/*
	 * An entry that is not consumed and came after the last event raises an event at once,
	 * because the arm may be seen late. Each entry causes at most one event. Programs that read
	 * one completion per event rely on it.
	 */
	if (softhca_contrary(SOFTHCA_CONTRARY_LATE_ARM))
		return;
	if (newest != cq->notified_pi && ((newest - ci) & CI_MASK) - 1 < CI_MASK / 2)
		fire(cq);
}

void softhca_cq_scan_arm(struct softhca_cq *cq)
{
	uint32_t raw;

	if (softhca_copy_in(&raw, cq->attr.db_va + 4, sizeof(raw)))
		return;
	if (be32toh(raw) != cq->last_arm)
		softhca_cq_arm(cq, be32toh(raw));
}

int softhca_cq_resize(struct softhca_cq *cq, uint64_t buf_va, uint32_t cqes, uint32_t cqe_size)
{
	struct mlx5_cqe64 cqe;
	int err = check_buffer(cq->dev, buf_va, cqes, cqe_size);

	if (err)
		return err;
	if (cq->overrun)
		return softhca_fail(-EIO, "CQ 0x%x has overrun", cq->cqn);
	softhca_cq_close(cq);
	if (unread(cq) + 1 > cqes || unread(cq) + 1 > cq->attr.cqes)
		return softhca_fail(-ENOSPC, "%u unread entries do not fit", unread(cq));
	/* The last entry of the old ring directs the driver to the new one, at the same index. */
	memset(&cqe, 0, sizeof(cqe));
	cqe.op_own = MLX5_CQE_RESIZE_CQ << 4;
	push(cq, &cqe, SOFTHCA_CQE_PAYLOAD, NULL); /* never part of a block */
	cq->attr.buf_va = buf_va;
	cq->attr.cqes = cqes;
	cq->attr.cqe_size = cqe_size;
	return 0;
}

/* ---- entries ---- */

static void stamp(const struct softhca_qp *qp, struct mlx5_cqe64 *cqe)
{
	uint64_t tick;

	if (!qp->dev->cfg.timestamps) {
		softhca_clock_show(qp->dev);
		return;
	}
	tick = softhca_clock_tick(qp->dev);
	cqe->timestamp = htobe64(softhca_contrary(SOFTHCA_CONTRARY_STAMPS) ? tick / 2 : tick);
	cqe->signature = 0;
}

/* CQE version 1 names the consumer's object by the index that it chose, version 0 by number. */
static uint32_t resource(const struct softhca_qp *qp, const struct softhca_srq *srq, bool send)
{
	if (!qp->dev->cfg.cqe_version)
		return !send && srq ? srq->srqn : 0;
	if (!send && srq && (srq->attr.type == IBV_SRQT_XRC || srq->tm))
		return srq->attr.user_index;
	return qp->create.user_index;
}

void softhca_cq_push_send(struct softhca_qp *qp, const struct softhca_msg *msg)
{
	struct mlx5_cqe64 cqe;

	memset(&cqe, 0, sizeof(cqe));
	cqe.srqn_uidx = htobe32(resource(qp, NULL, true));
	cqe.sop_drop_qpn = htobe32((uint32_t)msg->opcode << 24 | qp->qpn);
	cqe.byte_cnt = htobe32((uint32_t)msg->length);
	cqe.wqe_counter = htobe16(msg->wqe_index);
	cqe.op_own = MLX5_CQE_REQ << 4;
	stamp(qp, &cqe);
	push(qp->send_cq, &cqe, SOFTHCA_CQE_PLAIN, NULL);
}

void softhca_cq_push_sig_err(struct softhca_qp *qp, bool local, struct segue_sig_err_cqe *cqe)
{
	const bool received = qp->about == SOFTHCA_ABOUT_RECV;
	struct softhca_cq *cq = local && !received ? qp->send_cq : qp->recv_cq;
	struct mlx5_cqe64 raw;

	if (received && qp->about_srq && qp->about_srq->cq)
		cq = qp->about_srq->cq;
	cqe->qpn = qp->qpn;
	segue_sig_err_cqe_pack(&raw, cqe);
	if (cq)
		push(cq, &raw, SOFTHCA_CQE_PLAIN, NULL);
	if (local && !received)
		softhca_sq_sig_error(qp);
}

static void push_err(struct softhca_cq *cq, uint32_t number, uint32_t resource,
		     const struct mlx5_err_cqe *in)
{
	union {
		struct mlx5_cqe64 cqe;
		struct mlx5_err_cqe err;
	} u;

	if (!cq)
		return;
	u.err = *in;
	u.err.srqn = htobe32(resource);
	u.err.s_wqe_opcode_qpn |= htobe32(number);
	push(cq, &u.cqe, SOFTHCA_CQE_PLAIN, NULL);
}

static uint8_t other_vendor(uint8_t vendor)
{
	if (vendor == SOFTHCA_VENDOR_FLUSH && softhca_contrary(SOFTHCA_CONTRARY_FLUSH))
		return 0;
	if (vendor == SOFTHCA_VENDOR_RETRY && softhca_contrary(SOFTHCA_CONTRARY_RETRIES))
		return 0;
	return vendor;
}

/* Cards set it in all error completions (spec/mlx5/cqes/err_cqe.yaml, field se). */
#define ERROR_SOLICITED SEGUE_CQE_OP_OWN_SOLICITED_MASK

void softhca_cq_push_send_err(struct softhca_qp *qp, uint16_t wqe_index, uint8_t wqe_opcode,
			      uint8_t syndrome, uint8_t vendor)
{
	struct mlx5_err_cqe err;

	memset(&err, 0, sizeof(err));
	err.vendor_err_synd = other_vendor(vendor);
	err.syndrome = syndrome;
	err.s_wqe_opcode_qpn = htobe32((uint32_t)wqe_opcode << 24);
	err.wqe_counter = htobe16(wqe_index);
	err.op_own = MLX5_CQE_REQ_ERR << 4 | ERROR_SOLICITED;
	softhca_count(qp, SOFTHCA_COUNT_REQ_CQE_ERROR);
	if (syndrome == SOFTHCA_FLUSH)
		softhca_count(qp, SOFTHCA_COUNT_REQ_FLUSH);
	push_err(qp->send_cq, qp->qpn, resource(qp, NULL, true), &err);
}

/* CQ for completions of this receive. An XRC SRQ has its own CQ. */
static struct softhca_cq *recv_cq(const struct softhca_qp *qp, const struct softhca_rwqe *rwqe)
{
	if (rwqe->srq && rwqe->srq->cq)
		return rwqe->srq->cq;
	return qp->recv_cq;
}

static void set_addresses(struct mlx5_cqe64 *cqe, const struct softhca_recv_info *info)
{
	uint32_t grh = info->grh ? SEGUE_CQE_GRH_IN_DATA : SEGUE_CQE_GRH_NONE;

	cqe->ml_path = info->path_bits;
	cqe->slid = htobe16(info->slid);
	cqe->flags_rqpn = htobe32((info->src_qp & SOFTHCA_NUM_MASK) | (info->sl & 0xfu) << 24 |
				  grh << 28);
}

#define STRIDES_AT 16
#define FILLER	   (1u << 31)

/* Stores what the device has found in a frame. */
static void set_ethernet(const struct softhca_qp *qp, struct mlx5_cqe64 *cqe,
			 const struct softhca_eth_info *info)
{
	const struct softhca_eth *hdr = info->hdr;
	uint8_t l3 = hdr->ip == 4   ? MLX5_CQE_L3_HDR_TYPE_IPV4
		     : hdr->ip == 6 ? MLX5_CQE_L3_HDR_TYPE_IPV6
				    : MLX5_CQE_L3_HDR_TYPE_NONE;
	uint8_t l4 = SEGUE_CQE_L4_HDR_TYPE_NONE;
	uint32_t hash = htobe32(info->hash);
	uint16_t sum = htobe16(hdr->sum);

	if (hdr->l4 && hdr->proto == IPPROTO_UDP)
		l4 = SEGUE_CQE_L4_HDR_TYPE_UDP;
	else if (hdr->l4)
		l4 = !hdr->tcp_ack   ? SEGUE_CQE_L4_HDR_TYPE_TCP_NO_ACK
		     : hdr->tcp_data ? SEGUE_CQE_L4_HDR_TYPE_TCP_ACK_AND_DATA
				     : SEGUE_CQE_L4_HDR_TYPE_TCP_ACK_NO_DATA;
	cqe->hds_ip_ext = (uint8_t)(MLX5_CQE_L2_OK | (hdr->l3_ok ? MLX5_CQE_L3_OK : 0) |
				    (hdr->l4_ok ? MLX5_CQE_L4_OK : 0));
	cqe->l4_hdr_type_etc = (uint8_t)(l4 << 4 | l3 << 2 | (info->stripped ? 1 : 0) |
					 (hdr->key[SOFTHCA_KEY_FLAGS] & SOFTHCA_KEY_FRAG ? 0x80
											 : 0));
	cqe->vlan_info = htobe16(hdr->tci);
	memcpy((uint8_t *)cqe + 12, &hash, sizeof(hash)); /* rss_hash_result */
	((uint8_t *)cqe)[16] = info->hash_type;
	if (!info->filler)
		memcpy((uint8_t *)cqe + 20, &sum, sizeof(sum)); /* check_sum */
	cqe->wqe_id = htobe16(info->wqe_id);
	/* Version 0 finds the queue by its number, which is in the same place. */
	if (qp->dev->cfg.cqe_version)
		cqe->sop_drop_qpn = htobe32(info->tag & SOFTHCA_NUM_MASK);
	if (info->strides)
		cqe->byte_cnt |= htobe32(info->strides << STRIDES_AT | (info->filler ? FILLER : 0));
}

/* Tag matching: reports the result of the message. The header comes with its match. */
static void set_tag(struct mlx5_cqe64 *cqe, const struct softhca_rwqe *rwqe)
{
	cqe->app = SEGUE_CQE_APP_TAG_MATCHING;
	cqe->app_op = rwqe->tm.op;
	if (!rwqe->tm.matched)
		return;
	cqe->app_info = htobe16(rwqe->tm.info);
	if (rwqe->tm.op != SEGUE_TM_APP_OP_EXPECTED)
		memcpy(cqe, rwqe->tm.tmh, sizeof(rwqe->tm.tmh));
}

void softhca_cq_push_tm(struct softhca_qp *qp, const struct softhca_tm_cqe *t)
{
	struct mlx5_cqe64 cqe;

	memset(&cqe, 0, sizeof(cqe));
	cqe.op_own = (uint8_t)(t->opcode << 4);
	cqe.app = SEGUE_CQE_APP_TAG_MATCHING;
	cqe.app_op = t->app_op;
	cqe.app_info = htobe16(t->info);
	cqe.byte_cnt = htobe32(t->bytes);
	cqe.wqe_counter = htobe16(t->wqe_counter);
	cqe.srqn_uidx = htobe32(resource(qp, qp->srq, false));
	cqe.sop_drop_qpn = htobe32(qp->qpn);
	if (t->success)
		cqe.tm_cqe.success = htobe32(MLX5_TMC_SUCCESS);
	cqe.tm_cqe.hw_phase_cnt = htobe16(t->phase);
	if (t->tmh)
		memcpy(&cqe, t->tmh, SEGUE_SEG_TMH_SIZE);
	stamp(qp, &cqe);
	push(qp->srq->cq, &cqe, SOFTHCA_CQE_PLAIN, NULL);
}

/* The number that a card writes there for a DCT is not documented. libmlx5 uses the index. */
static bool nameless(const struct softhca_qp *qp)
{
	return qp->type == SOFTHCA_QP_DCT && qp->dev->cfg.cqe_version && qp->dev->cfg.dct_nameless;
}

void softhca_cq_push_recv(struct softhca_qp *qp, const struct softhca_rwqe *rwqe,
			  const struct softhca_recv_info *info)
{
	enum softhca_cqe_kind kind = SOFTHCA_CQE_PLAIN;
	struct softhca_cq *cq = recv_cq(qp, rwqe);
	const void *inline64 = NULL;
	struct mlx5_cqe64 cqe;

	if (!cq)
		return;
	memset(&cqe, 0, sizeof(cqe));
	cqe.op_own = (uint8_t)(info->kind << 4) | (info->solicited ? 2 : 0);
	/* Up to 32 inline bytes replace the addresses, which connections do not need. */
	if (rwqe->in_cqe && rwqe->inline_len <= 32) {
		cqe.op_own |= MLX5_INLINE_SCATTER_32;
		memcpy(&cqe, rwqe->inline_data, rwqe->inline_len);
	} else if (!rwqe->tm.op) { /* nor do tagged messages: rdma-core's tests expect no GRH */
		set_addresses(&cqe, info);
	}
	if (rwqe->in_cqe && rwqe->inline_len > 32) {
		cqe.op_own |= MLX5_INLINE_SCATTER_64;
		inline64 = rwqe->inline_data;
	}
	cqe.srqn_uidx = htobe32(resource(qp, rwqe->srq, false));
	cqe.imm_inval_pkey = info->kind == SOFTHCA_RECV_SEND ? htobe32(info->pkey_index)
							     : info->imm_inv;
	cqe.byte_cnt = htobe32((uint32_t)info->bytes);
	cqe.sop_drop_qpn = htobe32(nameless(qp) ? 0 : softhca_rq_num(qp));
	cqe.wqe_counter = htobe16(rwqe->counter);
	if (info->eth)
		set_ethernet(qp, &cqe, info->eth);
	if (rwqe->tm.op)
		set_tag(&cqe, rwqe);
	stamp(qp, &cqe);
	if (inline64)
		kind = SOFTHCA_CQE_PAYLOAD;
	else if (info->eth && info->eth->strides)
		kind = SOFTHCA_CQE_STRIDE;
	push(cq, &cqe, kind, inline64);
}

void softhca_cq_push_recv_err(struct softhca_qp *qp, const struct softhca_rwqe *rwqe,
			      uint8_t syndrome, uint8_t vendor)
{
	union {
		struct mlx5_cqe64 cqe;
		struct mlx5_err_cqe err;
	} u;

	if (rwqe->tm.matched && !softhca_contrary(SOFTHCA_CONTRARY_TAG_LONG)) {
		softhca_tm_cancel(qp, rwqe->tm.info);
		return;
	}
	memset(&u, 0, sizeof(u));
	u.err.vendor_err_synd = other_vendor(vendor);
	u.err.syndrome = syndrome;
	u.err.wqe_counter = htobe16(rwqe->counter);
	u.err.op_own = MLX5_CQE_RESP_ERR << 4 | ERROR_SOLICITED;
	if (rwqe->strides) { /* where good completions have it: DPDK's mlx5_error_cqe */
		u.cqe.wqe_id = htobe16(rwqe->entry);
		u.cqe.byte_cnt = htobe32(rwqe->strides << STRIDES_AT);
	}
	softhca_count(qp, SOFTHCA_COUNT_RESP_CQE_ERROR);
	if (syndrome == SOFTHCA_FLUSH)
		softhca_count(qp, SOFTHCA_COUNT_RESP_FLUSH);
	if (syndrome == SOFTHCA_LOCAL_LENGTH)
		softhca_count(qp, SOFTHCA_COUNT_RESP_LENGTH);
	push_err(recv_cq(qp, rwqe), softhca_rq_num(qp), resource(qp, rwqe->srq, false), &u.err);
}
