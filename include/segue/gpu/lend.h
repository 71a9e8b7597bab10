/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A queue pair's send queue in the hands of lanes (segue/gpu/queue.h), and back.
 *
 * Meanwhile lanes alone write its ring and read its completion queue. Requests by builders, polls,
 * and all calls that would change the queue pair or its completion queue are refused, closing
 * included: with -EBUSY and a sentence.
 *
 * Owner: ring, record, register and entries stay the queue pair's; the description is the caller's.
 * Threads: that of the queue pair, before the first lane and after the last one.
 * Errors: negative errno with segue_errmsg(); nothing has changed then.
 * Source: mlx5dv.h (struct mlx5dv_qp, struct mlx5dv_cq); NVSHMEM
 *   src/modules/transport/ibgda/ibgda.cpp for collapsed completion queues.
 */
#ifndef SEGUE_GPU_LEND_H
#define SEGUE_GPU_LEND_H

#include "segue/gpu/queue.h"
#include "segue/qp.h"

#include "segue/detail/begin.h"

/**
 * segue_qp_lend() - describe a send queue to lanes, and leave it to them.
 * @qp: in a state that takes sends (RTS), with nothing in flight. It has no td, own_register,
 *      split or managed_send. Its send_cq is empty, serves nothing else and has no compress. It has
 *      at least as many entries as the ring has blocks of 64 bytes, or is collapsed
 * @queue: filled in, and ready (segue_gpu_init()). Its indices go on where the queue pair's are
 *
 * Addresses are those of this process. If lanes have others, as GPUs may, the program registers
 * the memory with them and writes their addresses to ring, record, reg, entries and entry_record.
 * The queue is copied to where lanes reach it, and back from there. Returns 0; -EINVAL with what
 * the queue pair or its completion queue lacks; -EBUSY with what is in flight or waits to be
 * polled, or if it is lent.
 */
SEGUEI_MUST_CHECK int segue_qp_lend(struct segue_qp *qp, struct segue_gpu_queue *queue);

/**
 * segue_qp_take_back() - go on where the lanes have ended.
 * @qp: lent
 * @queue: as the lanes have left it; NULL if they are lost
 *
 * No lane uses the queue any more, and all that they published has completed
 * (segue_gpu_quiet()), or a request has failed. Builders go on at the lanes' index, polls behind
 * the last entry that lanes took.
 * After a failure, and with NULL, the queue pair is in ERR afterwards, and what was flushed is
 * dropped: segue_qp_reset() it. Returns 0; -EINVAL if it is not lent; -EBUSY with how many blocks
 * were published and are in flight, or were reserved and never published; what the kernel says of
 * ERR.
 */
int segue_qp_take_back(struct segue_qp *qp, const struct segue_gpu_queue *queue);

#include "segue/detail/end.h"

#endif
