/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completions, flags and lists of pieces with libibverbs' names, for programs that are written for
 * them: the values of ibv_poll_cq() for a completion, the effects of flags in ibv_post_send(), and
 * builders that take struct ibv_sge.
 *
 * Owner: none.
 * Threads: any.
 * Errors: cannot fail.
 * Source: rdma-core providers/mlx5/cq.c (mlx5_handle_error_cqe(), handle_good_req(),
 *   handle_responder()), providers/mlx5/qp.c (_mlx5_post_send()).
 */
#ifndef SEGUE_VERBS_H
#define SEGUE_VERBS_H

#include <infiniband/verbs.h>
#include <stdint.h>

#include "segue/detail/declaration.h"
#include "segue/gen/builders.h"
#include "segue/gen/enums.h"
#include "segue/wc.h"

#include "segue/detail/begin.h"

/**
 * segue_verbs_status() is the status of ibv_poll_cq() for a syndrome (enum segue_cqe_syndrome). 0
 * is IBV_WC_SUCCESS.
 */
SEGUE_FUNCTION enum ibv_wc_status segue_verbs_status(uint8_t syndrome)
{
	switch (syndrome) {
	case 0:
		return IBV_WC_SUCCESS;
	case SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR:
		return IBV_WC_LOC_LEN_ERR;
	case SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR:
		return IBV_WC_LOC_QP_OP_ERR;
	case SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR:
		return IBV_WC_LOC_PROT_ERR;
	case SEGUE_CQE_SYNDROME_WR_FLUSH_ERR:
		return IBV_WC_WR_FLUSH_ERR;
	case SEGUE_CQE_SYNDROME_MW_BIND_ERR:
		return IBV_WC_MW_BIND_ERR;
	case SEGUE_CQE_SYNDROME_BAD_RESP_ERR:
		return IBV_WC_BAD_RESP_ERR;
	case SEGUE_CQE_SYNDROME_LOCAL_ACCESS_ERR:
		return IBV_WC_LOC_ACCESS_ERR;
	case SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR:
		return IBV_WC_REM_INV_REQ_ERR;
	case SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR:
		return IBV_WC_REM_ACCESS_ERR;
	case SEGUE_CQE_SYNDROME_REMOTE_OP_ERR:
		return IBV_WC_REM_OP_ERR;
	case SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR:
		return IBV_WC_RETRY_EXC_ERR;
	case SEGUE_CQE_SYNDROME_RNR_RETRY_EXC_ERR:
		return IBV_WC_RNR_RETRY_EXC_ERR;
	case SEGUE_CQE_SYNDROME_REMOTE_ABORTED_ERR:
		return IBV_WC_REM_ABORT_ERR;
	default:
		return IBV_WC_GENERAL_ERR;
	}
}

/**
 * segue_verbs_opcode() - the ibv_wc_opcode of a good completion.
 * @wc: with syndrome 0. Verbs leave the opcode of others undefined
 *
 * UMR, LOCAL_INV and bound windows are one opcode of the device. libmlx5 keeps a note of each. Here
 * all are IBV_WC_BIND_MW, and the program distinguishes them by wr_id.
 */
SEGUE_FUNCTION enum ibv_wc_opcode segue_verbs_opcode(const struct segue_wc *wc)
{
	if (wc->opcode == SEGUE_CQE_OPCODE_RESP_WR_IMM)
		return IBV_WC_RECV_RDMA_WITH_IMM;
	if (wc->opcode != SEGUE_CQE_OPCODE_REQ)
		return IBV_WC_RECV;
	switch (wc->s_wqe_opcode) {
	case SEGUE_OPCODE_RDMA_WRITE:
	case SEGUE_OPCODE_RDMA_WRITE_IMM:
		return IBV_WC_RDMA_WRITE;
	case SEGUE_OPCODE_RDMA_READ:
		return IBV_WC_RDMA_READ;
	case SEGUE_OPCODE_ATOMIC_CS:
		return IBV_WC_COMP_SWAP;
	case SEGUE_OPCODE_ATOMIC_FA:
		return IBV_WC_FETCH_ADD;
	case SEGUE_OPCODE_TSO:
		return IBV_WC_TSO;
	case SEGUE_OPCODE_UMR:
		return IBV_WC_BIND_MW;
	default:
		return IBV_WC_SEND;
	}
}

