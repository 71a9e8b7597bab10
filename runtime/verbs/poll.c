/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibv_poll_cq(): an ibv_wc is filled straight from its entry. Entries off the fast path are taken
 * as in every poll.
 *
 * Source: rdma-core providers/mlx5/cq.c (mlx5_parse_cqe(), handle_good_req(), handle_responder()).
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/ring/cq/map.h"
#include "segue/cq.h"
#include "segue/verbs.h"

#define CQ_POLL_ERR (-2) /* libmlx5 returns it for an entry of no queue */

/* Sources of the other members of a good send's completion. */
enum rest {
	NOTHING, /* libibverbs defines no other member */
	LENGTH,	 /* byte_len from the entry */
	ATOMIC,	 /* byte_len is that of an atomic's operand */
	NOTE,	 /* opcode from the slot: seguei_verbs_note() */
};

struct kind {
	uint8_t opcode; /* enum ibv_wc_opcode */
	uint8_t flags;	/* enum ibv_wc_flags */
	uint8_t rest;
};

/* libibverbs' names of good sends, by the opcode of the request. */
static const struct kind kinds[UINT8_MAX + 1] = {
	[SEGUE_OPCODE_SEND] = {IBV_WC_SEND, 0, NOTHING},
	[SEGUE_OPCODE_SEND_IMM] = {IBV_WC_SEND, IBV_WC_WITH_IMM, NOTHING},
	[SEGUE_OPCODE_SEND_INVAL] = {IBV_WC_SEND, 0, NOTHING},
	[SEGUE_OPCODE_RDMA_WRITE] = {IBV_WC_RDMA_WRITE, 0, NOTHING},
	[SEGUE_OPCODE_RDMA_WRITE_IMM] = {IBV_WC_RDMA_WRITE, IBV_WC_WITH_IMM, NOTHING},
	[SEGUE_OPCODE_RDMA_READ] = {IBV_WC_RDMA_READ, 0, LENGTH},
	[SEGUE_OPCODE_ATOMIC_CS] = {IBV_WC_COMP_SWAP, 0, ATOMIC},
	[SEGUE_OPCODE_ATOMIC_FA] = {IBV_WC_FETCH_ADD, 0, ATOMIC},
	[SEGUE_OPCODE_TSO] = {IBV_WC_TSO, 0, NOTHING},
	[SEGUE_OPCODE_UMR] = {IBV_WC_BIND_MW, 0, NOTE},
};

SEGUEI_HOT_FUNCTION void fill_send(struct ibv_wc *wc, const uint8_t *bytes, uint32_t tag)
{
	struct segue_cqe64 cqe;
	const struct kind *kind;

	(void)segue_cqe64_unpack(&cqe, bytes);
	kind = &kinds[cqe.s_wqe_opcode];
	wc->status = IBV_WC_SUCCESS;
	wc->opcode = (enum ibv_wc_opcode)kind->opcode;
	wc->qp_num = cqe.qpn;
	wc->wc_flags = kind->flags;
	if (SEGUEI_LIKELY(kind->rest == NOTHING))
		return;
	if (kind->rest == NOTE)
		wc->opcode = (enum ibv_wc_opcode)tag;
	else
		wc->byte_len = kind->rest == ATOMIC ? (uint32_t)sizeof(uint64_t) : cqe.byte_cnt;
}

#define PATH_BITS 0x7fu
#define KEY_INDEX 0xffffu

SEGUEI_HOT_FUNCTION void fill_receive(struct ibv_wc *wc, const uint8_t *bytes, uint32_t opcode)
{
	struct segue_cqe64 cqe;

	(void)segue_cqe64_unpack(&cqe, bytes);
	wc->status = IBV_WC_SUCCESS;
	wc->opcode = IBV_WC_RECV;
	wc->byte_len = cqe.byte_cnt;
	wc->qp_num = cqe.qpn;
	wc->src_qp = cqe.rqpn;
	wc->wc_flags = cqe.grh ? IBV_WC_GRH : 0;
	wc->pkey_index = (uint16_t)(cqe.imm_inval_pkey & KEY_INDEX);
	wc->slid = cqe.slid;
	wc->sl = cqe.sl;
	wc->dlid_path_bits = (uint8_t)(cqe.ml_path & PATH_BITS);
	if (opcode == SEGUE_CQE_OPCODE_RESP_SEND)
		return;
	if (opcode == SEGUE_CQE_OPCODE_RESP_SEND_INV) {
		wc->wc_flags |= IBV_WC_WITH_INV;
		wc->invalidated_rkey = cqe.imm_inval_pkey;
		return;
	}
	wc->wc_flags |= IBV_WC_WITH_IMM;
	wc->imm_data = htobe32(cqe.imm_inval_pkey);
	if (opcode == SEGUE_CQE_OPCODE_RESP_WR_IMM)
		wc->opcode = IBV_WC_RECV_RDMA_WITH_IMM;
}