/**
 * segue_verbs_wc_flags() - ibv_wc.wc_flags of a good completion.
 * @wc: as above
 *
 * IBV_WC_WITH_IMM and IBV_WC_WITH_INV of receives. IBV_WC_GRH is not among them, because the CQE
 * has it: see segue_wc_get_details().
 */
SEGUE_FUNCTION unsigned int segue_verbs_wc_flags(const struct segue_wc *wc)
{
	if (wc->opcode == SEGUE_CQE_OPCODE_RESP_SEND_INV)
		return IBV_WC_WITH_INV;
	return wc->opcode == SEGUE_CQE_OPCODE_RESP_WR_IMM ||
			       wc->opcode == SEGUE_CQE_OPCODE_RESP_SEND_IMM
		       ? IBV_WC_WITH_IMM
		       : 0;
}

/**
 * segue_verbs_send_flags() - flags of a request for ibv_send_wr.send_flags.
 * @send_flags: of enum ibv_send_flags. IBV_SEND_INLINE and IBV_SEND_IP_CSUM have no flag here. Use
 *              segue_inline_data() and segue_eth()
 */
SEGUE_FUNCTION uint32_t segue_verbs_send_flags(unsigned int send_flags)
{
	return (send_flags & IBV_SEND_SIGNALED ? (uint32_t)SEGUE_SIGNALED : 0) |
	       (send_flags & IBV_SEND_SOLICITED ? (uint32_t)SEGUE_SOLICITED : 0) |
	       (send_flags & IBV_SEND_FENCE ? (uint32_t)SEGUE_FENCE : 0);
}

SEGUEI_HOT_FUNCTION struct segue_seg_data seguei_verbs_piece(const struct ibv_sge *sge)
{
	struct segue_seg_data piece;

	piece.byte_count = sge->length;
	piece.lkey = sge->lkey;
	piece.addr = sge->addr;
	return piece;
}

/* The steps of segue_verbs_sge_list(). */
SEGUEI_BUILD struct seguei_build seguei_step_verbs_sge_list(struct seguei_build b,
							    const struct ibv_sge *list,
							    uint32_t count)
{
	const bool together = b.units + count <= b.sq->max_units &&
			      b.at + (size_t)count * SEGUE_SEG_DATA_SIZE <= b.sq->end;
	struct segue_seg_data piece;
	uint32_t left = count; /* not an end of the list, for which clang takes 11 more */
	uint8_t *at = b.at;

	seguei_step(&b, "segue_verbs_sge_list()");
	seguei_need(count && !list, "segue_verbs_sge_list()", "list");
	for (; SEGUEI_LIKELY(together) && left; left--, list++) {
		piece = seguei_verbs_piece(list);
		if (SEGUEI_UNLIKELY((int32_t)piece.byte_count <= 0))
			break;
		SEGUEI_PACK_UNIT(segue_seg_data_pack, SEGUEI_ALIGNED(uint8_t, at, SEGUEI_UNIT),
				 &piece);
		at += SEGUE_SEG_DATA_SIZE;
	}
	seguei_advance(&b, count - left);
	/* from one that is empty or too long, and across the end of the ring */
	for (; SEGUEI_UNLIKELY(left); left--, list++) {
		piece = seguei_verbs_piece(list);
		if (piece.byte_count)
			seguei_put_data(&b, true, &piece);
	}
	return b;
}

SEGUEI_BUILD struct seguei_recv seguei_recv_step_verbs_sge_list(struct seguei_recv b,
								const struct ibv_sge *list,
								uint32_t count)
{
	uint32_t i;

	seguei_recv_step(&b, "segue_verbs_sge_list()");
	seguei_need(count && !list, "segue_verbs_sge_list()", "list");
	for (i = 0; i < count; i++) {
		const struct segue_seg_data piece = seguei_verbs_piece(&list[i]);

		if (piece.byte_count)
			seguei_recv_put_data(&b, &piece);
	}
	return b;
}

/**
 * segue_verbs_sge_list() - segue_sge_list() for libibverbs' pieces.
 * @w: a request or receive for which segue_sge_list() may come next
 * @list: const struct ibv_sge *, as in ibv_send_wr.sg_list
 * @count: number of pieces
 *
 * Empty pieces are left out, as libmlx5 does. A piece of 2 GiB or more is refused at commit.
 */