/*
 * Marks the receives of raw packet queue pairs of which the device found both checksums right. An
 * entry names such a queue by its index. @stride: from an entry to the next one
 */
static __attribute__((noinline, cold)) void fill_checksums(const struct segue_cq *cq,
							   const uint8_t *bytes, size_t stride,
							   struct ibv_wc *wc, int count)
{
	const struct seguei_cq_map *map = &cq->receivers.by_index;
	struct segue_cqe64 cqe;

	for (; count; count--, bytes += stride, wc++) {
		(void)segue_cqe64_unpack(&cqe, bytes);
		if (wc->opcode & IBV_WC_RECV && cqe.l3_ok && cqe.l4_ok &&
		    cqe.l3_hdr_type == SEGUE_CQE_L3_HDR_TYPE_IPV4 &&
		    seguei_cq_route_has_rq(seguei_cq_map_route(map, cqe.srqn_uidx)))
			wc->wc_flags |= IBV_WC_IP_CSUM_OK;
	}
}

/* Prints error entries, as libmlx5 does, except errors that come in floods. */
static void print_error(const struct segue_wc *from)
{
	char host[HOST_NAME_MAX + 1] = "";
	size_t at;

	if (from->syndrome == SEGUE_CQE_SYNDROME_WR_FLUSH_ERR ||
	    from->syndrome == SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR || !from->cqe)
		return;
	(void)gethostname(host, sizeof(host) - 1);
	fprintf(stderr, "mlx5: %s: got completion with error:\n", host);
	for (at = 0; at < SEGUE_CQE64_SIZE; at += 4 * sizeof(uint32_t))
		fprintf(stderr, "%08x %08x %08x %08x\n", segue_get_be32(from->cqe + at),
			segue_get_be32(from->cqe + at + 4), segue_get_be32(from->cqe + at + 8),
			segue_get_be32(from->cqe + at + 12));
}

static void fill_other(const struct segue_cq *cq, struct ibv_wc *wc, const struct segue_wc *from,
		       uint32_t tag)
{
	wc->wr_id = from->wr_id;
	if (from->syndrome) {
		wc->status = segue_verbs_status(from->syndrome);
		wc->vendor_err = from->vendor_syndrome;
		wc->qp_num = from->qpn;
		wc->wc_flags = 0;
		print_error(from);
	} else if (segue_wc_is_receive(from)) {
		fill_receive(wc, from->cqe, from->opcode);
		wc->byte_len = from->byte_len; /* entries of compressed blocks */
		if (cq->receivers.tagged)
			fill_checksums(cq, from->cqe, 0, wc, 1);
	} else {
		fill_send(wc, from->cqe, tag);
	}
}

/* The note of the request that completes next. It may be overwritten once the entry is taken. */
static uint32_t note_of_next(const struct segue_cq *cq)
{
	struct seguei_cq_route route;

	if (!seguei_cq_is_send(seguei_cq_look(cq)))
		return 0;
	route = seguei_cq_find(cq, cq->entry);
	return seguei_sq_slot_at(route.page->sq[route.at],
				 segue_get_be32(cq->entry + SEGUEI_CQE_LAST) >> 16)
		->tag;
}

/* Takes the next entry, which is not for the fast path: 1, 0 if there is none, or CQ_POLL_ERR. */
static __attribute__((noinline)) int take_other(struct segue_cq *cq, struct ibv_wc *wc)
{
	struct segue_wc from;
	uint32_t tag;
	int ret;

	do {
		if (!seguei_cq_new(cq, seguei_cq_look(cq)))
			return 0;
		tag = note_of_next(cq);
		ret = seguei_cq_take_one(cq, &from);
		if (ret)
			return ret == -ENOENT ? 0 : CQ_POLL_ERR;
		/* mlx5dv_mkey_check() reports a signature error */
	} while (from.syndrome == SEGUE_WC_SIGNATURE_ERR);
	fill_other(cq, wc, &from, tag);
	return 1;
}

/* State of a poll that the loop keeps in registers. */
struct progress {
	const uint8_t *bytes;	     /* the next entry */
	/* end of the entries that are asked for and take the fast path */
	const uint8_t *end;
	struct ibv_wc *wc;	     /* the next completion's element */
	struct seguei_cq_map queues; /* map of the completion queue */
};