#ifndef __cplusplus
#define SEGUEI_VERBS_BY(step, function) struct step##_way * : function
#define segue_verbs_sge_list(w, ... /* list, count */)                                             \
	SEGUEI_STEP(                                                                               \
		SEGUEI_BOUND, w, segue_sge_list, .b, .b,                                           \
		(SEGUEI_VERBS_BY(seguei_recv_step_data_sge_list, seguei_recv_step_verbs_sge_list), \
		 SEGUEI_VERBS_BY(seguei_step_data_sge_list, seguei_step_verbs_sge_list),           \
		 SEGUEI_ELSE(_b)),                                                                 \
		, __VA_ARGS__)                                                                     \
	SEGUEI_MADE
#endif

struct segue_cq;
struct segue_qp;
struct segue_srq;

/**
 * segue_verbs_adopt() - put Segue below a program's own calls of libibverbs.
 * @context: of an mlx5 device, before the program makes its first completion queue
 *
 * From now on Segue implements ibv_post_send(), ibv_wr_*(), ibv_post_recv(), ibv_poll_cq() and
 * ibv_req_notify_cq() on this context, for RC, UC, UD and raw packet queue pairs, XRC initiators
 * and DCIs that are made later. Their receives from a shared queue stay libmlx5's. The layer leaves
 * queue pairs of parent domains, and with options that it does not know, to libmlx5 when they are
 * made. Completions of queue pairs that are taken keep their order among themselves, as do those of
 * the others, but not between the two.
 *
 * The library's functions must stand before those of libibverbs that make and unmake objects, so
 * link it before -libverbs. Threads: as with libmlx5. The context ends with ibv_close_device().
 * Returns 0, -ENOTSUP for another provider's device, -EBUSY if a completion queue exists, or
 * -ENOMEM.
 */
SEGUEI_MUST_CHECK int segue_verbs_adopt(struct ibv_context *context);

/**
 * segue_verbs_post_send() - ibv_post_send() on a queue pair of Segue's.
 * @qp: opened or adopted, of type RC, UC, UD, XRC initiator or raw packet
 * @wr: requests, as for ibv_post_send()
 * @bad_wr: set to the request that was refused, if one was
 *
 * Returns what libmlx5 returns: 0, or a positive error number. Requests before *bad_wr are posted.
 * EINVAL is also the answer to an opcode that the transport does not have, and to a piece of 2 GiB
 * or more, which libmlx5 posts and the device fails. This function and the next three are in the
 * library segue_verbs.
 */
int segue_verbs_post_send(struct segue_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr);

/**
 * segue_verbs_post_recv() - ibv_post_recv() on a queue pair of Segue's.
 *
 * Returns 0, or a positive error number, as segue_verbs_post_send() does.
 */
int segue_verbs_post_recv(struct segue_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr);

/**
 * segue_verbs_post_srq_recv() - ibv_post_srq_recv() on a shared receive queue of Segue's.
 *
 * Returns 0, or a positive error number, as segue_verbs_post_send() does.
 */
int segue_verbs_post_srq_recv(struct segue_srq *srq, struct ibv_recv_wr *wr,
			      struct ibv_recv_wr **bad_wr);

/**
 * segue_verbs_poll_cq() - ibv_poll_cq() on a completion queue of Segue's.
 * @cq: opened or adopted
 * @num_entries: most completions
 * @wc: filled from the front
 *
 * As with ibv_poll_cq(), members that libibverbs does not define for a completion keep their
 * values. Returns the number filled, or a negative number if an entry belongs to no queue.
 */
int segue_verbs_poll_cq(struct segue_cq *cq, int num_entries, struct ibv_wc *wc);

#include "segue/detail/end.h"

#ifdef __cplusplus
SEGUEI_BUILD struct seguei_build seguei_verbs_listed(struct seguei_build b,
						     const struct ibv_sge *list, uint32_t count)
{
	return seguei_step_verbs_sge_list(b, list, count);
}
SEGUEI_BUILD struct seguei_recv seguei_verbs_listed(struct seguei_recv b,
						    const struct ibv_sge *list, uint32_t count)
{
	return seguei_recv_step_verbs_sge_list(b, list, count);
}
template <class State, class To = seguei_to<typename State::segue_sge_list>>
SEGUEI_BUILD To segue_verbs_sge_list(State w, const struct ibv_sge *list,
				     uint32_t count SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_made<To>(seguei_verbs_listed(w.b, list, count)))
#endif

#endif