SEGUEI_HOT_FUNCTION void take_sends(const struct segue_cq *cq, struct progress *p)
{
	for (; p->bytes < p->end; p->bytes += cq->entry_size, p->wc++) {
		const uint32_t last = seguei_cq_look_at(cq, p->bytes);
		struct seguei_cq_route route;
		uint32_t tag;

		if (!seguei_cq_is_send(last))
			return;
		route = seguei_cq_route_of(&p->queues, p->bytes);
		if (SEGUEI_UNLIKELY(!seguei_sq_retire_plain(route.page->sq[route.at],
							    segue_be32(last), &p->wc->wr_id, &tag)))
			return;
		fill_send(p->wc, p->bytes, tag);
	}
}

/* Takes a receive. Returns false if it is not for the fast path. @last: from seguei_cq_look_at() */
SEGUEI_HOT_FUNCTION bool take_receive(const struct progress *p, uint32_t last, uint32_t opcode)
{
	struct segue_wc from;

	if (!seguei_cq_claim_receive(&p->queues, p->bytes, last, SEGUEI_CQ_ANY, &from))
		return false;
	p->wc->wr_id = from.wr_id;
	fill_receive(p->wc, p->bytes, opcode);
	return true;
}

/* The same for an entry of any opcode, also one that is not a receive. */
SEGUEI_HOT_FUNCTION bool take_other_receive(const struct progress *p, uint32_t last)
{
	uint32_t opcode;

	if (!seguei_cq_is_receive(last))
		return false;
	opcode = seguei_cq_opcode(p->bytes);
	return opcode != SEGUE_CQE_OPCODE_REQ && take_receive(p, last, opcode);
}

/* True if the entry is new, and the receive of a SEND without an immediate or a key. */
SEGUEI_HOT_FUNCTION bool is_plain_receive(uint32_t last)
{
	return (last & (SEGUEI_CQE_OWNER | SEGUEI_CQE_OPCODE | SEGUEI_CQE_FORMAT)) ==
	       segue_be32((uint32_t)SEGUE_CQE_OPCODE_RESP_SEND << 4);
}

SEGUEI_HOT_FUNCTION void take_receives(const struct segue_cq *cq, struct progress *p)
{
	for (; p->bytes < p->end; p->bytes += cq->entry_size, p->wc++) {
		const uint32_t last = seguei_cq_look_at(cq, p->bytes);

		if (SEGUEI_LIKELY(is_plain_receive(last))
			    ? !take_receive(p, last, SEGUE_CQE_OPCODE_RESP_SEND)
			    : !take_other_receive(p, last))
			return;
	}
}

/* Takes entries up to one that is not for the fast path. Gives none back. */
SEGUEI_HOT_FUNCTION int take_plain(struct segue_cq *cq, int most, struct ibv_wc *wc)
{
	struct progress p = {cq->entry, cq->last, wc, cq->queues};
	const uint8_t *const enough = p.bytes + (size_t)most * cq->entry_size;
	const struct ibv_wc *before;
	int count;

	if (SEGUEI_LIKELY(enough < p.end))
		p.end = enough;
	do {
		before = p.wc;
		take_sends(cq, &p);
		take_receives(cq, &p);
	} while (p.wc != before && p.bytes < p.end);
	count = (int)(p.wc - wc);
	if (SEGUEI_UNLIKELY(cq->receivers.tagged))
		fill_checksums(cq, cq->entry, cq->entry_size, wc, count);
	cq->entry = p.bytes;
	cq->ci += (uint32_t)count;
	return count;
}

static __attribute__((noinline)) int poll_on(struct segue_cq *cq, int most, int count,
					     struct ibv_wc *wc)
{
	int ret;

	do {
		ret = take_other(cq, wc + count);
		if (ret <= 0)
			break;
		count++;
		if (count < most && cq->entry < cq->last && !cq->block.left)
			count += take_plain(cq, most - count, wc + count);
	} while (count < most);
	seguei_cq_give_back(cq);
	return ret < 0 ? ret : count;
}

int segue_verbs_poll_cq(struct segue_cq *cq, int num_entries, struct ibv_wc *wc)
{
	int count = 0;

	if (SEGUEI_LIKELY(num_entries > 0 && !cq->block.left))
		count = take_plain(cq, num_entries, wc);
	if (count < num_entries && SEGUEI_UNLIKELY(seguei_cq_new(cq, seguei_cq_look(cq))))
		return poll_on(cq, num_entries, count, wc);
	if (count)
		seguei_cq_tell_consumed(cq);
	return count;
}
